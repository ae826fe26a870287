import { PARTS, UNITS } from "./Calendar.ts";
import * as Limits from "./Limits.ts";
import { MODES } from "./Rounding.ts";
import { choice, type Field, records, type Shape } from "./Shape.ts";

/** A number written as such: `{ "type": "number", "value": 12.5 }`. */
export type NumberValue = { readonly type: "number"; readonly value: number };

/** A number written in hundredths: 7.5 means 0.075. */
export type PercentValue = { readonly type: "percent"; readonly value: number };

/** A number written in ten-thousandths: 250 means 0.025. */
export type BasisPointsValue = { readonly type: "basis_points"; readonly value: number };

/** A text, compared code unit by code unit. */
export type StringValue = { readonly type: "string"; readonly value: string };

/** True or false. */
export type BooleanValue = { readonly type: "boolean"; readonly value: boolean };

/** A moment: `YYYY-MM-DD` (midnight UTC) or RFC 3339 with `Z` or an offset. */
export type DateValue = { readonly type: "date"; readonly value: string };

/** The three ways to write a number; they differ for readers, not for arithmetic. */
export type NumericValue = NumberValue | PercentValue | BasisPointsValue;

/** A constant in a literal, a lookup key, a threshold or a list of values. */
export type Value = NumericValue | StringValue | BooleanValue | DateValue;

/**
 * The facts of an attribution that every schema has; `created_at`, `occurred_at` and `occurred_on` are dates, `credit_share`,
 * `credit_depth` and `sellers_commission` numbers; `agent_id` may be absent.
 */
export const ATTRIBUTES = [
  "id",
  "partner_id",
  "customer_id",
  "workspace_id",
  "schema_id",
  "agent_id",
  "created_at",
  "occurred_at",
  "occurred_on",
  "credit_role",
  "credit_share",
  "credit_depth",
  "sellers_commission",
] as const;

/** The attributes that are dates. */
export const DATE_ATTRIBUTES: ReadonlySet<string> = new Set(["created_at", "occurred_at", "occurred_on"]);

/** The attributes that are numbers. */
export const NUMBER_ATTRIBUTES: ReadonlySet<string> = new Set([
  "credit_share",
  "credit_depth",
  "sellers_commission",
]);

/** One of {@link ATTRIBUTES}. */
export type Attribute = (typeof ATTRIBUTES)[number];

/** The comparisons; the four that order apply to numbers and dates only. */
export const COMPARISONS = [
  "equal",
  "not_equal",
  "less_than",
  "less_than_or_equal",
  "greater_than",
  "greater_than_or_equal",
] as const;

/** One of {@link COMPARISONS}. */
export type Comparison = (typeof COMPARISONS)[number];

/** What an aggregate computes of its rows. */
export const AGGREGATE_FUNCTIONS = ["sum", "count", "min", "max"] as const;

/** One of {@link AGGREGATE_FUNCTIONS}. */
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

/** The calendar periods, in UTC, that the window of an aggregate can be. */
export const CALENDAR_UNITS = ["month", "quarter", "year"] as const;

/** One of {@link CALENDAR_UNITS}. */
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** The ways a text can be matched, all of them case-sensitive. */
export const TEXT_MATCHES = ["starts_with", "ends_with", "contains"] as const;

/** One of {@link TEXT_MATCHES}. */
export type TextMatch = (typeof TEXT_MATCHES)[number];

/** True if an input equal to the upper bound of a band still belongs to it (`inclusive`, the default). */
export const UPPER_BOUNDS = ["inclusive", "exclusive"] as const;

/** One of {@link UPPER_BOUNDS}. */
export type UpperBound = (typeof UPPER_BOUNDS)[number];

/**
 * The calendar month, quarter or year around the calendar day of an attribution. Quarters and years begin in January, or with
 * the month `starts_in_month` (1 to 12); a month has none.
 */
export type CalendarWindow = {
  readonly type: "calendar";
  readonly unit: CalendarUnit;
  readonly starts_in_month?: number;
};

