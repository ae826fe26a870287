/** Reads of a whole store on one snapshot: everything is as it was at one moment, while servers continue working. */
import * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Chunk, Effect, type Layer, Option, Stream } from "effect";
import type { Ids } from "quittance";
import { Storage } from "quittance";
import * as Sql from "../sql/index.ts";
import { runnerOverClient } from "../sql/Statement.ts";
import * as StorageOverSql from "../sql/Storage.ts";
import { type PersistentDatabase, sqlClient } from "./Store.ts";

/** The value of a parameter; an array is one array. */
export type Parameter = string | number | boolean | null;

/** Statements on the rows of one customer, all of one snapshot. */
export interface Reader {
  readonly customerId: Ids.CustomerId;
  /** The rows of a statement; the first parameter is the customer. */
  readonly rows: <Row extends object>(
    text: string,
    ...parameters: ReadonlyArray<Parameter>
  ) => Effect.Effect<ReadonlyArray<Row>, Storage.StorageError>;
  /**
   * The rows of a statement page by page: it takes the customer, the id after which the page begins and the number of
   * rows, and returns rows with an `id` in its order.
   */
  readonly pages: <Row extends { readonly id: string }>(
    text: string,
    size: number,
    ...parameters: ReadonlyArray<Parameter>
  ) => Stream.Stream<Row, Storage.StorageError>;
  /** The storage port, to read. */
  readonly storage: Storage.StorageService;
}

/** No commit: the transaction of a snapshot writes nothing. */
const neverCommit: Storage.Records["commit"] = () => Effect.dieMessage("a snapshot is read only");

/** Before every id. */
const FIRST = "00000000-0000-0000-0000-000000000000";

const reader = (sql: SqlClient.SqlClient, customerId: Ids.CustomerId): Reader => {
  const rows: Reader["rows"] = <Row extends object>(text: string, ...parameters: ReadonlyArray<Parameter>) =>
    Effect.mapError(sql.unsafe<Row>(text, [customerId, ...parameters]), Sql.failure);
  return {
    customerId,
    rows,
    pages: <Row extends { readonly id: string }>(
      text: string,
      size: number,
      ...parameters: ReadonlyArray<Parameter>
    ) =>
      Stream.paginateChunkEffect<string, Row, Storage.StorageError, never>(FIRST, (after) =>
        Effect.map(rows<Row>(text, after, size, ...parameters), (found) => [
          Chunk.unsafeFromArray(found),
          found.length < size ? Option.none() : Option.fromNullable(found.at(-1)?.id),
        ]),
      ),
    storage: StorageOverSql.make(runnerOverClient(sql), neverCommit),
  };
};

/** SQL for the next customer of a table after another one; it reads one entry of an index. */
const nextCustomerOf = (table: string): string =>
  `(select t.customer_id from quittance.${table} t where t.customer_id > $1::uuid order by t.customer_id limit 1)`;

/** Every customer with any record has a row in one of these tables. */
const TABLES = ["schemas", "partners", "api_keys", "billing_profiles", "plans", "events"];

const NEXT_CUSTOMER = `select least(${TABLES.map(nextCustomerOf).join(", ")}) as id`;

/** The role that reads across customers, where row-level security needs it. */
const AS_PLATFORM = `select set_config('role', 'quittance_platform', true)
where (select c.relrowsecurity from pg_class c where c.oid = 'quittance.attributions'::regclass)
  and not (select r.rolsuper or r.rolbypassrls from pg_roles r where r.rolname = current_user)`;

const AS_OURSELVES = "select set_config('role', 'none', true)";
const AS_CUSTOMER = "select set_config('app.customer_id', $1, true)";

const customerIds = (
  sql: SqlClient.SqlClient,
  customersMax: number,
): Effect.Effect<ReadonlyArray<Ids.CustomerId>, SqlError.SqlError> =>
  Effect.gen(function* () {
    yield* sql.unsafe(AS_PLATFORM);
    const found: Array<Ids.CustomerId> = [];
    while (found.length < customersMax) {
      const [row] = yield* sql.unsafe<{ readonly id: Ids.CustomerId | null }>(NEXT_CUSTOMER, [
        found.at(-1) ?? FIRST,
      ]);
      if (row === undefined || row.id === null) break;
      found.push(row.id);
    }
    yield* sql.unsafe(AS_OURSELVES);
    return found;
  });

/** Runs in a transaction that reads one snapshot and writes nothing. */
const inSnapshot = <A, E>(
  sql: SqlClient.SqlClient,
  task: Effect.Effect<A, E | SqlError.SqlError | Storage.StorageError>,
): Effect.Effect<A, E | Storage.StorageError> =>
  Sql.inTransaction(
    sql,
    Effect.zipRight(
      sql.unsafe("set transaction isolation level repeatable read, read only").unprepared,
      task,
    ),
  ).pipe(
    Effect.mapError((error) =>
      typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"
        ? Sql.failure(error)
        : (error as E | Storage.StorageError),
    ),
  );

/** Fails on a database whose schema is not that of this program. */
const requireCurrentSchema = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(Sql.status(sql), ({ present, needed }) =>
    present === needed
      ? Effect.void
      : Effect.fail(
          new Storage.StorageError({
            reason: "broken",
            cause: Sql.schemaMismatch(present),
          }),
        ),
  );

/** The customers of a store in the order of their ids, at most `most`. */
export const customers = (
  store: Layer.Layer<SqlClient.SqlClient, Storage.StorageError>,
  customersMax: number,
): Effect.Effect<ReadonlyArray<Ids.CustomerId>, Storage.StorageError> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(
      requireCurrentSchema(sql),
      inSnapshot<ReadonlyArray<Ids.CustomerId>, never>(sql, customerIds(sql, customersMax)),
    ),
  ).pipe(Effect.provide(store));

/** Calls a function for each customer, or for one, with a reader of its rows; all readers see the same snapshot. */
export const forEachCustomer = <E>(
  database: PersistentDatabase,
  only: Ids.CustomerId | null,
  visit: (reader: Reader) => Effect.Effect<void, E | Storage.StorageError>,
): Effect.Effect<number, E | Storage.StorageError> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(
      requireCurrentSchema(sql),
      inSnapshot<number, E>(
        sql,
        Effect.gen(function* () {
          const ids = only === null ? yield* customerIds(sql, Number.POSITIVE_INFINITY) : [only];
          for (const id of ids) {
            yield* sql.unsafe(AS_CUSTOMER, [id]);
            yield* visit(reader(sql, id));
          }
          return ids.length;
        }),
      ),
    ),
  ).pipe(Effect.provide(sqlClient(database)));
