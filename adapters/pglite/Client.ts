/** An SQL client over PGlite. It has one connection: a statement waits until no other runs and no transaction is open. */
import * as Reactivity from "@effect/experimental/Reactivity";
import * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlConnection from "@effect/sql/SqlConnection";
import * as SqlError from "@effect/sql/SqlError";
import * as Statement from "@effect/sql/Statement";
import type { PGlite } from "@electric-sql/pglite";
import { Effect, Layer, Queue, type Scope, Stream } from "effect";

const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: Statement.defaultEscape('"'),
  onRecordUpdate: (placeholders, alias, columns, values, returning) => [
    `(values ${placeholders}) AS ${alias}${columns}${returning === undefined ? "" : ` RETURNING ${returning[0]}`}`,
    returning === undefined ? values.flat() : values.flat().concat(returning[1]),
  ],
  onCustom: () => ["", []],
});

/** Completes after a turn of the event loop, in which sockets, timers and waiting computations are served. */
const loopTurns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Runs a statement and then a turn of the event loop. The database computes in this thread and completes in microtasks:
 * without the turn, steady readers would block everything else.
 */
const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, SqlError.SqlError> =>
  Effect.tryPromise({
    try: () => run().finally(loopTurns),
    catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to execute statement" }),
  });

/** Characters of parameters that count as one more statement, so that a statement of ten thousand rows weighs as much as many small ones. */
const STATEMENT_CHARACTERS = 4_096;

const weightOf = (parameters: ReadonlyArray<unknown>): number =>
  1 +
  Math.floor(
    parameters.reduce<number>(
      (sum, parameter) => sum + (typeof parameter === "string" ? parameter.length : 0),
      0,
    ) / STATEMENT_CHARACTERS,
  );

/** A connection that wraps every statement, so that it can wait for its turn; `weight` is in small statements. */
const connection = (
  database: PGlite,
  turn: <A>(run: Effect.Effect<A, SqlError.SqlError>, weight: number) => Effect.Effect<A, SqlError.SqlError>,
): SqlConnection.Connection => {
  const query = (text: string, parameters: ReadonlyArray<unknown>) =>
    turn(
      attempt(() => database.query<Record<string, unknown>>(text, [...parameters])),
      weightOf(parameters),
    );
  const rows = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(query(text, parameters), (result) => result.rows);
  return {
    execute: rows,
    executeRaw: query,
    executeValues: (text, parameters) =>
      Effect.map(rows(text, parameters), (records) => records.map(Object.values)),
    // Several statements in one text are possible only without parameters.
    executeUnprepared: (text, parameters) =>
      parameters.length > 0
        ? rows(text, parameters)
        : Effect.map(
            turn(
              attempt(() => database.exec(text)),
              1,
            ),
            (results) => results.at(-1)?.rows ?? [],
          ),
    executeStream: (text, parameters) => Stream.fromIterableEffect(rows(text, parameters)),
  };
};

/** Statements before the first upkeep; it is repeated each time their number has doubled, and at the latest after so many. */
const UPKEEP_FIRST = 128;
const UPKEEP_LATEST = 50_000;

const TABLES = `select string_agg(format('%I.%I', schemaname, tablename), ', ') as tables
from pg_tables where schemaname = 'quittance'`;

const upkeep = async (database: PGlite): Promise<void> => {
  const { rows } = await database.query<{ readonly tables: string | null }>(TABLES);
  const tables = rows[0]?.tables ?? null;
  if (tables !== null) await database.exec(`vacuum (analyze) ${tables}`);
};

/**
 * Vacuums and analyses the tables from time to time, as a server does in the background. Without it a long-lived process
 * would use plans that were made when its tables were empty.
 */
const makeUpkeep = (database: PGlite): ((weight: number) => Effect.Effect<void>) => {
  let statements = 0;
  let due = UPKEEP_FIRST;
  return (weight) =>
    Effect.suspend(() => {
      const now = statements + 1;
      statements += weight;
      if (now < due) return Effect.void;
      due = now + Math.min(now, UPKEEP_LATEST);
      return Effect.ignoreLogged(attempt(() => upkeep(database)));
    });
};

/** The client of a database that is open until the scope closes. */
export const layer = (
  open: Effect.Effect<PGlite, SqlError.SqlError, Scope.Scope>,
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.scoped(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const database = yield* open;
      // A token that is passed on in order of arrival. A semaphore lets newcomers overtake those who wait, and steady
      // readers would block a writer for ever.
      const turn = yield* Queue.bounded<void>(1);
      const release = Queue.offer(turn, undefined);
      yield* release;
      const runUpkeep = makeUpkeep(database);
      const transaction = Effect.acquireRelease(Queue.take(turn), () => release);
      return yield* SqlClient.make({
        acquirer: Effect.succeed(
          connection(database, (run, weight) =>
            Effect.acquireUseRelease(
              Queue.take(turn),
              () => Effect.zipRight(runUpkeep(weight), run),
              () => release,
            ),
          ),
        ),
        transactionAcquirer: Effect.as(
          transaction,
          connection(database, (run) => run),
        ),
        compiler,
        spanAttributes: [["db.system.name", "postgresql"]],
      });
    }),
  ).pipe(Layer.provide(Reactivity.layer));
