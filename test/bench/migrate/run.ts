/**
 * `npm run bench:migrate`: seconds to migrate a database of version 1 with `BENCH_ROWS` attributions (1,000,000 by default),
 * each with a commission and their first events. PostgreSQL has the settings of the tests: it does not wait for the disk.
 */
import { Effect, Redacted } from "effect";
import pg from "pg";
import { migrate } from "quittance/postgres";
import { client as sqlClient } from "../../../adapters/postgres/Connection.ts";
import { makeVersion1 } from "../../postgres/schema/version1.ts";
import { startServer } from "../../support/postgresServer.ts";

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
/** Milliseconds from one attribution to the next. */
const APART = 1_000;

const server = await startServer();
const url = Redacted.make(server.url);
await Effect.runPromise(Effect.scoped(Effect.provide(makeVersion1, sqlClient({ url }))));
const client = new pg.Client({ connectionString: server.url });
await client.connect();

const columnsOf = async (table: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ readonly name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`quittance.${table}`],
  );
  return rows.map(({ name }) => name);
};

const idOf = (letter: string): string =>
  `('${letter}0000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

/** Copies one row of a table many times, with other values in some columns. */
const multiply = async (
  table: string,
  condition: string,
  values: { readonly [column: string]: string },
): Promise<void> => {
  const columns = await columnsOf(table);
  await client.query(
    `insert into quittance.${table} (${columns.join()})
     select ${columns.map((column) => values[column] ?? `t.${column}`).join()}
     from (select * from quittance.${table} where ${condition} limit 1) t, generate_series(1, $1::integer) n`,
    [ROWS],
  );
};

const size = async (): Promise<string> => {
  const { rows } = await client.query<{ readonly size: string }>(
    "select pg_size_pretty(pg_database_size(current_database())) as size",
  );
  return rows[0]?.size ?? "unknown";
};

// In version 1 nearly every commission was created together with its attribution.
const moment = `(select min(created_at) from quittance.attributions) + n * ${APART}`;
const dated = { created_at: moment, last_at: moment };
await client.query("begin; set local session_replication_role = replica");
await multiply("attributions", "true", { id: idOf("a"), external_reference: "null", ...dated });
await multiply("commissions", "open_settlement_id is null", {
  id: idOf("c"),
  attribution_id: idOf("a"),
  ...dated,
});
await multiply("events", "kind = 'attribution'", { record_id: idOf("a"), sequence: "1" });
await multiply("events", "kind = 'commission'", { record_id: idOf("c"), sequence: "1" });
await client.query("commit");
await client.query("vacuum analyze");

const before = await size();
const began = performance.now();
await Effect.runPromise(migrate({ url }));
const seconds = ((performance.now() - began) / 1_000).toFixed(1);
console.log(
  `${ROWS} attributions: migrated in ${seconds} s; the database had ${before}, has ${await size()}`,
);
await client.end();
await server.stop();
