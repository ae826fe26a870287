import { Either } from "effect";
import { FormulaSchemas } from "quittance";
import {
  type Before,
  type CalendarWindow,
  type Compiled,
  check,
  combineTotals,
  compile,
  contribution,
  decode,
  type Expression,
  emptyTotal,
  evaluate,
  explain,
  type Facts,
  formatProblem,
  groupKey,
  type PropertyValue,
  type RunningTotal,
  subtractFromTotal,
  totalsBefore,
  type Window,
  Windows,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import * as Calendar from "../../src/formula/Calendar.ts";
import type { Aggregate } from "../../src/formula/Expression.ts";
import {
  add,
  checked,
  coalesce,
  divide,
  factsWith,
  multiply,
  number,
  percent,
  properties,
  property,
  refusal,
  subtract,
  text,
  truth,
  variable,
} from "./language.ts";

const month = { type: "calendar", unit: "month" } as const;

const sum = (rest: Partial<Aggregate> = {}): Aggregate => ({
  type: "aggregate",
  function: "sum",
  value: property("amount"),
  window: month,
  ...rest,
});

const count = (rest: Partial<Aggregate> = {}): Aggregate => ({
  type: "aggregate",
  function: "count",
  window: month,
  ...rest,
});

/** An attribution of the schema; it arrives in the order of its list. */
const sale = (
  occurredAt: string,
  amount: number,
  given: Readonly<Record<string, PropertyValue>> = {},
): Facts => factsWith({ amount, ...given }, { occurredAt: Date.parse(occurredAt) });

/** The amount for an attribution after others: the fast path with totals and the reference with rows agree on it. */
const amountAfter = (formula: Compiled, history: ReadonlyArray<Facts>, facts: Facts): number | string =>
  Either.match(explain(formula, facts, { history }).result, {
    onLeft: ({ code }): number | string => code,
    onRight: (amount) => amount,
  });

/** The amounts of attributions in order of arrival. */
const amounts = (expression: Expression, arrivals: ReadonlyArray<Facts>): ReadonlyArray<number | string> => {
  const formula = compile(checked(expression));
  return arrivals.map((facts, index) => amountAfter(formula, arrivals.slice(0, index), facts));
};

describe("decode", () => {
  it("accepts every function, window and option, keys in any order", () => {
    const windows: ReadonlyArray<unknown> = [
      { type: "calendar", unit: "month" },
      { unit: "quarter", type: "calendar" },
      { type: "calendar", unit: "year" },
      { type: "calendar", unit: "quarter", starts_in_month: 2 },
      { type: "calendar", starts_in_month: 12, unit: "year" },
      { type: "calendar", unit: "year", starts_in_month: 1 },
      { type: "rolling", days: 1 },
      { type: "rolling", days: 3660 },
      { type: "lifetime" },
      { type: "anniversary", of: "joined_on" },
    ];
    for (const window of windows)
      for (const name of ["sum", "count", "min", "max"]) {
        const node = { window, group_by: ["region"], type: "aggregate", function: name, value: number(1) };
        expect(Either.getOrThrow(decode(node))).toStrictEqual(node);
      }
  });

  it("accepts an empty group_by", () => {
    const node = { ...count(), group_by: [] };
    expect(Either.getOrThrow(decode(node))).toStrictEqual(node);
    expect(FormulaSchemas.jsonSchemas().AggregateNode?.properties?.group_by?.minItems).toBe(0);
  });

  it.each<readonly [string, unknown, string]>([
    ["no window", { type: "aggregate", function: "count" }, "$: lacks the key `window`"],
    ["no function", { type: "aggregate", window: month }, "$: lacks the key `function`"],
    [
      "an unknown function",
      { ...count(), function: "average" },
      "$.function: must be one of sum, count, min, max, found `average`",
    ],
    [
      "a window that is a word",
      { ...count(), window: "month" },
      '$.window: must be a window such as {"type":"calendar","unit":"month"}, found a string',
    ],
    [
      "an unknown window",
      { ...count(), window: { type: "weekly" } },
      "$.window.type: must be one of calendar, rolling, lifetime, anniversary",
    ],
    [
      "a window without a type",
      { ...count(), window: {} },
      "$.window.type: must be one of calendar, rolling, lifetime, anniversary",
    ],
    [
      "a calendar week",
      { ...count(), window: { type: "calendar", unit: "week" } },
      "$.window.unit: must be one of month, quarter, year, found `week`",
    ],
    [
      "a calendar window without a unit",
      { ...count(), window: { type: "calendar" } },
      "$.window: lacks the key `unit`",
    ],
    ...[0, 13, 4.5, "April", null].map(
      (month) =>
        [
          `a year that starts in month ${month}`,
          { ...count(), window: { type: "calendar", unit: "year", starts_in_month: month } },
          `$.window.starts_in_month: must be a whole number from 1 to 12, found ${typeof month === "string" ? "a string" : month}`,
        ] as const,
    ),
    [
      "a rolling window that starts in a month",
      { ...count(), window: { type: "rolling", days: 30, starts_in_month: 4 } },
      "$.window: has an unknown key `starts_in_month`",
    ],
    [
      "a lifetime window with days",
      { ...count(), window: { type: "lifetime", days: 3 } },
      "$.window: has an unknown key `days`",
    ],
    ...[0, -1, 3661, 1.5, "30", null, Number.NaN].map(
      (days) =>
        [
          `a rolling window of ${days} days`,
          { ...count(), window: { type: "rolling", days } },
          `$.window.days: must be a whole number from 1 to 3660, found ${typeof days === "string" ? "a string" : days}`,
        ] as const,
    ),
    [
      "an anniversary of nothing",
      { ...count(), window: { type: "anniversary" } },
      "$.window: lacks the key `of`",
    ],
    [
      "an anniversary of a date",
      { ...count(), window: { type: "anniversary", of: "2024-02-29" } },
      "$.window.of: must be at most 64 letters, digits and underscores, and not begin with a digit",
    ],
    [
      "a group_by that is a word",
      { ...count(), group_by: "region" },
      "$.group_by: must be a list, found a string",
    ],
    ["a number in group_by", { ...count(), group_by: [1] }, "$.group_by.0: must be a text, found a number"],
    [
      "nine properties in group_by",
      { ...count(), group_by: Array.from({ length: 9 }, () => "region") },
      "$.group_by: must have at most 8 items",
    ],
    ["an unknown key", { ...count(), distinct: true }, "$: has an unknown key `distinct`"],
    [
      "a value that is no node",
      { ...sum(), value: 1 },
      "$.value: must be a node, an object with a `type`, found a number",
    ],
  ])("refuses %s", (_, input, message) => {
    expect(Either.match(decode(input), { onLeft: formatProblem, onRight: () => "accepted" })).toBe(message);
  });

  it("agrees with the published schema of the node", () => {
    const { AggregateNode, AggregateWindow, RollingWindow } = FormulaSchemas.jsonSchemas();
    expect(AggregateNode?.required).toEqual(["type", "function", "window"]);
    expect(AggregateWindow?.oneOf).toHaveLength(4);
    expect(RollingWindow?.properties?.days).toEqual({ type: "integer", minimum: 1, maximum: 3660 });
  });
});

describe("check", () => {
  it.each<readonly [string, Expression]>([
    ["a sum", sum()],
    ["a count with a condition", count({ where: property("renewal") })],
    ["a least value that coalesce replaces", coalesce(sum({ function: "min" }), number(0))],
    [
      "groups by required properties and by those with a default",
      sum({ group_by: ["region", "plan", "renewal", "online"] }),
    ],
    ["a division by a literal inside", sum({ value: divide(property("amount"), number(3)) })],
    [
      "a variable that the value binds itself",
      sum({
        value: { type: "let", bindings: [{ name: "x", value: property("amount") }], body: variable("x") },
      }),
    ],
    [
      "a variable of the same name outside",
      {
        type: "let",
        bindings: [{ name: "x", value: number(1) }],
        body: sum({
          value: { type: "let", bindings: [{ name: "x", value: property("amount") }], body: variable("x") },
        }),
      },
    ],
    ["eight aggregates", add(...Array.from({ length: 8 }, () => sum()))],
    ["a dynamic division beside an aggregate", coalesce(divide(sum(), property("amount")), number(0))],
  ])("accepts %s", (_, expression) => {
    expect(refusal(expression)).toBe("accepted");
  });

  const bound = (body: Expression): Expression => ({
    type: "let",
    bindings: [{ name: "net", value: property("amount") }],
    body,
  });

  it.each<readonly [string, unknown, string]>([
    ["a sum without a value", { ...sum(), value: undefined }, "$: lacks the key `value`, which sum needs"],
    [
      "a count with a value",
      count({ value: number(1) }),
      "$.value: must be left out, because count counts rows",
    ],
    ["a value that is a text", sum({ value: text("1") }), "$.value: must be a number, found a text"],
    [
      "a value that may be absent",
      sum({ value: property("discount") }),
      "$.value: value may be absent; wrap it in coalesce",
    ],
    [
      "a condition that is a number",
      count({ where: number(1) }),
      "$.where: must be a true/false value, found a number",
    ],
    [
      "a condition that may be absent",
      count({ where: property("trial") }),
      "$.where: a true/false value may be absent; wrap it in coalesce",
    ],
    [
      "an unknown property inside",
      add(number(1), sum({ value: property("gone") })),
      "$.operands.1.value.name: the schema has no property `gone`",
    ],
    [
      "a least value that may be absent",
      add(number(1), sum({ function: "min" })),
      "$.operands.1: value may be absent; wrap it in coalesce",
    ],
    ["a greatest value at the root", sum({ function: "max" }), "$: value may be absent; wrap it in coalesce"],
    [
      "an aggregate in the value of an aggregate",
      sum({ value: add(property("amount"), sum()) }),
      "$.value.operands.1: an aggregate cannot stand inside another aggregate",
    ],
    [
      "an aggregate in the condition of an aggregate",
      count({ where: { type: "compare", operator: "equal", left: count(), right: number(1) } }),
      "$.where.left: an aggregate cannot stand inside another aggregate",
    ],
    [
      "a variable bound outside",
      bound(sum({ value: variable("net") })),
      "$.body.value.name: `net` is bound outside the aggregate, whose value and where can use only the row",
    ],
    [
      "a variable bound nowhere",
      sum({ value: variable("net") }),
      "$.value.name: no enclosing `let` binds `net`",
    ],
    [
      "a quotient of properties inside",
      sum({ value: coalesce(divide(property("amount"), property("quantity")), number(0)) }),
      "$.value.operands.0.right: must be a literal other than 0 inside an aggregate",
    ],
    [
      "a division by the literal 0 inside",
      count({ where: { type: "is_present", operand: divide(number(1), number(0)) } }),
      "$.where.operand.right: must be a literal other than 0 inside an aggregate",
    ],
    [
      "an unknown group",
      sum({ group_by: ["region", "gone"] }),
      "$.group_by.1: the schema has no property `gone`",
    ],
    [
      "a group that is a number",
      sum({ group_by: ["amount"] }),
      "$.group_by.0: `amount` is a number; only text and true/false properties can group",
    ],
    [
      "a group that may be absent",
      sum({ group_by: ["region", "campaign"] }),
      "$.group_by.1: `campaign` may be absent; only required properties and those with a default can group",
    ],
    [
      "a group listed twice",
      sum({ group_by: ["region", "region"] }),
      "$.group_by.1: `region` is listed twice",
    ],
    [
      "a month that starts in another one",
      sum({ window: { type: "calendar", unit: "month", starts_in_month: 4 } }),
      "$.window.starts_in_month: only a quarter or a year can start in a month of your choice",
    ],
    [
      "nine aggregates",
      add(...Array.from({ length: 9 }, () => sum())),
      "$.operands.8: the formula has more than 8 aggregates",
    ],
  ])("refuses %s", (_, expression, message) => {
    expect(refusal(expression)).toBe(message);
  });

  it("bounds a sum by 40 bits more than its value, and a count by 40 bits", () => {
    const bitsOf = (expression: Expression) => checked(expression).bits;
    expect(bitsOf(property("amount"))).toBe(117);
    expect(bitsOf(sum())).toBe(157);
    expect(bitsOf(coalesce(sum({ function: "min" }), number(0)))).toBe(117);
    expect(bitsOf(count())).toBe(40);
    const product = (factors: number) =>
      multiply(...Array.from({ length: factors }, () => property("amount")));
    expect(bitsOf(sum({ value: product(4) }))).toBe(508);
    const product5 = multiply(product(4), number(1000));
    expect(bitsOf(product5)).toBe(478);
    expect(refusal(sum({ value: product5 }))).toMatch(/^\$: can grow too large: 518 bits, at most 512/);
    expect(refusal(multiply(sum(), sum(), sum(), sum()))).toMatch(/^\$: can grow too large: 628 bits/);
  });
});

describe("windows", () => {
  const from = (unit: "quarter" | "year", month: number): CalendarWindow => ({
    type: "calendar",
    unit,
    starts_in_month: month,
  });
  const since = (day: string): Windows.FixedWindow => ({ type: "anniversary", since: Date.parse(day) });
  const span = (window: Windows.FixedWindow, moment: string) => {
    const { from, to } = Windows.spanOf(window, Date.parse(moment));
    const shown = (limit: number | null) =>
      limit === null ? null : new Date(limit).toISOString().slice(0, 10);
    return [shown(from), shown(to)];
  };

  it.each<readonly [Windows.FixedWindow, string, ReadonlyArray<string | null>]>([
    [month, "2026-01-31T23:59:59.999Z", ["2026-01-01", "2026-02-01"]],
    [month, "2026-02-01T00:00:00Z", ["2026-02-01", "2026-03-01"]],
    [month, "2026-02-01T00:30:00+01:00", ["2026-01-01", "2026-02-01"]],
    [month, "2025-12-31T12:00:00Z", ["2025-12-01", "2026-01-01"]],
    [{ type: "calendar", unit: "quarter" }, "2026-03-31T23:59:59.999Z", ["2026-01-01", "2026-04-01"]],
    [{ type: "calendar", unit: "quarter" }, "2026-11-22", ["2026-10-01", "2027-01-01"]],
    [{ type: "calendar", unit: "year" }, "2024-02-29", ["2024-01-01", "2025-01-01"]],
    [from("year", 4), "2026-03-31T23:59:59.999Z", ["2025-04-01", "2026-04-01"]],
    [from("year", 4), "2026-04-01T00:00:00Z", ["2026-04-01", "2027-04-01"]],
    [from("year", 12), "2026-01-15", ["2025-12-01", "2026-12-01"]],
    [from("year", 1), "2026-01-01", ["2026-01-01", "2027-01-01"]],
    [from("quarter", 1), "2026-05-09", ["2026-04-01", "2026-07-01"]],
    [from("quarter", 2), "2026-01-31", ["2025-11-01", "2026-02-01"]],
    [from("quarter", 2), "2026-02-01", ["2026-02-01", "2026-05-01"]],
    [from("quarter", 12), "2026-02-28", ["2025-12-01", "2026-03-01"]],
    [from("quarter", 9), "2026-02-28", ["2025-12-01", "2026-03-01"]],
    [{ type: "rolling", days: 1 }, "2026-03-01T18:00:00Z", ["2026-03-01", "2026-03-02"]],
    [{ type: "rolling", days: 30 }, "2026-03-01T18:00:00Z", ["2026-01-31", "2026-03-02"]],
    [{ type: "rolling", days: 3660 }, "2026-01-01", ["2015-12-26", "2026-01-02"]],
    [{ type: "lifetime" }, "1970-01-01", [null, null]],
    [since("2023-05-15"), "2026-05-14T23:59:59.999Z", ["2025-05-15", "2026-05-15"]],
    [since("2023-05-15"), "2026-05-15T00:00:00Z", ["2026-05-15", "2027-05-15"]],
    [since("2023-05-15"), "2023-05-14", ["2022-05-15", "2023-05-15"]],
    [since("2024-02-29"), "2025-02-27", ["2024-02-29", "2025-02-28"]],
    [since("2024-02-29"), "2025-02-28", ["2025-02-28", "2026-02-28"]],
    [since("2024-02-29"), "2028-02-28", ["2027-02-28", "2028-02-29"]],
    [since("2024-02-29"), "2028-02-29", ["2028-02-29", "2029-02-28"]],
    [since("2024-02-29"), "2023-02-28", ["2023-02-28", "2024-02-29"]],
    [since("2030-12-31"), "2026-12-31", ["2026-12-31", "2027-12-31"]],
  ])("%j at %s is %j", (window, moment, days) => {
    expect(span(window, moment)).toEqual(days);
  });

  it("of an anniversary begin where date_difference counts one more year", () => {
    const days = 86_400_000;
    for (const joined of ["2024-02-29", "2023-03-01", "2025-12-31", "2020-02-28"])
      for (let day = Date.parse(joined); day < Date.parse("2033-01-10"); day += days) {
        const { from, to } = Windows.spanOf(since(joined), day);
        const years = (at: number | null) =>
          Calendar.difference("years", Date.parse(joined), at ?? Number.NaN);
        expect([from, to].map(years)).toEqual([years(day), years(day) + 1]);
        if (from !== null && from > Date.parse(joined)) expect(years(from - days)).toBe(years(from) - 1);
      }
  });

  it("of an anniversary have the day of their parameter, which is there and a date", () => {
    const window = { type: "anniversary", of: "joined_on" } as const;
    const fixed = (value: string | number) =>
      Windows.fixedWindow(window, { parameters: new Map([["joined_on", { value, since: null }]]) });
    expect(fixed("2024-02-29")).toEqual(since("2024-02-29"));
    expect(fixed("2024-02-29T23:30:00-03:00")).toEqual(since("2024-03-01"));
    expect(() => fixed(7)).toThrow("expected a date as the value of the parameter joined_on");
    expect(() => Windows.fixedWindow(window, {})).toThrow("joined_on");
    expect(Windows.fixedWindow(month, {})).toBe(month);
  });

  it("of an anniversary are within the days that some date of the parameter can give", () => {
    const window = { type: "anniversary", of: "joined_on" } as const;
    const start = Date.parse("2024-01-10");
    const days = Array.from({ length: 60 }, (_, index) => start + index * 13 * 86_400_000);
    for (const joined of ["2020-02-29", "2024-02-29", "2023-12-31", "2021-07-01"])
      for (const day of days) {
        const cover = Windows.coverOf(window, day);
        const { from, to } = Windows.spanOf(since(joined), day);
        expect([from, (to ?? 0) - 1].every((at) => at !== null && Windows.contains(cover, at))).toBe(true);
        for (const other of days)
          if (Windows.contains({ from, to }, other))
            expect(Windows.contains(Windows.reachOf(window, other), day)).toBe(true);
      }
  });

  it("have buckets that contain exactly the moments of the window", () => {
    const windows: ReadonlyArray<Exclude<Window, { readonly type: "anniversary" }>> = [
      month,
      { type: "calendar", unit: "quarter" },
      { type: "calendar", unit: "year" },
      ...[2, 12].flatMap((month) => [from("quarter", month), from("year", month)]),
      { type: "rolling", days: 1 },
      { type: "rolling", days: 7 },
      { type: "rolling", days: 90 },
      { type: "lifetime" },
    ];
    const start = Date.parse("2023-12-20T00:00:00Z");
    const moments = Array.from({ length: 120 }, (_, index) => start + index * 108_000_000 - (index % 2));
    for (const window of windows)
      for (const moment of moments.filter((_, index) => index % 7 === 0)) {
        const buckets = Windows.bucketsOf(window, moment);
        expect([...buckets].sort()).toEqual(buckets);
        const inSpan = Windows.spanOf(window, moment);
        for (const other of moments) {
          const isIn = Windows.contains(inSpan, other);
          expect(buckets.includes(Windows.bucketOf(window, other))).toBe(isIn);
          expect(Windows.contains(Windows.reachOf(window, other), moment)).toBe(isIn);
        }
      }
  });

  it("of an anniversary have the buckets of their days", () => {
    const window = { type: "anniversary", of: "joined_on" } as const;
    for (const [joined, length] of [
      ["2024-02-29", 365],
      ["2023-03-01", 366],
    ] as const) {
      const moment = Date.parse("2024-02-29T12:00:00Z");
      const buckets = Windows.bucketsOf(since(joined), moment);
      expect(buckets).toHaveLength(length);
      const { from, to } = Windows.spanOf(since(joined), moment);
      expect(buckets[0]).toBe(Windows.bucketOf(window, from ?? 0));
      expect(buckets.at(-1)).toBe(Windows.bucketOf(window, (to ?? 0) - 1));
      expect(new Set(buckets).size).toBe(length);
    }
  });

  it("name their buckets", () => {
    const moment = Date.parse("2026-05-09T23:00:00Z");
    expect(Windows.bucketOf(month, moment)).toBe("2026-05");
    expect(Windows.bucketOf({ type: "calendar", unit: "quarter" }, moment)).toBe("2026-Q2");
    expect(Windows.bucketOf({ type: "calendar", unit: "year" }, moment)).toBe("2026");
    expect(Windows.bucketOf(from("year", 6), moment)).toBe("2025-06");
    expect(Windows.bucketOf(from("quarter", 3), moment)).toBe("2026-03");
    expect(Windows.bucketOf({ type: "rolling", days: 9 }, moment)).toBe("2026-05-09");
    expect(Windows.bucketOf({ type: "lifetime" }, moment)).toBe("lifetime");
    expect(Windows.bucketsOf({ type: "rolling", days: 3 }, moment)).toEqual([
      "2026-05-07",
      "2026-05-08",
      "2026-05-09",
    ]);
  });
});

describe("evaluation", () => {
  const cents = (expression: Expression) => multiply(number(100), expression);

  it("has no rows for the first attribution, and never includes the attribution itself", () => {
    const [first] = amounts(add(cents(sum()), count()), [sale("2026-01-05", 100)]);
    expect(first).toBe(0);
    const least = coalesce(sum({ function: "min" }), number(-7));
    expect(amounts(least, [sale("2026-01-05", 100), sale("2026-01-05", 90)])).toEqual([-7, 100]);
  });

  it("computes every function of the rows in the window", () => {
    const arrivals = [
      sale("2026-01-05", 100.1),
      sale("2026-01-31T23:59:59.999Z", 300.25),
      sale("2026-02-01", 50),
      sale("2026-01-02", 0.05),
    ];
    expect(amounts(cents(sum()), arrivals)).toEqual([0, 10_010, 0, 40_035]);
    expect(amounts(count(), arrivals)).toEqual([0, 1, 0, 2]);
    const or = (name: "min" | "max") => cents(coalesce(sum({ function: name }), number(-1)));
    expect(amounts(or("min"), arrivals)).toEqual([-100, 10_010, -100, 10_010]);
    expect(amounts(or("max"), arrivals)).toEqual([-100, 10_010, -100, 30_025]);
  });

  it("counts a row that occurred later but arrived before", () => {
    expect(amounts(count(), [sale("2026-01-31", 1), sale("2026-01-01", 1)])).toEqual([0, 1]);
    const week = count({ window: { type: "rolling", days: 7 } });
    expect(amounts(week, [sale("2026-01-07T20:00:00Z", 1), sale("2026-01-07T08:00:00Z", 1)])).toEqual([0, 1]);
    expect(amounts(week, [sale("2026-01-08", 1), sale("2026-01-07", 1), sale("2026-01-14", 1)])).toEqual([
      0, 0, 1,
    ]);
  });

  it("has one group when group_by is empty, as without it", () => {
    const arrivals = [
      sale("2026-01-01", 1, { region: "north" }),
      sale("2026-01-02", 2, { region: "south" }),
      sale("2026-01-03", 4, { region: "north" }),
    ];
    expect(amounts(cents(sum({ group_by: [] })), arrivals)).toEqual([0, 100, 300]);
    const last = sale("2026-01-05", 1);
    expect(explain(compile(checked(sum({ group_by: [] }))), last, { history: arrivals }).result).toEqual(
      explain(compile(checked(sum())), last, { history: arrivals }).result,
    );
  });

  it("separates groups, including those of default values", () => {
    const byPlan = count({ group_by: ["region", "plan"] });
    const arrivals = [
      sale("2026-01-01", 1, { region: "EU" }),
      sale("2026-01-02", 1, { region: "EU", plan: "basic" }),
      sale("2026-01-03", 1, { region: "US" }),
      sale("2026-01-04", 1, { region: "EU", plan: "pro" }),
      sale("2026-01-05", 1, { region: "EU" }),
    ];
    expect(amounts(byPlan, arrivals)).toEqual([0, 1, 0, 0, 2]);
  });

  it("applies the condition and the value to each row, not to the attribution that is evaluated", () => {
    const online = sum({
      value: multiply(property("amount"), percent(50)),
      where: { type: "compare", operator: "equal", left: property("online"), right: truth(true) },
    });
    const arrivals = [
      sale("2026-01-01", 10),
      sale("2026-01-02", 20, { online: false }),
      sale("2026-01-03", 40, { online: false }),
      sale("2026-01-04", 80),
    ];
    expect(amounts(cents(online), arrivals)).toEqual([0, 500, 500, 500]);
  });

  it("is exact beyond the precision of doubles", () => {
    const thirds = sum({ value: divide(property("amount"), number(3)), window: { type: "lifetime" } });
    const sales = Array.from({ length: 30 }, () => sale("2026-01-01", 0.1));
    expect(amounts(multiply(number(1_000_000), thirds), sales).at(-1)).toBe(966_667);
    const large = [sale("2026-01-01", 999_999_999_999_999), sale("2026-01-01", 0.01), sale("2026-01-01", 1)];
    const rest = cents(subtract(sum(), number(999_999_999_999_999)));
    expect(amounts(rest, large)).toEqual(["OVERFLOW", 0, 1]);
  });

  it("reads totals with more decimals than those before, and totals beyond the fast path", () => {
    const fine = [0.5, 0.123456789, 1e-20, 1e15, 2.5].map((amount) => sale("2026-01-01", amount));
    const formula = compile(checked(add(sum(), property("amount"))));
    for (const index of fine.keys())
      expect(typeof amountAfter(formula, fine.slice(0, index), fine[index] as Facts)).toBe("number");
    expect(evaluate(formula, fine[0] as Facts, [{ rows: 1, numerator: 10n ** 36n }])).toEqual(
      Either.left(expect.objectContaining({ code: "OVERFLOW" })),
    );
  });

  it("refuses totals that are not those of its aggregates", () => {
    const formula = compile(checked(sum()));
    expect(() => evaluate(formula, factsWith())).toThrow("expected 1 totals, found 0");
    expect(() => explain(formula, factsWith())).toThrow("expected 1 totals");
    const none: RunningTotal = { rows: 0, numerator: 0n };
    expect(() => evaluate(compile(checked(property("amount"))), factsWith(), [none])).toThrow(
      "expected 0 totals, found 1",
    );
  });

  it("finds aggregates in the same order in every run, with the path of each", () => {
    const formula = compile(checked(add(sum(), coalesce(sum({ function: "max" }), count()))));
    expect(
      formula.aggregates.map(({ path, function: name, denominator }) => [path, name, denominator]),
    ).toEqual([
      ["$.operands.0", "sum", 10n ** 20n],
      ["$.operands.1.operands.0", "max", 10n ** 20n],
      ["$.operands.1.operands.1", "count", 1n],
    ]);
    expect(compile(checked(property("amount"))).aggregates).toEqual([]);
  });
});

describe("totals", () => {
  const only = (expression: Expression) => {
    const [aggregate] = compile(checked(expression)).aggregates;
    if (aggregate === undefined) throw new Error("no aggregate");
    return aggregate;
  };

  it("contribute numerators over the denominator of the aggregate, and nothing where the condition excludes the row", () => {
    expect(contribution(only(sum()), sale("2026-01-01", 120.55))).toBe(12_055n * 10n ** 18n);
    expect(contribution(only(count()), sale("2026-01-01", 120.55))).toBe(1n);
    expect(contribution(only(sum({ value: divide(number(2), number(3)) })), factsWith())).toBe(2n);
    expect(contribution(only(count({ where: property("renewal") })), factsWith())).toBeNull();
  });

  it("have one key per group", () => {
    expect(groupKey(only(sum()), factsWith())).toBe("[]");
    const grouped = only(sum({ group_by: ["plan", "renewal"] }));
    expect(groupKey(grouped, factsWith())).toBe('["basic",false]');
    expect(groupKey(grouped, factsWith({ plan: '"],[', renewal: true }))).toBe('["\\"],[",true]');
  });

  it("subtract a removed row, or report that they must be recounted", () => {
    const total = (rows: number, numerator: bigint): RunningTotal => ({ rows, numerator });
    expect(subtractFromTotal({ function: "sum" }, total(3, 10n), 4n)).toEqual(total(2, 6n));
    expect(subtractFromTotal({ function: "sum" }, total(3, 10n), null)).toEqual(total(3, 10n));
    expect(subtractFromTotal({ function: "min" }, total(3, 10n), 10n)).toBeNull();
    expect(subtractFromTotal({ function: "min" }, total(3, 10n), 11n)).toEqual(total(2, 10n));
    expect(subtractFromTotal({ function: "max" }, total(1, 10n), 10n)).toEqual({ rows: 0, numerator: null });
    expect(combineTotals({ function: "max" }, [])).toEqual(emptyTotal({ function: "max" }));
  });

  it("of a history equal the totals that evaluation computes", () => {
    const { aggregates } = compile(checked(add(sum(), count({ group_by: ["region"] }))));
    const history = [sale("2026-01-01", 1.5), sale("2026-01-02", 2, { region: "US" }), sale("2026-02-02", 4)];
    expect(totalsBefore(aggregates, history, sale("2026-01-31", 9))).toEqual([
      { rows: 2, numerator: 35n * 10n ** 19n },
      { rows: 1, numerator: 1n },
    ]);
  });
});

describe("explanation", () => {
  const explained = (expression: Expression, before: Before, facts: Facts) =>
    explain(compile(checked(expression)), facts, before);

  it("shows the days of the window, the group, the rows and the total before", () => {
    const history = [sale("2026-01-01", 1.5), sale("2026-01-02", 2), sale("2026-02-02", 4)];
    const { trace } = explained(sum({ group_by: ["region"] }), { history }, sale("2026-01-31", 9));
    expect(trace.filter(({ type }) => type === "aggregate")).toEqual([
      {
        path: "$",
        type: "aggregate",
        value: "3.5",
        detail: {
          function: "sum",
          window: { type: "calendar", unit: "month" },
          first_day: "2026-01-01",
          last_day: "2026-01-31",
          group: [{ name: "region", value: "EU" }],
          value: { type: "property", name: "amount" },
          where: null,
          rows: 2,
        },
      },
    ]);
  });

  it("does not list the evaluation of the rows", () => {
    const { trace } = explained(sum(), { history: [sale("2026-01-01", 1)] }, sale("2026-01-02", 1));
    expect(trace.map(({ path, type }) => `${path} ${type}`)).toEqual(["$ final", "$ aggregate"]);
  });
});

describe("a formula without an aggregate", () => {
  it("needs no totals", () => {
    const formula = compile(
      Either.getOrThrow(Either.flatMap(decode(property("amount")), (e) => check(e, properties))),
    );
    expect(evaluate(formula, factsWith({ amount: 3 }))).toEqual(Either.right(3));
  });
});
