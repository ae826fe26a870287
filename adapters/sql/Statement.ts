/** Runs SQL: texts are constant, values are parameters, and every failure becomes one of the port. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Chunk, Context, Effect, Option, Stream } from "effect";
import { type Storage, Text, TimeSlice } from "quittance";
import { failure } from "./Failure.ts";
import type { Parameter, Statement } from "./TenantScope.ts";

export type { Parameter, Statement } from "./TenantScope.ts";

/** Runs single statements, each on its own snapshot, on any free connection. */
export interface Runner {
  readonly run: <Row extends object>(
    statement: Statement,
    parameters: ReadonlyArray<Parameter>,
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>;
  /**
   * Runs a statement of thousands of rows, which takes long. Fewer of them run at once than there are connections, so that
   * a statement of few rows does not wait for them. Absent when there is only one connection.
   */
  readonly large?: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError.SqlError>;
  /** Completes when the requests that arrived together with the present one have been read. */
  readonly turn: Effect.Effect<void>;
}

/** The runner for the statements of the ports; migrations use the whole client. */
export class Statements extends Context.Tag("quittance/adapters/sql/Statements")<Statements, Runner>() {}

/**
 * A runner over the client, with its spans. It ignores the scope: the embedded database has one user, a superuser, to whom
 * policies do not apply. `turn` completes at once: while the embedded database computes, the event loop may not turn for long.
 */
export const runnerOverClient = (sql: SqlClient.SqlClient): Runner => ({
  run: <Row extends object>({ text }: Statement, parameters: ReadonlyArray<Parameter>) =>
    sql.unsafe<Row>(text, parameters),
  turn: Effect.void,
});

/** Statements of more rows than this are {@link Runner.large}. */
const LARGE_ROWS = 500;

/** The runner for a statement of this many rows. */
export const runnerForRows = (sql: Runner, rowCount: number): Runner => {
  const { large } = sql;
  return large === undefined || rowCount <= LARGE_ROWS
    ? sql
    : { ...sql, run: (statement, parameters) => large(sql.run(statement, parameters)) };
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True if a text is an id in canonical form; any other text names no record. */
export const isUuid = (id: string): boolean => UUID.test(id);

/** No id is after it. */
export const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** An array of ids. A text that is not an id in canonical form is left out. */
export const uuids = (ids: Iterable<string>): string => `{${[...ids].filter(isUuid).join(",")}}`;

/** An array of texts. A text that no record can hold is left out. */
export const texts = (values: Iterable<string>): string =>
  `{${[...values]
    .filter((value) => Text.unstorable(value) === null)
    .map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`)
    .join(",")}}`;

/** An array of whole numbers. */
export const integers = (values: ReadonlyArray<number>): string => `{${values.join(",")}}`;

/** Runs one statement on its own snapshot. */
export const rows = <Row extends object>(
  sql: Runner,
  statement: Statement,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<ReadonlyArray<Row>, Storage.StorageError> =>
  Effect.mapError(sql.run<Row>(statement, parameters), failure);

/** The first row of one statement, or null. */
export const row = <Row extends object>(
  sql: Runner,
  statement: Statement,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<Row | null, Storage.StorageError> =>
  Effect.map(rows<Row>(sql, statement, parameters), ([first]) => first ?? null);

/** The `record` column of every row: a record as plain JSON. */
export const records = <Record>(
  sql: Runner,
  statement: Statement,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<ReadonlyArray<Record>, Storage.StorageError> =>
  Effect.map(rows<{ readonly record: Record }>(sql, statement, parameters), (found) =>
    found.map(({ record }) => record),
  );

/** The first record, or `none` when there is none. */
export const firstOr = <Record, None>(
  found: Effect.Effect<ReadonlyArray<Record>, Storage.StorageError>,
  none: None,
): Effect.Effect<Record | None, Storage.StorageError> => Effect.map(found, ([one]) => one ?? none);

/**
 * The rows of a statement whose columns are JSON cast to text, parsed in time slices. The driver would parse thousands of
 * rows in one turn of the event loop.
 */
export const rowsFromJson = <Row extends object>(
  sql: Runner,
  statement: Statement,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<ReadonlyArray<Row>, Storage.StorageError> =>
  Effect.flatMap(rows<Readonly<Record<string, string | null>>>(sql, statement, parameters), (found) =>
    TimeSlice.map(found, (row) => {
      const values: Record<string, unknown> = {};
      for (const name in row) values[name] = JSON.parse(row[name] ?? "null");
      return values as Row;
    }),
  );

/** Items read page by page until a page is not full. No connection is held between pages. */
export const pages = <Item>(
  size: number,
  next: (after: Item | null) => Effect.Effect<ReadonlyArray<Item>, Storage.StorageError>,
): Stream.Stream<Item, Storage.StorageError> =>
  Stream.paginateChunkEffect<Item | null, Item, Storage.StorageError, never>(null, (after) =>
    Effect.map(next(after), (items) => [
      Chunk.unsafeFromArray(items),
      items.length < size ? Option.none() : Option.fromNullable(items[items.length - 1]),
    ]),
  );
