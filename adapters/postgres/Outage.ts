/** Logs when the server can no longer be used and when it can again: one line for each change, whatever fails in between. */
import * as SqlError from "@effect/sql/SqlError";
import { Effect, Runtime } from "effect";
import { InnermostMessage } from "quittance";
import { isAnswered, isOfNode, OutageError, UNCONNECTED } from "../sql/index.ts";

/** Receives the outcomes of connecting and of statements, and returns the errors of those that failed. */
export interface Outage {
  /** How many statements have succeeded. */
  readonly successes: () => number;
  /** The error of a statement that got no connection; it needs the successes before the statement. */
  readonly unconnected: (cause: unknown, successesBefore: number) => SqlError.SqlError;
  /** The error of a statement that was sent. */
  readonly failed: (text: string, cause: Error) => SqlError.SqlError;
  readonly succeeded: (text: string) => void;
}

/** The SQLSTATE of a write on a server that only reads, such as a standby. */
const READ_ONLY = "25006";

/** The message of the pool when all of its connections are in use for too long. */
const ALL_IN_USE = "timeout exceeded when trying to connect";

/** True if an error shows that the server is away, shutting down or starting. */
const isAway = (cause: unknown): cause is Error =>
  cause instanceof Error && !isAnswered(cause) && !isOfNode(cause) && cause.message !== ALL_IN_USE;

const FAILED = "Failed to execute statement";

/** Two states that begin and end independently: the server cannot be reached, and it only reads. */
export const make: Effect.Effect<Outage> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const log = Runtime.runFork(runtime);
  let successes = 0;
  /** When each state began, in milliseconds; null while it is not. */
  let unreachableSince: number | null = null;
  let readOnlySince: number | null = null;
  /** The statements that were refused; the success of one of them shows that the server accepts writes again. */
  const refused = new Set<string>();
  const logEnd = (since: number, line: string): void => {
    log(Effect.logInfo(`${line}, after ${Math.round((performance.now() - since) / 1_000)} s`));
  };
  // Before the first success nothing is lost: the caller reports that it cannot start.
  const isLoss = (cause: unknown): cause is Error => successes > 0 && isAway(cause);
  const lose = (cause: Error, message: string): OutageError => {
    if (unreachableSince === null) {
      unreachableSince = performance.now();
      log(Effect.logError(`the database cannot be reached: ${InnermostMessage.innermostMessage(cause)}`));
    }
    return new OutageError({ cause, message });
  };
  const refuse = (text: string, cause: Error): OutageError => {
    refused.add(text);
    if (readOnlySince === null) {
      readOnlySince = performance.now();
      log(Effect.logError(`the database is read-only, commands fail: ${cause.message}`));
    }
    return new OutageError({ cause, message: FAILED });
  };
  return {
    successes: () => successes,
    unconnected: (cause, successesBefore) => {
      // While other statements succeed, the server can be reached.
      const isOutage = unreachableSince !== null || successes === successesBefore;
      return isOutage && isLoss(cause)
        ? lose(cause, UNCONNECTED)
        : new SqlError.SqlError({ cause, message: UNCONNECTED });
    },
    failed: (text, cause) => {
      if (Reflect.get(cause, "code") === READ_ONLY) return refuse(text, cause);
      return isLoss(cause) ? lose(cause, FAILED) : new SqlError.SqlError({ cause, message: FAILED });
    },
    succeeded: (text) => {
      successes += 1;
      if (unreachableSince !== null) {
        logEnd(unreachableSince, "the database can be reached again");
        unreachableSince = null;
      }
      if (readOnlySince !== null && refused.has(text)) {
        logEnd(readOnlySince, "the database accepts commands again");
        readOnlySince = null;
        refused.clear();
      }
    },
  };
});
