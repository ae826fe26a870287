/** The plan builder's form and the expression that it stands for: each is the other, for every template and combination. */

import { Either } from "effect";
import * as fc from "fast-check";
import { check, compile, decode, type Expression, parse, print } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { amountOf, evaluateAll } from "../../adapters/console/builder/Evaluation.ts";
import type {
  Condition,
  FormContext,
  Measure,
  Part,
  Period,
  Rate,
  Scale,
  Span,
  Step,
} from "../../adapters/console/builder/Form.ts";
import { formOf, unitsIn } from "../../adapters/console/builder/FromExpression.ts";
import { inForce } from "../../adapters/console/builder/Parameters.ts";
import { expressionOf } from "../../adapters/console/builder/ToExpression.ts";
import { decimalsOf } from "../../adapters/console/format/Money.ts";
import { readNumber, writeNumber } from "../../adapters/console/format/Numbers.ts";
import { ORDER, PLANS } from "../../adapters/server/demo/Company.ts";
import { type AccumulatingPlan, type Plan, readAccumulating, readAll } from "../../examples/formulas/Plan.ts";

const context = (decimals: number): FormContext => ({
  decimals,
  parameters: [
    { name: "rate", type: "number", format: "percent" },
    { name: "fee", type: "number", format: "money_minor", default: 500 },
    { name: "euros", type: "number", format: "money_major" },
    { name: "goal", type: "number", format: "count" },
    { name: "joined_on", type: "date" },
  ],
  properties: [
    { name: "cents", type: "number", required: true, format: "money_minor" },
    { name: "order total", type: "number", required: false, format: "money_major" },
    { name: "quantity", type: "number", required: true, format: "count" },
    { name: "weight", type: "number", required: false },
    { name: "category", type: "string", required: false, default: "other" },
    { name: "country", type: "string", required: false },
    { name: "first", type: "boolean", required: true },
    { name: "returned", type: "boolean", required: false },
  ],
});

const EURO = context(2);

/** A number of `decimals` decimals as the form writes it. */
const written = (decimals: number, shift: number, money: number, min = 1): fc.Arbitrary<string> =>
  fc.integer({ min, max: 10 ** 9 }).map((value) => writeNumber(value / 10 ** decimals, shift, money));

const percent = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 100_000 }).map((value) => writeNumber(value / 1000)) },
  { weight: 1, arbitrary: fc.constant("plan.rate") },
);
const word = fc.stringMatching(/^[a-z]([a-z0-9 -]{0,6}[a-z0-9])?$/);
/** A span, and the property for each of whose values there is a total; most plans have none. */
const counted = <Of extends Span | "sale">(...periods: ReadonlyArray<Of>) =>
  fc
    .tuple(
      fc.constantFrom(...periods),
      fc.oneof({ weight: 3, arbitrary: fc.constant("") }, fc.constantFrom("category", "first")),
    )
    .map(([period, by]) => ({ period, ...(by === "" || period === "sale" ? {} : { by }) }));
const PERIODS: ReadonlyArray<Period> = ["month", "quarter", "year", "since joined_on"];
const SPANS: ReadonlyArray<Span> = [...PERIODS, "ever", "last 30", "last 3660"];

