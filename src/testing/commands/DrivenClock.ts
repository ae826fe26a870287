/** A clock that stands still until it is set, forward or back; sleeping takes no time unless told otherwise. */
import { Clock, type Duration, Effect } from "effect";

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** A clock in the hands of a test. */
export interface DrivenClock extends Clock.Clock {
  now: number;
  /** What a sleeping command waits for; nothing by default. */
  pause: (duration: Duration.Duration) => Effect.Effect<void>;
}

/** A clock that stands at a moment. */
export const make = (start: number): DrivenClock => {
  const clock: DrivenClock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    now: start,
    pause: () => Effect.void,
    unsafeCurrentTimeMillis: () => clock.now,
    unsafeCurrentTimeNanos: () => BigInt(clock.now) * NANOSECONDS_PER_MILLISECOND,
    currentTimeMillis: Effect.sync(() => clock.now),
    currentTimeNanos: Effect.sync(() => BigInt(clock.now) * NANOSECONDS_PER_MILLISECOND),
    sleep: (duration) => clock.pause(duration),
  };
  return clock;
};
