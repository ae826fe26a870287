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
 * The shape of every kind of node: the one definition that decoding and the published JSON schema share. A new
 * kind is added here, to `Expression`, and to the three walks over it (check, compile, reference).
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

/** True if a name is that of a kind of value node. */
export const isValueType = (name: unknown): name is Value["type"] =>
  typeof name === "string" && Object.hasOwn(VALUE_TYPES, name);
