/** What partners earn from the commissions of the sellers of a sale. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { Attributions, CommissionFormulas, Commissions, type Currency, Storage } from "quittance";
import type { Expression } from "quittance/formula";
import { Build, Scene } from "quittance/testing";
import * as Given from "./Given.ts";
import * as Teams from "./TeamScene.ts";

const { change, earned, earning, formula, leaveStale, literal, override, requestOf, SELLERS } = Teams;
const { sell, settle, team, times } = Teams;
const { rule, NOW, DAY, EUR, percent } = Given;

describe("an override", () => {
  it.effect("is computed from the amounts of the sellers, without the share of its own credit", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* sell(all, 10_050);
        // 603 and 402 of the sellers.
        expect(yield* earned(all)).toEqual([201]);
        yield* Effect.flatMap(Attributions.Attributions, ({ createBatch }) =>
          createBatch(all.seller.owner, {
            mode: "atomic",
            attributions: [requestOf(all, 1_000), requestOf(all, 2_000)],
          }),
        );
        expect(yield* earned(all)).toEqual([201, 20, 40]);
      }),
    ),
  );

  it.effect("counts the amounts in the currency of its formula alone", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* formula(all.seller, percent(50), { currency: "USD" as Currency.Currency });
        yield* formula(all.manager, override(10), {
          roles: ["manager"],
          currency: "USD" as Currency.Currency,
        });
        yield* sell(all, 1_000);
        expect(yield* earned(all)).toEqual([20, 30]);
      }),
    ),
  );

  it.effect("is 0 where the sellers earn nothing, and follows their first formula", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        yield* formula(all.manager, override(20), { roles: ["manager"] });
        yield* sell(all, 1_000);
        expect(yield* earned(all)).toEqual([0]);
        yield* formula(all.seller, percent(10));
        expect(yield* earned(all)).toEqual([12]);
        yield* formula(all.second, percent(10));
        expect(yield* earned(all)).toEqual([20]);
      }),
    ),
  );

  it.effect("follows every change of a seller's formula, and of its own", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        const { cancel, update } = yield* CommissionFormulas.CommissionFormulas;
        yield* sell(all, 1_000);
        yield* change(all.seller, all.tenth, percent(20));
        expect(yield* earned(all)).toEqual([32]);
        yield* change(all.manager, all.ofManager, override(50));
        expect(yield* earned(all)).toEqual([80]);
        yield* update(all.seller.owner, all.tenth, { endDatetime: NOW - DAY });
        expect(yield* earned(all)).toEqual([20]);
        yield* update(all.seller.owner, all.tenth, { endDatetime: null });
        expect(yield* earned(all)).toEqual([80]);
        yield* cancel(all.seller.owner, all.ofSecond, { reason: "wrong" });
        expect(yield* earned(all)).toEqual([60]);
        yield* cancel(all.seller.owner, all.ofManager, { reason: "wrong" });
        expect(yield* earned(all)).toEqual([0]);
      }),
    ),
  );

  it.effect("of a formula that is created later is computed for the sales that exist", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        yield* formula(all.seller, percent(10));
        yield* sell(all, 1_000);
        yield* formula(all.manager, override(50), { roles: ["manager"] });
        expect(yield* earned(all)).toEqual([30]);
      }),
    ),
  );

  it.effect("counts amounts that are settled like others", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        const storage = yield* Storage.Storage;
        yield* sell(all, 10_000);
        for (const { id, partnerId } of yield* Given.commissions(all.seller)) {
          if (partnerId !== all.seller.partnerId) continue;
          const scene = { ...all.seller, settlementId: (yield* settle(all.seller, [id])).id };
          const [draft] = yield* storage.find(all.seller.customerId, "settlement", [scene.settlementId]);
          if (draft !== undefined) yield* Scene.pay(draft);
        }
        yield* change(all.manager, all.ofManager, override(50));
        expect(yield* earned(all)).toEqual([500]);
      }),
    ),
  );

  it.effect("counts the sellers below its credit alone", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const { seller, second, manager } = all;
        const credit = { role: "seller", share: "0.5", depth: 0 };
        const sale = { properties: { order_value: 1_000 }, createdAt: NOW };
        const origin = Build.attribution(seller, { ...sale, credit });
        const originId = origin.row.id;
        const below = { role: "manager", share: "0.5", depth: 1, sellers: [second.partnerId] };
        yield* Scene.commit(seller.customerId, [
          origin,
          Build.attribution(second, { ...sale, credit, originId }),
          Build.attribution(manager, { ...sale, credit: below, originId }),
        ]);
        yield* formula(seller, percent(10));
        const ofSecond = yield* formula(second, percent(20));
        yield* formula(manager, override(50), { roles: ["manager"] });
        expect(yield* earned(all)).toEqual([50]);
        yield* change(second, ofSecond, percent(30));
        expect(yield* earned(all)).toEqual([75]);
      }),
    ),
  );

  it.effect("follows amounts that build on earlier sales, also where it builds on them itself", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const before: Expression = {
          type: "aggregate",
          function: "sum",
          value: { type: "property", name: "order_value" },
          window: { type: "lifetime" },
        };
        const add = (left: Expression, right: Expression): Expression => ({
          type: "add",
          operands: [left, right],
        });
        yield* formula(all.seller, times(before, 10));
        yield* formula(all.manager, override(50), { roles: ["manager"] });
        yield* formula(all.manager, add(override(100), times(before, 1)), { roles: ["manager"] });
        const first = yield* sell(all, 1_000);
        yield* sell(all, 2_000);
        yield* sell(all, 4_000);
        // The seller earns 0, 60 and 180: six tenths of a tenth of what was sold before.
        expect(yield* earned(all)).toEqual([0, 0, 30, 70, 90, 210]);
        yield* Effect.flatMap(Attributions.Attributions, ({ cancel }) =>
          cancel(all.seller.owner, first, { reason: "refunded" }),
        );
        yield* Given.drain;
        expect(yield* earned(all)).toEqual([0, 0, 0, 0, 60, 140]);
      }),
    ),
  );

  it.effect("becomes 0 with the sale", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        const id = yield* sell(all, 1_000);
        yield* Effect.flatMap(Attributions.Attributions, ({ cancel }) =>
          cancel(all.seller.owner, id, { reason: "refunded" }),
        );
        expect(yield* earned(all)).toEqual([0]);
      }),
    ),
  );

  it.effect("has no amount while that of a seller cannot be computed, and cannot be settled", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* change(all.second, all.ofSecond, times(percent(1_000_000), 1_000_000));
        const order = Given.LARGEST_ORDER / 2;
        yield* sell(all, order);
        expect(yield* earned(all)).toEqual(["SELLER_NOT_COMPUTED"]);
        const { explain } = yield* Commissions.Commissions;
        const [found] = (yield* Given.commissions(all.manager)).filter(
          ({ partnerId }) => partnerId === all.manager.partnerId,
        );
        expect(found).toBeDefined();
        if (found === undefined) return;
        const explained = yield* explain(all.manager.owner, found.id);
        expect(explained).toMatchObject({ amount: null, basis: "failed" });
        expect(explained.sentences).toContain("the commission of a seller below is not computed");
        expect(yield* Given.refusal(settle(all.manager, [found.id]))).toBe(
          `commission_not_computable: commission ${found.id}: the commission of a seller below is not computed`,
        );
        yield* change(all.second, all.ofSecond, literal(50));
        expect(yield* earned(all)).toEqual([order * 0.06 * 0.2 + 4]);
      }),
    ),
  );
});

describe("a settlement of overrides", () => {
  it.effect("brings the sellers' amounts up to date first, and all overrides with them", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* sell(all, 10_050);
        yield* leaveStale(all.seller, (partnerId) => (partnerId === all.manager.partnerId ? 4 : 10));
        const found = yield* Given.commissions(all.manager);
        const own = found.filter(({ partnerId }) => partnerId === all.manager.partnerId);
        const { id } = yield* settle(
          all.manager,
          own.map((commission) => commission.id),
        );
        const settlement = yield* Given.settlement(all.manager, id);
        expect(settlement.total).toBe(201);
        expect(yield* earned(all)).toEqual([201]);
        const now = yield* Given.commissions(all.manager);
        expect(now.map(({ computedAmount }) => computedAmount).toSorted()).toEqual([201, 402, 603]);
      }),
    ),
  );

  it.effect("of a seller brings the overrides on its amounts up to date", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* sell(all, 10_050);
        yield* leaveStale(all.seller, (partnerId) => (partnerId === all.manager.partnerId ? 4 : 10));
        const found = yield* Given.commissions(all.seller);
        const own = found.filter(({ partnerId }) => partnerId === all.seller.partnerId);
        yield* settle(
          all.seller,
          own.map(({ id }) => id),
        );
        // 603 of the seller, and 10 of the other, whose amount the settlement does not concern.
        expect(yield* earned(all)).toEqual([123]);
      }),
    ),
  );
});

describe("an expression that reads what sellers earn", () => {
  it.effect("is refused for formulas that pay sellers, and inside an aggregate", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const message =
          "expression: must not read sellers_commission where the roles include seller: state roles without it, such as manager";
        expect(yield* Given.refusal(formula(all.seller, override(10)))).toBe(message);
        expect(
          yield* Given.refusal(formula(all.seller, override(10), { roles: ["manager", "seller"] })),
        ).toBe(message);
        const plain = yield* formula(all.seller, percent(1));
        expect(yield* Given.refusal(change(all.seller, plain, override(10)))).toBe(message);
        const sum: Expression = {
          type: "aggregate",
          function: "sum",
          value: SELLERS,
          window: { type: "lifetime" },
        };
        expect(yield* Given.refusal(formula(all.manager, sum, { roles: ["manager"] }))).toContain(
          "sellers_commission cannot be read inside an aggregate",
        );
      }),
    ),
  );

  it.effect("is simulated with what a sample states", () =>
    rule(
      Effect.gen(function* () {
        const { seller } = yield* team;
        const { simulate } = yield* CommissionFormulas.CommissionFormulas;
        const simulation = (more: object) =>
          simulate(seller.owner, {
            ...{ schemaId: seller.schemaId, currency: EUR, expression: override(20) },
            samples: [{ properties: { order_value: 1 }, ...more }],
          });
        const [simulated] = yield* simulation({ sellersCommission: 805 });
        expect(simulated?.result).toEqual(Either.right(161));
        expect(yield* Given.refusal(simulation({}))).toBe(
          "samples.0.sellers_commission: is missing; the expression reads what the sellers earn",
        );
        for (const sellersCommission of [0.5, 2 ** 53, Number.NaN])
          expect(yield* Given.refusal(simulation({ sellersCommission }))).toMatch(
            /^samples\.0\.sellersCommission: must be a whole number from -9007199254740991 to/,
          );
      }),
    ),
  );
});