/** The calendar day of an attribution and the `days - 1` days before it. */
export type RollingWindow = { readonly type: "rolling"; readonly days: number };

/** All of time. */
export type LifetimeWindow = { readonly type: "lifetime" };

/**
 * The year around the calendar day of an attribution that begins on an anniversary of the date that the parameter `of` has for it.
 * The anniversary of 29 February is 28 February in a year without that day.
 */
export type AnniversaryWindow = { readonly type: "anniversary"; readonly of: string };

/** Which dates an aggregate takes in, as seen from the date of the attribution that is evaluated. */
export type Window = CalendarWindow | RollingWindow | LifetimeWindow | AnniversaryWindow;

const EXPRESSION = { type: "expression" } as const;
const TEXT = { type: "text" } as const;
const IDENTIFIER = { type: "identifier" } as const;
const OPTIONAL_EXPRESSION = { ...EXPRESSION, optional: true } as const;
const OPTIONAL_NUMBER = { type: "numeric_value", optional: true } as const;
const OPERANDS = { operands: { type: "expressions", limit: Limits.OPERANDS_MAX } } as const;
const SIDES = { left: EXPRESSION, right: EXPRESSION };

/**
 * The fields of every kind of node: their types, decoding, the published JSON schema and the walk over the nodes inside a node
 * follow from it. A new kind is added here; the compiler then asks for the rest.
 */
