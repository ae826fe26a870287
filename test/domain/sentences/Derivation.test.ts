import { expect, it } from "vitest";
import { derivation } from "../../../src/domain/sentences/Derivation.ts";
import { number, orderValue, percent, property, sentencesOf, stepOf } from "./sale.ts";

it("states the result of a calculation that begins with the same number", () => {
  const declared = [{ name: "profit", type: "number", required: true }] as const;
  const nothing = { type: "multiply", operands: [property("profit"), number(3)] };
  const { calculation } = derivation(stepOf(nothing, { declared, properties: { profit: 0 } }));
  expect(calculation).toBe("0 (profit) × 3 = 0");
});

it("applies a rate to a number as it was given", () => {
  expect(sentencesOf({ type: "multiply", operands: [orderValue, percent(10)] })).toEqual({
    calculation: "10 % of 12,345 (order value) = 1,234.5, rounded to 1,235",
    reasons: [],
  });
});
