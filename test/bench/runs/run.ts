/**
 * `npm run bench:runs -- --partners 500 --commissions 200`: the time of a settlement run from its start to its last draft, by
 * a worker on PostgreSQL, while attributions of the same partners are created one after the other. Also the time of a
 * creation without and during the run, and of a dry run. Exits with 1 when the run takes more than a minute.
 */
import { Effect } from "effect";
import { CommissionFormulas, Currency, type Ids, Partners, SettlementRuns } from "quittance";
import { Build } from "quittance/testing";
import {
  createSchema,
  creations,
  earn,
  owner,
  POLL_MILLISECONDS,
  percent,
  printSize,
  withWorker,
  workspaceId,
} from "../beside.ts";
import { numbers } from "../options.ts";

const { partners: PARTNERS, commissions: COMMISSIONS } = numbers({ partners: 500, commissions: 200 });
/** The limit for 500 partners with 200 commissions each. */
const SECONDS_MAX = 60;

const populate = Effect.gen(function* () {
  const partners = yield* Partners.Partners;
  const formulas = yield* CommissionFormulas.CommissionFormulas;
  const { id: schemaId } = yield* createSchema;
  const partnerIds = yield* Effect.forEach(
    Array.from({ length: PARTNERS }, (_, index) => `Partner ${index}`),
    (name) =>
      Effect.gen(function* () {
        const { id: partnerId } = yield* partners.create(owner, { name, workspaceId });
        yield* formulas.create(owner, {
          ...{ partnerId, workspaceId, schemaId, name: "10 %", currency: Currency.Currency.make("EUR") },
          ...{ startDatetime: Build.EPOCH, expression: percent(10) },
        });
        return partnerId;
      }),
    { concurrency: 8 },
  );
  yield* earn(partnerIds, schemaId, COMMISSIONS);
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
  const { start, dryRun } = yield* SettlementRuns.SettlementRuns;
  const created = yield* creations(partnerIds, schemaId);
  yield* created.without;
  const dryStarted = performance.now();
  const dry = yield* dryRun(owner, { workspaceId });
  const drySeconds = (performance.now() - dryStarted) / 1_000;
  const started = performance.now();
  const { id } = yield* start(owner, { workspaceId });
  const run = yield* created.until(done(id));
  const seconds = (performance.now() - started) / 1_000;
  printSize(PARTNERS, COMMISSIONS);
  console.log(`the dry run took                     ${drySeconds.toFixed(1).padStart(6)} s`);
  console.log(
    `the run was done after               ${seconds.toFixed(1).padStart(6)} s, limit ${SECONDS_MAX} s`,
  );
  console.log(`drafts, lines                        ${run.draftCount}, ${run.lineCount}`);
  created.print();
  if (dry.draftCount !== PARTNERS || run.draftCount !== PARTNERS || seconds > SECONDS_MAX)
    process.exitCode = 1;
});

await withWorker(bench);
