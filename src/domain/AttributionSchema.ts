/** Attribution schemas: the properties that an attribution carries. A schema never changes. */
import { Schema } from "effect";
import type { PropertyDefinition } from "../formula/index.ts";
import { key } from "./Field.ts";
import { type CustomerId, type SchemaId, WorkspaceId } from "./Ids.ts";
import { NAME_MAX, PROPERTY_NAME_MAX, PROPERTY_STRING_MAX, SCHEMA_PROPERTIES_MAX } from "./Limits.ts";
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
  readonly createdAt: Timestamp;
}

const PropertyName = Text(1, PROPERTY_NAME_MAX).pipe(
  Schema.filter((name) => !FORBIDDEN_KEYS.has(name) || `must not be ${name}`),
);

const definition = <Name extends PropertyDefinition["type"], Value extends string | number | boolean>(
  type: Name,
  value: Schema.Schema<Value>,
  identifier: string,
) =>
  Schema.Struct({
    name: PropertyName,
    type: Schema.Literal(type),
    required: Schema.Boolean,
    default: Schema.optionalWith(value, { exact: true }),
  }).annotations({ identifier });

/** One property: name, type, whether it is required, and the default that a formula reads when it is absent. */
export const PropertyDefinitions = Schema.Array(
  Schema.Union(
    definition("string", Text(0, PROPERTY_STRING_MAX), "StringPropertyInput"),
    definition("number", PropertyNumber, "NumberPropertyInput"),
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

/** What creating a schema takes. */
export const Create = Schema.Struct({
  workspaceId: key(WorkspaceId, "workspace_id"),
  name: Text(1, NAME_MAX),
  properties: PropertyDefinitions,
});
export type Create = typeof Create.Type;
