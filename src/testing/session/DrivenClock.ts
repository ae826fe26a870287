/** A clock that does not move until a test sets it, forward or back; sleeping takes no time by default. */
import { Clock, Duration, Effect } from "effect";

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
/** No command pauses this long. Longer sleeps are time limits and heartbeats, which never elapse here. */
const TIME_LIMIT = Duration.seconds(2);

/** A clock that a test sets. */
export interface DrivenClock extends Clock.Clock {
  now: number;
  /** What a sleeping command waits for; nothing by default. */
  pause: (duration: Duration.Duration) => Effect.Effect<void>;
}

/** A clock set to a moment. */
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
