/** Laws of the outbox: delivery at least once, one worker at a time, the oldest available messages first. */
import { Clock, Effect } from "effect";
import type { MessageId } from "../../../domain/Ids.ts";
import { type Claim, type Depth, Outbox } from "../../../ports/Outbox.ts";
import type { Topic } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import { claimLaws } from "./Claims.ts";
import {
  ALL,
  claim,
  claimInTime,
  emptied,
  expectLater,
  idsOf,
  LONG,
  PLENTY,
  SHORT,
  send,
  sendAndClaim,
} from "./fixtures.ts";

const REQUEUE =
  "Makes those messages of the ids available that are dead or parked, have failed or lost a lease, and counts both from 0 again; tells how many.";
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
  ...claimLaws,
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
