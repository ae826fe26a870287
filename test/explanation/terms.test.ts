import { Either } from "effect";
import { explanationOf, type Terms, termsOf } from "quittance/explanation";
import { check, compile, decode, type Expression, explain } from "quittance/formula";
import { describe, expect, it } from "vitest";
import * as Rational from "../../src/formula/Rational.ts";
import {
  add,
  basisPoints,
  checked,
  coalesce,
  divide,
  factsWith,
  multiply,
  number,
  percent,
  property,
  subtract,
  text,
  variable,
  when,
} from "../formula/language.ts";
import { expression, facts, parameters, properties, random } from "../formula/RandomFormula.ts";
import { sized } from "../support/profile.ts";

const termsFor = (input: Expression, given: Parameters<typeof factsWith>[0] = {}): Terms =>
  termsOf(explanationOf(explain(compile(checked(input)), factsWith(given)).trace, 2));

const VALUE = { amount: 12_345 };
const rate = (fraction: string, base = "12345"): Terms => ({ type: "rate", base, rate: fraction });
const isPro: Expression = { type: "compare", operator: "equal", left: property("plan"), right: text("pro") };

describe("a rate on a base", () => {
  it.each<readonly [string, Expression]>([
    ["percent", multiply(property("amount"), percent(7.5))],
    ["basis points", multiply(basisPoints(750), property("amount"))],
    ["a fraction", multiply(property("amount"), number(0.075))],
    [
      "rounded",
      {
        type: "round",
        operand: multiply(property("amount"), percent(7.5)),
        mode: "down",
        increment: { type: "number", value: 100 },
      },
    ],
    [
      "a variable",
      {
        type: "let",
        bindings: [{ name: "share", value: percent(7.5) }],
        body: multiply(variable("share"), property("amount")),
      },
    ],
    [
      "a variable bound again by its own outer value",
      {
        type: "let",
        bindings: [{ name: "share", value: percent(7.5) }],
        body: {
          type: "let",
          bindings: [{ name: "share", value: coalesce(variable("share"), percent(5)) }],
          body: multiply(variable("share"), property("amount")),
        },
      },
    ],
    [
      "a tier of the whole",
      multiply(property("amount"), {
        type: "band",
        input: property("amount"),
        bands: [{ up_to: { type: "number", value: 1_000 }, value: percent(5) }, { value: percent(7.5) }],
      }),
    ],
    [
      "a table",
      multiply(property("amount"), {
        type: "lookup",
        key: property("plan"),
        entries: [{ key: { type: "string", value: "pro" }, value: percent(9) }],
        default: percent(7.5),
      }),
    ],
    [
      "a case",
      {
        type: "case",
        branches: [when(isPro, number(500))],
        else: multiply(property("amount"), percent(7.5)),
      },
    ],
    ["the first there is", coalesce(property("discount"), multiply(property("amount"), percent(7.5)))],
  ])("%s", (_, input) => {
    expect(termsFor(input, VALUE)).toEqual(rate("0.075"));
  });

  it("has the product of all other factors as its base", () => {
    expect(termsFor(multiply(property("amount"), number(100), percent(15)), VALUE)).toEqual(
      rate("0.15", "1234500"),
    );
  });
});

