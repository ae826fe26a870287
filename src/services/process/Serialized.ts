/** Runs effects of one key one after the other, in the order in which they ask. */
import { Effect } from "effect";

/** What is known of a key while anything of it runs or waits. */
interface Turn {
  readonly semaphore: Effect.Semaphore;
  users: number;
}

/** Serializes by key, within this process; effects of different keys do not wait for each other. */
export const make = (): (<A, E, R>(
  key: string,
  effect: Effect.Effect<A, E, R>,
) => Effect.Effect<A, E, R>) => {
  const turns = new Map<string, Turn>();
  return (key, effect) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const turn = turns.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 };
        turns.set(key, turn);
        turn.users += 1;
        return turn;
      }),
      ({ semaphore }) => semaphore.withPermits(1)(effect),
      (turn) =>
        Effect.sync(() => {
          turn.users -= 1;
          if (turn.users === 0) turns.delete(key);
        }),
    );
};
