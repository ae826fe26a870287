import { Either } from "effect";
import {
  check,
  compile,
  decode,
  type Expression,
  evaluate,
  explain,
  explainText,
  type Trace,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import { sized } from "../support/profile.ts";
import {
  add,
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
  truth,
  variable,
  when,
} from "./language.ts";
import { expression, facts, properties, random } from "./RandomFormula.ts";

const traceOf = (input: Expression, given: Parameters<typeof factsWith>[0] = {}): Trace =>
  explain(compile(checked(input)), factsWith(given)).trace;

const entryAt = (trace: Trace, path: string, type?: string) =>
  trace.find((entry) => entry.path === path && (type === undefined || entry.type === type));

const upTo = (value: number) => ({ type: "number", value }) as const;

/** 13.25 % of the sale in cents, and 30 or 40 cents by its size. */
const marketplace = add(multiply(property("amount"), number(100), percent(13.25)), {
  type: "band",
  input: property("amount"),
  bands: [{ up_to: upTo(10), value: number(30) }, { value: number(40) }],
});

/** A formula with most kinds of terms of a contract. */
const contract: Expression = {
  type: "let",
  bindings: [{ name: "net", value: subtract(property("amount"), coalesce(property("discount"), number(0))) }],
  body: {
    type: "min",
    operands: [
      number(500_000),
      multiply(
        number(100),
        {
          type: "graduated",
          amount: variable("net"),
          tiers: [
            { up_to: upTo(100), rate: percent(5), flat: number(2) },
            {
              rate: {
                type: "lookup",
                key: property("region"),
                entries: [{ key: { type: "string", value: "EU" }, value: percent(7.5) }],
                default: percent(6),
              },
            },
          ],
        },
        {
          type: "case",
          branches: [
            when(
              {
                type: "compare",
                operator: "less_than",
                left: {
                  type: "date_difference",
                  unit: "months",
                  from: coalesce(
                    { type: "parse_date", operand: property("since") },
                    { type: "attribute", name: "created_at" },
                  ),
                  to: { type: "attribute", name: "created_at" },
                },
                right: number(12),
              },
              divide(number(4), number(3)),
            ),
          ],
          else: number(1),
        },
      ),
    ],
  },
};

describe("a trace", () => {
  it("lists every evaluated node of a small formula", () => {
    expect(traceOf(marketplace, { amount: 120.55 })).toEqual([
      {
        path: "$",
        type: "final",
        value: "1637",
        detail: { before: "1637.2875", mode: "half_up", increment: "1", after: "1637" },
      },
      { path: "$", type: "add", value: "1637.2875", detail: {} },
      { path: "$.operands.0", type: "multiply", value: "1597.2875", detail: {} },
      {
        path: "$.operands.0.operands.0",
        type: "property",
        value: "120.55",
        detail: { name: "amount", raw: 120.55, default_used: false },
      },
      {
        path: "$.operands.0.operands.1",
        type: "literal",
        value: "100",
        detail: { unit: "number", written: "100" },
      },
      {
        path: "$.operands.0.operands.2",
        type: "literal",
        value: "0.1325",
        detail: { unit: "percent", written: "13.25" },
      },
      {
        path: "$.operands.1",
        type: "band",
        value: "40",
        detail: { index: 1, upper_bound: "inclusive", from: "10", up_to: null },
      },
      {
        path: "$.operands.1.input",
        type: "property",
        value: "120.55",
        detail: { name: "amount", raw: 120.55, default_used: false },
      },
      {
        path: "$.operands.1.bands.1.value",
        type: "literal",
        value: "40",
        detail: { unit: "number", written: "40" },
      },
    ]);
  });

  it("shows every kind of detail", () => {
    const trace = traceOf(contract, { amount: 200.5, since: "2025-06-30" });
    const detail = (path: string, type?: string) => entryAt(trace, path, type)?.detail;
    expect(detail("$", "let")).toEqual({ bindings: [{ name: "net", value: "200.5" }] });
    expect(detail("$.bindings.0.value.right")).toEqual({ index: 1 });
    expect(detail("$.bindings.0.value.right.operands.0")).toEqual({
      name: "discount",
      raw: null,
      default_used: false,
    });
    expect(detail("$.body")).toEqual({ index: 1 });
    expect(detail("$.body.operands.1.operands.1")).toEqual({
      amount: "200.5",
      offset: "0",
      tiers: [
        { from: "0", to: "100", part: "100", rate: "0.05", flat: "2", amount: "7" },
        { from: "100", to: null, part: "100.5", rate: "0.075", flat: "0", amount: "7.5375" },
      ],
    });
    expect(detail("$.body.operands.1.operands.1.tiers.1.rate")).toEqual({ index: 0, key: "EU" });
    expect(detail("$.body.operands.1.operands.2")).toEqual({ index: 0 });
    expect(detail("$.body.operands.1.operands.2.branches.0.when")).toEqual({
      operator: "less_than",
      left: "7",
      right: "12",
    });
    expect(entryAt(trace, "$.body.operands.1")?.value).toBe("5815/3");
    expect(entryAt(trace, "$", "final")?.detail).toEqual({
      before: "5815/3",
      mode: "half_up",
      increment: "1",
      after: "1938",
    });
  });

  it("lists only the tiers that the amount touches, and a flat only where a tier is entered", () => {
    const scale: Expression = {
      type: "graduated",
      amount: property("amount"),
      offset: property("quantity"),
      tiers: [
        { up_to: upTo(100), rate: percent(10), flat: number(3) },
        { up_to: upTo(200), rate: percent(20), flat: number(7) },
        { rate: percent(30) },
      ],
    };
    const trace = traceOf(scale, { amount: 60, quantity: 50 });
    expect(entryAt(trace, "$", "graduated")?.detail).toEqual({
      amount: "60",
      offset: "50",
      tiers: [
        { from: "0", to: "100", part: "50", rate: "0.1", flat: "0", amount: "5" },
        { from: "100", to: "200", part: "10", rate: "0.2", flat: "7", amount: "9" },
      ],
    });
    expect(trace.slice(1).map(({ path }) => path)).toEqual([
      "$",
      "$.amount",
      "$.offset",
      "$.tiers.0.rate",
      "$.tiers.1.rate",
      "$.tiers.1.flat",
    ]);
    expect(entryAt(traceOf(scale, { amount: -60, quantity: 110 }), "$", "graduated")?.detail).toMatchObject({
      tiers: [
        { part: "-50", flat: "0" },
        { part: "-10", flat: "-7" },
      ],
    });
  });

  it("shows the unit of every literal, and the digits of a number as written", () => {
    const trace = traceOf({
      type: "case",
      branches: [
        when({ type: "in", operand: text("a"), values: [{ type: "string", value: "a" }] }, percent(2.5)),
      ],
      else: number(0),
    });
    expect(entryAt(trace, "$.branches.0.when.operand")?.detail).toStrictEqual({ unit: "string" });
    expect(entryAt(trace, "$.branches.0.then")?.detail).toStrictEqual({ unit: "percent", written: "2.5" });
  });

  it("shows dates, texts, truths and absent values", () => {
    const shown = (operand: Expression, given: Parameters<typeof factsWith>[0] = {}) =>
      entryAt(
        traceOf(
          { type: "case", branches: [when({ type: "is_present", operand }, number(1))], else: number(0) },
          given,
        ),
        "$.branches.0.when.operand",
      )?.value;
    expect(shown(property("region"))).toBe("EU");
    expect(shown(property("renewal"))).toBe(false);
    expect(shown(property("campaign"))).toBe(null);
    expect(shown({ type: "attribute", name: "agent_id" })).toBe(null);
    expect(shown({ type: "attribute", name: "created_at" })).toBe("2026-01-31T10:30:00.000Z");
    expect(
      shown({ type: "parse_date", operand: property("since") }, { since: "2026-03-31T02:00:00+02:00" }),
    ).toBe("2026-03-31");
    expect(shown(divide(property("amount"), property("quantity")), { quantity: 0 })).toBe(null);
    expect(shown(divide(property("amount"), property("quantity")), { amount: -1, quantity: 3 })).toBe("-1/3");
  });

  it("marks a value that is a default", () => {
    const detail = (given: Parameters<typeof factsWith>[0]) =>
      entryAt(traceOf(property("rate"), given), "$", "property");
    expect(detail({})).toMatchObject({ value: "0.125", detail: { raw: null, default_used: true } });
    expect(detail({ rate: 0.125 })).toMatchObject({
      value: "0.125",
      detail: { raw: 0.125, default_used: false },
    });
    expect(detail({ rate: -0 })).toMatchObject({ value: "0" });
  });

  it("omits nodes that were not evaluated", () => {
    const paths = traceOf(marketplace, { amount: 10 }).map(({ path }) => path);
    expect(paths).toContain("$.operands.1.bands.0.value");
    expect(paths).not.toContain("$.operands.1.bands.1.value");
    const lazy: Expression = {
      type: "case",
      branches: [
        when(
          {
            type: "or",
            operands: [
              { type: "compare", operator: "equal", left: text("a"), right: text("a") },
              property("renewal"),
            ],
          },
          number(1),
        ),
        when(property("renewal"), number(2)),
      ],
      else: number(3),
    };
    const evaluated = traceOf(lazy).map(({ path }) => path);
    expect(evaluated).toContain("$.branches.0.then");
    for (const path of ["$.branches.0.when.operands.1", "$.branches.1.when", "$.branches.1.then", "$.else"])
      expect(evaluated).not.toContain(path);
  });

  it("exists even if the amount overflows", () => {
    const { result, trace } = explain(
      compile(checked(multiply(property("amount"), number(1e15)))),
      factsWith({ amount: 1e15 }),
    );
    expect(Either.isLeft(result)).toBe(true);
    expect(trace[0]?.value).toBe("1000000000000000000000000000000");
  });

  it("ends in the amount paid, is plain JSON, and names only nodes that exist", () => {
    const at = (input: unknown, path: string): unknown =>
      path
        .split(".")
        .slice(1)
        .reduce((part, step) => (part as Readonly<Record<string, unknown>>)[step], input);
    let explained = 0;
    for (let seed = 1; explained < sized(100, 2_000); seed++) {
      const r = random(seed);
      const formula = Either.flatMap(decode(expression(r, "number", r.integer(1, 5))), (decoded) =>
        check(decoded, properties),
      );
      if (Either.isLeft(formula)) continue;
      const compiled = compile(formula.right);
      for (let index = 0; index < 5; index++) {
        const given = facts(r);
        const { result, trace } = explain(compiled, given);
        expect(result).toEqual(evaluate(compiled, given));
        if (Either.isRight(result)) expect(trace[0]?.value).toBe(String(result.right));
        expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
        for (const { path, type } of trace.slice(1))
          expect((at(formula.right.expression, path) as Expression).type, `seed ${seed}: ${path}`).toBe(type);
        explained += 1;
      }
    }
  });
});

describe("an explanation as text", () => {
  const written = (input: Expression, given: Parameters<typeof factsWith>[0], decimals = 2): string =>
    explainText(explain(compile(checked(input)), factsWith(given)), { currency: "EUR", decimals });

  it("derives the amount step by step", () => {
    expect(written(marketplace, { amount: 120.55 })).toBe(
      `
16.37 EUR
1637 = 1637.2875 rounded half up to a whole number
  1637.2875 = 1597.2875 + 40
    1597.2875 = 120.55 (amount) × 100 × 13.25 %
    40 for 120.55 (amount) (above 10)`.trim(),
    );
    expect(written(contract, { amount: 200.5, since: "2025-06-30" })).toBe(
      `
19.38 EUR
1938 = 5815/3 rounded half up to a whole number
  5815/3, with net = 200.5
    200.5 = 200.5 (amount) − 0
      0 = the first there is of no value (discount), 0
    5815/3 = the least of 500000, 5815/3
      5815/3 = 100 × 14.5375 × 4/3
        14.5375 = graduated on 200.5
          7 = 100 × 0.05 + 2, tier 0 to 100
          7.5375 = 100.5 × 0.075, tier above 100
          0.075 for "EU" (region)
        4/3, since condition 1 holds
          true: 7 is less than 12
            7 = complete months from 2025-06-30 to 2026-01-31T10:30:00.000Z (created_at)
              2025-06-30 = the first there is of 2025-06-30
                2025-06-30 read from "2025-06-30" (since)
          4/3 = 4 ÷ 3`.trim(),
    );
  });

  it("describes every kind of condition and choice", () => {
    const conditions: Expression = {
      type: "and",
      operands: [
        {
          type: "not",
          operand: { type: "text_match", operator: "starts_with", operand: property("region"), text: "PRO" },
        },
        {
          type: "or",
          operands: [
            property("renewal"),
            { type: "in", operand: property("plan"), values: [{ type: "string", value: "basic" }] },
          ],
        },
        { type: "is_present", operand: property("amount") },
      ],
    };
    const all: Expression = {
      type: "case",
      branches: [
        when({ type: "in", operand: property("amount"), values: [upTo(1)] }, number(1)),
        when(
          conditions,
          add(
            {
              type: "max",
              operands: [
                property("amount"),
                {
                  type: "date_part",
                  part: "day_of_week",
                  operand: { type: "attribute", name: "created_at" },
                },
              ],
            },
            { type: "round", operand: property("amount"), mode: "floor", increment: upTo(5) },
          ),
        ),
      ],
      else: number(0),
    };
    expect(explainText(explain(compile(checked(all)), factsWith({ amount: 12 })))).toBe(
      `
22 = 22, nothing to round
  22, since condition 2 holds
    false: 12 (amount) is not among the listed values
    true = true and true and true
      true = not false
        false: "EU" (region) starts with "PRO"
      true = false (renewal) or true
        true: basic (plan, by default) is among the listed values
      true: 12 (amount) is there
    22 = 12 + 10
      12 = the greatest of 12 (amount), 6
        6 = day of week of 2026-01-31T10:30:00.000Z (created_at)
      10 = 12 (amount) rounded down to a multiple of 5`.trim(),
    );
  });

  const [amount, region] = [property("amount"), property("region")];
  const upToNone = { value: number(3) };
  const bands = (upper_bound?: "inclusive" | "exclusive"): Expression => ({
    type: "band",
    input: amount,
    ...(upper_bound === undefined ? {} : { upper_bound }),
    bands: [{ up_to: upTo(10), value: number(1) }, { up_to: upTo(20), value: number(2) }, upToNone],
  });
  const compare = (operator: string): Expression =>
    ({ type: "compare", operator, left: amount, right: number(5) }) as Expression;
  const round = (mode: string, increment?: number): Expression =>
    ({
      type: "round",
      operand: amount,
      mode,
      ...(increment === undefined ? {} : { increment: upTo(increment) }),
    }) as Expression;
  const either = (condition: Expression): Expression => ({
    type: "case",
    branches: [when(condition, number(1))],
    else: number(0),
  });
  const table: Expression = {
    type: "lookup",
    key: region,
    entries: [{ key: { type: "string", value: "EU" }, value: number(7) }],
    default: number(2),
  };
  const date: Expression = { type: "literal", value: { type: "date", value: "2026-01-31" } };
  const basisPoints: Expression = { type: "literal", value: { type: "basis_points", value: 250 } };

  /** Each line is the one that the formula adds, whatever lines come before or after it. */
  const lines: ReadonlyArray<readonly [Expression, Parameters<typeof factsWith>[0], string]> = [
    [amount, { amount: 2.5 }, "3 = 2.5 (amount) rounded half up to a whole number"],
    [add(amount, basisPoints), { amount: 1 }, "1.025 = 1 (amount) + 250 bp"],
    [multiply(amount, percent(5)), { amount: 1 }, "0.05 = 1 (amount) × 5 %"],
    [subtract(amount, number(1)), { amount: 3 }, "2 = 3 (amount) − 1"],
    [divide(amount, number(4)), { amount: 3 }, "0.75 = 3 (amount) ÷ 4"],
    [{ type: "min", operands: [amount, number(4)] }, { amount: 3 }, "3 = the least of 3 (amount), 4"],
    [{ type: "max", operands: [amount, number(4)] }, { amount: 3 }, "4 = the greatest of 3 (amount), 4"],
    [round("half_up", 5), { amount: 12 }, "10 = 12 (amount) rounded half up to a multiple of 5"],
    [round("half_down"), { amount: 0.4 }, "0 = 0.4 (amount) rounded half down to a whole number"],
    [round("half_even"), { amount: 0.4 }, "0 = 0.4 (amount) rounded half to even to a whole number"],
    [round("up"), { amount: 0.4 }, "1 = 0.4 (amount) rounded away from zero to a whole number"],
    [round("down"), { amount: 0.4 }, "0 = 0.4 (amount) rounded toward zero to a whole number"],
    [round("ceiling"), { amount: 0.4 }, "1 = 0.4 (amount) rounded up to a whole number"],
    [round("floor"), { amount: 0.4 }, "0 = 0.4 (amount) rounded down to a whole number"],
    [round("floor"), { amount: 4 }, "4 = 4 (amount), nothing to round"],
    [bands(), { amount: 10 }, "1 for 10 (amount) (up to 10)"],
    [bands("inclusive"), { amount: 11 }, "2 for 11 (amount) (above 10, up to 20)"],
    [bands("inclusive"), { amount: 21 }, "3 for 21 (amount) (above 20)"],
    [bands("exclusive"), { amount: 9 }, "1 for 9 (amount) (below 10)"],
    [bands("exclusive"), { amount: 10 }, "2 for 10 (amount) (from 10, below 20)"],
    [bands("exclusive"), { amount: 20 }, "3 for 20 (amount) (from 20)"],
    [{ type: "band", input: amount, bands: [upToNone] }, { amount: 20 }, "3 for 20 (amount) (any)"],
    [
      {
        type: "graduated",
        amount,
        offset: number(100),
        tiers: [{ up_to: upTo(150), rate: percent(5) }, { rate: percent(8) }],
      },
      { amount: 20 },
      "1 = graduated on 20, after 100 before it",
    ],
    [either(compare("equal")), { amount: 5 }, "true: 5 (amount) equals 5"],
    [either(compare("not_equal")), { amount: 5 }, "false: 5 (amount) differs from 5"],
    [either(compare("less_than")), { amount: 5 }, "false: 5 (amount) is less than 5"],
    [either(compare("less_than_or_equal")), { amount: 5 }, "true: 5 (amount) is at most 5"],
    [either(compare("greater_than")), { amount: 5 }, "false: 5 (amount) is greater than 5"],
    [either(compare("greater_than_or_equal")), { amount: 5 }, "true: 5 (amount) is at least 5"],
    [
      either({ type: "compare", operator: "equal", left: region, right: text("EU") }),
      {},
      'true: "EU" (region) equals "EU"',
    ],
    [
      either({
        type: "compare",
        operator: "equal",
        left: { type: "attribute", name: "id" },
        right: text("x"),
      }),
      {},
      'false: a1 (id) equals "x"',
    ],
    [
      either({
        type: "compare",
        operator: "equal",
        left: { type: "attribute", name: "created_at" },
        right: date,
      }),
      {},
      "false: 2026-01-31T10:30:00.000Z (created_at) equals 2026-01-31",
    ],
    [
      either({ type: "and", operands: [property("online"), property("renewal")] }),
      {},
      "false = true (online, by default) and false (renewal)",
    ],
    [either({ type: "not", operand: property("renewal") }), {}, "true = not false (renewal)"],
    [
      either({ type: "in", operand: amount, values: [upTo(1)] }),
      { amount: 2 },
      "false: 2 (amount) is not among the listed values",
    ],
    [
      either({ type: "in", operand: amount, values: [upTo(1)] }),
      { amount: 1 },
      "true: 1 (amount) is among the listed values",
    ],
    [
      either({ type: "text_match", operator: "ends_with", operand: region, text: "U" }),
      {},
      'true: "EU" (region) ends with "U"',
    ],
    [
      either({ type: "text_match", operator: "contains", operand: region, text: "X" }),
      {},
      'false: "EU" (region) contains "X"',
    ],
    [either(truth(true)), {}, "1, since condition 1 holds"],
    [either(truth(false)), {}, "0, since no condition holds"],
    [table, {}, '7 for "EU" (region)'],
    [table, { region: "US" }, '2 for "US" (region), which the table does not list'],
    [
      coalesce(property("discount"), amount),
      { amount: 3 },
      "3 = the first there is of no value (discount), 3 (amount)",
    ],
    [either({ type: "is_present", operand: property("trial") }), {}, "false: no value (trial) is not there"],
    [either({ type: "is_present", operand: amount }), {}, "true: 0 (amount) is there"],
    [{ type: "date_part", part: "day_of_week", operand: date }, {}, "6 = day of week of 2026-01-31"],
    [
      { type: "date_difference", unit: "days", from: date, to: date },
      {},
      "0 = complete days from 2026-01-31 to 2026-01-31",
    ],
    [
      {
        type: "let",
        bindings: [
          { name: "x", value: amount },
          { name: "y", value: region },
        ],
        body: add(variable("x"), number(1)),
      },
      { amount: 3 },
      "4, with x = 3, y = EU",
    ],
    [
      { type: "let", bindings: [{ name: "x", value: amount }], body: add(variable("x"), number(1)) },
      { amount: 3 },
      "4 = 3 (x) + 1",
    ],
  ];
  it.each(lines)("has a line for %j with %j", (input, given, line) => {
    const derivation = explainText(explain(compile(checked(input)), factsWith(given)));
    expect(derivation.split("\n").map((each) => each.trim())).toContain(line);
  });

  it("indents the parts of a value below it, except literals and facts", () => {
    const input = add(multiply(amount, add(amount, number(1))), number(2));
    expect(explainText(explain(compile(checked(input)), factsWith({ amount: 3 })))).toBe(
      [
        "14 = 14, nothing to round",
        "  14 = 12 + 2",
        "    12 = 3 (amount) × 4",
        "      4 = 3 (amount) + 1",
      ].join("\n"),
    );
  });

  it("is refused if it does not lead to the amount paid", () => {
    const paid = compile(checked(number(2)));
    const explained = { ...paid, checked: checked(number(1)) };
    expect(() => explain(explained, factsWith())).toThrow("a formula was explained as 1 and evaluated to 2");
  });

  it("writes amounts with the decimals of the currency", () => {
    const heading = (amount: number, decimals: number) =>
      written(property("amount"), { amount }, decimals).split("\n")[0];
    expect([heading(5, 2), heading(-1234, 2), heading(0, 2), heading(1500, 0), heading(-7, 3)]).toEqual([
      "0.05 EUR",
      "-12.34 EUR",
      "0.00 EUR",
      "1500 EUR",
      "-0.007 EUR",
    ]);
  });

  it("states why there is no amount", () => {
    expect(written(multiply(property("amount"), number(10)), { amount: 1e15 })).toBe(
      `
No amount: the amount lies beyond ±9007199254740991
10000000000000000 = 10000000000000000, nothing to round
  10000000000000000 = 1000000000000000 (amount) × 10`.trim(),
    );
  });
});
