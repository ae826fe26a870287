import { Effect, Redacted, type Scope } from "effect";
import pg from "pg";
import { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { startServer } from "../support/postgresServer.ts";

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(test));

/** A server where nobody has made the role of the platform yet, and a database of a new role on it. */
const setting = (attributes: string) =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startServer()),
      (one) => Effect.promise(() => one.stop()),
    );
    const query = (text: string) =>
      Effect.promise(async () => {
        const client = new pg.Client({ connectionString: server.url });
        await client.connect();
        return client.query<Record<string, unknown>>(text).finally(() => client.end());
      });
    yield* query(`create role shop login ${attributes}`);
    yield* query("create database shop owner shop");
    const url = Object.assign(new URL(server.url), { pathname: "/shop" }).href;
    const own = Object.assign(new URL(url), { username: "shop" }).href;
    return { query, all: { url: Redacted.make(url) }, own: { url: Redacted.make(own) } };
  });

const platformReads = Effect.flatMap(Storage.Storage, (storage) =>
  storage.list(Storage.AllCustomers, "partner", { where: {}, page: 1, perPage: 10, order: "asc" }),
);

const ownReads = Effect.gen(function* () {
  const { customerId, partner } = yield* Scene.scene();
  const storage = yield* Storage.Storage;
  return yield* storage.find(customerId, "partner", [partner.id]);
});

it("migrates as a role that may make no roles; what an operator adds later serves from the next start on", () =>
  run(
    Effect.gen(function* () {
      const { query, own } = yield* setting("noinherit");
      yield* Postgres.migrate(own);
      expect(yield* Postgres.isolationGaps(own)).toEqual([
        "reads across customers will fail: the role shop may not take on the role quittance_platform",
      ]);
      const store = Postgres.layer(own);
      expect(yield* Effect.provide(ownReads, store)).toHaveLength(1);
      const refused = yield* Effect.flip(Effect.provide(platformReads, store));
      expect(refused.reason).toBe("broken");

      yield* query("create role quittance_platform nologin; grant quittance_platform to shop");
      expect((yield* Effect.provide(platformReads, store)).total).toBe(1);
      expect(yield* Postgres.isolationGaps(own)).toEqual([]);
    }),
  ));

it("makes the role of the platform where it may, and inherits nothing from it", () =>
  run(
    Effect.gen(function* () {
      const { own } = yield* setting("noinherit createrole");
      const store = Postgres.layer(own);
      expect(yield* Effect.provide(ownReads, store)).toHaveLength(1);
      expect((yield* Effect.provide(platformReads, store)).total).toBe(1);
      expect(yield* Postgres.isolationGaps(own)).toEqual([]);
    }),
  ));

it("names whoever the policies do not hold, and tables without policies", () =>
  run(
    Effect.gen(function* () {
      const { query, all, own } = yield* setting("bypassrls");
      expect(yield* Postgres.isolationGaps(all)).toEqual([
        "row-level security keeps no customers apart: the tables have no policies",
      ]);
      yield* Postgres.migrate(all);
      expect(yield* Postgres.isolationGaps(all)).toEqual([
        "row-level security keeps no customers apart: the role postgres is a superuser",
      ]);
      yield* query("grant quittance_platform to shop");
      expect(yield* Postgres.isolationGaps(own)).toEqual([
        "row-level security keeps no customers apart: the role shop has BYPASSRLS",
      ]);
    }),
  ));
