/** Attribution schemas: the properties of attributions, with their types. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { AttributionSchema as Domain } from "quittance";
import { FORMATS } from "quittance/formula";
import * as Example from "./openapi/examples/Story.ts";
import { publishedOperation } from "./shared/Annotation.ts";
import { BodyFailure } from "./shared/Failure.ts";
import { Created, Id, optional, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging } from "./shared/Query.ts";

const fields = <Type extends string, Value>(type: Type, value: Schema.Schema<Value>) => ({
  name: Schema.String,
  type: Schema.Literal(type),
  required: Schema.Boolean,
  default: optional(value),
});

/** One property of a schema, chosen by `type`; a default is of the same type. */
const PropertyDefinition = Schema.Union(
  Schema.Struct(fields("string", Schema.String)).annotations({ identifier: "StringProperty" }),
  Schema.Struct({
    ...fields("number", Schema.Number),
    format: optional(Schema.Literal(...FORMATS)),
  }).annotations({ identifier: "NumberProperty" }),
  Schema.Struct(fields("boolean", Schema.Boolean)).annotations({ identifier: "BooleanProperty" }),
).annotations({ identifier: "PropertyDefinition" });

/** An attribution schema; its properties are in the order of the request. */
export const AttributionSchema = Schema.Struct({
  id: Id,
  name: Schema.String,
  customer_id: Id,
  workspace_id: Id,
  properties: Schema.Array(PropertyDefinition),
  display_properties: Schema.Array(Schema.String),
}).annotations({ identifier: "AttributionSchema" });

const list = HttpApiEndpoint.get("list", "/attribution-schemas")
  .setUrlParams(
    Schema.Struct({
      ...filters("schema"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("attribution_schemas", AttributionSchema))
  .pipe(
    publishedOperation({
      operation: "list schemas",
      id: "listAttributionSchemas",
      summary: "List attribution schemas",
      description: "Oldest first by default.",
      response: {
        attribution_schemas: [
          {
            ...{
              id: Example.SCHEMA,
              name: "Sale",
              customer_id: Example.CUSTOMER,
              workspace_id: Example.WORKSPACE,
            },
            ...{ properties: Example.properties, display_properties: ["plan"] },
          },
        ],
        ...Example.paged,
      },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/attribution-schemas")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    publishedOperation({
      operation: "create schema",
      id: "createAttributionSchema",
      summary: "Define the properties of attributions",
      description:
        "A schema cannot be changed later. When an attribution lacks a property, formulas use the property's default. Documents show the properties named in display_properties, at most 4.",
      request: {
        workspace_id: Example.WORKSPACE,
        name: "Sale",
        properties: Example.properties,
        display_properties: ["plan"],
      },
      response: Example.created(Example.SCHEMA),
      refused: "properties.0.default: must be a number",
    }),
  );

/** The operations on attribution schemas. */
export const AttributionSchemas = HttpApiGroup.make("attribution_schemas")
  .add(list)
  .add(create)
  .annotate(PlatformOpenApi.Title, "Attribution schemas")
  .annotate(PlatformOpenApi.Description, "The properties of attributions, with their types.");
