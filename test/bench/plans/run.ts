/**
 * `npm run bench:plans -- --partners 1000 --commissions 200`: the time until a change of a plan is applied to every formula
 * and every amount is recomputed, by a worker on PostgreSQL, while attributions of the same partners are created one after
 * the other. Also the time of a creation without and during the roll-out.
 */
import { Effect } from "effect";
import { CommissionPlans, Currency, type Ids } from "quittance";
import { Build } from "quittance/testing";
import {
  BATCH,
  createPartners,
  createSchema,
  creations,
  earn,
  owner,
  POLL_MILLISECONDS,
  percent,
  printSize,
  progress,
  withWorker,
  workspaceId,
} from "../beside.ts";
import { numbers } from "../options.ts";

const { partners: PARTNERS, commissions: COMMISSIONS } = numbers({ partners: 1_000, commissions: 200 });

const populate = Effect.gen(function* () {
  const { id: schemaId } = yield* createSchema;
  const partnerIds = yield* createPartners(PARTNERS);
  const plans = yield* CommissionPlans.CommissionPlans;
  const { id: planId } = yield* plans.create(owner, {
    ...{ workspaceId, schemaId, name: "Affiliates", currency: Currency.Currency.make("EUR") },
    ...{ startDatetime: Build.EPOCH, expression: percent(10) },
  });
  for (let from = 0; from < partnerIds.length; from += BATCH)
    yield* plans.assign(owner, planId, { partnerIds: partnerIds.slice(from, from + BATCH) });
  progress(`assigned ${PARTNERS} partners`);
  yield* earn(partnerIds, schemaId, COMMISSIONS);
  return { partnerIds, schemaId, planId };
});

const pending = (planId: Ids.PlanId) =>
  Effect.gen(function* () {
    const { list } = yield* CommissionPlans.CommissionPlans;
    const { items } = yield* list(owner, { ids: [planId] });
    return items[0]?.rollingOut.pending ?? 0;
  });

/** Waits until every formula has the plan's last change and all amounts are recomputed. */
const settled = (planId: Ids.PlanId) =>
  pending(planId).pipe(
    Effect.tap((left) => (left === 0 ? Effect.void : Effect.sleep(POLL_MILLISECONDS))),
    Effect.repeat({ until: (left) => left === 0 }),
  );

const bench = Effect.gen(function* () {
  const { partnerIds, schemaId, planId } = yield* populate;
  yield* settled(planId);
  const created = yield* creations(partnerIds, schemaId);
  yield* created.without;
  const { update } = yield* CommissionPlans.CommissionPlans;
  const started = performance.now();
  yield* update(owner, planId, { expression: percent(20), effectiveDatetime: Build.EPOCH });
  const responded = performance.now() - started;
  yield* created.until(settled(planId));
  const seconds = (performance.now() - started) / 1_000;
  printSize(PARTNERS, COMMISSIONS);
  console.log(`the change returned after            ${responded.toFixed(0).padStart(6)} ms`);
  console.log(`every amount was recomputed after    ${seconds.toFixed(1).padStart(6)} s`);
  created.print();
});

await withWorker(bench);
