/** Values of parameters: for each partner, from dates on, and what a change of them recomputes. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  CommissionPlans,
  Commissions,
  type Ids,
  type Parameter,
  Storage,
} from "quittance";
import type { Expression } from "quittance/formula";
import * as Given from "./Given.ts";
import { another, assign, listed, plan } from "./PlanScene.ts";

const { rule, NOW, DAY, EUR } = Given;
const formulas = CommissionFormulas.CommissionFormulas;
const plans = CommissionPlans.CommissionPlans;

const RATE = { type: "parameter", name: "rate" } as const;
const BY_RATE: Expression = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    RATE,
    { type: "literal", value: { type: "percent", value: 1 } },
  ],
};
const DECLARED = [{ name: "rate", type: "number", format: "percent" }] as const;
const WITH_DEFAULT = [{ ...DECLARED[0], default: 5 }] as const;

const sellAt = (scene: Given.Scene, orderValue: number, occurredAt: number) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    create(scene.owner, { ...Given.sale(scene, orderValue), occurredAt }),
  );

const planWithRate = (scene: Given.Scene, parameters: typeof DECLARED | typeof WITH_DEFAULT = DECLARED) =>
  plan(scene, { expression: BY_RATE, parameters });

const assignWith = (
  scene: Given.Scene,
  planId: Ids.PlanId,
  parameters: Parameter.Values,
  partnerIds: ReadonlyArray<Ids.PartnerId> = [scene.partnerId],
) =>
  Effect.flatMap(plans, (service) =>
    service.assign(scene.owner, planId, { partnerIds, parameters: parameters as Record<string, number> }),
  );

const set = (scene: Given.Scene, planId: Ids.PlanId, values: Parameter.Values, effectiveDatetime?: number) =>
  Effect.flatMap(plans, (service) =>
    service.setPartnerParameters(scene.owner, planId, scene.partnerId, {
      values,
      ...(effectiveDatetime === undefined ? {} : { effectiveDatetime }),
    }),
  );

const versions = (scene: Given.Scene) =>
  Effect.map(Given.commissions(scene), (found) =>
    found.map(({ computedAmount, parametersVersion }) => [computedAmount, parametersVersion]),
  );

describe("values of a plan's parameters", () => {
  it.effect("are each partner's own, from the assignment on", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 7 });
        yield* assignWith(scene, planId, { rate: 12.5 }, [other.partnerId]);
        yield* Given.sell(scene, 10_000);
        yield* Given.sell(other, 10_000);
        expect((yield* Given.amounts(scene)).toSorted()).toEqual([1_250, 700]);
      }),
    ),
  );

  it.effect("are needed for every parameter without a default", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        expect(yield* Given.refusal(assign(scene, planId))).toBe(
          "parameters.rate: is missing; the parameter has no default",
        );
        expect(yield* Given.refusal(assignWith(scene, planId, { rate: "much" }))).toBe(
          "parameters.rate: must be a number",
        );
        expect(yield* Given.refusal(assignWith(scene, planId, { rate: 1, quota: 2 }))).toBe(
          "parameters.quota: is no declared parameter",
        );
        expect(yield* listed(scene)).toEqual([]);
        const optional = yield* planWithRate(scene, WITH_DEFAULT);
        yield* assign(scene, optional);
        yield* Given.sell(scene, 10_000);
        expect(yield* versions(scene)).toEqual([[500, null]]);
      }),
    ),
  );

  it.effect("hold from their date until the next date of the same parameter", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 10 });
        for (const day of [5, 4, 3, 2, 1]) yield* sellAt(scene, 10_000, NOW - day * DAY);
        yield* set(scene, planId, { rate: 20 }, NOW - 2 * DAY);
        yield* set(scene, planId, { rate: 30 }, NOW - 4 * DAY);
        expect(yield* versions(scene)).toEqual([
          [1_000, 1],
          [3_000, 3],
          [3_000, 3],
          [2_000, 2],
          [2_000, 2],
        ]);
        yield* set(scene, planId, { rate: null }, NOW - 4 * DAY);
        expect(yield* Given.amounts(scene)).toEqual([1_000, 1_000, 1_000, 2_000, 2_000]);
        yield* set(scene, planId, { rate: null }, NOW - 3 * DAY);
        expect((yield* listed(scene))[0]?.version).toBe(4);
        expect(yield* Given.refusal(set(scene, planId, { rate: null }))).toMatch(
          "values.rate: must not be null",
        );
      }),
    ),
  );

  it.effect("recompute the dates at which they change, and no others", () => {
    const read: Array<number> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 10 }, [scene.partnerId, other.partnerId]);
        yield* set(scene, planId, { rate: 20 }, NOW - 2 * DAY);
        for (const one of [scene, other])
          for (const day of [5, 4, 3, 2, 1]) yield* sellAt(one, 10_000, NOW - day * DAY);
        read.length = 0;
        yield* set(scene, planId, { rate: 15 }, NOW - 4 * DAY);
        expect(read).toEqual([NOW - 4 * DAY, NOW - 3 * DAY]);
        expect((yield* Given.amounts(scene)).slice(0, 5)).toEqual([1_000, 1_500, 1_500, 2_000, 2_000]);
        expect((yield* Given.amounts(scene)).slice(5)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
        read.length = 0;
        yield* set(scene, planId, { rate: 15 }, NOW - 3 * DAY);
        expect(read).toEqual([]);
      }),
      {
        storage: (storage) => ({
          attributionsForFormula: (formula, span) =>
            Effect.tap(storage.attributionsForFormula(formula, span), (found) =>
              Effect.sync(() => read.push(...found.map(({ attribution }) => attribution.occurredAt))),
            ),
        }),
      },
    );
  });

  it.effect("hold from now on without a date, and change nothing that has happened", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 10 });
        yield* Given.sell(scene, 10_000);
        yield* Given.wait(DAY);
        yield* set(scene, planId, { rate: 20 });
        yield* set(scene, planId, { rate: 20 });
        yield* Given.sell(scene, 10_000);
        expect(yield* versions(scene)).toEqual([
          [1_000, 1],
          [2_000, 2],
        ]);
        const [formula] = yield* listed(scene);
        expect(formula?.parameterValues).toEqual([
          { values: { rate: 10 }, effectiveDatetime: null },
          { values: { rate: 20 }, effectiveDatetime: NOW + DAY },
        ]);
      }),
    ),
  );

  it.effect("wait for their date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 10 });
        yield* set(scene, planId, { rate: 20 }, NOW + DAY);
        yield* Given.sell(scene, 10_000);
        yield* Given.wait(DAY);
        yield* Given.sell(scene, 10_000);
        expect(yield* Given.amounts(scene)).toEqual([1_000, 2_000]);
      }),
    ),
  );

  it.effect("belong to the partner and the plan, for all assignments", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        yield* (yield* plans).assign(scene.owner, planId, {
          ...{ partnerIds: [scene.partnerId], endDatetime: NOW - 2 * DAY },
          parameters: { rate: 10 },
        });
        yield* set(scene, planId, { rate: 20 }, NOW - 5 * DAY);
        yield* assign(scene, planId, { from: NOW - 2 * DAY });
        const again = yield* Effect.flip(assignWith(scene, planId, { rate: 11 }));
        expect(again.message).toMatch(/^parameter_values: /);
        for (const day of [6, 4, 1]) yield* sellAt(scene, 10_000, NOW - day * DAY);
        expect(yield* versions(scene)).toEqual([
          [1_000, 1],
          [2_000, 2],
          [2_000, 2],
        ]);
        yield* set(scene, planId, { rate: 30 }, NOW - 4 * DAY);
        expect(yield* Given.amounts(scene)).toEqual([1_000, 3_000, 3_000]);
        const [one, other] = yield* listed(scene);
        expect(other?.parameterValues).toEqual(one?.parameterValues);
        const unassigned = yield* another(scene);
        expect(yield* Given.refusal(set(unassigned, planId, { rate: 1 }))).toBe("assignment not found");
      }),
    ),
  );

  it.effect("are stated for many partners, all or none", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 10 }, [scene.partnerId, other.partnerId]);
        yield* Given.sell(scene, 10_000);
        yield* Given.sell(other, 10_000);
        const partners = [
          { partnerId: scene.partnerId, values: { rate: 20 }, effectiveDatetime: NOW - DAY },
          { partnerId: other.partnerId, values: { rate: "x" }, effectiveDatetime: NOW - DAY },
        ];
        const { setParameters } = yield* plans;
        expect(yield* Given.refusal(setParameters(scene.owner, planId, { partners }))).toBe(
          "partners.1.values.rate: must be a number",
        );
        const stranger = yield* another(scene);
        const unknown = [{ partnerId: stranger.partnerId, values: { rate: 1 } }];
        expect(yield* Given.refusal(setParameters(scene.owner, planId, { partners: unknown }))).toBe(
          "partners.0.partner_id: must be the id of a partner that has the plan",
        );
        expect(yield* Given.amounts(scene)).toEqual([1_000, 1_000]);
        yield* setParameters(scene.owner, planId, {
          partners: [
            ...partners.slice(0, 1),
            { partnerId: other.partnerId, values: { rate: 30 }, effectiveDatetime: NOW - DAY },
            { partnerId: other.partnerId, values: { rate: 40 }, effectiveDatetime: NOW + DAY },
          ],
        });
        expect(yield* Given.amounts(scene)).toEqual([2_000, 3_000]);
      }),
    ),
  );
});

describe("the declarations of parameters", () => {
  it.effect("may be added with a default, and removed where no expression reads them", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        const { update } = yield* plans;
        const quota = { name: "quota", type: "number" } as const;
        // Nobody has the plan yet.
        yield* update(scene.owner, planId, { parameters: [...DECLARED, quota] });
        yield* assignWith(scene, planId, { rate: 10, quota: 500 });
        yield* Given.sell(scene, 10_000);
        const change = (parameters: ReadonlyArray<object>) =>
          Given.refusal(update(scene.owner, planId, { parameters: parameters as typeof DECLARED }));
        expect(yield* change([...DECLARED, quota, { name: "cap", type: "number" }])).toMatch(
          "parameters.2.default: is needed",
        );
        expect(yield* change([{ ...DECLARED[0], default: 3 }, quota])).toBe(
          "parameters.0.default: cannot be changed",
        );
        expect(yield* change([{ name: "rate", type: "string" }, quota])).toBe(
          "parameters.0.type: cannot be changed",
        );
        expect(yield* change([quota])).toBe("parameters: must contain rate, which an expression reads");
        yield* update(scene.owner, planId, {
          parameters: [...DECLARED, { name: "cap", type: "number", default: 800 }],
          expression: {
            type: "min",
            operands: [BY_RATE, { type: "parameter", name: "cap" }],
          },
          effectiveDatetime: NOW - DAY,
        });
        expect(yield* versions(scene)).toEqual([[800, 1]]);
        yield* set(scene, planId, { cap: 900 }, NOW - DAY);
        expect(yield* versions(scene)).toEqual([[900, 2]]);
        const [formula] = yield* listed(scene);
        expect(formula?.parameterValues[0]).toEqual({ values: { rate: 10 }, effectiveDatetime: null });
        expect(yield* Given.refusal(set(scene, planId, { quota: 1 }))).toBe(
          "values.quota: is no declared parameter",
        );
      }),
    ),
  );
});

describe("a formula of one partner", () => {
  it.effect("has values of its own, in its explanation too", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create, update, setParameters } = yield* formulas;
        const { partnerId, schemaId, workspaceId } = scene;
        const terms = {
          ...{ partnerId, schemaId, workspaceId, name: "By rate", currency: EUR },
          ...{ startDatetime: NOW - 30 * DAY, expressionText: "order_value * plan.rate * 1 %" },
        };
        expect(yield* Given.refusal(create(scene.owner, { ...terms, parameters: DECLARED }))).toBe(
          "values.rate: is missing; the parameter has no default",
        );
        expect(yield* Given.refusal(create(scene.owner, terms))).toMatch("unknown parameter 'rate'");
        const { id } = yield* create(scene.owner, { ...terms, parameters: DECLARED, values: { rate: 10 } });
        const attributionId = yield* Given.sell(scene, 10_000);
        yield* setParameters(scene.owner, id, { values: { rate: 7 }, effectiveDatetime: NOW - DAY });
        expect(yield* versions(scene)).toEqual([[700, 2]]);
        yield* update(scene.owner, id, { expressionText: "order_value * plan.rate * 2 %" });
        const [commission] = yield* Given.commissions(scene, attributionId);
        const { explain } = yield* Commissions.Commissions;
        const explained = yield* explain(scene.owner, commission?.id ?? ("" as Ids.CommissionId));
        expect(explained).toMatchObject({ amount: 700, parametersVersion: 2 });
        expect(explained.sentences).toMatch("your rate since 31 December 2025");
      }),
    ),
  );

  it.effect("of a plan states its values with the plan", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 10 });
        const [formula] = yield* listed(scene);
        const { setParameters } = yield* formulas;
        const id = formula?.id ?? ("" as Ids.FormulaId);
        expect(yield* Given.refusal(setParameters(scene.owner, id, { values: { rate: 1 } }))).toMatch(
          /^formula_of_plan: /,
        );
      }),
    ),
  );
});

describe("storage", () => {
  it.effect("is read no more for creating attributions where parameters have values", () => {
    let reads = 0;
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* planWithRate(scene);
        yield* assignWith(scene, planId, { rate: 10 });
        yield* Given.sell(scene, 10_000);
        reads = 0;
        yield* Given.sell(scene, 10_000);
        expect(reads).toBe(0);
        expect(Storage.Storage.key).toMatch("Storage");
      }),
      {
        storage: (storage) => ({
          find: (...args) => Effect.tap(storage.find(...args), () => Effect.sync(() => (reads += 1))),
          formulaSets: (...args) =>
            Effect.tap(storage.formulaSets(...args), () => Effect.sync(() => (reads += 1))),
        }),
      },
    );
  });
});
