/** What the server can be told, by the environment or by options of the command line. */
import { parseArgs } from "node:util";
import { Either, Schema } from "effect";
import { Ids } from "quittance";
import type { PaymentWebhookSecrets, RateLimit } from "quittance/http";
import * as Value from "./Value.ts";

/** How much is logged; `off` logs nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "off"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything the server can be told, checked. */
export interface Settings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly database: Value.Database;
  /** At least 32 characters; null: there is none. */
  readonly adminToken: string | null;
  readonly documents: "auto" | "manual";
  readonly worker: boolean;
  /** How long a payment provider may take over one order. */
  readonly sendTimeoutMilliseconds: number;
  /** How long the rendering of one document may take. */
  readonly renderTimeoutMilliseconds: number;
  /** How long answers are kept under their idempotency keys. */
  readonly idempotencyMilliseconds: number;
  /** How often one principal may ask of this process; null: as often as it likes. */
  readonly rateLimit: RateLimit | null;
  /** Origins whose pages may call from a browser. */
  readonly corsOrigins: ReadonlyArray<string>;
  /** By the provider's name in the path of its webhook. */
  readonly paymentSecrets: PaymentWebhookSecrets;
  /** Largest JSON body, in bytes; that of a batch is four times as large. */
  readonly jsonBytesMax: number;
  /** Largest uploaded file, in bytes. */
  readonly uploadBytesMax: number;
  /** Bytes of request bodies that are held at once. */
  readonly bodyMemoryBytesMax: number;
  /** Connections that are open at once. */
  readonly connectionsMax: number;
  /** Null: no spans are made. */
  readonly tracing: Value.Tracing | null;
  readonly logLevel: LogLevel;
  readonly logFormat: "pretty" | "json";
}

/** A setting as an operator meets it. */
export interface Setting {
  /** The environment variable. */
  readonly name: string;
  /** The command-line option, without its dashes; null for secrets, which a list of processes would show. */
  readonly option: string | null;
  readonly fallback: string;
  readonly meaning: string;
}

const setting = (name: string, option: string | null, fallback: string, meaning: string): Setting => ({
  name,
  option,
  fallback,
  meaning,
});

/** Every setting. An option outranks the environment. */
export const SETTINGS = {
  host: setting("HOST", "host", "127.0.0.1", "address to listen on"),
  port: setting("PORT", "port", "3000", "port to listen on; 0 picks a free one"),
  database: setting(
    "DATABASE_URL",
    "database-url",
    `pglite://${Value.DEFAULT_FOLDER}`,
    "memory: | pglite://<folder> | postgres://…",
  ),
  adminToken: setting(
    "QUITTANCE_ADMIN_TOKEN",
    "admin-token",
    "",
    "token of the platform, 32 characters or more; better set in the environment than on a command line",
  ),
  documents: setting(
    "QUITTANCE_DOCUMENTS",
    "documents",
    "auto",
    "auto: reports and self-billed documents are made here; manual: they are handed in",
  ),
  worker: setting("QUITTANCE_WORKER", "worker", "on", "off: answer requests only, leave the work to others"),
  sendTimeout: setting(
    "QUITTANCE_SEND_TIMEOUT_SECONDS",
    "send-timeout-seconds",
    "30",
    "how long a payment provider may take over one order",
  ),
  renderTimeout: setting(
    "QUITTANCE_RENDER_TIMEOUT_SECONDS",
    "render-timeout-seconds",
    "60",
    "how long the rendering of one document may take",
  ),
  idempotencyHours: setting(
    "QUITTANCE_IDEMPOTENCY_HOURS",
    "idempotency-hours",
    "72",
    "how long answers are kept under their idempotency keys, 72 or more",
  ),
  rateLimit: setting(
    "QUITTANCE_RATE_LIMIT",
    "rate-limit",
    "off",
    "requests a second for each credential, and how many at once: 20:100",
  ),
  corsOrigins: setting(
    "QUITTANCE_CORS_ORIGINS",
    "cors-origins",
    "",
    "origins whose pages may call from a browser, separated by commas",
  ),
  paymentSecrets: setting(
    "QUITTANCE_PAYMENT_SECRETS",
    null,
    "",
    "<provider>=<secret> of those who report payments, separated by commas",
  ),
  paymentSecretsFile: setting(
    "QUITTANCE_PAYMENT_SECRETS_FILE",
    "payment-secrets-file",
    "",
    "a file with one such pair a line",
  ),
  jsonBytesMax: setting(
    "QUITTANCE_JSON_BYTES_MAX",
    "json-bytes-max",
    "1048576",
    "largest JSON body; a batch may be four times as large",
  ),
  uploadBytesMax: setting(
    "QUITTANCE_UPLOAD_BYTES_MAX",
    "upload-bytes-max",
    "10485760",
    "largest uploaded file",
  ),
  bodyMemoryBytesMax: setting(
    "QUITTANCE_BODY_MEMORY_BYTES_MAX",
    "body-memory-bytes-max",
    "67108864",
    "bytes of request bodies held at once, the first 64 KiB of each not counted; beyond: 503",
  ),
  connectionsMax: setting(
    "QUITTANCE_CONNECTIONS_MAX",
    "connections-max",
    "1000",
    "connections open at once; a further one is closed",
  ),
  otlpEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "otlp-endpoint",
    "",
    "base URL of a collector that takes spans; without it none are made",
  ),
  serviceName: setting("OTEL_SERVICE_NAME", "service-name", "quittance", "what spans call this server"),
  logLevel: setting("LOG_LEVEL", "log-level", "info", LOG_LEVELS.join(", ")),
  logFormat: setting("LOG_FORMAT", "log-format", "pretty on a terminal, else json", "pretty, json"),
} as const satisfies Record<string, Setting>;

