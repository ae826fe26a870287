import { Either } from "effect";
import { compile, type Expression, evaluate, FactsMismatch, type PropertyValue } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { toAmount } from "../../src/formula/Compile.ts";
import * as Reference from "../../src/formula/Reference.ts";
import {
  add,
  basisPoints,
  checked,
  coalesce,
  date,
  divide,
  factsWith,
  multiply,
  number,
  oneIf,
  percent,
  property,
  subtract,
  text,
  truth,
  variable,
  when,
} from "./language.ts";

type Given = Readonly<Record<string, PropertyValue>>;

const shown = Either.match({
  onLeft: ({ code }: { readonly code: string }): number | string => code,
  onRight: (amount: number): number | string => amount,
});

/**
 * Which path computes the amount once the formula has been compiled for the decimals of its properties. Both paths must
 * return the same amount.
 */
const pathOf = (expression: Expression, given: Given): "fast" | "reference" => {
  const formula = checked(expression);
  const compiled = compile(formula);
  const facts = factsWith(given);
  const expected = shown(toAmount(Reference.evaluate(formula, facts)));
  // Each property that needs more decimals costs one evaluation on the reference path.
  for (let turn = 0; turn < 5; turn++) expect(shown(evaluate(compiled, facts))).toBe(expected);
  return compiled.fast.program.frame.exact ? "fast" : "reference";
};

const upTo = (value: number) => ({ type: "number", value }) as const;
const amount = property("amount");
const quantity = property("quantity");
const createdAt: Expression = { type: "attribute", name: "created_at" };
const agent: Expression = { type: "attribute", name: "agent_id" };
/** A quotient that depends on the facts, so that its denominator is known only at evaluation. */
const ratio = coalesce(divide(amount, quantity), number(0));
const since = coalesce({ type: "parse_date", operand: property("since") }, createdAt);
const compare = (operator: string, left: Expression, right: Expression): Expression =>
  ({ type: "compare", operator, left, right }) as Expression;
const let_ = (value: Expression, body: Expression): Expression => ({
  type: "let",
  bindings: [{ name: "x", value }],
  body,
});
const band = (input: Expression, ...values: readonly [Expression, Expression]): Expression => ({
  type: "band",
  input,
  bands: [{ up_to: upTo(10), value: values[0] }, { value: values[1] }],
});
const graduated = (parts: Partial<Extract<Expression, { type: "graduated" }>>): Expression => ({
  type: "graduated",
  amount,
  tiers: [{ up_to: upTo(100), rate: percent(5), flat: number(3) }, { rate: percent(8) }],
  ...parts,
});

