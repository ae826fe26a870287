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
  "roll_out",
  "deliver_webhooks",
  "send_mail",
  "settlement_run",
  "plan_trial",
  "recredit_run",
  "seal_period",
];
export const LIMIT_ALL = 100_000;
/** Longer than any law runs. */
export const LONG = Build.DAY;
/** A delay short enough for a law to wait for. */
export const SHORT = 250;
const WAIT_MAX = 10_000;
const PAUSE = 20;

export const claim = (query: Partial<ClaimQuery> = {}) =>
  Effect.flatMap(Outbox, (outbox) =>
    outbox.claim({ topics: ALL, limit: LIMIT_ALL, leaseMilliseconds: LONG, ...query }),
  );

export const idsOf = (messages: ReadonlyArray<Claim>): ReadonlyArray<string> => messages.map(({ id }) => id);

/** Claims until some message is available; returns the messages and the milliseconds since a moment. */
export const claimInTime = (since: number, query: Partial<ClaimQuery> = {}) =>
  Effect.gen(function* () {
    for (let tries = 0; tries * PAUSE < WAIT_MAX; tries++) {
      const found = yield* claim(query);
      if (found.length > 0) return { found, elapsed: (yield* Clock.currentTimeMillis) - since };
      yield* Effect.sleep(PAUSE);
    }
    return yield* new LawBroken({ message: "an available message was not claimed" });
  });

/** Passes when a message becomes available, and no earlier than `delay` milliseconds after a moment. */
export const expectLater = (what: string, since: number, delay: number) =>
  Effect.gen(function* () {
    const { found, elapsed } = yield* claimInTime(since);
    yield* expect(elapsed >= delay, `${what}: available after ${elapsed} ms, expected at least ${delay} ms`);
    return found;
  });

/** Stores each message by a commit of its own, so that each has been available longer than the next. */
export const send = <Given extends ReadonlyArray<Partial<Message>>>(...messages: Given) =>
  Effect.map(
    Effect.forEach(messages, (part) =>
      Effect.gen(function* () {
        const message = Build.message(Build.fresh.customer(), Build.fresh.settlement(), part);
        yield* Scene.commit(message.customerId, [], { outbox: [message] });
        yield* Effect.sleep(3);
        return message;
      }),
    ),
    (sent) => sent as ReadonlyArray<Message> as { readonly [Index in keyof Given]: Message },
  );

/** Sends one message and claims it. */
export const sendAndClaim = (query: Partial<ClaimQuery> = {}, part: Partial<Message> = {}) =>
  Effect.gen(function* () {
    const [message] = yield* send(part);
    const [claimed] = yield* claim(query);
    if (claimed?.id !== message.id) return yield* Effect.die("the message was sent");
    return claimed;
  });

export const expectedClaim = (
  { delayMilliseconds: _, ...message }: Message,
  counts: Partial<Claimed> = {},
): Claimed => ({
  ...message,
  claim: 1,
  failures: 0,
  lostLeases: 0,
  ...counts,
});

const completeAll = Effect.gen(function* () {
  const outbox = yield* Outbox;
  yield* outbox.unpark(ALL);
  yield* Effect.forEach(yield* claim(), outbox.complete, { discard: true });
});

/** Runs a law on an outbox without available messages, and completes the law's own messages afterwards. */
export const withEmptyOutbox = <A, E, R>(check: Effect.Effect<A, E, R>) =>
  Effect.zipRight(completeAll, Effect.zipRight(check, completeAll));