type Texts = { readonly [Name in keyof typeof SETTINGS]: string };

/** The bounds of what {@link SETTINGS} lets an operator choose, in bytes. */
const JSON_BYTES = { low: 1024, high: 16 * 1024 * 1024 };
const UPLOAD_BYTES = { low: 1, high: 100 * 1024 * 1024 };
/** At least one body of the largest size must fit. */
const BODY_MEMORY_BYTES_HIGH = 16 * 1024 * 1024 * 1024;
const CONNECTIONS = { low: 1, high: 1_000_000 };

/** The interface promises the lower one. */
const IDEMPOTENCY_HOURS = { low: 72, high: 87_600 };
const HOUR_MILLISECONDS = 3_600_000;

const TIMEOUT_SECONDS = { low: 1, high: 3_600 };

const ON_OFF = ["on", "off"] as const;

const NO_EXTENSIONS =
  "QUITTANCE_EXTENSIONS=off is no longer known: the published operations alone have dead ends (no credit note can be uploaded, no first key made); remove it, and keep callers from operations by the scopes of their keys";

type Served = Omit<Settings, "host" | "port" | "database" | "adminToken" | "logLevel" | "logFormat">;

/** How large bodies may be, one by one and together. */
const sizes = (
  texts: Texts,
): Either.Either<Pick<Settings, "jsonBytesMax" | "uploadBytesMax" | "bodyMemoryBytesMax">, string> =>
  Either.gen(function* () {
    const { jsonBytesMax: json, uploadBytesMax: upload, bodyMemoryBytesMax: memory } = SETTINGS;
    const jsonBytesMax = yield* Value.whole(json.name, texts.jsonBytesMax, JSON_BYTES.low, JSON_BYTES.high);
    const uploadBytesMax = yield* Value.whole(
      upload.name,
      texts.uploadBytesMax,
      UPLOAD_BYTES.low,
      UPLOAD_BYTES.high,
    );
    const largest = Math.max(4 * jsonBytesMax, uploadBytesMax);
    const bodyMemoryBytesMax = yield* Value.whole(
      memory.name,
      texts.bodyMemoryBytesMax,
      largest,
      BODY_MEMORY_BYTES_HIGH,
    );
    return { jsonBytesMax, uploadBytesMax, bodyMemoryBytesMax };
  });

