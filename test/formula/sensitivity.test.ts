import { Either } from "effect";
import { check, compile, decode, type Expression, evaluate, type Facts } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { toAmount } from "../../src/formula/Compile.ts";
import * as Reference from "../../src/formula/Reference.ts";
import { sized } from "../support/profile.ts";
import {
  add,
  coalesce,
  divide,
  multiply,
  number,
  oneIf,
  percent,
  property,
  subtract,
  text,
  truth,
} from "./language.ts";
import { expression, facts, landmarks, parameters, properties, random } from "./RandomFormula.ts";

const tryCheck = (input: Expression) =>
  Either.flatMap(decode(input), (decoded) => check(decoded, properties, parameters));

const checkedOrThrow = (input: Expression) => Either.getOrThrow(tryCheck(input));

const outcome = (result: Either.Either<number, { readonly code: string }>): number | string =>
  Either.match(result, { onLeft: ({ code }): number | string => code, onRight: (amount) => amount });

/** The first facts, of those the differential test would try, on which the two formulas differ. */
const witness = (right: Expression, wrong: Expression, tries: number): Facts | undefined => {
  const reference = checkedOrThrow(right);
  const planted = compile(checkedOrThrow(wrong));
  const near = landmarks(right);
  const r = random(7);
  for (let index = 0; index < tries; index++) {
    const given = facts(r, near);
    if (outcome(evaluate(planted, given)) !== outcome(toAmount(Reference.evaluate(reference, given))))
      return given;
  }
  return undefined;
};

/**
 * Differential testing is worth what its facts can tell apart. Each pair is a formula and what a plausible mistake
 * in the compiler would make of it; the facts of the differential test must show the difference.
 */
describe("random facts reveal", () => {
  const amount = property("amount");
  const round = (mode: string, operand: Expression = amount): Expression =>
    ({ type: "round", mode, operand }) as Expression;
  const band = (upper_bound: "inclusive" | "exclusive", limit: number): Expression => ({
    type: "band",
    upper_bound,
    input: property("units"),
    bands: [{ up_to: { type: "number", value: limit }, value: number(1) }, { value: number(2) }],
  });
  const graduated = (flat: number, offset: Expression): Expression => ({
    type: "graduated",
    amount,
    offset,
    tiers: [
      { up_to: { type: "number", value: 1000 }, rate: percent(5), flat: number(flat) },
      { rate: percent(8) },
    ],
  });
  const compare = (operator: string, value: number): Expression =>
    oneIf({ type: "compare", operator, left: property("units"), right: number(value) } as Expression);
  const mistakes: Readonly<Record<string, readonly [Expression, Expression]>> = {
    "ties rounded to even instead of up": [round("half_up"), round("half_even")],
    "ties rounded down instead of up": [round("half_up"), round("half_down")],
    "ties of negative amounts rounded toward plus infinity": [
      round("half_up"),
      round("floor", add(amount, number(0.5))),
    ],
    "floor taken for down": [round("floor"), round("down")],
    "ceiling taken for up": [round("ceiling"), round("up")],
    "a bound that excludes instead of includes": [band("inclusive", 100), band("exclusive", 100)],
    "a threshold that is a cent too high": [
      { ...band("inclusive", 50), input: amount } as Expression,
      { ...band("inclusive", 50.01), input: amount } as Expression,
    ],
    "less than taken for at most": [compare("less_than", 7), compare("less_than_or_equal", 7)],
    "an offset left out": [graduated(0, property("cost")), graduated(0, number(0))],
    "a flat left out": [graduated(1, number(0)), graduated(0, number(0))],
    "a default not used": [
      multiply(number(1000), property("share")),
      multiply(number(1000), coalesce(property("rate"), property("share"))),
    ],
    "a quotient cut to six decimals": [
      multiply(number(1e8), coalesce(divide(amount, number(3)), number(0))),
      round(
        "half_up",
        multiply(number(1e8), {
          type: "round",
          mode: "half_up",
          operand: divide(amount, number(3)),
          increment: { type: "number", value: 0.000001 },
        }),
      ),
    ],
    "a margin compared after rounding": [
      oneIf({
        type: "compare",
        operator: "greater_than",
        left: coalesce(divide(property("cost"), amount), number(0)),
        right: number(0.5),
      }),
      oneIf({
        type: "compare",
        operator: "greater_than",
        left: round("half_up", multiply(number(100), coalesce(divide(property("cost"), amount), number(0)))),
        right: number(50),
      }),
    ],
    "a property read to the cent only": [
      multiply(number(10_000), amount),
      multiply(number(10_000), {
        type: "round",
        mode: "half_up",
        operand: amount,
        increment: { type: "number", value: 0.01 },
      }),
    ],
    "and taken for or": [
      oneIf({ type: "and", operands: [property("recurring"), property("renewal")] }),
      oneIf({ type: "or", operands: [property("recurring"), property("renewal")] }),
    ],
    "months counted without clamping": [
      {
        type: "date_difference",
        unit: "months",
        from: { type: "literal", value: { type: "date", value: "2026-01-31" } },
        to: { type: "attribute", name: "created_at" },
      },
      {
        type: "date_difference",
        unit: "months",
        from: { type: "literal", value: { type: "date", value: "2026-02-01" } },
        to: { type: "attribute", name: "created_at" },
      },
    ],
  };
  for (const [name, [right, wrong]] of Object.entries(mistakes))
    it(name, () => {
      expect(witness(right, wrong, 5_000)).toBeDefined();
      expect(witness(right, right, 500)).toBeUndefined();
    });
});

