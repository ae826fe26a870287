import * as SqlClient from "@effect/sql/SqlClient";
import { Effect, Either, Redacted, type Scope } from "effect";
import { Storage } from "quittance";
import { distribute, layer, migrate } from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { client as pool } from "../../../adapters/postgres/Connection.ts";
import { applyStep, replaceCode } from "../../../adapters/sql/migrations/Migrations.ts";
import { connected, database } from "../../support/postgres.ts";

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(test));

/**
 * A substitute for the Citus extension: records the distribution of tables, and checks the requirements of Citus for each. It
 * grants the owner all rights on a distributed table again, as Citus does on shards.
 */
const STAND_IN = `
create table pg_dist_partition (logicalrelid regclass primary key, whole boolean not null);
create table pg_dist_node (isactive boolean not null, shouldhaveshards boolean not null);
create table delegated (name regprocedure primary key);

create function refuse_references(target regclass, whole_only boolean) returns void language plpgsql as $$
begin
  if exists (
    select from pg_constraint c left join pg_dist_partition d on d.logicalrelid = c.confrelid
    where c.contype = 'f' and c.conrelid = target and (
      (d.logicalrelid is null and c.confrelid <> target) or (whole_only and not d.whole) or (not coalesce(d.whole, whole_only) and not exists (
        select from unnest(c.conkey, c.confkey) as k(own, other)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own and a.attname = 'customer_id'
        join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.other and b.attname = 'customer_id')))
  ) then raise exception '% refers to a table that is elsewhere', target; end if;
end $$;

create function create_reference_table(target regclass) returns void language plpgsql as $$
begin
  perform refuse_references(target, true);
  insert into pg_dist_partition values (target, true);
end $$;

create function create_distributed_table(target regclass, spread_by text, colocate_with text default 'default')
returns void language plpgsql as $$
begin
  if exists (select from pg_trigger t where t.tgrelid = target and not t.tgisinternal) then
    raise exception '% has a trigger', target; end if;
  if exists (
    select from pg_index i where i.indrelid = target and i.indisunique and not (
      select a.attnum from pg_attribute a where a.attrelid = target and a.attname = spread_by) = any (i.indkey)
  ) then raise exception '% has a unique key without %', target, spread_by; end if;
  perform refuse_references(target, false);
  insert into pg_dist_partition values (target, false);
  execute format('grant all on %s to current_user', target);
end $$;

create function create_distributed_function(name regprocedure, spread_by text, colocate_with text)
returns void language sql as $$ insert into delegated values (name) on conflict do nothing $$;`;

it("distribution fails on a plain database with a message of one line, and leaves it empty", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database({ migrated: false });
      const refused = yield* Effect.either(distribute({ url }));
      expect(Either.isLeft(refused) && String(refused.left.cause)).toContain("no Citus extension");
      const client = yield* connected(url);
      const { rows } = yield* Effect.promise(() =>
        client.query("select to_regnamespace('quittance') as there"),
      );
      expect(rows).toEqual([{ there: null }]);
    }),
  ));

/** Creates a database with the substitute, and a role that owns it. */
const standIn = Effect.gen(function* () {
  const url = yield* database({ migrated: false });
  const client = yield* connected(url);
  const role = `owner_${new URL(Redacted.value(url)).pathname.slice(-20)}`;
  const owner = Redacted.make(Object.assign(new URL(Redacted.value(url)), { username: role }).href);
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      await client.query(`create role ${role} login`);
      await client.query(
        `grant all on database ${new URL(Redacted.value(url)).pathname.slice(1)} to ${role}`,
      );
      await client.query(`grant all on schema public to ${role}`);
      await client.query(`set role ${role}`);
      await client.query(STAND_IN);
      await client.query("reset role");
    }),
    () => Effect.promise(() => client.query(`drop owned by ${role}; drop role ${role}`)),
  );
  const query = <Row extends object>(text: string) =>
    Effect.map(
      Effect.promise(() => client.query<Row>(text)),
      ({ rows }) => rows,
    );
  const addNode = query("insert into pg_dist_node values (true, true)");
  return { owner, query, addNode };
});

const story = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, [100, 200]);
  yield* Scene.pay(
    yield* Scene.draft(
      scene,
      earned.map(({ commission }) => commission),
    ),
  );
});

const FUNCTIONS = [
  "append_to_feed",
  "commit_command",
  "compact_rollups",
  "create_attributions",
  "create_ordered_attributions",
  "feed_backlog",
  "resolve_command",
];

const DELEGATED = "select p.proname as name from delegated d join pg_proc p on p.oid = d.name order by 1";

const UNDECLARED = `select t.tablename as name from pg_tables t where t.schemaname = 'quittance'
  and not exists (select from pg_dist_partition d
    where d.logicalrelid = format('quittance.%I', t.tablename)::regclass)`;

const GUARDED = `select polname as name from pg_policy union all
  select tgname from pg_trigger where not tgisinternal and tgrelid::regclass::text like 'quittance.%' union all
  select relname from pg_class where relrowsecurity`;

const WITHOUT_KEY = `select c.relname as name from pg_class c
where c.relnamespace = 'quittance'::regnamespace and c.relkind = 'r' and c.relreplident <> 'f'
  and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`;

interface Named {
  readonly name: string;
}

/** Expects that all tables and functions are distributed. */
const expectDistributed = (query: (text: string) => Effect.Effect<ReadonlyArray<Named>>) =>
  Effect.gen(function* () {
    expect(yield* query(UNDECLARED)).toEqual([]);
    expect(yield* query(GUARDED)).toEqual([]);
    expect(yield* query(WITHOUT_KEY)).toEqual([]);
    expect((yield* query(DELEGATED)).map(({ name }) => name)).toEqual(FUNCTIONS);
  });