/** What is served, to whom and how much of it. */
const served = (texts: Texts): Either.Either<Served, string> =>
  Either.gen(function* () {
    const { documents, worker, rateLimit, corsOrigins, connectionsMax } = SETTINGS;
    const seconds = (text: string, { name }: Setting) =>
      Value.whole(name, text, TIMEOUT_SECONDS.low, TIMEOUT_SECONDS.high);
    const hours = (text: string) =>
      Value.whole(SETTINGS.idempotencyHours.name, text, IDEMPOTENCY_HOURS.low, IDEMPOTENCY_HOURS.high);
    const secrets = { text: SETTINGS.paymentSecrets.name, file: SETTINGS.paymentSecretsFile.name };
    return {
      documents: yield* Value.oneOf(documents.name, texts.documents, ["auto", "manual"]),
      worker: (yield* Value.oneOf(worker.name, texts.worker, ON_OFF)) === "on",
      sendTimeoutMilliseconds: 1_000 * (yield* seconds(texts.sendTimeout, SETTINGS.sendTimeout)),
      renderTimeoutMilliseconds: 1_000 * (yield* seconds(texts.renderTimeout, SETTINGS.renderTimeout)),
      idempotencyMilliseconds: HOUR_MILLISECONDS * (yield* hours(texts.idempotencyHours)),
      rateLimit: yield* Value.rateLimitOf(rateLimit.name, texts.rateLimit),
      corsOrigins: yield* Value.originsOf(corsOrigins.name, texts.corsOrigins),
      paymentSecrets: yield* Value.paymentSecretsOf(secrets, texts.paymentSecrets, texts.paymentSecretsFile),
      ...(yield* sizes(texts)),
      connectionsMax: yield* Value.whole(
        connectionsMax.name,
        texts.connectionsMax,
        CONNECTIONS.low,
        CONNECTIONS.high,
      ),
      tracing: yield* Value.tracingOf(SETTINGS.otlpEndpoint.name, texts.otlpEndpoint, texts.serviceName),
    };
  });

const checked = (texts: Texts, terminal: boolean): Either.Either<Settings, string> =>
  Either.gen(function* () {
    const { port, adminToken, logLevel, logFormat } = SETTINGS;
    const host = texts.host.trim();
    if (host === "") return yield* Either.left("HOST must not be empty");
    const format = texts.logFormat === logFormat.fallback ? (terminal ? "pretty" : "json") : texts.logFormat;
    return {
      host,
      port: yield* Value.whole(port.name, texts.port, 0, 65_535),
      database: yield* Value.databaseOf(texts.database),
      adminToken: yield* Value.adminTokenOf(adminToken.name, texts.adminToken),
      ...(yield* served(texts)),
      logLevel: yield* Value.oneOf(logLevel.name, texts.logLevel, LOG_LEVELS),
      logFormat: yield* Value.oneOf(logFormat.name, format, ["pretty", "json"]),
    };
  });

/** What is asked of the outbox: to show the messages in trouble, or to have some of them performed again. */
export type OutboxAsk =
  | { readonly type: "list"; readonly json: boolean }
  | { readonly type: "retry"; readonly ids: ReadonlyArray<Ids.MessageId> | "all" };

/** What a command line asks for. */
export type Invocation =
  | { readonly command: "serve"; readonly settings: Settings }
  | { readonly command: "migrate"; readonly settings: Settings; readonly distribute: "citus" | null }
  | { readonly command: "outbox"; readonly settings: Settings; readonly ask: OutboxAsk }
  | { readonly command: "help" }
  | { readonly command: "version" };

const COMMANDS = ["serve", "migrate", "outbox", "help", "version"] as const;

interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: ReadonlyArray<string>;
}

const optionsOf = (args: ReadonlyArray<string>): Either.Either<Parsed, string> =>
  Either.try({
    try: (): Parsed =>
      parseArgs({
        args: [...args],
        allowPositionals: true,
        options: {
          help: { type: "boolean", short: "h" },
          version: { type: "boolean", short: "v" },
          distribute: { type: "string" },
          json: { type: "boolean" },
          all: { type: "boolean" },
          ...Object.fromEntries(
            Object.values(SETTINGS).flatMap(({ option }) =>
              option === null ? [] : [[option, { type: "string" as const }]],
            ),
          ),
        },
      }),
    catch: (error) => (error instanceof Error ? (error.message.split(/\n|\. /)[0] ?? "") : String(error)),
  });

const OUTBOX_USAGE =
  "outbox goes as: quittance outbox list [--json], quittance outbox retry <id>…, quittance outbox retry --all";

const isMessageId = Schema.is(Ids.MessageId);

