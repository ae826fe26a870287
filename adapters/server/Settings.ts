/** The settings of the server, in one table: parsing, errors, `--help` and the reference page follow from it. */
import { Either } from "effect";
import type { PaymentWebhookSecrets } from "quittance/http";
import { type PaymentServiceOptions, paymentServiceProblem } from "quittance/payouts";
import * as Value from "./Value.ts";

/** How much is logged; `off` logs nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "off"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting<A> {
  /** The environment variable. */
  readonly name: string;
  /** The command-line option, without its dashes; null for secrets, which a list of processes would show. */
  readonly option: string | null;
  /** What stands for the value in `--help`; `value` where absent. */
  readonly placeholder?: string;
  /** The text that is read where none is stated. */
  readonly fallback: string;
  /** One line for `--help`. */
  readonly meaning: string;
  /** The meaning on the reference page, as Markdown, where it says more than {@link Setting.meaning}. */
  readonly details?: string;
  readonly kind: Value.Kind<A>;
}

const setting = <A>(stated: Setting<A>): Setting<A> => stated;

const MEBIBYTE = 1024 * 1024;
const TIMEOUT = Value.whole(1, 3_600, 1_000);
const BODY_MEMORY_MAX = 16 * 1024 * MEBIBYTE;
const BODY_MEMORY = Value.whole(1024, BODY_MEMORY_MAX);
const FORMATS = Value.oneOf(["pretty", "json"]);
const BY_TERMINAL = "pretty on a terminal, else json";
const LOG_FORMAT: Value.Kind<"pretty" | "json" | null> = {
  values: FORMATS.values,
  parse: (name, text) => (text === BY_TERMINAL ? Either.right(null) : FORMATS.parse(name, text)),
};