const formsIn = ({ decimals }: FormContext) => {
  const typed = written(0, decimals, decimals);
  const amount = fc.oneof(
    { weight: 4, arbitrary: typed },
    { weight: 1, arbitrary: fc.constantFrom("plan.fee", "plan.euros") },
  );
  const limitOf = (property: string): fc.Arbitrary<string> =>
    property === "cents" ? typed : written(2, 0, property === "order total" ? decimals : 0);
  const named: Readonly<Record<string, ReadonlyArray<string>>> = {
    cents: ["plan.fee", "plan.euros"],
    "order total": ["plan.euros", "plan.fee"],
  };
  /** A threshold, which unlike the limit of a tier may be a parameter. */
  const thresholdOf = (property: string): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 4, arbitrary: limitOf(property) },
      { weight: 1, arbitrary: fc.constantFrom(...(named[property] ?? ["plan.goal"])) },
    );
  const base = fc.constantFrom("cents", "order total");
  const measure: fc.Arbitrary<readonly [Measure, string]> = fc.oneof(
    fc
      .tuple(fc.constantFrom("cents", "order total", "quantity"), counted(...SPANS))
      .map(([base, span]) => [{ type: "value", base, ...span }, base] as const),
    counted(...SPANS).map((span) => [{ type: "count", ...span }, "quantity"] as const),
  );
  const steps = (property: string): fc.Arbitrary<ReadonlyArray<Step>> =>
    fc
      .tuple(
        fc.uniqueArray(limitOf(property), { maxLength: 3 }),
        fc.array(percent, { minLength: 4, maxLength: 4 }),
      )
      .map(([limits, percents]) =>
        [...limits.toSorted((a, b) => Number(a) - Number(b)), ""].map((upTo, index) => ({
          upTo,
          percent: percents[index] ?? "1",
        })),
      );
  const scale = (property: string): fc.Arbitrary<Scale> =>
    fc
      .tuple(steps(property), fc.constantFrom({}, { isBelow: true }))
      .map(([list, which]) => ({ steps: list, ...which }));
  const single: fc.Arbitrary<Condition> = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("category", "country"),
        fc.constantFrom("is", "is_not"),
        fc.array(word, { minLength: 1, maxLength: 3 }),
      )
      .map(([property, operator, values]) => ({
        type: "text",
        property,
        operator,
        values: values.join(", "),
      })),
    fc
      .tuple(
        fc.constantFrom("category", "country"),
        fc.constantFrom("starts_with", "ends_with", "contains"),
        word,
      )
      .map(([property, operator, values]) => ({ type: "text", property, operator, values })),
    fc.constantFrom("cents", "order total", "quantity", "weight").chain((property) =>
      fc.record({
        type: fc.constant("number"),
        property: fc.constant(property),
        operator: fc.constantFrom("at_least", "more_than", "at_most", "less_than", "equal"),
        value: thresholdOf(property),
      }),
    ),
    fc.record({
      type: fc.constant("flag"),
      property: fc.constantFrom("first", "returned"),
      isTrue: fc.boolean(),
    }),
    fc.record({
      type: fc.constant("date"),
      operator: fc.constantFrom("from", "before"),
      day: fc.constantFrom("2026-01-31", "2024-02-29"),
    }),
    fc.record({
      type: fc.constant("first"),
      sales: fc.integer({ min: 1, max: 99 }).map(String),
      period: fc.constantFrom(...SPANS),
      by: fc.constantFrom("", "category", "first"),
    }),
    fc.record({
      type: fc.constant("season"),
      part: fc.constantFrom("month", "quarter", "day_of_week"),
      values: fc
        .array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 })
        .map((list) => list.join(", ")),
    }),
    fc.record({
      type: fc.constant("elapsed"),
      from: fc.constantFrom("category", "country", "plan.joined_on"),
      unit: fc.constantFrom("days", "months", "years"),
      operator: fc.constantFrom("at_least", "more_than", "at_most", "less_than", "equal"),
      value: fc.integer({ min: 0, max: 99 }).map(String),
    }),
  ) as fc.Arbitrary<Condition>;
  const condition: fc.Arbitrary<Condition> = fc.oneof(
    { weight: 4, arbitrary: single },
    {
      weight: 1,
      arbitrary: fc
        .array(single, { minLength: 2, maxLength: 3 })
        .map((of): Condition => ({ type: "any", of })),
    },
  );
  const when = fc.array(condition, { minLength: 1, maxLength: 3 });
  const rate = (property: string): fc.Arbitrary<Rate> =>
    fc.oneof(
      percent.map((value): Rate => ({ type: "fixed", percent: value })),
      fc.record({
        type: fc.constant("category" as const),
        property: fc.constantFrom("category", "country"),
        rows: fc.uniqueArray(fc.record({ value: word, percent }), {
          minLength: 1,
          maxLength: 3,
          selector: ({ value }) => value,
        }),
        otherwise: percent,
      }),
      fc.record({
        type: fc.constant("condition" as const),
        rows: fc.array(fc.record({ when, percent }), { minLength: 1, maxLength: 3 }),
        otherwise: percent,
      }),
      scale(property).map((scale): Rate => ({ type: "level", of: "sale", ...scale })),
      fc
        .tuple(measure, fc.constantFrom({}, { isBefore: true }))
        .chain(([[of, property], when]) =>
          scale(property).map((scale): Rate => ({ type: "level", of, ...when, ...scale })),
        ),
    );
  const simple: fc.Arbitrary<Part> = fc.oneof(
    fc.constant<Part>({ type: "nothing" }),
    amount.map((value): Part => ({ type: "fixed", amount: value })),
    fc.record({
      type: fc.constant("unit" as const),
      property: fc.constantFrom("quantity", "weight"),
      amount,
    }),
    base.chain((name) => rate(name).map((value): Part => ({ type: "share", base: name, rate: value }))),
    fc
      .tuple(base, counted("sale", "ever", ...PERIODS))
      .chain(([name, span]) =>
        steps(name).map((list): Part => ({ type: "tiers", base: name, ...span, steps: list })),
      ),
    fc
      .tuple(base, counted(...PERIODS))
      .chain(([name, span]) =>
        scale(name).map((scale): Part => ({ type: "whole", base: name, ...span, ...scale })),
      ),
    base.chain((name) =>
      fc.tuple(counted(...PERIODS), thresholdOf(name), percent, percent).map(
        ([span, quota, below, above]): Part => ({
          type: "quota",
          base: name,
          ...span,
          quota,
          below,
          above,
        }),
      ),
    ),
    measure.chain(([of, property]) =>
      fc.record({
        type: fc.constant("bonus" as const),
        of: fc.constant(of),
        threshold: thresholdOf(property),
        amount,
      }),
    ),
  );
  const looksBack = (part: Part): boolean => /"period":"(?!sale)/.test(JSON.stringify(part));
  const isFloor = (part: Part): boolean =>
    part.type === "limit" && part.period === "sale" && part.most === "";
  return fc.letrec<{ part: Part }>((tie) => ({
    part: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      simple,
      fc
        .tuple(tie("part"), amount, amount, fc.constantFrom("least", "most", "both"))
        .map(
          ([of, least, most, which]): Part => ({
            ...{ type: "limit", of, period: "sale" },
            least: which === "most" ? "" : least,
            // An upper limit around a lower one is one limit with both.
            most: which === "least" || (which === "most" && isFloor(of)) ? "" : most,
          }),
        )
        .filter((part) => part.type === "limit" && part.least + part.most !== ""),
      fc
        .tuple(tie("part"), amount, counted(...PERIODS))
        .filter(([of]) => !looksBack(of) && !JSON.stringify(of).includes("plan."))
        .map(([of, most, span]): Part => ({ type: "limit", of, ...span, least: "", most })),
      fc.array(tie("part"), { minLength: 2, maxLength: 3 }).map((parts): Part => ({ type: "sum", parts })),
      fc.record({
        type: fc.constant("cases" as const),
        rows: fc.array(fc.record({ when, pays: tie("part") }), { minLength: 1, maxLength: 2 }),
        otherwise: tie("part"),
      }),
      fc.record({
        type: fc.constant("products" as const),
        property: fc.constantFrom("category", "country"),
        rows: fc.uniqueArray(fc.record({ value: word, pays: tie("part") }), {
          minLength: 1,
          maxLength: 2,
          selector: ({ value }) => value,
        }),
        otherwise: tie("part"),
      }),
    ) as fc.Arbitrary<Part>,
  })).part;
};

