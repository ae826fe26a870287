/** Runs the server: connects store, engine and HTTP, prints the address, and lets running requests finish when it stops. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Effect, Layer, Redacted, Struct } from "effect";
import {
  ApiKeys,
  type Directory,
  IdSource,
  type Ids,
  Mailer,
  PaymentProvider,
  Quittance,
  Sessions,
  Storage,
  TokenVerifier,
  Tracing,
  Webhooks,
  Worker,
  WorkerSettings,
} from "quittance";
import * as Http from "quittance/http";
import { files, paymentService, sepaWith, simulated } from "quittance/payouts";
import * as Pdf from "quittance/pdf";
import { webhookSender } from "quittance/webhooks";
import { consoleFiles } from "./Console.ts";
import * as DevelopmentKey from "./DevelopmentKey.ts";
import * as Log from "./Log.ts";
import * as NodeDigest from "./NodeDigest.ts";
import { print } from "./Output.ts";
import * as ProcessMetrics from "./ProcessMetrics.ts";
import type { Settings } from "./Settings.ts";
import * as Store from "./Store.ts";
import * as browserSessions from "./signIn/BrowserSessions.ts";
import { sessionCookie } from "./signIn/SessionCookies.ts";
import { version } from "./Version.ts";

/** How long running requests may continue after the signal to stop. */
const GRACE_MILLISECONDS = 10_000;

/** The renderer of documents; it prefers the operator's own fonts. */
const renderer = ({ fonts }: Settings) => (fonts === null ? Pdf.layer : Pdf.layerWith(fonts));

/** API keys and the admin token, and the tokens of an identity provider where one is set. */
const verifier = ({ adminToken, jwt }: Settings) => {
  const admin = adminToken === null ? null : Redacted.make(adminToken);
  const keys = Layer.provide(ApiKeys.layerVerifier, Layer.succeed(ApiKeys.AdminToken, admin));
  return jwt === null
    ? keys
    : Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("quittance/jwt")),
          (Jwt) => Layer.provide(Jwt.layer(jwt), keys),
        ),
      );
};

/** The payment provider; null when settlements are paid outside the service. */
const payer = ({
  payouts,
  sendTimeoutMilliseconds,
}: Settings): PaymentProvider.PaymentProviderService | null => {
  switch (payouts.type) {
    case "manual":
      return null;
    case "files":
      return files(payouts);
    case "sepa":
      return sepaWith(payouts);
    case "simulated":
      return simulated();
    case "service":
      return paymentService({ ...payouts, timeoutMilliseconds: sendTimeoutMilliseconds });
  }
};

/** What sends mail; the library for that is loaded only where mail is set. */
const mailer = ({ mail }: Settings): Layer.Layer<never> =>
  mail === null
    ? Layer.empty
    : Layer.effect(
        Mailer.Mailer,
        Effect.map(
          Effect.promise(() => import("../mail/index.ts")),
          ({ folder, smtp }) =>
            mail.type === "smtp" ? smtp(mail.server, mail.from) : folder(mail.folder, mail.from),
        ),
      );

/** What precedes the key of an invitation in its link; null where the portal is not served or its address is not known. */
const invitationLink = ({ console: hasPages, publicUrl }: Settings): string | null =>
  hasPages && publicUrl !== null ? `${publicUrl}/portal/#/welcome/` : null;

const SIMULATED = "payouts are simulated: no money is paid";

const NO_MAIL =
  "no mail is sent: partners are not told when another account is stated for them (QUITTANCE_MAIL is not set)";

const workerSettings = (settings: Settings): WorkerSettings.Settings =>
  Struct.pick(
    settings,
    "concurrency",
    "leaseMilliseconds",
    "pollMilliseconds",
    "sendTimeoutMilliseconds",
    "renderTimeoutMilliseconds",
    "webhookTimeoutMilliseconds",
    "deliveryMilliseconds",
    "idempotencyMilliseconds",
  );

const engine = (settings: Settings, isDemo: boolean) => {
  const { documents, fourEyes, staleDrafts, payoutAccounts, paymentOverdueDays, retentionYears, feed } =
    settings;
  const { uploadBytesMax, uploadTypes, uploadsMax, uploadsBytesMax } = settings;
  const { connections, statementTimeoutMilliseconds, prepare } = settings;
  const uploads = { uploadBytesMax, uploadTypes, uploadsMax, uploadsBytesMax };
  const approvals = { fourEyes, staleDrafts, payoutAccounts };
  const policy = { documents, ...approvals, paymentOverdueDays, retentionYears, feed, ...uploads };
  const services = Layer.mergeAll(Quittance.layer(policy), IdSource.layer);
  const store = { maxConnections: connections, statementTimeoutMilliseconds, prepare };
  return Layer.mergeAll(services, verifier(settings), NodeDigest.layer).pipe(
    Layer.provide([
      renderer(settings),
      mailer(settings),
      Layer.succeed(Mailer.InvitationLink, invitationLink(settings)),
      NodeDigest.layer,
      Layer.sync(PaymentProvider.PaymentProvider, () => payer(settings)),
      Layer.sync(Webhooks.WebhookSender, () =>
        webhookSender({
          allowPrivate: settings.webhooksPrivate,
          timeoutMilliseconds: settings.webhookTimeoutMilliseconds,
        }),
      ),
      Layer.succeed(Tracing.Tracing, settings.tracing !== null),
      Layer.succeed(WorkerSettings.WorkerSettings, workerSettings(settings)),
    ]),
    Layer.provideMerge(
      isDemo && settings.database.type === "pglite"
        ? Store.layerWithClient(settings.database)
        : Store.layer(settings.database, store),
    ),
  );
};

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
const sessionOptions = ({ signIn, publicUrl }: Settings) =>
  Effect.gen(function* () {
    if (publicUrl === null) return {};
    const services = {
      sessions: yield* Sessions.Sessions,
      apiKeys: yield* ApiKeys.ApiKeys,
      verifier: yield* TokenVerifier.TokenVerifier,
      context: yield* Effect.context<Directory.Directory | Storage.Storage>(),
    };
    const sessions = {
      routes: browserSessions.routes(publicUrl, services),
      sessionCookie: sessionCookie(publicUrl),
    };
    if (signIn === null) return sessions;
    const { routes } = yield* Effect.promise(() => import("./signIn/SignIn.ts"));
    return { ...sessions, routes: [...routes(signIn, services), ...sessions.routes] };
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
    files: settings.console ? consoleFiles(settings) : [],
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
      ...(yield* sessionOptions(settings)),
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
    Effect.provide(engine(settings, isDemo)),
    (server) => Effect.zipRight(Store.announceNew(settings.database), server),
    Effect.provide(spans(settings)),
    Effect.provide(Log.layer(settings)),
  );