/** Every setting. An option outranks the environment. */
export const SETTINGS = {
  host: setting({
    name: "HOST",
    option: "host",
    placeholder: "address",
    fallback: "127.0.0.1",
    meaning: "address to listen on",
    kind: Value.nonEmpty,
  }),
  port: setting({
    name: "PORT",
    option: "port",
    placeholder: "number",
    fallback: "3000",
    meaning: "port to listen on; 0 picks a free one",
    kind: Value.whole(0, 65_535),
  }),
  database: setting({
    name: "DATABASE_URL",
    option: "database-url",
    placeholder: "url",
    fallback: `pglite://${Value.DEFAULT_FOLDER}`,
    meaning: "memory: | pglite://<folder> | postgres://…",
    details: "where records are stored",
    kind: Value.database,
  }),
  connections: setting({
    name: "QUITTANCE_DATABASE_CONNECTIONS",
    option: "database-connections",
    placeholder: "number",
    fallback: "10",
    meaning: "connections of this process to PostgreSQL",
    kind: Value.whole(2, 1_000),
  }),
  statementTimeoutMilliseconds: setting({
    name: "QUITTANCE_STATEMENT_TIMEOUT_SECONDS",
    option: "statement-timeout-seconds",
    placeholder: "seconds",
    fallback: "30",
    meaning: "time limit of one statement on PostgreSQL",
    kind: TIMEOUT,
  }),
  prepare: setting({
    name: "QUITTANCE_PREPARED_STATEMENTS",
    option: "prepared-statements",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: for a proxy that shares connections to PostgreSQL between transactions",
    kind: Value.onOff,
  }),
  adminToken: setting({
    name: "QUITTANCE_ADMIN_TOKEN",
    option: "admin-token",
    placeholder: "token",
    fallback: "",
    meaning:
      "token of the platform, 32 characters or more; better set in the environment than on a command line",
    details:
      "token of the platform: whoever sends it reads across customers and creates the first keys; better set in the environment than on a command line",
    kind: Value.adminToken,
  }),
  jwtIssuer: setting({
    name: "QUITTANCE_JWT_ISSUER",
    option: "jwt-issuer",
    placeholder: "issuer",
    fallback: "",
    meaning: "accept tokens of this identity provider beside API keys; needs the two settings below",
    details:
      "accept tokens of this identity provider beside API keys; needs `QUITTANCE_JWT_AUDIENCE` and `QUITTANCE_JWT_KEYS_URL`",
    kind: Value.text,
  }),
  jwtAudience: setting({
    name: "QUITTANCE_JWT_AUDIENCE",
    option: "jwt-audience",
    placeholder: "audience",
    fallback: "",
    meaning: "the audience that its tokens name for this server",
    kind: Value.text,
  }),
  jwtKeysUrl: setting({
    name: "QUITTANCE_JWT_KEYS_URL",
    option: "jwt-keys-url",
    placeholder: "url",
    fallback: "",
    meaning: "where it publishes its keys (JWKS)",
    kind: Value.endpoint,
  }),
  documents: setting({
    name: "QUITTANCE_DOCUMENTS",
    option: "documents",
    placeholder: "auto|manual",
    fallback: "auto",
    meaning: "auto: the worker makes reports and self-billed documents; manual: they are uploaded",
    details: "`manual`: documents are uploaded, the worker makes none",
    kind: Value.oneOf(["auto", "manual"]),
  }),
  fourEyes: setting({
    name: "QUITTANCE_FOUR_EYES",
    option: "four-eyes",
    placeholder: "on|off",
    fallback: "off",
    meaning: "on: whoever created a draft may not approve it",
    details: "`on`: whoever created a draft may not approve it ([four eyes](concepts.md#four-eyes))",
    kind: Value.onOff,
  }),
  staleDrafts: setting({
    name: "QUITTANCE_STALE_DRAFTS",
    option: "stale-drafts",
    placeholder: "allow|refuse",
    fallback: "allow",
    meaning: "refuse: a draft whose amounts have moved cannot be approved",
    details: "`refuse`: a draft whose amounts have moved ([stale](concepts.md#stale)) cannot be approved",
    kind: Value.oneOf(["allow", "refuse"]),
  }),
  fontRegular: setting({
    name: "QUITTANCE_FONT_REGULAR",
    option: "font-regular",
    placeholder: "file",
    fallback: "",
    meaning: "a TrueType or OpenType font for documents, with --font-bold",
    details:
      "a TrueType or OpenType font for documents; needs `QUITTANCE_FONT_BOLD`. See [fonts](how-to/fonts.md)",
    kind: Value.font,
  }),
  fontBold: setting({
    name: "QUITTANCE_FONT_BOLD",
    option: "font-bold",
    placeholder: "file",
    fallback: "",
    meaning: "its bold weight",
    kind: Value.font,
  }),
  worker: setting({
    name: "QUITTANCE_WORKER",
    option: "worker",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: this server handles requests only; another process must do the work",
    details:
      "`off`: this server handles requests only, and another process must do the [work in the outbox](#work-that-fails)",
    kind: Value.onOff,
  }),
  concurrency: setting({
    name: "QUITTANCE_WORKER_CONCURRENCY",
    option: "worker-concurrency",
    placeholder: "lanes",
    fallback: "payments=8,documents=4,recomputations=2",
    meaning: "messages of each kind that this process works on at once, 2 or more",
    details:
      "messages of each kind that this process works on at once, 2 to 64; half of them may be one customer's. A kind that is not named keeps its default",
    kind: Value.concurrency,
  }),
  leaseMilliseconds: setting({
    name: "QUITTANCE_LEASE_SECONDS",
    option: "lease-seconds",
    placeholder: "seconds",
    fallback: "15",
    meaning: "how long the work of a killed process waits for another one",
    kind: Value.whole(3, 600, 1_000),
  }),
  pollMilliseconds: setting({
    name: "QUITTANCE_POLL_MILLISECONDS",
    option: "poll-milliseconds",
    placeholder: "milliseconds",
    fallback: "500",
    meaning: "how often an idle worker looks for work that other processes have left",
    kind: Value.whole(50, 60_000),
  }),
  console: setting({
    name: "QUITTANCE_CONSOLE",
    option: "console",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: /console and /portal are not served",
    details:
      "`off`: the [console](finance/console.md) at `/console` and the partner portal at `/portal` are not served",
    kind: Value.onOff,
  }),
  feed: setting({
    name: "QUITTANCE_FEED",
    option: "feed",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: events enter no feed, and there are no webhooks; the same for all processes of a database",
    details:
      "`off`: events enter no [feed](#the-event-feed), and there are no webhooks. All processes of a database need the same setting",
    kind: Value.onOff,
  }),
  sendTimeoutMilliseconds: setting({
    name: "QUITTANCE_SEND_TIMEOUT_SECONDS",
    option: "send-timeout-seconds",
    placeholder: "seconds",
    fallback: "30",
    meaning: "time limit of the payment provider for one order",
    kind: TIMEOUT,
  }),
  renderTimeoutMilliseconds: setting({
    name: "QUITTANCE_RENDER_TIMEOUT_SECONDS",
    option: "render-timeout-seconds",
    placeholder: "seconds",
    fallback: "60",
    meaning: "time limit for making one document",
    kind: TIMEOUT,
  }),
  idempotencyMilliseconds: setting({
    name: "QUITTANCE_IDEMPOTENCY_HOURS",
    option: "idempotency-hours",
    placeholder: "hours",
    fallback: "72",
    meaning: "how long responses are kept under their idempotency keys, 72 or more",
    details:
      "how long responses are kept under their idempotency keys; the interface promises 72. See [What is removed](#what-is-removed)",
    kind: Value.whole(72, 87_600, 3_600_000),
  }),
  rateLimit: setting({
    name: "QUITTANCE_RATE_LIMIT",
    option: "rate-limit",
    placeholder: "limit",
    fallback: "off",
    meaning: "requests a second for each credential, and how many at once: 20:100",
    details:
      "requests a second for each credential, and how many at once: `20:100`. Further requests get 429. Each process counts for itself",
    kind: Value.rateLimit,
  }),
  corsOrigins: setting({
    name: "QUITTANCE_CORS_ORIGINS",
    option: "cors-origins",
    placeholder: "origins",
    fallback: "",
    meaning: "origins whose pages may call from a browser, separated by commas",
    kind: Value.origins,
  }),
  payouts: setting({
    name: "QUITTANCE_PAYOUTS",
    option: "payouts",
    placeholder: "manual|sepa|simulated|url",
    fallback: "manual",
    meaning: "who pays: manual (outside), sepa (files for a bank), https://… (your own service), simulated",
    details:
      "who pays. `manual`: settlements are paid outside and marked as paid. `sepa`: [files for a bank](how-to/pay-by-sepa.md). A URL: [your own payment service](how-to/pay-by-your-own-service.md). `simulated`: nobody, for trying out",
    kind: Value.payouts,
  }),
  payoutsSecret: setting({
    name: "QUITTANCE_PAYOUTS_SECRET",
    option: null,
    fallback: "",
    meaning: "signs orders to your payment service, and verifies its reports",
    details:
      "signs orders to your payment service, and verifies its reports; base64 of 24 to 64 bytes, `whsec_` before it or not",
    kind: Value.secret,
  }),
  payoutsSecretFile: setting({
    name: "QUITTANCE_PAYOUTS_SECRET_FILE",
    option: "payouts-secret-file",
    placeholder: "file",
    fallback: "",
    meaning: "a file whose first line is that secret",
    kind: Value.secretFile,
  }),
  payoutsPrivate: setting({
    name: "QUITTANCE_PAYOUTS_PRIVATE",
    option: "payouts-private",
    placeholder: "on|off",
    fallback: "off",
    meaning: "on: your payment service may be at a private address and without https",
    details: "`on`: your payment service may be at an address that is not public, and at `http://`",
    kind: Value.onOff,
  }),
  paymentSecrets: setting({
    name: "QUITTANCE_PAYMENT_SECRETS",
    option: null,
    fallback: "",
    meaning: "<provider>=<secret> of payment providers that report payments, separated by commas",
    details:
      "secrets of payment providers that report to `/webhooks/payments/<provider>`, separated by commas, each of 16 characters or more",
    kind: Value.paymentSecrets,
  }),
  paymentSecretsFile: setting({
    name: "QUITTANCE_PAYMENT_SECRETS_FILE",
    option: "payment-secrets-file",
    placeholder: "file",
    fallback: "",
    meaning: "a file with one such pair a line",
    kind: Value.paymentSecretsFile,
  }),
  jsonBytesMax: setting({
    name: "QUITTANCE_JSON_BYTES_MAX",
    option: "json-bytes-max",
    placeholder: "bytes",
    fallback: "1048576",
    meaning: "largest JSON body; a batch may be four times as large",
    kind: Value.whole(1024, 16 * MEBIBYTE),
  }),
  uploadBytesMax: setting({
    name: "QUITTANCE_UPLOAD_BYTES_MAX",
    option: "upload-bytes-max",
    placeholder: "bytes",
    fallback: "10485760",
    meaning: "largest uploaded file",
    details: "largest uploaded file; each is held in memory while the request runs",
    kind: Value.whole(1, 100 * MEBIBYTE),
  }),
  bodyMemoryBytesMax: setting({
    name: "QUITTANCE_BODY_MEMORY_BYTES_MAX",
    option: "body-memory-bytes-max",
    placeholder: "bytes",
    fallback: "67108864",
    meaning: "bytes of request bodies held at once, the first 64 KiB of each not counted; beyond: 503",
    details:
      "bytes of request bodies held at once, the first 64 KiB of each not counted; at least one body of the largest size must fit. Beyond the limit: 503 with `Retry-After`",
    kind: BODY_MEMORY,
  }),
  answerMillisecondsMax: setting({
    name: "QUITTANCE_ANSWER_TIMEOUT_SECONDS",
    option: "answer-timeout-seconds",
    placeholder: "seconds",
    fallback: "30",
    meaning: "how long a request may take before it is ended with 503",
    kind: TIMEOUT,
  }),
  connectionsMax: setting({
    name: "QUITTANCE_CONNECTIONS_MAX",
    option: "connections-max",
    placeholder: "number",
    fallback: "1000",
    meaning: "connections open at once; a further one is closed",
    kind: Value.whole(1, 1_000_000),
  }),
  otlpEndpoint: setting({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    option: "otlp-endpoint",
    placeholder: "url",
    fallback: "",
    meaning: "base URL of a collector that takes spans; without it none are made",
    details: "base URL of a collector that takes spans; without it none are made. See [Traces](#traces)",
    kind: Value.endpoint,
  }),
  serviceName: setting({
    name: "OTEL_SERVICE_NAME",
    option: "service-name",
    placeholder: "name",
    fallback: "quittance",
    meaning: "the name of this server in its spans",
    kind: Value.text,
  }),
  logLevel: setting({
    name: "LOG_LEVEL",
    option: "log-level",
    placeholder: "level",
    fallback: "info",
    meaning: "least severe level that is logged",
    kind: Value.oneOf(LOG_LEVELS),
  }),
  logFormat: setting({
    name: "LOG_FORMAT",
    option: "log-format",
    placeholder: "pretty|json",
    fallback: "pretty on a terminal, else json",
    meaning: "form of the log",
    kind: LOG_FORMAT,
  }),
};

