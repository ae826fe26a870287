import fc from "fast-check";
import { compile, type Expression, evaluate } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { add, checked, divide, factsWith, multiply, number, property, subtract } from "./language.ts";

/** Evaluates one expression for many amounts, offsets (`quantity`) and shares (`rate`). */
const evaluator = (expression: Expression) => {
  const formula = compile(checked(expression));
  return (amount: number, quantity = 0, rate = 0.125): number => {
    const result = evaluate(formula, factsWith({ amount, quantity, rate }));
    if (result._tag === "Left") throw new Error(result.left.message);
    return result.right;
  };
};

/** Sums of whole cents, so that sums of them are exact doubles. */
const cents = fc.integer({ min: -2_000_000, max: 2_000_000 }).map((value) => value / 100);
const positive = fc.integer({ min: 0, max: 2_000_000 }).map((value) => value / 100);

const tiers = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 1_500_000 }), { maxLength: 5 }),
    fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 6, maxLength: 6 }),
  )
  .map(([limits, rates]) => {
    const sorted = [...limits].sort((a, b) => a - b);
    const rateAt = (index: number): Expression => ({
      type: "literal",
      value: { type: "basis_points", value: rates[index] ?? 0 },
    });
    return [
      ...sorted.map((limit, index) => ({
        up_to: { type: "number", value: limit / 100 } as const,
        rate: rateAt(index),
      })),
      { rate: rateAt(sorted.length) },
    ];
  });

/** 10,000 times G, so that rates in basis points of cents leave whole numbers and nothing is rounded. */
const scaledGraduated = (own: Awaited<ReturnType<typeof tiers.generate>>["value"], offset?: Expression) =>
  multiply(number(1_000_000), {
    type: "graduated",
    amount: property("amount"),
    ...(offset === undefined ? {} : { offset }),
    tiers: own,
  });

describe("graduated", () => {
  it("is odd: a refund mirrors the sale", () => {
    fc.assert(
      fc.property(tiers, cents, cents, (own, amount, offset) => {
        const g = evaluator(scaledGraduated(own, property("quantity")));
        expect(g(-amount, -offset) + g(amount, offset)).toBe(0);
      }),
    );
  });

  it("is unchanged by splitting an amount with an offset", () => {
    fc.assert(
      fc.property(tiers, cents, cents, cents, (own, start, first, second) => {
        const g = evaluator(scaledGraduated(own, property("quantity")));
        const middle = (Math.round(start * 100) + Math.round(first * 100)) / 100;
        const whole = (Math.round(first * 100) + Math.round(second * 100)) / 100;
        expect(g(first, start) + g(second, middle)).toBe(g(whole, start));
      }),
    );
  });

  it("telescopes: the parts of a period sum to the whole of it", () => {
    fc.assert(
      fc.property(tiers, fc.array(cents, { minLength: 1, maxLength: 12 }), (own, amounts) => {
        const g = evaluator(scaledGraduated(own, property("quantity")));
        let before = 0;
        let sum = 0;
        for (const amount of amounts) {
          sum += g(amount, before / 100);
          before += Math.round(amount * 100);
        }
        expect(sum).toBe(evaluator(scaledGraduated(own))(before / 100) + 0);
      }),
    );
  });

  it("telescopes to the cent when each term is a difference of rounded totals", () => {
    fc.assert(
      fc.property(tiers, fc.array(cents, { minLength: 1, maxLength: 12 }), (own, amounts) => {
        const rounded = (amount: Expression): Expression => ({
          type: "round",
          mode: "half_even",
          operand: multiply(number(100), { type: "graduated", amount, tiers: own }),
        });
        const before = property("quantity");
        const marginal = evaluator(subtract(rounded(add(before, property("amount"))), rounded(before)));
        const whole = evaluator(rounded(property("amount")));
        let total = 0;
        let sum = 0;
        for (const amount of amounts) {
          sum += marginal(amount, total / 100);
          total += Math.round(amount * 100);
        }
        expect(sum).toBe(whole(total / 100));
      }),
    );
  });

  it("is continuous and, for rates of at least 0, monotone", () => {
    fc.assert(
      fc.property(tiers, positive, (own, amount) => {
        const g = evaluator(scaledGraduated(own));
        const next = (Math.round(amount * 100) + 1) / 100;
        const steepest = 40 * 100;
        expect(g(next) - g(amount)).toBeGreaterThanOrEqual(0);
        expect(g(next) - g(amount)).toBeLessThanOrEqual(steepest);
      }),
    );
  });

  it("is linear with one rate, and unchanged by a tier split in two at the same rate", () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 1_000_000 }), (amount, limit) => {
        const rate: Expression = { type: "literal", value: { type: "percent", value: 7 } };
        const split: Expression = {
          type: "graduated",
          amount: property("amount"),
          tiers: [{ up_to: { type: "number", value: limit / 100 }, rate }, { rate }],
        };
        expect(evaluator(multiply(number(10_000), split))(amount)).toBe(Math.round(amount * 100) * 7 + 0);
      }),
    );
  });

  it("is the same with literal rates and with rates read from properties", () => {
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 0, max: 100 }), (amount, offset, percents) => {
        const withRate = (rate: Expression): Expression => ({
          type: "graduated",
          amount: property("amount"),
          offset: property("quantity"),
          tiers: [
            { up_to: { type: "number", value: 1_000 }, rate, flat: number(3) },
            { rate: { type: "literal", value: { type: "percent", value: 2.5 } } },
          ],
        });
        const fixed = withRate({ type: "literal", value: { type: "percent", value: percents } });
        const own = withRate(property("rate"));
        expect(evaluator(own)(amount, offset, percents / 100)).toBe(evaluator(fixed)(amount, offset));
      }),
    );
  });
});

