/** What numbers mean is declared by the format of a property: a calculation with declared numbers is written in money and shares. */
import { expect, it } from "vitest";
import { number, percent, property, type Sale, sentencesOf } from "./sale.ts";

const SALE: Sale = {
  declared: [
    { name: "cents", type: "number", required: true, format: "money_minor" },
    { name: "euros", type: "number", required: true, format: "money_major" },
    { name: "rate", type: "number", required: true, format: "percent" },
    { name: "seats", type: "number", required: true, format: "count" },
    { name: "points", type: "number", required: true, format: "plain" },
  ],
  properties: { cents: 12_345, euros: 249.99, rate: 7.5, seats: 3, points: 20 },
};
const [cents, euros, rate, seats, points] = ["cents", "euros", "rate", "seats", "points"].map(property);
const multiply = (...operands: ReadonlyArray<unknown>) => ({ type: "multiply", operands });
const add = (...operands: ReadonlyArray<unknown>) => ({ type: "add", operands });
const divide = (left: unknown, right: unknown) => ({ type: "divide", left, right });
const calculationOf = (expression: object): string => sentencesOf(expression, SALE).calculation;

it.each([
  [multiply(cents, percent(10)), "10 % of 123.45 EUR (cents) = 12.345 EUR, rounded to 12.35 EUR"],
  [
    multiply(percent(10), euros, number(100)),
    "10 % of 249.99 EUR (euros) = 24.999 EUR, rounded to 25.00 EUR",
  ],
  [
    multiply(multiply(euros, percent(10)), number(100)),
    "10 % of 249.99 EUR (euros) = 24.999 EUR, rounded to 25.00 EUR",
  ],
  [multiply(seats, number(250)), "3 (seats) × 250 = 750"],
  [multiply(seats, cents), "3 (seats) × 123.45 EUR (cents) = 370.35 EUR"],
  [
    add(multiply(cents, percent(10)), number(500)),
    "10 % of 123.45 EUR (cents) + 5.00 EUR = 17.345 EUR, rounded to 17.35 EUR",
  ],
  [
    divide(multiply(cents, rate), number(100)),
    "7.5 % (rate) of 123.45 EUR (cents) = 9.25875 EUR, rounded to 9.26 EUR",
  ],
  [
    multiply(cents, divide(rate, number(100))),
    "7.5 % (rate) of 123.45 EUR (cents) = 9.25875 EUR, rounded to 9.26 EUR",
  ],
  [multiply(euros, rate), "7.5 % (rate) of 249.99 EUR (euros) = 18.74925 EUR, rounded to 18.75 EUR"],
  [divide(cents, number(3)), "123.45 EUR (cents) ÷ 3 = 41.15 EUR"],
])("money, shares and counts in %j", (expression, written) => {
  expect(calculationOf(expression)).toBe(written);
});

it.each([
  ["a sum of money and a plain number", add(cents, points), "12,345 (cents) + 20 (points) = 12,365"],
  ["a sum in two units", add(cents, euros), "12,345 (cents) + 249.99 (euros) = 12,594.99, rounded to 12,595"],
  [
    "a product of money",
    multiply(cents, euros),
    "12,345 (cents) × 249.99 (euros) = 3,086,126.55, rounded to 3,086,127",
  ],
  [
    "an amount in whole units that is not converted",
    multiply(euros, percent(10)),
    "10 % of 249.99 (euros) = 24.999, rounded to 25",
  ],
  ["a percentage of a plain number", multiply(points, rate), "20 (points) × 7.5 (rate) = 150"],
])("%s does not fit together, and is written as it was given", (_, expression, written) => {
  expect(calculationOf(expression)).toBe(written);
});

it("writes the limits of bands, tiers and comparisons in the unit of what they limit", () => {
  const upTo = (value: number) => ({ up_to: { type: "number", value } });
  const band = {
    type: "band",
    input: euros,
    bands: [{ ...upTo(100), value: percent(4) }, { value: percent(6) }],
  };
  expect(sentencesOf(multiply(cents, band), SALE).reasons).toEqual([
    "6 % applies because the euros (249.99 EUR) is more than 100.00 EUR.",
  ]);
  const tiers = {
    type: "graduated",
    amount: cents,
    tiers: [
      { ...upTo(10_000), rate: percent(4) },
      { rate: percent(6), flat: number(300) },
    ],
  };
  expect(sentencesOf(tiers, SALE)).toEqual({
    calculation: "100.00 EUR at 4 % + 23.45 EUR at 6 % + 3.00 EUR = 8.407 EUR, rounded to 8.41 EUR",
    reasons: ["123.45 EUR (cents) falls into the tiers up to 100.00 EUR and above 100.00 EUR."],
  });
  const when = { type: "compare", operator: "greater_than", left: rate, right: number(5) };
  const branches = [{ when, then: multiply(cents, percent(1)) }];
  expect(sentencesOf({ type: "case", branches, else: number(0) }, SALE).reasons).toEqual([
    "This calculation applies because the rate (7.5 %) is more than 5 %.",
  ]);
});

it("writes the calculation of a variable in its own unit", () => {
  const net = { name: "net", value: { type: "subtract", left: euros, right: number(9.99) } };
  const body = multiply({ type: "variable", name: "net" }, number(100), percent(10));
  expect(sentencesOf({ type: "let", bindings: [net], body }, SALE)).toEqual({
    calculation: "10 % of 240.00 EUR (net) = 24.00 EUR",
    reasons: ["Net: 249.99 EUR (euros) − 9.99 EUR = 240.00 EUR."],
  });
});