type Parsed = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer A> ? A : never;
};

/** Who pays: nobody here, the files of a bank, a simulation, or a service at a URL. */
export type Payouts =
  | { readonly type: "manual" | "sepa" | "simulated" }
  | ({ readonly type: "service" } & Pick<PaymentServiceOptions, "url" | "secret"> & {
        readonly allowPrivate: boolean;
      });

/** Every setting, checked; a time is in milliseconds, a size in bytes, and null stands for none. */
export interface Settings
  extends Omit<
    Parsed,
    | "paymentSecretsFile"
    | "payouts"
    | "payoutsSecret"
    | "payoutsSecretFile"
    | "payoutsPrivate"
    | "otlpEndpoint"
    | "serviceName"
    | "logFormat"
    | "fontRegular"
    | "fontBold"
    | "jwtIssuer"
    | "jwtAudience"
    | "jwtKeysUrl"
  > {
  readonly tracing: Value.Tracing | null;
  /** Who pays. */
  readonly payouts: Payouts;
  /** The operator's own fonts for documents. */
  readonly fonts: { readonly regular: Uint8Array; readonly bold: Uint8Array } | null;
  /** The identity provider whose tokens are accepted. */
  readonly jwt: Value.IdentityProvider | null;
  readonly logFormat: "pretty" | "json";
}

