/**
 * What the types of the contract express and its derived schemas do not: which field chooses a member of a union, where an
 * unknown key is refused, and which fields depend on each other.
 */
import { isList, isObject, type Json, type JsonObject, mapValues } from "./Json.ts";

/** Fields of a published body in which an unknown key is refused; elsewhere in it a key is ignored. */
export const CLOSED_FIELDS: ReadonlySet<string> = new Set(["properties", "self_billing_data"]);

const PREFIX = "#/components/schemas/";

const nameOf = (schema: Json): string | null =>
  isObject(schema) && typeof schema.$ref === "string" && schema.$ref.startsWith(PREFIX)
    ? schema.$ref.slice(PREFIX.length)
    : null;

/** The one value that a named schema's `type` has, or null. */
const typeOf = (schemas: JsonObject, member: Json): string | null => {
  const schema = schemas[nameOf(member) ?? ""];
  const properties = isObject(schema) ? schema.properties : undefined;
  const type = isObject(properties) ? properties.type : undefined;
  const [only, ...more] = isObject(type) && isList(type.enum) ? type.enum : [];
  return typeof only === "string" && more.length === 0 ? only : null;
};

/** Adds the discriminator to a union of named schemas with `type`, in a schema and in all its parts. */
const addDiscriminators = (schemas: JsonObject, value: Json): Json => {
  if (isList(value)) return value.map((item) => addDiscriminators(schemas, item));
  if (!isObject(value)) return value;
  const { anyOf, ...rest } = mapValues(value, (child) => addDiscriminators(schemas, child));
  if (!isList(anyOf)) return anyOf === undefined ? rest : { ...rest, anyOf };
  const types = anyOf.map((member) => typeOf(schemas, member));
  if (types.includes(null) || new Set(types).size < types.length) return { ...rest, anyOf };
  const mapping = Object.fromEntries(
    anyOf.map((member, index) => [types[index] ?? "", `${PREFIX}${nameOf(member)}`]),
  );
  return { ...rest, oneOf: anyOf, discriminator: { propertyName: "type", mapping } };
};

/** A schema whose objects, at any depth, refuse unknown keys; the names of the schemas it refers to are added to a set. */
const closeSchema = (value: Json, referred: Set<string>): Json => {
  if (isList(value)) return value.map((item) => closeSchema(item, referred));
  if (!isObject(value)) return value;
  const name = nameOf(value);
  if (name !== null) referred.add(name);
  const parts = mapValues(value, (child) => closeSchema(child, referred));
  return parts.type === "object" && parts.additionalProperties === undefined && isObject(parts.properties)
    ? { ...parts, additionalProperties: false }
    : parts;
};

const withFields = (schema: Json | undefined, change: (field: Json, name: string) => Json): JsonObject =>
  isObject(schema) ? { ...schema, properties: mapValues(schema.properties, change) } : {};

const NOT_SET: JsonObject = { type: "integer", nullable: true, enum: [null] };

/** The rate belongs to `standard` alone. */
const TAX_CONDITION: JsonObject = {
  description: "rate_bps is required when treatment is standard, and null or absent otherwise.",
  oneOf: [
    {
      type: "object",
      required: ["treatment", "rate_bps"],
      properties: { treatment: { type: "string", enum: ["standard"] }, rate_bps: { type: "integer" } },
    },
    {
      type: "object",
      required: ["treatment"],
      properties: {
        treatment: { type: "string", enum: ["reverse_charge", "exempt", "outside_scope"] },
        rate_bps: NOT_SET,
      },
    },
  ],
};

const modeEnum = (...values: ReadonlyArray<string>): JsonObject => ({ type: "string", enum: values });
const NO_MODE: JsonObject = { type: "string", nullable: true, enum: [null] };
const PRESENT: JsonObject = {
  required: ["self_billing_data"],
  properties: { self_billing_data: { type: "object" } },
};
const SELF_BILLED: JsonObject = {
  type: "object",
  required: ["billing_mode", "self_billing_data"],
  properties: { billing_mode: modeEnum("self_billing"), self_billing_data: { type: "object" } },
};

/** How the fields of a stored partner depend on each other. */
const PARTNER_CONDITION: JsonObject = {
  description: "self_billing_data is present exactly when billing_mode is self_billing.",
  oneOf: [
    SELF_BILLED,
    {
      type: "object",
      properties: { billing_mode: { ...NO_MODE, enum: ["partner_billing", null] } },
      not: PRESENT,
    },
  ],
};

