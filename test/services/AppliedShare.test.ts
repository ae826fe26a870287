/** The share of a credit multiplies what a formula pays as the caller states it, else as the expression says. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  CommissionPlans,
  Commissions,
  type Ids,
  PlanTerms,
  PlanTrials,
} from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";
import { another, assign, listed, plan } from "./PlanScene.ts";

const { rule, NOW, DAY, EUR } = Given;

const TEXT = "order_value * 10 %";
const OWN = "order_value * sale.credit_share * 10 %";

const formulas = CommissionFormulas.CommissionFormulas;
const plans = CommissionPlans.CommissionPlans;

const create = (scene: Given.Scene, expressionText: string, applyShare?: boolean) =>
  Effect.flatMap(formulas, (service) =>
    service.create(scene.owner, {
      ...{ partnerId: scene.partnerId, schemaId: scene.schemaId, workspaceId: scene.workspaceId },
      ...{ name: "Share", currency: EUR, startDatetime: NOW - 30 * DAY, expressionText },
      ...(applyShare === undefined ? {} : { applyShare }),
    }),
  );

/** Records a sale of 1 000 of which 25 % is the scene's partner's; returns the id of its attribution. */
const sellQuarter = (scene: Given.Scene, occurredAt = NOW) =>
  Effect.gen(function* () {
    const other = yield* another(scene);
    const { create: record } = yield* Attributions.Attributions;
    const { id } = yield* record(scene.owner, {
      ...Given.sale(scene, 1_000),
      occurredAt,
      credits: [
        { partnerId: scene.partnerId, share: "0.25" },
        { partnerId: other.partnerId, share: "0.75" },
      ],
    });
    return id;
  });

const earned = (scene: Given.Scene, id: Ids.AttributionId) =>
  Effect.map(Given.commissions(scene, id), (found) => found.map(({ computedAmount }) => computedAmount));

const statedOf = (scene: Given.Scene) =>
  Effect.map(listed(scene), (found) =>
    found.flatMap(({ versions }) => versions.map((one) => one.applyShare)),
  );

