/** Declares commands of the command line: their options, and the values of those. */
import type { Command } from "commander";
import { Effect, Either } from "effect";
import type { Storage } from "quittance";
import { type CommandFailed, usageError } from "./CommandFailed.ts";
import {
  type Environment,
  readSettings,
  SETTINGS,
  type Setting,
  type Settings,
  settingText,
  TOPICS,
} from "./Settings.ts";
import type { Database, Value } from "./Value.ts";

/** The work of a command. */
export type Task = Effect.Effect<void, CommandFailed | Storage.StorageError>;

/** Where a command is started. */
export interface Shell {
  readonly environment: Environment;
  /** True if a person reads the log. */
  readonly isTerminal: boolean;
  /** The work to do, chosen while the command line is read. */
  readonly run: (task: Task) => void;
}

/** Adds a command, with its options and its help. */
export type Declare = (program: Command, shell: Shell) => void;

/** Loads the module of a command when it is run. */
export const load = <Module>(module: () => Promise<Module>, task: (module: Module) => Task): Task =>
  Effect.flatMap(Effect.promise(module), task);

/** Fails with the line that describes the problem with a value. */
export const orUsage = <A>(value: Value<A>): Effect.Effect<A, CommandFailed> =>
  Either.mapLeft(value, usageError);

/** The name under which the parser stores the value of an option: `database-url` as `databaseUrl`. */
const attributeOf = (option: string): string =>
  option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The text after an option in the help: meaning, environment variable, default. */
const helpOf = ({ name, fallback, meaning }: Setting<unknown>): string =>
  `${meaning} (${name}${fallback === "" ? "" : `, default ${fallback}`})`;

/** Adds the option of a setting. */
const withSetting = (command: Command, setting: Setting<unknown>): Command =>
  setting.option === null
    ? command
    : command.option(`--${setting.option} <${setting.placeholder ?? "value"}>`, helpOf(setting));

/** Adds the options of all settings, by topic. */
export const withSettings = (command: Command): Command => {
  for (const [topic, settings] of Object.entries(TOPICS)) {
    command.optionsGroup(topic);
    for (const setting of Object.values<Setting<unknown>>(settings)) withSetting(command, setting);
  }
  return command;
};

/** The text of a setting: its option, else its environment variable, else its default. */
const textOf =
  (command: Command, environment: Environment) =>
  (setting: Setting<unknown>): string => {
    const { option } = setting;
    const optionText: unknown = option === null ? undefined : command.opts()[attributeOf(option)];
    return typeof optionText === "string" ? optionText : settingText(environment)(setting);
  };

/** Every setting, by the options of a command and the environment. */
export const settingsOf = (command: Command, { environment, isTerminal }: Shell): Value<Settings> =>
  readSettings(environment, isTerminal, textOf(command, environment));

/** One setting, by the options of a command and the environment. */
export const settingOf = <A>(command: Command, { environment }: Shell, setting: Setting<A>): Value<A> =>
  setting.kind.parse(setting.name, textOf(command, environment)(setting));

/** Adds the option that names the store. */
export const withDatabase = (command: Command): Command => withSetting(command, SETTINGS.database);

/** The store that a command works on. */
export const databaseOf = (command: Command, shell: Shell): Effect.Effect<Database, CommandFailed> =>
  orUsage(settingOf(command, shell, SETTINGS.database));

/** The values of an option that accepts several, separated by commas. */
export const splitList = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Adds `--json`. */
export const withJson = (command: Command): Command =>
  command.option("--json", "print JSON, one object a line, for programs");

/** Adds the options that name a server, or a store and a customer. */
export const withTarget = (command: Command): Command =>
  withDatabase(command)
    .option("--url <url>", "a server to use instead of a store (QUITTANCE_URL)")
    .option("--key <key>", "an API key for it; better in the environment (QUITTANCE_KEY)")
    .option("--customer <id>", "the customer in the store; optional if there is only one");
