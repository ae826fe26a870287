/** Declares the schema to Citus, the extension that spreads PostgreSQL over many machines, by customer. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Data, Effect } from "effect";
import { Storage } from "quittance";
import { failure } from "./Failure.ts";
import { migrate } from "./Migrations.ts";

/** The database cannot be distributed; the message says why. */
export class NotDistributable extends Data.TaggedError("NotDistributable")<{ readonly message: string }> {}

/** Whole on every node: what is read before a customer is known. */
const REFERENCE = ["migrations", "api_keys", "payment_references", "outbox"] as const;

/** Spread by customer, a table before those that refer to it. */
const DISTRIBUTED = [
  "commands",
  "remembered",
  "schemas",
  "partners",
  "programs",
  "attributions",
  "formulas",
  "recomputations",
  "settlements",
  "commissions",
  "settlement_lines",
  "reservations",
  "documents",
  "document_bytes",
  "document_series",
  "billing_profiles",
  "events",
  "rollups",
  "rollup_deltas",
] as const;

/** Called whole on the node that holds the customer, by their first argument. */
const DELEGATED = ["commit", "credit", "conclude", "fold"] as const;

/**
 * Distributed tables carry no triggers, so rights keep these from changing. Lines keep the right to update: the
 * database itself needs it to check what refers to them.
 */
const APPEND_ONLY = [
  "drop trigger append_only on quittance.events",
  "drop trigger append_only on quittance.settlement_lines",
  "revoke update, delete, truncate on quittance.events from public, current_user",
  "revoke delete, truncate on quittance.settlement_lines from public, current_user",
] as const;

/**
 * What a transaction of the coordinator sets does not reach the nodes, so that policies there would hide every row: a
 * distributed database does without them.
 */
const LOWER_WALL = `
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

const CITUS = "select to_regproc('create_distributed_table') is not null as present";

const DECLARED = `select count(*) as declared from pg_dist_partition t
where t.logicalrelid = 'quittance.attributions'::regclass`;

const PREPARE = [
  "set local citus.multi_shard_modify_mode = 'sequential'",
  ...APPEND_ONLY,
  LOWER_WALL,
  // A table that is whole everywhere cannot refer to one that is not.
  "alter table quittance.payment_references drop constraint payment_references_customer_id_settlement_id_fkey",
];

const DECLARE = [
  ...REFERENCE.map((table) => `select create_reference_table('quittance.${table}')`),
  ...DISTRIBUTED.map((table, index) =>
    index === 0
      ? `select create_distributed_table('quittance.${table}', 'customer_id')`
      : `select create_distributed_table('quittance.${table}', 'customer_id', colocate_with => 'quittance.${DISTRIBUTED[0]}')`,
  ),
  ...DELEGATED.map(
    (name) =>
      `select create_distributed_function('quittance.${name}'::regproc::regprocedure, '$1', colocate_with => 'quittance.${DISTRIBUTED[0]}')`,
  ),
];

const declare = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const [found] = yield* sql.unsafe<{ readonly declared: number | string }>(DECLARED).unprepared;
    if (Number(found?.declared ?? 0) > 0) return;
    for (const statement of [...PREPARE, ...DECLARE]) yield* sql.unsafe(statement).unprepared;
  });

const broken = new Storage.StorageFailed({
  reason: "broken",
  cause: new NotDistributable({
    message: "the database has no Citus extension: only a Citus cluster can be distributed",
  }),
});

/**
 * Brings the schema up to date and declares every table, all or none; what is distributed already is left as it is.
 * Fails on a database without the extension, and changes nothing there.
 */
export const distribute = (sql: SqlClient.SqlClient): Effect.Effect<void, Storage.StorageFailed> =>
  Effect.gen(function* () {
    const [citus] = yield* Effect.mapError(
      sql.unsafe<{ readonly present: boolean }>(CITUS).unprepared,
      failure,
    );
    if (citus?.present !== true) return yield* broken;
    yield* migrate(sql);
    yield* Effect.mapError(sql.withTransaction(declare(sql)), failure);
  });
