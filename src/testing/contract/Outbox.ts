/** Laws of the outbox: at least once, one worker at a time, those first that have waited longest. */
import { Clock, Effect } from "effect";
import type { MessageId } from "../../domain/Ids.ts";
import { type Claim, type Claimed, type ClaimQuery, type Depth, Outbox } from "../../ports/Outbox.ts";
import type { Message, Topic } from "../../ports/Storage.ts";
import * as Build from "../Build.ts";
import { expect, expectSame, type Law, LawBroken, law } from "../Law.ts";
import * as Scene from "../Scene.ts";

const CLAIM =
  "Claims up to `limit` available messages of the topics, those first that have been available longest.";
const LEASE = "A claimed message: nobody else gets it before the lease ends.";
const REQUEUE =
  "Makes those messages of the ids available that are dead or parked, have failed or lost a lease, and counts both from 0 again; tells how many.";
const ALL: ReadonlyArray<Topic> = [
  "make_report",
  "make_invoice",
  "make_credit_note",
  "send_payment",
  "recompute",
];
const PLENTY = 100_000;
/** Longer than any law takes. */
const LONG = Build.DAY;
/** What laws wait for. */
const SHORT = 250;
const PATIENCE = 10_000;
const PAUSE = 20;

const claim = (query: Partial<ClaimQuery> = {}) =>
  Effect.flatMap(Outbox, (outbox) =>
    outbox.claim({ topics: ALL, limit: PLENTY, leaseMilliseconds: LONG, ...query }),
  );

const idsOf = (messages: ReadonlyArray<Claim>): ReadonlyArray<string> => messages.map(({ id }) => id);

/** Claims again and again until there is something; tells how long after a moment that was. */
const claimInTime = (since: number, query: Partial<ClaimQuery> = {}) =>
  Effect.gen(function* () {
    for (let tries = 0; tries * PAUSE < PATIENCE; tries++) {
      const found = yield* claim(query);
      if (found.length > 0) return { found, elapsed: (yield* Clock.currentTimeMillis) - since };
      yield* Effect.sleep(PAUSE);
    }
    return yield* new LawBroken({ message: "a message that is due is not claimed" });
  });

/** Passes when something becomes available, and no earlier than so long after a moment. */
const expectLater = (what: string, since: number, delay: number) =>
  Effect.gen(function* () {
    const { found, elapsed } = yield* claimInTime(since);
    yield* expect(elapsed >= delay, `${what}: after ${elapsed} ms, ${delay} were due`);
    return found;
  });

/** Stores messages in one commit each, so that each has been available longer than the next. */
const send = (...given: ReadonlyArray<Partial<Message>>) =>
  Effect.forEach(given, (part) =>
    Effect.gen(function* () {
      const message = Build.message(Build.fresh.customer(), Build.fresh.settlement(), part);
      yield* Scene.commit(message.customerId, [], { outbox: [message] });
      yield* Effect.sleep(3);
      return message;
    }),
  );

/** Sends one message and claims it. */
const sendAndClaim = (query: Partial<ClaimQuery> = {}, part: Partial<Message> = {}) =>
  Effect.gen(function* () {
    const [message] = yield* send(part);
    const [claimed] = yield* claim(query);
    if (message === undefined || claimed?.id !== message.id) return yield* Effect.die("it was sent");
    return claimed;
  });

const asClaimed = (
  { delayMilliseconds: _, ...message }: Message,
  counts: Partial<Claimed> = {},
): Claimed => ({
  ...message,
  claim: 1,
  failures: 0,
  lostLeases: 0,
  ...counts,
});

const drain = Effect.gen(function* () {
  const outbox = yield* Outbox;
  yield* outbox.unpark(ALL);
  yield* Effect.forEach(yield* claim(), outbox.complete, { discard: true });
});

/** Runs a law on an outbox without messages that are available, and leaves none of its own. */
const emptied = <A, E, R>(check: Effect.Effect<A, E, R>) =>
  Effect.zipRight(drain, Effect.zipRight(check, drain));

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

const waitingIn = (depths: ReadonlyArray<Depth>): number =>
  depths.reduce((sum, { waiting }) => sum + waiting, 0);

const completed = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const before = waitingIn(yield* outbox.depth);
  const done = yield* sendAndClaim();
  yield* outbox.complete(done);
  yield* outbox.complete(done);
  yield* outbox.release(done);
  yield* expectSame("a message that is done", yield* claim(), []);
  yield* expectSame("messages that wait", waitingIn(yield* outbox.depth), before);
  const [unclaimed] = yield* send({});
  if (unclaimed !== undefined) yield* outbox.complete({ id: unclaimed.id, claim: 0 });
  yield* expectSame("one that nobody ever claimed", yield* claim(), []);
});

