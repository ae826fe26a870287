import { Effect, Layer, ManagedRuntime } from "effect";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import { storageContract } from "quittance/testing";
import { afterAll, describe, it } from "vitest";
import { database } from "../support/postgres.ts";

const postgres = Layer.unwrapScoped(
  Effect.map(
    Effect.suspend(() => database()),
    (url) => Postgres.layer({ url }),
  ),
);

describe.each([
  ["PostgreSQL", postgres],
  ["PGlite", Pglite.layer("memory")],
] as const)("the storage contract on %s", (_, store) => {
  const runtime = ManagedRuntime.make(store);
  afterAll(() => runtime.dispose());
  it.each(storageContract)("$name", ({ check }) => runtime.runPromise(check));
});
