/** Two commands at a time on a sale with an override: the second runs as a whole before each step of the first. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  Credit,
  type Ids,
  PartnerLinks,
  type Receipt,
  Receipts,
  Recredits,
  Settlements,
  type Storage,
} from "quittance";
import type { Expression } from "quittance/formula";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";
import { another } from "./PlanScene.ts";

const { rule, NOW, DAY, percent } = Given;

const SELLERS: Expression = { type: "attribute", name: "sellers_commission" };

/** 20 % of what the sellers earn, or 1 below 16: a change of one seller alone may leave the amount as it is. */
const OVERRIDE: Expression = {
  type: "case",
  branches: [
    {
      when: {
        type: "compare",
        operator: "less_than",
        left: SELLERS,
        right: { type: "literal", value: { type: "number", value: 16 } },
      },
      then: { type: "literal", value: { type: "number", value: 1 } },
    },
  ],
  else: {
    type: "multiply",
    operands: [SELLERS, { type: "literal", value: { type: "percent", value: 20 } }],
  },
};

const formula = (
  scene: Given.Scene,
  expression: Expression,
  roles: ReadonlyArray<string> = [Credit.SELLER],
  release: Receipt.Release = "at_once",
) => Given.formula(scene, { expression, roles, release });

interface World {
  readonly seller: Given.Scene;
  readonly second: Given.Scene;
  readonly manager: Given.Scene;
  readonly saleId: Ids.AttributionId;
  readonly ofSeller: Ids.FormulaId | null;
  readonly ofSecond: Ids.FormulaId | null;
  readonly ofManager: Ids.FormulaId | null;
}

const sell = ({ seller, second }: Pick<World, "seller" | "second">) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    create(seller.owner, {
      ...Given.sale(seller, 200),
      credits: [
        { partnerId: seller.partnerId, share: "0.5" },
        { partnerId: second.partnerId, share: "0.5" },
      ],
    }),
  );

/** Who has a formula at first: sellers with 5 % each, one with 10 %. */
type Formulas =
  | "nobody"
  | "the manager"
  | "one seller and the manager"
  | "everybody"
  | "everybody, before the links,"
  | "everybody, before the links, with buyers who pay later,";

/** A sale of two sellers, of whom both report to a manager. */
const world = (formulas: Formulas) =>
  Effect.gen(function* () {
    const seller = yield* Given.scene();
    const [second, manager] = [yield* another(seller), yield* another(seller)];
    const links = yield* PartnerLinks.PartnerLinks;
    const linkBoth = Effect.forEach([seller, second], ({ partnerId }) =>
      links.create(seller.owner, {
        ...{ partnerId, uplinePartnerId: manager.partnerId, role: "manager" },
        startDatetime: NOW - 30 * DAY,
      }),
    );
    const isLate = formulas.startsWith("everybody, before the links,");
    const release = formulas.endsWith("who pay later,") ? "on_receipt" : "at_once";
    if (!isLate) yield* linkBoth;
    const isOne = formulas === "one seller and the manager";
    const ofSeller =
      isOne || isLate || formulas === "everybody"
        ? yield* formula(seller, percent(isOne ? 10 : 5), [Credit.SELLER], release)
        : null;
    const ofSecond = isLate || formulas === "everybody" ? yield* formula(second, percent(5)) : null;
    const ofManager = formulas === "nobody" ? null : yield* formula(manager, OVERRIDE, ["manager"], release);
    const { id: saleId } = yield* sell({ seller, second });
    if (isLate) yield* linkBoth;
    return { seller, second, manager, saleId, ofSeller, ofSecond, ofManager };
  });

const update = ({ seller }: World, id: Ids.FormulaId | null, expression: Expression) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, (formulas) =>
    id === null
      ? Effect.void
      : formulas.update(seller.owner, id, { expression, effectiveDatetime: NOW - 30 * DAY }),
  );