export const GRAMMAR = {
  literal: { value: { type: "value" } },
  attribute: { name: choice(ATTRIBUTES) },
  property: { name: TEXT },
  parameter: { name: IDENTIFIER },
  variable: { name: TEXT },
  let: {
    bindings: records(Limits.BINDINGS_MAX, { name: TEXT, value: EXPRESSION }),
    body: EXPRESSION,
  },
  add: OPERANDS,
  multiply: OPERANDS,
  min: OPERANDS,
  max: OPERANDS,
  subtract: SIDES,
  divide: SIDES,
  round: {
    operand: EXPRESSION,
    mode: choice(MODES),
    increment: OPTIONAL_NUMBER,
  },
  band: {
    input: EXPRESSION,
    upper_bound: { ...choice(UPPER_BOUNDS), optional: true },
    bands: records(Limits.OPERANDS_MAX, { up_to: OPTIONAL_NUMBER, value: EXPRESSION }),
  },
  graduated: {
    amount: EXPRESSION,
    offset: OPTIONAL_EXPRESSION,
    tiers: records(Limits.OPERANDS_MAX, {
      up_to: OPTIONAL_NUMBER,
      rate: EXPRESSION,
      flat: OPTIONAL_EXPRESSION,
    }),
  },
  compare: { operator: choice(COMPARISONS), ...SIDES },
  and: OPERANDS,
  or: OPERANDS,
  not: { operand: EXPRESSION },
  in: { operand: EXPRESSION, values: { type: "values", limit: Limits.ENTRIES_MAX } },
  text_match: { operator: choice(TEXT_MATCHES), operand: EXPRESSION, text: TEXT },
  case: {
    branches: records(Limits.OPERANDS_MAX, { when: EXPRESSION, then: EXPRESSION }),
    else: EXPRESSION,
  },
  lookup: {
    key: EXPRESSION,
    entries: records(Limits.ENTRIES_MAX, { key: { type: "value" }, value: EXPRESSION }),
    default: EXPRESSION,
  },
  coalesce: OPERANDS,
  is_present: { operand: EXPRESSION },
  parse_date: { operand: EXPRESSION },
  date_part: { part: choice(PARTS), operand: EXPRESSION },
  date_difference: { unit: choice(UNITS), from: EXPRESSION, to: EXPRESSION },
  aggregate: {
    function: choice(AGGREGATE_FUNCTIONS),
    value: OPTIONAL_EXPRESSION,
    where: OPTIONAL_EXPRESSION,
    window: { type: "window" },
    group_by: { type: "texts", limit: Limits.GROUP_PROPERTIES_MAX, optional: true },
    role: { type: "text", optional: true },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;

/** The meaning of the nodes that are functions of operands and nothing else, as the JSON schema and editors state it. */
export const FUNCTION_SUMMARIES = {
  min: "The least of the operands; limits an amount from above.",
  max: "The greatest of the operands; limits an amount from below.",
  parse_date: "The date that an ISO 8601 text such as 2026-01-31 names; absent when it names none.",
} as const satisfies Readonly<Partial<Record<Kind, string>>>;

/** The meaning of all other kinds of node, as the JSON schema states it. */
export const SUMMARIES: Readonly<Record<Exclude<Kind, keyof typeof FUNCTION_SUMMARIES>, string>> = {
  literal: "A constant.",
  attribute:
    "A fact that every attribution has; agent_id may be absent, created_at, occurred_at and occurred_on (its calendar day) are dates. credit_role, credit_share and credit_depth are those of the partner's credit: of a sale without others seller, 1 and 0. sellers_commission is what the sellers below the credit earn from the sale, in the smallest unit of the formula's currency; only formulas whose roles are without seller may read it, and not inside an aggregate.",
  property: "A property of the attribution; possibly absent when it is neither required nor has a default.",
  parameter:
    "A parameter that the formula or plan declares, with the value that it has for the partner at the date of the attribution; never absent.",
  variable: "The value of the nearest enclosing binding of that name.",
  let: "Named steps, each evaluated once and in order, and the expression that uses them.",
  add: "The sum of the operands.",
  multiply: "The product of the operands.",
  subtract: "left minus right.",
  divide: "left divided by right, exactly; absent when right is 0.",
  round: "The operand rounded to a multiple of the increment (default 1); half_up sends ties away from zero.",
  band: "A step function: the value of the first band whose upper bound the input does not pass.",
  graduated:
    "Tiers: every tier's rate on the part of the amount inside it, plus its flat once entered; offset is the amount counted before.",
  compare: "A comparison of two values of one type; the orders apply to numbers and dates.",
  and: "True when every operand is.",
  or: "True when some operand is.",
  not: "The opposite of the operand.",
  in: "Whether the operand is one of the values.",
  text_match: "Whether a text starts with, ends with or contains another.",
  case: "The value of the first branch whose condition is true, else the value of else.",
  lookup: "A table: the value of the key, else the default.",
  coalesce: "The first operand that is present.",
  is_present: "Whether the operand has a value.",
  date_part: "A part of a date in UTC; day_of_week is 1 for Monday to 7 for Sunday.",
  date_difference: "Complete units between two dates, negative when to is the earlier.",
  aggregate:
    "The sum, number, least or greatest over the confirmed attributions of the same partner, workspace and schema that arrived earlier and occurred in the window, with equal group_by properties and the same role of the credit, or with role, where the condition is true. Every function but count needs a value; min and max are absent without a row.",
};

/** The values of fields, by the type of their shape; choices and records depend on more than that. */
type Values = {
  readonly expression: Expression;
  readonly expressions: ReadonlyArray<Expression>;
  readonly value: Value;
  readonly values: ReadonlyArray<Value>;
  readonly numeric_value: NumericValue;
  readonly text: string;
  readonly identifier: string;
  readonly texts: ReadonlyArray<string>;
  readonly integer: number;
  readonly window: Window;
};

type ValueOf<S extends Shape> = S extends { readonly type: keyof Values }
  ? Values[S["type"]]
  : S extends { readonly choices: ReadonlyArray<infer Word> }
    ? Word
    : S extends { readonly fields: infer Fields extends Readonly<Record<string, Field>> }
      ? ReadonlyArray<Flat<RecordOf<Fields>>>
      : never;

type Optional = { readonly optional: true };

type Flat<T> = { readonly [K in keyof T]: T[K] };

type RecordOf<Fields extends Readonly<Record<string, Field>>> = {
  readonly [F in keyof Fields as Fields[F] extends Optional ? never : F]: ValueOf<Fields[F]>;
} & {
  readonly [F in keyof Fields as Fields[F] extends Optional ? F : never]?: ValueOf<Fields[F]>;
};

/** The nodes by their kinds. */
type Nodes = {
  readonly [K in keyof typeof GRAMMAR]: Flat<{ readonly type: K } & RecordOf<(typeof GRAMMAR)[K]>>;
};

/** The name of a kind of node. */
export type Kind = keyof Nodes;

/** The node of a kind. */
export type Node<K extends Kind> = Nodes[K];

/** A node of the commission formula language: plain JSON, discriminated by `type`. */
export type Expression = Nodes[Kind];

/** A constant. */
export type Literal = Node<"literal">;

/** A fact that every attribution has. */
export type AttributeReference = Node<"attribute">;

/** A property of the attribution, as its schema defines it. */
export type PropertyReference = Node<"property">;

/** A parameter that the formula declares, with the value that it has for the partner at the date of the attribution. */
export type ParameterReference = Node<"parameter">;

/** The value of the nearest enclosing binding of that name. */
export type Variable = Node<"variable">;

/** A named step: evaluated once, before the body and before the bindings that follow it. */
export type Binding = Let["bindings"][number];

/** Named steps and the expression that uses them. */
export type Let = Node<"let">;

/** The sum of its operands. */
export type Add = Node<"add">;

/** The product of its operands. */
export type Multiply = Node<"multiply">;

/** The least of its operands. */
export type Min = Node<"min">;

/** The greatest of its operands. */
export type Max = Node<"max">;

/** `left` minus `right`. */
export type Subtract = Node<"subtract">;

/** `left` divided by `right`, exactly; absent when `right` is 0. */
export type Divide = Node<"divide">;

/** The operand rounded to a multiple of `increment` (default 1). */
export type Round = Node<"round">;

/** One step of a step function; only the last band has no upper bound. */
export type BandStep = Band["bands"][number];

/** A step function: the value of the first band whose upper bound the input does not pass. */
export type Band = Node<"band">;

/** One tier of a graduated scale; only the last tier has no upper bound. */
export type Tier = Graduated["tiers"][number];

/**
 * The commission on `amount` when `offset` (default 0) has been counted before: G(offset + amount) - G(offset),
 * where G(x) pays, for every tier, its rate on the part of x inside it, and its `flat` once x has entered it.
 * G(-x) = -G(x), so a refund mirrors the sale.
 */
export type Graduated = Node<"graduated">;

/** A comparison of two values of one type. */
export type Compare = Node<"compare">;

/** True when every operand is, from left to right, stopping at the first that is not. */
export type And = Node<"and">;

/** True when some operand is, from left to right, stopping at the first that is. */
export type Or = Node<"or">;

/** The opposite of its operand. */
export type Not = Node<"not">;

/** True if the operand is one of the values. */
export type In = Node<"in">;

/** True if a text starts with, ends with or contains another. */
export type TextMatching = Node<"text_match">;

/** One branch of a {@link Case}. */
export type Branch = Case["branches"][number];

/** The value of the first branch whose condition is true, else the value of `else`. */
export type Case = Node<"case">;

/** One row of a {@link Lookup}. */
export type Entry = Lookup["entries"][number];

/** A table: the value of the entry equal to `key`, else `default`. */
export type Lookup = Node<"lookup">;

/** The first operand that is present. */
export type Coalesce = Node<"coalesce">;

/** True if the operand has a value. */
export type IsPresent = Node<"is_present">;

/** The date that a text names, absent when it names none. */
export type ParseDate = Node<"parse_date">;

/** A part of a date in UTC, as a number. */
export type DatePart = Node<"date_part">;

/** Complete units between two dates, negative when `to` is the earlier. */
export type DateDifference = Node<"date_difference">;

/**
 * The sum, number, least or greatest over earlier attributions. Its rows are the confirmed attributions of the same partner,
 * workspace and schema that arrived before the one evaluated, with its role or with `role`, whose calendar day is in the window,
 * whose `group_by` properties are equal, and for which `where` is true. `value` and `where` are evaluated for each row. `min` and `max`
 * are absent when there is no row.
 */
export type Aggregate = Node<"aggregate">;