/** The secrets of both settings, by provider. */
const joinSecrets = ({ paymentSecrets, paymentSecretsFile }: Parsed): Value.Value<PaymentWebhookSecrets> => {
  const twice = Object.keys(paymentSecretsFile).find((provider) => provider in paymentSecrets);
  return twice === undefined
    ? Either.right({ ...paymentSecrets, ...paymentSecretsFile })
    : Either.left(
        `${SETTINGS.paymentSecrets.name} and ${SETTINGS.paymentSecretsFile.name} must not both name the provider "${twice}"`,
      );
};

/** Who pays, with what a payment service needs. */
const joinPayouts = ({
  payouts: type,
  payoutsSecret,
  payoutsSecretFile,
  payoutsPrivate: allowPrivate,
  paymentSecrets,
  paymentSecretsFile,
}: Parsed): Value.Value<Payouts> => {
  const { payouts, payoutsSecret: own, payoutsSecretFile: inFile } = SETTINGS;
  const secret = payoutsSecret ?? payoutsSecretFile;
  if (payoutsSecret !== null && payoutsSecretFile !== null)
    return Either.left(`${own.name} and ${inFile.name} must not both be set`);
  if (type === "manual" || type === "sepa" || type === "simulated")
    return secret === null
      ? Either.right({ type })
      : Either.left(`${own.name} is for the URL of a payment service in ${payouts.name}, which is ${type}`);
  if (secret === null) return Either.left(`${payouts.name} needs ${own.name} beside its URL`);
  if (SERVICE_NAME in paymentSecrets || SERVICE_NAME in paymentSecretsFile)
    return Either.left(
      `${SETTINGS.paymentSecrets.name} must not name the provider "${SERVICE_NAME}", which is that of ${payouts.name}`,
    );
  const problem = paymentServiceProblem({ url: type, secret, allowPrivate });
  return problem === null
    ? Either.right({ type: "service", url: type, secret, allowPrivate })
    : Either.left(`${problem.includes("secret") ? own.name : payouts.name}: ${problem}`);
};

