import { expect, it } from "vitest";
import { number, orderValue, percent, property, sentencesOf, text } from "./sale.ts";

const until = (value: number) => ({ up_to: { type: "number", value } });
const isFrom = (country: string) => ({
  type: "compare",
  operator: "equal",
  left: property("country"),
  right: text(country),
});
const entry = (country: string, value: object) => ({ key: { type: "string", value: country }, value });

it.each([
  { limit: 10_000, applies: "6 % applies because the order value (12,345) is more than 10,000." },
  { limit: 20_000, applies: "4 % applies because the order value (12,345) is at most 20,000." },
])("names the limits of the band that the input is in: up to $limit", ({ limit, applies }) => {
  const rate = {
    type: "band",
    input: orderValue,
    bands: [{ ...until(limit), value: percent(4) }, { value: percent(6) }],
  };
  expect(sentencesOf({ type: "multiply", operands: [orderValue, rate] }).reasons).toEqual([applies]);
});

it("names both limits of a band between two others", () => {
  const rate = {
    type: "band",
    input: orderValue,
    bands: [
      { ...until(10_000), value: percent(4) },
      { ...until(20_000), value: percent(5) },
      { value: percent(6) },
    ],
  };
  expect(sentencesOf({ type: "multiply", operands: [orderValue, rate] }).reasons).toEqual([
    "5 % applies because the order value (12,345) is more than 10,000 and at most 20,000.",
  ]);
});

it("writes what each tier adds, and the tiers that the amount falls into", () => {
  const tiers = [{ ...until(10_000), rate: percent(4) }, { rate: percent(6) }];
  expect(sentencesOf({ type: "graduated", amount: orderValue, tiers })).toEqual({
    calculation: "10,000 at 4 % + 2,345 at 6 % = 540.7, rounded to 541",
    reasons: ["12,345 (order value) falls into the tiers up to 10,000 and above 10,000."],
  });
});

it("names one tier when the whole amount is in it", () => {
  const tiers = [{ ...until(20_000), rate: percent(4) }, { rate: percent(6) }];
  expect(sentencesOf({ type: "graduated", amount: orderValue, tiers })).toEqual({
    calculation: "12,345 at 4 % = 493.8, rounded to 494",
    reasons: ["12,345 (order value) falls into the tier up to 20,000."],
  });
});

it("writes rates of tiers as they were given", () => {
  const tiers = [{ ...until(2), rate: number(500) }, { rate: number(700) }];
  expect(sentencesOf({ type: "graduated", amount: property("units"), tiers })).toEqual({
    calculation: "2 at 500 + 1 at 700 = 1,700",
    reasons: ["3 (units) falls into the tiers up to 2 and above 2."],
  });
});

it("writes the rates of tiers in per cent where one is given so", () => {
  const tiers = [{ ...until(10_000), rate: number(-0.05) }, { rate: percent(6) }];
  expect(sentencesOf({ type: "graduated", amount: orderValue, tiers }).calculation).toBe(
    "10,000 at −5 % + 2,345 at 6 % = −359.3, rounded to −359",
  );
});

it("writes the entry amount of each tier that the amount reaches", () => {
  const tiers = [
    { ...until(10_000), rate: percent(4), flat: number(200) },
    { rate: percent(6), flat: number(300) },
  ];
  expect(sentencesOf({ type: "graduated", amount: orderValue, tiers }).calculation).toBe(
    "10,000 at 4 % + 200 + 2,345 at 6 % + 300 = 1,040.7, rounded to 1,041",
  );
});

it("begins the tiers after an offset", () => {
  const tiers = [{ ...until(20_000), rate: percent(4) }, { rate: percent(6) }];
  expect(sentencesOf({ type: "graduated", amount: orderValue, offset: number(10_000), tiers })).toEqual({
    calculation: "10,000 at 4 % + 2,345 at 6 % = 540.7, rounded to 541",
    reasons: ["12,345 (order value), after 10,000, falls into the tiers up to 20,000 and above 20,000."],
  });
});

