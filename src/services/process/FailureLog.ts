/** Failures that stop nothing: they are logged, and the work goes on without them. */
import { Cause, Effect } from "effect";

/** Logs a failure as a warning, with its cause, and succeeds; an interruption remains one. */
export const logAndContinue =
  (problem: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.catchAllCause(Effect.asVoid(effect), (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.logWarning(problem, cause),
    );
