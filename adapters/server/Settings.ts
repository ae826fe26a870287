/** What the server can be told, by the environment or by options of the command line. */
import { parseArgs } from "node:util";
import { Either } from "effect";

/** Where records live. */
export type Database =
  | { readonly type: "memory" }
  | { readonly type: "pglite"; readonly folder: string }
  | { readonly type: "postgres"; readonly url: string };

/** How much is logged; `off` logs nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "off"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything the server can be told, checked. */
export interface Settings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly database: Database;
  /** At least 32 characters; null: there is none. */
  readonly adminToken: string | null;
  readonly documents: "auto" | "manual";
  readonly worker: boolean;
  readonly extensions: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: "pretty" | "json";
}

/** A setting as an operator meets it. */
export interface Setting {
  /** The environment variable. */
  readonly name: string;
  /** The command-line option, without its dashes. */
  readonly option: string;
  readonly fallback: string;
  readonly meaning: string;
}

const setting = (name: string, option: string, fallback: string, meaning: string): Setting => ({
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
    "pglite://.quittance/data",
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
  extensions: setting(
    "QUITTANCE_EXTENSIONS",
    "extensions",
    "on",
    "off: only the operations of the interface",
  ),
  logLevel: setting("LOG_LEVEL", "log-level", "info", LOG_LEVELS.join(", ")),
  logFormat: setting("LOG_FORMAT", "log-format", "pretty on a terminal, else json", "pretty, json"),
} as const satisfies Record<string, Setting>;

type Texts = { readonly [Name in keyof typeof SETTINGS]: string };

const ADMIN_TOKEN_MIN = 32;

const oneOf = <Choice extends string>(
  { name }: Setting,
  text: string,
  choices: ReadonlyArray<Choice>,
): Either.Either<Choice, string> => {
  const chosen = choices.find((choice) => choice === text);
  return chosen === undefined
    ? Either.left(`${name} must be one of ${choices.join(", ")}, not "${text}"`)
    : Either.right(chosen);
};

const portOf = (text: string): Either.Either<number, string> =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Either.right(Number(text))
    : Either.left(`PORT must be a number from 0 to 65535, not "${text}"`);

/** The store that a URL names; the message never repeats the URL, which may hold a password. */
export const databaseOf = (url: string): Either.Either<Database, string> => {
  if (url === "memory:") return Either.right({ type: "memory" });
  const folder = /^pglite:\/\/(.+)$/.exec(url)?.[1];
  if (folder !== undefined) return Either.right({ type: "pglite", folder });
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)
    ? Either.right({ type: "postgres", url })
    : Either.left("DATABASE_URL must be memory:, pglite://<folder> or postgres://…");
};

const adminTokenOf = (text: string): Either.Either<string | null, string> =>
  text === ""
    ? Either.right(null)
    : text.length < ADMIN_TOKEN_MIN
      ? Either.left(`QUITTANCE_ADMIN_TOKEN must have at least ${ADMIN_TOKEN_MIN} characters`)
      : Either.right(text);

const ON_OFF = ["on", "off"] as const;

const checked = (texts: Texts, terminal: boolean): Either.Either<Settings, string> =>
  Either.gen(function* () {
    const host = texts.host.trim();
    if (host === "") return yield* Either.left("HOST must not be empty");
    const format =
      texts.logFormat === SETTINGS.logFormat.fallback ? (terminal ? "pretty" : "json") : texts.logFormat;
    return {
      host,
      port: yield* portOf(texts.port),
      database: yield* databaseOf(texts.database),
      adminToken: yield* adminTokenOf(texts.adminToken),
      documents: yield* oneOf(SETTINGS.documents, texts.documents, ["auto", "manual"]),
      worker: (yield* oneOf(SETTINGS.worker, texts.worker, ON_OFF)) === "on",
      extensions: (yield* oneOf(SETTINGS.extensions, texts.extensions, ON_OFF)) === "on",
      logLevel: yield* oneOf(SETTINGS.logLevel, texts.logLevel, LOG_LEVELS),
      logFormat: yield* oneOf(SETTINGS.logFormat, format, ["pretty", "json"]),
    };
  });

/** What a command line asks for. */
export type Invocation =
  | { readonly command: "serve"; readonly settings: Settings }
  | { readonly command: "migrate"; readonly settings: Settings; readonly distribute: "citus" | null }
  | { readonly command: "help" }
  | { readonly command: "version" };

const COMMANDS = ["serve", "migrate", "help", "version"] as const;

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
          ...Object.fromEntries(
            Object.values(SETTINGS).map(({ option }) => [option, { type: "string" as const }]),
          ),
        },
      }),
    catch: (error) => (error instanceof Error ? (error.message.split(/\n|\. /)[0] ?? "") : String(error)),
  });

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
    if (command === undefined || surplus.length > 0) {
      return yield* Either.left(
        `unknown command "${positionals.join(" ")}"; known are ${COMMANDS.join(", ")}`,
      );
    }
    if (command === "help" || command === "version") return { command };
    const text = ({ name, option, fallback }: Setting): string => {
      const stated = values[option];
      return typeof stated === "string" ? stated : (environment[name] ?? "") || fallback;
    };
    const texts: Texts = {
      host: text(SETTINGS.host),
      port: text(SETTINGS.port),
      database: text(SETTINGS.database),
      adminToken: text(SETTINGS.adminToken),
      documents: text(SETTINGS.documents),
      worker: text(SETTINGS.worker),
      extensions: text(SETTINGS.extensions),
      logLevel: text(SETTINGS.logLevel),
      logFormat: text(SETTINGS.logFormat),
    };
    const settings = yield* checked(texts, terminal);
    const { distribute } = values;
    if (distribute !== undefined && (command !== "migrate" || distribute !== "citus")) {
      return yield* Either.left("--distribute goes with migrate alone, and can only be citus");
    }
    return command === "migrate"
      ? { command, settings, distribute: distribute === undefined ? null : "citus" }
      : { command, settings };
  });

/** What `--help` prints. */
export const usage = (): string => {
  const rows = Object.values(SETTINGS).map(
    ({ name, option, fallback, meaning }) =>
      `  --${option.padEnd(14)} ${name.padEnd(22)} ${meaning}${fallback === "" ? "" : ` (${fallback})`}`,
  );
  return [
    "quittance: the commission and settlement engine",
    "",
    "  quittance serve     answer HTTP requests and do the background work (the default)",
    "  quittance migrate   bring the database's schema up to date and stop; with --distribute citus it is then",
    "                      spread over the machines of a Citus cluster, by customer",
    "  quittance help      this text",
    "",
    "Options, each with the environment variable that says the same, and its default:",
    ...rows,
  ].join("\n");
};
