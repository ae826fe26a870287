/**
 * `npm run bench:trials -- --partners 1000 --sales 300`: the time of a trial from its start to its end, by a worker on
 * PostgreSQL: of a percentage, and of tiers of a month whose totals begin before the span. Exits with 1 when a trial takes more
 * than a minute, or does not count every sale.
 */
import { Effect } from "effect";
import { CommissionPlans, Currency, type Ids, PlanTrials } from "quittance";
import { Build } from "quittance/testing";
import {
  createPartners,
  createSchema,
  earn,
  owner,
  POLL_MILLISECONDS,
  percent,
  printSize,
  withWorker,
  workspaceId,
} from "../beside.ts";
import { numbers } from "../options.ts";

const { partners: PARTNERS, sales: SALES } = numbers({ partners: 1_000, sales: 300 });
/** The limit for 1,000 partners with 300 sales each. */
const SECONDS_MAX = 60;

const DRAFTS = {
  "a percentage": "order_value * 12 %",
  "tiers of a month": `before = sum of order_value earlier this month
tiers(order_value, after before) { up to 100000: 8 %; up to 300000: 10 %; else: 12 % }`,
} as const;

/** Partners of one plan, each with its sales. */
const populate = Effect.gen(function* () {
  const plans = yield* CommissionPlans.CommissionPlans;
  const { id: schemaId } = yield* createSchema;
  const partnerIds = yield* createPartners(PARTNERS);
  const { id: planId } = yield* plans.create(owner, {
    ...{ workspaceId, schemaId, name: "10 %", currency: Currency.Currency.make("EUR") },
    ...{ startDatetime: Build.EPOCH, expression: percent(10) },
  });
  for (let from = 0; from < PARTNERS; from += 1_000)
    yield* plans.assign(owner, planId, { partnerIds: partnerIds.slice(from, from + 1_000) });
  yield* earn(partnerIds, schemaId, SALES);
  return planId;
});

/** Waits until a trial is done; returns it. */
const done = (id: Ids.PlanTrialId) =>
  Effect.flatMap(PlanTrials.PlanTrials, ({ read }) =>
    Effect.map(read(owner, id), ({ trial }) => trial).pipe(
      Effect.tap(({ state }) => (state === "done" ? Effect.void : Effect.sleep(POLL_MILLISECONDS))),
      Effect.repeat({ until: ({ state }) => state === "done" }),
    ),
  );

const bench = Effect.gen(function* () {
  const planId = yield* populate;
  const { start } = yield* PlanTrials.PlanTrials;
  printSize(PARTNERS, SALES);
  for (const [name, expressionText] of Object.entries(DRAFTS)) {
    const started = performance.now();
    const { id } = yield* start(owner, {
      ...{ planId, expressionText },
      from: Build.EPOCH,
      to: Date.now() + Build.DAY,
    });
    const trial = yield* done(id);
    const seconds = (performance.now() - started) / 1_000;
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
    console.log(
      `${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s, limit ${SECONDS_MAX} s; ${memory} MB`,
    );
    if (trial.salesCount !== PARTNERS * SALES || seconds > SECONDS_MAX) process.exitCode = 1;
  }
});

await withWorker(bench);
