import { expect, it } from "vitest";
import * as Units from "../../../src/domain/sentences/Units.ts";
import type { Step } from "../../../src/formula/Step.ts";

const percent: Step = {
  entry: { path: "$", type: "literal", value: "0.05", detail: { unit: "percent", written: "5" } },
  inner: [],
};

const variable = (name: string): Step => ({
  entry: { path: "$", type: "variable", value: "1", detail: { name } },
  inner: [],
});

const property = (name: string): Step => ({
  entry: { path: "$", type: "property", value: "1", detail: { name, raw: 1, default_used: false } },
  inner: [],
});

it("treats a percentage, and a variable bound to one, as a rate", () => {
  const units = Units.make();
  expect(units.isRate(percent)).toBe(true);
  expect(units.isRate(variable("rate"))).toBe(false);
  const rate = variable("rate");
  expect(units.isRate(rate)).toBe(false);
  units.bind("rate", percent);
  expect([units.isRate(rate), units.unitOf(rate)]).toEqual([true, "rate"]);
});

it("keeps the first unit that is inferred for a name", () => {
  const units = Units.make();
  units.learn("property", "amount", "number");
  expect(units.unitOf(property("amount"))).toBeUndefined();
  units.learn("property", "amount", "whole");
  units.learn("property", "amount", "smallest");
  units.learn("variable", "amount", "smallest");
  expect([units.unitOf(property("amount")), units.unitOfVariable("amount")]).toEqual(["whole", "smallest"]);
});

it.each([
  ["units", true],
  ["copies_before", true],
  ["days-ahead", true],
  ["amount", false],
  ["discounts", false],
])("treats %s as a count: %s", (name, isCount) => {
  expect(Units.isCount(property(name))).toBe(isCount);
});

it("finds the properties that an expression reads, each once", () => {
  const amount = { type: "property", name: "amount" };
  expect(
    Units.namesIn({ type: "add", operands: [amount, { type: "property", name: "fee" }, amount] }),
  ).toEqual(["amount", "fee"]);
  expect(Units.namesIn(null)).toEqual([]);
});