describe("other terms", () => {
  it.each<readonly [string, Expression, Terms]>([
    ["a fixed amount", number(500), { type: "fixed", amount: "500" }],
    [
      "an amount for each",
      multiply(property("amount"), number(25)),
      { type: "each", quantity: "12345", amount: "25" },
    ],
    [
      "a rate and a fixed amount",
      add(multiply(property("amount"), percent(10)), number(500)),
      { type: "sum", parts: [rate("0.1"), { type: "fixed", amount: "500" }] },
    ],
    ["parts of 0 left out", add(multiply(property("amount"), percent(10)), number(0)), rate("0.1")],
    [
      "at most",
      { type: "min", operands: [multiply(property("amount"), percent(10)), number(500)] },
      { type: "most", amount: "500" },
    ],
    [
      "at least",
      { type: "max", operands: [number(5_000), multiply(property("amount"), percent(10))] },
      { type: "least", amount: "5000" },
    ],
    [
      "at most, by a variable bound again by its own outer value",
      {
        type: "let",
        bindings: [{ name: "paid", value: multiply(property("amount"), percent(10)) }],
        body: {
          type: "let",
          bindings: [{ name: "paid", value: { type: "min", operands: [variable("paid"), number(500)] } }],
          body: variable("paid"),
        },
      },
      { type: "most", amount: "500" },
    ],
    [
      "below a limit",
      { type: "min", operands: [multiply(property("amount"), percent(10)), number(5_000)] },
      rate("0.1"),
    ],
    [
      "tiers",
      {
        type: "graduated",
        amount: property("amount"),
        tiers: [
          { up_to: { type: "number", value: 10_000 }, rate: percent(5) },
          { up_to: { type: "number", value: 50_000 }, rate: percent(8), flat: number(100) },
          { rate: percent(9) },
        ],
      },
      {
        type: "tiers",
        base: "12345",
        tiers: [
          { part: "10000", rate: "0.05", flat: "0" },
          { part: "2345", rate: "0.08", flat: "100" },
        ],
      },
    ],
    [
      "tiers in whole units, converted to the smallest unit",
      multiply(
        {
          type: "graduated",
          amount: property("amount"),
          tiers: [
            { up_to: { type: "number", value: 10_000 }, rate: percent(5) },
            { rate: percent(8), flat: number(3) },
          ],
        },
        number(100),
      ),
      {
        type: "tiers",
        base: "1234500",
        tiers: [
          { part: "1000000", rate: "0.05", flat: "0" },
          { part: "234500", rate: "0.08", flat: "300" },
        ],
      },
    ],
    [
      "a commission in whole units, converted to the smallest unit",
      multiply(multiply(property("amount"), percent(10)), number(100)),
      rate("0.1", "1234500"),
    ],
    ["a difference", subtract(property("amount"), number(1)), { type: "other" }],
    ["a quotient", divide(property("amount"), number(3)), { type: "other" }],
    ["two rates", multiply(percent(10), percent(10), property("amount")), { type: "other" }],
  ])("%s", (_, input, terms) => {
    expect(termsFor(input, VALUE)).toEqual(terms);
  });
});

const parse = (shown: string): Rational.Rational => {
  const value = Rational.parse(shown);
  if (value === null) throw new Error(`no number: ${shown}`);
  return value;
};

/** The sum of the terms; null when they have none. */
const worth = (terms: Terms): Rational.Rational | null => {
  switch (terms.type) {
    case "rate":
      return Rational.multiply(parse(terms.base), parse(terms.rate));
    case "each":
      return Rational.multiply(parse(terms.quantity), parse(terms.amount));
    case "fixed":
    case "least":
    case "most":
      return parse(terms.amount);
    case "tiers":
      return terms.tiers.reduce(
        (sum, { part, rate: fraction, flat }) =>
          Rational.add(sum, Rational.add(Rational.multiply(parse(part), parse(fraction)), parse(flat))),
        Rational.ZERO,
      );
    case "sum":
      return terms.parts.reduce<Rational.Rational | null>((sum, part) => {
        const one = worth(part);
        return sum === null || one === null ? null : Rational.add(sum, one);
      }, Rational.ZERO);
    case "other":
      return null;
  }
};

it("are found quickly when each named value uses the previous one twice", () => {
  const bindings = Array.from({ length: 32 }, (_, index) => ({
    name: `x${index}`,
    value: index === 0 ? property("amount") : add(variable(`x${index - 1}`), variable(`x${index - 1}`)),
  }));
  expect(termsFor({ type: "let", bindings, body: variable("x31") }, { amount: 1 })).toEqual({
    type: "other",
  });
});

it("result in the amount before rounding, in random formulas", () => {
  let stated = 0;
  for (let seed = 1; seed <= sized(400, 1_500, 4_000); seed++) {
    const r = random(seed);
    const formula = Either.flatMap(decode(expression(r, "number", r.integer(1, 4))), (decoded) =>
      check(decoded, properties, parameters),
    );
    if (Either.isLeft(formula)) continue;
    const { trace } = explain(compile(formula.right), facts(r));
    const [final] = trace;
    if (final?.type !== "final" || trace.some(({ type }) => type === "round")) continue;
    const value = worth(termsOf(explanationOf(trace, 2)));
    if (value === null) continue;
    expect(Rational.format(value), `seed ${seed}`).toBe(final.detail.before);
    stated += 1;
  }
  expect(stated).toBeGreaterThan(20);
});
