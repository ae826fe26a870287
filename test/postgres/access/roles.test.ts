import { readFileSync } from "node:fs";
import { Effect, Either, Redacted, type Scope } from "effect";
import pg from "pg";
import { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { grant, migrate } from "../../../adapters/server/Migration.ts";
import { fences } from "../../docs/Fence.ts";
import { connected } from "../../support/postgres.ts";
import { startServer } from "../../support/postgresServer.ts";

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(test));

const queryOnce = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // One at a time, because PostgreSQL creates no database inside a transaction.
  for (const statement of text.split(";"))
    await client.query(statement).catch(async (error) => {
      await client.end();
      throw error;
    });
  await client.end();
};

const query = (url: string, text: string) => Effect.promise(() => queryOnce(url, text));

const fresh = Effect.acquireRelease(
  Effect.promise(() => startServer()),
  (server) => Effect.promise(() => server.stop()),
);

const as = (url: string, username: string, database: string): string =>
  Object.assign(new URL(url), { username, pathname: `/${database}` }).href;

/** A server without the role of the platform, with a database of a new role. */
const setting = (attributes: string) =>
  Effect.gen(function* () {
    const server = yield* fresh;
    yield* query(server.url, `create role shop login ${attributes}; create database shop owner shop`);
    return {
      grant: (text: string) => query(server.url, text),
      all: { url: Redacted.make(as(server.url, "postgres", "shop")) },
      own: { url: Redacted.make(as(server.url, "shop", "shop")) },
    };
  });

const platformReads = Effect.flatMap(Storage.Storage, (storage) =>
  storage.list(Storage.AllCustomers, "partner", { where: {}, page: 1, perPage: 10, order: "asc" }),
);

const ownReads = Effect.gen(function* () {
  const { customerId, partner } = yield* Scene.create();
  const storage = yield* Storage.Storage;
  return yield* storage.find(customerId, "partner", [partner.id]);
});

it("a role that may not create roles can migrate; rights that an operator grants later apply from the next start", () =>
  run(
    Effect.gen(function* () {
      const { grant, own } = yield* setting("noinherit");
      yield* Postgres.migrate(own);
      expect(yield* Postgres.isolationGaps(own)).toEqual([
        "reads across customers will fail: the role shop cannot set the role quittance_platform",
      ]);
      const store = Postgres.layer(own);
      expect(yield* Effect.provide(ownReads, store)).toHaveLength(1);
      const refused = yield* Effect.flip(Effect.provide(platformReads, store));
      expect(refused.reason).toBe("broken");

      yield* grant("create role quittance_platform nologin; grant quittance_platform to shop");
      expect((yield* Effect.provide(platformReads, store)).total).toBe(1);
      expect(yield* Postgres.isolationGaps(own)).toEqual([]);
    }),
  ));

it("a role that may create roles creates the platform's role, and inherits nothing from it", () =>
  run(
    Effect.gen(function* () {
      const { own } = yield* setting("noinherit createrole");
      const store = Postgres.layer(own);
      expect(yield* Effect.provide(ownReads, store)).toHaveLength(1);
      expect((yield* Effect.provide(platformReads, store)).total).toBe(1);
      expect(yield* Postgres.isolationGaps(own)).toEqual([]);
    }),
  ));

it("the check names roles to which the policies do not apply, and tables without policies", () =>
  run(
    Effect.gen(function* () {
      const { grant, all, own } = yield* setting("bypassrls");
      expect(yield* Postgres.isolationGaps(all)).toEqual([
        "row-level security does not separate customers: the tables have no policies",
      ]);
      yield* Postgres.migrate(all);
      expect(yield* Postgres.isolationGaps(all)).toEqual([
        "row-level security does not separate customers: the role postgres is a superuser",
      ]);
      yield* grant("grant quittance_platform to shop");
      expect(yield* Postgres.isolationGaps(own)).toEqual([
        "row-level security does not separate customers: the role shop has BYPASSRLS",
      ]);
    }),
  ));

