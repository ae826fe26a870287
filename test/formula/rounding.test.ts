import { describe, expect, it } from "vitest";
import * as Rational from "../../src/formula/Rational.ts";
import { MODES, type Mode, toIncrement, toInteger } from "../../src/formula/Rounding.ts";
import { amountOf, factsWith, multiply, number, property } from "./language.ts";

/** Quarters from -2.5 to 2.5 and their results in each mode, computed by hand. */
const quarters = [-10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const expected: { readonly [M in Mode]: ReadonlyArray<number> } = {
  half_up: [-3, -2, -2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3],
  half_down: [-2, -2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2],
  half_even: [-2, -2, -2, -2, -2, -1, -1, -1, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2],
  up: [-3, -3, -2, -2, -2, -2, -1, -1, -1, -1, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3],
  down: [-2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2],
  ceiling: [-2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3],
  floor: [-3, -3, -2, -2, -2, -2, -1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2],
};

describe("rounding", () => {
  for (const mode of MODES) {
    it(`rounds every quarter ${mode}, in both paths`, () => {
      const node = { type: "round", operand: property("amount"), mode };
      for (const [index, quarter] of quarters.entries()) {
        const wanted = expected[mode][index];
        expect(Number(toInteger(Rational.make(BigInt(quarter), 4n), mode)), `${quarter}/4`).toBe(wanted);
        expect(amountOf(node, factsWith({ amount: quarter / 4 })), `${quarter}/4`).toBe(wanted);
      }
    });

    it(`rounds ratios known only at evaluation ${mode}`, () => {
      const node = {
        type: "round",
        operand: {
          type: "coalesce",
          operands: [{ type: "divide", left: property("amount"), right: property("quantity") }, number(0)],
        },
        mode,
      };
      for (const [index, quarter] of quarters.entries()) {
        const wanted = expected[mode][index];
        expect(amountOf(node, factsWith({ amount: quarter, quantity: 4 }))).toBe(wanted);
        expect(amountOf(node, factsWith({ amount: -quarter, quantity: -4 }))).toBe(wanted);
      }
    });
  }

  it("rounds to multiples of an increment", () => {
    const to = (value: number, mode: Mode, increment: number): number | string =>
      amountOf(
        multiply(number(100), {
          type: "round",
          operand: property("amount"),
          mode,
          increment: { type: "number", value: increment },
        }),
        factsWith({ amount: value }),
      );
    expect(to(12.5, "half_up", 5)).toBe(1500);
    expect(to(12.5, "half_down", 5)).toBe(1000);
    expect(to(12.5, "half_even", 5)).toBe(1000);
    expect(to(17.5, "half_even", 5)).toBe(2000);
    expect(to(-12.5, "half_up", 5)).toBe(-1500);
    expect(to(1.03, "up", 0.05)).toBe(105);
    expect(to(1.02, "half_up", 0.05)).toBe(100);
    expect(to(-1.01, "floor", 0.25)).toBe(-125);
    expect(to(7, "down", 3)).toBe(600);
  });

  it("rounds an increment in percent as the number it stands for", () => {
    const node = {
      type: "round",
      operand: property("amount"),
      mode: "half_up",
      increment: { type: "percent", value: 50 },
    };
    expect(amountOf(multiply(number(10), node as never), factsWith({ amount: 1.3 }))).toBe(15);
  });

  it("finds the nearest multiple: at most half an increment away, ties included", () => {
    for (let numerator = -300n; numerator <= 300n; numerator++) {
      const value = Rational.make(numerator, 7n);
      const increment = Rational.make(3n, 4n);
      for (const mode of ["half_up", "half_down", "half_even"] as const) {
        const distance = Rational.subtract(toIncrement(value, mode, increment), value);
        const doubled = Rational.multiply(distance, Rational.make(2n));
        expect(Rational.compare(doubled, increment)).toBeLessThanOrEqual(0);
        expect(Rational.compare(Rational.negate(doubled), increment)).toBeLessThanOrEqual(0);
      }
    }
  });

  it("rounds the final amount half away from zero unless the root is a round node with another mode", () => {
    const half = (amount: number) => amountOf(multiply(property("amount"), number(1)), factsWith({ amount }));
    expect([half(0.5), half(1.5), half(-0.5), half(-1.5), half(0.49), half(-0.49)]).toEqual([
      1, 2, -1, -2, 0, 0,
    ]);
    const even = { type: "round", operand: property("amount"), mode: "half_even" };
    expect([0.5, 1.5, -0.5].map((amount) => amountOf(even, factsWith({ amount })))).toEqual([0, 2, 0]);
  });
});