const outboxAsk = (
  words: ReadonlyArray<string>,
  { json = false, all = false }: Parsed["values"],
): Either.Either<OutboxAsk, string> => {
  const [word, ...rest] = words;
  const ids = rest.map((id) => id.toLowerCase());
  if (word === "list" && ids.length === 0 && !all) return Either.right({ type: "list", json: json === true });
  if (word !== "retry" || json || (all === true) === ids.length > 0) return Either.left(OUTBOX_USAGE);
  const wrong = ids.find((id) => !isMessageId(id));
  return wrong === undefined
    ? Either.right({ type: "retry", ids: all === true ? "all" : ids.filter(isMessageId) })
    : Either.left(`"${wrong}" is not the id of a message; ${OUTBOX_USAGE}`);
};

/**
 * The command and settings of a command line (without node and script) and an environment, or one line that says what is
 * wrong. `terminal` tells whether a person reads the log.
 */
export const invocation = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: boolean,
): Either.Either<Invocation, string> =>
  Either.gen(function* () {
    const { values, positionals } = yield* optionsOf(args);
    if (values.help === true) return { command: "help" };
    if (values.version === true) return { command: "version" };
    const [word = "serve", ...surplus] = positionals;
    const command = COMMANDS.find((known) => known === word);
    if (command === undefined || (surplus.length > 0 && command !== "outbox")) {
      return yield* Either.left(
        `unknown command "${positionals.join(" ")}"; known are ${COMMANDS.join(", ")}`,
      );
    }
    if (command === "help" || command === "version") return { command };
    // A setting of earlier versions; `on` was the default and is what there is.
    if (environment.QUITTANCE_EXTENSIONS === "off") return yield* Either.left(NO_EXTENSIONS);
    const text = ({ name, option, fallback }: Setting): string => {
      const stated = option === null ? undefined : values[option];
      return typeof stated === "string" ? stated : (environment[name] ?? "") || fallback;
    };
    const texts: Texts = {
      host: text(SETTINGS.host),
      port: text(SETTINGS.port),
      database: text(SETTINGS.database),
      adminToken: text(SETTINGS.adminToken),
      documents: text(SETTINGS.documents),
      worker: text(SETTINGS.worker),
      sendTimeout: text(SETTINGS.sendTimeout),
      renderTimeout: text(SETTINGS.renderTimeout),
      idempotencyHours: text(SETTINGS.idempotencyHours),
      rateLimit: text(SETTINGS.rateLimit),
      corsOrigins: text(SETTINGS.corsOrigins),
      paymentSecrets: text(SETTINGS.paymentSecrets),
      paymentSecretsFile: text(SETTINGS.paymentSecretsFile),
      jsonBytesMax: text(SETTINGS.jsonBytesMax),
      uploadBytesMax: text(SETTINGS.uploadBytesMax),
      bodyMemoryBytesMax: text(SETTINGS.bodyMemoryBytesMax),
      connectionsMax: text(SETTINGS.connectionsMax),
      otlpEndpoint: text(SETTINGS.otlpEndpoint),
      serviceName: text(SETTINGS.serviceName),
      logLevel: text(SETTINGS.logLevel),
      logFormat: text(SETTINGS.logFormat),
    };
    const settings = yield* checked(texts, terminal);
    const { distribute } = values;
    if (command !== "outbox" && (values.json === true || values.all === true))
      return yield* Either.left("--json and --all go with outbox alone");
    if (distribute !== undefined && (command !== "migrate" || distribute !== "citus")) {
      return yield* Either.left("--distribute goes with migrate alone, and can only be citus");
    }
    if (command === "outbox") return { command, settings, ask: yield* outboxAsk(surplus, values) };
    return command === "migrate"
      ? { command, settings, distribute: distribute === undefined ? null : "citus" }
      : { command, settings };
  });

/** What `--help` prints. */
export const usage = (): string => {
  const rows = Object.values(SETTINGS).map(
    ({ name, option, fallback, meaning }) =>
      `  ${(option === null ? "" : `--${option}`).padEnd(22)} ${name.padEnd(30)} ${meaning}${fallback === "" ? "" : ` (${fallback})`}`,
  );
  return [
    "quittance: the commission and settlement engine",
    "",
    "  quittance serve     answer HTTP requests and do the background work (the default)",
    "  quittance migrate   bring the database's schema up to date and stop; with --distribute citus it is then",
    "                      spread over the machines of a Citus cluster, by customer",
    "  quittance outbox list [--json]           show the work that has failed, is set aside or parked",
    "  quittance outbox retry <id>… | --all     have it tried again at once",
    "  quittance help      this text",
    "",
    "Options, each with the environment variable that says the same, and its default; secrets have no option:",
    ...rows,
  ].join("\n");
};
