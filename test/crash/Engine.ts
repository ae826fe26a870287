/** Runs the engine in the test's own process, on a store whose servers were killed. */
import { Effect, Layer } from "effect";
import { Documents, Outbox, Quittance, type Storage, Worker, WorkerSettings } from "quittance";
import type { Ports } from "quittance/testing";

/** Longer than the leases of killed workers and the pauses between tries; and the interval between two looks at the outbox. */
const PATIENCE_MILLISECONDS = 150_000;
const PAUSE_MILLISECONDS = 100;

/** Short leases, so that the next process soon claims the messages of a killed one. */
export const shortLeases = Layer.succeed(WorkerSettings.WorkerSettings, {
  ...WorkerSettings.DEFAULT,
  leaseMilliseconds: 1_500,
});

/** Renders plain text: the audit compares which documents exist, not their appearance. */
const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: ({ kind, number, settlement }) =>
    Effect.succeed({
      bytes: new TextEncoder().encode(`${kind} ${number} of ${settlement.id}`),
      extension: "txt",
    }),
});

/** Provides the engine to an effect; the store remains to be provided. */
export const engineOver = <A, E>(
  effect: Effect.Effect<A, E, Quittance.Services | Ports>,
  provider: Layer.Layer<never> = Layer.empty,
): Effect.Effect<A, E | Storage.StorageError, Ports> =>
  Effect.provide(
    effect,
    Layer.provide(Quittance.layer({ documents: "auto" }), Layer.merge(renderer, provider)),
  );

/** Handles outbox messages until none waits or the time limit has passed; returns how many. */
const settleAll = Effect.gen(function* () {
  const worker = yield* Worker.Worker;
  const outbox = yield* Outbox.Outbox;
  let handled = 0;
  for (let waited = 0; waited < PATIENCE_MILLISECONDS; waited += PAUSE_MILLISECONDS) {
    handled += yield* worker.drain;
    if ((yield* outbox.depth).every(({ waiting }) => waiting === 0)) break;
    yield* Effect.sleep(PAUSE_MILLISECONDS);
  }
  return handled;
});

/** Handles every outbox message, payments with the given provider; returns the number of messages. */
export const drainWith = (provider: Layer.Layer<never>): Effect.Effect<number, Storage.StorageError, Ports> =>
  engineOver(settleAll, provider);

/** Handles every outbox message; returns the number of messages. */
export const drain = drainWith(Layer.empty);
