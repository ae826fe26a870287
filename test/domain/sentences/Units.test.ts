import { expect, it } from "vitest";
import * as Units from "../../../src/domain/sentences/Units.ts";
import { resultOf, type Step } from "../../../src/formula/Step.ts";

const percent: Step = {
  entry: { path: "$", type: "literal", value: "0.05", detail: { unit: "percent", written: "5" } },
  inner: [],
};

const variable = (name: string): Step => ({
  entry: { path: "$", type: "variable", value: "1", detail: { name } },
  inner: [],
});

/** `let rate = <value> in <body>` */
const letOf = (value: Step, body: Step): Step => ({
  entry: { path: "$", type: "let", value: "1", detail: { bindings: [{ name: "rate", value: "1" }] } },
  inner: [
    { ...value, entry: { ...value.entry, path: "$.bindings.0.value" } },
    { ...body, entry: { ...body.entry, path: "$.body" } },
  ],
});

it("treats a percentage, and a variable bound to one, as a rate", () => {
  const outside = Units.make(variable("rate"));
  expect(outside.isRate(percent)).toBe(true);
  expect(outside.isRate(variable("rate"))).toBe(false);
  const root = letOf(percent, variable("rate"));
  const units = Units.make(root);
  const rate = resultOf(root) ?? percent;
  expect([units.isRate(rate), units.unitOf(rate)]).toEqual([true, "rate"]);
});

it("finds the properties that an expression reads, each once", () => {
  const amount = { type: "property", name: "amount" };
  expect(
    Units.namesIn({ type: "add", operands: [amount, { type: "property", name: "fee" }, amount] }),
  ).toEqual(["amount", "fee"]);
  expect(Units.namesIn(null)).toEqual([]);
});
