/** Declares the schema to Citus, the extension that distributes PostgreSQL over many machines. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Effect } from "effect";

/** Reference tables, complete on every node. All others are distributed. A change of one needs every node. */
export const REFERENCE: ReadonlyArray<string> = ["migrations", "api_key_routes"];

/** The distributed table that all others are stored next to, customer by customer. */
const FIRST = "commands";

/** Functions that run on the node of the customer, which is their first argument. */
const DELEGATED = [
  "commit_command",
  "create_attributions",
  "create_ordered_attributions",
  "resolve_command",
  "compact_rollups",
  "feed_backlog",
  "append_to_feed",
] as const;

/**
 * Every key of a distributed table begins with the customer. Elsewhere a payment reference alone is the key, and the first
 * column by which it is found; here an index finds it in each shard. References are random, so that two customers never
 * have the same.
 */
const KEY_BY_CUSTOMER = `
do $body$
begin
  if exists (
    select from pg_constraint k
    where k.conrelid = 'quittance.payment_references'::regclass and k.contype = 'p' and cardinality(k.conkey) = 1
  ) then
    alter table quittance.payment_references drop constraint payment_references_pkey;
    alter table quittance.payment_references
      add constraint payment_references_pkey primary key (customer_id, reference);
    create index payment_references_by_reference on quittance.payment_references (reference);
  end if;
end
$body$`;

/** Citus refuses changes of objects in a transaction that has changed shards in parallel. */
const SEQUENTIAL = "set local citus.multi_shard_modify_mode = 'sequential'";

/** What is undone before tables are declared: distributed tables have no triggers and no policies. */
const PREPARE = [
  SEQUENTIAL,
  KEY_BY_CUSTOMER,
  `
do $body$
declare
  ours record;
begin
  for ours in
    select t.tgname as name, c.relname as holder from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'quittance'::regnamespace and t.tgname = 'append_only'
  loop
    execute format('drop trigger %I on quittance.%I', ours.name, ours.holder);
  end loop;
  for ours in
    select p.policyname as name, p.tablename as holder from pg_policies p where p.schemaname = 'quittance'
  loop
    execute format('drop policy %I on quittance.%I', ours.name, ours.holder);
  end loop;
  for ours in
    select c.relname as holder from pg_class c where c.relnamespace = 'quittance'::regnamespace and c.relrowsecurity
  loop
    execute format('alter table quittance.%I disable row level security, no force row level security', ours.holder);
  end loop;
end
$body$`,
];

/**
 * Missing rights make distributed tables append-only. They are revoked after the declaration, which gives the owner its
 * rights on each node. Lines keep the right to update: the database needs it to check foreign keys to them. Events keep it for
 * their contents, because personal data is erased from them.
 */
const APPEND_ONLY = [
  "revoke update, delete, truncate on quittance.events from public, current_user",
  "grant update (event, stored, person) on quittance.events to current_user",
  "revoke delete, truncate on quittance.settlement_lines from public, current_user",
  "revoke update, delete, truncate on quittance.reversals from public, current_user",
  "revoke update, delete, truncate on quittance.movements from public, current_user",
] as const;

/** The query that finds out whether the database has the extension. */
export const PRESENT = "select to_regproc('create_distributed_table') is not null as present";

/** The query that finds out whether a node of the cluster can store rows. */
export const HAS_NODES =
  "select exists (select from pg_dist_node n where n.isactive and n.shouldhaveshards) as present";

const CATALOGUE = "select to_regclass('pg_dist_partition') is not null as present";

const IS_DECLARED = "exists (select from pg_dist_partition p where p.logicalrelid = c.oid)";

const DECLARED = `select c.relname as name from pg_class c
where c.relnamespace = to_regnamespace('quittance') and ${IS_DECLARED}`;

/** The tables that are not declared, with the tables among them that each refers to. */
const UNDECLARED = `
select c.relname as name, array(
  select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
  where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as targets
from pg_class c
where c.relnamespace = 'quittance'::regnamespace and c.relkind = 'r' and not ${IS_DECLARED}
order by c.relname <> '${FIRST}', c.relname`;

/** Without a primary key or this setting, Citus cannot move a customer to another node while it is written to. */
const WITHOUT_IDENTITY = `
select c.relname as name from pg_class c
where c.relnamespace = 'quittance'::regnamespace and c.relkind = 'r' and c.relreplident = 'd'
  and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
order by c.relname`;

const DELEGATION = DELEGATED.map(
  (name) =>
    `select create_distributed_function('quittance.${name}'::regproc::regprocedure, '$1', colocate_with => 'quittance.${FIRST}')`,
);

interface Undeclared {
  readonly name: string;
  readonly targets: ReadonlyArray<string>;
}

const distributeStatement = (table: string): string => {
  if (REFERENCE.includes(table)) return `select create_reference_table('quittance.${table}')`;
  const colocation = table === FIRST ? "" : `, colocate_with => 'quittance.${FIRST}'`;
  return `select create_distributed_table('quittance.${table}', 'customer_id'${colocation})`;
};

/** Each table after the tables that it refers to. */
const sortedByReference = (tables: ReadonlyArray<Undeclared>): ReadonlyArray<string> => {
  const ordered = new Set<string>();
  const add = ({ name, targets }: Undeclared): void => {
    if (ordered.has(name)) return;
    for (const target of tables) if (targets.includes(target.name)) add(target);
    ordered.add(name);
  };
  for (const table of tables) add(table);
  return [...ordered];
};

const run = (
  sql: SqlClient.SqlClient,
  statements: ReadonlyArray<string>,
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true });

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

/** Prepares a transaction for changes of the schema, before its first one. Returns whether any table is declared. */
export const prepare = (sql: SqlClient.SqlClient): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.flatMap(declaredTables(sql), (declared) =>
    declared.length === 0 ? Effect.succeed(false) : Effect.as(run(sql, [SEQUENTIAL]), true),
  );

/** Removes policies and triggers from a distributed database. Does nothing where nothing is declared. */
export const removeGuards = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(declaredTables(sql), (declared) =>
    declared.length === 0 ? Effect.void : run(sql, PREPARE),
  );

/**
 * Declares what is not declared yet: tables, and functions, which each migration creates again. Removes policies and
 * triggers, and rights that make tables append-only. It can be repeated at any time, also after it was interrupted.
 */
export const declare = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    yield* run(sql, PREPARE);
    const identities = yield* sql.unsafe<{ readonly name: string }>(WITHOUT_IDENTITY).unprepared;
    yield* run(
      sql,
      identities.map(({ name }) => `alter table quittance.${name} replica identity full`),
    );
    const tables = yield* sql.unsafe<Undeclared>(UNDECLARED).unprepared;
    yield* run(sql, sortedByReference(tables).map(distributeStatement));
    yield* run(sql, [...APPEND_ONLY, ...DELEGATION]);
  });