describe("the fast path computes", () => {
  const formulas: Readonly<Record<string, Expression>> = {
    "a sum": add(amount, quantity),
    "a sum with a literal": add(amount, number(2.5), number(1)),
    "a difference": subtract(amount, quantity),
    "a product": multiply(amount, quantity),
    "a product with literals": multiply(amount, percent(7.5), number(100)),
    "a quotient by a literal": divide(amount, number(3)),
    "a sum with a quotient by a literal": add(divide(amount, number(3)), number(1)),
    "a difference of sums": subtract(add(amount, number(1)), add(quantity, number(2))),
    "a quotient by a property": ratio,
    "a quotient of quotients": coalesce(divide(ratio, add(quantity, number(1))), number(0)),
    "a quotient by a quotient": coalesce(divide(amount, ratio), number(0)),
    "a quotient divided by a literal": divide(ratio, number(7)),
    "a product of quotients": multiply(ratio, ratio),
    "a product of a quotient and a literal": multiply(ratio, percent(20)),
    "the least number": { type: "min", operands: [amount, quantity, number(5)] },
    "the greatest number": { type: "max", operands: [amount, quantity, number(5)] },
    "the least of a quotient and a number": { type: "min", operands: [ratio, number(5)] },
    "the greatest of a number and a quotient": { type: "max", operands: [quantity, ratio] },
    "a rounding": { type: "round", operand: amount, mode: "half_even", increment: upTo(0.05) },
    "a rounding of a quotient": { type: "round", operand: ratio, mode: "half_up", increment: upTo(0.05) },
    "a band of literals": band(amount, number(1), percent(2)),
    "a band of properties": band(amount, quantity, number(2)),
    "a band by a quotient": band(ratio, number(1), percent(2)),
    "a band of quotients": band(amount, ratio, divide(quantity, number(2))),
    "tiers with literal rates": graduated({}),
    "tiers with literal rates and an offset": graduated({ offset: quantity }),
    "tiers with rates from properties": graduated({
      offset: quantity,
      tiers: [
        { up_to: upTo(100), rate: coalesce(property("discount"), number(2)), flat: quantity },
        { rate: percent(8), flat: number(2) },
      ],
    }),
    "tiers with rates from properties, multiplied": multiply(
      graduated({ tiers: [{ rate: coalesce(property("discount"), number(2)), flat: quantity }] }),
      number(7),
    ),
    "tiers with literal rates, multiplied": multiply(graduated({}), number(-7)),
    "a number compared with a literal": oneIf(compare("less_than", amount, number(20.005))),
    "a number compared with a number": oneIf(compare("greater_than_or_equal", amount, quantity)),
    "a quotient compared with a number": oneIf(compare("not_equal", ratio, quantity)),
    "a date compared with a literal": oneIf(compare("less_than", createdAt, date("2026-02-01"))),
    "a date compared with a date": oneIf(compare("greater_than", createdAt, since)),
    "texts compared": oneIf(compare("equal", property("region"), property("plan"))),
    "truths compared": oneIf(compare("not_equal", property("renewal"), property("online"))),
    "conditions combined": oneIf({
      type: "and",
      operands: [{ type: "or", operands: [property("renewal"), truth(true)] }, property("online")],
    }),
    "a condition negated": oneIf({ type: "not", operand: property("renewal") }),
    "a text in a list": oneIf({
      type: "in",
      operand: property("region"),
      values: [{ type: "string", value: "EU" }],
    }),
    "a number in a list": oneIf({ type: "in", operand: amount, values: [upTo(24.5)] }),
    "a text matched": oneIf({
      type: "text_match",
      operator: "contains",
      operand: property("region"),
      text: "E",
    }),
    "a choice of literals": {
      type: "case",
      branches: [when(property("renewal"), number(1))],
      else: percent(50),
    },
    "a choice of numbers": { type: "case", branches: [when(property("renewal"), amount)], else: quantity },
    "a lookup by text": {
      type: "lookup",
      key: property("region"),
      entries: [{ key: { type: "string", value: "EU" }, value: amount }],
      default: number(0),
    },
    "a lookup by number": {
      type: "lookup",
      key: amount,
      entries: [{ key: upTo(24.5), value: number(7) }],
      default: number(0),
    },
    "a lookup by date": {
      type: "lookup",
      key: createdAt,
      entries: [{ key: { type: "date", value: "2026-01-31T10:30:00Z" }, value: number(7) }],
      default: number(0),
    },
    "a replaced number": coalesce(property("discount"), amount),
    "a replaced quotient": coalesce(divide(amount, quantity), divide(quantity, amount), number(1)),
    "a replaced text": oneIf(compare("equal", coalesce(property("campaign"), text("none")), text("none"))),
    "a replaced truth": oneIf(coalesce(property("trial"), truth(true))),
    "a replaced attribute": oneIf(compare("equal", coalesce(agent, text("house")), text("house"))),
    "whether a number is present": oneIf({ type: "is_present", operand: property("discount") }),
    "whether a quotient is present": oneIf({ type: "is_present", operand: divide(amount, quantity) }),
    "whether a date is present": oneIf({
      type: "is_present",
      operand: { type: "parse_date", operand: property("since") },
    }),
    "whether a text is present": oneIf({ type: "is_present", operand: property("campaign") }),
    "whether a truth is present": oneIf({ type: "is_present", operand: property("trial") }),
    "a part of a date": { type: "date_part", part: "day", operand: since },
    "a difference of dates": { type: "date_difference", unit: "months", from: since, to: createdAt },
    "a named number": let_(add(amount, number(1)), multiply(variable("x"), number(3), variable("x"))),
    "a named literal": let_(percent(5), multiply(variable("x"), amount)),
    "a named quotient": multiply(let_(ratio, multiply(variable("x"), variable("x"))), number(2)),
    "a named date": {
      type: "date_part",
      part: "year",
      operand: let_(since, variable("x")),
    },
    "a named text": oneIf(compare("equal", let_(property("region"), variable("x")), text("EU"))),
    "a named truth": oneIf(let_(property("online"), variable("x"))),
    "a sum of a property named twice": add(multiply(amount, number(3)), amount),
  };
  for (const [name, expression] of Object.entries(formulas))
    it(name, () => {
      for (const given of [
        { amount: 24.5, quantity: 7 },
        { amount: -250.01, quantity: 2, rate: 0.2, renewal: true, since: "no date" },
        { amount: 0, quantity: 0, campaign: "spring", trial: false, discount: 3, region: "US" },
      ] satisfies ReadonlyArray<Given>)
        expect(pathOf(expression, given), JSON.stringify(given)).toBe("fast");
    });

  it("properties with up to nine decimals", () => {
    expect(pathOf(multiply(amount, number(1e9)), { amount: 0.123456789 })).toBe("fast");
    expect(pathOf(multiply(amount, number(1e9)), { amount: 0.1234567891 })).toBe("reference");
  });

  it("defaults with as many decimals as the property is compiled for", () => {
    expect(pathOf(multiply(property("rate"), number(1000)), {})).toBe("reference");
    expect(pathOf(multiply(property("rate"), number(1000)), { rate: 0.125 })).toBe("fast");
  });

  it("without the reference interpreter while every number is exact", () => {
    const compiled = compile(checked(amount));
    const poisoned = { ...compiled, checked: { ...compiled.checked, expression: text("not a number") } };
    expect(evaluate(poisoned, factsWith({ amount: 7.5 }))).toEqual(Either.right(8));
    expect(() => evaluate(poisoned, factsWith({ amount: 1e13 }))).toThrow(FactsMismatch);
  });

  it("a property without compiling again if more decimals would not help", () => {
    const compiled = compile(checked(amount));
    const { program } = compiled.fast;
    evaluate(compiled, factsWith({ amount: 900_719_925_474_099.1 }));
    evaluate(compiled, factsWith({ amount: 0.1234567891 }));
    evaluate(compiled, factsWith({ amount: 12.34 }));
    expect(compiled.fast.program).toBe(program);
    evaluate(compiled, factsWith({ amount: 12.345 }));
    expect(compiled.fast.program).not.toBe(program);
    expect(compiled.fast.decimals).toEqual(new Map([["amount", 3]]));
    const { program: wider } = compiled.fast;
    evaluate(compiled, factsWith({ amount: 450_719_925_474_099.3 }));
    expect(compiled.fast.program).toBe(wider);
  });

  it("properties of up to 15 digits", () => {
    expect(pathOf(amount, { amount: 9_999_999_999_999.99 })).toBe("fast");
    expect(pathOf(amount, { amount: -9_999_999_999_999.99 })).toBe("fast");
    expect(pathOf(amount, { amount: 1e13 })).toBe("reference");
    expect(pathOf(amount, { amount: -1e13 })).toBe("reference");
  });

  it("a property used several times with one read, and a property used once where it stands", () => {
    const reads = (expression: Expression): number =>
      compile(checked(expression)).fast.program.prepare.length;
    expect(reads(add(amount, quantity, property("rate")))).toBe(0);
    expect(reads(add(amount, quantity, amount))).toBe(1);
    expect(reads(add(amount, quantity, multiply(amount, quantity), amount))).toBe(2);
    expect(reads(oneIf(compare("equal", property("region"), property("region"))))).toBe(0);
  });
});

