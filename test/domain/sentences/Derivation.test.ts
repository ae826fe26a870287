import { expect, it } from "vitest";
import { orderValue, percent, sentencesOf } from "./sale.ts";

it("treats the base of a rate as money", () => {
  expect(sentencesOf({ type: "multiply", operands: [orderValue, percent(10)] })).toEqual({
    calculation: "10 % of 123.45 (order value) = 12.345, rounded to 12.35",
    reasons: [],
  });
});
