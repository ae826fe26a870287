/** Parses the command line, and returns the work of the command that it names. */
import { Command, CommanderError } from "commander";
import { Effect } from "effect";
import { type CommandFailed, unusableDatabase, usageError } from "./CommandFailed.ts";
import * as Backup from "./commands/Backup.ts";
import * as Completions from "./commands/Completions.ts";
import * as Copy from "./commands/Copy.ts";
import * as Doctor from "./commands/Doctor.ts";
import * as Erase from "./commands/Erase.ts";
import * as Export from "./commands/Export.ts";
import * as Formula from "./commands/Formula.ts";
import * as Import from "./commands/Import.ts";
import * as Keys from "./commands/Keys.ts";
import * as Migrate from "./commands/Migrate.ts";
import * as OpenApi from "./commands/OpenApi.ts";
import * as Outbox from "./commands/Outbox.ts";
import * as Plans from "./commands/Plans.ts";
import * as Policy from "./commands/Policy.ts";
import * as Receipts from "./commands/Receipts.ts";
import * as Runs from "./commands/Runs.ts";
import * as Serve from "./commands/Serve.ts";
import * as Simulate from "./commands/Simulate.ts";
import * as Takeover from "./commands/Takeover.ts";
import * as Values from "./commands/Values.ts";
import * as Verify from "./commands/Verify.ts";
import * as Workspace from "./commands/Workspace.ts";
import { quiet } from "./Log.ts";
import { print, write } from "./Output.ts";
import type { Environment } from "./Settings.ts";
import type { Declare, Task } from "./Shell.ts";
import { version } from "./Version.ts";

/** The commands, by what they are for. */
const GROUPS: ReadonlyArray<readonly [heading: string, commands: ReadonlyArray<Declare>]> = [
  ["Server:", [Serve.declare, Migrate.declare, Doctor.declare, Keys.declare]],
  [
    "Data:",
    [Import.declare, Takeover.declare, Receipts.declare, Export.declare, Erase.declare, Workspace.declare],
  ],
  ["Formulas:", [Formula.declare, Simulate.declare, Plans.declare, Values.declare]],
  ["Settling:", [Runs.declare, Policy.declare]],
  ["Operating:", [Verify.declare, Outbox.declare, ...Backup.declarations, Copy.declare]],
  ["Other:", [OpenApi.declare, Completions.declare]],
];

const HELP_WIDTH = 110;

const EXIT_CODES = `
Exit codes: 0 success; 1 failure, or problems found; 2 invalid command line, setting or input file.
More about a command: quittance help <command>`;

/** A parser that prints nothing by itself and never ends the process. */
const makeProgram = (output: (text: string) => void): Command =>
  new Command("quittance")
    .enablePositionalOptions()
    .description("The commission and settlement engine. Without a command it starts the server.")
    .configureOutput({
      writeOut: output,
      writeErr: output,
      outputError: () => {},
      getOutHelpWidth: () => Math.min(process.stdout.columns ?? HELP_WIDTH, HELP_WIDTH),
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .configureHelp({ showGlobalOptions: false })
    .exitOverride()
    .helpCommand(false)
    .option("-V, --version", "print the version")
    .addHelpText("after", EXIT_CODES);

/** The parser's message on one line, without the value of an unknown option. */
const lineOf = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, "")
    .replace(/(unknown option '--?[^=']+)=[^']*'/s, "$1'")
    .replace(/\s*\n\s*/g, " ")
    .trim();

/** The words, with the default command where they name none. */
const withCommand = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first] = words;
  const isOption = first === undefined || first.startsWith("-");
  return isOption && !["-h", "--help", "-V", "-v", "--version"].includes(first ?? "")
    ? ["serve", ...words]
    : words;
};

/** `help` and `help <command>` are `--help` and `<command> --help`. */
const withoutHelp = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words[0] === "help" ? [...words.slice(1), "--help"] : words;

const declareAll = (
  program: Command,
  environment: Environment,
  isTerminal: boolean,
  run: (task: Task) => void,
) => {
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const declare of commands) declare(program, { environment, isTerminal, run });
  }
};

/** True if the words request the version. */
const isVersionRequest = ([first]: ReadonlyArray<string>): boolean =>
  first !== undefined && ["-v", "-V", "--version", "version"].includes(first);

/**
 * The work of a command line (without node and script). It prints its result, and fails with one line and an
 * exit code. `isTerminal` is whether a person reads the log.
 */
export const commandLine = (
  words: ReadonlyArray<string>,
  environment: Environment,
  isTerminal: boolean,
): Effect.Effect<void, CommandFailed> => {
  if (isVersionRequest(words)) return print(version());
  let printed = "";
  let task: Task = Effect.void;
  const program = makeProgram((text) => {
    printed += text;
  });
  declareAll(program, environment, isTerminal, (declaredTask) => {
    task = declaredTask;
  });
  try {
    program.parse([...withCommand(withoutHelp(words))], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A request for help ends the parser too; so does a command without its subcommand, which prints its help as an error.
    if (error.exitCode === 0) return write(printed);
    const line = error.code === "commander.help" ? "a subcommand is missing" : lineOf(error);
    const commandName = withCommand(words)
      .slice(0, 1)
      .find((word) => /^[a-z]+$/.test(word));
    const help = program.commands.some((command) => command.name() === commandName) ? ` ${commandName}` : "";
    return usageError(`${line}; see quittance${help} --help`);
  }
  return Effect.catchTags(task, { StorageError: unusableDatabase, CommandFailed: (failure) => failure }).pipe(
    Effect.provide(quiet),
  );
};
