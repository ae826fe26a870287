/** The engine inside this process, over a store that crashed servers left, with a clock that leases cannot outlast. */
import { Clock, Duration, Effect, Layer } from "effect";
import { Quittance, type Storage, Worker } from "quittance";
import * as Pdf from "quittance/pdf";
import type { Ports } from "quittance/testing";

/** Longer than any lease or pause between tries. */
const AHEAD_MILLISECONDS = Duration.toMillis("3 hours");

/** The clock of this machine some hours later, so that what waits for a dead worker's lease is free. */
const later = (clock: Clock.Clock): Clock.Clock => ({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + AHEAD_MILLISECONDS,
  unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos() + BigInt(AHEAD_MILLISECONDS) * 1_000_000n,
  currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + AHEAD_MILLISECONDS),
  currentTimeNanos: Effect.map(
    clock.currentTimeNanos,
    (now) => now + BigInt(AHEAD_MILLISECONDS) * 1_000_000n,
  ),
  sleep: clock.sleep,
});

/** Runs an effect of the engine over a store, hours later than it is. */
export const hoursLater = <A, E>(
  effect: Effect.Effect<A, E, Quittance.Services | Ports>,
): Effect.Effect<A, E | Storage.StorageFailed, Ports> =>
  Effect.clockWith((clock) =>
    effect.pipe(
      Effect.provide(Layer.provide(Quittance.layer({ documents: "auto" }), Pdf.layer)),
      Effect.withClock(later(clock)),
    ),
  );

/** Does all the work that the outbox holds; answers how many messages that were. */
export const drain: Effect.Effect<number, Storage.StorageFailed, Ports> = hoursLater(
  Effect.flatMap(Worker.Worker, ({ settle }) => settle),
);
