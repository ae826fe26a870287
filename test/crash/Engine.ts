/** The engine inside this process, over a store that crashed servers left. */
import { Effect, Layer } from "effect";
import { Documents, Outbox, Quittance, type Storage, Worker, WorkerSettings } from "quittance";
import type { Ports } from "quittance/testing";

/** How long the leases of dead workers and the pauses between tries are waited for, and how often they are looked at. */
const PATIENCE_MILLISECONDS = 150_000;
const PAUSE_MILLISECONDS = 100;

/** Lets the next process take over soon what the last one had claimed. */
export const shortLeases = Layer.succeed(WorkerSettings.WorkerSettings, {
  ...WorkerSettings.DEFAULT,
  leaseMilliseconds: 1_500,
});

/** Documents in words: what is left after a crash is about which are made, not about how they look. */
const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: ({ kind, number, settlement }) =>
    Effect.succeed({
      bytes: new TextEncoder().encode(`${kind} ${number} of ${settlement.id}`),
      extension: "txt",
    }),
});

/** Runs an effect of the engine over a store; with a provider, if one is given. */
export const engineOver = <A, E>(
  effect: Effect.Effect<A, E, Quittance.Services | Ports>,
  provider: Layer.Layer<never> = Layer.empty,
): Effect.Effect<A, E | Storage.StorageError, Ports> =>
  Effect.provide(
    effect,
    Layer.provide(Quittance.layer({ documents: "auto" }), Layer.merge(renderer, provider)),
  );

/** Does what is available until nothing waits, or for as long as leases and pauses last at most. */
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

/** Does all the work that the outbox holds, payments with the given provider; answers how many messages that were. */
export const drainWith = (provider: Layer.Layer<never>): Effect.Effect<number, Storage.StorageError, Ports> =>
  engineOver(settleAll, provider);

/** Does all the work that the outbox holds; answers how many messages that were. */
export const drain = drainWith(Layer.empty);
