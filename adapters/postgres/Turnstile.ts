/** Lets only so many of a kind run at once; the others wait in the order in which they came. */
import { Effect } from "effect";

/** What lets some run. */
export interface Options<Problem> {
  /** Those that run at once at most; at least 1. */
  readonly most: number;
  readonly waitMillisecondsMax: number;
  /** What one fails with that has waited too long. It has not begun. */
  readonly tired: () => Problem;
}

/** A limit that nobody has come up against yet. */
export const make = <Problem>({
  most,
  waitMillisecondsMax,
  tired,
}: Options<Problem>): (<A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | Problem>) => {
  const waiting: Array<() => void> = [];
  let running = 0;

  const enter = Effect.async<void, Problem>((resume) => {
    if (running < most) {
      running += 1;
      resume(Effect.void);
      return;
    }
    const begin = (): void => {
      clearTimeout(timer);
      resume(Effect.void);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(begin), 1);
      resume(Effect.fail(tired()));
    }, waitMillisecondsMax);
    waiting.push(begin);
  });

  const leave = Effect.sync(() => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  });

  return (effect) =>
    // Entering is not interrupted: who is let in also leaves.
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(enter, () => Effect.ensuring(restore(effect), leave)),
    );
};
