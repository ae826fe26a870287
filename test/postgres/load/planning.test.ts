/**
 * A connection to a new database plans its statements and foreign-key checks while the tables are empty. Such a plan may read
 * every row of a customer, which once reduced creations from 6,000 to 1,000 per second until the first ANALYZE.
 */
import { it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { type Ids, Partners, Principal, Quittance, Storage } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect } from "vitest";
import { make } from "../../support/largeCustomer.ts";
import { connected, database } from "../../support/postgres.ts";
import { recordingPool } from "../../support/recordingPool.ts";

it.live("a connection replans its statements after 8, 32 and 128 executions", () =>
  Effect.gen(function* () {
    const { pool, texts } = recordingPool(Redacted.value(yield* database()));
    const statements = Effect.gen(function* () {
      const partners = yield* Partners.Partners;
      const me = Principal.customer((yield* Scene.create()).customerId);
      yield* Effect.replicateEffect(partners.list(me), 200);
    });
    const engine = Quittance.layer().pipe(
      Layer.provide(Pdf.layer),
      Layer.provideMerge(Postgres.layer({ pool, migrate: false })),
    );
    yield* Effect.provide(statements, engine);
    yield* Effect.promise(() => pool.end());
    const places = texts.flatMap((text, place) => (text === "discard plans" ? [place] : []));
    expect(places.slice(0, 3).map((place, earlier) => place - earlier)).toEqual([7, 31, 127]);
  }).pipe(Effect.scoped),
);

const LOOK_UP = "settlement_lines_unique_commission";

/** With these numbers of lines one of two indexes has a level more than the other, if both are as wide as their keys. */
const LINE_COUNTS = [150, 19_000];

it.live("the foreign key of an open line reads one index entry, also without statistics", () =>
  Effect.gen(function* () {
    const client = yield* connected(yield* database());
    const query = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(async () => (await client.query<Row>(text, [...values])).rows);
    const id = "'00000000-0000-4000-8000-000000000000'::uuid";
    yield* query(
      "alter table quittance.settlement_lines set (autovacuum_enabled = off); set session_replication_role = replica",
    );
    // The statement of PostgreSQL's check.
    yield* query(`set plan_cache_mode = force_generic_plan;
      prepare look_up (uuid, uuid, uuid) as select 1 from only quittance.settlement_lines x
      where customer_id = $1 and commission_id = $2 and settlement_id = $3 for key share of x`);
    for (const count of LINE_COUNTS) {
      yield* query(
        `insert into quittance.settlement_lines (customer_id, settlement_id, position, commission_id, amount)
         select ${id}, gen_random_uuid(), 0, gen_random_uuid(), 5
         from generate_series(1, $1 - (select count(*) from quittance.settlement_lines))`,
        [count],
      );
      yield* query("discard plans");
      const plan = yield* query(`explain execute look_up (${id}, ${id}, ${id})`);
      expect(JSON.stringify(plan), `${count} lines`).toContain(`using ${LOOK_UP} `);
    }
    // A restored database has the indexes of a table in the order of their names.
    const indexes = yield* query<{ readonly name: string }>(
      `select i.indexrelid::regclass::text as name from pg_index i
       where i.indrelid = 'quittance.settlement_lines'::regclass order by 1`,
    );
    expect(indexes.at(-1)?.name).toBe(`quittance.${LOOK_UP}`);
  }).pipe(Effect.scoped),
);

const PARTNERS = 50;
const OF_EACH = 20;

/** Copies the first commissions of a partner for others. */
const COPIES = `
with columns as (
  select string_agg(quote_ident(column_name), ', ') as names,
    string_agg(case column_name when 'id' then 'gen_random_uuid()' when 'attribution_id' then 'gen_random_uuid()'
      when 'partner_id' then 'p.id' else 't.' || quote_ident(column_name) end, ', ') as values
  from information_schema.columns
  where table_schema = 'quittance' and table_name = 'commissions' and is_generated = 'NEVER')
select format('insert into quittance.commissions (%s) select %s from unnest($1::uuid[]) as p(id)
  cross join (select * from quittance.commissions order by id limit ${OF_EACH}) t', names, values) as text from columns`;

it.live("what partners have due is read by partner if the statistics are from when there was one", () =>
  Effect.gen(function* () {
    const url = yield* database();
    const client = yield* connected(url);
    const query = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(async () => (await client.query<Row>(text, [...values])).rows);
    yield* query("alter table quittance.commissions set (autovacuum_enabled = off)");
    const store = Postgres.layer({ url, maxConnections: 1 });
    const { customerId } = yield* Effect.provide(make(client, { size: 5_000, due: 5_000 }), store);
    yield* query("analyze quittance.commissions");
    const partnerIds = Array.from({ length: PARTNERS }, () => crypto.randomUUID() as Ids.PartnerId);
    yield* query("set session_replication_role = replica");
    const [copies] = yield* query<{ readonly text: string }>(COPIES);
    yield* query(copies?.text ?? "", [partnerIds]);
    const due = Effect.flatMap(Storage.Storage, (storage) =>
      storage.dueCommissions(customerId, { partnerIds, until: 2 ** 52, after: null, limit: 2_000 }),
    );
    const read = Effect.map(
      query<{ readonly scanned: number; readonly found: number }>(
        `select seq_tup_read::integer as scanned, idx_tup_fetch::integer as found
         from pg_stat_user_tables where relname = 'commissions'`,
      ),
      ([counts]) => counts ?? { scanned: 0, found: 0 },
    );
    const before = yield* read;
    expect(yield* Effect.provide(due, store)).toHaveLength(PARTNERS * OF_EACH);
    // A session reports what it has read when it has ended.
    let after = before;
    while (after.scanned + after.found === before.scanned + before.found) {
      yield* Effect.sleep(50);
      after = yield* read;
    }
    expect(after.scanned).toBe(before.scanned);
    expect(after.found - before.found).toBe(PARTNERS * OF_EACH);
  }).pipe(Effect.scoped),
);
