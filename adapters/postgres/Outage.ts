/** Logs when the server can no longer be used and when it can again: one line for each change, whatever fails in between. */
import * as SqlError from "@effect/sql/SqlError";
import { Effect, Runtime } from "effect";
import { InnermostMessage } from "quittance";
import { isAnswered, isOfNode, OutageError, UNCONNECTED } from "../sql/index.ts";

/** Receives the outcomes of connecting and of statements, and returns the errors of those that failed. */
export interface Outage {
  /** How many outcomes there have been: a moment to compare others with. */
  readonly now: () => number;
  /** The error of what got no connection; `startedAt` is when it began to wait for one. */
  readonly unconnected: (cause: unknown, startedAt: number) => SqlError.SqlError;
  /** The error of a statement that was sent. */
  readonly failed: (text: string, cause: Error) => SqlError.SqlError;
  /** Ends the states that the statement shows to be over; those that began after it was sent at `sentAt` go on. */
  readonly succeeded: (text: string, sentAt: number) => void;
}

/** The SQLSTATE of a write on a server that only reads, such as a standby. */
const READ_ONLY = "25006";

/** The message of the pool when all of its connections are in use for too long. */
const ALL_IN_USE = "timeout exceeded when trying to connect";

/** True if an error shows that the server is away, shutting down or starting. */
const isAway = (cause: unknown): cause is Error =>
  cause instanceof Error && !isAnswered(cause) && !isOfNode(cause) && cause.message !== ALL_IN_USE;

const FAILED = "Failed to execute statement";

/** A state that an error has shown. */
interface Shown {
  /** When the state began, in milliseconds. */
  readonly since: number;
  /** The moment of the last error that showed it. */
  readonly at: number;
}

/** Two states that begin and end independently: the server cannot be reached, and it only reads. */
export const make: Effect.Effect<Outage> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const log = Runtime.runFork(runtime);
  let now = 0;
  /** When the last of the statements was sent that have succeeded; null before the first success. */
  let reachedAt: number | null = null;
  /** The last error that showed each state; null while it is not. */
  let unreachable: Shown | null = null;
  let readOnly: Shown | null = null;
  /** The statements that were refused; the success of one of them shows that the server accepts writes again. */
  const refused = new Set<string>();
  const shown = (state: Shown | null): Shown => {
    now += 1;
    return { since: state?.since ?? performance.now(), at: now };
  };
  const logEnd = ({ since }: Shown, line: string): void => {
    log(Effect.logInfo(`${line}, after ${Math.round((performance.now() - since) / 1_000)} s`));
  };
  // Before the first success nothing is lost: the caller reports that it cannot start.
  const isLoss = (cause: unknown): cause is Error => reachedAt !== null && isAway(cause);
  const lose = (cause: Error, message: string): OutageError => {
    if (unreachable === null)
      log(Effect.logError(`the database cannot be reached: ${InnermostMessage.innermostMessage(cause)}`));
    unreachable = shown(unreachable);
    return new OutageError({ cause, message });
  };
  const refuse = (text: string, cause: Error): OutageError => {
    refused.add(text);
    if (readOnly === null) log(Effect.logError(`the database is read-only, commands fail: ${cause.message}`));
    readOnly = shown(readOnly);
    return new OutageError({ cause, message: FAILED });
  };
  return {
    now: () => now,
    unconnected: (cause, startedAt) => {
      // While statements that are sent later succeed, the server can be reached.
      const isOutage = unreachable !== null || reachedAt === null || reachedAt < startedAt;
      return isOutage && isLoss(cause)
        ? lose(cause, UNCONNECTED)
        : new SqlError.SqlError({ cause, message: UNCONNECTED });
    },
    failed: (text, cause) => {
      if (Reflect.get(cause, "code") === READ_ONLY) return refuse(text, cause);
      return isLoss(cause) ? lose(cause, FAILED) : new SqlError.SqlError({ cause, message: FAILED });
    },
    succeeded: (text, sentAt) => {
      now += 1;
      reachedAt = Math.max(reachedAt ?? 0, sentAt);
      // The reply to a statement that was sent before the loss may be read after it.
      if (unreachable !== null && unreachable.at <= sentAt) {
        logEnd(unreachable, "the database can be reached again");
        unreachable = null;
      }
      if (readOnly !== null && readOnly.at <= sentAt && refused.has(text)) {
        logEnd(readOnly, "the database accepts commands again");
        readOnly = null;
        refused.clear();
      }
    },
  };
});
