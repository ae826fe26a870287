/** Dry runs of assignments and of new formulas: what they say is what the command then does. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, CommissionFormulas, CommissionPlans, Limits } from "quittance";
import { stateDump } from "quittance/testing";
import * as Given from "./Given.ts";
import * as PlanScene from "./PlanScene.ts";

const { rule, NOW, DAY, EUR } = Given;

const MONTHLY = `before = sum of order_value earlier this month
tiers(order_value, after before) { up to 5000: 5 %; else: 11 % }`;

/** Sales of two partners over three months, one of them cancelled. */
const sold = Effect.gen(function* () {
  const scene = yield* Given.scene();
  const other = yield* PlanScene.another(scene);
  const { create, cancel } = yield* Attributions.Attributions;
  for (let day = 0; day < 90; day += 9)
    for (const one of [scene, other])
      yield* create(one.owner, { ...Given.sale(one, 1_000 + day), occurredAt: NOW - day * DAY });
  const { id } = yield* create(scene.owner, { ...Given.sale(scene, 50_000), occurredAt: NOW - 80 * DAY });
  yield* cancel(scene.owner, id, { reason: "refunded" });
  return { scene, other };
});

/** The number and the sum of the commissions of the scene's customer. */
const booked = (scene: Given.Scene) =>
  Effect.map(Given.amounts(scene), (amounts) => ({
    currency: "EUR",
    count: amounts.length,
    amount: amounts.reduce((sum: bigint, amount) => sum + BigInt(amount ?? 0), 0n),
    waiting: 0n,
  }));

describe("a dry run of an assignment", () => {
  it.effect.each([
    ["a percentage", "order_value * 10 %", {}],
    ["tiers of a month", MONTHLY, {}],
    ["tiers of a month that begin within one", MONTHLY, { startDatetime: NOW - 40 * DAY }],
    ["an assignment that has ended", MONTHLY, { endDatetime: NOW - 20 * DAY }],
  ] as const)("says what the assignment then does: %s", ([, expressionText, bounds]) =>
    rule(
      Effect.gen(function* () {
        const { scene, other } = yield* sold;
        const { create, dryRun, assign } = yield* CommissionPlans.CommissionPlans;
        const { owner, workspaceId, schemaId } = scene;
        const { id } = yield* create(owner, {
          ...{ workspaceId, schemaId, name: "Affiliates", currency: EUR, expressionText },
          startDatetime: NOW - 200 * DAY,
        });
        const input = { partnerIds: [scene.partnerId, other.partnerId], ...bounds };
        const before = yield* stateDump(scene.customerId);
        const found = yield* dryRun(owner, id, input);
        expect(yield* stateDump(scene.customerId)).toEqual(before);
        yield* assign(owner, id, input);
        yield* Given.drain;
        expect(found.commissions).toEqual([yield* booked(scene)]);
        expect(found.commissions[0]?.count).toBeGreaterThan(0);
        expect([found.formulaCount, found.notComputableCount, found.overlapCount]).toEqual([2, 0, 0]);
        expect((yield* dryRun(owner, id, input)).formulaCount).toBe(0);
      }),
    ),
  );

  it.effect("names the formulas under which later sales would pay as well, and from when", () =>
    rule(
      Effect.gen(function* () {
        const { scene, other } = yield* sold;
        const planId = yield* PlanScene.plan(scene);
        const formulaId = yield* Given.formula(scene, { to: NOW + 5 * DAY });
        yield* Given.formula(other, { to: NOW - DAY });
        const { dryRun } = yield* CommissionPlans.CommissionPlans;
        const { overlaps, overlapCount } = yield* dryRun(scene.owner, planId, {
          partnerIds: [scene.partnerId, other.partnerId],
          startDatetime: NOW + 2 * DAY,
        });
        expect(overlapCount).toBe(1);
        expect(overlaps).toEqual([
          {
            ...{ partnerId: scene.partnerId, formulaId, planId: null, name: "Share", currency: EUR },
            startDatetime: NOW + 2 * DAY,
            endDatetime: NOW + 5 * DAY,
          },
        ]);
      }),
    ),
  );

  it.effect("names the partners for which the assignment would be refused, because they need a value", () =>
    rule(
      Effect.gen(function* () {
        const { scene, other } = yield* sold;
        const planId = yield* PlanScene.plan(scene, {
          parameters: [
            { name: "rate", type: "number" },
            { name: "cap", type: "number", default: 100 },
            { name: "level", type: "string" },
          ],
        });
        const { dryRun, assign } = yield* CommissionPlans.CommissionPlans;
        const partnerIds = [scene.partnerId, other.partnerId];
        yield* assign(other.owner, planId, {
          ...{ partnerIds: [other.partnerId], parameters: { rate: 7, level: "gold" }, endDatetime: NOW },
        });
        const input = { partnerIds, startDatetime: NOW };
        const found = yield* dryRun(scene.owner, planId, input);
        expect([found.formulaCount, found.missingValues]).toEqual([
          1,
          [{ partnerId: scene.partnerId, parameters: ["rate", "level"] }],
        ]);
        expect(yield* Given.refusal(assign(scene.owner, planId, input))).toContain(
          "parameters.rate: is missing",
        );
        const some = { partnerIds: [scene.partnerId], parameters: { rate: 7 } };
        expect((yield* dryRun(scene.owner, planId, some)).missingValues).toEqual([
          { partnerId: scene.partnerId, parameters: ["level"] },
        ]);
        const all = { ...some, parameters: { rate: 7, level: "gold" } };
        expect((yield* dryRun(scene.owner, planId, all)).missingValues).toEqual([]);
        expect(yield* Given.refusal(dryRun(scene.owner, planId, { ...all, parameters: { rate: "x" } }))).toBe(
          "parameters.rate: must be a number",
        );
      }),
    ),
  );

  it.effect("needs the right to see commissions, and is refused like the assignment", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        const { dryRun, assign } = yield* CommissionPlans.CommissionPlans;
        const input = { partnerIds: [scene.partnerId] };
        const writer = { ...scene.owner, scopes: ["formulas:write"] as const };
        expect(yield* Given.refusal(dryRun(writer, planId, input))).toBe(
          "The credential lacks the scope commissions:read",
        );
        expect(yield* Given.refusal(assign(scene.owner, planId, { ...input, dryRun: true }))).toBe(
          "dry_run: a dry run assigns nobody; ask for its result",
        );
        yield* assign(scene.owner, planId, input);
        const overlapping = { ...input, startDatetime: NOW };
        expect(yield* Given.refusal(dryRun(scene.owner, planId, overlapping))).toContain("plan_assignment:");
      }),
    ),
  );
});

