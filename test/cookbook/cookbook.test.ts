import { Either } from "effect";
import {
  decode,
  type Expression,
  evaluate,
  explain,
  formatProblem,
  totalsBefore,
  type Value,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import { main as explainSale } from "../../examples/formulas/explain.ts";
import { arrivals, facts, prepare, readAccumulating, readAll } from "../../examples/formulas/Plan.ts";

type RoundingMode = Extract<Expression, { type: "round" }>["mode"];

/** Every kind of node; the type checker reports a missing or an additional one. */
const kinds: Record<Expression["type"], true> = {
  aggregate: true,
  literal: true,
  attribute: true,
  property: true,
  parameter: true,
  variable: true,
  let: true,
  add: true,
  multiply: true,
  min: true,
  max: true,
  subtract: true,
  divide: true,
  round: true,
  band: true,
  graduated: true,
  compare: true,
  and: true,
  or: true,
  not: true,
  in: true,
  text_match: true,
  case: true,
  lookup: true,
  coalesce: true,
  is_present: true,
  parse_date: true,
  date_part: true,
  date_difference: true,
};

const valueTypes: Record<Value["type"], true> = {
  number: true,
  percent: true,
  basis_points: true,
  string: true,
  boolean: true,
  date: true,
};

const windowTypes: ReadonlySet<string> = new Set(["calendar", "rolling", "lifetime", "anniversary"]);

const roundingModes: Record<RoundingMode, true> = {
  half_up: true,
  half_down: true,
  half_even: true,
  up: true,
  down: true,
  ceiling: true,
  floor: true,
};

/** Every text found under a key anywhere in a JSON value. */
const textsUnder = (key: string, input: unknown): ReadonlyArray<string> =>
  typeof input !== "object" || input === null
    ? []
    : Object.entries(input).flatMap(([name, value]) =>
        name === key && typeof value === "string" ? [value] : textsUnder(key, value),
      );

const plans = readAll();
const accumulating = readAccumulating();
const everyPlan = [...plans, ...accumulating];
const expressions = everyPlan.map(([, { expression }]) => expression);

describe.each(everyPlan)("%s", (_name, plan) => {
  it("is a well-typed formula that decodes to itself", () => {
    expect(Either.getOrElse(decode(plan.expression), formatProblem)).toEqual(plan.expression);
    expect(Either.mapLeft(prepare(plan), formatProblem)).toMatchObject({ _tag: "Right" });
  });

  it("has a summary of two to four sentences", () => {
    expect(plan.summary.match(/\.(?= |$)/g)?.length).toSatisfy((count: number) => count >= 2 && count <= 4);
  });
});

describe.each([...plans])("%s", (_name, plan) => {
  it("has at least three cases", () => {
    expect(plan.cases.length).toBeGreaterThanOrEqual(3);
  });

  it.each(plan.cases)("$properties earns $expected", (sale) => {
    const compiled = Either.getOrThrow(prepare(plan));
    expect(evaluate(compiled, facts(sale))).toEqual(Either.right(sale.expected));
    const { result, trace } = explain(compiled, facts(sale));
    expect(result).toEqual(Either.right(sale.expected));
    expect(trace[0]).toMatchObject({ path: "$", value: String(sale.expected) });
  });
});

describe.each([...accumulating])("%s", (_name, plan) => {
  it.each(plan.sequences)("$title", (sequence) => {
    const compiled = Either.getOrThrow(prepare(plan));
    for (const { step, facts: sale, history } of arrivals(sequence)) {
      const totals = totalsBefore(compiled.aggregates, history, sale);
      const place = `sale ${history.length + 1}, ${step.occurred_at}: ${step.working}`;
      expect(evaluate(compiled, sale, totals), place).toEqual(Either.right(step.expected));
      const { result, trace } = explain(compiled, sale, { history });
      expect(result, place).toEqual(Either.right(step.expected));
      expect(trace[0], place).toMatchObject({ path: "$", value: String(step.expected) });
    }
  });
});

describe("the cookbook", () => {
  it("holds at least 45 plans of one sale, and 35 that accumulate", () => {
    expect(plans.size).toBeGreaterThanOrEqual(45);
    expect(accumulating.size).toBeGreaterThanOrEqual(35);
  });

  it("uses every function and every window of an aggregate", () => {
    const functions = new Set(textsUnder("function", expressions));
    expect([...functions].sort()).toEqual(["count", "max", "min", "sum"]);
    const types = textsUnder("type", expressions);
    for (const window of windowTypes) expect(types).toContain(window);
    expect(textsUnder("unit", expressions)).toEqual(expect.arrayContaining(["month", "quarter", "year"]));
  });

  it("has cases with late arrivals and with cancelled sales", () => {
    const sequences = [...accumulating.values()].flatMap(({ sequences }) => sequences);
    const late = sequences.filter(({ steps }) =>
      steps.some((step, index) => index > 0 && step.occurred_at < (steps[index - 1]?.occurred_at ?? "")),
    );
    expect(late.length).toBeGreaterThanOrEqual(4);
    const refunds = sequences.flatMap(({ steps }) => steps).filter(({ expected }) => expected < 0);
    expect(refunds.length).toBeGreaterThanOrEqual(10);
  });

  it("uses every kind of node and of value", () => {
    const used = new Set(textsUnder("type", expressions));
    expect([...used].filter((type) => !windowTypes.has(type)).sort()).toEqual(
      [...Object.keys(kinds), ...Object.keys(valueTypes)].sort(),
    );
  });

  it("uses every rounding mode", () => {
    expect([...new Set(textsUnder("mode", expressions))].sort()).toEqual(Object.keys(roundingModes).sort());
  });

  it("pays in currencies with no, two and three decimals", () => {
    const currencies = [...plans.values()].map(({ currency }) => currency);
    expect(currencies).toEqual(expect.arrayContaining(["JPY", "EUR", "KWD", "BHD"]));
  });

  it("has cases in which a refund reduces the commission", () => {
    const refunds = [...plans.values()].flatMap(({ cases }) => cases).filter(({ expected }) => expected < 0);
    expect(refunds.length).toBeGreaterThanOrEqual(20);
  });
});

describe("the documentation", () => {
  it("explains the sale of the example", () => {
    expect(explainSale()).toContain("8.09 EUR");
  });
});
