import { parts, units } from "./Calendar.ts";
import {
  aggregateFunctions,
  attributes,
  calendarUnits,
  comparisons,
  type Expression,
  type Kind,
  type Node,
  textMatches,
  upperBounds,
  type Value,
  type Window,
} from "./Expression.ts";
import * as Limits from "./Limits.ts";
import { modes } from "./Rounding.ts";

/** What may stand in a field of a node. Lists hold at least one item. */
export type Shape =
  | { readonly type: "expression" }
  | { readonly type: "expressions"; readonly limit: number }
  | { readonly type: "value" }
  | { readonly type: "values"; readonly limit: number }
  | { readonly type: "numeric_value" }
  | { readonly type: "text" }
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

const expression = required({ type: "expression" });
const text = required({ type: "text" });
const upTo = optional({ type: "numeric_value" });
const operands = { operands: required({ type: "expressions", limit: Limits.operands }) };
const sides = { left: expression, right: expression };

/**
 * The shape of every kind of node: the one definition that decoding and the published JSON schema share. A new
 * kind is added here, to `Expression`, and to the three walks over it (check, compile, reference).
 */
export const grammar: { readonly [K in Kind]: FieldsOf<Node<K>> } = {
  literal: { value: required({ type: "value" }) },
  attribute: { name: required(choice(attributes)) },
  property: { name: text },
  variable: { name: text },
  let: {
    bindings: required(records(Limits.bindings, { name: text, value: expression })),
    body: expression,
  },
  add: operands,
  multiply: operands,
  min: operands,
  max: operands,
  subtract: sides,
  divide: sides,
  round: {
    operand: expression,
    mode: required(choice(modes)),
    increment: optional({ type: "numeric_value" }),
  },
  band: {
    input: expression,
    upper_bound: optional(choice(upperBounds)),
    bands: required(records(Limits.operands, { up_to: upTo, value: expression })),
  },
  graduated: {
    amount: expression,
    offset: optional({ type: "expression" }),
    tiers: required(
      records(Limits.operands, { up_to: upTo, rate: expression, flat: optional({ type: "expression" }) }),
    ),
  },
  compare: { operator: required(choice(comparisons)), ...sides },
  and: operands,
  or: operands,
  not: { operand: expression },
  in: { operand: expression, values: required({ type: "values", limit: Limits.entries }) },
  text_match: { operator: required(choice(textMatches)), operand: expression, text },
  case: {
    branches: required(records(Limits.operands, { when: expression, then: expression })),
    else: expression,
  },
  lookup: {
    key: expression,
    entries: required(records(Limits.entries, { key: required({ type: "value" }), value: expression })),
    default: expression,
  },
  coalesce: operands,
  is_present: { operand: expression },
  parse_date: { operand: expression },
  date_part: { part: required(choice(parts)), operand: expression },
  date_difference: { unit: required(choice(units)), from: expression, to: expression },
  aggregate: {
    function: required(choice(aggregateFunctions)),
    value: optional({ type: "expression" }),
    where: optional({ type: "expression" }),
    window: required({ type: "window" }),
    group_by: optional({ type: "texts", limit: Limits.groupProperties }),
  },
};

/** The shape of every kind of window. */
export const windows: { readonly [T in Window["type"]]: FieldsOf<Extract<Window, { readonly type: T }>> } = {
  calendar: { unit: required(choice(calendarUnits)) },
  rolling: { days: required({ type: "integer", minimum: 1, maximum: Limits.rollingDays }) },
  lifetime: {},
};

/** Whether a name is that of a kind of window. */
export const isWindowType = (name: unknown): name is Window["type"] =>
  typeof name === "string" && Object.hasOwn(windows, name);

/** The names of all kinds of nodes. */
export const kinds: ReadonlyArray<string> = Object.keys(grammar);

/** Whether a name is that of a kind of node. */
export const isKind = (name: unknown): name is Expression["type"] =>
  typeof name === "string" && Object.hasOwn(grammar, name);

/** The kinds of value nodes and the JSON type each one holds. */
export const valueTypes: { readonly [T in Value["type"]]: "number" | "string" | "boolean" } = {
  number: "number",
  percent: "number",
  basis_points: "number",
  string: "string",
  boolean: "boolean",
  date: "string",
};

/** Whether a name is that of a kind of value node. */
export const isValueType = (name: unknown): name is Value["type"] =>
  typeof name === "string" && Object.hasOwn(valueTypes, name);
