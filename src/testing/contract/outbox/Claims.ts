/** Laws of claims: which messages a worker gets, for how long, and by whose clock. */
import { Clock, Effect } from "effect";
import { Outbox } from "../../../ports/Outbox.ts";
import type { Topic } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import {
  asClaimed,
  claim,
  claimInTime,
  emptied,
  expectLater,
  idsOf,
  LONG,
  SHORT,
  send,
  sendAndClaim,
} from "./fixtures.ts";

const CLAIM =
  "Claims up to `limit` available messages of the topics, those first that have been available longest.";
const LEASE = "A claimed message: nobody else gets it before the lease ends.";

const chosen = Effect.gen(function* () {
  const [report, payment, rest, invoice] = yield* send(
    { topic: "make_report" },
    { topic: "send_payment", reference: Build.freshUuid() },
    { topic: "recompute" },
    { topic: "make_invoice" },
  );
  if (report === undefined || payment === undefined || rest === undefined || invoice === undefined)
    return yield* Effect.die("four were sent");
  yield* expectSame("no topic", yield* claim({ topics: [] }), []);
  yield* expectSame("a topic without messages", yield* claim({ topics: ["make_credit_note"] }), []);
  const documents: ReadonlyArray<Topic> = ["make_invoice", "make_report"];
  yield* expectSame("one of two topics", yield* claim({ topics: documents, limit: 1 }), [asClaimed(report)]);
  yield* expectSame("whatever there is", yield* claim(), [
    asClaimed(payment),
    asClaimed(rest),
    asClaimed(invoice),
  ]);
  yield* expectSame("nothing twice", yield* claim(), []);
});

const delayed = Effect.gen(function* () {
  const [message] = yield* send({ delayMilliseconds: LONG });
  yield* expectSame("a message sent for later", yield* claim(), []);
  const outbox = yield* Outbox;
  if (message !== undefined) yield* outbox.complete({ id: message.id, claim: 0 });
  const since = yield* Clock.currentTimeMillis;
  yield* send({ delayMilliseconds: SHORT });
  yield* expectLater("a message sent for soon", since, SHORT);
});

const except = Effect.gen(function* () {
  const [one, other] = yield* send({}, {});
  if (one === undefined || other === undefined) return yield* Effect.die("two were sent");
  const exceptCustomers = [one.customerId];
  yield* expectSame("the other customer's", idsOf(yield* claim({ exceptCustomers, limit: 1 })), [other.id]);
  yield* expectSame("the first, once it may be", idsOf(yield* claim({ exceptCustomers: [] })), [one.id]);
});

const leases = Effect.gen(function* () {
  const since = yield* Clock.currentTimeMillis;
  const first = yield* sendAndClaim({ leaseMilliseconds: SHORT });
  const again = yield* expectLater("a message whose lease ended", since, SHORT);
  yield* expectSame("the same message", again, [{ ...first, claim: 2, lostLeases: 1 }]);
  yield* expectSame("inside the second lease", yield* claim(), []);
});

const lost = Effect.gen(function* () {
  const outbox = yield* Outbox;
  yield* sendAndClaim({ leaseMilliseconds: 1 });
  const second = yield* claimInTime(0, { leaseMilliseconds: 1 });
  const [third] = (yield* claimInTime(0)).found;
  yield* expectSame("after one lease", second.found[0]?.lostLeases, 1);
  yield* expectSame("after two leases", third?.lostLeases, 2);
  if (third === undefined) return;
  yield* outbox.release(third);
  const [fourth] = yield* claim();
  yield* expectSame("given back as it was", fourth?.lostLeases, 2);
  if (fourth === undefined) return;
  yield* outbox.postpone(fourth, { delayMilliseconds: 0, failures: 0, problem: null });
  const [fifth] = yield* claim();
  yield* expectSame("given back in another way", [fifth?.lostLeases, fifth?.claim], [0, 5]);
});