/** A change of a sale, which may have been cancelled or replaced meanwhile. */
const unlessCancelled = <A, R>(change: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.catchAll(change, (refusal) =>
    refusal.message.startsWith("attribution_cancelled: ") ? Effect.void : Effect.die(refusal),
  );

const COMMANDS = {
  "the first seller gets a formula": (all: World) => formula(all.seller, percent(10)),
  "the second seller gets a formula": (all: World) => formula(all.second, percent(10)),
  "the manager gets a formula": (all: World) => formula(all.manager, OVERRIDE, ["manager"]),
  "the manager gets a formula that waits": (all: World) =>
    formula(all.manager, percent(5), ["manager"], "on_receipt"),
  "the buyer pays": (all: World) =>
    Effect.flatMap(Receipts.Receipts, ({ stateReceived }) =>
      stateReceived(all.seller.owner, all.saleId, { received: 1, of: 2 }),
    ),
  "the formula of the seller changes": (all: World) => update(all, all.ofSeller, percent(40)),
  "the formula of the seller rises": (all: World) => update(all, all.ofSeller, percent(10)),
  "the formula of the second seller rises": (all: World) => update(all, all.ofSecond, percent(10)),
  "the formula of the second seller changes": (all: World) => update(all, all.ofSecond, percent(40)),
  "the formula of the manager changes": (all: World) => update(all, all.ofManager, SELLERS),
  "another sale is made": sell,
  "the sale is cancelled": (all: World) =>
    Effect.flatMap(Attributions.Attributions, ({ cancel }) =>
      cancel(all.seller.owner, all.saleId, { reason: "refunded" }),
    ),
  "the sale is recredited": (all: World) =>
    Effect.flatMap(Recredits.Recredits, ({ recredit }) =>
      unlessCancelled(recredit(all.seller.owner, all.saleId, { reason: "the team had been entered late" })),
    ),
  "the sale is replaced": (all: World) =>
    Effect.flatMap(Attributions.Attributions, ({ replace }) =>
      unlessCancelled(
        replace(all.seller.owner, all.saleId, {
          ...{ properties: { order_value: 300 }, reason: "another price" },
        }),
      ),
    ),
  "the link of the second seller ends": (all: World) =>
    Effect.gen(function* () {
      const links = yield* PartnerLinks.PartnerLinks;
      const { items } = yield* links.list(all.seller.owner, { partnerIds: [all.second.partnerId] });
      for (const { id, startDatetime } of items)
        yield* links.update(all.seller.owner, id, { endDatetime: startDatetime });
    }),
  "the manager is settled": ({ manager }: World) =>
    Effect.gen(function* () {
      const { owner, customerId, workspaceId, partnerId } = manager;
      const found = yield* Given.commissions(manager);
      const commissionIds = found.filter((one) => one.partnerId === partnerId).map(({ id }) => id);
      const { create } = yield* Settlements.Settlements;
      if (commissionIds.length > 0)
        yield* create(owner, { customerId, workspaceId, partnerId, commissionIds });
    }),
} as const;

type Name = keyof typeof COMMANDS;

/** What runs before a call of the store. */
interface Gate {
  calls: number;
  before: { readonly call: number; readonly run: Effect.Effect<void> } | null;
}

const gated = (gate: Gate) => (storage: Storage.StorageService) =>
  Object.fromEntries(
    Object.entries(storage).map(([name, method]) => [
      name,
      (...given: ReadonlyArray<never>) => {
        const call = (method as (...all: ReadonlyArray<never>) => unknown)(...given);
        if (!Effect.isEffect(call)) return call;
        return Effect.suspend(() => {
          gate.calls += 1;
          const { before } = gate;
          if (before === null || gate.calls !== before.call) return call as Effect.Effect<unknown>;
          gate.before = null;
          return Effect.zipRight(before.run, call as Effect.Effect<unknown>);
        });
      },
    ]),
  ) as Partial<Storage.StorageService>;

/** Runs the first command with the second one before its call of a number; returns how many calls the first one made. */
const preempt = (formulas: Formulas, first: Name, second: Name, call: number) => {
  const gate: Gate = { calls: 0, before: null };
  return rule(
    Effect.gen(function* () {
      const all = yield* world(formulas);
      const services = yield* Effect.context<
        | Attributions.Attributions
        | CommissionFormulas.CommissionFormulas
        | Effect.Effect.Context<ReturnType<(typeof COMMANDS)[Name]>>
      >();
      const run = Effect.provide(COMMANDS[second](all) as Effect.Effect<unknown>, services);
      gate.calls = 0;
      gate.before = { call, run: Effect.asVoid(Effect.orDie(run)) };
      yield* COMMANDS[first](all) as Effect.Effect<unknown>;
      const ran = gate.before === null;
      yield* Given.drain;
      yield* checkInvariants(all.seller.customerId);
      return ran;
    }),
    { storage: gated(gate) },
  );
};

const PAIRS: ReadonlyArray<readonly [formulas: Formulas, first: Name, second: Name]> = [
  ["the manager", "the first seller gets a formula", "the second seller gets a formula"],
  ["everybody", "the formula of the seller rises", "the formula of the second seller rises"],
  ["nobody", "the first seller gets a formula", "the second seller gets a formula"],
  ["nobody", "the first seller gets a formula", "the manager gets a formula"],
  ["nobody", "the manager gets a formula", "the first seller gets a formula"],
  ["nobody", "another sale is made", "the manager gets a formula"],
  ["nobody", "the manager gets a formula", "another sale is made"],
  ["one seller and the manager", "the second seller gets a formula", "the formula of the seller changes"],
  ["one seller and the manager", "the formula of the seller changes", "the second seller gets a formula"],
  ["one seller and the manager", "the formula of the seller changes", "the formula of the manager changes"],
  ["one seller and the manager", "the formula of the manager changes", "the formula of the seller changes"],
  ["one seller and the manager", "the formula of the seller changes", "the sale is cancelled"],
  ["one seller and the manager", "the sale is cancelled", "the formula of the seller changes"],
  ["one seller and the manager", "the manager is settled", "the formula of the seller changes"],
  ["one seller and the manager", "the formula of the seller changes", "the manager is settled"],
  ["one seller and the manager", "another sale is made", "the formula of the seller changes"],
  ["everybody, before the links,", "the sale is recredited", "the formula of the seller rises"],
  ["everybody, before the links,", "the sale is recredited", "the formula of the second seller rises"],
  ["everybody, before the links,", "the sale is recredited", "the formula of the manager changes"],
  ["everybody, before the links,", "the sale is recredited", "the sale is recredited"],
  ["everybody, before the links,", "the formula of the seller rises", "the sale is recredited"],
  ["everybody, before the links,", "the formula of the second seller changes", "the sale is recredited"],
  ["everybody, before the links,", "the formula of the manager changes", "the sale is recredited"],
  ["everybody, before the links, with buyers who pay later,", "the sale is recredited", "the buyer pays"],
  ["everybody, before the links, with buyers who pay later,", "the buyer pays", "the sale is recredited"],
  [
    "everybody, before the links, with buyers who pay later,",
    "the buyer pays",
    "the formula of the seller changes",
  ],
  [
    "everybody, before the links, with buyers who pay later,",
    "the formula of the seller changes",
    "the buyer pays",
  ],
  ["everybody, before the links,", "the sale is recredited", "the link of the second seller ends"],
  ["everybody, before the links,", "the link of the second seller ends", "the sale is recredited"],
  ["everybody, before the links,", "the sale is recredited", "the sale is cancelled"],
  ["everybody, before the links,", "the sale is cancelled", "the sale is recredited"],
  ["everybody, before the links,", "the sale is recredited", "the sale is replaced"],
  ["everybody, before the links,", "the sale is replaced", "the sale is recredited"],
  ["everybody", "another sale is made", "the link of the second seller ends"],
  ["everybody", "the sale is replaced", "the link of the second seller ends"],
  ["everybody", "the sale is replaced", "the formula of the second seller rises"],
  ["everybody", "the formula of the second seller rises", "the sale is replaced"],
  ["everybody", "the sale is replaced", "the manager is settled"],
  ["everybody", "the manager is settled", "the sale is replaced"],
  ["nobody", "the manager gets a formula that waits", "the buyer pays"],
  ["nobody", "the buyer pays", "the manager gets a formula that waits"],
];

describe("overrides equal their formulas over the sellers' amounts", () => {
  it.effect.each(PAIRS)("where %s has a formula, while %s, %s", ([formulas, first, second]) =>
    Effect.gen(function* () {
      let calls = 0;
      while (yield* preempt(formulas, first, second, calls + 1)) calls += 1;
      expect(calls).toBeGreaterThan(2);
    }),
  );
});