describe("the share of a credit", () => {
  it.effect.each([
    ["follows from an expression", TEXT, undefined, 25, undefined],
    ["is stated as it follows", TEXT, true, 25, undefined],
    ["is stated not to count", TEXT, false, 100, false],
    ["is read by an expression", OWN, undefined, 25, undefined],
    ["is stated beside an expression that reads it", OWN, true, 6, true],
  ] as const)("%s", ([, text, applyShare, amount, stored]) =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* create(scene, text, applyShare);
        const id = yield* sellQuarter(scene);
        expect(yield* earned(scene, id)).toEqual([amount]);
        expect(yield* statedOf(scene)).toEqual([stored]);
        yield* checkInvariants(scene.customerId);
      }),
    ),
  );

  it.effect("is stated with each version: an update without it is as its expression says", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { id } = yield* create(scene, TEXT);
        const sale = yield* sellQuarter(scene);
        const { update } = yield* formulas;
        const from = { expressionText: TEXT, effectiveDatetime: NOW - DAY };
        const amounts: Array<unknown> = [];
        const say = (applyShare: boolean | undefined) =>
          Effect.gen(function* () {
            yield* update(scene.owner, id, applyShare === undefined ? from : { ...from, applyShare });
            amounts.push(yield* earned(scene, sale));
          });
        yield* Effect.forEach([false, false, true, undefined, false, undefined], say, { discard: true });
        expect(amounts).toEqual([[100], [100], [25], [25], [100], [25]]);
        // What is stated again makes no version.
        expect(yield* statedOf(scene)).toEqual([undefined, false, undefined, false, undefined]);
        yield* checkInvariants(scene.customerId);
      }),
    ),
  );

  it.effect("is kept with a version ahead that an update states again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { id } = yield* create(scene, TEXT);
        const { update } = yield* formulas;
        yield* update(scene.owner, id, {
          ...{ expressionText: TEXT, applyShare: false, effectiveDatetime: NOW + 2 * DAY },
        });
        yield* update(scene.owner, id, {
          ...{ expressionText: "order_value * 20 %", effectiveDatetime: NOW, versionsAhead: "keep" },
        });
        const [found] = yield* listed(scene);
        expect(found?.versions.map(({ status, applyShare }) => [status, applyShare])).toEqual([
          ["reached", undefined],
          ["withdrawn", false],
          ["reached", undefined],
          ["ahead", false],
        ]);
      }),
    ),
  );

  it.effect("may be stated only together with an expression", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { id } = yield* create(scene, TEXT);
        const planId = yield* plan(scene);
        const message = "apply_share: is allowed only together with an expression";
        const { update } = yield* formulas;
        expect(yield* Given.refusal(update(scene.owner, id, { applyShare: false }))).toBe(message);
        const changePlan = yield* plans;
        expect(yield* Given.refusal(changePlan.update(scene.owner, planId, { applyShare: true }))).toBe(
          message,
        );
        const { start } = yield* PlanTrials.PlanTrials;
        const span = { from: NOW - DAY, to: NOW + DAY };
        expect(yield* Given.refusal(start(scene.owner, { planId, applyShare: true, ...span }))).toBe(message);
      }),
    ),
  );

  it.effect("of a plan reaches its partners, before and after the assignment", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene, { applyShare: false });
        const { update } = yield* plans;
        yield* update(scene.owner, planId, {
          ...{ expressionText: OWN, applyShare: true, effectiveDatetime: NOW - 2 * DAY },
        });
        yield* assign(scene, planId);
        yield* update(scene.owner, planId, {
          ...{ expressionText: TEXT, applyShare: false, effectiveDatetime: NOW - DAY },
        });
        const sales = yield* Effect.forEach([NOW - 10 * DAY, NOW - 2 * DAY, NOW], (at) =>
          sellQuarter(scene, at),
        );
        expect(yield* Effect.forEach(sales, (id) => earned(scene, id))).toEqual([[100], [6], [100]]);
        expect(yield* statedOf(scene)).toEqual([false, true, false]);
        yield* checkInvariants(scene.customerId);
      }),
    ),
  );

  it.effect("is part of what a partner agrees to, and the terms say it", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { read } = yield* PlanTerms.PlanTerms;
        const termsOf = (terms: Parameters<typeof plan>[1]) =>
          Effect.gen(function* () {
            const planId = yield* plan(scene, terms);
            yield* assign(scene, planId);
            return yield* read(scene.owner, planId, { partnerId: scene.partnerId });
          });
        const plain = yield* termsOf({});
        const same = yield* termsOf({ applyShare: true });
        const whole = yield* termsOf({ applyShare: false });
        const managers = yield* termsOf({ roles: ["manager"] });
        expect(same.hash).toBe(plain.hash);
        expect(new Set([plain.hash, whole.hash, managers.hash]).size).toBe(3);
        const last = ({ paragraphs }: typeof plain) => paragraphs.at(-1)?.text;
        expect(last(same)).toBe(last(plain));
        expect(last(plain)).not.toMatch(/share/);
        expect(last(whole)).toBe(
          "Where several people earn from a sale, this is paid whatever your share of it is.",
        );
        expect(last(managers)).toBe(
          "Where several people earn from a sale, this is multiplied by your share of it.",
        );
      }),
    ),
  );

  it.effect("that does not count is explained so", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { id } = yield* create(scene, TEXT);
        const sale = yield* sellQuarter(scene);
        const [commission] = yield* Given.commissions(scene, sale);
        if (commission === undefined) return yield* Effect.die("the partner earns");
        const { explain } = yield* Commissions.Commissions;
        const { update } = yield* formulas;
        const shared = yield* explain(scene.owner, commission.id);
        expect(shared).toMatchObject({ amount: 25, applyShare: true });
        expect(shared.sentences).toContain("As seller, 25 % of the sale.\n");
        yield* update(scene.owner, id, {
          ...{ expressionText: TEXT, applyShare: false, effectiveDatetime: NOW - DAY },
        });
        const whole = yield* explain(scene.owner, commission.id, "de");
        expect(whole).toMatchObject({ amount: 100, applyShare: false });
        expect(whole.sentences).toContain("% des Verkaufs. Der Anteil ändert den Betrag nicht.\n");
        const alone = yield* Given.sell(scene, 1_000);
        const [own] = yield* Given.commissions(scene, alone);
        if (own === undefined) return yield* Effect.die("the partner earns");
        expect(yield* explain(scene.owner, own.id)).not.toHaveProperty("applyShare");
      }),
    ),
  );

  it.effect("is tried by samples and by trials, and adopted", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* formulas;
        const asked = { schemaId: scene.schemaId, currency: EUR, expressionText: TEXT };
        const sample = { properties: { order_value: 1_000 } };
        const credit = { share: "1/4" };
        const results = (applyShare: boolean) =>
          Effect.map(
            simulate(scene.owner, { ...asked, applyShare, samples: [sample, { ...sample, credit }] }),
            (found) => found.map(({ result }) => result),
          );
        expect(yield* results(true)).toMatchObject([{ right: 100 }, { right: 25 }]);
        expect(yield* results(false)).toMatchObject([{ right: 100 }, { right: 100 }]);

        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        const id = yield* sellQuarter(scene, NOW - DAY);
        const trials = yield* PlanTrials.PlanTrials;
        const span = { from: NOW - 2 * DAY, to: NOW };
        const trial = yield* trials.start(scene.owner, {
          ...{ planId, expressionText: TEXT, applyShare: false },
          ...span,
        });
        yield* Given.drain;
        const found = yield* trials.read(scene.owner, trial.id);
        expect(found.trial).toMatchObject({ amountNow: 25n, amountThen: 100n, applyShare: false });
        yield* trials.adopt(scene.owner, trial.id, { effectiveDatetime: NOW - 2 * DAY });
        yield* Given.drain;
        expect(yield* earned(scene, id)).toEqual([100]);
      }),
    ),
  );

  it.effect("of a sample has the bounds of any credit", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* formulas;
        const refusal = (credit: {
          readonly share?: string;
          readonly role?: string;
          readonly depth?: number;
        }) =>
          Given.refusal(
            simulate(scene.owner, {
              ...{ schemaId: scene.schemaId, currency: EUR, expressionText: TEXT },
              samples: [{ properties: { order_value: 1 }, credit }],
            }),
          );
        expect(yield* refusal({ share: "1.5" })).toMatch(
          /^samples\.0\.credit\.share: must be greater than 0/,
        );
        expect(yield* refusal({ depth: 17 })).toBe("samples.0.credit.depth: must be from 0 to 16");
        expect(yield* refusal({ role: "r".repeat(65) })).toMatch(/^samples\.0\.credit\.role: must /);
      }),
    ),
  );
});