/** Replaces the contents of an event. */
const erases = Effect.gen(function* () {
  const { customerId, formula } = yield* Scene.create();
  const storage = yield* Storage.Storage;
  const [left = null] = yield* storage.log(customerId, "formula", formula.id);
  yield* Scene.commit(customerId, [
    { type: "erase_events", kind: "formula", id: formula.id, events: [{ sequence: 1, left, feed: null }] },
    Build.next("formula", formula, [{ type: "erase_personal_data", erased_from: "record", sequences: [1] }]),
  ]);
});

/** What a server does: reads of its own customer, and across customers, and erasing. */
const story = Effect.zipLeft(Effect.all([ownReads, Effect.map(platformReads, ({ total }) => total)]), erases);

/** Runs the story as a role of the documented database, which nothing warns about. */
const serve = (url: string, role: string) => {
  const options = { url: Redacted.make(as(url, role, "quittance")) };
  return Effect.zipLeft(
    Effect.provide(story, Postgres.layer(options)),
    Effect.map(Postgres.isolationGaps(options), (gaps) => expect(gaps).toEqual([])),
  );
};

it("the documented set-up works for the owner", () =>
  run(
    Effect.gen(function* () {
      const { url } = yield* fresh;
      const [setup = "", ...others] = fences
        .filter(({ language, page }) => language === "sql" && page.endsWith("operating.md"))
        .map(({ code }) => code);
      expect(others).toEqual([]);
      yield* query(url, setup);
      expect(yield* serve(url, "quittance")).toMatchObject([[{}], 1]);
    }),
  ));

/** The statements of a script for psql, with the variables that it takes from the environment replaced. */
const statementsOf = (script: string): string =>
  script
    .split("\n")
    .filter((line) => !/^(?:--|\\|$)/.test(line))
    .join("\n")
    .replace(/:'(\w+)'/g, "'of the $1'")
    .replace(/;\s*$/, "");

it("the roles of the compose file: the owner migrates and grants, and the server can change rows but no table", () =>
  run(
    Effect.gen(function* () {
      const { url } = yield* fresh;
      const script = readFileSync(new URL("../../../docs/operating/roles.sql", import.meta.url), "utf8");
      yield* query(url, statementsOf(script));
      const owner = as(url, "quittance", "quittance");
      yield* migrate({ type: "postgres", url: owner });
      yield* grant({ type: "postgres", url: owner }, "quittance_server");
      expect(yield* serve(url, "quittance_server")).toMatchObject([[{}], 1]);
      const client = yield* connected(Redacted.make(owner));
      const { rows: guarded } = yield* Effect.promise(() =>
        client.query<{ readonly name: string }>(
          "select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'append_only'",
        ),
      );
      expect(guarded).toHaveLength(4);
      for (const text of [
        "update quittance.events set at = 0",
        ...guarded.map(({ name }) => `delete from quittance.${name}`),
        "truncate quittance.partners",
        "alter table quittance.partners add column extra text",
        "drop table quittance.partners",
        "create table quittance.extra (id text)",
        "create schema extra",
      ]) {
        const refused = yield* Effect.either(
          Effect.tryPromise(() => queryOnce(as(url, "quittance_server", "quittance"), text)),
        );
        expect(Either.isLeft(refused) && String(refused.left.error), text).toMatch(
          /permission denied|must be owner/,
        );
      }
    }),
  ));

it("a grant to a role that does not exist names it", () =>
  run(
    Effect.gen(function* () {
      const { own } = yield* setting("noinherit");
      yield* Postgres.migrate(own);
      const refused = yield* Effect.flip(
        grant({ type: "postgres", url: Redacted.value(own.url) }, 'nobody"; drop table x'),
      );
      expect(refused.message).toContain('role "nobody"; drop table x" does not exist');
    }),
  ));
