/**
 * The OpenAPI document in version 3.0.3. The platform derives a document of 3.1 from the contract; this module converts
 * it and adds what the contract's types cannot express.
 */
import { FormulaSchemas } from "quittance";
import { EXAMPLES_KEY } from "../shared/Annotation.ts";
import { MEANINGS_KEY, type Meanings } from "../shared/Meaning.ts";
import { describeOperation, failureResponses, headers } from "./Description.ts";
import { describeFields } from "./FieldDescription.ts";
import { isList, isObject, type Json, type JsonObject, mapValues } from "./Json.ts";
import { refineDocument } from "./Refinement.ts";

/** Component schemas of the platform's own error shape, which this service never returns. */
const FOREIGN = ["HttpApiDecodeError", "Issue", "PropertyKey"];

/** The named schemas that a schema refers to, each with the path of the field that does. */
const namedParts = (schema: Json, path = ""): ReadonlyArray<readonly [name: string, path: string]> => {
  if (isList(schema)) return schema.flatMap((part) => namedParts(part, path));
  if (!isObject(schema)) return [];
  const name = typeof schema.$ref === "string" ? schema.$ref.replace("#/components/schemas/", "") : null;
  return [
    ...(name === null ? [] : [[name, path] as const]),
    ...Object.entries(schema).flatMap(([keyword, value]) =>
      keyword === "properties" && isObject(value)
        ? Object.entries(value).flatMap(([field, child]) =>
            namedParts(child, path === "" ? field : `${path}.${field}`),
          )
        : namedParts(value, path),
    ),
  ];
};

const objectsIn = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  Object.values(isObject(value) ? value : {}).filter(isObject);

/** How to describe the named parts of request bodies, by their names. */
const partDescriptions = (paths: Json | undefined): ReadonlyMap<string, (schema: JsonObject) => JsonObject> =>
  new Map(
    objectsIn(paths)
      .flatMap(objectsIn)
      .flatMap(({ requestBody, [MEANINGS_KEY]: meanings = {} }) =>
        namedParts(requestBody ?? null).map(([name, path]) => [
          name,
          (schema: JsonObject) => describeFields(meanings as Meanings, schema, path),
        ]),
      ),
  );

const isNull = (value: Json): boolean => isObject(value) && value.type === "null";

const isForeign = (value: Json): boolean =>
  isObject(value) && FOREIGN.some((name) => value.$ref === `#/components/schemas/${name}`);

/** True if a schema allows no value: of a field that must be absent, which objects without further fields say as well. */
const isNever = (value: Json): boolean =>
  isObject(value) && isObject(value.not) && Object.keys(value.not).length === 0;

/**
 * True if a keyword or a field is dropped: 3.0.3 does not have it, it states a default, it repeats a filter's name, its list is
 * empty, or it must be absent.
 */
const isDropped = (key: string, value: Json): boolean =>
  key === "$id" ||
  key === "contentEncoding" ||
  (key === "additionalProperties" && value === true) ||
  (key === "title" && typeof value === "string") ||
  (key === "required" && isList(value) && value.length === 0) ||
  isNever(value);

/** Merges an `allOf` of one schema into its surroundings; a reference stays one, since its siblings would be ignored. */
const mergeAllOf = (schema: JsonObject): JsonObject => {
  const { allOf, ...rest } = schema;
  const [only, ...more] = isList(allOf) ? allOf : [];
  return isObject(only) && more.length === 0 && only.$ref === undefined ? { ...only, ...rest } : schema;
};

/** Only null; 3.0.3 applies `nullable` only next to a type. */
const NULL: JsonObject = { type: "object", nullable: true, enum: [null] };

/** A schema that allows null as well; one that lists its values lists null. */
const allowNull = (schema: JsonObject): JsonObject => {
  const { anyOf, enum: values, $ref, allOf, ...rest } = schema;
  if ($ref !== undefined) return { anyOf: [schema, NULL] };
  // A described reference is an allOf of one member, and has no type that `nullable` could belong to.
  if (isList(allOf)) return { ...rest, anyOf: [...allOf, NULL] };
  if (isList(anyOf)) {
    return { ...schema, anyOf: anyOf.map((member) => (isObject(member) ? allowNull(member) : member)) };
  }
  return { ...schema, ...(isList(values) ? { enum: [...values, null] } : {}), nullable: true };
};

