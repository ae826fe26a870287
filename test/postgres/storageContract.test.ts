import { Effect, Layer, ManagedRuntime } from "effect";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import { afterAll, describe, inject, it } from "vitest";
import { contractOfSameStatements } from "../support/contract.ts";
import { database, PATIENT } from "../support/postgres.ts";
import { longOr } from "../support/profile.ts";

const postgres = Layer.unwrapScoped(
  Effect.map(
    Effect.suspend(() => database()),
    (url) => Postgres.layer({ url, ...PATIENT }),
  ),
);

/**
 * On a single server `npm test` checks the contract behind the policies (`access/rowLevelSecurity`) and without them
 * (`distribution/routability`); a third run would find nothing else.
 */
const isChecked = longOr(true, inject("postgres").nodes !== null);

describe.each([
  ...(isChecked ? [["PostgreSQL", postgres] as const] : []),
  ["PGlite", Pglite.layer("memory")] as const,
])("the storage contract on %s", (_, store) => {
  const runtime = ManagedRuntime.make(store);
  afterAll(() => runtime.dispose());
  it.each(contractOfSameStatements)("$name", ({ check }) => runtime.runPromise(check));
});
