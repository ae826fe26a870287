/** Overrides on PostgreSQL: sellers' formulas change while two engines sell, replace, cancel and settle what rests on their amounts. */

import { it } from "@effect/vitest";
import { Context, Effect } from "effect";
import { Attributions, CommissionFormulas, Commissions, type Ids, Settlements } from "quittance";
import type { Expression } from "quittance/formula";
import { describe, expect } from "vitest";
import { twoEngines } from "./twoEngines.ts";

const percentOf = (base: Expression, value: number): Expression => ({
  type: "multiply",
  operands: [base, { type: "literal", value: { type: "percent", value } }],
});

const percent = (value: number): Expression => percentOf({ type: "property", name: "order_value" }, value);

/** A fifth of what the sellers earn. */
const OVERRIDE = percentOf({ type: "attribute", name: "sellers_commission" }, 20);

/** Two sellers with a formula each, and a manager above both. */
const team = Effect.gen(function* () {
  const engines = yield* twoEngines;
  const { partner, formula, link, first, owner } = engines;
  const [seller, second, manager] = [yield* partner, yield* partner, yield* partner];
  for (const partnerId of [seller, second]) yield* link(0, partnerId, manager);
  const formulas = [yield* formula(seller, percent(10)), yield* formula(second, percent(10))] as const;
  yield* formula(manager, OVERRIDE, ["manager"]);
  const earned = Effect.map(
    Context.get(first, Commissions.Commissions).list(owner, { perPage: 100 }),
    ({ items }) => items,
  );
  return { ...engines, seller, second, manager, formulas, earned };
});
type Team = Effect.Effect.Success<typeof team>;

const sell = ({ engineOf, owner, request, seller, second }: Team, index: number) =>
  Context.get(engineOf(index), Attributions.Attributions).create(owner, {
    ...request(seller, 1_000 + index),
    credits: [
      { partnerId: seller, share: "0.6" },
      { partnerId: second, share: "0.4" },
    ],
  });

const change = ({ engineOf, owner, formulas }: Team, index: number) =>
  Context.get(engineOf(index), CommissionFormulas.CommissionFormulas).update(
    owner,
    formulas[index % 2] as Ids.FormulaId,
    { expression: percent(1 + (index % 30)), effectiveDatetime: 0 },
  );

/** Settles everything of the manager that is in no settlement; nothing where others are faster. */
const settle = ({ engineOf, owner, customerId, workspaceId, manager, earned }: Team, index: number) =>
  Effect.gen(function* () {
    const open = (yield* earned).filter(
      ({ partnerId, openSettlementId }) => partnerId === manager && openSettlementId === null,
    );
    if (open.length === 0) return;
    yield* Context.get(engineOf(index), Settlements.Settlements).create(owner, {
      ...{ customerId, workspaceId, partnerId: manager },
      commissionIds: open.map(({ id }) => id),
    });
  }).pipe(Effect.catchTag("Conflict", () => Effect.void));

describe("overrides on two engines", () => {
  it.scopedLive("equal their formula over the sellers' amounts, whatever happens at the same time", () =>
    Effect.gen(function* () {
      const all = yield* team;
      const sales: Array<Ids.AttributionId> = [];
      const selling = Effect.forEach(
        Array.from({ length: 16 }, (_, index) => index),
        (index) => Effect.map(sell(all, index), ({ id }) => sales.push(id)),
      );
      const changing = Effect.forEach([0, 1, 2, 3, 4, 5, 6, 7], (index) => change(all, index));
      const settling = Effect.forEach([0, 1, 2, 3, 4, 5], (index) =>
        Effect.zipRight(Effect.sleep("50 millis"), settle(all, index)),
      );
      const correcting = Effect.forEach([1, 2, 3, 4], (index) =>
        Effect.gen(function* () {
          yield* Effect.sleep("30 millis");
          const id = sales.at(-index);
          if (id === undefined) return;
          const attributions = Context.get(all.engineOf(index), Attributions.Attributions);
          const done =
            index % 2 === 0
              ? attributions.cancel(all.owner, id, { reason: "refunded" })
              : attributions.replace(all.owner, id, {
                  ...{ properties: { order_value: 500 }, reason: "another price" },
                });
          yield* Effect.asVoid(done as Effect.Effect<unknown, Effect.Effect.Error<typeof done>>);
        }).pipe(Effect.catchTag("Conflict", () => Effect.void)),
      );
      yield* Effect.all([selling, changing, settling, correcting], { concurrency: "unbounded" });
      yield* settle(all, 0);
      yield* all.drain;
      yield* all.check;
      // Recounted by hand: a fifth of what the two sellers of a sale earn.
      const earned = yield* all.earned;
      const attributions = Context.get(all.first, Attributions.Attributions);
      const { items: credits } = yield* attributions.list(all.owner, { perPage: 100 });
      const saleOf = new Map(credits.map(({ id, originId }) => [id, originId ?? id]));
      const overrides = earned.filter(({ partnerId }) => partnerId === all.manager);
      expect(overrides.length).toBeGreaterThanOrEqual(16);
      for (const override of overrides) {
        const sale = saleOf.get(override.attributionId);
        const sellers = earned.filter(
          (one) => one.partnerId !== all.manager && saleOf.get(one.attributionId) === sale,
        );
        const sum = sellers.reduce((before, { computedAmount }) => before + (computedAmount ?? 0), 0);
        expect(override.computedAmount).toBe(Math.round(sum / 5));
      }
      expect(overrides.some(({ openSettlementId }) => openSettlementId !== null)).toBe(true);
    }),
  );
});
