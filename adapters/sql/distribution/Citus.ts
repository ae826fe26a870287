/** Declares the schema to Citus, the extension that distributes PostgreSQL over many machines. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Effect } from "effect";

/** Reference tables, complete on every node: those that are read before a customer is known. */
const REFERENCE = ["migrations", "api_keys", "payment_references", "outbox"] as const;

/** Tables distributed by customer, each before the tables that refer to it. */
const DISTRIBUTED = [
  "commands",
  "idempotency_records",
  "schemas",
  "partners",
  "formula_sets",
  "attributions",
  "formulas",
  "recomputations",
  "settlements",
  "commissions",
  "settlement_lines",
  "tax_origins",
  "taken_back",
  "reservations",
  "documents",
  "document_bytes",
  "document_series",
  "billing_profiles",
  "events",
  "rollups",
  "rollup_deltas",
] as const;

/** Functions that run on the node of the customer, which is their first argument. */
const DELEGATED = ["commit", "create_attributions", "resolve_command", "compact_rollups"] as const;

/**
 * Distributed tables have no triggers, so that missing rights make them append-only. Lines keep the right to update: the
 * database needs it to check foreign keys to them.
 */
const APPEND_ONLY = [
  "drop trigger if exists append_only on quittance.events",
  "drop trigger if exists append_only on quittance.settlement_lines",
  "drop trigger if exists append_only on quittance.taken_back",
  "revoke update, delete, truncate on quittance.events from public, current_user",
  "revoke delete, truncate on quittance.settlement_lines from public, current_user",
  "revoke update, delete, truncate on quittance.taken_back from public, current_user",
] as const;

/**
 * A setting of the coordinator's transaction does not reach the nodes, where policies would hide every row. A distributed
 * database has no policies.
 */
const DROP_POLICIES = `
do $body$
declare
  guarded record;
begin
  for guarded in
    select p.tablename, p.policyname from pg_policies p where p.schemaname = 'quittance'
  loop
    execute format('drop policy %I on quittance.%I', guarded.policyname, guarded.tablename);
    execute format(
      'alter table quittance.%I disable row level security, no force row level security', guarded.tablename);
  end loop;
end
$body$`;

/** The query that finds out whether the database has the extension. */
export const PRESENT = "select to_regproc('create_distributed_table') is not null as present";

const CATALOGUE = "select to_regclass('pg_dist_partition') is not null as present";

const DECLARED = `select t.relname as name from pg_dist_partition p join pg_class t on t.oid = p.logicalrelid
where t.relnamespace = to_regnamespace('quittance')`;

const PREPARE = [
  "set local citus.multi_shard_modify_mode = 'sequential'",
  ...APPEND_ONLY,
  DROP_POLICIES,
  // A reference table cannot refer to a distributed table.
  "alter table quittance.payment_references drop constraint if exists payment_references_customer_id_settlement_id_fkey",
];

const declaration = (table: string): string => {
  if (REFERENCE.some((name) => name === table)) return `select create_reference_table('quittance.${table}')`;
  const colocation = table === DISTRIBUTED[0] ? "" : `, colocate_with => 'quittance.${DISTRIBUTED[0]}'`;
  return `select create_distributed_table('quittance.${table}', 'customer_id'${colocation})`;
};

const DELEGATION = DELEGATED.map(
  (name) =>
    `select create_distributed_function('quittance.${name}'::regproc::regprocedure, '$1', colocate_with => 'quittance.${DISTRIBUTED[0]}')`,
);

/** The tables that are declared, by name; none on a database without the extension. */
export const declaredTables = (
  sql: SqlClient.SqlClient,
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const [catalogue] = yield* sql.unsafe<{ readonly present: boolean }>(CATALOGUE).unprepared;
    if (catalogue?.present !== true) return [];
    const rows = yield* sql.unsafe<{ readonly name: string }>(DECLARED).unprepared;
    return rows.map(({ name }) => name);
  });

/** Declares the tables that are not declared yet, and every function, since each migration creates functions anew. */
export const declare = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const declared = yield* declaredTables(sql);
    const tables = [...REFERENCE, ...DISTRIBUTED].filter((table) => !declared.includes(table));
    for (const statement of [...PREPARE, ...tables.map(declaration), ...DELEGATION])
      yield* sql.unsafe(statement).unprepared;
  });
