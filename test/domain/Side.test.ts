import { expect, it } from "vitest";
import { Kind } from "../../src/domain/Principal.ts";
import { sideOf } from "../../src/domain/Side.ts";

it("the partner's credentials act for the partner, and every other one for the customer", () => {
  const sides = Kind.literals.map((kind) => [kind, sideOf({ kind })]);
  expect(sides).toEqual([
    ["customer", "customer"],
    ["partner", "partner"],
    ["agent", "customer"],
    ["platform", "customer"],
    ["system", "customer"],
  ]);
});