const renewed = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const one = yield* sendAndClaim({ leaseMilliseconds: 1 });
  const since = yield* Clock.currentTimeMillis;
  yield* outbox.renew([one], SHORT);
  yield* expectLater("a message whose lease was renewed", since, SHORT);
  const two = yield* sendAndClaim({ leaseMilliseconds: LONG });
  yield* outbox.renew([two], 1);
  yield* Effect.sleep(20);
  yield* expectSame("a longer lease stays", yield* claim(), []);
});

const racing = Effect.gen(function* () {
  const sent = yield* send(...Array.from({ length: 40 }, () => ({})));
  const claims = Array.from({ length: 8 }, () => claim({ limit: 7 }));
  const claimed = (yield* Effect.all(claims, { concurrency: "unbounded" })).flat();
  yield* expect(new Set(idsOf(claimed)).size === claimed.length, "two workers hold one message");
  yield* expectSame(
    "every message, once",
    [...idsOf(claimed), ...idsOf(yield* claim())].sort(),
    sent.map(({ id }) => id).sort(),
  );
});

/** A clock of the caller's that is wrong by so much. */
const skewed =
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
  const fast = skewed(2 * LONG);
  const slow = skewed(-2 * LONG);
  const [held] = yield* Effect.zipRight(send({}), claim());
  yield* expectSame("a fast clock takes nothing that is held", yield* fast(claim()), []);
  if (held === undefined) return yield* Effect.die("it was sent");
  yield* fast(outbox.postpone(held, { delayMilliseconds: 0, failures: 0, problem: null }));
  const [again] = yield* slow(claim());
  yield* expectSame("a slow clock finds what a fast one gave back", again?.id, held.id);
  yield* fast(send({}));
  yield* expectSame("what a fast clock sends is there at once", (yield* claim()).length, 1);
  yield* slow(send({ delayMilliseconds: LONG }));
  yield* expectSame("what a slow clock sends for later is not", yield* claim(), []);
  yield* slow(send({}));
  yield* slow(claim());
  yield* expectSame("what a slow clock holds is held", yield* claim(), []);
});

const fenced = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const late = yield* sendAndClaim({ leaseMilliseconds: 1 });
  const [holder] = (yield* claimInTime(0)).found;
  if (holder === undefined) return yield* Effect.die("the lease ended");
  yield* outbox.complete(late);
  yield* outbox.release(late);
  yield* outbox.postpone(late, { delayMilliseconds: 0, failures: 9, problem: "late" });
  yield* outbox.deadLetter(late, "late");
  yield* outbox.complete({ id: late.id, claim: 0 });
  yield* expectSame("a claim that is over frees nothing", yield* claim(), []);
  yield* outbox.renew([late], LONG);
  yield* outbox.release(holder);
  const [next] = yield* claim({ leaseMilliseconds: 1 });
  yield* expectSame("the present claim counts", next, { ...holder, claim: 3 });
  yield* outbox.renew([late, holder], LONG);
  yield* expectSame("a claim that is over renews nothing", (yield* claimInTime(0)).found[0]?.claim, 4);
});

/** Laws of claims. */
export const claimLaws: ReadonlyArray<Law> = [
  law(CLAIM, "by topic and limit, with everything that was sent", emptied(chosen)),
  law("How long after the commit it may be claimed, by the store's clock.", "a moment", emptied(delayed)),
  law("Customers whose messages are left where they are; none by default.", "one of two", emptied(except)),
  law(LEASE, "until its end", emptied(leases)),
  law(LEASE, "eight workers at once", emptied(racing)),
  law(
    "Leases in a row that ended before their worker gave the message back: it may be what ends the process.",
    "one, two, given back",
    emptied(lost),
  ),
  law("Lets the leases of claims end no earlier than so long from now.", "longer", emptied(renewed)),
  law(
    "Every moment and every duration is by the store's clock, so that a worker whose own clock is wrong neither takes what another one works on nor leaves anything waiting.",
    "two days ahead and behind",
    emptied(wrongClocks),
  ),
  law(
    "One claim of a message; once the message has been claimed again, what refers to this claim changes nothing.",
    "each way to end it",
    emptied(fenced),
  ),
];