/** A union without null, which becomes `nullable`, and without the platform's error shape. */
const convertUnion = (schema: JsonObject, members: ReadonlyArray<Json>): JsonObject => {
  const { anyOf: _, ...rest } = schema;
  const choices = members.filter((member) => !isNull(member) && !isForeign(member));
  const [only, ...more] = choices;
  const plain: JsonObject =
    !isObject(only) || more.length > 0
      ? { ...rest, anyOf: choices }
      : only.$ref === undefined
        ? { ...only, ...rest }
        : Object.keys(rest).length === 0
          ? only
          : { ...rest, allOf: [only] };
  return members.some(isNull) ? allowNull(plain) : plain;
};

const walkObject = (value: JsonObject): JsonObject => {
  const walked: Record<string, Json> = {};
  for (const [key, child] of Object.entries(value)) {
    if (isDropped(key, child)) continue;
    if (key === "const") walked.enum = [child];
    else walked[key] = key === EXAMPLES_KEY ? child : walk(child);
  }
  const { $ref, ...siblings } = walked;
  if ($ref !== undefined && Object.keys(siblings).length > 0) return { ...siblings, allOf: [{ $ref }] };
  return isList(walked.anyOf) ? convertUnion(walked, walked.anyOf) : mergeAllOf(walked);
};

/** Converts a value of the document. Examples stay, and so do names of properties, because none of them equals a keyword. */
const walk = (value: Json): Json =>
  isObject(value) ? walkObject(value) : isList(value) ? value.map((item) => walk(item)) : value;

const omitKeys = (value: Json | undefined, keys: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([key]) => !keys.includes(key)));

/** Converts a document of version 3.1, as the platform derives it from a contract, to 3.0.3. */
export const downgrade = (document: JsonObject): JsonObject => {
  const components = isObject(document.components) ? document.components : {};
  const describePart = partDescriptions(document.paths);
  const schemas = {
    ...mapValues(omitKeys(components.schemas, FOREIGN), (value, name) => {
      const schema = walk(value);
      return isObject(schema) ? (describePart.get(name)?.(schema) ?? schema) : schema;
    }),
    ...FormulaSchemas.jsonSchemas(),
  };
  return refineDocument({
    ...document,
    openapi: "3.0.3",
    info: {
      ...(isObject(document.info) ? document.info : {}),
      contact: { name: "The operator of the server" },
    },
    servers: [{ url: "/", description: "The server that this document comes from." }],
    paths: mapValues(document.paths, (path) =>
      mapValues(path, (value, method) => {
        const operation = walk(value);
        return isObject(operation) ? describeOperation(operation, method) : operation;
      }),
    ),
    components: { ...components, schemas, responses: failureResponses(schemas), headers },
    tags: [
      ...(isList(document.tags) ? document.tags : []),
      { name: "extension", description: "Operations beyond the published interface." },
    ],
  });
};

/** One document with the operations and schemas of both; the first one wins where both have the same name. */
export const mergeDocuments = (a: JsonObject, b: JsonObject): JsonObject => {
  const mergeObjects = (first: Json | undefined, second: Json | undefined): JsonObject => ({
    ...(isObject(first) ? first : {}),
    ...omitKeys(second, Object.keys(isObject(first) ? first : {})),
  });
  const [components, more] = [mergeObjects(a.components, {}), mergeObjects(b.components, {})];
  const tags = [a.tags, b.tags].flatMap((list) => (isList(list) ? list : []));
  const known = new Map(tags.map((tag) => [isObject(tag) ? tag.name : tag, tag]));
  return {
    ...a,
    paths: mergeObjects(a.paths, b.paths),
    components: mapValues(components, (value, key) => mergeObjects(value, more[key])),
    tags: [...known.values()],
  };
};
