/** Teams whose manager earns a part of what the sellers earn. */
import { Effect } from "effect";
import { Attributions, CommissionFormulas, type Currency, type Ids, Settlements, Storage } from "quittance";
import type { Expression } from "quittance/formula";
import { checkInvariants, Scene } from "quittance/testing";
import * as Given from "./Given.ts";
import { another } from "./PlanScene.ts";

const { NOW, DAY, percent } = Given;

/** What the sellers below earn. */
export const SELLERS: Expression = { type: "attribute", name: "sellers_commission" };

/** A number. */
export const literal = (value: number): Expression => ({ type: "literal", value: { type: "number", value } });

/** A percentage of an expression. */
export const times = (left: Expression, value: number): Expression => ({
  type: "multiply",
  operands: [left, { type: "literal", value: { type: "percent", value } }],
});

/** A percentage of what the sellers below earn. */
export const override = (value: number): Expression => times(SELLERS, value);

/** A formula that pays the scene's partner, sellers unless other roles are stated. */
export const formula = (
  scene: Given.Scene,
  expression: Expression,
  more: { roles?: ReadonlyArray<string>; currency?: Currency.Currency } = {},
) => Given.formula(scene, { expression, ...more });

/** States the expression of a formula for all sales. */
export const change = ({ owner }: Given.Scene, id: Ids.FormulaId, expression: Expression) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, ({ update }) =>
    update(owner, id, { expression, effectiveDatetime: NOW - 30 * DAY }),
  );

/** Two sellers and a manager. */
export const team = Effect.gen(function* () {
  const seller = yield* Given.scene();
  return { seller, second: yield* another(seller), manager: yield* another(seller) };
});
export type Team = Effect.Effect.Success<typeof team>;

/** The request of a sale: 60 % of one seller, 40 % of the other, with the manager above. */
export const requestOf = ({ seller, second, manager }: Team, orderValue: number) => ({
  ...Given.sale(seller, orderValue),
  credits: [
    { partnerId: seller.partnerId, share: "0.6" },
    { partnerId: second.partnerId, share: "0.4" },
    { partnerId: manager.partnerId, role: "manager", share: "0.5" },
  ],
});

/** Records a sale of the team. */
export const sell = (all: Team, orderValue: number) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(create(all.seller.owner, requestOf(all, orderValue)), ({ id }) => id),
  );

/** The amounts of the manager, the oldest first, or the codes of their errors. */
export const amountsOf = ({ manager }: Team) =>
  Effect.map(Given.commissions(manager), (found) =>
    found
      .filter(({ partnerId }) => partnerId === manager.partnerId)
      .map(({ computedAmount, computationError }) => computationError?.code ?? computedAmount),
  );

/** What the manager earns, where every invariant holds. */
export const earned = (all: Team) => Effect.zipRight(checkInvariants(all.manager.customerId), amountsOf(all));

/** A team whose sellers earn 10 %, and whose manager earns 20 % of that. */
export const earning = Effect.gen(function* () {
  const all = yield* team;
  const tenth = yield* formula(all.seller, percent(10));
  const ofSecond = yield* formula(all.second, percent(10));
  const ofManager = yield* formula(all.manager, override(20), { roles: ["manager"] });
  return { ...all, tenth, ofSecond, ofManager };
});

/** Settles commissions of the scene's partner. */
export const settle = (
  { owner, customerId, workspaceId, partnerId }: Given.Scene,
  commissionIds: ReadonlyArray<Ids.CommissionId>,
) =>
  Effect.flatMap(Settlements.Settlements, ({ create }) =>
    create(owner, { customerId, workspaceId, partnerId, commissionIds }),
  );

/** Stores amounts as a recomputation leaves them that has not reached their commissions. */
export const leaveStale = (scene: Given.Scene, amountOf: (partnerId: Ids.PartnerId) => number) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    for (const commission of yield* Given.commissions(scene)) {
      const [row] = yield* storage.find(scene.customerId, "commission", [commission.id]);
      if (row !== undefined)
        yield* Scene.commit(scene.customerId, [Scene.revisionOf(row, amountOf(row.partnerId))]);
    }
  });
