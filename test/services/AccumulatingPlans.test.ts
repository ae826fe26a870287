/** Plans that accumulate: each partner's formula counts what that partner sold before. */

import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { Attributions, CommissionPlans, Commissions, type Ids, Settlements } from "quittance";
import type { Expression, Window } from "quittance/formula";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY, EUR } = Given;
const plans = CommissionPlans.CommissionPlans;

/** A percentage of the partner's earlier sales. */
const shareOfEarlier = (percent: number, window: Window = { type: "lifetime" }): Expression => ({
  type: "multiply",
  operands: [
    { type: "aggregate", function: "sum", value: { type: "property", name: "order_value" }, window },
    { type: "literal", value: { type: "percent", value: percent } },
  ],
});

const plan = ({ owner, workspaceId, schemaId }: Given.Scene, expression: Expression = shareOfEarlier(10)) =>
  Effect.flatMap(plans, ({ create }) =>
    Effect.map(
      create(owner, {
        ...{ workspaceId, schemaId, name: "Accelerator", currency: EUR, expression },
        startDatetime: NOW - 30 * DAY,
      }),
      ({ id }) => id,
    ),
  );

const assign = (
  { owner, partnerId }: Given.Scene,
  planId: Ids.PlanId,
  bounds: { readonly startDatetime?: number; readonly endDatetime?: number } = {},
  partnerIds: ReadonlyArray<Ids.PartnerId> = [partnerId],
) => Effect.flatMap(plans, (service) => service.assign(owner, planId, { partnerIds, ...bounds }));

/** The amounts of each partner in order of creation; the invariants hold of what they build on. */
const amounts = (scene: Given.Scene, partnerId: Ids.PartnerId = scene.partnerId) =>
  Effect.flatMap(checkInvariants(scene.customerId), () =>
    Effect.map(Given.commissions(scene), (all) =>
      all
        .filter((candidate) => candidate.partnerId === partnerId)
        .map(({ computedAmount }) => computedAmount),
    ),
  );

/** That many partners, including the scene's, each with sales of 100 and 200. */
const partnersWithHistory = (scene: Given.Scene, count: number) =>
  Effect.gen(function* () {
    const others = yield* Effect.forEach(Array.from({ length: count - 1 }), () => Given.partner(scene));
    const partnerIds = [scene.partnerId, ...others];
    for (const partnerId of partnerIds)
      for (const value of [100, 200]) yield* Given.sell({ ...scene, partnerId }, value);
    return partnerIds;
  });

