import fc from "fast-check";
import { compile, type Expression, explain, type Facts } from "quittance/formula";
import { afterAll, describe, expect, it } from "vitest";
import type { Aggregate } from "../../src/formula/Expression.ts";
import { sized } from "../support/profile.ts";
import { add, checked, factsWith, multiply, number, percent, property, subtract } from "./language.ts";
import { compareSeed, nothingFound } from "./RandomHistory.ts";

/** Evaluations of each part, the same ones in every run; few of them for each mutant. */
const PARTS = 4;
const EVALUATIONS_EACH = sized(500, 3_000, 50_000);
const EVALUATIONS_PER_FORMULA = sized(50, 200);

describe("running totals give the amount of a recount", () => {
  const found = nothingFound();

  for (let part = 0; part < PARTS; part++)
    it(`over random histories with late, cancelled and equal-moment events (${part + 1} of ${PARTS})`, () => {
      const until = found.evaluations + EVALUATIONS_EACH;
      for (let seed = part + 1; found.evaluations < until && found.differences.length === 0; seed += PARTS)
        compareSeed(seed, EVALUATIONS_PER_FORMULA, found);
      expect(found.differences).toEqual([]);
    });

  afterAll(() => {
    expect(found.evaluations).toBeGreaterThanOrEqual(PARTS * EVALUATIONS_EACH);
    expect(found.withRows / found.evaluations, "share that met earlier rows").toBeGreaterThan(0.3);
    expect(found.fast / found.evaluations, "share that stayed on the fast path").toBeGreaterThan(0.3);
  });
});

const before = (window: Aggregate["window"]): Aggregate => ({
  type: "aggregate",
  function: "sum",
  value: property("amount"),
  window,
});

const upTo = (value: number) => ({ type: "number", value }) as const;

/** Rounded commissions of a period's revenue, in cents. */
const plans: Readonly<Record<string, (revenue: Expression) => Expression>> = {
  "graduated tiers": (amount) => ({
    type: "round",
    mode: "half_even",
    operand: multiply(number(100), {
      type: "graduated",
      amount,
      tiers: [
        { up_to: upTo(100.5), rate: percent(3.3) },
        { up_to: upTo(1000), rate: percent(7.5), flat: number(1.115) },
        { rate: percent(11) },
      ],
    }),
  }),
  "retroactive tiers": (revenue) => ({
    type: "round",
    mode: "half_up",
    operand: multiply(number(100), revenue, {
      type: "band",
      input: revenue,
      bands: [{ up_to: upTo(500), value: percent(4.25) }, { value: percent(6) }],
    }),
  }),
  "a cap for the period": (revenue) => ({
    type: "round",
    mode: "down",
    operand: { type: "min", operands: [multiply(number(100), revenue, percent(10)), number(7_500)] },
  }),
  "a guarantee for the period": (revenue) => ({
    type: "round",
    mode: "ceiling",
    operand: { type: "max", operands: [multiply(number(100), revenue, percent(2.5)), number(1_000)] },
  }),
};

/** F(before + amount) - F(before): what one attribution adds to the commission of its period. */
const marginal = (plan: (revenue: Expression) => Expression, window: Aggregate["window"]): Expression => ({
  type: "let",
  bindings: [{ name: "before", value: before(window) }],
  body: subtract(
    plan(add({ type: "variable", name: "before" }, property("amount"))),
    plan({ type: "variable", name: "before" }),
  ),
});

const DAY = 86_400_000;
const JANUARY = Date.UTC(2026, 0, 1);

/** Sales of cents between 1 January and 31 March. */
const sales = fc.array(
  fc.record({ amount: fc.integer({ min: -50_000, max: 200_000 }), day: fc.integer({ min: 0, max: 89 }) }),
  { minLength: 1, maxLength: 14 },
);

const factsOf = ({ amount, day }: { readonly amount: number; readonly day: number }): Facts =>
  factsWith({ amount: amount / 100 }, { occurredAt: JANUARY + day * DAY });

const amountsOf = (expression: Expression, arrivals: ReadonlyArray<Facts>): ReadonlyArray<number> => {
  const formula = compile(checked(expression));
  return arrivals.map((facts, index) => {
    const { result } = explain(formula, facts, { history: arrivals.slice(0, index) });
    if (result._tag === "Left") throw new Error(result.left.message);
    return result.right;
  });
};

const sumOf = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, item) => sum + item, 0);

describe("a plan written as F(before + x) - F(before), with F ending in round", () => {
  for (const [name, plan] of Object.entries(plans)) {
    it(`pays F(total) - F(0) for each month, whatever the order of arrival: ${name}`, () => {
      const formula = marginal(plan, { type: "calendar", unit: "month" });
      const whole = (cents: number): number =>
        amountsOf(subtract(plan(property("amount")), plan(number(0))), [
          factsWith({ amount: cents / 100 }),
        ])[0] ?? 0;
      fc.assert(
        fc.property(sales, fc.infiniteStream(fc.nat()), (all, ranks) => {
          const keyed = all.map((sale) => ({ sale, rank: ranks.next().value as number }));
          const shuffled = keyed.toSorted((a, b) => a.rank - b.rank).map(({ sale }) => sale);
          for (const order of [all, shuffled]) {
            const paid = amountsOf(formula, order.map(factsOf));
            for (const month of [0, 1, 2]) {
              const inMonth = order.map(({ day }) => new Date(JANUARY + day * DAY).getUTCMonth() === month);
              const total = sumOf(order.map(({ amount }, index) => (inMonth[index] ? amount : 0)));
              const commissions = sumOf(paid.map((amount, index) => (inMonth[index] ? amount : 0)));
              expect(commissions).toBe(inMonth.includes(true) ? whole(total) : 0);
            }
          }
        }),
        { numRuns: sized(10, 60) },
      );
    });
  }
});

describe("an amount", () => {
  it("does not change when later attributions arrive, whenever they occurred", () => {
    const formula = marginal(plans["graduated tiers"] as (revenue: Expression) => Expression, {
      type: "rolling",
      days: 30,
    });
    fc.assert(
      fc.property(sales, sales, (earlier, later) => {
        const all = [...earlier, ...later].map(factsOf);
        expect(amountsOf(formula, all).slice(0, earlier.length)).toEqual(
          amountsOf(formula, all.slice(0, earlier.length)),
        );
      }),
      { numRuns: sized(10, 60) },
    );
  });

  it("changes by a cancellation only for later arrivals whose window and group contain the cancelled one", () => {
    const formula: Expression = { ...before({ type: "rolling", days: 10 }), group_by: ["region"] };
    const region = (index: number): string => (index % 3 === 0 ? "US" : "EU");
    fc.assert(
      fc.property(sales, fc.nat(), (all, pick) => {
        const arrivals = all.map((sale, index) => {
          const facts = factsOf(sale);
          return { ...facts, properties: { ...facts.properties, region: region(index) } };
        });
        const gone = pick % all.length;
        const kept = arrivals.filter((_, index) => index !== gone);
        const paid = amountsOf(formula, arrivals).filter((_, index) => index !== gone);
        const paidAgain = amountsOf(formula, kept);
        paidAgain.forEach((amount, place) => {
          const index = place < gone ? place : place + 1;
          const days = (all[index]?.day ?? 0) - (all[gone]?.day ?? 0);
          const isTouched = index > gone && days >= 0 && days < 10 && region(index) === region(gone);
          if (!isTouched) expect(amount).toBe(paid[place]);
        });
      }),
      { numRuns: sized(10, 100) },
    );
  });
});
