/**
 * `npm run bench:batch`: a batch of 1,000 attributions with one commission each through the service (validation, formula,
 * one atomic command), compared with one bare `unnest` statement that stores the same rows in the same tables with
 * constant amounts. Both are durable when they return; ratios compare medians.
 */
import { randomUUID } from "node:crypto";
import { Effect, Layer, Redacted } from "effect";
import type pg from "pg";
import { Attributions, Principal, Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { connection, server, Times } from "../settle/measure.ts";

const SIZE = Number(process.env.BENCH_SIZE ?? 1_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 31);

const BARE = `with given as (select * from unnest($6::uuid[], $7::uuid[]) as g(attribution, commission)),
a as (
  insert into quittance.attributions (customer_id, id, workspace_id, partner_id, schema_id, status, properties,
    created_at, occurred_at, version, last_at)
  select $1::uuid, g.attribution, $2::uuid, $3::uuid, $4::uuid, 'confirmed', '{"order_value":12000}', $8::bigint, $8, 1, $8
  from given g),
c as (
  insert into quittance.commissions (customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency,
    computed_amount, paid_amount, paid_negative, written_off_positive, written_off_negative, pending_amount,
    settled_line_count, formula_version, created_at, occurred_at, version, last_at)
  select $1, g.commission, $2, $3, g.attribution, $5::uuid, 'EUR', 1200, 0, 0, 0, 0, 0, 0, 1, $8, $8, 1, $8 from given g)
insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
select $1, g.attribution, 1, 'attribution', $8, 'bare',
  '{"type":"create_attribution","properties":{"order_value":12000}}'::json from given g
union all
select $1, g.commission, 1, 'commission', $8, 'bare',
  '{"type":"create_commission","amount":1200,"formula_version":1}'::json from given g`;

const uuids = (): ReadonlyArray<string> => Array.from({ length: SIZE }, () => randomUUID());

const bare = (client: pg.Client, scene: Scene.Scene) => {
  const { customerId, workspaceId, partnerId, schemaId, formula } = scene;
  const ids = [customerId, workspaceId, partnerId, schemaId, formula.id];
  return client.query({ name: "bare", text: BARE, values: [...ids, uuids(), uuids(), Date.now()] });
};

const bench = Effect.gen(function* () {
  const url = yield* server;
  const client = yield* connection(url);
  const times = new Times();
  const rounds = Effect.gen(function* () {
    const attributions = yield* Attributions.Attributions;
    const scene = yield* Scene.create();
    const { customerId, workspaceId, partnerId, schemaId } = scene;
    const me = Principal.customer(customerId);
    const one = { partnerId, schemaId, workspaceId, properties: { order_value: 12_000 } };
    const batch = { mode: "atomic" as const, attributions: Array.from({ length: SIZE }, () => one) };
    for (let round = -5; round < ROUNDS; round++) {
      const recorded = round < 0 ? new Times() : times;
      yield* recorded.of("batch, ours", attributions.createBatch(me, batch));
      yield* recorded.of(
        "batch, bare",
        Effect.promise(() => bare(client, scene)),
      );
    }
  });
  const engine = Quittance.layer().pipe(
    Layer.provide(Pdf.layer),
    Layer.provideMerge(Postgres.layer({ url: Redacted.make(url) })),
  );
  yield* Effect.provide(rounds, engine);
  console.log(`${SIZE} attributions with a commission each, ${ROUNDS} rounds`);
  times.print(["batch"]);
});

await Effect.runPromise(Effect.scoped(bench));
