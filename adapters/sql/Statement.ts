/** Running SQL: texts are constant, values are parameters, and every failure is the port's. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Chunk, Context, Effect, Option, Stream } from "effect";
import { type Storage, Text, TimeSlice } from "quittance";
import { failure } from "./Failure.ts";
import type { TenantScope } from "./TenantScope.ts";

/** A text with placeholders, and the rows that row-level security lets it see. */
export interface Statement {
  readonly text: string;
  readonly scope: TenantScope;
}

/** What a parameter may be; arrays go as array literals, made by {@link uuids}, {@link texts} and {@link integers}. */
export type Parameter = string | number | boolean | null | Uint8Array;

/** Runs single statements, each on a snapshot of its own, on any free connection. */
export interface Runner {
  readonly run: <Row extends object>(
    statement: Statement,
    parameters: ReadonlyArray<Parameter>,
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>;
  /**
   * Runs statements of thousands of rows, which take long: fewer of them at once than there are connections, so that one
   * of a few rows does not wait for them. Absent where there is but one connection.
   */
  readonly large?: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError.SqlError>;
  /** Lets those ask too whose requests arrived together with the present one. */
  readonly turn: Effect.Effect<void>;
}

/** What runs the statements of the ports; migrations take the whole client. */
export class Statements extends Context.Tag("quittance/adapters/sql/Statements")<Statements, Runner>() {}

/**
 * Runs statements as the client does, with its spans. Nobody is waited for: where the database answers without a turn of
 * the event loop, a busy process may have none for long.
 */
export const overClient = (sql: SqlClient.SqlClient): Runner => ({
  run: <Row extends object>({ text }: Statement, parameters: ReadonlyArray<Parameter>) =>
    sql.unsafe<Row>(text, parameters),
  turn: Effect.void,
});

/** Statements of more rows than this are {@link Runner.large}. */
export const LARGE_ROWS = 500;

/** The runner as it is for a statement of so many rows. */
export const sized = (sql: Runner, rowCount: number): Runner => {
  const { large } = sql;
  return large === undefined || rowCount <= LARGE_ROWS
    ? sql
    : { ...sql, run: (statement, parameters) => large(sql.run(statement, parameters)) };
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An array of ids. What is no id in canonical form names no record, and is left out. */
export const uuids = (ids: Iterable<string>): string =>
  `{${[...ids].filter((id) => UUID.test(id)).join(",")}}`;

/** An array of texts. What no record can hold is left out. */
export const texts = (values: Iterable<string>): string =>
  `{${[...values]
    .filter((value) => Text.unstorable(value) === null)
    .map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`)
    .join(",")}}`;

/** An array of whole numbers. */
export const integers = (values: ReadonlyArray<number>): string => `{${values.join(",")}}`;

/** Runs one statement, on a snapshot of its own. */
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
export const first = <Record, None>(
  found: Effect.Effect<ReadonlyArray<Record>, Storage.StorageError>,
  none: None,
): Effect.Effect<Record | None, Storage.StorageError> => Effect.map(found, ([one]) => one ?? none);

/**
 * The rows of a statement whose columns are JSON cast to text, parsed in slices: the driver would parse thousands of
 * them without letting anybody in.
 */
export const parsed = <Row extends object>(
  sql: Runner,
  statement: Statement,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<ReadonlyArray<Row>, Storage.StorageError> =>
  Effect.flatMap(rows<Readonly<Record<string, string | null>>>(sql, statement, parameters), (found) =>
    TimeSlice.map(found, (row) => {
      const read: Record<string, unknown> = {};
      for (const name in row) read[name] = JSON.parse(row[name] ?? "null");
      return read as Row;
    }),
  );

/** Pages of items, asked for one after the other until one is not full; no connection is held between them. */
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
