/** Transactions whose end may fail: the client's own end the process when the database goes away before commit or rollback. */
import type * as SqlClient from "@effect/sql/SqlClient";
import { SqlError } from "@effect/sql/SqlError";
import { Cause, Effect, Option } from "effect";

/**
 * Runs a task in one transaction. A commit or rollback that cannot be sent is a failure: that of the task if it has one, which
 * is why the connection broke.
 */
export const inTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  task: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | SqlError, R> =>
  Effect.suspend(() => {
    let ended: Cause.Cause<E> | null = null;
    const noted = Effect.tapErrorCause(task, (cause) =>
      Effect.sync(() => {
        ended = cause;
      }),
    );
    return Effect.catchAllCause(sql.withTransaction(noted), (cause): Effect.Effect<never, E | SqlError> => {
      const defect = Option.getOrNull(Cause.dieOption(cause));
      return defect instanceof SqlError
        ? ended === null
          ? Effect.fail(defect)
          : Effect.failCause(ended)
        : Effect.failCause(cause);
    });
  });
