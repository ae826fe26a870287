/** The engine inside this process, over a store that crashed servers left, with a clock that leases cannot outlast. */
import { Clock, Duration, Effect, Layer } from "effect";
import { Documents, Quittance, type Storage, Worker } from "quittance";
import type { Ports } from "quittance/testing";

/** Longer than any lease or pause between tries. */
const HOURS_MILLISECONDS = Duration.toMillis("3 hours");

/** The clock of this machine some time later, so that what waits for a dead worker's lease is free. */
const later = (clock: Clock.Clock, milliseconds: number): Clock.Clock => {
  const nanoseconds = BigInt(milliseconds) * 1_000_000n;
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + milliseconds,
    unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos() + nanoseconds,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + milliseconds),
    currentTimeNanos: Effect.map(clock.currentTimeNanos, (now) => now + nanoseconds),
    sleep: clock.sleep,
  };
};

/** Runs an effect as if it were so much later than it is. */
export const ahead =
  (milliseconds: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => Effect.withClock(effect, later(clock, milliseconds)));

/** Documents in words: what is left after a crash is about which are made, not about how they look. */
const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: ({ kind, number, settlement }) =>
    Effect.succeed({
      bytes: new TextEncoder().encode(`${kind} ${number} of ${settlement.id}`),
      extension: "txt",
    }),
});

/** Runs an effect of the engine over a store, hours later than it is; with a provider, if one is given. */
export const hoursLater = <A, E>(
  effect: Effect.Effect<A, E, Quittance.Services | Ports>,
  provider: Layer.Layer<never> = Layer.empty,
): Effect.Effect<A, E | Storage.StorageFailed, Ports> =>
  effect.pipe(
    Effect.provide(Layer.provide(Quittance.layer({ documents: "auto" }), Layer.merge(renderer, provider))),
    ahead(HOURS_MILLISECONDS),
  );

/** Does all the work that the outbox holds, payments with the given provider; answers how many messages that were. */
export const drainWith = (
  provider: Layer.Layer<never>,
): Effect.Effect<number, Storage.StorageFailed, Ports> =>
  hoursLater(
    Effect.flatMap(Worker.Worker, ({ settle }) => settle),
    provider,
  );

/** Does all the work that the outbox holds; answers how many messages that were. */
export const drain = drainWith(Layer.empty);
