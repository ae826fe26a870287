import { PARTS, UNITS } from "./Calendar.ts";
import {
  AGGREGATE_FUNCTIONS,
  ATTRIBUTES,
  CALENDAR_UNITS,
  COMPARISONS,
  type Expression,
  type Kind,
  type Node,
  TEXT_MATCHES,
  UPPER_BOUNDS,
  type Value,
  type Window,
} from "./Expression.ts";
import * as Limits from "./Limits.ts";
import { MODES } from "./Rounding.ts";

/** What may stand in a field of a node. Lists hold at least one item, but `texts` none where nothing is named. */
export type Shape =
  | { readonly type: "expression" }
  | { readonly type: "expressions"; readonly limit: number }
  | { readonly type: "value" }
  | { readonly type: "values"; readonly limit: number }
  | { readonly type: "numeric_value" }
  | { readonly type: "text" }
  | { readonly type: "identifier" }
  | { readonly type: "texts"; readonly limit: number }
  | { readonly type: "integer"; readonly minimum: number; readonly maximum: number }
  | { readonly type: "window" }
  | { readonly type: "choice"; readonly choices: ReadonlyArray<string> }
  | { readonly type: "records"; readonly limit: number; readonly fields: Readonly<Record<string, Field>> };

/** A field of a node: its shape, and whether it may be left out. */
export type Field = { readonly shape: Shape; readonly optional: boolean };

/** The fields a node must name, each marked optional exactly when its type is. */
type FieldsOf<N> = {
  readonly [F in Exclude<keyof N, "type">]-?: Field & {
    readonly optional: undefined extends N[F] ? true : false;
  };
};

const required = <S extends Shape>(shape: S): { readonly shape: S; readonly optional: false } => ({
  shape,
  optional: false,
});

const optional = <S extends Shape>(shape: S): { readonly shape: S; readonly optional: true } => ({
  shape,
  optional: true,
});

const choice = (choices: ReadonlyArray<string>): Shape => ({ type: "choice", choices });

const records = (limit: number, fields: Readonly<Record<string, Field>>): Shape => ({
  type: "records",
  limit,
  fields,
});

const EXPRESSION = required({ type: "expression" });
const TEXT = required({ type: "text" });
const IDENTIFIER = required({ type: "identifier" });
const UP_TO = optional({ type: "numeric_value" });
const OPERANDS = { operands: required({ type: "expressions", limit: Limits.OPERANDS_MAX }) };
const SIDES = { left: EXPRESSION, right: EXPRESSION };

/**
 * The shape of every kind of node: decoding, the published JSON schema and the walk over the nodes inside a node follow it.
 * A new kind is added here and to `Expression`; the compiler then asks for the rest.
 */
export const GRAMMAR: { readonly [K in Kind]: FieldsOf<Node<K>> } = {
  literal: { value: required({ type: "value" }) },
  attribute: { name: required(choice(ATTRIBUTES)) },
  property: { name: TEXT },
  parameter: { name: IDENTIFIER },
  variable: { name: TEXT },
  let: {
    bindings: required(records(Limits.BINDINGS_MAX, { name: TEXT, value: EXPRESSION })),
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
    mode: required(choice(MODES)),
    increment: optional({ type: "numeric_value" }),
  },
  band: {
    input: EXPRESSION,
    upper_bound: optional(choice(UPPER_BOUNDS)),
    bands: required(records(Limits.OPERANDS_MAX, { up_to: UP_TO, value: EXPRESSION })),
  },
  graduated: {
    amount: EXPRESSION,
    offset: optional({ type: "expression" }),
    tiers: required(
      records(Limits.OPERANDS_MAX, {
        up_to: UP_TO,
        rate: EXPRESSION,
        flat: optional({ type: "expression" }),
      }),
    ),
  },
  compare: { operator: required(choice(COMPARISONS)), ...SIDES },
  and: OPERANDS,
  or: OPERANDS,
  not: { operand: EXPRESSION },
  in: { operand: EXPRESSION, values: required({ type: "values", limit: Limits.ENTRIES_MAX }) },
  text_match: { operator: required(choice(TEXT_MATCHES)), operand: EXPRESSION, text: TEXT },
  case: {
    branches: required(records(Limits.OPERANDS_MAX, { when: EXPRESSION, then: EXPRESSION })),
    else: EXPRESSION,
  },
  lookup: {
    key: EXPRESSION,
    entries: required(records(Limits.ENTRIES_MAX, { key: required({ type: "value" }), value: EXPRESSION })),
    default: EXPRESSION,
  },
  coalesce: OPERANDS,
  is_present: { operand: EXPRESSION },
  parse_date: { operand: EXPRESSION },
  date_part: { part: required(choice(PARTS)), operand: EXPRESSION },
  date_difference: { unit: required(choice(UNITS)), from: EXPRESSION, to: EXPRESSION },
  aggregate: {
    function: required(choice(AGGREGATE_FUNCTIONS)),
    value: optional({ type: "expression" }),
    where: optional({ type: "expression" }),
    window: required({ type: "window" }),
    group_by: optional({ type: "texts", limit: Limits.GROUP_PROPERTIES_MAX }),
    role: optional({ type: "text" }),
  },
};

