/** Failures that stop nothing: they are logged, and the work goes on without them. */
import { Cause, Effect, LogLevel } from "effect";
import { StorageError } from "../../ports/Storage.ts";

/** True if a cause is nothing but failures of an outage that the store has logged. */
const isLogged = (cause: Cause.Cause<unknown>): boolean =>
  Cause.isFailure(cause) &&
  [...Cause.defects(cause)].length === 0 &&
  [...Cause.failures(cause)].every((failure) => failure instanceof StorageError && failure.isLogged === true);

/**
 * Logs a failure with its cause. A failure of an outage that the store has logged is logged at debug level: otherwise every
 * kind of work would repeat it until the outage ends.
 */
export const logFailure = (
  level: LogLevel.LogLevel,
  problem: string,
  cause: Cause.Cause<unknown>,
): Effect.Effect<void> => Effect.logWithLevel(isLogged(cause) ? LogLevel.Debug : level, problem, cause);

/** Logs a failure as a warning, with its cause, and succeeds; an interruption remains one. */
export const logAndContinue =
  (problem: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.catchAllCause(Effect.asVoid(effect), (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : logFailure(LogLevel.Warning, problem, cause),
    );
