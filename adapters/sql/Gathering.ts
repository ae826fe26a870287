/** One call for many: who asks while a call is under way is served, with all who asked meanwhile, by the next one. */
import { Deferred, Effect, Exit, Fiber, FiberId } from "effect";

/** Who has waited this long for the call before is served beside it: that one may be held up by a lock. */
const PATIENCE = "100 millis";

/** What calls have in common. */
export interface Call<Key, Asked, Answer, Problem> {
  /** Those served at once at most. */
  readonly most: number;
  /** Answers in the order of what is asked, of which there is at least one, all of one key. Never interrupted. */
  readonly serve: (
    key: Key,
    asked: ReadonlyArray<Asked>,
  ) => Effect.Effect<ReadonlyArray<Exit.Exit<Answer, Problem>>, Problem>;
}

interface Waiting<Asked, Answer, Problem> {
  readonly asked: Asked;
  readonly answered: Deferred.Deferred<Answer, Problem>;
}

/**
 * Asks through calls that are begun after it was asked. Nobody waits when no call of the key is under way; what is asked
 * under one key is never served with that of another.
 */
export const make = <Key, Asked, Answer, Problem>({
  most,
  serve,
}: Call<Key, Asked, Answer, Problem>): ((key: Key, asked: Asked) => Effect.Effect<Answer, Problem>) => {
  /** Those who wait, by key; a key is there while a call of it is under way. */
  const lanes = new Map<Key, Array<Waiting<Asked, Answer, Problem>>>();

  const call = (key: Key, round: ReadonlyArray<Waiting<Asked, Answer, Problem>>): Effect.Effect<void> => {
    const asked = round.map((one) => one.asked);
    return Effect.map(Effect.exit(Effect.suspend(() => serve(key, asked))), (exit) => {
      for (const [index, { answered }] of round.entries()) {
        const own = Exit.isFailure(exit) ? Exit.failCause(exit.cause) : exit.value[index];
        Deferred.unsafeDone(answered, own ?? Exit.die(new Error("a call left one who asked unanswered")));
      }
    });
  };

  const calls = (key: Key): Effect.Effect<void> =>
    Effect.suspend(() => {
      const waiting = lanes.get(key) ?? [];
      if (waiting.length === 0) {
        lanes.delete(key);
        return Effect.void;
      }
      return Effect.forkDaemon(call(key, waiting.splice(0, most))).pipe(
        Effect.flatMap((fiber) => Effect.timeoutOption(Fiber.await(fiber), PATIENCE)),
        Effect.zipRight(calls(key)),
      );
    });

  // Nobody's interruption leaves the others without an answer: a call is begun by whoever makes a lane, and on its own.
  return (key, asked) =>
    Effect.uninterruptibleMask((restore) => {
      const answered = Deferred.unsafeMake<Answer, Problem>(FiberId.none);
      const waiting = lanes.get(key);
      if (waiting !== undefined) {
        waiting.push({ asked, answered });
        return restore(Deferred.await(answered));
      }
      lanes.set(key, [{ asked, answered }]);
      return Effect.zipRight(
        Effect.forkDaemon(Effect.interruptible(calls(key))),
        restore(Deferred.await(answered)),
      );
    });
};
