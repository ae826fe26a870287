/** Values of parameters that a trial has in place of those of every partner. */
import { Either } from "effect";
import { Parameter } from "quittance";
import type { Expression } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { declare, declareChange, replaceValues } from "../../src/domain/TriedValues.ts";

describe("values that no plan declares", () => {
  it("are declared by the types of their values", () => {
    expect(declare({ rate: 7, region: "north", isNew: true }, "parameters")).toEqual(
      Either.right([
        { name: "rate", type: "number" },
        { name: "region", type: "string" },
        { name: "isNew", type: "boolean" },
      ]),
    );
  });

  it.each([
    [{ "1st": 7 }, "parameters.1st"],
    [{ rate: Number.MAX_VALUE }, "parameters.rate"],
    [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`rate${index}`, 1])), "parameters"],
  ])("are refused under the name of the field: %j", (values, field) => {
    expect(Either.flip(declare(values, "parameters")).pipe(Either.getOrNull)).toMatchObject({ field });
  });
});

describe("a change of a plan", () => {
  const declared = [{ name: "rate", type: "number" }] as const;
  const reads = (...names: ReadonlyArray<string>): Expression => ({
    type: "add",
    operands: names.map((name) => ({ type: "parameter", name })),
  });

  it("declares what its expression reads and the plan does not have", () => {
    const values = { rate: 7, quota: 100 };
    expect(declareChange(declared, reads("rate", "quota"), values, "parameters")).toEqual(
      Either.right([...declared, { name: "quota", type: "number" }]),
    );
  });

  it.each([
    ["a name that its expression does not read", reads("rate"), { quota: 100 }],
    ["a name without an expression of its own", null, { quota: 100 }],
    ["a value of another type than the plan declares", reads("rate"), { rate: "much" }],
  ])("refuses %s", (_, expression, values) => {
    const field = `parameters.${Object.keys(values)[0]}`;
    expect(
      Either.flip(declareChange(declared, expression, values, "parameters")).pipe(Either.getOrNull),
    ).toMatchObject({ field });
  });
});

describe("values in place of those of a partner", () => {
  const formula = {
    parameters: [
      { name: "rate", type: "number" },
      { name: "cap", type: "number" },
    ],
    parameterValues: [
      { values: { rate: 1, cap: 9 }, effectiveDatetime: null },
      { values: { rate: 2 }, effectiveDatetime: 30 },
    ],
  } as const;

  it("declare the names that the formula does not have", () => {
    const tried = replaceValues(formula, { bonus: 3 });
    expect(tried.parameters.at(-1)).toEqual({ name: "bonus", type: "number" });
    expect(Parameter.valuesAt(tried, 30).get("bonus")?.value).toBe(3);
  });

  it("hold at all times, and leave the values of other names as they were stated", () => {
    const tried = replaceValues(formula, { rate: 5 });
    for (const moment of [0, 30, 99]) {
      const values = Parameter.valuesAt(tried, moment);
      expect([values.get("rate")?.value, values.get("cap")?.value]).toEqual([5, 9]);
    }
    expect(Parameter.valuesAt(replaceValues(formula, { cap: 4 }), 30).get("rate")).toEqual({
      value: 2,
      since: 30,
    });
  });
});
