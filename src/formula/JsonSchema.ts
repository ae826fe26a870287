import * as Decimal from "./Decimal.ts";
import type { Kind, Value, Window } from "./Expression.ts";
import {
  type Field,
  GRAMMAR,
  isKind,
  isValueType,
  isWindowType,
  KINDS,
  type Shape,
  VALUE_TYPES,
  WINDOWS,
} from "./Grammar.ts";
import * as Limits from "./Limits.ts";
import { IDENTIFIER } from "./Parameter.ts";

/** A schema object that JSON Schema and OpenAPI 3.0 read alike. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: false;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: ReadonlyArray<string>;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly oneOf?: ReadonlyArray<JsonSchema>;
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
};

const SUMMARIES: { readonly [K in Kind]: string } = {
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

const WINDOW_SUMMARIES: { readonly [T in Window["type"]]: string } = {
  calendar:
    "The calendar month, quarter or year of the attribution's occurred_on. Quarters and years begin in January, or with the month starts_in_month.",
  rolling: "The attribution's occurred_on and the days before it, so many in all.",
  anniversary:
    "The year around the attribution's occurred_on that begins on an anniversary of the date that the parameter `of` has for it. The anniversary of 29 February is 28 February in a year without that day.",
  lifetime: "All of time.",
};

const VALUE_SUMMARIES: { readonly [T in Value["type"]]: string } = {
  number: "A number with at most 15 significant digits and 12 decimals.",
  percent: "A number in hundredths: 7.5 stands for 0.075.",
  basis_points: "A number in ten-thousandths: 250 stands for 0.025.",
  string: "A text.",
  boolean: "True or false.",
  date: "YYYY-MM-DD (midnight UTC) or RFC 3339 with Z or an offset.",
};

const pascalCase = (name: string): string =>
  name
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

const nodeName = (kind: string): string => `${pascalCase(kind)}Node`;

const valueName = (type: string): string => `${pascalCase(type)}Value`;

const windowName = (type: string): string => `${pascalCase(type)}Window`;

const object = (
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlyArray<string>,
): JsonSchema => ({
  type: "object",
  ...(description === "" ? {} : { description }),
  properties,
  required,
  additionalProperties: false,
});

const list = (items: JsonSchema, maxItems: number, minItems: 0 | 1 = 1): JsonSchema => ({
  type: "array",
  items,
  minItems,
  maxItems,
});

/** One of several named schemas, chosen by `type`. */
const union = (
  reference: (name: string) => JsonSchema,
  types: ReadonlyArray<string>,
  nameOf: (type: string) => string,
): JsonSchema => ({
  oneOf: types.map((type) => reference(nameOf(type))),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(types.map((type) => [type, reference(nameOf(type)).$ref ?? ""])),
  },
});

const fieldSchemas = (
  fields: Readonly<Record<string, Field>>,
  reference: (name: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { shape }]) => [name, shapeSchema(shape, reference)]),
  );

const requiredFields = (fields: Readonly<Record<string, Field>>): ReadonlyArray<string> =>
  Object.keys(fields).filter((name) => fields[name]?.optional === false);

const shapeSchema = (shape: Shape, reference: (name: string) => JsonSchema): JsonSchema => {
  switch (shape.type) {
    case "expression":
      return reference("Expression");
    case "expressions":
      return list(reference("Expression"), shape.limit);
    case "value":
      return reference("Value");
    case "values":
      return list(reference("Value"), shape.limit);
    case "numeric_value":
      return reference("NumericValue");
    case "text":
      return { type: "string", minLength: 1, maxLength: Limits.CHARACTERS_MAX };
    case "identifier":
      return { type: "string", pattern: IDENTIFIER.source };
    case "texts":
      return list({ type: "string", minLength: 1, maxLength: Limits.CHARACTERS_MAX }, shape.limit, 0);
    case "integer":
      return { type: "integer", minimum: shape.minimum, maximum: shape.maximum };
    case "window":
      return reference("AggregateWindow");
    case "choice":
      return { type: "string", enum: shape.choices };
    case "records": {
      const record = object("", fieldSchemas(shape.fields, reference), requiredFields(shape.fields));
      return list(record, shape.limit);
    }
  }
};

const constantSchema = (type: Value["type"]): JsonSchema => {
  switch (VALUE_TYPES[type]) {
    case "number":
      return { type: "number", minimum: -Decimal.MAGNITUDE_MAX, maximum: Decimal.MAGNITUDE_MAX };
    case "string":
      return { type: "string", maxLength: Limits.CHARACTERS_MAX };
    case "boolean":
      return { type: "boolean" };
  }
};

const discriminator = (type: string): JsonSchema => ({ type: "string", enum: [type] });

/**
 * The schemas of an expression by name: `Expression`, one `…Node` per kind of node, `Value`, `NumericValue`, one
 * `…Value` per kind of value, `AggregateWindow` and one `…Window` per kind of window. They are generated from the grammar that `decode` reads, and refer to each other by
 * `prefix` and name; the default suits the components of an OpenAPI document, `#/$defs/` a JSON Schema.
 *
 * What a schema cannot express (depth, number of nodes, digits of a number, dates, types) is left to `decode` and `check`.
 */
export const jsonSchemas = (prefix = "#/components/schemas/"): Readonly<Record<string, JsonSchema>> => {
  const reference = (name: string): JsonSchema => ({ $ref: `${prefix}${name}` });
  const types = Object.keys(VALUE_TYPES);
  const numericTypes = Object.entries(VALUE_TYPES).flatMap(([type, json]) =>
    json === "number" ? [type] : [],
  );
  const nodes = KINDS.filter(isKind).map((kind) => {
    const fields: Readonly<Record<string, Field>> = GRAMMAR[kind];
    const properties = { type: discriminator(kind), ...fieldSchemas(fields, reference) };
    return [
      nodeName(kind),
      object(SUMMARIES[kind], properties, ["type", ...requiredFields(fields)]),
    ] as const;
  });
  const values = types.filter(isValueType).map((type) => {
    const properties = { type: discriminator(type), value: constantSchema(type) };
    return [valueName(type), object(VALUE_SUMMARIES[type], properties, ["type", "value"])] as const;
  });
  const windowTypes = Object.keys(WINDOWS);
  const windowSchemas = windowTypes.filter(isWindowType).map((type) => {
    const fields: Readonly<Record<string, Field>> = WINDOWS[type];
    const properties = { type: discriminator(type), ...fieldSchemas(fields, reference) };
    const required = ["type", ...requiredFields(fields)];
    return [windowName(type), object(WINDOW_SUMMARIES[type], properties, required)] as const;
  });
  return {
    Expression: union(reference, KINDS, nodeName),
    ...Object.fromEntries(nodes),
    Value: union(reference, types, valueName),
    NumericValue: union(reference, numericTypes, valueName),
    ...Object.fromEntries(values),
    AggregateWindow: union(reference, windowTypes, windowName),
    ...Object.fromEntries(windowSchemas),
  };
};
