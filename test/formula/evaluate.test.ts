import { Either } from "effect";
import {
  check,
  compile,
  decode,
  type Expression,
  evaluate,
  FactsMismatch,
  type PropertyDefinition,
  type PropertyValue,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import * as Reference from "../../src/formula/Reference.ts";
import {
  add,
  amountOf,
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

const amount = (expression: Expression, given: Parameters<typeof factsWith>[0] = {}, createdAt?: string) =>
  amountOf(expression, factsWith(given, createdAt === undefined ? {} : { createdAt: Date.parse(createdAt) }));

const cents = (operand: Expression): Expression => multiply(operand, number(100));
const upTo = (value: number) => ({ type: "number", value }) as const;
const createdAt: Expression = { type: "attribute", name: "created_at" };

/** Every expected amount in this file is worked out by hand. */
describe("numbers", () => {
  it("add, subtract, multiply, min and max", () => {
    expect(amount(add(number(1), number(2.4), number(0.1)))).toBe(4);
    expect(amount(subtract(number(1), number(3.2)))).toBe(-2);
    expect(amount(multiply(number(1.5), number(-3)))).toBe(-5);
    expect(
      amount({ type: "min", operands: [number(3), property("amount"), number(2)] }, { amount: 2.5 }),
    ).toBe(2);
    expect(
      amount({ type: "max", operands: [number(3), property("amount"), number(2)] }, { amount: 3.5 }),
    ).toBe(4);
    expect(amount(add(property("amount")), { amount: 7 })).toBe(7);
  });

  it("are read as the decimals that their doubles print as", () => {
    expect(amount(cents(property("amount")), { amount: 1.005 })).toBe(101);
    expect(amount(multiply(cents(property("amount")), percent(35)), { amount: 0.9 })).toBe(32);
    expect(amount(multiply(property("amount"), property("amount")), { amount: 94906267 })).toBe("OVERFLOW");
    expect(amount(multiply(property("amount"), property("amount")), { amount: 94906265 })).toBe(
      9007199136250225,
    );
    expect(amount(multiply(property("amount"), number(1e12)), { amount: 0.1 + 0.2 })).toBe(300_000_000_000);
    expect(amount(multiply(property("amount"), number(1e15), number(1e5)), { amount: 1e-20 })).toBe(1);
    expect(amount(multiply(property("amount"), number(1e15), number(1e5)), { amount: -5e-21 * 2 })).toBe(-1);
  });

  it("stay exact until the final rounding, thirds included", () => {
    const third = divide(number(1), number(3));
    expect(amount(multiply(third, number(3)))).toBe(1);
    expect(amount(multiply(third, property("amount"), number(3)), { amount: 0.5 })).toBe(1);
    expect(amount(add(third, third, third, number(0.5)))).toBe(2);
    expect(amount(multiply(property("amount"), third), { amount: 100 })).toBe(33);
    expect(amount(multiply(property("amount"), divide(number(2), number(3))), { amount: 100 })).toBe(67);
    expect(amount(divide(property("amount"), percent(125)), { amount: 125 })).toBe(100);
  });

  it("can be written as percents and basis points", () => {
    expect(amount(multiply(property("amount"), percent(7.5)), { amount: 200 })).toBe(15);
    expect(amount(multiply(property("amount"), basisPoints(250)), { amount: 200 })).toBe(5);
    expect(amount(multiply(property("amount"), basisPoints(0.5)), { amount: 1_000_000 })).toBe(50);
  });

  it("divide by a property, and have no value when it is 0", () => {
    const quotient = coalesce(divide(property("amount"), property("quantity")), number(-1));
    expect(amount(quotient, { amount: 7, quantity: 2 })).toBe(4);
    expect(amount(quotient, { amount: -7, quantity: 2 })).toBe(-4);
    expect(amount(quotient, { amount: 7, quantity: -2 })).toBe(-4);
    expect(amount(quotient, { amount: 7, quantity: 0 })).toBe(-1);
    expect(amount(quotient, { amount: 0, quantity: -0 })).toBe(-1);
    expect(amount(multiply(quotient, property("quantity")), { amount: 10, quantity: 3 })).toBe(10);
    expect(amount(coalesce(divide(quotient, quotient), number(5)), { amount: 0, quantity: 3 })).toBe(5);
  });

  it("are never -0", () => {
    for (const zero of [
      multiply(property("amount"), number(-1)),
      { type: "round", operand: property("amount"), mode: "ceiling" },
      { type: "min", operands: [property("amount"), number(0)] },
      subtract(number(0), property("quantity")),
    ] satisfies ReadonlyArray<Expression>)
      for (const value of [0, -0, -0.3])
        expect(amount(zero, { amount: value, quantity: value })).toSatisfy((result) => Object.is(result, 0));
  });

  it("overflow if the final amount is beyond 2^53 - 1, but not in intermediate steps", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const times = (factor: number) => multiply(property("amount"), number(factor));
    expect(amount(add(times(9), property("quantity")), { amount: 1e15, quantity: 7199254740991 })).toBe(
      largest,
    );
    expect(amount(add(times(9), property("quantity")), { amount: 1e15, quantity: 7199254740991.4 })).toBe(
      largest,
    );
    expect(amount(add(times(9), property("quantity")), { amount: 1e15, quantity: 7199254740991.5 })).toBe(
      "OVERFLOW",
    );
    expect(amount(add(times(9), property("quantity")), { amount: 1e15, quantity: 7199254740992 })).toBe(
      "OVERFLOW",
    );
    expect(amount(add(times(-9), property("quantity")), { amount: 1e15, quantity: -7199254740991 })).toBe(
      -largest,
    );
    expect(amount(times(-10), { amount: 1e15 })).toBe("OVERFLOW");
    expect(amount(multiply(times(1e12), number(1e-12)), { amount: 1e15 })).toBe(1e15);
  });
});

describe("bands", () => {
  const fee = (upper_bound?: "inclusive" | "exclusive"): Expression => ({
    type: "band",
    input: property("amount"),
    ...(upper_bound === undefined ? {} : { upper_bound }),
    bands: [
      { up_to: upTo(-5), value: number(10) },
      { up_to: upTo(10), value: number(30) },
      { up_to: upTo(99.995), value: number(40) },
      { value: number(50) },
    ],
  });

  it("include their upper bound by default", () => {
    const at = (value: number, bound?: "inclusive" | "exclusive") => amount(fee(bound), { amount: value });
    expect([-6, -5, -4.99, 0, 9.99, 10, 10.01, 99.99, 99.995, 99.996].map((value) => at(value))).toEqual([
      10, 10, 30, 30, 30, 30, 40, 40, 40, 50,
    ]);
    expect([-5, 10, 99.995].map((value) => at(value, "inclusive"))).toEqual([10, 30, 40]);
    expect([-5.01, -5, 9.99, 10, 99.99, 99.995].map((value) => at(value, "exclusive"))).toEqual([
      10, 30, 30, 40, 40, 50,
    ]);
  });

  it("compare quotients exactly", () => {
    const margin: Expression = {
      type: "band",
      input: coalesce(
        divide(subtract(property("amount"), property("quantity")), property("amount")),
        number(0),
      ),
      bands: [
        { up_to: { type: "percent", value: 20 }, value: number(2) },
        { up_to: { type: "percent", value: 40 }, value: number(5) },
        { value: number(8) },
      ],
    };
    const at = (price: number, cost: number) => amount(margin, { amount: price, quantity: cost });
    expect([at(10, 8), at(10, 7.99), at(10, 6), at(10, 5.99), at(0.3, 0.24), at(0, 5), at(-10, -8)]).toEqual([
      2, 5, 5, 8, 2, 2, 2,
    ]);
    expect([at(1e15, 8e14), at(1e15, 8e14 - 0.1)]).toEqual([2, 5]);
  });

  it("express volume tiers, where one rate applies to the whole amount", () => {
    const volume = multiply(property("amount"), {
      type: "band",
      input: property("amount"),
      bands: [
        { up_to: upTo(1000), value: percent(5) },
        { up_to: upTo(5000), value: percent(7) },
        { value: percent(10) },
      ],
    });
    expect([1000, 1001, 5000, 5010].map((value) => amount(volume, { amount: value }))).toEqual([
      50, 70, 350, 501,
    ]);
  });
});

describe("graduated", () => {
  /** The Lehman scale in whole currency units: 5, 4, 3, 2 and 1 percent of each successive million. */
  const lehman: Expression = {
    type: "graduated",
    amount: property("amount"),
    tiers: [
      { up_to: upTo(1e6), rate: percent(5) },
      { up_to: upTo(2e6), rate: percent(4) },
      { up_to: upTo(3e6), rate: percent(3) },
      { up_to: upTo(4e6), rate: percent(2) },
      { rate: percent(1) },
    ],
  };

  it("pays the rate of each tier for the part in that tier", () => {
    const at = (value: number) => amount(lehman, { amount: value });
    expect([0, 1e6, 1.5e6, 2e6, 4e6, 10e6].map(at)).toEqual([0, 50_000, 70_000, 90_000, 140_000, 200_000]);
    expect([-1.5e6, -10e6].map(at)).toEqual([-70_000, -200_000]);
  });

  it("continues the scale from the offset", () => {
    const onTop: Expression = { ...lehman, offset: property("quantity") } as Expression;
    expect(amount(onTop, { amount: 500_000, quantity: 1_750_000 })).toBe(17_500);
    expect(amount(onTop, { amount: -500_000, quantity: 1_250_000 })).toBe(-22_500);
    expect(amount(onTop, { amount: 2_000_000, quantity: -1_000_000 })).toBe(100_000);
    expect(amount(onTop, { amount: 0, quantity: 12_345 })).toBe(0);
  });

  it("pays a flat when a tier is entered and reverses it on a refund", () => {
    const flats: Expression = {
      type: "graduated",
      amount: property("amount"),
      offset: coalesce(property("discount"), number(0)),
      tiers: [
        { up_to: upTo(100), rate: percent(10), flat: number(3) },
        { up_to: upTo(200), rate: percent(0), flat: number(7) },
        { rate: percent(50) },
      ],
    };
    const at = (value: number, offset: number) => amount(flats, { amount: value, discount: offset });
    expect([at(0, 0), at(0.01, 0), at(100, 0), at(100.01, 0), at(200, 0), at(210, 0)]).toEqual([
      0, 3, 13, 20, 20, 25,
    ]);
    expect([at(-50, 0), at(-50, 120), at(-120, 120), at(150, -50), at(30, 100)]).toEqual([
      -8, -10, -20, 21, 7,
    ]);
  });

  it("reads rates and flats from properties", () => {
    const own: Expression = {
      type: "graduated",
      amount: property("amount"),
      offset: property("quantity"),
      tiers: [
        { up_to: upTo(100), rate: property("rate"), flat: property("quantity") },
        { up_to: upTo(300), rate: coalesce(property("discount"), number(2)) },
        { rate: number(3) },
      ],
    };
    expect(amount(own, { amount: 80, quantity: 0 })).toBe(10);
    expect(amount(own, { amount: 300, quantity: 50, rate: 0.5 })).toBe(25 + 400 + 150);
    expect(amount(own, { amount: 100, quantity: 100, discount: 1.5 })).toBe(150);
  });
});

describe("conditions", () => {
  const holds = (condition: Expression, given: Parameters<typeof factsWith>[0] = {}) =>
    amount(oneIf(condition), given) === 1;

  it("compare numbers exactly", () => {
    const compare = (operator: string, left: Expression, right: Expression): boolean =>
      holds({ type: "compare", operator, left, right } as Expression, { amount: 10 });
    const outcomes = (left: Expression, right: Expression) =>
      ["equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"].map(
        (operator) => compare(operator, left, right),
      );
    const [less, equal, greater] = [
      [false, true, true, true, false, false],
      [true, false, false, true, false, true],
      [false, true, false, false, true, true],
    ];
    expect(outcomes(property("amount"), number(10.001))).toEqual(less);
    expect(outcomes(property("amount"), number(10))).toEqual(equal);
    expect(outcomes(property("amount"), number(9.999))).toEqual(greater);
    expect(outcomes(number(9.999), property("amount"))).toEqual(less);
    expect(outcomes(property("amount"), multiply(property("quantity"), number(10)))).toEqual(equal);
    expect(outcomes(number(0.075), percent(7.5))).toEqual(equal);
    const third = divide(property("quantity"), number(3));
    expect(outcomes(add(third, third, third), property("quantity"))).toEqual(equal);
    const ratio = coalesce(divide(property("quantity"), property("amount")), number(0));
    expect(outcomes(ratio, number(0.1))).toEqual(equal);
    expect(outcomes(ratio, number(0.1001))).toEqual(less);
    expect(outcomes(number(0.2), ratio)).toEqual(greater);
  });

  it("compare dates, texts and truths", () => {
    const at = { type: "compare", left: createdAt, right: date("2026-01-31T11:30:00+01:00") } as const;
    expect(holds({ ...at, operator: "equal" })).toBe(true);
    expect(holds({ ...at, operator: "less_than" })).toBe(false);
    expect(holds({ ...at, operator: "less_than", right: date("2026-02-01") })).toBe(true);
    expect(holds({ ...at, operator: "greater_than_or_equal", right: date("2026-01-31") })).toBe(true);
    expect(holds({ type: "compare", operator: "equal", left: property("region"), right: text("EU") })).toBe(
      true,
    );
    expect(holds({ type: "compare", operator: "equal", left: property("region"), right: text("eu") })).toBe(
      false,
    );
    expect(
      holds({ type: "compare", operator: "not_equal", left: property("plan"), right: text("pro") }),
    ).toBe(true);
    expect(holds({ type: "compare", operator: "equal", left: property("online"), right: truth(true) })).toBe(
      true,
    );
  });

  it("combine with and, or and not, from left to right until the result is decided", () => {
    const yes = truth(true);
    const no = property("renewal");
    expect(holds({ type: "and", operands: [yes, yes] })).toBe(true);
    expect(holds({ type: "and", operands: [yes, no, yes] })).toBe(false);
    expect(holds({ type: "or", operands: [no, no] })).toBe(false);
    expect(holds({ type: "or", operands: [no, yes] })).toBe(true);
    expect(holds({ type: "not", operand: no })).toBe(true);
  });

  it("find values in lists, and text in text", () => {
    const among = (operand: Expression, ...values: ReadonlyArray<unknown>) =>
      holds({ type: "in", operand, values } as Expression, { amount: 2.5, region: "PRO-EU-1" });
    expect(among(property("region"), { type: "string", value: "PRO-EU-1" })).toBe(true);
    expect(among(property("region"), { type: "string", value: "EU" })).toBe(false);
    expect(among(property("amount"), upTo(1), { type: "percent", value: 250 })).toBe(true);
    expect(among(property("amount"), upTo(2.500001))).toBe(false);
    expect(among(createdAt, { type: "date", value: "2026-01-31T10:30:00Z" })).toBe(true);
    expect(among(property("renewal"), { type: "boolean", value: true })).toBe(false);
    const match = (operator: string, part: string) =>
      holds({ type: "text_match", operator, operand: property("region"), text: part } as Expression, {
        region: "PRO-EU-1",
      });
    expect([match("starts_with", "PRO-"), match("starts_with", "EU"), match("starts_with", "pro-")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([match("ends_with", "-1"), match("ends_with", "PRO")]).toEqual([true, false]);
    expect([match("contains", "EU"), match("contains", ".*")]).toEqual([true, false]);
  });
});

describe("choices", () => {
  it("return the first branch whose condition holds", () => {
    const over = (limit: number): Expression => ({
      type: "compare",
      operator: "greater_than",
      left: property("amount"),
      right: number(limit),
    });
    const steps: Expression = {
      type: "case",
      branches: [when(over(100), number(3)), when(over(10), property("quantity")), when(over(50), number(9))],
      else: divide(number(1), number(3)),
    };
    expect([101, 60, 5].map((value) => amount(cents(steps), { amount: value, quantity: 2 }))).toEqual([
      300, 200, 33,
    ]);
  });

  it("look up rates in tables of one and two dimensions", () => {
    const byRegion = (key: string, value: Expression) => ({
      key: { type: "string", value: key } as const,
      value,
    });
    const table: Expression = {
      type: "lookup",
      key: property("region"),
      entries: [
        byRegion("EU", {
          type: "lookup",
          key: property("plan"),
          entries: [byRegion("pro", percent(9)), byRegion("", percent(1))],
          default: percent(4),
        }),
        byRegion("US", percent(12)),
      ],
      default: number(0),
    };
    const at = (region: string, plan?: string) =>
      amount(multiply(number(100), table), { region, ...(plan === undefined ? {} : { plan }) });
    expect([
      at("EU", "pro"),
      at("EU", "other"),
      at("EU", ""),
      at("EU"),
      at("US", "pro"),
      at("toString"),
    ]).toEqual([9, 4, 1, 4, 12, 0]);
  });

  it("look up numbers, dates and truths by value, not by spelling", () => {
    const entry = (key: unknown, value: number) => ({ key, value: number(value) });
    const numbers = {
      type: "lookup",
      key: property("amount"),
      entries: [entry(upTo(0), 1), entry({ type: "percent", value: 50 }, 2), entry(upTo(0.123456), 3)],
      default: number(9),
    };
    expect(
      [0, -0, 0.5, 0.51, 0.123456].map((value) => amountOf(numbers, factsWith({ amount: value }))),
    ).toEqual([1, 1, 2, 9, 3]);
    const dates = {
      type: "lookup",
      key: createdAt,
      entries: [entry({ type: "date", value: "2026-01-31T12:30:00+02:00" }, 1)],
      default: number(9),
    };
    expect(amountOf(dates, factsWith())).toBe(1);
    const truths = {
      type: "lookup",
      key: property("online"),
      entries: [entry({ type: "boolean", value: false }, 1)],
      default: number(9),
    };
    expect([true, false].map((online) => amountOf(truths, factsWith({ online })))).toEqual([9, 1]);
  });

  it("replace an absent value", () => {
    const discount = coalesce(property("discount"), property("rate"));
    expect(amount(cents(discount))).toBe(13);
    expect(amount(cents(discount), { discount: 0 })).toBe(0);
    expect(amount(cents(discount), { rate: 1.5 })).toBe(150);
    const present = (name: string, given: Parameters<typeof factsWith>[0] = {}) =>
      amount(oneIf({ type: "is_present", operand: property(name) }), given);
    expect([present("discount"), present("campaign"), present("trial"), present("rate")]).toEqual([
      0, 0, 0, 1,
    ]);
    expect([
      present("discount", { discount: 0 }),
      present("campaign", { campaign: "" }),
      present("trial", { trial: false }),
    ]).toEqual([1, 1, 1]);
    const agent: Expression = { type: "attribute", name: "agent_id" };
    const byAgent = oneIf({
      type: "compare",
      operator: "equal",
      left: coalesce(agent, { type: "attribute", name: "partner_id" }),
      right: text("p1"),
    });
    expect(amountOf(byAgent, factsWith({}, { agentId: null }))).toBe(1);
    expect(amountOf(byAgent, factsWith({}, { agentId: "other" }))).toBe(0);
  });
});

describe("steps with names", () => {
  it("are evaluated in order and can use every earlier step, of any type", () => {
    const steps: Expression = {
      type: "let",
      bindings: [
        { name: "net", value: subtract(property("amount"), number(20)) },
        { name: "half", value: divide(variable("net"), number(2)) },
        { name: "area", value: property("region") },
        {
          name: "isEurope",
          value: { type: "compare", operator: "equal", left: variable("area"), right: text("EU") },
        },
        { name: "start", value: coalesce({ type: "parse_date", operand: property("since") }, createdAt) },
        { name: "share", value: coalesce(divide(variable("half"), property("quantity")), number(0)) },
        { name: "fixed", value: number(5) },
      ],
      body: add(
        variable("half"),
        variable("fixed"),
        oneIf(variable("isEurope")),
        { type: "date_part", part: "day", operand: variable("start") },
        { type: "round", operand: variable("share"), mode: "half_up" },
      ),
    };
    expect(amount(steps, { amount: 120, quantity: 20 })).toBe(50 + 5 + 1 + 31 + 3);
  });

  it("hide an outer step of the same name inside the inner let only", () => {
    const inner: Expression = {
      type: "let",
      bindings: [{ name: "x", value: multiply(variable("x"), number(10)) }],
      body: variable("x"),
    };
    const outer: Expression = {
      type: "let",
      bindings: [{ name: "x", value: property("amount") }],
      body: add(variable("x"), inner, variable("x")),
    };
    expect(amount(outer, { amount: 3 })).toBe(36);
  });
});

describe("dates", () => {
  it("have their parts in UTC", () => {
    const part = (name: string): Expression =>
      ({ type: "date_part", part: name, operand: createdAt }) as Expression;
    const parts = (moment: string) =>
      ["year", "quarter", "month", "day", "day_of_week"].map((name) => amount(part(name), {}, moment));
    expect(parts("2026-01-31T23:59:59.999Z")).toEqual([2026, 1, 1, 31, 6]);
    expect(parts("2026-10-01T00:00:00Z")).toEqual([2026, 4, 10, 1, 4]);
  });

  it("express a lower rate after the first twelve months", () => {
    const firstYear = oneIf({
      type: "compare",
      operator: "less_than",
      left: {
        type: "date_difference",
        unit: "months",
        from: coalesce({ type: "parse_date", operand: property("since") }, createdAt),
        to: createdAt,
      },
      right: number(12),
    });
    expect(amount(firstYear, { since: "2025-01-31" }, "2026-01-30T23:59:59Z")).toBe(1);
    expect(amount(firstYear, { since: "2025-01-31" }, "2026-01-31T00:00:00Z")).toBe(0);
    expect(amount(firstYear, { since: "not a date" }, "2026-01-31T00:00:00Z")).toBe(1);
  });

  it("differ in days, months and years", () => {
    const difference = (unit: string, from: string, to: string) =>
      amount({ type: "date_difference", unit, from: date(from), to: date(to) } as Expression);
    expect(difference("days", "2024-02-28", "2024-03-01")).toBe(2);
    expect(difference("months", "2026-03-31", "2026-01-31")).toBe(-2);
    expect(difference("months", "2023-12-31", "2024-02-29T12:00:00Z")).toBe(2);
    expect(difference("months", "2024-02-29T12:00:00Z", "2023-12-31")).toBe(-2);
    expect(difference("years", "2024-02-29", "2026-02-28")).toBe(2);
  });
});

describe("the compiled formula", () => {
  it("recompiles for more decimals of a property, with the same amounts before and after", () => {
    const formula = compile(checked(multiply(property("amount"), number(1e9))));
    const fast = (value: number): boolean => {
      evaluate(formula, factsWith({ amount: value }));
      return formula.fast.program.frame.exact && formula.fast.program.frame.facts.properties.amount === value;
    };
    expect(fast(1.25)).toBe(true);
    expect(fast(0.000125)).toBe(false);
    expect(fast(0.000125)).toBe(true);
    expect(fast(1.25)).toBe(true);
    expect(fast(0.0000000012345)).toBe(false);
    expect(fast(0.0000000012345)).toBe(false);
    for (const value of [1.25, 0.000125, 0.0000000012345, 123456.789, -0.1])
      expect(amount(multiply(property("amount"), number(1e9)), { amount: value })).toBe(
        Number(
          Reference.evaluate(
            checked(multiply(property("amount"), number(1e9))),
            factsWith({ amount: value }),
          ),
        ),
      );
  });

  it("keeps no state between evaluations that changes an amount", () => {
    const formula = compile(checked(cents(property("amount"))));
    const results = [1.5, 0.0001, 1e15, 2.5].map((value) => evaluate(formula, factsWith({ amount: value })));
    expect(results).toMatchObject([
      { right: 150 },
      { right: 0 },
      { left: { code: "OVERFLOW" } },
      { right: 250 },
    ]);
  });

  it("throws FactsMismatch if the facts contradict the schema", () => {
    const textIn = (name: string): Expression =>
      oneIf({ type: "text_match", operator: "contains", operand: property(name), text: "E" });
    const wrong: ReadonlyArray<readonly [Expression, string, ReadonlyArray<PropertyValue | undefined>]> = [
      [property("amount"), "amount", [undefined, "12", true, Number.NaN, 1e16, 1 / 81_000]],
      [add(property("amount"), property("amount")), "amount", [undefined, "12", 1e16]],
      [coalesce(property("discount"), number(0)), "discount", ["12", false]],
      [property("rate"), "rate", ["12"]],
      [textIn("region"), "region", [undefined, 12]],
      [oneIf({ type: "is_present", operand: property("campaign") }), "campaign", [12, true]],
      [textIn("plan"), "plan", [12]],
      [oneIf(property("renewal")), "renewal", [undefined, 1]],
      [oneIf({ type: "is_present", operand: property("trial") }), "trial", ["yes"]],
      [oneIf(property("online")), "online", ["yes"]],
    ];
    for (const [expression, name, values] of wrong) {
      const formula = compile(checked(expression));
      for (const value of values) {
        const { [name]: _, ...rest } = factsWith().properties;
        const given = value === undefined ? rest : { ...rest, [name]: value };
        expect(() => evaluate(formula, { ...factsWith(), properties: given }), `${name}: ${value}`).toThrow(
          FactsMismatch,
        );
      }
    }
  });

  it("throws FactsMismatch for a formula that was not checked", () => {
    const forged = (expression: Expression) => ({
      expression,
      properties: new Map(),
      parameters: new Map(),
      bits: 1,
      aggregates: [],
    });
    const wrong: ReadonlyArray<readonly [Expression, string]> = [
      [text("12"), "a number"],
      [createdAt, "a number"],
      [truth(true), "a number"],
      [add(number(1), text("12")), "a number"],
      [oneIf(number(1)), "true or false"],
      [oneIf({ type: "text_match", operator: "contains", operand: number(1), text: "1" }), "a text"],
      [{ type: "date_part", part: "year", operand: text("2026-01-01") }, "a date"],
      [{ type: "date_part", part: "year", operand: number(2026) }, "a date"],
      [{ type: "date_part", part: "year", operand: { type: "parse_date", operand: text("x") } }, "a date"],
      [divide(number(1), number(0)), "a number"],
      [oneIf({ type: "compare", operator: "equal", left: property("gone"), right: number(1) }), "a value"],
      [{ type: "band", input: number(20), bands: [{ up_to: upTo(10), value: number(1) }] }, "a band"],
      [{ type: "parameter", name: "rate" }, "a value of the parameter rate"],
    ];
    for (const [expression, expected] of wrong)
      expect(() => Reference.evaluate(forged(expression), factsWith()), JSON.stringify(expression)).toThrow(
        new FactsMismatch(`the formula was not checked against these facts: expected ${expected}`),
      );
  });

  it("states which fact contradicts the schema", () => {
    const message = (expression: Expression, given: Parameters<typeof factsWith>[0]): string => {
      try {
        evaluate(compile(checked(expression)), factsWith(given));
        return "";
      } catch (error) {
        return String(error);
      }
    };
    const prefix = "FactsMismatch: the formula was not checked against these facts: expected ";
    expect(message(property("amount"), { amount: "12" })).toBe(`${prefix}amount to be a number`);
    expect(message(property("amount"), { amount: 1e16 })).toBe(`${prefix}amount to be a property number`);
    const { amount: _, ...rest } = factsWith().properties;
    expect(() =>
      evaluate(compile(checked(property("amount"))), { ...factsWith(), properties: rest }),
    ).toThrow("expected the property amount");
  });

  it("reads every attribute", () => {
    const facts = factsWith({}, { agentId: "g1" });
    const attributes = {
      id: "a1",
      partner_id: "p1",
      customer_id: "c1",
      workspace_id: "w1",
      schema_id: "s1",
      agent_id: "g1",
    };
    for (const [name, value] of Object.entries(attributes))
      expect(
        amountOf(
          oneIf({
            type: "compare",
            operator: "equal",
            left: coalesce({ type: "attribute", name } as Expression, text("none")),
            right: text(value),
          }),
          facts,
        ),
        name,
      ).toBe(1);
  });

  it("does not read methods of Object.prototype as properties", () => {
    for (const name of ["toString", "constructor", "valueOf", "hasOwnProperty", "__proto__"]) {
      const definitions: ReadonlyArray<PropertyDefinition> = [{ name, type: "number", required: false }];
      const formula = compile(
        Either.getOrThrow(
          Either.flatMap(decode(coalesce(property(name), number(7))), (expression) =>
            check(expression, definitions),
          ),
        ),
      );
      expect(evaluate(formula, { ...factsWith(), properties: {} })).toMatchObject({ right: 7 });
    }
  });
});
