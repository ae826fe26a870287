/**
 * A connection to a new database plans its statements and foreign-key checks while the tables are empty. Such a plan may read
 * every row of a customer, which once reduced creations from 6,000 to 1,000 per second until the first ANALYZE.
 */
import { it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { Partners, Principal, Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect } from "vitest";
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
