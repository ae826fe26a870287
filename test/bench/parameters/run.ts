/**
 * `npm run bench:parameters -- --partners 1000 --commissions 200`: the time until a change of one partner's value has recomputed
 * that partner's commissions, on PostgreSQL, in a plan whose partners have values of their own: once from the first sale on, and
 * once from the middle of the sales. Exits with 1 when a change takes more than a second, or when commissions other than those of
 * the partner and the dates are recomputed.
 */
import { Effect } from "effect";
import { Attributions, CommissionPlans, Commissions, Currency, type Ids } from "quittance";
import { Build } from "quittance/testing";
import {
  ASSIGNED,
  BATCH,
  createPartners,
  createSchema,
  owner,
  printSize,
  progress,
  withWorker,
  workspaceId,
} from "../beside.ts";
import { numbers } from "../options.ts";

const { partners: PARTNERS, commissions: COMMISSIONS } = numbers({ partners: 1_000, commissions: 200 });
/** The limit of one change. */
const SECONDS_MAX = 1;
const VALUE = 1_000;

/** The moment of a partner's sale of a number. */
const occurrence = (index: number): number => Build.EPOCH + index * 60_000;

/** How many attributions recomputations have read, by partner. */
const visited = new Map<string, number>();

const populate = Effect.gen(function* () {
  const plans = yield* CommissionPlans.CommissionPlans;
  const attributions = yield* Attributions.Attributions;
  const { id: schemaId } = yield* createSchema;
  const partnerIds = yield* createPartners(PARTNERS);
  const { id: planId } = yield* plans.create(owner, {
    ...{ workspaceId, schemaId, name: "Rates", currency: Currency.Currency.make("EUR") },
    ...{ startDatetime: Build.EPOCH, expressionText: "order_value * plan.rate" },
    parameters: [{ name: "rate", type: "number" }],
  });
  for (let from = 0; from < PARTNERS; from += ASSIGNED)
    yield* plans.assign(owner, planId, {
      partnerIds: partnerIds.slice(from, from + ASSIGNED),
      parameters: { rate: 0.1 },
    });
  progress(`assigned ${PARTNERS} partners`);
  const sales = partnerIds.flatMap((partnerId) =>
    Array.from({ length: COMMISSIONS }, (_, index) => ({
      ...{ partnerId, schemaId, workspaceId, properties: { order_value: VALUE } },
      occurredAt: occurrence(index),
    })),
  );
  for (let from = 0; from < sales.length; from += BATCH)
    yield* attributions.createBatch(owner, {
      mode: "atomic",
      attributions: sales.slice(from, from + BATCH),
    });
  progress(`created ${sales.length} attributions with a commission each`);
  return { partnerIds, planId };
});

/** What partners have earned; all of them without ids. */
const earned = (partnerIds?: ReadonlyArray<Ids.PartnerId>) =>
  Effect.gen(function* () {
    const { statistics } = yield* Commissions.Commissions;
    const span = { from: Build.EPOCH, to: Date.now() + Build.DAY, granularity: "month" } as const;
    const found = yield* statistics(owner, { ...span, ...(partnerIds === undefined ? {} : { partnerIds }) });
    return JSON.stringify(found, (_, value) => (typeof value === "bigint" ? Number(value) : value));
  });

const bench = Effect.gen(function* () {
  const { partnerIds, planId } = yield* populate;
  const { setPartnerParameters } = yield* CommissionPlans.CommissionPlans;
  printSize(PARTNERS, COMMISSIONS);
  const [changed, ...others] = partnerIds;
  if (changed === undefined) return;
  const before = yield* earned(others.slice(0, BATCH));
  const middle = Math.floor(COMMISSIONS / 2);
  const changes = [
    { what: "from the first sale on", from: 0, rate: 0.2, recomputed: COMMISSIONS },
    { what: "from the middle of the sales", from: middle, rate: 0.3, recomputed: COMMISSIONS - middle },
  ];
  for (const { what, from, rate, recomputed } of changes) {
    visited.clear();
    const started = performance.now();
    yield* setPartnerParameters(owner, planId, changed, {
      values: { rate },
      effectiveDatetime: occurrence(from),
    });
    const seconds = (performance.now() - started) / 1_000;
    console.log(
      `${what.padEnd(30)} ${(seconds * 1_000).toFixed(0).padStart(6)} ms, limit ${SECONDS_MAX} s; ${[...visited.values()].reduce((sum, count) => sum + count, 0)} commissions recomputed`,
    );
    const isExact = visited.size === 1 && visited.get(changed) === recomputed;
    if (!isExact) console.error(`expected ${recomputed} commissions of ${changed}`, visited);
    if (!isExact || seconds > SECONDS_MAX) process.exitCode = 1;
  }
  if (before !== (yield* earned(others.slice(0, BATCH)))) {
    console.error("the commissions of other partners have changed");
    process.exitCode = 1;
  }
});

await withWorker(bench, (storage) => ({
  ...storage,
  attributionsForFormula: (formula, span) =>
    Effect.tap(storage.attributionsForFormula(formula, span), ({ length }) =>
      Effect.sync(() => visited.set(formula.partnerId, (visited.get(formula.partnerId) ?? 0) + length)),
    ),
}));
