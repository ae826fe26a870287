/**
 * `npm run bench:plans -- --partners 1000 --commissions 200`: how long a change of a plan takes until every formula has
 * passed it and every amount is recomputed, by a worker on PostgreSQL while attributions of the same partners are created
 * one after the other. Beside it: how long a creation takes without and during the roll-out.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Effect, Layer, Redacted } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionPlans,
  Currency,
  type Ids,
  Partners,
  Principal,
  Quittance,
  Worker,
} from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build } from "quittance/testing";
import { median } from "../median.ts";
import { server } from "../settle/measure.ts";

const { values } = parseArgs({
  options: {
    partners: { type: "string", default: "1000" },
    commissions: { type: "string", default: "200" },
  },
});
const PARTNERS = Number(values.partners);
const COMMISSIONS = Number(values.commissions);
const BATCH = 1_000;
/** Creations before the roll-out, for comparison. */
const BEFORE = 500;
const POLL_MILLISECONDS = 100;

const began = performance.now();
const progress = (text: string): void =>
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);

const percent = (value: number) => ({
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value } },
  ],
});

const engine = (url: string) =>
  Worker.layerBackground.pipe(
    Layer.provideMerge(Quittance.layer()),
    Layer.provide(Pdf.layer),
    Layer.provideMerge(Postgres.layer({ url: Redacted.make(url) })),
  );

const customerId = Build.fresh.customer();
const workspaceId = Build.fresh.workspace();
const owner = Principal.customer(customerId);

const populate = Effect.gen(function* () {
  const partners = yield* Partners.Partners;
  const { createBatch } = yield* Attributions.Attributions;
  const { id: schemaId } = yield* (yield* AttributionSchemas.AttributionSchemas).create(owner, {
    name: "Sale",
    workspaceId,
    properties: [{ name: "order_value", type: "number", required: true }],
  });
  const partnerIds = yield* Effect.forEach(
    Array.from({ length: PARTNERS }, (_, index) => `Partner ${index}`),
    (name) => Effect.map(partners.create(owner, { name, workspaceId }), ({ id }) => id),
    { concurrency: 8 },
  );
  const plans = yield* CommissionPlans.CommissionPlans;
  const { id: planId } = yield* plans.create(owner, {
    ...{ workspaceId, schemaId, name: "Affiliates", currency: Currency.Currency.make("EUR") },
    ...{ startDatetime: Build.EPOCH, expression: percent(10) },
  });
  for (let from = 0; from < partnerIds.length; from += BATCH)
    yield* plans.assign(owner, planId, { partnerIds: partnerIds.slice(from, from + BATCH) });
  progress(`assigned ${PARTNERS} partners`);
  const all = partnerIds.flatMap((partnerId) =>
    Array.from({ length: COMMISSIONS }, (_, index) => ({
      ...{ partnerId, schemaId, workspaceId },
      properties: { order_value: 1_000 + index },
    })),
  );
  for (let from = 0; from < all.length; from += BATCH)
    yield* createBatch(owner, { mode: "atomic", attributions: all.slice(from, from + BATCH) });
  progress(`created ${all.length} attributions with a commission each`);
  return { partnerIds, schemaId, planId };
});

const pending = (planId: Ids.PlanId) =>
  Effect.gen(function* () {
    const { list } = yield* CommissionPlans.CommissionPlans;
    const { items } = yield* list(owner, { ids: [planId] });
    return items[0]?.rollingOut.pending ?? 0;
  });

/** Waits until every formula of the plan has passed its last event and is recomputed. */
const settled = (planId: Ids.PlanId) =>
  pending(planId).pipe(
    Effect.tap((left) => (left === 0 ? Effect.void : Effect.sleep(POLL_MILLISECONDS))),
    Effect.repeat({ until: (left) => left === 0 }),
  );

const bench = Effect.gen(function* () {
  const { partnerIds, schemaId, planId } = yield* populate;
  yield* settled(planId);
  const { create } = yield* Attributions.Attributions;
  let count = 0;
  const creation = (times: Array<number>) =>
    Effect.suspend(() => {
      const started = performance.now();
      const partnerId = partnerIds[count++ % partnerIds.length] as Ids.PartnerId;
      return Effect.map(
        create(owner, { partnerId, schemaId, workspaceId, properties: { order_value: 1_000 } }),
        () => times.push(performance.now() - started),
      );
    });
  const before: Array<number> = [];
  yield* Effect.repeatN(creation(before), BEFORE - 1);
  const during: Array<number> = [];
  const { update } = yield* CommissionPlans.CommissionPlans;
  const started = performance.now();
  yield* update(owner, planId, { expression: percent(20), effectiveDatetime: Build.EPOCH });
  const answered = performance.now() - started;
  yield* Effect.raceFirst(settled(planId), Effect.forever(creation(during)));
  const seconds = (performance.now() - started) / 1_000;
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  console.log(`${PARTNERS} partners with ${COMMISSIONS} commissions each`);
  console.log(`the change returned after            ${answered.toFixed(0).padStart(6)} ms`);
  console.log(`every amount was recomputed after    ${seconds.toFixed(1).padStart(6)} s`);
  console.log(`creations meanwhile                  ${String(during.length).padStart(6)}`);
  console.log(
    `median creation before, during       ${median(before).toFixed(1)} ms, ${median(during).toFixed(1)} ms`,
  );
});

await Effect.runPromise(Effect.scoped(Effect.flatMap(server, (url) => Effect.provide(bench, engine(url)))));
