import { Either } from "effect";
import {
  check,
  compile,
  decode,
  type Expression,
  explain,
  formatProblem,
  type PropertyDefinition,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import * as Rational from "../../src/formula/Rational.ts";
import { sized } from "../support/profile.ts";
import {
  add,
  basisPoints,
  checked,
  coalesce,
  date,
  divide,
  multiply,
  number,
  oneIf,
  percent,
  property,
  refusal,
  subtract,
  text,
  truth,
  variable,
  when,
} from "./language.ts";
import { expression, facts, parameters, random, properties as randomProperties } from "./RandomFormula.ts";

const createdAt: Expression = { type: "attribute", name: "created_at" };
const upTo = (value: number) => ({ type: "number", value }) as const;

describe("check accepts", () => {
  const accepted: Readonly<Record<string, Expression>> = {
    "a required number": property("amount"),
    "an optional number with a default": property("rate"),
    "an optional number that coalesce replaces": coalesce(property("discount"), number(0)),
    "several that may be absent before one that is not": coalesce(
      property("discount"),
      divide(property("amount"), property("quantity")),
      property("rate"),
    ),
    "a quotient by a literal other than 0": divide(property("amount"), number(3)),
    "a quotient by a literal percent": divide(property("amount"), percent(19)),
    "an absent agent tested for presence": oneIf({
      type: "is_present",
      operand: { type: "attribute", name: "agent_id" },
    }),
    "equality of every type": {
      type: "add",
      operands: [
        oneIf({ type: "compare", operator: "equal", left: property("amount"), right: number(1) }),
        oneIf({ type: "compare", operator: "not_equal", left: property("region"), right: text("EU") }),
        oneIf({ type: "compare", operator: "equal", left: property("renewal"), right: truth(true) }),
        oneIf({ type: "compare", operator: "equal", left: createdAt, right: date("2026-01-01") }),
      ],
    },
    "an order of dates": oneIf({
      type: "compare",
      operator: "less_than",
      left: createdAt,
      right: coalesce({ type: "parse_date", operand: property("since") }, date("2026-01-01")),
    }),
    "a lookup by each type, nested": {
      type: "lookup",
      key: property("region"),
      entries: [
        {
          key: { type: "string", value: "EU" },
          value: {
            type: "lookup",
            key: property("renewal"),
            entries: [{ key: { type: "boolean", value: true }, value: percent(3) }],
            default: percent(5),
          },
        },
      ],
      default: basisPoints(250),
    },
    "a band of texts compared": oneIf({
      type: "compare",
      operator: "equal",
      left: {
        type: "band",
        input: property("amount"),
        bands: [{ up_to: upTo(10), value: text("small") }, { value: text("large") }],
      },
      right: text("small"),
    }),
    "an optional arm that coalesce replaces": coalesce(
      { type: "case", branches: [when(property("renewal"), property("discount"))], else: number(1) },
      number(0),
    ),
    "a binding that may be absent, tested": {
      type: "let",
      bindings: [{ name: "maybe", value: property("discount") }],
      body: coalesce(variable("maybe"), number(0)),
    },
    "an inner binding of the same name": {
      type: "let",
      bindings: [{ name: "x", value: text("a") }],
      body: { type: "let", bindings: [{ name: "x", value: number(1) }], body: variable("x") },
    },
    "thresholds written in different units": {
      type: "band",
      input: property("rate"),
      bands: [
        { up_to: { type: "basis_points", value: 250 }, value: number(1) },
        { up_to: { type: "percent", value: 7.5 }, value: number(2) },
        { up_to: upTo(0.5), value: number(3) },
        { value: number(4) },
      ],
    },
    "one open band and one open tier": add(
      { type: "band", input: property("amount"), bands: [{ value: number(1) }] },
      { type: "graduated", amount: property("amount"), tiers: [{ rate: percent(1) }] },
    ),
    "tiers with rates and flats from the attribution": {
      type: "graduated",
      amount: property("amount"),
      offset: property("quantity"),
      tiers: [{ up_to: upTo(100), rate: property("rate"), flat: property("quantity") }, { rate: percent(1) }],
    },
  };
  for (const [name, expression] of Object.entries(accepted))
    it(name, () => {
      expect(refusal(expression)).toBe("accepted");
    });
});

describe("check refuses, naming the path,", () => {
  const refused: Readonly<Record<string, readonly [Expression, string]>> = {
    "a whole that is no number": [property("region"), "$: must be a number, found a text"],
    "a whole that may be absent": [property("discount"), "$: value may be absent; wrap it in coalesce"],
    "an operand that may be absent": [
      add(number(1), divide(property("discount"), number(2))),
      "$.operands.1.left: value may be absent; wrap it in coalesce",
    ],
    "a quotient by a property": [
      add(divide(property("amount"), property("quantity"))),
      "$.operands.0: value may be absent; wrap it in coalesce",
    ],
    "a quotient by a literal 0": [
      divide(property("amount"), percent(0)),
      "$: value may be absent; wrap it in coalesce",
    ],
    "a quotient by what only computes to a constant": [
      divide(property("amount"), add(number(2))),
      "$: value may be absent; wrap it in coalesce",
    ],
    "a coalesce whose last operand may be absent": [
      coalesce(number(1), property("discount")),
      "$: value may be absent; wrap it in coalesce",
    ],
    "a coalesce of two types": [
      coalesce(property("discount"), text("none")),
      "$.operands.1: must be a number like $.operands.0, found a text",
    ],
    "an unknown property": [
      multiply(number(2), property("amonut")),
      "$.operands.1.name: the schema has no property `amonut`",
    ],
    "a property named like a method": [property("toString"), "$.name: the schema has no property `toString`"],
    "a variable that nothing binds": [variable("net"), "$.name: no enclosing `let` binds `net`"],
    "a binding that uses a later one": [
      {
        type: "let",
        bindings: [
          { name: "a", value: variable("b") },
          { name: "b", value: number(1) },
        ],
        body: variable("a"),
      },
      "$.bindings.0.value.name: no enclosing `let` binds `b`",
    ],
    "a binding that uses itself": [
      { type: "let", bindings: [{ name: "a", value: variable("a") }], body: number(1) },
      "$.bindings.0.value.name: no enclosing `let` binds `a`",
    ],
    "a variable outside its let": [
      add({ type: "let", bindings: [{ name: "a", value: number(1) }], body: variable("a") }, variable("a")),
      "$.operands.1.name: no enclosing `let` binds `a`",
    ],
    "a name bound twice": [
      {
        type: "let",
        bindings: [
          { name: "a", value: number(1) },
          { name: "a", value: number(2) },
        ],
        body: variable("a"),
      },
      "$.bindings.1.name: `a` is bound twice in one `let`",
    ],
    "a problem in a binding that nothing uses": [
      { type: "let", bindings: [{ name: "a", value: add(text("x")) }], body: number(1) },
      "$.bindings.0.value.operands.0: must be a number, found a text",
    ],
    "text in a sum": [add(number(1), property("region")), "$.operands.1: must be a number, found a text"],
    "a date in a difference of numbers": [
      subtract(createdAt, number(1)),
      "$.left: must be a number, found a date",
    ],
    "true or false as a factor": [
      multiply(property("amount"), property("renewal")),
      "$.operands.1: must be a number, found a true/false value",
    ],
    "a comparison of two types": [
      oneIf({ type: "compare", operator: "equal", left: property("region"), right: number(1) }),
      "$.branches.0.when.right: must be a text like the left side, found a number",
    ],
    "an order of texts": [
      oneIf({ type: "compare", operator: "less_than", left: property("region"), right: text("EU") }),
      "$.branches.0.when.left: must be a number or a date to be ordered, found a text",
    ],
    "a number as a condition": [
      oneIf(property("amount")),
      "$.branches.0.when: must be a true/false value, found a number",
    ],
    "a condition that may be absent": [
      oneIf(property("trial")),
      "$.branches.0.when: a true/false value may be absent; wrap it in coalesce",
    ],
    "a number among conditions": [
      oneIf({ type: "and", operands: [truth(true), number(1)] }),
      "$.branches.0.when.operands.1: must be a true/false value, found a number",
    ],
    "a negated text": [
      oneIf({ type: "not", operand: text("x") }),
      "$.branches.0.when.operand: must be a true/false value, found a text",
    ],
    "branches of two types": [
      { type: "case", branches: [when(truth(true), number(1))], else: text("x") },
      "$.else: must be a number like $.branches.0.then, found a text",
    ],
    "a branch that may be absent": [
      { type: "case", branches: [when(truth(true), property("discount"))], else: number(1) },
      "$: value may be absent; wrap it in coalesce",
    ],
    "bands of two types": [
      {
        type: "band",
        input: property("amount"),
        bands: [{ up_to: upTo(1), value: number(1) }, { value: truth(true) }],
      },
      "$.bands.1.value: must be a number like $.bands.0.value, found a true/false value",
    ],
    "a band of texts": [
      { type: "band", input: property("region"), bands: [{ value: number(1) }] },
      "$.input: must be a number, found a text",
    ],
    "a closed last band": [
      { type: "band", input: property("amount"), bands: [{ up_to: upTo(1), value: number(1) }] },
      "$.bands.0: the last one must be open: leave out `up_to`",
    ],
    "an open band before the last": [
      { type: "band", input: property("amount"), bands: [{ value: number(1) }, { value: number(2) }] },
      "$.bands.0: lacks `up_to`; only the last one is open",
    ],
    "thresholds that repeat, in other units": [
      {
        type: "band",
        input: property("amount"),
        bands: [
          { up_to: { type: "percent", value: 25 }, value: number(1) },
          { up_to: upTo(0.25), value: number(2) },
          { value: number(3) },
        ],
      },
      "$.bands.1.up_to: must be greater than the one before: 0.25 does not exceed 0.25",
    ],
    "thresholds that descend": [
      {
        type: "graduated",
        amount: property("amount"),
        tiers: [
          { up_to: upTo(100), rate: percent(1) },
          { up_to: upTo(50), rate: percent(2) },
          { rate: percent(3) },
        ],
      },
      "$.tiers.1.up_to: must be greater than the one before: 50 does not exceed 100",
    ],
    "a first tier that ends where it begins": [
      {
        type: "graduated",
        amount: property("amount"),
        tiers: [{ up_to: upTo(0), rate: percent(1) }, { rate: percent(2) }],
      },
      "$.tiers.0.up_to: must be greater than 0, where the first tier begins",
    ],
    "an offset that may be absent": [
      {
        type: "graduated",
        amount: property("amount"),
        offset: property("discount"),
        tiers: [{ rate: percent(1) }],
      },
      "$.offset: value may be absent; wrap it in coalesce",
    ],
    "a rate that is a text": [
      { type: "graduated", amount: property("amount"), tiers: [{ rate: text("5 %") }] },
      "$.tiers.0.rate: must be a number, found a text",
    ],
    "a flat that may be absent": [
      {
        type: "graduated",
        amount: property("amount"),
        tiers: [{ rate: percent(1), flat: property("discount") }],
      },
      "$.tiers.0.flat: value may be absent; wrap it in coalesce",
    ],
    "a problem in the body of a let": [
      { type: "let", bindings: [{ name: "x", value: number(1) }], body: add(text("a")) },
      "$.body.operands.0: must be a number, found a text",
    ],
    "a right side that may be absent": [
      oneIf({ type: "compare", operator: "equal", left: property("amount"), right: property("discount") }),
      "$.branches.0.when.right: value may be absent; wrap it in coalesce",
    ],
    "a listed operand that may be absent": [
      oneIf({ type: "in", operand: property("campaign"), values: [{ type: "string", value: "a" }] }),
      "$.branches.0.when.operand: a text may be absent; wrap it in coalesce",
    ],
    "a problem in a node asked for its presence": [
      oneIf({ type: "is_present", operand: property("gone") }),
      "$.branches.0.when.operand.name: the schema has no property `gone`",
    ],
    "an increment of 0": [
      { type: "round", operand: property("amount"), mode: "up", increment: upTo(0) },
      "$.increment: must be greater than 0",
    ],
    "a negative increment": [
      { type: "round", operand: property("amount"), mode: "up", increment: { type: "percent", value: -5 } },
      "$.increment: must be greater than 0",
    ],
    "a lookup key of another type": [
      {
        type: "lookup",
        key: property("region"),
        entries: [
          { key: { type: "string", value: "EU" }, value: number(1) },
          { key: upTo(1), value: number(2) },
        ],
        default: number(0),
      },
      "$.entries.1.key: must be a text like the key, found a number",
    ],
    "a repeated lookup key": [
      {
        type: "lookup",
        key: property("region"),
        entries: [
          { key: { type: "string", value: "EU" }, value: number(1) },
          { key: { type: "string", value: "US" }, value: number(1) },
          { key: { type: "string", value: "EU" }, value: number(2) },
        ],
        default: number(0),
      },
      "$.entries.2.key: repeats the key of entry 0",
    ],
    "a repeated lookup key in another unit": [
      {
        type: "lookup",
        key: property("rate"),
        entries: [
          { key: { type: "percent", value: 2.5 }, value: number(1) },
          { key: { type: "basis_points", value: 250 }, value: number(2) },
        ],
        default: number(0),
      },
      "$.entries.1.key: repeats the key of entry 0",
    ],
    "a repeated lookup date in another zone": [
      {
        type: "lookup",
        key: createdAt,
        entries: [
          { key: { type: "date", value: "2026-01-01" }, value: number(1) },
          { key: { type: "date", value: "2026-01-01T02:00:00+02:00" }, value: number(2) },
        ],
        default: number(0),
      },
      "$.entries.1.key: repeats the key of entry 0",
    ],
    "a lookup default of another type": [
      {
        type: "lookup",
        key: property("region"),
        entries: [{ key: { type: "string", value: "EU" }, value: number(1) }],
        default: text("none"),
      },
      "$.default: must be a number like $.entries.0.value, found a text",
    ],
    "a member of another type": [
      oneIf({ type: "in", operand: property("region"), values: [{ type: "string", value: "EU" }, upTo(1)] }),
      "$.branches.0.when.values.1: must be a text like the operand, found a number",
    ],
    "text matched in a number": [
      oneIf({ type: "text_match", operator: "contains", operand: property("amount"), text: "1" }),
      "$.branches.0.when.operand: must be a text, found a number",
    ],
    "a date parsed from a date": [
      {
        type: "date_part",
        part: "year",
        operand: coalesce({ type: "parse_date", operand: createdAt }, createdAt),
      },
      "$.operand.operands.0.operand: must be a text, found a date",
    ],
    "a date that may not parse": [
      { type: "date_part", part: "year", operand: { type: "parse_date", operand: property("since") } },
      "$.operand: a date may be absent; wrap it in coalesce",
    ],
    "a part of a text": [
      { type: "date_part", part: "year", operand: property("since") },
      "$.operand: must be a date, found a text",
    ],
    "a difference from a number": [
      { type: "date_difference", unit: "days", from: number(1), to: createdAt },
      "$.from: must be a date, found a number",
    ],
    "a difference to a text": [
      { type: "date_difference", unit: "days", from: createdAt, to: property("since") },
      "$.to: must be a date, found a text",
    ],
    "an agent that may be absent": [
      oneIf({
        type: "compare",
        operator: "equal",
        left: { type: "attribute", name: "agent_id" },
        right: text("a"),
      }),
      "$.branches.0.when.left: a text may be absent; wrap it in coalesce",
    ],
  };
  for (const [name, [expression, problem]] of Object.entries(refused))
    it(name, () => {
      expect(refusal(expression)).toBe(problem);
    });
});

describe("the bound on the size of numbers", () => {
  const squares = (levels: number): Expression => ({
    type: "let",
    bindings: Array.from({ length: levels }, (_, level) => {
      const before = level === 0 ? property("amount") : variable(`square${level - 1}`);
      return { name: `square${level}`, value: multiply(before, before) };
    }),
    body: variable(`square${levels - 1}`),
  });

  it("counts the bits of the largest fraction", () => {
    expect(checked(number(1)).bits).toBe(1);
    expect(checked(property("amount")).bits).toBe(117);
    expect(checked(multiply(property("amount"), property("quantity"))).bits).toBe(234);
    expect(checked(add(property("amount"), property("quantity"))).bits).toBe(118);
    expect(checked(squares(2)).bits).toBe(468);
    expect(checked(coalesce(divide(property("amount"), property("quantity")), number(0))).bits).toBe(184);
    expect(checked(coalesce(divide(number(1), property("quantity")), number(0))).bits).toBe(118);
  });

  it("is the largest over all nodes: numerator bits over a common denominator, one more for each doubling of a sum", () => {
    const [amount, quantity] = [property("amount"), property("quantity")];
    const ratio = coalesce(divide(amount, quantity), number(0));
    const third = divide(amount, number(3));
    const cubed = (operand: Expression): Expression => multiply(operand, operand, operand);
    const rounded = (increment: number): Expression => ({
      type: "round",
      operand: amount,
      mode: "up",
      increment: upTo(increment),
    });
    const tiers = (parts: object): Expression =>
      ({ type: "graduated", amount, tiers: [{ rate: number(0.05) }], ...parts }) as Expression;
    const bits: ReadonlyArray<readonly [Expression, number]> = [
      [third, 118],
      [add(amount), 117],
      [add(amount, third), 120],
      [subtract(amount, quantity), 118],
      [add(amount, quantity, amount), 119],
      [{ type: "min", operands: [amount, third] }, 119],
      [oneIf({ type: "compare", operator: "equal", left: amount, right: number(1) }), 117],
      [add(ratio, number(1)), 186],
      [add(ratio, amount), 235],
      [{ type: "max", operands: [ratio, number(5)] }, 184],
      [multiply({ type: "case", branches: [when(truth(true), number(1))], else: amount }, amount), 234],
      [multiply(coalesce(property("discount"), number(1)), amount), 234],
      [multiply({ type: "max", operands: [ratio, number(5)] }, ratio), 368],
      [coalesce(divide(third, { type: "max", operands: [number(5), ratio] }), number(0)), 302],
      [cubed(rounded(1)), 159],
      [cubed(rounded(0.05)), 171],
      [cubed(rounded(1e6)), 159],
      [{ type: "round", operand: number(0.001), mode: "up", increment: upTo(1e12) }, 41],
      [{ type: "date_part", part: "year", operand: createdAt }, 22],
      [tiers({}), 118],
      [tiers({ offset: quantity }), 120],
      [tiers({ tiers: [{ up_to: upTo(1e6), rate: number(0.05) }, { rate: number(0.1) }] }), 122],
      [tiers({ amount: number(1), tiers: [{ rate: number(1), flat: quantity }] }), 119],
    ];
    for (const [expression, expected] of bits)
      expect(checked(expression).bits, JSON.stringify(expression)).toBe(expected);
  });

  it("is at most 512", () => {
    const squares = [property("amount"), property("amount"), property("quantity"), property("quantity")];
    expect(checked(multiply(...squares, number(2 ** 43))).bits).toBe(512);
    expect(refusal(multiply(...squares, number(2 ** 44)))).toMatch(/^\$: can grow too large: 513 bits/);
  });

  it("refuses a chain of squares at the first node above the limit", () => {
    expect(refusal(squares(2))).toBe("accepted");
    expect(refusal(squares(3))).toBe(
      "$.bindings.2.value: can grow too large: 936 bits, at most 512; multiply or divide fewer amounts by each other",
    );
  });

  it("counts quotients, sums over many denominators and tiers", () => {
    const ratio = coalesce(divide(property("amount"), property("quantity")), number(0));
    expect(refusal(multiply(ratio, ratio))).toBe("accepted");
    expect(refusal(multiply(ratio, ratio, ratio))).toMatch(/^\$: can grow too large/);
    const reciprocals = (count: number) =>
      add(...Array.from({ length: count }, (_, index) => divide(property("amount"), number(2 * index + 3))));
    expect(refusal(reciprocals(90))).toBe("accepted");
    const tiers = (rate: Expression): Expression => ({
      type: "graduated",
      amount: multiply(property("amount"), property("quantity")),
      tiers: [{ rate: multiply(rate, rate) }],
    });
    expect(refusal(tiers(percent(5)))).toBe("accepted");
    expect(refusal(tiers(ratio))).toMatch(/^\$: can grow too large/);
    const attainment: Expression = {
      type: "graduated",
      amount: ratio,
      tiers: [
        ...[50, 80, 100, 120, 150].map((value) => ({
          up_to: { type: "percent", value } as const,
          rate: multiply(property("quantity"), percent(value)),
        })),
        { rate: number(2) },
      ],
    };
    expect(checked(attainment).bits).toBeLessThan(400);
  });

  it("is smaller after rounding", () => {
    const rounded = (operand: Expression): Expression => ({ type: "round", operand, mode: "half_up" });
    const square = (operand: Expression) => multiply(operand, operand);
    expect(refusal(square(square(square(property("amount")))))).toMatch(/can grow too large/);
    expect(refusal(square(square(square(rounded(property("amount"))))))).toBe("accepted");
  });
});

describe("the bound holds", () => {
  const arithmetic = new Set(["add", "subtract", "multiply", "divide", "min", "max", "round", "graduated"]);
  const bitLength = (value: bigint): number => (value < 0n ? -value : value).toString(2).length;

  /** Bits of numerator and denominator of a number as a trace writes it. */
  const bitsOf = (written: string): number => {
    const [numerator = "0", denominator = "1"] = written.split("/");
    const [whole = "0", decimals = ""] = numerator.split(".");
    const scale = BigInt(denominator) * 10n ** BigInt(decimals.length);
    const reduced = Rational.reduce(Rational.make(BigInt(whole + decimals), scale));
    return Math.max(bitLength(reduced.numerator), bitLength(reduced.denominator));
  };

  it("for every number that random formulas compute", () => {
    let numbers = 0;
    let largest = 0;
    for (let seed = 1; numbers < sized(1_000, 20_000); seed++) {
      const r = random(seed);
      const formula = Either.flatMap(decode(expression(r, "number", r.integer(2, 6))), (decoded) =>
        check(decoded, randomProperties, parameters),
      );
      if (Either.isLeft(formula)) continue;
      const compiled = compile(formula.right);
      for (let index = 0; index < 10; index++)
        for (const { path, type, value } of explain(compiled, facts(r)).trace) {
          if (typeof value !== "string" || !arithmetic.has(type)) continue;
          const bits = bitsOf(value);
          if (bits > formula.right.bits) throw new Error(`seed ${seed}: ${bits} bits at ${path}`);
          largest = Math.max(largest, bits);
          numbers += 1;
        }
    }
    expect(largest).toBeGreaterThan(sized(100, 150));
  });
});

describe("a schema", () => {
  const onlyOptional: ReadonlyArray<PropertyDefinition> = [
    { name: "amount", type: "number", required: false },
  ];
  const defaulted: ReadonlyArray<PropertyDefinition> = [
    { name: "amount", type: "number", required: false, default: 0 },
  ];
  const outcome = (schema: ReadonlyArray<PropertyDefinition>): string =>
    Either.match(
      Either.flatMap(decode(property("amount")), (expression) => check(expression, schema)),
      { onLeft: formatProblem, onRight: () => "accepted" },
    );

  it("decides whether a property may be absent", () => {
    expect(outcome(onlyOptional)).toBe("$: value may be absent; wrap it in coalesce");
    expect(outcome(defaulted)).toBe("accepted");
    expect(outcome([])).toBe("$.name: the schema has no property `amount`");
  });
});
