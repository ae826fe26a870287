/** Runs the server: wires store, engine and HTTP, says where it listens, and stops without breaking what runs. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Effect, Layer, Redacted } from "effect";
import { ApiKeys, IdSource, Quittance, Storage, Tracing, Worker, WorkerSettings } from "quittance";
import * as Http from "quittance/http";
import * as Pdf from "quittance/pdf";
import * as DevelopmentKey from "./DevelopmentKey.ts";
import * as Log from "./Log.ts";
import * as NodeDigest from "./NodeDigest.ts";
import type { Settings } from "./Settings.ts";
import * as Store from "./Store.ts";

/** How long running requests may go on after the signal to stop. */
const GRACE_MILLISECONDS = 10_000;

const engine = (settings: Settings) => {
  const admin = settings.adminToken === null ? null : Redacted.make(settings.adminToken);
  const { documents, uploadBytesMax } = settings;
  const { sendTimeoutMilliseconds, renderTimeoutMilliseconds, idempotencyMilliseconds } = settings;
  const limits = { sendTimeoutMilliseconds, renderTimeoutMilliseconds, idempotencyMilliseconds };
  const work = { ...WorkerSettings.DEFAULT, ...limits };
  const services = Layer.mergeAll(Quittance.layer({ documents, uploadBytesMax }), IdSource.layer);
  const verifier = Layer.provide(ApiKeys.layerVerifier, Layer.succeed(ApiKeys.AdminToken, admin));
  return Layer.mergeAll(services, verifier, NodeDigest.layer).pipe(
    Layer.provide([
      Pdf.layer,
      NodeDigest.layer,
      Layer.succeed(Tracing.Tracing, settings.tracing !== null),
      Layer.succeed(WorkerSettings.WorkerSettings, work),
    ]),
    Layer.provideMerge(Store.layer(settings.database)),
  );
};

/** Stops accepting, lets running requests end, and after the grace breaks off what is left. */
const close = (server: Server): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MILLISECONDS);
    server.close(() => {
      clearTimeout(timer);
      resume(Effect.void);
    });
    server.closeIdleConnections();
  });

/** The address cannot be listened on: taken, foreign or forbidden. */
const listen = (
  server: Server,
  { host, port }: Settings,
): Effect.Effect<AddressInfo, NodeJS.ErrnoException> =>
  Effect.async((resume) => {
    server.once("error", (error) => resume(Effect.fail(error)));
    server.listen(port, host, () => resume(Effect.succeed(server.address() as AddressInfo)));
  });

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;

const print = (line: string): Effect.Effect<void> => Effect.sync(() => process.stdout.write(`${line}\n`));

const welcome = ({ database, adminToken }: Settings, port: number) =>
  Effect.gen(function* () {
    if (database.type === "postgres" || adminToken !== null) return;
    const store = database.type === "memory" ? { ...database, port } : database;
    for (const line of yield* DevelopmentKey.ensure(store)) yield* print(line);
  });

/** What of the interface is served, to whom, and how much. */
const served = (settings: Settings): Omit<Http.ServerOptions, "ready" | "measure"> => {
  const { paymentSecrets, rateLimit, corsOrigins, jsonBytesMax, uploadBytesMax, tracing } = settings;
  const { bodyMemoryBytesMax, connectionsMax } = settings;
  return {
    paymentWebhookSecrets: paymentSecrets,
    ...(rateLimit === null ? {} : { rateLimit }),
    corsOrigins,
    sizes: { jsonBytesMax, uploadBytesMax },
    bodyMemoryBytesMax,
    connectionsMax,
    tracing: tracing !== null,
  };
};

/** Spans are sent where the settings say so; what sends them is loaded only then. */
const spans = ({ tracing }: Settings): Layer.Layer<never> =>
  tracing === null
    ? Layer.empty
    : Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("./Otlp.ts")),
          (otlp) => otlp.layer(tracing),
        ),
      );

/** Serves until interrupted. Fails when the store cannot be used or the address cannot be listened on. */
export const serve = (
  settings: Settings,
): Effect.Effect<never, Storage.StorageError | NodeJS.ErrnoException> =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const runtime = yield* Effect.runtime<Http.Services>();
    const worker = yield* Worker.Worker;
    if (settings.worker) yield* Effect.forkScoped(worker.run);
    const server = Http.nodeServer(runtime, {
      ready: storage.ready,
      measure: worker.measure,
      ...served(settings),
    });
    const address = yield* Effect.acquireRelease(listen(server, settings), () => close(server));
    // Only a server that does listen makes a key; it says that it is ready when the key works.
    yield* welcome(settings, address.port);
    yield* print(`listening on ${urlOf(address)}`);
    return yield* Effect.never;
  }).pipe(
    Effect.scoped,
    Effect.provide(engine(settings)),
    Effect.provide(spans(settings)),
    Effect.provide(Log.layer(settings)),
  );
