/** The command line: its commands, its options and its help. */
import { parseArgs } from "node:util";
import { Either, Schema } from "effect";
import { Ids } from "quittance";
import { read, SETTINGS, type Setting, type Settings } from "./Settings.ts";

const NO_EXTENSIONS =
  "QUITTANCE_EXTENSIONS=off no longer exists: the published operations alone have dead ends (no credit note can be uploaded, no first key made); remove it, and keep callers from operations by the scopes of their keys";

/** The two commands on the outbox: list the dead-lettered messages, or retry some of them. */
export type OutboxAsk =
  | { readonly type: "list"; readonly json: boolean }
  | { readonly type: "retry"; readonly ids: ReadonlyArray<Ids.MessageId> | "all" };

/** A command line, read. */
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
 * wrong. `terminal` is whether a person reads the log.
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
    const text = ({ name, option, fallback }: Setting<unknown>): string => {
      const stated = option === null ? undefined : values[option];
      return typeof stated === "string" ? stated : (environment[name] ?? "") || fallback;
    };
    const settings = yield* read(text, terminal);
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
