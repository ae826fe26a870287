/**
 * The OpenAPI document in version 3.0.3. What the platform derives from a contract is 3.1; this walk says the same in
 * the words of 3.0.3 and adds what the contract's types cannot carry.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject;
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Component schemas of the platform's own error shape, which this service never answers with. */
const FOREIGN = ["HttpApiDecodeError", "Issue", "PropertyKey"];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value);

const isNull = (value: Json): boolean => isObject(value) && value.type === "null";

const isForeign = (value: Json): boolean =>
  isObject(value) && FOREIGN.some((name) => value.$ref === `#/components/schemas/${name}`);

/** Keywords that 3.0.3 does not know, titles that only repeat a filter's name, and lists it forbids to be empty. */
const dropped = (key: string, value: Json): boolean =>
  key === "$id" ||
  key === "contentEncoding" ||
  (key === "title" && typeof value === "string") ||
  (key === "required" && isList(value) && value.length === 0);

/** Merges an `allOf` of one schema into its surroundings; a reference stays one, since its siblings would be ignored. */
const merged = (schema: JsonObject): JsonObject => {
  const { allOf, ...rest } = schema;
  const [only, ...more] = isList(allOf) ? allOf : [];
  return isObject(only) && more.length === 0 && only.$ref === undefined ? { ...only, ...rest } : schema;
};

/** A union: without null, which becomes `nullable`, and without the platform's error shape. */
const union = (schema: JsonObject, members: ReadonlyArray<Json>): JsonObject => {
  const { anyOf: _, ...rest } = schema;
  const kept = members.filter((member) => !isNull(member) && !isForeign(member));
  const nullable = members.some(isNull) ? { nullable: true } : {};
  const [only, ...more] = kept;
  if (!isObject(only) || more.length > 0) return { ...rest, anyOf: kept, ...nullable };
  return only.$ref === undefined
    ? { ...only, ...rest, ...nullable }
    : Object.keys(rest).length === 0 && !members.some(isNull)
      ? only
      : { ...rest, allOf: [only], ...nullable };
};

const walkObject = (value: JsonObject): JsonObject => {
  const walked: Record<string, Json> = {};
  for (const [key, child] of Object.entries(value)) {
    if (dropped(key, child)) continue;
    if (key === "const") walked.enum = [child];
    else walked[key] = walk(child);
  }
  const { $ref, ...siblings } = walked;
  if ($ref !== undefined && Object.keys(siblings).length > 0) return { ...siblings, allOf: [{ $ref }] };
  return isList(walked.anyOf) ? union(walked, walked.anyOf) : merged(walked);
};

/** Examples and names of properties pass through as they are only because none of them uses a keyword as a name. */
const walk = (value: Json): Json =>
  isObject(value) ? walkObject(value) : isList(value) ? value.map((item) => walk(item)) : value;

const mapValues = (value: Json | undefined, change: (child: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([key, child]) => [key, change(child, key)]),
  );

const IDEMPOTENCY_KEY: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 visible ASCII characters. Repeating a request under its key answers as the first time and does nothing again.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

const BAD_REQUEST = "The request can never succeed as written; the message names the field.";

/** An operation without the platform's words for a bad request and with the header that every command takes. */
const operation = (walked: Json, method: string): Json => {
  if (!isObject(walked)) return walked;
  const { security: _, ...rest } = walked;
  const parameters = isList(walked.parameters) ? walked.parameters : [];
  return {
    ...rest,
    parameters: ["post", "patch", "put", "delete"].includes(method)
      ? [...parameters, IDEMPOTENCY_KEY]
      : parameters,
    responses: mapValues(walked.responses, (response, status) =>
      status === "400" && isObject(response) ? { ...response, description: BAD_REQUEST } : response,
    ),
  };
};

const without = (value: Json | undefined, keys: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([key]) => !keys.includes(key)));

/** Turns a document of version 3.1, as the platform derives it from a contract, into one of 3.0.3. */
export const downgrade = (document: JsonObject): JsonObject => {
  const components = isObject(document.components) ? document.components : {};
  return {
    ...document,
    openapi: "3.0.3",
    paths: mapValues(document.paths, (path) =>
      mapValues(path, (value, method) => operation(walk(value), method)),
    ),
    components: {
      ...components,
      schemas: {
        ...mapValues(without(components.schemas, FOREIGN), walk),
        DateTime: { type: "string", format: "date-time", description: "RFC 3339 with an offset or Z." },
      },
    },
    tags: [
      ...(isList(document.tags) ? document.tags : []),
      { name: "extension", description: "Operations beyond the published interface." },
    ],
  };
};

const isExtension = (value: Json): boolean =>
  isObject(value) && isList(value.tags) && value.tags.includes("extension");

/** The document without the operations tagged `extension`, and without paths that are left with none. */
export const withoutExtensions = (document: JsonObject): JsonObject => {
  const paths = mapValues(document.paths, (path) =>
    Object.fromEntries(Object.entries(isObject(path) ? path : {}).filter(([, value]) => !isExtension(value))),
  );
  const tags = isList(document.tags) ? document.tags : [];
  return {
    ...document,
    paths: Object.fromEntries(Object.entries(paths).filter(([, path]) => Object.keys(path ?? {}).length > 0)),
    tags: tags.filter((tag) => !isObject(tag) || tag.name !== "extension"),
  };
};