type Path = ReadonlyArray<string | number>;

/** Nodes that demand a present number of every operand named here, whatever stands next to it. */
const demanding: Readonly<Record<string, ReadonlyArray<string>>> = {
  add: ["operands"],
  multiply: ["operands"],
  min: ["operands"],
  max: ["operands"],
  subtract: ["left", "right"],
  divide: ["left", "right"],
  round: ["operand"],
  band: ["input"],
  graduated: ["amount", "offset"],
};

/** Paths of operands that have to be present numbers. */
const numericPlaces = (part: unknown, path: Path = []): ReadonlyArray<Path> => {
  if (typeof part !== "object" || part === null) return [];
  const type = "type" in part && typeof part.type === "string" ? part.type : "";
  const own = Object.entries(part).flatMap(([key, value]): ReadonlyArray<Path> => {
    if (!demanding[type]?.includes(key)) return [];
    return Array.isArray(value) ? value.map((_, index) => [...path, key, index]) : [[...path, key]];
  });
  const inner = Object.entries(part).flatMap(([key, value]) => numericPlaces(value, [...path, key]));
  return [...own, ...inner];
};

const replaced = (part: unknown, [step, ...rest]: Path, by: unknown): unknown => {
  if (step === undefined) return by;
  if (Array.isArray(part))
    return part.map((item, index) => (index === Number(step) ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(part ?? {}).map(([key, value]) => [key, key === step ? replaced(value, rest, by) : value]),
  );
};

describe("the checker", () => {
  it("refuses a formula with one wrong operand and names its path", () => {
    const wrong: ReadonlyArray<readonly [Expression, string, string]> = [
      [text("12"), "", "must be a number, found a text"],
      [truth(true), "", "must be a number, found a true/false value"],
      [{ type: "attribute", name: "created_at" }, "", "must be a number, found a date"],
      [property("rate"), "", "value may be absent; wrap it in coalesce"],
      [divide(property("amount"), property("units")), "", "value may be absent; wrap it in coalesce"],
      [subtract(number(1), property("gone")), ".right.name", "the schema has no property `gone`"],
      [{ type: "variable", name: "unbound" }, ".name", "no enclosing `let` binds `unbound`"],
    ];
    let mutants = 0;
    for (let seed = 1; mutants < sized(150, 500, 3_000); seed++) {
      const r = random(seed);
      const original: unknown = JSON.parse(JSON.stringify(expression(r, "number", r.integer(2, 5))));
      if (
        Either.isLeft(Either.flatMap(decode(original), (decoded) => check(decoded, properties, parameters)))
      )
        continue;
      for (const place of numericPlaces(original).slice(0, 20)) {
        const [by, step, message] = r.pick(wrong);
        const result = Either.flatMap(decode(replaced(original, place, by)), (decoded) =>
          check(decoded, properties, parameters),
        );
        const path = `$.${place.join(".")}${step}`;
        expect(result, `seed ${seed}`).toEqual(Either.left({ path, message }));
        mutants += 1;
      }
    }
  });
});
