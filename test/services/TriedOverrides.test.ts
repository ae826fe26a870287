/** Overrides in trials and dry runs, compared with what the engine stores once the draft is in force. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  CommissionPlans,
  type Ids,
  type PlanTrial,
  PlanTrials,
} from "quittance";
import { checkInvariants, stateDump } from "quittance/testing";
import { random } from "../support/Random.ts";
import * as Given from "./Given.ts";
import * as PlanScene from "./PlanScene.ts";
import { linkedTeam, sell } from "./Team.ts";

const { rule, NOW, DAY, EUR } = Given;

const FROM = NOW - 60 * DAY;
const TO = NOW + DAY;

const compute = ({ owner }: Given.Scene, input: Omit<PlanTrial.Start, "from" | "to">) =>
  Effect.gen(function* () {
    const { start, read } = yield* PlanTrials.PlanTrials;
    const { id } = yield* start(owner, { ...input, from: FROM, to: TO });
    yield* Given.drain;
    return yield* read(owner, id, { perPage: 100 });
  });

/** What each partner earns by the books under some formulas. */
const booksOf = (scene: Given.Scene, isOf: (formulaId: string) => boolean) =>
  Effect.gen(function* () {
    yield* checkInvariants(scene.customerId);
    const sums = new Map<string, bigint>();
    for (const { formulaId, partnerId, computedAmount } of yield* Given.commissions(scene))
      if (isOf(formulaId)) sums.set(partnerId, (sums.get(partnerId) ?? 0n) + BigInt(computedAmount ?? 0));
    return [...sums].toSorted();
  });

const ofPlan = (scene: Given.Scene, planId: string) =>
  Effect.gen(function* () {
    const { list } = yield* CommissionFormulas.CommissionFormulas;
    const { items } = yield* list(scene.owner, { perPage: 100 });
    const own = new Set<string>(
      items.filter(({ assignment }) => assignment?.planId === planId).map(({ id }) => id),
    );
    return yield* booksOf(scene, (id) => own.has(id));
  });

/**
 * A team whose sellers earn by plans of their own, with sales of one and of two sellers, some cancelled, and a manager and a
 * director above them under a plan for managers. `planText` is that of the managers.
 */
const history = (seed: number, planText: string) =>
  Effect.gen(function* () {
    const chance = random(seed);
    const all = yield* linkedTeam;
    const { scene, seller, second, manager, director } = all;
    yield* Given.formula(scene, { from: FROM });
    yield* Given.formula({ ...scene, partnerId: second }, { expression: Given.percent(7), from: FROM });
    const { workspaceId, schemaId } = scene;
    const { create } = yield* CommissionPlans.CommissionPlans;
    const { id: planId } = yield* create(scene.owner, {
      ...{ workspaceId, schemaId, name: "Managers", currency: EUR, roles: ["manager"] },
      ...{ startDatetime: FROM - DAY, expressionText: planText },
    });
    yield* PlanScene.assign(scene, planId, {}, [manager, director]);
    const { cancel } = yield* Attributions.Attributions;
    for (let number = 0; number < 30; number++) {
      const credits = [
        { partnerId: seller, share: "0.6" },
        { partnerId: second, share: "0.4" },
      ];
      const occurredAt = NOW - chance.integer(0, 28 * DAY);
      const id = yield* sell(scene, chance.integer(1, 50_000), {
        occurredAt,
        ...(chance.chance(0.4) ? { credits } : {}),
      });
      if (chance.chance(0.15)) yield* cancel(scene.owner, id, { reason: "refunded" });
    }
    yield* Given.drain;
    return { ...all, planId };
  });

const TIERS = `before = count earlier this month
if before < 5 then sale.sellers_commission * 10 % else sale.sellers_commission * 25 %`;
const DRAFTS = [
  ["a rate of commission", "order_value * 1 %", "sale.sellers_commission * 12.5 %"],
  ["another rate of commission", "sale.sellers_commission * 12.5 %", "sale.sellers_commission * 20 %"],
  ["a rate of revenue in place of one of commission", "sale.sellers_commission * 10 %", "order_value * 1 %"],
  [
    "a rate by level",
    "order_value * 1 %",
    "if sale.credit_depth = 1 then sale.sellers_commission * 10 % else sale.sellers_commission * 3 %",
  ],
  ["a rate by the number of sales", "order_value * 1 %", TIERS],
] as const;

