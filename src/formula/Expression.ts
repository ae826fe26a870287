import type { Part, Unit } from "./Calendar.ts";
import type { Mode } from "./Rounding.ts";

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

/** A constant. */
export type Literal = { readonly type: "literal"; readonly value: Value };

/** A fact that every attribution has. */
export type AttributeReference = { readonly type: "attribute"; readonly name: Attribute };

/** A property of the attribution, as its schema defines it. */
export type PropertyReference = { readonly type: "property"; readonly name: string };

/** A parameter that the formula declares, with the value that it has for the partner at the date of the attribution. */
export type ParameterReference = { readonly type: "parameter"; readonly name: string };

/** The value of the nearest enclosing binding of that name. */
export type Variable = { readonly type: "variable"; readonly name: string };

/** A named step: evaluated once, before the body and before the bindings that follow it. */
export type Binding = { readonly name: string; readonly value: Expression };

/** Named steps and the expression that uses them. */
export type Let = {
  readonly type: "let";
  readonly bindings: ReadonlyArray<Binding>;
  readonly body: Expression;
};

/** The sum of its operands. */
export type Add = { readonly type: "add"; readonly operands: ReadonlyArray<Expression> };

/** The product of its operands. */
export type Multiply = { readonly type: "multiply"; readonly operands: ReadonlyArray<Expression> };

/** The least of its operands. */
export type Min = { readonly type: "min"; readonly operands: ReadonlyArray<Expression> };

/** The greatest of its operands. */
export type Max = { readonly type: "max"; readonly operands: ReadonlyArray<Expression> };

/** `left` minus `right`. */
export type Subtract = { readonly type: "subtract"; readonly left: Expression; readonly right: Expression };

/** `left` divided by `right`, exactly; absent when `right` is 0. */
export type Divide = { readonly type: "divide"; readonly left: Expression; readonly right: Expression };

/** The operand rounded to a multiple of `increment` (default 1). */
export type Round = {
  readonly type: "round";
  readonly operand: Expression;
  readonly mode: Mode;
  readonly increment?: NumericValue;
};

/** One step of a step function; only the last band has no upper bound. */
export type BandStep = { readonly up_to?: NumericValue; readonly value: Expression };

/** A step function: the value of the first band whose upper bound the input does not pass. */
export type Band = {
  readonly type: "band";
  readonly input: Expression;
  readonly upper_bound?: UpperBound;
  readonly bands: ReadonlyArray<BandStep>;
};

/** One tier of a graduated scale; only the last tier has no upper bound. */
export type Tier = {
  readonly up_to?: NumericValue;
  readonly rate: Expression;
  readonly flat?: Expression;
};

/**
 * The commission on `amount` when `offset` (default 0) has been counted before: G(offset + amount) - G(offset),
 * where G(x) pays, for every tier, its rate on the part of x inside it, and its `flat` once x has entered it.
 * G(-x) = -G(x), so a refund mirrors the sale.
 */
export type Graduated = {
  readonly type: "graduated";
  readonly amount: Expression;
  readonly offset?: Expression;
  readonly tiers: ReadonlyArray<Tier>;
};

/** A comparison of two values of one type. */
export type Compare = {
  readonly type: "compare";
  readonly operator: Comparison;
  readonly left: Expression;
  readonly right: Expression;
};

/** True when every operand is, from left to right, stopping at the first that is not. */
export type And = { readonly type: "and"; readonly operands: ReadonlyArray<Expression> };

/** True when some operand is, from left to right, stopping at the first that is. */
export type Or = { readonly type: "or"; readonly operands: ReadonlyArray<Expression> };

/** The opposite of its operand. */
export type Not = { readonly type: "not"; readonly operand: Expression };

/** True if the operand is one of the values. */
export type In = { readonly type: "in"; readonly operand: Expression; readonly values: ReadonlyArray<Value> };

/** True if a text starts with, ends with or contains another. */
export type TextMatching = {
  readonly type: "text_match";
  readonly operator: TextMatch;
  readonly operand: Expression;
  readonly text: string;
};

/** One branch of a {@link Case}. */
export type Branch = { readonly when: Expression; readonly then: Expression };

/** The value of the first branch whose condition is true, else the value of `else`. */
export type Case = {
  readonly type: "case";
  readonly branches: ReadonlyArray<Branch>;
  readonly else: Expression;
};

/** One row of a {@link Lookup}. */
export type Entry = { readonly key: Value; readonly value: Expression };

/** A table: the value of the entry equal to `key`, else `default`. */
export type Lookup = {
  readonly type: "lookup";
  readonly key: Expression;
  readonly entries: ReadonlyArray<Entry>;
  readonly default: Expression;
};

/** The first operand that is present. */
export type Coalesce = { readonly type: "coalesce"; readonly operands: ReadonlyArray<Expression> };

/** True if the operand has a value. */
export type IsPresent = { readonly type: "is_present"; readonly operand: Expression };

/** The date that a text names, absent when it names none. */
export type ParseDate = { readonly type: "parse_date"; readonly operand: Expression };

/** A part of a date in UTC, as a number. */
export type DatePart = { readonly type: "date_part"; readonly part: Part; readonly operand: Expression };

/** Complete units between two dates, negative when `to` is the earlier. */
export type DateDifference = {
  readonly type: "date_difference";
  readonly unit: Unit;
  readonly from: Expression;
  readonly to: Expression;
};

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

/**
 * The sum, number, least or greatest over earlier attributions. Its rows are the confirmed attributions of the same partner,
 * workspace and schema that arrived before the one evaluated, with its role or with `role`, whose calendar day is in the window,
 * whose `group_by` properties are equal, and for which `where` is true. `value` and `where` are evaluated for each row. `min` and `max`
 * are absent when there is no row.
 */
export type Aggregate = {
  readonly type: "aggregate";
  readonly function: AggregateFunction;
  readonly value?: Expression;
  readonly where?: Expression;
  readonly window: Window;
  readonly group_by?: ReadonlyArray<string>;
  /** The role of the rows; that of the attribution that is evaluated where it is absent. */
  readonly role?: string;
};

/** A node of the commission formula language: plain JSON, discriminated by `type`. */
export type Expression =
  | Literal
  | AttributeReference
  | PropertyReference
  | ParameterReference
  | Variable
  | Let
  | Add
  | Multiply
  | Min
  | Max
  | Subtract
  | Divide
  | Round
  | Band
  | Graduated
  | Compare
  | And
  | Or
  | Not
  | In
  | TextMatching
  | Case
  | Lookup
  | Coalesce
  | IsPresent
  | ParseDate
  | DatePart
  | DateDifference
  | Aggregate;

/** The name of a kind of node. */
export type Kind = Expression["type"];

/** The node of a kind. */
export type Node<K extends Kind> = Extract<Expression, { readonly type: K }>;
