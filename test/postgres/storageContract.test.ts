import { Effect, Layer, ManagedRuntime } from "effect";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import { storageContract } from "quittance/testing";
import { afterAll, describe, it } from "vitest";
import { database, guarded } from "../support/postgres.ts";

const postgres = Layer.unwrapScoped(
  Effect.map(
    Effect.suspend(() => database()),
    (url) => Postgres.layer({ url }),
  ),
);

/** As behind a connection pooler that shares server connections. */
const unprepared = Layer.unwrapScoped(
  Effect.map(
    Effect.suspend(() => database()),
    (url) => Postgres.layer({ url, prepare: false, maxConnections: 2 }),
  ),
);

/** As a role that row-level security holds back, which a superuser is not. */
const walled = Layer.unwrapScoped(Effect.map(guarded, ({ own }) => Postgres.layer({ url: own })));

const walledUnprepared = Layer.unwrapScoped(
  Effect.map(guarded, ({ own }) => Postgres.layer({ url: own, prepare: false, maxConnections: 2 })),
);

describe.each([
  ["PostgreSQL", postgres],
  ["PostgreSQL without named statements", unprepared],
  ["PostgreSQL behind the policies", walled],
  ["PostgreSQL behind the policies, without named statements", walledUnprepared],
  ["PGlite", Pglite.layer("memory")],
] as const)("the storage contract on %s", (_, store) => {
  const runtime = ManagedRuntime.make(store);
  afterAll(() => runtime.dispose());
  it.each(storageContract)("$name", ({ check }) => runtime.runPromise(check));
});
