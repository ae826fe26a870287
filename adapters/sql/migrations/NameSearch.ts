/** Searchable names, which the engine computes and stores; recomputed when the algorithm or Unicode changes. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Effect } from "effect";
import { Text } from "quittance";

/** The versions of the algorithm and of Unicode with which this process computes searchable names. */
const FINGERPRINT = `${Text.SEARCHABLE_VERSION}/${globalThis.process?.versions?.unicode ?? "unknown"}`;

const BATCH = 1_000;

interface Named {
  readonly customer_id: string;
  readonly id: string;
  readonly name: string;
  readonly name_searchable: string;
}

const NONE = "00000000-0000-0000-0000-000000000000";

const recomputeTable = (sql: SqlClient.SqlClient, table: string): Effect.Effect<void, SqlError.SqlError> => {
  const recomputeAfter = (customerId: string, id: string): Effect.Effect<void, SqlError.SqlError> =>
    Effect.gen(function* () {
      const rows = yield* sql.unsafe<Named>(
        `select customer_id::text, id::text, name, name_searchable from ${table}
         where (customer_id, id) > ($1::uuid, $2::uuid) order by customer_id, id limit ${BATCH}`,
        [customerId, id],
      );
      const changed = rows.flatMap(({ name, name_searchable, ...row }) => {
        const searchable = Text.searchable(name);
        return searchable === name_searchable ? [] : [{ ...row, searchable }];
      });
      if (changed.length > 0) {
        yield* sql.unsafe(
          `update ${table} t set name_searchable = r.searchable
           from jsonb_to_recordset($1::jsonb) as r(customer_id uuid, id uuid, searchable text)
           where t.customer_id = r.customer_id and t.id = r.id`,
          [JSON.stringify(changed)],
        );
      }
      const last = rows.at(-1);
      if (last !== undefined && rows.length === BATCH) yield* recomputeAfter(last.customer_id, last.id);
    });
  return recomputeAfter(NONE, NONE);
};

/** Recomputes searchable names in batches, updates those that differ, and stores the versions. */
export const recompute = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    yield* recomputeTable(sql, "quittance.schemas");
    yield* recomputeTable(sql, "quittance.partners");
    yield* recomputeTable(sql, "quittance.plans");
    yield* sql.unsafe("update quittance.migrations set name_search = $1", [FINGERPRINT]);
  });

/** True if the stored names were computed with the versions of this process. */
export const isCurrent = (sql: SqlClient.SqlClient): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql.unsafe<{ readonly known: boolean }>(
      "select coalesce(bool_and(name_search = $1), false) as known from quittance.migrations",
      [FINGERPRINT],
    ),
    ([row]) => row?.known === true,
  );
