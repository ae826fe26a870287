/** Runs the server: connects store, engine and HTTP, prints the address, and lets running requests finish when it stops. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Effect, Layer } from "effect";
import { ApiKeys, type Directory, type Ids, Sessions, Storage, TokenVerifier, Worker } from "quittance";
import * as Http from "quittance/http";
import { consoleFiles } from "./Console.ts";
import * as DevelopmentKey from "./DevelopmentKey.ts";
import { engine, webhooks } from "./Engine.ts";
import * as Example from "./example/Example.ts";
import { routes as exampleRoutes } from "./example/Routes.ts";
import * as Log from "./Log.ts";
import { print } from "./Output.ts";
import * as ProcessMetrics from "./ProcessMetrics.ts";
import type { Settings } from "./Settings.ts";
import * as Store from "./Store.ts";
import * as browserSessions from "./signIn/BrowserSessions.ts";
import { sessionCookie } from "./signIn/SessionCookies.ts";
import { version } from "./Version.ts";

/** How long running requests may continue after the signal to stop. */
const GRACE_MILLISECONDS = 10_000;

const SIMULATED = "payouts are simulated: no money is paid";

const NO_MAIL =
  "no mail is sent: partners are not told when another account is stated for them (QUITTANCE_MAIL is not set)";

/** Stops accepting connections, waits for running requests, and closes their connections after the grace period. */
const close = (server: Server): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MILLISECONDS);
    server.close(() => {
      clearTimeout(timer);
      resume(Effect.void);
    });
    server.closeIdleConnections();
  });

/** Listens on the address. Fails when it is in use, is not of this machine, or needs a permission. */
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

/** Fills a store that was empty with the example company; the module for this is loaded only then. */
const fill = (customerId: Ids.CustomerId) =>
  Effect.gen(function* () {
    yield* print("filling the store with an example company; this takes some seconds");
    const demo = yield* Effect.promise(() => import("./demo/Demo.ts"));
    return yield* Store.flushAtEnd(Effect.orDie(demo.fill(customerId)));
  });

const welcome = ({ database, adminToken }: Settings, port: number, url: string, isDemo: boolean) =>
  Effect.gen(function* () {
    if (database.type === "postgres" || (adminToken !== null && !isDemo)) return;
    const store = database.type === "memory" ? { ...database, port } : database;
    const developmentKey = yield* DevelopmentKey.ensure(store);
    if (isDemo && developmentKey.customerId === null)
      yield* print("--demo: the store is not empty, so nothing was added");
    const more = isDemo && developmentKey.customerId !== null ? yield* fill(developmentKey.customerId) : [];
    for (const line of [...developmentKey.lines, ...more]) yield* print(line);
    if (isDemo) yield* print(`paste the development key at ${url}/console`);
  });

/** The routes of sessions in browsers, and of signing in, whose library is loaded only where people sign in. */
const sessionRoutes = ({ signIn, publicUrl }: Settings) =>
  Effect.gen(function* () {
    if (publicUrl === null) return [];
    const services = {
      sessions: yield* Sessions.Sessions,
      apiKeys: yield* ApiKeys.ApiKeys,
      verifier: yield* TokenVerifier.TokenVerifier,
      context: yield* Effect.context<Directory.Directory | Storage.Storage>(),
    };
    const sessions = browserSessions.routes(publicUrl, services);
    if (signIn === null) return sessions;
    const { routes } = yield* Effect.promise(() => import("./signIn/SignIn.ts"));
    return [...routes(signIn, services), ...sessions];
  });

/** The routes that are not of the interface, and who handles the requests to the example company. */
const ownRoutes = (settings: Settings) =>
  Effect.gen(function* () {
    const routes = yield* sessionRoutes(settings);
    const cookie = settings.publicUrl === null ? null : sessionCookie(settings.publicUrl);
    const withCookie = cookie === null ? {} : { sessionCookie: cookie };
    if (!Example.isOffered(settings)) return { ...withCookie, routes };
    const example = yield* Example.make(settings);
    return {
      ...withCookie,
      routes: [...routes, ...(yield* exampleRoutes(example, cookie))],
      elsewhere: example.elsewhere,
    };
  });