const expressed = (form: Part, within: FormContext = EURO): Expression => {
  const found = expressionOf(form, within);
  if ("problems" in found) throw new Error(JSON.stringify(found.problems));
  return found.expression;
};

describe("the form of an expression that was made from a form", () => {
  it.each([2, 0, 3])("is that form, with %i decimals", (decimals) => {
    const within = context(decimals);
    fc.assert(
      fc.property(formsIn(within), (form) => {
        const expression = expressed(form, within);
        const checked = check(expression, within.properties, within.parameters);
        // A formula has a limited number of totals, and a limited size.
        fc.pre(checked._tag === "Right" || !/more than|at most|bits/.test(checked.left.message));
        expect(checked._tag === "Right" ? "" : checked.left.message).toBe("");
        expect(formOf(expression, within)).toEqual(form);
      }),
      { numRuns: 600 },
    );
  });

  it("is that form when the expression was read from its text", () => {
    fc.assert(
      fc.property(formsIn(EURO), (form) => {
        const names = ({ name }: { readonly name: string }): string => name;
        const read = parse(print(expressed(form)), {
          properties: EURO.properties.map(names),
          parameters: (EURO.parameters ?? []).map(names),
        });
        expect(read._tag === "Right" && formOf(read.right, EURO)).toEqual(form);
      }),
      { numRuns: 300 },
    );
  });

  it("pays the same where the schema declares no unit, under the unit that is found", () => {
    const plain = EURO.properties.map(({ format: _, ...property }) => property);
    fc.assert(
      fc.property(formsIn(EURO), (form) => {
        const expression = expressed(form);
        const found = unitsIn(expression, { ...EURO, properties: plain });
        if (found === null) throw new Error("no unit is found");
        const again = formOf(expression, found);
        expect(again === null ? null : print(expressed(again, found))).toBe(print(expression));
      }),
      { numRuns: 300 },
    );
  });
});