describe("a trial of an override", () => {
  it.effect.each(DRAFTS)("pays what the engine stores under the adopted draft: %s", ([, before, draft]) =>
    Effect.forEach([1, 2], (seed) =>
      rule(
        Effect.gen(function* () {
          const { scene, planId } = yield* history(seed, before);
          const dump = yield* stateDump(scene.customerId);
          const found = yield* compute(scene, { planId, expressionText: draft });
          expect(yield* stateDump(scene.customerId)).toEqual(dump);
          const sums = (side: "amountNow" | "amountThen") =>
            found.results.map((result) => [result.partnerId, result[side]]).toSorted();
          const paid = ([, amount]: ReadonlyArray<unknown>) => amount !== 0n;
          expect(found.trial.notComputableCount).toBe(0);
          expect(sums("amountNow").filter(paid)).toEqual(yield* ofPlan(scene, planId));
          const { adopt } = yield* PlanTrials.PlanTrials;
          yield* adopt(scene.owner, found.trial.id, { effectiveDatetime: FROM });
          yield* Given.drain;
          const stored = yield* ofPlan(scene, planId);
          expect(stored.map(([, amount]) => amount > 0n)).toEqual([true, true]);
          expect(sums("amountThen").filter(paid)).toEqual(stored);
        }),
      ),
    ),
  );
});

/** A sale of 10,000 of a seller who earns 10 %, below a manager and a director. */
const sold = Effect.gen(function* () {
  const all = yield* linkedTeam;
  const formulaId = yield* Given.formula(all.scene);
  yield* sell(all.scene, 10_000);
  const { workspaceId, schemaId } = all.scene;
  const draft = { workspaceId, schemaId, currency: EUR, roles: ["manager"] };
  return { ...all, formulaId, draft };
});

const raise = ({ owner }: Given.Scene, formulaId: Ids.FormulaId, value: number) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, ({ update }) =>
    update(owner, formulaId, { expression: Given.percent(value), effectiveDatetime: FROM }),
  );

const HALF = "sale.sellers_commission * 50 %";