/** Each pair of facts lies just inside and just outside the range in which doubles are exact: ±(2^53 - 1). */
describe("the fast path leaves to the reference interpreter", () => {
  const guards: Readonly<Record<string, readonly [Expression, Given, Given]>> = {
    "a sum beyond 2^53": [
      add(multiply(amount, number(500)), multiply(quantity, number(500))),
      { amount: 9e12, quantity: 9e12 },
      { amount: 9.5e12, quantity: 9.5e12 },
    ],
    "a negative sum beyond 2^53": [
      add(multiply(amount, number(500)), multiply(quantity, number(500))),
      { amount: -9e12, quantity: -9e12 },
      { amount: -9.5e12, quantity: -9.5e12 },
    ],
    "a product beyond 2^53": [
      multiply(amount, quantity),
      { amount: 900_000, quantity: 900_000 },
      { amount: 1_000_000, quantity: 1_000_000 },
    ],
    "a property times a literal beyond 2^53": [
      multiply(amount, number(1_000)),
      { amount: 9e12 },
      { amount: 9.1e12 },
    ],
    "a property named twice, times a literal": [
      add(multiply(amount, number(1_000)), multiply(amount, number(-500))),
      { amount: 9e12 },
      { amount: 9.1e12 },
    ],
    "a rounded number times a literal": [
      multiply({ type: "round", operand: amount, mode: "up" }, number(1_000)),
      { amount: 9e12 },
      { amount: 9.1e12 },
    ],
    "a quotient": [
      multiply(ratio, number(1e6)),
      { amount: 90_000_000, quantity: 7 },
      { amount: 91_000_000, quantity: 7 },
    ],
    "a quotient compared with a number": [
      oneIf(compare("less_than", ratio, number(100))),
      { amount: 9e11, quantity: 8e11 },
      { amount: 9e11, quantity: 9.1e11 },
    ],
    "a band by a quotient": [
      band(ratio, number(1), number(2)),
      { amount: 9e11, quantity: 9e12 },
      { amount: 9e11, quantity: 9.1e12 },
    ],
    "the least of a quotient and a number": [
      { type: "min", operands: [ratio, number(100)] },
      { amount: 9e11, quantity: 8e11 },
      { amount: 9e11, quantity: 9.1e11 },
    ],
    "tiers with literal rates": [
      graduated({ tiers: [{ rate: number(11) }] }),
      { amount: 8e12 },
      { amount: 9e12 },
    ],
    "a negative amount in tiers with literal rates": [
      graduated({ tiers: [{ rate: number(11) }] }),
      { amount: -8e12 },
      { amount: -9e12 },
    ],
    "a tier with its flat, both literals": [
      graduated({ tiers: [{ rate: number(11), flat: number(1e13) }] }),
      { amount: 7e12 },
      { amount: 8e12 },
    ],
    "tiers with literal rates, multiplied": [
      multiply(graduated({ tiers: [{ rate: number(11) }] }), number(7)),
      { amount: 1e12 },
      { amount: 2e12 },
    ],
    "a total of tiers with an offset": [
      graduated({
        amount: add(amount, quantity),
        offset: multiply(quantity, number(-1)),
        tiers: [{ rate: number(9) }],
      }),
      { amount: 4e12, quantity: 4e12 },
      { amount: 9e12, quantity: 9e12 },
    ],
    "an amount with its offset, in tiers with literal rates": [
      graduated({
        amount: multiply(amount, number(500)),
        offset: multiply(quantity, number(500)),
        tiers: [{ up_to: upTo(1), rate: number(1) }, { rate: percent(0) }],
      }),
      { amount: 9e12, quantity: 9e12 },
      { amount: 9.5e12, quantity: 9.5e12 },
    ],
    "an amount with its offset, in tiers with rates from properties": [
      graduated({
        amount: multiply(amount, number(500)),
        offset: multiply(quantity, number(500)),
        tiers: [{ up_to: upTo(1), rate: property("rate") }, { rate: percent(0) }],
      }),
      { amount: 9e12, quantity: 9e12, rate: 1 },
      { amount: 9.5e12, quantity: 9.5e12, rate: 1 },
    ],
    "a flat from a property": [
      graduated({
        offset: number(-1),
        tiers: [{ rate: property("rate"), flat: quantity }],
      }),
      { amount: 2, quantity: 4e11, rate: 1 },
      { amount: 2, quantity: 5e11, rate: 1 },
    ],
    "a tier with its flat": [
      graduated({ tiers: [{ rate: property("rate"), flat: quantity }] }),
      { amount: 4e11, quantity: 4e11, rate: 1 },
      { amount: 5e11, quantity: 5e11, rate: 1 },
    ],
    "the total of two tiers with rates from properties": [
      graduated({ tiers: [{ up_to: upTo(5e11), rate: property("rate") }, { rate: property("rate") }] }),
      { amount: 8e11, rate: 1 },
      { amount: 1e12, rate: 1 },
    ],
    "a literal chosen and multiplied": [
      multiply(
        { type: "case", branches: [when(property("renewal"), number(1e15))], else: number(1) },
        number(100),
      ),
      { renewal: false },
      { renewal: true },
    ],
    "tiers with rates from properties": [
      graduated({ tiers: [{ rate: property("rate") }] }),
      { amount: 9e12, rate: 0.09 },
      { amount: 9e12, rate: 0.11 },
    ],
  };
  for (const [name, [expression, inside, outside]] of Object.entries(guards))
    it(name, () => {
      expect(pathOf(expression, inside)).toBe("fast");
      expect(pathOf(expression, outside)).toBe("reference");
    });

  it("a sum of quotients and denominators without a common multiple below 2^53", () => {
    expect(pathOf(add(ratio, number(1)), { amount: 1 })).toBe("reference");
    expect(pathOf(basisPoints(1e-12), {})).toBe("reference");
    expect(pathOf(divide(divide(amount, number(99_999_989)), number(99_999_971)), { amount: 1e6 })).toBe(
      "reference",
    );
    const [first, second] = [divide(amount, number(99_999_989)), divide(quantity, number(99_999_971))];
    for (const expression of [
      add(first, second),
      { type: "min", operands: [first, second] },
      band(amount, first, second),
      coalesce(first, second),
    ] satisfies ReadonlyArray<Expression>)
      expect(pathOf(expression, { amount: 1e6, quantity: 3e6 })).toBe("reference");
  });
});
