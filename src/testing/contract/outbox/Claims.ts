/** Laws of claims: which messages a worker gets, for how long, and by which clock. */
import { Clock, Effect } from "effect";
import { Outbox } from "../../../ports/Outbox.ts";
import type { Topic } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import {
  claim,
  claimInTime,
  expectedClaim,
  expectLater,
  idsOf,
  LONG,
  SHORT,
  send,
  sendAndClaim,
  withEmptyOutbox,
} from "./fixtures.ts";

const CLAIM =
  "Claims up to `limit` available messages of the topics, those first that have been available longest.";
const LEASE = "A claimed message; no other claim returns it before its lease ends.";

const topicsAndLimit = Effect.gen(function* () {
  const [report, payment, rest, invoice] = yield* send(
    { topic: "make_report" },
    { topic: "send_payment", reference: Build.freshUuid() },
    { topic: "recompute" },
    { topic: "make_invoice" },
  );
  yield* expectSame("a claim of no topic", yield* claim({ topics: [] }), []);
  yield* expectSame("a topic without messages", yield* claim({ topics: ["make_credit_note"] }), []);
  const documents: ReadonlyArray<Topic> = ["make_invoice", "make_report"];
  yield* expectSame("a claim of two topics with limit 1", yield* claim({ topics: documents, limit: 1 }), [
    expectedClaim(report),
  ]);
  yield* expectSame("a claim of every topic", yield* claim(), [
    expectedClaim(payment),
    expectedClaim(rest),
    expectedClaim(invoice),
  ]);
  yield* expectSame("a second claim of every topic", yield* claim(), []);
});

const delayAfterCommit = Effect.gen(function* () {
  const [message] = yield* send({ delayMilliseconds: LONG });
  yield* expectSame("a message with a delay", yield* claim(), []);
  const outbox = yield* Outbox;
  yield* outbox.complete({ ...message, claim: 0 });
  const since = yield* Clock.currentTimeMillis;
  yield* send({ delayMilliseconds: SHORT });
  yield* expectLater("a message with a short delay", since, SHORT);
});

const skippedCustomers = Effect.gen(function* () {
  const [one, other] = yield* send({}, {});
  const exceptCustomers = [one.customerId];
  yield* expectSame("the customer that is not skipped", idsOf(yield* claim({ exceptCustomers, limit: 1 })), [
    other.id,
  ]);
  yield* expectSame(
    "the skipped customer, without the filter",
    idsOf(yield* claim({ exceptCustomers: [] })),
    [one.id],
  );
});

const leaseEnds = Effect.gen(function* () {
  const since = yield* Clock.currentTimeMillis;
  const first = yield* sendAndClaim({ leaseMilliseconds: SHORT });
  const again = yield* expectLater("a message whose lease ended", since, SHORT);
  yield* expectSame("the same message", again, [{ ...first, claim: 2, lostLeases: 1 }]);
  yield* expectSame("a claim before the second lease ends", yield* claim(), []);
});

const lostLeases = Effect.gen(function* () {
  const outbox = yield* Outbox;
  yield* sendAndClaim({ leaseMilliseconds: 1 });
  const second = yield* claimInTime(0, { leaseMilliseconds: 1 });
  const [third] = (yield* claimInTime(0)).found;
  yield* expectSame("after one lease", second.found[0]?.lostLeases, 1);
  yield* expectSame("after two leases", third?.lostLeases, 2);
  if (third === undefined) return;
  yield* outbox.release(third);
  const [fourth] = yield* claim();
  yield* expectSame("lost leases after a release", fourth?.lostLeases, 2);
  if (fourth === undefined) return;
  yield* outbox.postpone(fourth, { delayMilliseconds: 0, failures: 0, problem: null });
  const [fifth] = yield* claim();
  yield* expectSame("lost leases and claim after a postponement", [fifth?.lostLeases, fifth?.claim], [0, 5]);
});

const renewals = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const one = yield* sendAndClaim({ leaseMilliseconds: 1 });
  const since = yield* Clock.currentTimeMillis;
  yield* outbox.renew([one], SHORT);
  yield* expectLater("a message whose lease was renewed", since, SHORT);
  const two = yield* sendAndClaim({ leaseMilliseconds: LONG });
  yield* outbox.renew([two], 1);
  yield* Effect.sleep(20);
  yield* expectSame("a claim after a renewal that is shorter than the lease", yield* claim(), []);
});