/** The options of the HTTP server, from the settings. */
const serverOptions = (settings: Settings): Omit<Http.ServerOptions, "ready" | "measure"> => {
  const { paymentSecrets, rateLimit, corsOrigins, jsonBytesMax, uploadBytesMax, tracing } = settings;
  const { responseMillisecondsMax, bodyMemoryBytesMax, connectionsMax } = settings;
  return {
    responseMillisecondsMax,
    paymentWebhookSecrets: paymentSecrets,
    ...(rateLimit === null ? {} : { rateLimit }),
    corsOrigins,
    sizes: { jsonBytesMax, uploadBytesMax },
    bodyMemoryBytesMax,
    connectionsMax,
    files: settings.console
      ? consoleFiles({ ...settings, example: Example.isOffered(settings) ? "offered" : null })
      : [],
    tracing: tracing !== null,
  };
};

/** Spans are sent if a collector is configured; the exporter is loaded only then. */
const spans = ({ tracing }: Settings): Layer.Layer<never> =>
  tracing === null
    ? Layer.empty
    : Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("./Otlp.ts")),
          (otlp) => otlp.layer(tracing),
        ),
      );

/** The store of the settings; one that is filled with the example company has its client beside it. */
const storeOf = (settings: Settings, isDemo: boolean): Layer.Layer<Store.Ports, Storage.StorageError> => {
  const { database, connections, statementTimeoutMilliseconds, prepare } = settings;
  return isDemo && database.type === "pglite"
    ? Store.layerWithClient(database)
    : Store.layer(database, { maxConnections: connections, statementTimeoutMilliseconds, prepare });
};

/** The store of the settings, without user and password. */
const storeName = ({ database }: Settings): string => {
  if (database.type !== "postgres")
    return database.type === "memory" ? "memory" : `pglite ${database.folder}`;
  const { host, pathname } = new URL(database.url);
  return `postgres ${host}${pathname}`;
};

/** Logs the start with the important settings, so that the log shows how a server is configured. */
const logStart = (settings: Settings, url: string): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logInfo("started"), {
    version: version(),
    node: process.version,
    pid: process.pid,
    url,
    store: storeName(settings),
    worker: settings.worker ? "on" : "off",
    documents: settings.documents,
    payouts: settings.payouts.type,
    mail: settings.mail?.type ?? "off",
  });

/** What differs where several processes share the port. */
export interface Host {
  /** Reports that the server is ready at an address. */
  readonly announce: (url: string) => Effect.Effect<void>;
  /** Turns the metrics of this process into the response of `/metrics`. */
  readonly metrics?: (text: string) => Effect.Effect<string>;
}

/** A server by itself: it prints the address. */
const ALONE: Host = { announce: (url) => print(`listening on ${url}`) };

/** Serves until interrupted. Fails when the store cannot be used or the address cannot be listened on. */
export const serve = (
  settings: Settings,
  { announce, ...host }: Host = ALONE,
  isDemo = false,
): Effect.Effect<never, Storage.StorageError | NodeJS.ErrnoException> =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const runtime = yield* Effect.runtime<Http.Services>();
    const worker = yield* Worker.Worker;
    const server = Http.nodeServer(runtime, {
      ready: storage.ready,
      measure: Effect.zipRight(worker.measure, ProcessMetrics.measure),
      ...serverOptions(settings),
      ...(yield* ownRoutes(settings)),
      ...host,
    });
    const address = yield* Effect.acquireRelease(listen(server, settings), () => close(server));
    // Only a server that listens creates a key; it reports that it is ready when the key works.
    yield* welcome(settings, address.port, urlOf(address), isDemo);
    // The history of an example is written before, because the worker would date its documents today.
    if (settings.worker) yield* Effect.forkScoped(worker.run);
    yield* logStart(settings, urlOf(address));
    for (const name of settings.unknownVariables)
      yield* Effect.logWarning(`${name} is not a setting of this version and has no effect`);
    if (settings.payouts.type === "simulated") {
      yield* Effect.logWarning(SIMULATED);
      yield* print(SIMULATED);
    }
    if (settings.mail === null) yield* Effect.logInfo(NO_MAIL);
    yield* announce(urlOf(address));
    return yield* Effect.never;
  }).pipe(
    Effect.scoped,
    Effect.provide(engine(settings, storeOf(settings, isDemo), webhooks)),
    (server) => Effect.zipRight(Store.announceNew(settings.database), server),
    Effect.provide(spans(settings)),
    Effect.provide(Log.layer(settings)),
  );