it("takes a negative entry amount away", () => {
  const tiers = [{ ...until(10_000), rate: percent(4), flat: number(-200) }, { rate: percent(6) }];
  expect(sentencesOf({ type: "graduated", amount: orderValue, tiers }).calculation).toBe(
    "10,000 at 4 % − 200 + 2,345 at 6 % = 340.7, rounded to 341",
  );
});

it("states which value is missing when a fixed one replaces it", () => {
  const rate = { type: "coalesce", operands: [property("own_rate"), percent(5)] };
  expect(sentencesOf({ type: "multiply", operands: [orderValue, rate] })).toEqual({
    calculation: "5 % of 12,345 (order value) = 617.25, rounded to 617",
    reasons: ["5 % applies because no own rate is given."],
  });
});

it("gives no reason for a fixed value that replaces nothing", () => {
  const rate = { type: "coalesce", operands: [percent(5)] };
  expect(sentencesOf({ type: "multiply", operands: [orderValue, rate] }).reasons).toEqual([]);
});

it("writes a percentage as one in the reason, too, where the calculation is no share of money", () => {
  const rate = { type: "coalesce", operands: [property("own_rate"), percent(5)] };
  const rest = { type: "subtract", left: number(1), right: rate };
  expect(sentencesOf({ type: "multiply", operands: [orderValue, rest] }).reasons).toEqual([
    "5 % applies because no own rate is given.",
  ]);
});

it("leaves out why 0 replaces a missing value", () => {
  const bonus = { type: "coalesce", operands: [property("own_rate"), number(0)] };
  expect(sentencesOf({ type: "add", operands: [orderValue, bonus] })).toEqual({
    calculation: "12,345 (order value)",
    reasons: [],
  });
});

it("leaves out the conditions that are not met when they are more than two", () => {
  const branches = ["SE", "NO", "FI"].map((country) => ({ when: isFrom(country), then: number(500) }));
  expect(sentencesOf({ type: "case", branches, else: number(100) })).toEqual({
    calculation: "100",
    reasons: [],
  });
});

it("names what a calculation was looked up for", () => {
  const lookup = {
    type: "lookup",
    key: property("country"),
    entries: [entry("DK", { type: "multiply", operands: [percent(10), orderValue] })],
    default: number(100),
  };
  expect(sentencesOf(lookup)).toEqual({
    calculation: "10 % of 12,345 (order value) = 1,234.5, rounded to 1,235",
    reasons: ["This is the calculation for the country (“DK”)."],
  });
});

it("states the condition of the branch that was taken", () => {
  const branches = [{ when: isFrom("DK"), then: number(500) }];
  expect(sentencesOf({ type: "case", branches, else: number(100) })).toEqual({
    calculation: "500",
    reasons: ["500 applies because the country (“DK”) is “DK”."],
  });
});

it("states the conditions that are not met when no branch was taken", () => {
  const branches = [{ when: isFrom("SE"), then: number(500) }];
  const otherwise = { type: "multiply", operands: [percent(10), orderValue] };
  expect(sentencesOf({ type: "case", branches, else: otherwise })).toEqual({
    calculation: "10 % of 12,345 (order value) = 1,234.5, rounded to 1,235",
    reasons: ["This calculation applies because the country (“DK”) is not “SE”."],
  });
});

it.each([
  { country: "DK", amount: "500", reason: "500 is the entry for the country (“DK”)." },
  {
    country: "SE",
    amount: "100",
    reason: "100 applies because the country (“DK”) is not one of the values that the formula lists.",
  },
])("names the entry that was looked up among those for $country", ({ country, amount, reason }) => {
  const lookup = {
    type: "lookup",
    key: property("country"),
    entries: [entry(country, number(500))],
    default: number(100),
  };
  expect(sentencesOf(lookup)).toEqual({ calculation: amount, reasons: [reason] });
});

