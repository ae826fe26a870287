/** The stored forms of names that lists search: made by the engine, and made anew when its way or Unicode changes. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Effect } from "effect";
import { Text } from "quittance";

/** Which way names are folded by this process: the engine's version, and that of Unicode in its runtime. */
export const FINGERPRINT = `${Text.SEARCHABLE_VERSION}/${globalThis.process?.versions?.unicode ?? "unknown"}`;

const BATCH = 1_000;

interface Named {
  readonly customer_id: string;
  readonly id: string;
  readonly name: string;
  readonly name_searchable: string;
}

const NONE = "00000000-0000-0000-0000-000000000000";

const refoldTable = (sql: SqlClient.SqlClient, table: string): Effect.Effect<void, SqlError.SqlError> => {
  const after = (customerId: string, id: string): Effect.Effect<void, SqlError.SqlError> =>
    Effect.gen(function* () {
      const rows = yield* sql.unsafe<Named>(
        `select customer_id::text, id::text, name, name_searchable from ${table}
         where (customer_id, id) > ($1::uuid, $2::uuid) order by customer_id, id limit ${BATCH}`,
        [customerId, id],
      );
      const moved = rows.flatMap(({ name, name_searchable, ...row }) => {
        const searchable = Text.searchable(name);
        return searchable === name_searchable ? [] : [{ ...row, searchable }];
      });
      if (moved.length > 0) {
        yield* sql.unsafe(
          `update ${table} t set name_searchable = r.searchable
           from jsonb_to_recordset($1::jsonb) as r(customer_id uuid, id uuid, searchable text)
           where t.customer_id = r.customer_id and t.id = r.id`,
          [JSON.stringify(moved)],
        );
      }
      const last = rows.at(-1);
      if (last !== undefined && rows.length === BATCH) yield* after(last.customer_id, last.id);
    });
  return after(NONE, NONE);
};

/** Makes the forms anew that this process would make otherwise, in batches, and notes the way they are made. */
export const refold = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    yield* refoldTable(sql, "quittance.schemas");
    yield* refoldTable(sql, "quittance.partners");
    yield* sql.unsafe("update quittance.migrations set name_search = $1", [FINGERPRINT]);
  });

/** Whether the stored forms are made as this process makes them. */
export const isFolded = (sql: SqlClient.SqlClient): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql.unsafe<{ readonly known: boolean }>(
      "select coalesce(bool_and(name_search = $1), false) as known from quittance.migrations",
      [FINGERPRINT],
    ),
    ([row]) => row?.known === true,
  );
