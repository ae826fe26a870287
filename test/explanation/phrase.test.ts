import { expect, it } from "vitest";
import { atom, inside, minus, type Phrase, plus, withResult } from "../../src/explanation/Phrase.ts";

const sum: Phrase = { text: "1.00 + 2.00", binds: 2 };

it("puts an operand in parentheses only where it binds more than the place allows", () => {
  expect([inside(sum, 1), inside(sum, 2), inside(atom("3.00"), 0)]).toEqual([
    "(1.00 + 2.00)",
    "1.00 + 2.00",
    "3.00",
  ]);
});

it("adds the result to a calculation", () => {
  expect(withResult(sum, "3.00")).toBe("1.00 + 2.00 = 3.00");
});

it("does not repeat the result of a single value, with or without its name", () => {
  expect(withResult(atom("3.00"), "3.00")).toBe("3.00");
  expect(withResult(atom("3.00 (price)"), "3.00")).toBe("3.00 (price)");
});

it("adds and takes away a term below zero by its absolute value, also one that is rounded", () => {
  expect([plus("5.00", "2.00"), minus("5.00", "2.00")]).toEqual(["5.00 + 2.00", "5.00 − 2.00"]);
  expect([plus("5.00", "−2.00"), minus("5.00", "−2.00")]).toEqual(["5.00 − 2.00", "5.00 + 2.00"]);
  expect(plus("5.00", "about −33.3333")).toBe("5.00 − about 33.3333");
  expect(minus("5.00", "about −33.3333")).toBe("5.00 + about 33.3333");
});