describe("arithmetic", () => {
  const [a, b, c] = [property("amount"), property("quantity"), property("rate")];
  const laws: Readonly<Record<string, readonly [Expression, Expression]>> = {
    "a sum does not depend on the order": [add(a, b, c), add(c, add(b, a))],
    "a product distributes over a sum": [multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c))],
    "a difference is the sum with the opposite": [subtract(a, b), add(a, multiply(number(-1), b))],
    "max is the negated min of negated operands": [
      { type: "max", operands: [a, b, c] },
      multiply(number(-1), {
        type: "min",
        operands: [multiply(number(-1), a), multiply(number(-1), b), multiply(number(-1), c)],
      }),
    ],
    "dividing by 7 and multiplying by 7 changes nothing": [multiply(divide(a, number(7)), number(7)), a],
    "a quotient times its divisor is the dividend": [
      multiply(
        { type: "coalesce", operands: [divide(a, add(b, number(1e6))), number(0)] },
        add(b, number(1e6)),
      ),
      a,
    ],
    "a step with a name is the step itself": [
      {
        type: "let",
        bindings: [{ name: "x", value: add(a, b) }],
        body: multiply({ type: "variable", name: "x" }, c),
      },
      multiply(add(a, b), c),
    ],
    "cap and floor commute when the cap is the higher": [
      { type: "min", operands: [number(500), { type: "max", operands: [number(-500), a] }] },
      { type: "max", operands: [number(-500), { type: "min", operands: [number(500), a] }] },
    ],
  };
  for (const [name, [left, right]] of Object.entries(laws))
    it(name, () => {
      const [first, second] = [evaluator(left), evaluator(right)];
      const share = fc.integer({ min: 0, max: 100_000 }).map((value) => value / 100_000);
      fc.assert(
        fc.property(cents, cents, share, (amount, quantity, rate) => {
          expect(first(amount, quantity, rate)).toBe(second(amount, quantity, rate));
        }),
        { numRuns: 300 },
      );
    });
});