/** The meaning of every kind of node, as the JSON schema states it. */
export const SUMMARIES: { readonly [K in Kind]: string } = {
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
  min: "The least of the operands.",
  max: "The greatest of the operands.",
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
  parse_date: "The date that an ISO 8601 text names; absent when it names none.",
  date_part: "A part of a date in UTC; day_of_week is 1 for Monday to 7 for Sunday.",
  date_difference: "Complete units between two dates, negative when to is the earlier.",
  aggregate:
    "The sum, number, least or greatest over the confirmed attributions of the same partner, workspace and schema that arrived earlier and occurred in the window, with equal group_by properties and the same role of the credit, or with role, where the condition is true. Every function but count needs a value; min and max are absent without a row.",
};

/** The shape of every kind of window. */
export const WINDOWS: { readonly [T in Window["type"]]: FieldsOf<Extract<Window, { readonly type: T }>> } = {
  calendar: {
    unit: required(choice(CALENDAR_UNITS)),
    starts_in_month: optional({ type: "integer", minimum: 1, maximum: 12 }),
  },
  rolling: { days: required({ type: "integer", minimum: 1, maximum: Limits.ROLLING_DAYS_MAX }) },
  lifetime: {},
  anniversary: { of: IDENTIFIER },
};

/** The meaning of every kind of window. */
export const WINDOW_SUMMARIES: { readonly [T in Window["type"]]: string } = {
  calendar:
    "The calendar month, quarter or year of the attribution's occurred_on. Quarters and years begin in January, or with the month starts_in_month.",
  rolling: "The attribution's occurred_on and the days before it, so many in all.",
  anniversary:
    "The year around the attribution's occurred_on that begins on an anniversary of the date that the parameter `of` has for it. The anniversary of 29 February is 28 February in a year without that day.",
  lifetime: "All of time.",
};

/** True if a name is that of a kind of window. */
export const isWindowType = (name: unknown): name is Window["type"] =>
  typeof name === "string" && Object.hasOwn(WINDOWS, name);

/** The names of all kinds of nodes. */
export const KINDS: ReadonlyArray<string> = Object.keys(GRAMMAR);

/** True if a name is that of a kind of node. */
export const isKind = (name: unknown): name is Expression["type"] =>
  typeof name === "string" && Object.hasOwn(GRAMMAR, name);

/** The kinds of value nodes and the JSON type each one holds. */
export const VALUE_TYPES: { readonly [T in Value["type"]]: "number" | "string" | "boolean" } = {
  number: "number",
  percent: "number",
  basis_points: "number",
  string: "string",
  boolean: "boolean",
  date: "string",
};

/** The meaning of every kind of value node. */
export const VALUE_SUMMARIES: { readonly [T in Value["type"]]: string } = {
  number: "A number with at most 15 significant digits and 12 decimals.",
  percent: "A number in hundredths: 7.5 stands for 0.075.",
  basis_points: "A number in ten-thousandths: 250 stands for 0.025.",
  string: "A text.",
  boolean: "True or false.",
  date: "YYYY-MM-DD (midnight UTC) or RFC 3339 with Z or an offset.",
};

/** True if a name is that of a kind of value node. */
export const isValueType = (name: unknown): name is Value["type"] =>
  typeof name === "string" && Object.hasOwn(VALUE_TYPES, name);