describe("a plan that accumulates", () => {
  it.effect(
    "counts for each of 100 partners that partner's sales, through changes and the end of an assignment",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const partnerIds = yield* partnersWithHistory(scene, 100);
          const last = partnerIds[99] ?? scene.partnerId;
          const planId = yield* plan(scene);
          yield* assign(scene, planId, {}, partnerIds);
          expect(yield* amounts(scene)).toEqual([0, 10]);
          yield* Given.sell(scene, 300);
          yield* Given.sell({ ...scene, partnerId: last }, 5);
          expect(yield* amounts(scene)).toEqual([0, 10, 30]);
          expect(yield* amounts(scene, last)).toEqual([0, 10, 30]);

          const { update, unassign } = yield* plans;
          yield* update(scene.owner, planId, {
            expression: shareOfEarlier(50),
            effectiveDatetime: NOW - 30 * DAY,
          });
          expect(yield* amounts(scene)).toEqual([0, 50, 150]);
          yield* Given.sell(scene, 1);
          expect(yield* amounts(scene)).toEqual([0, 50, 150, 300]);

          yield* unassign(scene.owner, planId, scene.partnerId, { endDatetime: NOW - DAY });
          expect(yield* amounts(scene)).toEqual([0, 0, 0, 0]);
          expect(yield* amounts(scene, last)).toEqual([0, 50, 150]);
        }),
      ),
  );

  it.effect(
    "computes the totals of more than 100 partners in the background while new sales are created",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const partnerIds = yield* partnersWithHistory(scene, 120);
          const planId = yield* plan(scene, Given.percent(1));
          yield* assign(scene, planId, {}, partnerIds);
          yield* Given.drain;
          const { update, list } = yield* plans;
          yield* update(scene.owner, planId, {
            expression: shareOfEarlier(10),
            effectiveDatetime: NOW - 30 * DAY,
          });
          yield* Given.sell(scene, 300);
          yield* Given.drain;
          expect(yield* amounts(scene)).toEqual([0, 10, 30]);
          expect(yield* amounts(scene, partnerIds[119])).toEqual([0, 10]);
          const { items } = yield* list(scene.owner);
          expect(items[0]?.rollingOut).toEqual({ pending: 0, done: 120 });
        }),
      ),
  );

  it.effect("changes several formulas of one partner in one commit", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* Attributions.Attributions;
        for (const [value, day] of [
          [100, 3],
          [200, 1],
        ] as const)
          yield* create(scene.owner, { ...Given.sale(scene, value), occurredAt: NOW - day * DAY });
        const planId = yield* plan(scene);
        yield* assign(scene, planId, { endDatetime: NOW - 2 * DAY });
        yield* assign(scene, planId, { startDatetime: NOW - 2 * DAY });
        yield* Given.sell(scene, 300);
        expect(yield* amounts(scene)).toEqual([0, 10, 30]);
        const { update, unassign } = yield* plans;
        yield* update(scene.owner, planId, {
          expression: shareOfEarlier(100),
          effectiveDatetime: NOW - 30 * DAY,
        });
        expect(yield* amounts(scene)).toEqual([0, 100, 300]);
        yield* unassign(scene.owner, planId, scene.partnerId, { endDatetime: NOW - 30 * DAY });
        expect(yield* amounts(scene)).toEqual([0, 0, 0]);
      }),
    ),
  );

  it.effect(
    "is applied as it is to previews and settlements of a formula that it has not been rolled out to",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const partnerIds = yield* partnersWithHistory(scene, 101);
          const planId = yield* plan(scene);
          yield* assign(scene, planId, {}, partnerIds);
          yield* Given.drain;
          const { update } = yield* plans;
          yield* update(scene.owner, planId, {
            expression: shareOfEarlier(50),
            effectiveDatetime: NOW - 30 * DAY,
          });
          const own = (yield* Given.commissions(scene)).filter(
            (candidate) => candidate.partnerId === scene.partnerId,
          );
          const { customerId, workspaceId, partnerId } = scene;
          const asked = { customerId, workspaceId, partnerId, commissionIds: own.map(({ id }) => id) };
          const settlements = yield* Settlements.Settlements;
          expect((yield* settlements.preview(scene.owner, asked)).total).toBe(50);
          yield* settlements.create(scene.owner, asked);
          expect(yield* amounts(scene)).toEqual([0, 50]);
          yield* Given.drain;
          expect(yield* amounts(scene, partnerIds[100])).toEqual([0, 50]);
        }),
      ),
  );

  it.effect("recomputes what a partner earned after a cancelled sale, and explains it", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        const [first] = [
          yield* Given.sell(scene, 100),
          yield* Given.sell(scene, 200),
          yield* Given.sell(scene, 1),
        ];
        expect(yield* amounts(scene)).toEqual([0, 10, 30]);
        yield* (yield* Attributions.Attributions).cancel(scene.owner, first, { reason: "refunded" });
        expect(yield* amounts(scene)).toEqual([0, 0, 20]);
        const [, , commission] = yield* Given.commissions(scene);
        if (commission === undefined) throw new Error("there are three commissions");
        const { explain } = yield* Commissions.Commissions;
        const { explanation } = yield* explain(scene.owner, commission.id);
        expect(explanation?.result).toEqual(Either.right(20));
        expect(
          JSON.stringify(explanation, (_, part) => (typeof part === "bigint" ? `${part}` : part)),
        ).toContain('"rows":1');
      }),
    ),
  );
});
