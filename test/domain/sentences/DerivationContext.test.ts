import { expect, it } from "vitest";
import { valueText } from "../../../src/domain/sentences/DerivationContext.ts";
import * as Figures from "../../../src/domain/sentences/Figures.ts";
import { orderValue, property, stepOf } from "./sale.ts";

const write = Figures.writer(2);

const inner = (expression: object) => {
  const [step] = stepOf({
    type: "case",
    branches: [{ when: expression, then: orderValue }],
    else: orderValue,
  }).inner;
  const [compared] = step?.inner ?? [];
  const [value] = compared?.inner ?? [];
  if (value === undefined) throw new Error("the trace has no operand");
  return value;
};

it("writes a text that looks like a number as it is", () => {
  const tier = inner({
    type: "compare",
    operator: "equal",
    left: property("tier"),
    right: property("country"),
  });
  expect(valueText({ write }, tier, "smallest")).toBe("“7”");
});

it("writes a number in the unit of its place", () => {
  const value = inner({ type: "compare", operator: "equal", left: orderValue, right: property("units") });
  expect(valueText({ write }, value, "smallest")).toBe("123.45");
  expect(valueText({ write }, value, "number")).toBe("12,345");
});

it("writes a date by its name", () => {
  const date = inner({
    type: "compare",
    operator: "equal",
    left: { type: "attribute", name: "occurred_at" },
    right: { type: "attribute", name: "created_at" },
  });
  expect(valueText({ write }, date, "smallest")).toBe("1 January 1970");
});