const released = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const [first, second] = yield* send({}, {});
  const [held] = yield* claim({ limit: 1 });
  if (held === undefined || first === undefined || second === undefined)
    return yield* Effect.die("two were sent");
  yield* outbox.postpone(held, { delayMilliseconds: 0, failures: 3, problem: "once" });
  const [other, back] = yield* claim();
  yield* expectSame("given back later, it is behind", [other?.id, back?.id], [second.id, first.id]);
  if (other === undefined || back === undefined) return;
  yield* outbox.release(back);
  yield* outbox.release(other);
  yield* expectSame("given back as they were", yield* claim(), [
    { ...other, claim: 2 },
    { ...back, claim: 3 },
  ]);
  const [later] = yield* send({ delayMilliseconds: LONG });
  if (later !== undefined) yield* outbox.release({ id: later.id, claim: 0 });
  yield* expectSame("one that was sent for later", idsOf(yield* claim()), [later?.id]);
});

const postponed = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const held = yield* sendAndClaim();
  const problem = "timeout: 'provider' \\ % said “no”\u0000";
  const since = yield* Clock.currentTimeMillis;
  yield* outbox.postpone(held, { delayMilliseconds: SHORT, failures: 4, problem });
  const again = yield* expectLater("a postponed message", since, SHORT);
  yield* expectSame("what the next worker is told", again, [{ ...held, claim: 2, failures: 4 }]);
  if (again[0] !== undefined)
    yield* outbox.postpone(again[0], { delayMilliseconds: LONG, failures: 0, problem: null });
  yield* outbox.unpark(ALL);
  yield* expectSame("it is not parked", yield* claim(), []);
});

const parked = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const park = (held: Claim, delayMilliseconds: number) =>
    outbox.postpone(held, { delayMilliseconds, failures: 0, problem: "no font", parked: true });
  const held = yield* sendAndClaim();
  yield* park(held, LONG);
  yield* expectSame("a parked message", yield* claim(), []);
  yield* outbox.unpark(["send_payment"]);
  yield* expectSame("of another topic", yield* claim(), []);
  yield* outbox.unpark(["recompute", held.topic]);
  const [again] = yield* claim();
  yield* expectSame("made available", again, { ...held, claim: 2 });
  if (again === undefined) return;
  const since = yield* Clock.currentTimeMillis;
  yield* park(again, SHORT);
  yield* expectLater("a message parked for a time", since, SHORT);
});

/** Messages as operators see them, of those that a law has made. */
const listed = (own: ReadonlySet<MessageId>, pageSize: number) =>
  Effect.gen(function* () {
    const outbox = yield* Outbox;
    const whole = yield* outbox.list(null, PLENTY);
    const paged = [...(yield* outbox.list(null, pageSize))];
    for (let last = paged.at(-1); last !== undefined && paged.length < whole.length; last = paged.at(-1))
      paged.push(...(yield* outbox.list(last.id, pageSize)));
    yield* expectSame("page by page", idsOf(paged), idsOf(whole));
    yield* expectSame("ordered by id", idsOf(whole), [...idsOf(whole)].sort());
    return whole.filter(({ id }) => own.has(id));
  });

/** One message for each way to be in trouble, and two that are in none. */
const troubled = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const [dead, stuck, failed, wrecked, fine] = yield* Effect.zipRight(send({}, {}, {}, {}, {}), claim());
  const [, unclaimed] = yield* send({ topic: "recompute" }, { topic: "recompute" });
  if (!dead || !stuck || !failed || !wrecked || !fine || !unclaimed)
    return yield* Effect.die("seven were sent");
  const later = { delayMilliseconds: LONG, failures: 0, problem: null };
  yield* outbox.deadLetter(dead, "refused for good");
  yield* outbox.postpone(stuck, { ...later, problem: "no font", parked: true });
  yield* outbox.postpone(failed, { ...later, failures: 2, problem: "a “timeout”" });
  yield* outbox.release(wrecked);
  yield* claim({ topics: [wrecked.topic], leaseMilliseconds: 1 });
  yield* claimInTime(0, { topics: [wrecked.topic] });
  return { dead, stuck, failed, wrecked, fine, unclaimed };
});

const operators = Effect.gen(function* () {
  const { dead, stuck, failed, wrecked, fine, unclaimed } = yield* troubled;
  const own = new Set([dead, stuck, failed, wrecked, fine, unclaimed].map(({ id }) => id));
  const found = yield* listed(own, 1);
  yield* expectSame(
    "what is in trouble",
    found.map(({ id, state, problem, failures, lostLeases }) => [id, state, problem, failures, lostLeases]),
    [
      [dead.id, "dead", "refused for good", 0, 0],
      [stuck.id, "parked", "no font", 0, 0],
      [failed.id, "waiting", "a “timeout”", 2, 0],
      [wrecked.id, "claimed", null, 0, 1],
    ],
  );
  yield* expectSame(
    "whose it is and what it asks for",
    found.map(({ customerId, topic, recordId, reference }) => [customerId, topic, recordId, reference]),
    [dead, stuck, failed, wrecked].map(({ customerId, topic, recordId, reference }) => [
      customerId,
      topic,
      recordId,
      reference,
    ]),
  );
  const moments = found.slice(1, 3).map(({ availableAt }) => availableAt);
  const now = yield* Clock.currentTimeMillis;
  yield* expect(
    moments.every((moment) => Math.abs(moment - now - LONG) < LONG / 2),
    "when a postponed message is due",
  );
});