/** Every template as people fill it in, and the text that it stands for. */
const TEMPLATES: ReadonlyArray<readonly [name: string, form: Part, text: string]> = [
  ["percentage", { type: "share", base: "cents", rate: { type: "fixed", percent: "7.5" } }, "cents * 7.5 %"],
  [
    "percentage of whole euros",
    { type: "share", base: "order total", rate: { type: "fixed", percent: "10" } },
    "([order total] ?? 0) * 10 % * 100",
  ],
  ["amount per unit", { type: "unit", property: "quantity", amount: "2.50" }, "quantity * 250"],
  ["fixed amount", { type: "fixed", amount: "60" }, "6000"],
  [
    "tiers of one sale",
    {
      ...{ type: "tiers", base: "cents", period: "sale" },
      steps: [
        { upTo: "1000", percent: "5" },
        { upTo: "", percent: "7" },
      ],
    },
    "tiers(cents) { up to 100000: 5 %; else: 7 % }",
  ],
  [
    "tiers of a month",
    {
      ...{ type: "tiers", base: "cents", period: "month" },
      steps: [
        { upTo: "1000", percent: "5" },
        { upTo: "", percent: "7" },
      ],
    },
    "tiers(cents, after sum of cents earlier this month) { up to 100000: 5 %; else: 7 % }",
  ],
  [
    "rate by category",
    {
      ...{ type: "share", base: "cents" },
      rate: {
        ...{ type: "category", property: "category", otherwise: "3" },
        rows: [{ value: "books", percent: "5" }],
      },
    },
    'cents * choose category { "books": 5 %; else: 3 % }',
  ],
  [
    "quota with accelerator",
    { type: "quota", base: "cents", period: "quarter", quota: "50000", below: "10", above: "15" },
    `before = sum of cents earlier this quarter
over   = max(before + cents - 5000000, 0) - max(before - 5000000, 0)
(cents - over) * 10 % + over * 15 %`,
  ],
  [
    "cap and floor",
    {
      ...{ type: "limit", period: "sale", least: "5", most: "400" },
      of: { type: "share", base: "cents", rate: { type: "fixed", percent: "4" } },
    },
    "min(max(cents * 4 %, 500), 40000)",
  ],
  [
    "bonus at a threshold",
    { type: "bonus", of: { type: "count", period: "month" }, threshold: "10", amount: "500" },
    `before = count earlier this month
(if before + 1 >= 10 then 50000 else 0) - (if before >= 10 then 50000 else 0)`,
  ],
  [
    "first sales",
    {
      ...{ type: "cases", otherwise: { type: "nothing" } },
      rows: [
        {
          when: [{ type: "first", sales: "3", period: "ever", by: "category" }],
          pays: { type: "fixed", amount: "20" },
        },
      ],
    },
    "if (count earlier ever by category) < 3 then 2000 else 0",
  ],
];

describe("a template", () => {
  it.each(TEMPLATES)("%s is the text that a person would write", (_, form, text) => {
    expect(print(expressed(form))).toBe(text);
  });
});

describe("the form of an expression that somebody wrote", () => {
  const read = (text: string): Part | null => {
    const parsed = parse(text);
    return parsed._tag === "Right" ? formOf(parsed.right, EURO) : null;
  };

  it("does not depend on the order of factors, or on the unit of a rate", () => {
    const ten = { type: "share", base: "order total", rate: { type: "fixed", percent: "10" } };
    expect(read("100 * 10 % * ([order total] ?? 0)")).toEqual(ten);
    expect(read("1000 bp * ([order total] ?? 0) * 100")).toEqual(ten);
  });

  it.each([
    ["a hundredth of what whole euros would pay", "([order total] ?? 0) * 10 %"],
    ["a hundred times what cents would pay", "cents * 10 % * 100"],
    ["another total", "tiers(cents, after sum of quantity earlier this month) { else: 7 % }"],
    [
      "a bonus that is not taken back",
      "before = count earlier this month\nif before + 1 >= 10 then 50000 else 0",
    ],
    ["another rate beyond than it says", "cents * (10 % - 5 %)"],
    ["text with a comma, which the list would read as two", 'if country = "a, b" then 100 else 0'],
  ])("is none for %s", (_, text) => {
    expect(read(text)).toBeNull();
  });
});

/** Plans of the cookbook that the form shows, of all of them. Fewer would be a step back; say the new number in the changeset. */
const COOKBOOK_SHOWN = 37;

