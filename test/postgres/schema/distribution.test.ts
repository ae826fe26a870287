import * as SqlClient from "@effect/sql/SqlClient";
import { Effect, Either, Redacted, type Scope } from "effect";
import { Storage } from "quittance";
import { distribute, layer } from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { client as pool } from "../../../adapters/postgres/Connection.ts";
import { replaceCode } from "../../../adapters/sql/migrations/Migrations.ts";
import { connected, database } from "../../support/postgres.ts";

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(test));

/** A substitute for the extension: records declarations, and checks the requirements of Citus for each table. */
const STAND_IN = `
create table pg_dist_partition (logicalrelid regclass primary key, whole boolean not null);
create table delegated (name regprocedure primary key);

create function refuse_references(target regclass, whole_only boolean) returns void language plpgsql as $$
begin
  if exists (
    select from pg_constraint c left join pg_dist_partition d on d.logicalrelid = c.confrelid
    where c.contype = 'f' and c.conrelid = target and (
      d.logicalrelid is null or (whole_only and not d.whole) or (not d.whole and not exists (
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
end $$;

create function create_distributed_function(name regprocedure, spread_by text, colocate_with text)
returns void language sql as $$ insert into delegated values (name) $$;`;

it("fails on a plain database with a message of one line, and leaves it empty", () =>
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

it("declares every table once, as Citus requires, and the engine works as the owner of append-only tables", () =>
  run(
    Effect.gen(function* () {
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
      yield* distribute({ url: owner });
      yield* distribute({ url: owner });

      const { rows: missing } = yield* Effect.promise(() =>
        client.query(`select t.tablename from pg_tables t where t.schemaname = 'quittance'
          and not exists (select from pg_dist_partition d
            where d.logicalrelid = format('quittance.%I', t.tablename)::regclass)`),
      );
      expect(missing).toEqual([]);
      const { rows: delegated } = yield* Effect.promise(() =>
        client.query("select name::text as name from delegated order by 1"),
      );
      expect(delegated.map(({ name }) => name)).toEqual([
        "quittance.commit(uuid,jsonb)",
        "quittance.compact_rollups(uuid,integer)",
        expect.stringMatching(/^quittance\.create_attributions\(uuid,uuid\[\],json,bigint\[\],/),
        "quittance.resolve_command(uuid,uuid,bigint)",
      ]);

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
      yield* Effect.provide(story, layer({ url: owner }));
      // Nodes are not told on whose behalf a statement runs, so there are no policies and no role to take on.
      const across = Effect.flatMap(Storage.Storage, (storage) =>
        storage.list(Storage.AllCustomers, "settlement", { where: {}, page: 1, perPage: 1, order: "asc" }),
      );
      expect((yield* Effect.provide(across, layer({ url: owner }))).total).toBe(1);
      const { rows: policies } = yield* Effect.promise(() => client.query("select * from pg_policies"));
      expect(policies).toEqual([]);
      // As a later migration does it: functions are new and have to be declared again, and nothing else returns.
      const migrated = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(replaceCode(sql)));
      yield* Effect.provide(migrated, pool({ url: owner }));
      const { rows: declared } = yield* Effect.promise(() =>
        client.query("select p.proname as name from delegated d join pg_proc p on p.oid = d.name order by 1"),
      );
      expect(declared.map(({ name }) => name)).toEqual([
        "commit",
        "compact_rollups",
        "create_attributions",
        "resolve_command",
      ]);
      const { rows: returned } = yield* Effect.promise(() =>
        client.query(`select polname from pg_policy union all
          select tgname from pg_trigger where not tgisinternal and tgrelid::regclass::text like 'quittance.%'`),
      );
      expect(returned).toEqual([]);
      yield* Effect.provide(story, layer({ url: owner }));
      const asOwner = yield* connected(owner);
      for (const text of [
        "update quittance.events set actor = 'somebody else'",
        "delete from quittance.events",
        "truncate quittance.events",
        "delete from quittance.settlement_lines",
      ]) {
        const refused = yield* Effect.either(Effect.tryPromise(() => asOwner.query(text)));
        expect(Either.isLeft(refused) && String(refused.left.cause)).toContain("permission denied");
      }
    }),
  ));
