/**
 * One connection of a database, for statements that need it for long: the transaction of `SqlClient` is a service of the
 * fiber, so that a second database inside the first one's transaction would use its connection.
 */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Effect, type Scope } from "effect";

/** A connection that nobody else uses until its scope closes. */
export interface Session {
  /** The rows of one statement. Values are texts, or what the driver makes of small types. */
  readonly rows: <Row extends object>(
    text: string,
    ...parameters: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>;
}

/** How values become text: the same in every database, whatever its settings are. */
const SETTINGS = [
  "set timezone = 'UTC'",
  "set datestyle = 'ISO'",
  "set bytea_output = 'hex'",
  "set extra_float_digits = 1",
];

/** Takes a connection until the scope closes. */
export const open = (sql: SqlClient.SqlClient): Effect.Effect<Session, SqlError.SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* sql.reserve;
    const session: Session = {
      rows: (text, ...parameters) =>
        parameters.length === 0
          ? connection.executeUnprepared(text, [], undefined)
          : connection.execute(text, parameters, undefined),
    };
    for (const setting of SETTINGS) yield* session.rows(setting);
    return session;
  });

/** Runs a task in a transaction of its own, which begins with a statement and is rolled back where the task fails. */
export const inTransaction = <A, E>(
  session: Session,
  begin: string,
  task: Effect.Effect<A, E>,
): Effect.Effect<A, E | SqlError.SqlError> =>
  session.rows(begin).pipe(
    Effect.zipRight(task),
    Effect.zipLeft(session.rows("commit")),
    Effect.onError(() => Effect.ignore(session.rows("rollback"))),
  );