const CREATE_PARTNER_CONDITION: JsonObject = {
  description:
    "self_billing_data is required when billing_mode is self_billing, and must be absent when billing_mode is partner_billing or absent.",
  oneOf: [
    SELF_BILLED,
    { type: "object", properties: { billing_mode: modeEnum("partner_billing") }, not: PRESENT },
  ],
};

const UPDATE_PARTNER_CONDITION: JsonObject = {
  description:
    "self_billing_data is required when billing_mode is self_billing, and null or absent when billing_mode is partner_billing. Without a billing_mode it replaces the data of a partner that is in self_billing already.",
  anyOf: [
    SELF_BILLED,
    {
      type: "object",
      required: ["billing_mode"],
      properties: {
        billing_mode: modeEnum("partner_billing"),
        self_billing_data: { type: "object", nullable: true, enum: [null] },
      },
    },
    { type: "object", properties: { billing_mode: NO_MODE } },
  ],
};

const NODES: JsonObject = {
  required: ["expression"],
  properties: { expression: { $ref: `${PREFIX}Expression` } },
};
const TEXT: JsonObject = {
  required: ["expression_text"],
  properties: { expression_text: { type: "string" } },
};

/** An expression is stated in one form. */
const EXPRESSION_CONDITION: JsonObject = {
  description: "Exactly one of expression and expression_text is required.",
  oneOf: [
    { type: "object", ...NODES, not: TEXT },
    { type: "object", ...TEXT, not: NODES },
  ],
};

const UPDATE_EXPRESSION_CONDITION: JsonObject = {
  description: "At most one of expression and expression_text is given.",
  anyOf: [
    { type: "object", not: TEXT },
    { type: "object", not: NODES },
  ],
};

const CONDITIONS: Readonly<Record<string, JsonObject>> = {
  createPartner: CREATE_PARTNER_CONDITION,
  updatePartner: UPDATE_PARTNER_CONDITION,
  createCommissionFormula: EXPRESSION_CONDITION,
  updateCommissionFormula: UPDATE_EXPRESSION_CONDITION,
  simulateCommissionFormula: EXPRESSION_CONDITION,
  createCommissionPlan: EXPRESSION_CONDITION,
  updateCommissionPlan: UPDATE_EXPRESSION_CONDITION,
};

const withCondition = (schema: Json, id: string): Json =>
  isObject(schema) ? { ...schema, ...CONDITIONS[id] } : schema;

/** Adds to every `tax_config` the condition that decides when it has a rate. */
const addTaxConditions = (value: Json): Json => {
  if (isList(value)) return value.map(addTaxConditions);
  if (!isObject(value)) return value;
  return mapValues(value, (child, key) =>
    key === "tax_config" && isObject(child) && child.type === "object" && isObject(child.properties)
      ? { ...child, ...TAX_CONDITION }
      : addTaxConditions(child),
  );
};

const withBody = (
  operation: Json,
  change: (schema: Json, id: string, isExtension: boolean) => Json,
): Json => {
  if (!isObject(operation) || !isObject(operation.requestBody)) return operation;
  const { requestBody, operationId, tags } = operation;
  const isExtension = isList(tags) && tags.includes("extension");
  const content = mapValues(requestBody.content, (media, type) =>
    isObject(media) && type === "application/json" && media.schema !== undefined
      ? { ...media, schema: addTaxConditions(change(media.schema, String(operationId), isExtension)) }
      : media,
  );
  return { ...operation, requestBody: { ...requestBody, content } };
};

/** The document of version 3.0.3 with discriminators, closed objects, and the conditions between fields. */
export const refineDocument = (document: JsonObject): JsonObject => {
  const components = isObject(document.components) ? document.components : {};
  const schemas = isObject(components.schemas) ? components.schemas : {};
  const referred = new Set<string>();
  const bodySchema = (schema: Json, id: string, isExtension: boolean): Json =>
    isExtension
      ? withCondition(closeSchema(schema, referred), id)
      : {
          ...withFields(schema, (field, name) =>
            CLOSED_FIELDS.has(name) ? closeSchema(field, referred) : field,
          ),
          ...CONDITIONS[id],
        };
  const paths = mapValues(document.paths, (path) =>
    mapValues(path, (operation) => withBody(operation, bodySchema)),
  );
  const namedSchemas = mapValues(schemas, (schema, name) =>
    name === "Partner" && isObject(schema)
      ? { ...schema, ...PARTNER_CONDITION }
      : addTaxConditions(referred.has(name) ? closeSchema(schema, referred) : schema),
  );
  return {
    ...document,
    paths: mapValues(paths, (path) => addDiscriminators(namedSchemas, path)),
    components: {
      ...components,
      schemas: mapValues(namedSchemas, (schema) => addDiscriminators(namedSchemas, schema)),
    },
  };
};