it("explains named values after the calculation that uses them", () => {
  const net = { name: "net", value: { type: "subtract", left: orderValue, right: number(345) } };
  const body = { type: "multiply", operands: [{ type: "variable", name: "net" }, percent(10)] };
  expect(sentencesOf({ type: "let", bindings: [net], body })).toEqual({
    calculation: "10 % of 12,000 (net) = 1,200",
    reasons: ["Net: 12,345 (order value) − 345 = 12,000."],
  });
});

it("derives each named value once, however often it is used", () => {
  const variable = (index: number) => ({ type: "variable", name: `x${index}` });
  const twice = (index: number) => ({ type: "subtract", left: variable(index), right: variable(index) });
  const bindings = Array.from({ length: 32 }, (_, index) => ({
    name: `x${index}`,
    value: index === 0 ? percent(5) : twice(index - 1),
  }));
  const body = { type: "multiply", operands: [orderValue, variable(31)] };
  expect(sentencesOf({ type: "let", bindings, body }).calculation).toBe(
    "0 % (x31) of 12,345 (order value) = 0",
  );
});

it("explains a variable that is computed from another one of the same name", () => {
  const rate = { type: "variable", name: "rate" };
  const again = {
    type: "let",
    bindings: [{ name: "rate", value: { type: "add", operands: [rate, percent(5)] } }],
    body: { type: "multiply", operands: [rate, orderValue] },
  };
  const { calculation } = sentencesOf({
    type: "let",
    bindings: [{ name: "rate", value: percent(10) }],
    body: again,
  });
  expect(calculation).toMatch(/ = 1,851\.75, rounded to 1,852$/);
});

/** `let rate = 10 % in let rate = <value of rate> in rate × order value` */
const rebound = (operation: object) => ({
  type: "let",
  bindings: [{ name: "rate", value: percent(10) }],
  body: {
    type: "let",
    bindings: [{ name: "rate", value: operation }],
    body: { type: "multiply", operands: [{ type: "variable", name: "rate" }, orderValue] },
  },
});
const outerRate = { type: "variable", name: "rate" };

it.each([
  [
    "a sum",
    { type: "add", operands: [outerRate, percent(2)] },
    "12 %",
    "1,481.4",
    "1,481",
    "10 % (rate) + 2 %",
  ],
  [
    "a multiple",
    { type: "multiply", operands: [outerRate, number(2)] },
    "20 %",
    "2,469",
    "2,469",
    "10 % (rate) × 2",
  ],
] as const)(
  "writes a rate that is %s of the outer variable of its name as a percentage",
  (_, operation, ...[rate, exact, amount, calculation]) => {
    expect(sentencesOf(rebound(operation))).toEqual({
      calculation: `${rate} (rate) of 12,345 (order value) = ${exact}${exact === amount ? "" : `, rounded to ${amount}`}`,
      reasons: [`Rate: ${calculation} = ${rate}.`],
    });
  },
);

it("writes tiers of percentages as shares, of a number as it was given", () => {
  const tiers = [{ ...until(2), rate: percent(50) }, { rate: percent(100) }];
  const units = { type: "graduated", amount: property("units"), tiers };
  expect(sentencesOf(units).calculation).toBe("2 at 50 % + 1 at 100 % = 2");
  expect(sentencesOf({ type: "multiply", operands: [units, number(100)] }).calculation).toBe(
    "(2 at 50 % + 1 at 100 %) × 100 = 200",
  );
});

it("says nothing of tiers when the amount is in none", () => {
  const tiers = [{ ...until(2), rate: percent(50) }, { rate: percent(100) }];
  const none = { type: "subtract", left: orderValue, right: orderValue };
  expect(sentencesOf({ type: "graduated", amount: none, tiers })).toEqual({ calculation: "0", reasons: [] });
});
