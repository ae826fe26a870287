/** When the embedded store vacuums and analyses its tables, which no process in the background does. */
import * as SqlClient from "@effect/sql/SqlClient";
import type { PGlite } from "@electric-sql/pglite";
import { Effect } from "effect";
import { expect, it } from "vitest";
import * as Client from "../../adapters/pglite/Client.ts";

/** A database without tables that counts how often it is vacuumed. */
const counting = () => {
  let vacuumed = 0;
  const database = {
    query: (text: string) =>
      Promise.resolve({ rows: text.includes("pg_tables") ? [{ tables: "quittance.events" }] : [] }),
    exec: (text: string) => {
      if (text.startsWith("vacuum")) vacuumed += 1;
      return Promise.resolve([]);
    },
  };
  return { database: database as unknown as PGlite, vacuumed: () => vacuumed };
};

/** Sends statements with a parameter of so many characters each; returns how often the database was vacuumed after each. */
const vacuumedAfter = (lengths: ReadonlyArray<number>): Promise<ReadonlyArray<number>> => {
  const { database, vacuumed } = counting();
  const send = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient;
    return yield* Effect.forEach(lengths, (length) =>
      Effect.map(sql.unsafe("select $1", ["x".repeat(length)]), vacuumed),
    );
  });
  return Effect.runPromise(Effect.provide(send, Client.layer(Effect.succeed(database))));
};

const small = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => 100);

it("the embedded store vacuums after 128 small statements, and each time their number has doubled", async () => {
  const vacuumed = await vacuumedAfter(small(1_024));
  const moments = vacuumed.flatMap((count, index) => (count > (vacuumed[index - 1] ?? 0) ? [index + 1] : []));
  expect(moments).toEqual([128, 256, 512, 1_024]);
});

it("the embedded store also vacuums after a few statements that store as much as many small ones", async () => {
  expect((await vacuumedAfter([...small(300), 1_000_000, 1_000_000, 100])).slice(-3)).toEqual([2, 3, 3]);
});
