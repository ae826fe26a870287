/** Runs effects of one key one after the other, in the order in which they ask. */
import { Deferred, Effect, FiberId } from "effect";

/**
 * Serializes by key, within this process; effects of different keys do not wait for each other. An effect waits at most so
 * long for the one before it, so that one that hangs holds up none of the others for longer. One that is interrupted while
 * it waits lets none pass that waits behind it.
 */
export const make = (
  patienceMilliseconds: number,
): (<A, E, R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  /** By key, the end of its last effect. */
  const ends = new Map<string, Deferred.Deferred<void>>();
  return (key, effect) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const before = ends.get(key);
        const end = Deferred.unsafeMake<void>(FiberId.none);
        ends.set(key, end);
        return { before, end, hasBegun: before === undefined };
      }),
      (turn) =>
        turn.before === undefined
          ? effect
          : Effect.timeoutOption(Deferred.await(turn.before), patienceMilliseconds).pipe(
              Effect.zipRight(
                Effect.suspend(() => {
                  turn.hasBegun = true;
                  return effect;
                }),
              ),
            ),
      ({ before, end, hasBegun }) => {
        const finish = Effect.sync(() => {
          if (ends.get(key) === end) ends.delete(key);
          Deferred.unsafeDone(end, Effect.void);
        });
        return hasBegun || before === undefined
          ? finish
          : Effect.forkDaemon(Effect.zipRight(Deferred.await(before), finish));
      },
    );
};