describe("a dry run of a new formula", () => {
  it.effect("says what its creation then does", () =>
    rule(
      Effect.gen(function* () {
        const { scene } = yield* sold;
        const { create, dryRun } = yield* CommissionFormulas.CommissionFormulas;
        const { owner, workspaceId, schemaId, partnerId } = scene;
        const input = {
          ...{ workspaceId, schemaId, partnerId, name: "Tiers", currency: EUR },
          ...{ expressionText: MONTHLY, startDatetime: NOW - 60 * DAY },
        };
        const found = yield* dryRun(owner, input);
        expect(yield* Given.countCommissions(scene)).toBe(0);
        yield* create(owner, input);
        expect(found.commissions).toEqual([yield* booked(scene)]);
        expect((yield* dryRun(owner, input)).overlaps.map(({ name }) => name)).toEqual(["Tiers"]);
        expect(yield* Given.refusal(create(owner, { ...input, dryRun: true }))).toBe(
          "dry_run: a dry run has no id; ask for its result",
        );
        expect(yield* Given.refusal(dryRun(owner, { ...input, expressionText: "order" }))).toContain(
          "line 1, column 1",
        );
      }),
    ),
  );

  it.effect("refuses more past sales than the limit", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId, schemaId, partnerId } = yield* Given.scene();
        const { dryRun } = yield* CommissionFormulas.CommissionFormulas;
        const input = {
          ...{ workspaceId, schemaId, partnerId, name: "Ten", currency: EUR },
          ...{ expressionText: "order_value", startDatetime: NOW },
        };
        expect(yield* Given.refusal(dryRun(owner, input))).toBe(
          `dry_run: covers at most ${Limits.DRY_RUN_SALES_MAX} past sales, and there are 100001; name fewer partners, or start a trial`,
        );
      }),
      {
        storage: ({ list }) => ({
          list: (tenant, kind, query) =>
            Effect.map(list(tenant, kind, query), (page) =>
              kind === "attribution" ? { ...page, total: Limits.DRY_RUN_SALES_MAX + 1 } : page,
            ),
        }),
      },
    ),
  );
});
