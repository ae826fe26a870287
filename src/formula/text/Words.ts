/**
 * The words and signs of the text form: the one table that the lexer, the parser and the printer share. A node that needs
 * no syntax of its own is a line here.
 */
import * as Calendar from "../Calendar.ts";
import * as Expression from "../Expression.ts";
import * as Rounding from "../Rounding.ts";

/** The nodes that have nothing but operands. */
export type RunType = "add" | "multiply" | "and" | "or" | "coalesce";

/** How tightly a form binds, from a whole expression to one that needs no parentheses anywhere. */
export const LEVELS = {
  expression: 0,
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  sum: 5,
  product: 6,
  prefix: 7,
  primary: 8,
} as const;

/** One of {@link LEVELS}. */
export type Level = (typeof LEVELS)[keyof typeof LEVELS];

/**
 * The nodes that are written as a run of one sign, `a + b + c`, with the level of such a run. One operand alone has no
 * sign, and is written as a call of the name: `add(a)`.
 */
export const RUNS: {
  readonly [T in RunType]: { readonly sign: string; readonly level: Level; readonly call: string };
} = {
  add: { sign: "+", level: LEVELS.sum, call: "add" },
  multiply: { sign: "*", level: LEVELS.product, call: "multiply" },
  and: { sign: "and", level: LEVELS.and, call: "all" },
  or: { sign: "or", level: LEVELS.or, call: "any" },
  coalesce: { sign: "??", level: LEVELS.expression, call: "first" },
};

/** The nodes with a left and a right side that stand at the level of a run, by that run. */
export const PAIRS: {
  readonly [T in "subtract" | "divide"]: { readonly sign: string; readonly run: "add" | "multiply" };
} = {
  subtract: { sign: "-", run: "add" },
  divide: { sign: "/", run: "multiply" },
};

/** The nodes that are written as a function of their operand or operands, with the name of the function. */
export const OPERAND_CALLS = { min: "min", max: "max", parse_date: "date" } as const satisfies Readonly<
  Record<keyof typeof Expression.FUNCTION_SUMMARIES, string>
>;

/** One of the kinds of {@link OPERAND_CALLS}. */
export type OperandCall = keyof typeof OPERAND_CALLS;

/** The other functions. */
export const CALLS = { round: "round", tiers: "tiers", bands: "bands" } as const;

/** The name before the dot of an attribute. */
export const SALE = "sale";

/** The name before the dot of a parameter. */
export const PLAN = "plan";

/** The signs of comparisons. */
export const COMPARISONS: { readonly [C in Expression.Comparison]: string } = {
  equal: "=",
  not_equal: "<>",
  less_than: "<",
  less_than_or_equal: "<=",
  greater_than: ">",
  greater_than_or_equal: ">=",
};

/** Words by what they stand for, which is named by the same words. */
const spoken = <Key extends string>(keys: ReadonlyArray<Key>): { readonly [K in Key]: string } =>
  // Every key has its words.
  Object.fromEntries(keys.map((key) => [key, key.replaceAll("_", " ")])) as { readonly [K in Key]: string };

/** The words that match texts; the first of them is reserved. */
export const TEXT_MATCHES = spoken(Expression.TEXT_MATCHES);

/** The words for the parts of a date, before `of`. */
export const PARTS: { readonly [P in Calendar.Part]: string } = {
  ...spoken(Calendar.PARTS),
  day_of_week: "weekday",
};

/** The words for the units of a difference of dates, before `from`. */
export const UNITS = spoken(Calendar.UNITS);

/** The rounding modes. */
export const MODES = spoken(Rounding.MODES);

/** The words after the number of a band. */
export const UPPER_BOUNDS = spoken(Expression.UPPER_BOUNDS);

/** The words for calendar windows, after `this`. */
export const CALENDAR_UNITS = spoken(Expression.CALENDAR_UNITS);

/** The months in which a calendar window can start, January first. */
export const MONTHS: ReadonlyArray<string> = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** The words for the functions of an aggregate. */
export const AGGREGATES: { readonly [F in Expression.AggregateFunction]: string } = {
  sum: "sum",
  count: "count",
  min: "least",
  max: "greatest",
};

/** The signs and reserved words that join an operand to the one before, so that a line that begins with one continues. */
const JOINING: ReadonlyArray<string> = [
  ...["+", "-", "*", "/", "=", "<>", "<", "<=", ">", ">=", "??", "%", "{"],
  ...["and", "or", "in", "is", "starts", "ends", "contains", "then", "else", "of", "from", "to"],
  ...["earlier", "by", "where", "plus"],
];

/** Reserved words after which an expression can end, or that begin one. */
const OTHER_RESERVED: ReadonlyArray<string> = ["true", "false", "bp", "not", "if", "choose"];

/** The words that are never a name by themselves. All others are words of the language only in their places. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...JOINING.filter((text) => /^\w/.test(text)),
  ...OTHER_RESERVED,
]);

/** What a line cannot begin with unless it continues the one before. */
export const CONTINUES: ReadonlySet<string> = new Set(JOINING);

/** What a line cannot end with unless the next one continues it. */
export const IS_CONTINUED: ReadonlySet<string> = new Set(
  [...JOINING, "not", "if", "choose"].filter((text) => text !== "%"),
);

/** What people write for a sign of the language, and the sign. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    ["=", "=="],
    ["<>", "!= ≠"],
    ["<=", "=< ≤"],
    [">=", "=> ≥"],
    ["and", "&&"],
    ["or", "||"],
    ["not", "!"],
    ["*", "× ·"],
    ["/", "÷"],
    ["-", "− – —"],
    ['"', "“ ” „ « » ' ‘ ’"],
  ].flatMap(([sign = "", alike = ""]) => alike.split(" ").map((item) => [item, sign] as const)),
);