describe("a draft of an override that is no plan yet", () => {
  it.effect("is tried in the roles that it states, and explained by what the sellers earned then", () =>
    rule(
      Effect.gen(function* () {
        const { scene, manager, director, formulaId, draft } = yield* sold;
        const found = yield* compute(scene, { ...draft, expressionText: HALF });
        expect(found.trial).toMatchObject({ roles: ["manager"], amountNow: 1_000n, amountThen: 1_000n });
        expect(found.results.map(({ partnerId, amountThen }) => [partnerId, amountThen]).toSorted()).toEqual(
          [
            [scene.partnerId, 0n],
            [manager, 500n],
            [director, 500n],
          ].toSorted(),
        );
        // The seller's later amount does not change the explanation of the earlier trial.
        yield* raise(scene, formulaId, 20);
        const { read } = yield* PlanTrials.PlanTrials;
        const { changes } = yield* read(scene.owner, found.trial.id);
        const ofManager = changes.find(({ partnerId }) => partnerId === manager);
        expect(ofManager?.explanationThen.split("\n")).toEqual([
          "5.00 EUR for the sale of 1 January 2026 under “Draft”.",
          "As manager of Nordlys ApS (100 % of the sale), level 1.",
          "50 % of 10.00 EUR (sellers' commission) = 5.00 EUR.",
        ]);
        expect((yield* compute(scene, { ...draft, expressionText: HALF })).trial.amountThen).toBe(2_000n);
      }),
    ),
  );

  it.effect("has no amount where that of a seller is not computed", () =>
    rule(
      Effect.gen(function* () {
        const { scene, formulaId, draft } = yield* sold;
        yield* sell(scene, Given.LARGEST_ORDER);
        yield* raise(scene, formulaId, 1_000);
        yield* Given.drain;
        const { trial } = yield* compute(scene, { ...draft, expressionText: HALF });
        // The seller's own sale on the other side, and those of the manager and the director.
        expect([trial.salesCount, trial.notComputableCount]).toEqual([3, 3]);
      }),
    ),
  );

  it.effect("counts added sales by what they state of their sellers", () =>
    rule(
      Effect.gen(function* () {
        const { scene, manager, draft } = yield* sold;
        const add = (more: object) => [
          {
            ...{ partnerId: manager, properties: { order_value: 1 }, occurredAt: NOW - DAY },
            credit: { role: "manager", share: "0.5", depth: 1 },
            ...more,
          },
        ];
        const partnerIds = [manager];
        const tried = (more: object, expressionText = HALF) =>
          compute(scene, { ...draft, partnerIds, expressionText, add: add(more) });
        const { trial, changes } = yield* tried({ sellersCommission: 804 });
        expect([trial.salesCount, trial.amountThen]).toEqual([2, 902n]);
        expect(changes.map(({ added, amountThen }) => [added, amountThen])).toEqual([
          [null, 500n],
          [0, 402n],
        ]);
        expect(changes[1]?.explanationThen).toContain("50 % of 8.04 EUR (sellers' commission) = 4.02 EUR.");
        // 1 × 3 at half the sale.
        expect((yield* tried({}, "order_value * 3")).trial.amountThen).toBe(30_002n);
        // A seller is not paid by it.
        expect((yield* tried({ credit: { role: "seller" } })).trial.amountThen).toBe(500n);
        expect(yield* Given.refusal(tried({}))).toBe(
          "add.0.sellers_commission: is missing; the expression reads what the sellers earn",
        );
        expect(yield* Given.refusal(tried({ sellersCommission: 0.5 }))).toMatch(
          /^add\.0\.sellersCommission: must be a whole number from /,
        );
      }),
    ),
  );

  it.effect("is refused as the plan would be: for sellers, and with roles beside a plan", () =>
    rule(
      Effect.gen(function* () {
        const { scene, draft } = yield* sold;
        const planId = yield* PlanScene.plan(scene);
        const refused = (input: Omit<PlanTrial.Start, "from" | "to">) =>
          Given.refusal(compute(scene, { expressionText: HALF, ...input }));
        const message =
          "expression_text: must not read sellers_commission where the roles include seller: state roles without it, such as manager";
        const { roles, ...seller } = draft;
        expect(yield* refused(seller)).toBe(message);
        expect(yield* refused({ ...draft, roles: [...roles, "seller"] })).toBe(message);
        expect(yield* refused({ planId })).toBe(message);
        expect(yield* refused({ planId, roles })).toBe(
          "roles: must not be given together with plan_id: it is that of the plan",
        );
      }),
    ),
  );
});

describe("a dry run", () => {
  it.effect("of a formula or an assignment counts overrides that the command then stores", () =>
    rule(
      Effect.gen(function* () {
        const { scene, manager, director } = yield* history(3, HALF);
        const { workspaceId, schemaId, owner } = scene;
        const terms = {
          ...{ workspaceId, schemaId, name: "Bonus", currency: EUR, roles: ["manager"] },
          ...{ startDatetime: FROM, expressionText: "sale.sellers_commission * 30 %" },
        };
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        const alone = { ...terms, partnerId: manager };
        const [dry] = (yield* formulas.dryRun(owner, { ...alone, dryRun: true })).commissions;
        const { id } = yield* formulas.create(owner, alone);
        yield* Given.drain;
        expect([[manager, dry?.amount]]).toEqual(yield* booksOf(scene, (formulaId) => formulaId === id));
        const plans = yield* CommissionPlans.CommissionPlans;
        const plan = yield* plans.create(owner, terms);
        const assignment = { partnerIds: [manager, director], dryRun: true };
        const prospect = yield* plans.dryRun(owner, plan.id, assignment);
        expect(prospect).toMatchObject({ formulaCount: 2, notComputableCount: 0 });
        yield* PlanScene.assign(scene, plan.id, {}, [manager, director]);
        yield* Given.drain;
        const stored = yield* ofPlan(scene, plan.id);
        expect(stored).toHaveLength(2);
        expect(prospect.commissions[0]?.amount).toBe(stored.reduce((sum, [, amount]) => sum + amount, 0n));
      }),
    ),
  );
});
