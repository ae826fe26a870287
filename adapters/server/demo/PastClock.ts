/** A clock that shows a chosen time, so that a history can be written in its own order. Sleeping takes real time. */
import { Clock, Effect } from "effect";

export interface PastClock {
  readonly set: (milliseconds: number) => void;
  /** Runs an effect that reads this clock. */
  readonly during: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
}

export const make = (): PastClock => {
  const real = Clock.make();
  let shown = Date.now();
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    sleep: (duration) => real.sleep(duration),
    unsafeCurrentTimeMillis: () => shown,
    unsafeCurrentTimeNanos: () => BigInt(shown) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => shown),
    currentTimeNanos: Effect.sync(() => BigInt(shown) * 1_000_000n),
  };
  return {
    set: (milliseconds) => {
      shown = milliseconds;
    },
    during: (effect) => Effect.withClock(effect, clock),
  };
};
