/** A clock that stands still until it is set, forward or back; sleeping takes no time unless told otherwise. */
import { Clock, Duration, Effect } from "effect";

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
/** No command pauses as long as this: whatever sleeps longer is a time limit or a heartbeat, and neither is reached. */
const TIME_LIMIT = Duration.seconds(2);

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
    sleep: (duration) =>
      Duration.greaterThanOrEqualTo(duration, TIME_LIMIT) ? Effect.never : clock.pause(duration),
  };
  return clock;
};