const CHANGES_OF_THE_LOG = [
  "update quittance.events set actor = 'somebody else'",
  "delete from quittance.events",
  "truncate quittance.events",
  "delete from quittance.settlement_lines",
  "delete from quittance.reversals",
  "delete from quittance.movements",
];

/** Expects that the owner of the tables cannot change append-only rows. */
const expectAppendOnly = (owner: Redacted.Redacted) =>
  Effect.gen(function* () {
    const asOwner = yield* connected(owner);
    for (const text of CHANGES_OF_THE_LOG) {
      const refused = yield* Effect.either(Effect.tryPromise(() => asOwner.query(text)));
      expect(Either.isLeft(refused) && String(refused.left.cause), text).toContain("permission denied");
    }
  });

it("distribution fails on a cluster without nodes, and leaves the database empty", () =>
  run(
    Effect.gen(function* () {
      const { owner, query } = yield* standIn;
      const refused = yield* Effect.either(distribute({ url: owner }));
      expect(Either.isLeft(refused) && String(refused.left.cause)).toContain("no node that stores rows");
      expect(yield* query("select to_regnamespace('quittance') as there")).toEqual([{ there: null }]);
    }),
  ));

it("distribution declares every table as Citus requires, and the engine works as the owner of append-only tables", () =>
  run(
    Effect.gen(function* () {
      const { owner, query, addNode } = yield* standIn;
      yield* addNode;
      yield* distribute({ url: owner });
      yield* expectDistributed(query);
      expect(
        yield* query<Named>(
          "select logicalrelid::text as name from pg_dist_partition where whole order by 1",
        ),
      ).toEqual([{ name: "quittance.api_key_routes" }, { name: "quittance.migrations" }]);
      yield* Effect.provide(story, layer({ url: owner }));
      // Nodes do not know the customer of a statement, so there are no policies and no role to set.
      const across = Effect.flatMap(Storage.Storage, (storage) =>
        storage.list(Storage.AllCustomers, "settlement", { where: {}, page: 1, perPage: 1, order: "asc" }),
      );
      expect((yield* Effect.provide(across, layer({ url: owner }))).total).toBe(1);
      yield* expectAppendOnly(owner);
    }),
  ));

it("distribution declares the tables of later migrations, and completes an interrupted declaration when it is repeated", () =>
  run(
    Effect.gen(function* () {
      const { owner, query, addNode } = yield* standIn;
      yield* addNode;
      yield* distribute({ url: owner });
      // Citus sends the whole text to each node, which takes one statement at a time.
      yield* query(`create function refuse_several() returns event_trigger language plpgsql as $$ begin
        if current_query() ~ ';\\s*\\S' then raise exception 'several statements'; end if; end $$`);
      yield* query(
        "create event trigger refuse_several on ddl_command_start when tag in ('CREATE TABLE', 'ALTER TABLE') execute function refuse_several()",
      );
      // Like a migration of the next version: a step with tables, then that version's functions.
      const migrated = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.zipRight(
            applyStep(
              sql,
              `
              create table quittance.aa_later (customer_id uuid not null, id uuid not null, later_id uuid);
              create table quittance.later (customer_id uuid not null, id uuid not null, primary key (customer_id, id));
              alter table quittance.aa_later add foreign key (customer_id, later_id) references quittance.later`,
              true,
            ),
            replaceCode(sql),
          ),
        ),
      );
      yield* Effect.provide(migrated, pool({ url: owner }));
      yield* query("drop event trigger refuse_several");
      yield* expectDistributed(query);
      yield* expectAppendOnly(owner);
      yield* Effect.provide(story, layer({ url: owner }));

      // A whole migration under a rule of Citus: after a change of shards, a transaction changes objects one by one.
      yield* query(`create function refuse_parallel() returns event_trigger language plpgsql as $$ begin
        if current_setting('citus.multi_shard_modify_mode', true) is distinct from 'sequential' then
          raise exception 'a change in parallel'; end if; end $$`);
      yield* query(
        "create event trigger refuse_parallel on ddl_command_start execute function refuse_parallel()",
      );
      yield* query("update quittance.migrations set name_search = 'older'");
      yield* migrate({ url: owner });
      yield* query("drop event trigger refuse_parallel");
      yield* expectDistributed(query);

      // States that an older version or an operator may have left.
      yield* query(
        "delete from pg_dist_partition where logicalrelid = 'quittance.billing_profiles'::regclass",
      );
      yield* query("alter table quittance.partners enable row level security, force row level security");
      yield* query("create policy customer on quittance.partners using (false)");
      yield* query(`grant all on quittance.events to ${new URL(Redacted.value(owner)).username}`);
      yield* query("delete from delegated");
      yield* query(`create function refuse_policies() returns event_trigger language plpgsql as $$ begin
        raise exception 'Citus cannot pass this policy on'; end $$`);
      yield* query(
        "create event trigger refuse_policies on ddl_command_start when tag in ('CREATE POLICY') execute function refuse_policies()",
      );
      yield* distribute({ url: owner });
      yield* query("drop event trigger refuse_policies");
      yield* expectDistributed(query);
      yield* expectAppendOnly(owner);
      yield* Effect.provide(story, layer({ url: owner }));
    }),
  ));

it("refuses to migrate tables that were distributed with version 1, and names the remedy", () =>
  run(
    Effect.gen(function* () {
      const { owner, query, addNode } = yield* standIn;
      yield* addNode;
      yield* distribute({ url: owner });
      yield* query("delete from quittance.migrations where version > 1");
      const refused = yield* Effect.either(migrate({ url: owner }));
      expect(Either.isLeft(refused) && String(refused.left.cause)).toContain("undistribute_table");
    }),
  ));
