/** A clock that shows a chosen time, so that a history can be written in its own order. Sleeping takes real time. */
import { Clock, Effect } from "effect";

export interface PastClock {
  readonly set: (milliseconds: number) => void;
  /** Runs an effect that reads this clock. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
}

/** A clock that shows a time until it is set to another. */
export const make = (time: number): PastClock => {
  const real = Clock.make();
  let now = time;
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    sleep: (duration) => real.sleep(duration),
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
  };
  return {
    set: (milliseconds) => {
      now = milliseconds;
    },
    run: (effect) => Effect.withClock(effect, clock),
  };
};