/** The sales of a plan's examples, those of sequences in their order. */
const salesOf = (
  plan: Plan | AccumulatingPlan,
): ReadonlyArray<{ readonly properties: object; readonly date: string }> =>
  "cases" in plan
    ? plan.cases.map(({ properties, created_at: date = "2026-01-15" }) => ({ properties, date }))
    : plan.sequences.flatMap(({ steps }) =>
        steps.map(({ properties, occurred_at: date }) => ({ properties, date })),
      );

/** The values of the partner in a plan's first example. */
const valuesOf = (plan: Plan | AccumulatingPlan) =>
  ("cases" in plan ? plan.cases[0] : plan.sequences[0]).parameters ?? {};

describe("the plans of the cookbook", () => {
  const plans = [...readAll().values(), ...readAccumulating().values()];
  const shown = plans.flatMap((plan) => {
    const expression = Either.getOrThrow(decode(plan.expression));
    const { properties } = plan.schema;
    const { currency, parameters = [] } = plan;
    const found = unitsIn(expression, { properties, parameters, decimals: decimalsOf(currency) });
    const form = found === null ? null : formOf(expression, found);
    return found === null || form === null ? [] : [{ plan, expression, written: expressed(form, found) }];
  });

  it(`are shown by the form in ${COOKBOOK_SHOWN} cases of ${plans.length}`, () => {
    expect(shown.length).toBe(COOKBOOK_SHOWN);
  });

  it.each(shown.map((item) => [item.plan.title, item] as const))(
    "%s pays for its samples what the form pays",
    (_, { plan, expression, written: other }) => {
      const [amounts, others] = [expression, other].map((item) => {
        const compiled = compile(Either.getOrThrow(check(item, plan.schema.properties, plan.parameters)));
        const samples = salesOf(plan).map(({ properties, date }) => ({
          date,
          values: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [name, String(value)]),
          ),
        }));
        const basis = { properties: plan.schema.properties, tried: inForce(valuesOf(plan)), sellersIn: null };
        return evaluateAll(compiled, samples, basis).map((outcome) => amountOf(outcome));
      });
      expect(others).toEqual(amounts);
      expect(amounts?.some((amount) => amount !== null)).toBe(true);
    },
  );
});

describe("a plan of the example company", () => {
  it.each(PLANS.map((plan) => [plan.name, plan.expression] as const))(
    "%s is shown by the form",
    (_, expression) => {
      expect(
        formOf(expression as Expression, {
          properties: ORDER.properties as FormContext["properties"],
          decimals: 2,
        }),
      ).not.toBeNull();
    },
  );
});

describe("a typed number", () => {
  it.each([
    ["12.5", 0, 12.5],
    ["12,5", 0, 12.5],
    ["0.29", 2, 29],
    ["1234567.891", 3, 1234567891],
    ["0.005", 2, 0.5],
    [" 7 ", 0, 7],
    ["-0", 0, 0],
  ])("%j times 10^%i is %d", (text, shift, value) => {
    expect(readNumber(text, shift)).toBe(value);
  });

  it.each(["", "1,000", "1.000.000", "ten", "1e3", "12345678901234567", "5 %"])(
    "%j is refused with a reason",
    (text) => {
      expect(readNumber(text, 0)).toHaveProperty("problem");
    },
  );
});

describe("what is missing in a form", () => {
  it("is named with the field", () => {
    const form: Part = {
      type: "sum",
      parts: [
        { type: "share", base: "weight", rate: { type: "fixed", percent: "x" } },
        {
          type: "tiers",
          base: "cents",
          period: "month",
          steps: [
            { upTo: "5", percent: "1" },
            { upTo: "5", percent: "1" },
            { upTo: "", percent: "" },
          ],
        },
      ],
    };
    const other: Part = {
      type: "sum",
      parts: [
        { type: "fixed", amount: "plan.rate" },
        { type: "share", base: "cents", rate: { type: "fixed", percent: "plan.fee" } },
        { type: "fixed", amount: "plan.unknown" },
      ],
    };
    expect(expressionOf(other, EURO)).toEqual({
      problems: [
        { path: "$.parts.0.amount", message: "must be declared as money" },
        { path: "$.parts.1.rate.percent", message: "must be declared as a percentage" },
        { path: "$.parts.2.amount", message: "is no value of the partners" },
      ],
    });
    expect(expressionOf(form, EURO)).toEqual({
      problems: [
        { path: "$.parts.0.base", message: "needs a unit: cents or whole units" },
        { path: "$.parts.0.rate.percent", message: "must be a number, such as 12.5" },
        { path: "$.parts.1.steps.1.upTo", message: "must be more than the limit before" },
        { path: "$.parts.1.steps.2.percent", message: "is missing" },
      ],
    });
  });
});
