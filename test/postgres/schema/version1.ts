/** A database of schema version 1 with one customer's records, as written by version 1. */
import * as fs from "node:fs";
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect } from "effect";
import { Ids } from "quittance";
import { replaceCode, STEPS } from "../../../adapters/sql/migrations/Migrations.ts";

/** The customer of the records: sales, leads and renewals of one partner, with settlements in six states. */
export const CUSTOMER = Ids.CustomerId.make("6f1c2d4e-0000-4000-8000-000000000001");
export const WORKSPACE = Ids.WorkspaceId.make("6f1c2d4e-0000-4000-8000-000000000002");

/** One row per line: table, tab, the row as JSON. A table precedes the tables that refer to it. */
const ROWS = fs
  .readFileSync(new URL("./version1.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

const COLUMNS = `select string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`;

/**
 * Creates the database. Functions, triggers and policies are the current ones, created without checks against the tables of
 * version 1, and one function has an old signature: a migration must not depend on the functions that it replaces.
 */
export const makeVersion1: Effect.Effect<void, unknown, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const run = (text: string) => sql.unsafe(text).unprepared;
  yield* run(`create schema quittance;
    create table quittance.migrations (
      version integer not null primary key,
      applied_at timestamptz not null default now()
    );
    insert into quittance.migrations (version) values (1);
    ${STEPS[0]}`);
  for (const line of ROWS) {
    const [table = "", row = ""] = line.split("\t");
    const [found] = yield* sql.unsafe<{ readonly columns: string }>(COLUMNS, [`quittance.${table}`]);
    yield* sql.unsafe(
      `insert into quittance.${table} (${found?.columns})
      select ${found?.columns} from json_populate_record(null::quittance.${table}, $1::text::json)`,
      [row],
    );
  }
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* run("set local check_function_bodies = off");
      yield* replaceCode(sql);
      yield* run(`create function quittance.commit(customer uuid) returns void language sql as 'select'`);
      yield* run("select quittance.grant_platform_reads()");
    }),
  );
});
