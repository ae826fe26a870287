/** What laws of the outbox share: messages sent and claimed, and an outbox without other available messages. */
import { Clock, Effect } from "effect";
import { type Claim, type Claimed, type ClaimQuery, Outbox } from "../../../ports/Outbox.ts";
import type { Message, Topic } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, LawBroken } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

export const ALL: ReadonlyArray<Topic> = [
  "make_report",
  "make_invoice",
  "make_credit_note",
  "send_payment",
  "recompute",
];
export const PLENTY = 100_000;
/** Longer than any law takes. */
export const LONG = Build.DAY;
/** What laws wait for. */
export const SHORT = 250;
export const PATIENCE = 10_000;
export const PAUSE = 20;

export const claim = (query: Partial<ClaimQuery> = {}) =>
  Effect.flatMap(Outbox, (outbox) =>
    outbox.claim({ topics: ALL, limit: PLENTY, leaseMilliseconds: LONG, ...query }),
  );

export const idsOf = (messages: ReadonlyArray<Claim>): ReadonlyArray<string> => messages.map(({ id }) => id);

/** Claims again and again until there is something; tells how long after a moment that was. */
export const claimInTime = (since: number, query: Partial<ClaimQuery> = {}) =>
  Effect.gen(function* () {
    for (let tries = 0; tries * PAUSE < PATIENCE; tries++) {
      const found = yield* claim(query);
      if (found.length > 0) return { found, elapsed: (yield* Clock.currentTimeMillis) - since };
      yield* Effect.sleep(PAUSE);
    }
    return yield* new LawBroken({ message: "a message that is due is not claimed" });
  });

/** Passes when something becomes available, and no earlier than so long after a moment. */
export const expectLater = (what: string, since: number, delay: number) =>
  Effect.gen(function* () {
    const { found, elapsed } = yield* claimInTime(since);
    yield* expect(elapsed >= delay, `${what}: after ${elapsed} ms, ${delay} were due`);
    return found;
  });

/** Stores messages in one commit each, so that each has been available longer than the next. */
export const send = (...given: ReadonlyArray<Partial<Message>>) =>
  Effect.forEach(given, (part) =>
    Effect.gen(function* () {
      const message = Build.message(Build.fresh.customer(), Build.fresh.settlement(), part);
      yield* Scene.commit(message.customerId, [], { outbox: [message] });
      yield* Effect.sleep(3);
      return message;
    }),
  );

/** Sends one message and claims it. */
export const sendAndClaim = (query: Partial<ClaimQuery> = {}, part: Partial<Message> = {}) =>
  Effect.gen(function* () {
    const [message] = yield* send(part);
    const [claimed] = yield* claim(query);
    if (message === undefined || claimed?.id !== message.id) return yield* Effect.die("it was sent");
    return claimed;
  });

export const asClaimed = (
  { delayMilliseconds: _, ...message }: Message,
  counts: Partial<Claimed> = {},
): Claimed => ({
  ...message,
  claim: 1,
  failures: 0,
  lostLeases: 0,
  ...counts,
});

export const drain = Effect.gen(function* () {
  const outbox = yield* Outbox;
  yield* outbox.unpark(ALL);
  yield* Effect.forEach(yield* claim(), outbox.complete, { discard: true });
});

/** Runs a law on an outbox without messages that are available, and leaves none of its own. */
export const emptied = <A, E, R>(check: Effect.Effect<A, E, R>) =>
  Effect.zipRight(drain, Effect.zipRight(check, drain));
