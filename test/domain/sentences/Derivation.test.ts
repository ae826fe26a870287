import { Either } from "effect";
import { check, compile, decode, explain, type Facts } from "quittance/formula";
import { expect, it } from "vitest";
import { derivation } from "../../../src/domain/sentences/Derivation.ts";
import { stepsOf } from "../../../src/formula/Step.ts";

const property = { type: "property", name: "order_value" };
const number = (value: number) => ({ type: "literal", value: { type: "number", value } });
const percent = (value: number) => ({ type: "literal", value: { type: "percent", value } });

const sale: Facts = {
  id: "1",
  partnerId: "2",
  customerId: "3",
  workspaceId: "4",
  schemaId: "5",
  agentId: null,
  createdAt: 0,
  occurredAt: 0,
  properties: { order_value: 12_345, units: 3 },
};

const PROPERTIES = ["order_value", "units"].map(
  (name) => ({ name, type: "number", required: true }) as const,
);

/** The sentences on a sale of 123.45 euros and three units. */
const derived = (expression: object) => {
  const checked = Either.getOrThrow(
    Either.flatMap(decode(expression), (decoded) => check(decoded, PROPERTIES)),
  );
  const [root] = stepsOf(explain(compile(checked), sale).trace);
  if (root === undefined) throw new Error("there is no trace");
  return derivation(root, 2);
};

it("treats the base of a rate as money", () => {
  expect(derived({ type: "multiply", operands: [property, percent(10)] })).toEqual({
    calculation: "10 % of 123.45 (order value) = 12.345, rounded to 12.35",
    reasons: [],
  });
});

it("treats a factor of 100 as the conversion from whole units, and omits it", () => {
  expect(derived({ type: "multiply", operands: [percent(10), property, number(100)] }).calculation).toBe(
    "10 % of 12,345.00 (order value) = 1,234.50",
  );
});

it("treats a number that is multiplied by a count as a price", () => {
  const units = { type: "property", name: "units" };
  expect(derived({ type: "multiply", operands: [units, number(250)] }).calculation).toBe(
    "3 (units) × 2.50 = 7.50",
  );
});

it("omits additions of 0 and multiplications by 1", () => {
  const half = { type: "multiply", operands: [percent(50), property, number(1)] };
  expect(derived({ type: "add", operands: [half, number(0)] }).calculation).toBe(
    "50 % of 123.45 (order value) = 61.725, rounded to 61.73",
  );
});

it("states the amount without a limit when the limit applies", () => {
  const most = { type: "min", operands: [property, number(10_000)] };
  expect(derived(most)).toEqual({
    calculation: "100.00",
    reasons: ["The most is 100.00; without this limit it would be 123.45 (order value)."],
  });
});

it("explains named values after the calculation that uses them", () => {
  const net = { name: "net", value: { type: "subtract", left: property, right: number(345) } };
  const body = { type: "multiply", operands: [{ type: "variable", name: "net" }, percent(10)] };
  expect(derived({ type: "let", bindings: [net], body })).toEqual({
    calculation: "10 % of 120.00 (net) = 12.00",
    reasons: ["Net: 123.45 (order value) − 3.45 = 120.00."],
  });
});

it("derives each named value once, however often it is used", () => {
  const variable = (index: number) => ({ type: "variable", name: `x${index}` });
  const twice = (index: number) => ({ type: "subtract", left: variable(index), right: variable(index) });
  const bindings = Array.from({ length: 32 }, (_, index) => ({
    name: `x${index}`,
    value: index === 0 ? percent(5) : twice(index - 1),
  }));
  const body = { type: "multiply", operands: [property, variable(31)] };
  expect(derived({ type: "let", bindings, body }).calculation).toBe(
    "0 % (x31) of 123.45 (order value) = 0.00",
  );
});

it("explains a variable that is computed from another one of the same name", () => {
  const rate = { type: "variable", name: "rate" };
  const again = {
    type: "let",
    bindings: [{ name: "rate", value: { type: "add", operands: [rate, percent(5)] } }],
    body: { type: "multiply", operands: [rate, property] },
  };
  const { calculation } = derived({
    type: "let",
    bindings: [{ name: "rate", value: percent(10) }],
    body: again,
  });
  expect(calculation).toMatch(/ = 18\.5175, rounded to 18\.52$/);
});
