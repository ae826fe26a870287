/**
 * `npm run bench:runs -- --partners 500 --commissions 200`: how long a settlement run takes from its start until its last
 * draft, by a worker on PostgreSQL while attributions of the same partners are created one after the other. Beside it: how
 * long a creation takes without and during the run, and how long a dry run takes.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Effect, Layer, Redacted } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Currency,
  type Ids,
  Partners,
  Principal,
  Quittance,
  SettlementRuns,
  Worker,
} from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build } from "quittance/testing";
import { median } from "../median.ts";
import { server } from "../settle/measure.ts";

const { values } = parseArgs({
  options: {
    partners: { type: "string", default: "500" },
    commissions: { type: "string", default: "200" },
  },
});
const PARTNERS = Number(values.partners);
const COMMISSIONS = Number(values.commissions);
const BATCH = 1_000;
/** Creations before the run, for comparison. */
const BEFORE = 500;
const POLL_MILLISECONDS = 100;
/** The bound for 500 partners with 200 commissions each. */
const SECONDS_MAX = 60;

const began = performance.now();
const progress = (text: string): void =>
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);

const TENTH = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

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
  const formulas = yield* CommissionFormulas.CommissionFormulas;
  const { createBatch } = yield* Attributions.Attributions;
  const { id: schemaId } = yield* (yield* AttributionSchemas.AttributionSchemas).create(owner, {
    name: "Sale",
    workspaceId,
    properties: [{ name: "order_value", type: "number", required: true }],
  });
  const partnerIds = yield* Effect.forEach(
    Array.from({ length: PARTNERS }, (_, index) => `Partner ${index}`),
    (name) =>
      Effect.gen(function* () {
        const { id: partnerId } = yield* partners.create(owner, { name, workspaceId });
        yield* formulas.create(owner, {
          ...{ partnerId, workspaceId, schemaId, name: "10 %", currency: Currency.Currency.make("EUR") },
          ...{ startDatetime: Build.EPOCH, expression: TENTH },
        });
        return partnerId;
      }),
    { concurrency: 8 },
  );
  const all = partnerIds.flatMap((partnerId) =>
    Array.from({ length: COMMISSIONS }, (_, index) => ({
      ...{ partnerId, schemaId, workspaceId },
      properties: { order_value: 1_000 + index },
    })),
  );
  for (let from = 0; from < all.length; from += BATCH)
    yield* createBatch(owner, { mode: "atomic", attributions: all.slice(from, from + BATCH) });
  progress(`created ${all.length} attributions with a commission each`);
  return { partnerIds, schemaId };
});

const readRun = (id: Ids.SettlementRunId) =>
  Effect.flatMap(SettlementRuns.SettlementRuns, ({ read }) => Effect.map(read(owner, id), ({ run }) => run));

/** Waits until a run is done. */
const done = (id: Ids.SettlementRunId) =>
  readRun(id).pipe(
    Effect.tap(({ state }) => (state === "done" ? Effect.void : Effect.sleep(POLL_MILLISECONDS))),
    Effect.repeat({ until: ({ state }) => state === "done" }),
  );

const bench = Effect.gen(function* () {
  const { partnerIds, schemaId } = yield* populate;
  const { create } = yield* Attributions.Attributions;
  const { start, dryRun } = yield* SettlementRuns.SettlementRuns;
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
  const dryStarted = performance.now();
  const dry = yield* dryRun(owner, { workspaceId });
  const drySeconds = (performance.now() - dryStarted) / 1_000;
  const during: Array<number> = [];
  const started = performance.now();
  const { id } = yield* start(owner, { workspaceId });
  const run = yield* Effect.raceFirst(done(id), Effect.forever(creation(during)));
  const seconds = (performance.now() - started) / 1_000;
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  console.log(`${PARTNERS} partners with ${COMMISSIONS} commissions each`);
  console.log(`the dry run took                     ${drySeconds.toFixed(1).padStart(6)} s`);
  console.log(
    `the run was done after               ${seconds.toFixed(1).padStart(6)} s, bound ${SECONDS_MAX} s`,
  );
  console.log(`drafts, lines                        ${run.draftCount}, ${run.lineCount}`);
  console.log(`creations meanwhile                  ${String(during.length).padStart(6)}`);
  console.log(
    `median creation before, during       ${median(before).toFixed(1)} ms, ${median(during).toFixed(1)} ms`,
  );
  if (dry.draftCount !== PARTNERS || run.draftCount !== PARTNERS || seconds > SECONDS_MAX)
    process.exitCode = 1;
});

await Effect.runPromise(Effect.scoped(Effect.flatMap(server, (url) => Effect.provide(bench, engine(url)))));
