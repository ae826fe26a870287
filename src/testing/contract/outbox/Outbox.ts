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
  expectLater,
  idsOf,
  LIMIT_ALL,
  LONG,
  SHORT,
  send,
  sendAndClaim,
  withEmptyOutbox,
} from "./fixtures.ts";

const REQUEUE =
  "Makes the messages of the ids available that are dead or parked, have failed or lost a lease, and counts failures and lost leases from 0 again; returns how many.";
const countWaiting = (depths: ReadonlyArray<Depth>): number =>
  depths.reduce((sum, { waiting }) => sum + waiting, 0);

const completions = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const before = countWaiting(yield* outbox.depth);
  const done = yield* sendAndClaim();
  yield* outbox.complete(done);
  yield* outbox.complete(done);
  yield* outbox.release(done);
  yield* expectSame("a claim after the message was completed", yield* claim(), []);
  yield* expectSame("the number of waiting messages", countWaiting(yield* outbox.depth), before);
  const [unclaimed] = yield* send({});
  yield* outbox.complete({ ...unclaimed, claim: 0 });
  yield* expectSame("a claim after an unclaimed message was completed", yield* claim(), []);
});

const releases = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const [first, second] = yield* send({}, {});
  const [message] = yield* claim({ limit: 1 });
  if (message === undefined) return yield* Effect.die("two were sent");
  yield* outbox.postpone(message, { delayMilliseconds: 0, failures: 3, problem: "once" });
  const [other, back] = yield* claim();
  yield* expectSame(
    "the order after one message was postponed",
    [other?.id, back?.id],
    [second.id, first.id],
  );
  if (other === undefined || back === undefined) return;
  yield* outbox.release(back);
  yield* outbox.release(other);
  yield* expectSame("the order after both messages were released", yield* claim(), [
    { ...other, claim: 2 },
    { ...back, claim: 3 },
  ]);
  const [later] = yield* send({ delayMilliseconds: LONG });
  if (later !== undefined) yield* outbox.release({ ...later, claim: 0 });
  yield* expectSame("a delayed message after its release", idsOf(yield* claim()), [later?.id]);
});

const postponements = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const message = yield* sendAndClaim();
  const problem = "timeout: 'provider' \\ % said “no”\u0000";
  const since = yield* Clock.currentTimeMillis;
  yield* outbox.postpone(message, { delayMilliseconds: SHORT, failures: 4, problem });
  const again = yield* expectLater("a postponed message", since, SHORT);
  yield* expectSame("the postponed message as the next worker claims it", again, [
    { ...message, claim: 2, failures: 4 },
  ]);
  if (again[0] !== undefined)
    yield* outbox.postpone(again[0], { delayMilliseconds: LONG, failures: 0, problem: null });
  yield* outbox.unpark(ALL);
  yield* expectSame("a postponed message after unpark", yield* claim(), []);
});

const parking = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const park = (message: Claim, delayMilliseconds: number) =>
    outbox.postpone(message, { delayMilliseconds, failures: 0, problem: "no font", parked: true });
  const message = yield* sendAndClaim();
  yield* park(message, LONG);
  yield* expectSame("a parked message", yield* claim(), []);
  yield* outbox.unpark(["send_payment"]);
  yield* expectSame("a parked message after another topic was unparked", yield* claim(), []);
  yield* outbox.unpark(["recompute", message.topic]);
  const [again] = yield* claim();
  yield* expectSame("a parked message after its topic was unparked", again, { ...message, claim: 2 });
  if (again === undefined) return;
  const since = yield* Clock.currentTimeMillis;
  yield* park(again, SHORT);
  yield* expectLater("a message parked with a short delay", since, SHORT);
});

/** Lists the messages of a law as operators see them; checks that the pages add up to the whole list. */
const listOwn = (own: ReadonlySet<MessageId>, pageSize: number) =>
  Effect.gen(function* () {
    const outbox = yield* Outbox;
    const whole = yield* outbox.list(null, LIMIT_ALL);
    const paged = [...(yield* outbox.list(null, pageSize))];
    for (let last = paged.at(-1); last !== undefined && paged.length < whole.length; last = paged.at(-1))
      paged.push(...(yield* outbox.list(last.id, pageSize)));
    yield* expectSame("the pages of the list", idsOf(paged), idsOf(whole));
    yield* expectSame("the order of the list", idsOf(whole), [...idsOf(whole)].sort());
    return whole.filter(({ id }) => own.has(id));
  });

/** Sends one message of each kind that operators list, and two that the list leaves out. */
const sendTroubled = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const [dead, stuck, failed, wrecked, fine] = yield* Effect.zipRight(send({}, {}, {}, {}, {}), claim());
  const [, unclaimed] = yield* send({ topic: "recompute" }, { topic: "recompute" });
  if (!dead || !stuck || !failed || !wrecked || !fine) return yield* Effect.die("seven were sent");
  const later = { delayMilliseconds: LONG, failures: 0, problem: null };
  yield* outbox.deadLetter(dead, "refused for good");
  yield* outbox.postpone(stuck, { ...later, problem: "no font", parked: true });
  yield* outbox.postpone(failed, { ...later, failures: 2, problem: "a “timeout”" });
  yield* outbox.release(wrecked);
  yield* claim({ topics: [wrecked.topic], leaseMilliseconds: 1 });
  yield* claimInTime(0, { topics: [wrecked.topic] });
  return { dead, stuck, failed, wrecked, fine, unclaimed };
});

