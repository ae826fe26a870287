/** Attribution schemas: the properties that an attribution has. A schema never changes. */
import { Schema } from "effect";
import { FORMATS, type PropertyDefinition } from "../formula/index.ts";
import { key, means, optional, optionalKey } from "./Field.ts";
import { type CustomerId, type SchemaId, WorkspaceId } from "./Ids.ts";
import {
  DISPLAY_PROPERTIES_MAX,
  NAME_MAX,
  PROPERTY_NAME_MAX,
  PROPERTY_STRING_MAX,
  SCHEMA_PROPERTIES_MAX,
} from "./Limits.ts";
import { FORBIDDEN_KEYS, PropertyNumber } from "./Properties.ts";
import { Text } from "./Text.ts";
import type { Timestamp } from "./Timestamp.ts";

/** A schema as stored; `properties` keep the order they were given in. */
export interface AttributionSchema {
  readonly id: SchemaId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly properties: ReadonlyArray<PropertyDefinition>;
  /** Names of properties that documents show next to the schema's name, in order. */
  readonly displayProperties: ReadonlyArray<string>;
  readonly createdAt: Timestamp;
}

const PropertyName = Text(1, PROPERTY_NAME_MAX).pipe(
  Schema.filter((name) => !FORBIDDEN_KEYS.has(name) || `must not be ${name}`),
);

/** What a number means; it decides how the number is printed. */
const NumberFormat = Schema.Literal(...FORMATS).annotations({
  message: () => ({ message: `must be one of ${FORMATS.join(", ")}`, override: true }),
});

const fields = <Name extends PropertyDefinition["type"], Value extends string | number | boolean>(
  type: Name,
  value: Schema.Schema<Value>,
) => ({
  name: PropertyName.pipe(means("The property's name, once per schema.")),
  type: Schema.Literal(type),
  required: Schema.Boolean.pipe(
    means("Whether every attribution must have the property, also when it has a default."),
  ),
  default: optional(
    value,
    "What formulas read when the property was not given; it is not written into attributions.",
  ),
  format: optional(
    NumberFormat,
    "What a number means: money_minor is an amount in the smallest unit of a formula's currency, money_major one in whole units, count a number of things, percent a percentage (7.5 is 7.5 %), plain (the default) none of these. Explanations, documents and the console print numbers by it; it changes no amount.",
  ),
});

/** A property that is no number; its published schema has no `format`. */
const definition = <Name extends "string" | "boolean", Value extends string | boolean>(
  type: Name,
  value: Schema.Schema<Value>,
  identifier: string,
) =>
  Schema.Struct({
    ...fields(type, value),
    format: Schema.optionalWith(NumberFormat.annotations({ jsonSchema: { not: {} } }), { exact: true }),
  })
    .pipe(
      Schema.filter(
        ({ format }) =>
          format === undefined || { path: ["format"], message: "must be absent unless type is number" },
      ),
    )
    .annotations({ identifier });

/**
 * One property: name, type, whether it is required, the default that a formula reads when it is absent, and of a number what it
 * means.
 */
export const PropertyDefinitions = Schema.Array(
  Schema.Union(
    definition("string", Text(0, PROPERTY_STRING_MAX), "StringPropertyInput"),
    Schema.Struct(fields("number", PropertyNumber)).annotations({ identifier: "NumberPropertyInput" }),
    definition("boolean", Schema.Boolean, "BooleanPropertyInput"),
  ),
).pipe(
  Schema.maxItems(SCHEMA_PROPERTIES_MAX, {
    message: () => `must have at most ${SCHEMA_PROPERTIES_MAX} properties`,
    jsonSchema: { maxItems: SCHEMA_PROPERTIES_MAX },
  }),
  Schema.filter((definitions) => {
    const names = definitions.map(({ name }) => name);
    const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
    return repeated < 0 || { path: [repeated, "name"], message: "is used by an earlier property" };
  }),
);

const DisplayProperties = Schema.Array(Text(1, PROPERTY_NAME_MAX)).pipe(
  Schema.maxItems(DISPLAY_PROPERTIES_MAX, {
    message: () => `must have at most ${DISPLAY_PROPERTIES_MAX} names`,
    jsonSchema: { maxItems: DISPLAY_PROPERTIES_MAX },
  }),
);

/** What creating a schema takes; documents show the properties that `displayProperties` names, none without it. */
export const Create = Schema.Struct({
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace."),
  name: Text(1, NAME_MAX).pipe(means("A name for people.")),
  properties: PropertyDefinitions.pipe(means("The properties of an attribution, at most 100.")),
  displayProperties: optionalKey(
    DisplayProperties,
    "display_properties",
    "The names of the properties that documents show, at most 4.",
  ),
}).pipe(
  Schema.filter(({ properties, displayProperties = [] }) => {
    const problem = (index: number, message: string) => ({ path: ["display_properties", index], message });
    for (const [index, name] of displayProperties.entries()) {
      if (!properties.some((property) => property.name === name))
        return problem(index, "must be the name of a property");
      if (displayProperties.indexOf(name) < index) return problem(index, "is named before");
    }
    return true;
  }),
);
export type Create = typeof Create.Type;

/** A new schema. */
export const create = (
  { displayProperties = [], ...request }: Create,
  identity: Pick<AttributionSchema, "id" | "customerId" | "createdAt">,
): AttributionSchema => ({ ...identity, ...request, displayProperties });