/** The name under which the payment service reports. */
const SERVICE_NAME = "payouts";

/** Both weights of the operator's fonts, or none. */
const joinFonts = ({ fontRegular, fontBold }: Parsed): Value.Value<Settings["fonts"]> => {
  if (fontRegular === null && fontBold === null) return Either.right(null);
  return fontRegular !== null && fontBold !== null
    ? Either.right({ regular: fontRegular, bold: fontBold })
    : Either.left(
        `${SETTINGS.fontRegular.name} and ${SETTINGS.fontBold.name} must name a font each, or both be empty`,
      );
};

const joinJwt = ({ jwtIssuer, jwtAudience, jwtKeysUrl }: Parsed): Value.Value<Settings["jwt"]> => {
  if (jwtIssuer === "" && jwtAudience === "" && jwtKeysUrl === null) return Either.right(null);
  return jwtIssuer !== "" && jwtAudience !== "" && jwtKeysUrl !== null
    ? Either.right({ issuer: jwtIssuer, audience: jwtAudience, keys: new URL(jwtKeysUrl) })
    : Either.left(
        `${SETTINGS.jwtIssuer.name}, ${SETTINGS.jwtAudience.name} and ${SETTINGS.jwtKeysUrl.name} must all be set, or none`,
      );
};

/** Fails where the largest body would not fit into the memory of all bodies. */
const checkBodyMemory = ({ jsonBytesMax, uploadBytesMax, bodyMemoryBytesMax }: Parsed): Value.Value<number> =>
  Value.whole(Math.max(4 * jsonBytesMax, uploadBytesMax), BODY_MEMORY_MAX).parse(
    SETTINGS.bodyMemoryBytesMax.name,
    String(bodyMemoryBytesMax),
  );

const parse = (textOf: (setting: Setting<unknown>) => string): Value.Value<Parsed> => {
  const parsed: Record<string, unknown> = {};
  for (const [key, one] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const value = one.kind.parse(one.name, textOf(one));
    if (Either.isLeft(value)) return Either.left(value.left);
    parsed[key] = value.right;
  }
  // Each value is of its own setting's kind.
  return Either.right(parsed as unknown as Parsed);
};

const read = (textOf: (setting: Setting<unknown>) => string, isTerminal: boolean): Value.Value<Settings> =>
  Either.gen(function* () {
    const parsed = yield* parse(textOf);
    const { otlpEndpoint, serviceName, logFormat } = parsed;
    return {
      ...parsed,
      fonts: yield* joinFonts(parsed),
      payouts: yield* joinPayouts(parsed),
      jwt: yield* joinJwt(parsed),
      paymentSecrets: yield* joinSecrets(parsed),
      bodyMemoryBytesMax: yield* checkBodyMemory(parsed),
      tracing: otlpEndpoint === null ? null : { endpoint: otlpEndpoint, serviceName },
      logFormat: logFormat ?? (isTerminal ? "pretty" : "json"),
    };
  });

const NO_EXTENSIONS =
  "QUITTANCE_EXTENSIONS=off no longer exists: the published operations alone have dead ends (no credit note can be uploaded, no first key made); remove it, and keep callers from operations by the scopes of their keys";

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What an environment states of a setting, or its default. */
export const stated =
  (environment: Environment) =>
  ({ name, fallback }: Setting<unknown>): string =>
    (environment[name] ?? "") || fallback;

/**
 * Every setting of an environment; `textOf` overrules it. Returns the line that says what is wrong with the first wrong
 * setting. `isTerminal` is whether a person reads the log.
 */
export const readSettings = (
  environment: Environment,
  isTerminal: boolean,
  textOf = stated(environment),
): Value.Value<Settings> =>
  // A setting of earlier versions; `on` was the default and is what there is.
  environment.QUITTANCE_EXTENSIONS === "off" ? Either.left(NO_EXTENSIONS) : read(textOf, isTerminal);
