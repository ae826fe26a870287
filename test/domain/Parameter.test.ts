import { Either } from "effect";
import { Parameter } from "quittance";
import { describe, expect, it } from "vitest";

const DECLARED = [
  { name: "rate", type: "number" },
  { name: "cap", type: "number", default: 500 },
  { name: "since", type: "date", default: "2020-01-01" },
] as const;

const formula = (...statements: ReadonlyArray<readonly [Parameter.Values, number | null]>) => ({
  parameters: DECLARED,
  parameterValues: statements.map(([values, effectiveDatetime]) => ({ values, effectiveDatetime })),
});

const rateAt = (given: Parameter.Parametrized, moment: number) =>
  Parameter.valuesAt(given, moment).get("rate");

const BY_RATE = { type: "parameter", name: "rate" } as const;
const BY_CAP = { type: "parameter", name: "cap" } as const;

describe("a value", () => {
  const given = formula([{ rate: 1 }, null], [{ rate: 3, cap: 9 }, 30], [{ rate: 2 }, 20], [{ rate: 4 }, 30]);

  it("holds from its date until the next date of its parameter, whenever it was stated", () => {
    expect([0, 19, 20, 29, 30, 99].map((moment) => rateAt(given, moment)?.value)).toEqual([1, 1, 2, 2, 4, 4]);
    expect(rateAt(given, 25)).toEqual({ value: 2, since: 20 });
    expect(rateAt(given, 5)).toEqual({ value: 1, since: null });
    expect(Parameter.valuesAt(given, 25).get("cap")).toEqual({ value: 500, since: null });
    expect(Parameter.valuesAt(given, 30).get("cap")).toEqual({ value: 9, since: 30 });
  });

  it("is withdrawn by null for exactly its date, and can be stated again", () => {
    const withdrawn = formula(
      [{ rate: 1 }, null],
      [{ rate: 2 }, 20],
      [{ rate: null }, 20],
      [{ rate: null }, 21],
    );
    expect(rateAt(withdrawn, 25)).toEqual({ value: 1, since: null });
    const again = formula([{ rate: 1 }, null], [{ rate: 2 }, 20], [{ rate: null }, 20], [{ rate: 5 }, 20]);
    expect(rateAt(again, 25)?.value).toBe(5);
  });

  it("has the number of its statement, of several parameters the highest that the expression reads", () => {
    const both = { type: "add", operands: [BY_RATE, BY_CAP] } as const;
    expect(Parameter.versionAt(given, BY_RATE, 25)).toBe(3);
    expect(Parameter.versionAt(given, BY_CAP, 25)).toBe(null);
    expect(Parameter.versionAt(given, BY_CAP, 99)).toBe(2);
    expect(Parameter.versionAt(given, both, 25)).toBe(3);
    expect(Parameter.versionAt(given, both, 99)).toBe(4);
    expect(Parameter.versionAt({ parameters: [], parameterValues: [] }, both, 99)).toBe(null);
  });

  it("of no declared parameter is forgotten with its declaration", () => {
    const pruned = Parameter.prune(given.parameterValues, [DECLARED[1]]);
    expect(pruned.map(({ values }) => values)).toEqual([{}, { cap: 9 }, {}, {}]);
  });
});

describe("stating values", () => {
  const given = formula([{ rate: 1 }, null], [{ rate: 2 }, 20]);
  const state = (values: Parameter.Values, effectiveDatetime?: number) =>
    Either.match(
      Parameter.stateValues(
        given,
        effectiveDatetime === undefined ? { values } : { values, effectiveDatetime },
        50,
      ),
      { onLeft: ({ message }) => message, onRight: (event) => event },
    );
  const at = (moment: number) => new Date(moment).toISOString();

  it("states what is not stated for the date already", () => {
    expect(state({ rate: 2 }, 20)).toBe(null);
    expect(state({ rate: 2 }, 25)).toEqual({ values: { rate: 2 }, effective_datetime: at(25) });
    expect(state({ rate: 3, cap: 7 }, 20)).toEqual({
      values: { rate: 3, cap: 7 },
      effective_datetime: at(20),
    });
    expect(state({ rate: null }, 20)).toEqual({ values: { rate: null }, effective_datetime: at(20) });
    expect(state({ rate: null }, 21)).toBe(null);
    expect(state({}, 20)).toBe(null);
    expect(state({ rate: -0 }, 25)).toEqual({ values: { rate: 0 }, effective_datetime: at(25) });
  });

  it("without a date states what differs from the value of now", () => {
    expect(state({ rate: 2, cap: 500 })).toBe(null);
    expect(state({ rate: 3, cap: 500 })).toEqual({ values: { rate: 3 }, effective_datetime: at(50) });
    expect(state({ rate: null })).toMatch("values.rate: must not be null without effective_datetime");
  });

  it("takes declared parameters and values of their types", () => {
    expect(state({ quota: 1 }, 20)).toBe("values.quota: is no declared parameter");
    expect(state({ rate: true }, 20)).toBe("values.rate: must be a number");
    expect(state({ since: "soon" }, 20)).toMatch("values.since: must be a date");
  });
});

describe("first values", () => {
  const check = (values: Parameter.Values) =>
    Either.match(Parameter.checkFirstValues(DECLARED, values, "values"), {
      onLeft: ({ message }) => message,
      onRight: () => null,
    });

  it("are needed for each parameter without a default", () => {
    expect(check({ rate: 1 })).toBe(null);
    expect(check({ cap: 1 })).toBe("values.rate: is missing; the parameter has no default");
    expect(Parameter.firstStatements({})).toEqual([]);
    expect(Parameter.firstValues(formula([{ rate: 1 }, null], [{ cap: 2 }, 3]).parameterValues)).toEqual({
      rate: 1,
    });
  });
});

describe("declarations", () => {
  const check = (after: ReadonlyArray<object>, isUsed = true) =>
    Either.match(Parameter.checkDeclarations(DECLARED, after as typeof DECLARED, [BY_RATE], isUsed), {
      onLeft: ({ message }) => message,
      onRight: () => null,
    });

  it("keep types and defaults, and what an expression reads", () => {
    expect(check([{ name: "rate", type: "number", format: "percent" }])).toBe(null);
    expect(check([{ name: "rate", type: "string" }])).toBe("parameters.0.type: cannot be changed");
    expect(check([DECLARED[0], { name: "cap", type: "number" }])).toBe(
      "parameters.1.default: cannot be changed",
    );
    expect(check([DECLARED[1]])).toBe("parameters: must contain rate, which an expression reads");
  });

  it("are added with a default, or while nobody has the formula", () => {
    const quota = { name: "quota", type: "number" };
    expect(check([...DECLARED, { ...quota, default: 1 }])).toBe(null);
    expect(check([...DECLARED, quota])).toMatch("parameters.3.default: is needed");
    expect(check([...DECLARED, quota], false)).toBe(null);
    expect(Parameter.needsValues(DECLARED, [quota as (typeof DECLARED)[0]])).toBe(true);
    expect(Parameter.needsValues(DECLARED, [DECLARED[0]])).toBe(false);
  });
});
