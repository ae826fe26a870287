/** The failure of a command: one line for standard error, and the exit code. */
import { Data, Predicate } from "effect";
import { InnermostMessage, type Storage } from "quittance";

/** Exit code of a command with wrong input: command line, settings, or a file that the operator wrote. */
export const USAGE = 2;

/** Exit code of a command that had correct input and did not succeed. */
export const FAILURE = 1;

/** Ends a command. The message is one line, names the remedy, and contains no secret. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string;
  readonly exitCode: typeof USAGE | typeof FAILURE;
}> {}

/** The operator has to change the command line, a setting or a file. */
export const usageError = (message: string): CommandFailed => new CommandFailed({ message, exitCode: USAGE });

/** The command had correct input and could not do its work. */
export const commandFailure = (message: string): CommandFailed =>
  new CommandFailed({ message, exitCode: FAILURE });

/** The innermost message of a failure, on one line. */
export const messageOf = (cause: unknown): string =>
  InnermostMessage.innermostMessage(cause).split("\n")[0] ?? "";

/** The failure of a command whose embedded store cannot be opened: a folder that cannot hold one is wrong input. */
export const unopenedStore = (cause: unknown, what: string): CommandFailed =>
  Predicate.isTagged(cause, "FolderUnusable")
    ? usageError(`${messageOf(cause)}; name another with --database-url`)
    : commandFailure(`${what}: ${messageOf(cause)}`);

/** The failure of a command whose database cannot be used. */
export const unusableDatabase = ({ cause }: Storage.StorageError): CommandFailed =>
  unopenedStore(cause, "the database cannot be used");