const concurrentClaims = Effect.gen(function* () {
  const sent = yield* send(...Array.from({ length: 40 }, () => ({})));
  const claims = Array.from({ length: 8 }, () => claim({ limit: 7 }));
  const claimed = (yield* Effect.all(claims, { concurrency: "unbounded" })).flat();
  yield* expect(new Set(idsOf(claimed)).size === claimed.length, "two workers claimed the same message");
  yield* expectSame(
    "the claimed messages",
    [...idsOf(claimed), ...idsOf(yield* claim())].sort(),
    sent.map(({ id }) => id).sort(),
  );
});

/** Runs an effect under a clock that is wrong by an offset. */
const withClockOffset =
  (milliseconds: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) =>
      Effect.withClock(effect, {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + milliseconds,
        unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos() + BigInt(milliseconds) * 1_000_000n,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + milliseconds),
        currentTimeNanos: Effect.map(
          clock.currentTimeNanos,
          (now) => now + BigInt(milliseconds) * 1_000_000n,
        ),
        sleep: (duration) => clock.sleep(duration),
      }),
    );

const wrongClocks = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const fast = withClockOffset(2 * LONG);
  const slow = withClockOffset(-2 * LONG);
  const [message] = yield* Effect.zipRight(send({}), claim());
  yield* expectSame("a claimed message, claimed under a fast clock", yield* fast(claim()), []);
  if (message === undefined) return yield* Effect.die("the message was sent");
  yield* fast(outbox.postpone(message, { delayMilliseconds: 0, failures: 0, problem: null }));
  const [again] = yield* slow(claim());
  yield* expectSame(
    "a message postponed under a fast clock, claimed under a slow one",
    again?.id,
    message.id,
  );
  yield* fast(send({}));
  yield* expectSame("messages available after a send under a fast clock", (yield* claim()).length, 1);
  yield* slow(send({ delayMilliseconds: LONG }));
  yield* expectSame("messages available after a delayed send under a slow clock", yield* claim(), []);
  yield* slow(send({}));
  yield* slow(claim());
  yield* expectSame("a message claimed under a slow clock, claimed again", yield* claim(), []);
});

const endedClaims = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const late = yield* sendAndClaim({ leaseMilliseconds: 1 });
  const [holder] = (yield* claimInTime(0)).found;
  if (holder === undefined) return yield* Effect.die("the lease has ended");
  yield* outbox.complete(late);
  yield* outbox.release(late);
  yield* outbox.postpone(late, { delayMilliseconds: 0, failures: 9, problem: "late" });
  yield* outbox.deadLetter(late, "late");
  yield* outbox.complete({ ...late, claim: 0 });
  yield* expectSame("messages available after calls that name an ended claim", yield* claim(), []);
  yield* outbox.renew([late], LONG);
  yield* outbox.release(holder);
  const [next] = yield* claim({ leaseMilliseconds: 1 });
  yield* expectSame("the message after its current claim released it", next, { ...holder, claim: 3 });
  yield* outbox.renew([late, holder], LONG);
  yield* expectSame(
    "the claim after a renewal that names an ended claim",
    (yield* claimInTime(0)).found[0]?.claim,
    4,
  );
});

export const claimLaws: ReadonlyArray<Law> = [
  law(
    CLAIM,
    "the topics and the limit select; every field of a message is returned",
    withEmptyOutbox(topicsAndLimit),
  ),
  law(
    "How long after the commit it may be claimed, by the store's clock.",
    "a delay of a day and a short one",
    withEmptyOutbox(delayAfterCommit),
  ),
  law(
    "Customers whose messages are left where they are; none by default.",
    "one of two customers is skipped",
    withEmptyOutbox(skippedCustomers),
  ),
  law(LEASE, "the message is available again when its lease ends", withEmptyOutbox(leaseEnds)),
  law(LEASE, "eight workers at once", withEmptyOutbox(concurrentClaims)),
  law(
    "Leases in a row that ended before their worker released the message: the message may be what ends the process.",
    "counted by each ended lease, kept by a release, reset by a postponement",
    withEmptyOutbox(lostLeases),
  ),
  law(
    "Renews the leases of claims: they end no earlier than so long from now.",
    "a shorter renewal leaves a longer lease as it is",
    withEmptyOutbox(renewals),
  ),
  law(
    "Every moment and every duration is by the store's clock, so that a worker whose own clock is wrong neither takes what another one works on nor leaves anything waiting.",
    "clocks two days ahead and two days behind",
    withEmptyOutbox(wrongClocks),
  ),
  law(
    "One claim of a message; once the message has been claimed again, what refers to this claim changes nothing.",
    "complete, release, postpone, dead-letter and renew",
    withEmptyOutbox(endedClaims),
  ),
];
