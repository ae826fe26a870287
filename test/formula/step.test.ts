import { expect, it } from "vitest";
import { at, is, pathIn, resultOf, type Step } from "../../src/formula/Step.ts";

const literal = (path: string): Step => ({
  entry: { path, type: "literal", value: "1", detail: { unit: "number", written: "1" } },
  inner: [],
});

const otherwise = literal("$.operands.1.else");
const choice: Step = {
  entry: { path: "$.operands.1", type: "case", value: "1", detail: { index: null } },
  inner: [literal("$.operands.1.branches.0.when"), otherwise],
};

it("finds a step by its place in the enclosing step", () => {
  expect(pathIn(choice, otherwise)).toBe("else");
  expect(at(choice, "else")).toBe(otherwise);
  expect(at(choice, "branches.0.then")).toBeUndefined();
});

it("finds the step whose value a choice returns", () => {
  expect(resultOf(choice)).toBe(otherwise);
  expect(resultOf(otherwise)).toBeUndefined();
});

it("distinguishes the kinds of steps", () => {
  expect([is(choice, "case"), is(choice, "literal")]).toEqual([true, false]);
});