const requeued = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const { dead, stuck, failed, wrecked, fine, unclaimed } = yield* troubled;
  yield* claim();
  yield* expectSame("messages in no trouble", yield* outbox.requeue([fine.id, unclaimed.id]), 0);
  yield* expectSame("an id of nothing", yield* outbox.requeue([Build.fresh.message()]), 0);
  yield* expectSame("no ids", yield* outbox.requeue([]), 0);
  yield* expectSame("those are claimed still", yield* claim(), []);
  const ids = [dead, stuck, failed, wrecked].map(({ id }) => id);
  yield* expectSame("messages in trouble", yield* outbox.requeue([...ids, dead.id]), 4);
  yield* expectSame("nothing is in trouble", yield* listed(new Set(ids), PLENTY), []);
  const again = yield* claim();
  yield* expectSame(
    "available again, counted anew",
    again.map(({ id, failures, lostLeases }) => [id, failures, lostLeases]).sort(),
    [dead, stuck, failed].map(({ id }) => [id, 0, 0]).sort(),
  );
});

const deadLettered = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const held = yield* sendAndClaim({ leaseMilliseconds: 1 });
  yield* outbox.deadLetter(held, "refused for good");
  yield* Effect.sleep(20);
  yield* outbox.unpark(ALL);
  yield* outbox.release(held);
  yield* expectSame("never again", yield* claim(), []);
  const found = yield* outbox.list(null, PLENTY);
  yield* expect(
    found.some(({ id, state }) => id === held.id && state === "dead"),
    "it is not kept for operators",
  );
  yield* outbox.requeue([held.id]);
  yield* expectSame("re-queued", idsOf(yield* claim()), [held.id]);
});

const depths = Effect.gen(function* () {
  const outbox = yield* Outbox;
  // No other law leaves messages of it.
  const topic: Topic = "make_credit_note";
  const of = (topic: Topic) =>
    Effect.map(outbox.depth, (found) => {
      const own = found.find((depth) => depth.topic === topic);
      return own ?? { topic, waiting: 0, deadLettered: 0, overdueMilliseconds: 0 };
    });
  const before = yield* of(topic);
  const payments = yield* of("send_payment");
  yield* send({ topic }, { topic }, { topic, delayMilliseconds: LONG });
  yield* Effect.sleep(SHORT);
  const [first] = yield* claim({ limit: 1 });
  const waiting = yield* of(topic);
  yield* expectSame("three wait, claimed and later ones too", waiting.waiting, before.waiting + 3);
  const overdue = waiting.overdueMilliseconds;
  yield* expect(overdue >= SHORT && overdue < LONG, `due for ${overdue} ms, ${SHORT} have passed`);
  if (first !== undefined) yield* outbox.deadLetter(first, "refused for good");
  const [second] = yield* claim();
  if (second !== undefined) yield* outbox.complete(second);
  const after = yield* of(topic);
  yield* expectSame(
    "one waits for later, one is set aside",
    { ...after, overdueMilliseconds: Math.max(0, after.overdueMilliseconds) },
    {
      topic,
      waiting: before.waiting + 1,
      deadLettered: before.deadLettered + 1,
      overdueMilliseconds: 0,
    },
  );
  const { waiting: others, deadLettered: dead } = yield* of("send_payment");
  yield* expectSame("another topic", [others, dead], [payments.waiting, payments.deadLettered]);
  // So that what runs after a law can take it out of the store.
  if (first !== undefined) yield* outbox.requeue([first.id]);
});

/** Laws of the outbox. */
export const outbox: ReadonlyArray<Law> = [
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
  law("Removes a message that is done.", "and removing it again is fine", emptied(completed)),
  law("Gives a message back as it was, available at once and in its old place.", "two", emptied(released)),
  law(
    "Gives a message back, to be claimed again after a delay; its lost leases are counted from 0 again.",
    "after a failure",
    emptied(postponed),
  ),
  law("Makes the parked messages of the topics available.", "or their delay ends", emptied(parked)),
  law(
    "Sets a message aside for good; it is kept for operators and not claimed again unless one re-queues it.",
    "and re-queued",
    emptied(deadLettered),
  ),
  law(
    "Messages that are dead or parked, have failed or lost a lease, after an id (null: from the first), ordered by id.",
    "one of each",
    emptied(operators),
  ),
  law(REQUEUE, "one of each", emptied(requeued)),
  law(
    "For each topic of which there are messages: those waiting, those set aside, and how long the oldest has been due.",
    "before and after",
    emptied(depths),
  ),
];
