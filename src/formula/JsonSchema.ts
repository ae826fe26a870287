import * as Decimal from "./Decimal.ts";
import { FUNCTION_SUMMARIES, GRAMMAR, SUMMARIES, type Value } from "./Expression.ts";
import { KINDS, VALUE_SUMMARIES, VALUE_TYPES, WINDOW_SUMMARIES, WINDOWS } from "./Grammar.ts";
import * as Limits from "./Limits.ts";
import { IDENTIFIER } from "./Parameter.ts";
import type { Field, Shape } from "./Shape.ts";

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

const pascalCase = (name: string): string =>
  name
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

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
  suffix: string,
): JsonSchema => {
  const schemas = types.map((type) => reference(pascalCase(type) + suffix));
  return {
    oneOf: schemas,
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(types.map((type, index) => [type, schemas[index]?.$ref ?? ""])),
    },
  };
};

/** The schemas of the types of a union by their names; `bodyOf` returns their fields but `type`, and the required ones. */
const members = <Type extends string>(
  summaries: Readonly<Record<Type, string>>,
  suffix: string,
  bodyOf: (
    type: Type,
  ) => readonly [fields: Readonly<Record<string, JsonSchema>>, required: ReadonlyArray<string>],
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    // The keys of a record of all types are the types.
    (Object.keys(summaries) as Array<Type>).map((type) => {
      const [fields, required] = bodyOf(type);
      const properties = { type: { type: "string", enum: [type] }, ...fields } as const;
      return [pascalCase(type) + suffix, object(summaries[type], properties, ["type", ...required])];
    }),
  );

const fieldSchemas = (
  fields: Readonly<Record<string, Field>>,
  reference: (name: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, shapeSchema(shape, reference)]));

const requiredFields = (fields: Readonly<Record<string, Field>>): ReadonlyArray<string> =>
  Object.keys(fields).filter((name) => fields[name]?.optional !== true);

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

/**
 * The schemas of an expression by name: `Expression`, one `…Node` per kind of node, `Value`, `NumericValue`, one
 * `…Value` per kind of value, `AggregateWindow` and one `…Window` per kind of window. They are generated from the grammar that `decode` reads, and refer to each other by
 * `prefix` and name; the default suits the components of an OpenAPI document, `#/$defs/` a JSON Schema.
 *
 * What a schema cannot express (depth, number of nodes, digits of a number, dates, types) is left to `decode` and `check`.
 */
export const jsonSchemas = (prefix = "#/components/schemas/"): Readonly<Record<string, JsonSchema>> => {
  const reference = (name: string): JsonSchema => ({ $ref: `${prefix}${name}` });
  const body = (fields: Readonly<Record<string, Field>>) =>
    [fieldSchemas(fields, reference), requiredFields(fields)] as const;
  const types = Object.entries(VALUE_TYPES);
  return {
    Expression: union(reference, KINDS, "Node"),
    ...members({ ...SUMMARIES, ...FUNCTION_SUMMARIES }, "Node", (kind) => body(GRAMMAR[kind])),
    Value: union(
      reference,
      types.map(([type]) => type),
      "Value",
    ),
    NumericValue: union(
      reference,
      types.flatMap(([type, json]) => (json === "number" ? [type] : [])),
      "Value",
    ),
    ...members(VALUE_SUMMARIES, "Value", (type) => [{ value: constantSchema(type) }, ["value"]]),
    AggregateWindow: union(reference, Object.keys(WINDOWS), "Window"),
    ...members(WINDOW_SUMMARIES, "Window", (type) => body(WINDOWS[type])),
  };
};
