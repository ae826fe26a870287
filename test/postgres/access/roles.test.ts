import { Effect, Either, Redacted, type Scope } from "effect";
import pg from "pg";
import { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect, it } from "vitest";
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
  (one) => Effect.promise(() => one.stop()),
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

it("the documented set-up works, for the owner and for a role that owns nothing", () =>
  run(
    Effect.gen(function* () {
      const { url } = yield* fresh;
      const [setup = "", grants = ""] = fences
        .filter(({ language, page }) => language === "sql" && page.endsWith("operating.md"))
        .map(({ code }) => code);
      yield* query(url, setup);
      const owner = as(url, "quittance", "quittance");
      const story = Effect.all([ownReads, Effect.map(platformReads, ({ total }) => total)]);
      const serve = (role: string) => {
        const options = { url: Redacted.make(as(url, role, "quittance")) };
        return Effect.zipLeft(
          Effect.provide(story, Postgres.layer(options)),
          Effect.map(Postgres.isolationGaps(options), (gaps) => expect(gaps).toEqual([])),
        );
      };
      expect(yield* serve("quittance")).toMatchObject([[{}], 1]);
      yield* query(
        url,
        "create role quittance_server login noinherit; grant quittance_platform to quittance_server",
      );
      yield* query(owner, grants);
      expect(yield* serve("quittance_server")).toMatchObject([[{}], 2]);
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
      ]) {
        const refused = yield* Effect.either(
          Effect.tryPromise(() => queryOnce(as(url, "quittance_server", "quittance"), text)),
        );
        expect(Either.isLeft(refused) && String(refused.left.error), text).toContain("permission denied");
      }
    }),
  ));
