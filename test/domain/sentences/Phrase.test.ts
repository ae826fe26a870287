import { expect, it } from "vitest";
import { atom, inside, type Phrase, withResult } from "../../../src/domain/sentences/Phrase.ts";

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