const operatorList = Effect.gen(function* () {
  const { dead, stuck, failed, wrecked, fine, unclaimed } = yield* sendTroubled;
  const own = new Set([dead, stuck, failed, wrecked, fine, unclaimed].map(({ id }) => id));
  const found = yield* listOwn(own, 1);
  yield* expectSame(
    "the listed messages",
    found.map(({ id, state, problem, failures, lostLeases }) => [id, state, problem, failures, lostLeases]),
    [
      [dead.id, "dead", "refused for good", 0, 0],
      [stuck.id, "parked", "no font", 0, 0],
      [failed.id, "waiting", "a “timeout”", 2, 0],
      [wrecked.id, "claimed", null, 0, 1],
    ],
  );
  yield* expectSame(
    "customer, topic, record and reference of the listed messages",
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
    "a postponed message is listed with the moment it becomes available",
  );
});

const requeueing = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const { dead, stuck, failed, wrecked, fine, unclaimed } = yield* sendTroubled;
  yield* claim();
  yield* expectSame(
    "re-queued messages among those that are not listed",
    yield* outbox.requeue([fine.id, unclaimed.id]),
    0,
  );
  yield* expectSame(
    "re-queued messages for an unknown id",
    yield* outbox.requeue([Build.fresh.message()]),
    0,
  );
  yield* expectSame("re-queued messages for no ids", yield* outbox.requeue([]), 0);
  yield* expectSame("messages available while every message is claimed", yield* claim(), []);
  const ids = [dead, stuck, failed, wrecked].map(({ id }) => id);
  yield* expectSame("re-queued messages among the listed ones", yield* outbox.requeue([...ids, dead.id]), 4);
  yield* expectSame("the list after re-queueing", yield* listOwn(new Set(ids), LIMIT_ALL), []);
  const again = yield* claim();
  yield* expectSame(
    "the re-queued messages and their counts",
    again.map(({ id, failures, lostLeases }) => [id, failures, lostLeases]).sort(),
    [dead, stuck, failed].map(({ id }) => [id, 0, 0]).sort(),
  );
});

const deadLetters = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const message = yield* sendAndClaim({ leaseMilliseconds: 1 });
  yield* outbox.deadLetter(message, "refused for good");
  yield* Effect.sleep(20);
  yield* outbox.unpark(ALL);
  yield* outbox.release(message);
  yield* expectSame("a claim after the message was dead-lettered", yield* claim(), []);
  const found = yield* outbox.list(null, LIMIT_ALL);
  yield* expect(
    found.some(({ id, state }) => id === message.id && state === "dead"),
    "a dead-lettered message is missing from the list",
  );
  yield* outbox.requeue([message.id]);
  yield* expectSame("a claim after the dead letter was re-queued", idsOf(yield* claim()), [message.id]);
});

const depths = Effect.gen(function* () {
  const outbox = yield* Outbox;
  // No other law leaves messages of this topic.
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
  yield* expectSame(
    "waiting messages, the claimed and the delayed one included",
    waiting.waiting,
    before.waiting + 3,
  );
  const overdue = waiting.overdueMilliseconds;
  yield* expect(
    overdue >= SHORT && overdue < LONG,
    `overdue by ${overdue} ms, expected at least ${SHORT} ms`,
  );
  if (first !== undefined) yield* outbox.deadLetter(first, "refused for good");
  const [second] = yield* claim();
  if (second !== undefined) yield* outbox.complete(second);
  const after = yield* of(topic);
  yield* expectSame(
    "the depth after one message was dead-lettered and one completed",
    { ...after, overdueMilliseconds: Math.max(0, after.overdueMilliseconds) },
    {
      topic,
      waiting: before.waiting + 1,
      deadLettered: before.deadLettered + 1,
      overdueMilliseconds: 0,
    },
  );
  const { waiting: others, deadLettered: dead } = yield* of("send_payment");
  yield* expectSame("the depth of another topic", [others, dead], [payments.waiting, payments.deadLettered]);
  // The effect that runs after every law completes available messages only.
  if (first !== undefined) yield* outbox.requeue([first.id]);
});

export const outbox: ReadonlyArray<Law> = [
  ...claimLaws,
  law("Removes a message that is done.", "completing it again changes nothing", withEmptyOutbox(completions)),
  law(
    "Releases a message as it was, available at once and in its old position.",
    "two messages keep their order",
    withEmptyOutbox(releases),
  ),
  law(
    "Releases a message, to be claimed again after a delay; its lost leases are counted from 0 again.",
    "with failures and a problem",
    withEmptyOutbox(postponements),
  ),
  law(
    "Makes the parked messages of the topics available.",
    "by topic, or when their delay ends",
    withEmptyOutbox(parking),
  ),
  law(
    "Dead-letters a message; it stays for operators and is not claimed again unless one requeues it.",
    "until it is re-queued",
    withEmptyOutbox(deadLetters),
  ),
  law(
    "Messages that are dead or parked, have failed or lost a lease, after an id (null: from the first), ordered by id.",
    "dead, parked, failed and with a lost lease",
    withEmptyOutbox(operatorList),
  ),
  law(REQUEUE, "dead, parked, failed and with a lost lease", withEmptyOutbox(requeueing)),
  law(
    "For each topic of which there are messages: those waiting, those dead-lettered, and how long the oldest has been due.",
    "before and after completing and dead-lettering",
    withEmptyOutbox(depths),
  ),
];
