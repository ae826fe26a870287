/** Limits how many effects run at once; the others wait in order of arrival. */
import { Effect } from "effect";

/** The limit. */
interface Options<Problem> {
  /** The most effects that run at once; at least 1. */
  readonly concurrencyMax: number;
  readonly waitMillisecondsMax: number;
  /** The error of an effect that has waited too long. It has not begun. */
  readonly timeout: () => Problem;
}

/** A function that runs effects under a limit of its own. */
export const make = <Problem>({
  concurrencyMax,
  waitMillisecondsMax,
  timeout,
}: Options<Problem>): (<A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | Problem>) => {
  const waiting: Array<() => void> = [];
  let running = 0;

  const enter = Effect.async<void, Problem>((resume) => {
    if (running < concurrencyMax) {
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
      resume(Effect.fail(timeout()));
    }, waitMillisecondsMax);
    waiting.push(begin);
  });

  const leave = Effect.sync(() => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  });

  return (effect) =>
    // Entering is not interrupted, so that an effect that enters also leaves.
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(enter, () => Effect.ensuring(restore(effect), leave)),
    );
};
