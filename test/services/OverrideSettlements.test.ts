/** Settlements of overrides whose sellers' commissions are not up to date, or not stored yet. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Settlements } from "quittance";
import type { Expression } from "quittance/formula";
import { Build, Scene, stateDump } from "quittance/testing";
import * as Given from "./Given.ts";
import {
  earned,
  earning,
  formula,
  leaveStale,
  literal,
  override,
  sell,
  settle,
  team,
  times,
} from "./TeamScene.ts";

const { rule, NOW, DAY, percent } = Given;

const ownCommissions = (scene: Given.Scene) =>
  Effect.map(Given.commissions(scene), (found) =>
    found.filter(({ partnerId }) => partnerId === scene.partnerId).map(({ id }) => id),
  );

const preview = (scene: Given.Scene) =>
  Effect.gen(function* () {
    const { owner, customerId, workspaceId, partnerId } = scene;
    const commissionIds = yield* ownCommissions(scene);
    const settlements = yield* Settlements.Settlements;
    return yield* settlements.preview(owner, { customerId, workspaceId, partnerId, commissionIds });
  });

/** A formula as it is stored before its recomputation has begun. */
const leaveUnearned = (scene: Given.Scene, expression: Parameters<typeof formula>[1]) =>
  Scene.commit(scene.customerId, [
    Build.formula(scene, { formula: expression, start_datetime: new Date(NOW - 400 * DAY).toISOString() }),
  ]);

/** What a settlement of the manager is about to pay, and what it pays. */
const settleManager = (scene: Given.Scene) =>
  Effect.gen(function* () {
    const before = yield* stateDump(scene.customerId);
    const previewed = yield* preview(scene);
    expect(yield* stateDump(scene.customerId)).toEqual(before);
    const { id } = yield* settle(scene, yield* ownCommissions(scene));
    const { total } = yield* Given.settlement(scene, id);
    expect(previewed.total).toBe(total);
    return total;
  });

describe("a settlement of overrides and its preview", () => {
  it.effect("rest on the sellers' amounts of now", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* sell(all, 10_050);
        yield* leaveStale(all.seller, (partnerId) => (partnerId === all.manager.partnerId ? 4 : 10));
        expect(yield* settleManager(all.manager)).toBe(201);
        expect(yield* earned(all)).toEqual([201]);
      }),
    ),
  );

  it.effect("count commissions of sellers that their formulas have not created yet", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        yield* formula(all.manager, override(20), { roles: ["manager"] });
        yield* sell(all, 10_050);
        yield* leaveUnearned(all.seller, percent(10));
        expect(yield* settleManager(all.manager)).toBe(121);
        expect(yield* earned(all)).toEqual([121]);
        const [created] = yield* ownCommissions(all.seller);
        expect(created).toBeDefined();
      }),
    ),
  );

  it.effect("rest on amounts of now also where the override accumulates", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        yield* formula(all.seller, percent(10));
        const before: Expression = {
          type: "aggregate",
          function: "sum",
          value: { type: "property", name: "order_value" },
          window: { type: "lifetime" },
        };
        const operands = [override(20), times(before, 1)] as const;
        yield* formula(all.manager, { type: "add", operands }, { roles: ["manager"] });
        yield* sell(all, 10_000);
        yield* sell(all, 20_000);
        yield* leaveStale(all.seller, () => 10);
        // 20 % of 600 and of 1,200, and for the second 1 % of what was sold before.
        expect(yield* settleManager(all.manager)).toBe(120 + 240 + 100);
      }),
    ),
  );

  it.effect("that is refused has stored nothing of the sellers", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* sell(all, Given.LARGEST_ORDER / 2);
        yield* leaveUnearned(all.second, times(percent(1_000_000), 1_000_000));
        yield* leaveUnearned(all.seller, literal(7));
        const before = yield* stateDump(all.manager.customerId);
        const refusal = yield* Given.refusal(settle(all.manager, yield* ownCommissions(all.manager)));
        expect(refusal).toMatch(
          /^commission_not_computable: .*: the commission of a seller below is not computed$/,
        );
        expect(yield* stateDump(all.manager.customerId)).toEqual(before);
      }),
    ),
  );
});
