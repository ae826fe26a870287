/** Describes parameters and the fields of request bodies: their meaning, then their form, which their schemas state. */
import type { Meanings } from "../shared/Meaning.ts";
import { isList, isObject, type Json, type JsonObject, mapValues } from "./Json.ts";

/** Descriptions that the platform derives from a rule, such as "an array of at most 100 item(s)"; keywords state the same. */
const isDerived = (text: Json | undefined): boolean => typeof text === "string" && /^(an? )[a-z]/.test(text);

/** A description: the meaning of a value, then its form. */
export const compose = (meaning: string | undefined, form: Json | undefined): Json | undefined => {
  const kept = isDerived(form) ? undefined : form;
  if (meaning === undefined || meaning === kept) return meaning ?? kept;
  return kept === undefined ? meaning : `${meaning} ${kept}`;
};

const describeField = (meanings: Meanings, path: string, field: Json): Json => {
  if (!isObject(field)) return field;
  const { description: form, ...rest } = describeFields(meanings, field, path);
  const description = compose(meanings[path], form);
  if (description === undefined) return rest;
  // A reference ignores its siblings.
  const { $ref } = rest;
  return $ref === undefined ? { ...rest, description } : { description, allOf: [{ $ref }] };
};

const describeParts = (meanings: Meanings, parts: Json, path: string): Json =>
  isList(parts)
    ? parts.map((part) => describeParts(meanings, part, path))
    : isObject(parts)
      ? describeFields(meanings, parts, path)
      : parts;

/** The schema of a body, or of the part of it at a path, whose fields have descriptions of their own. */
export const describeFields = (meanings: Meanings, schema: JsonObject, path = ""): JsonObject =>
  mapValues(schema, (value, keyword) => {
    if (keyword === "items" || keyword === "anyOf") return describeParts(meanings, value, path);
    if (keyword !== "properties") return value;
    return mapValues(value, (field, name) =>
      describeField(meanings, path === "" ? name : `${path}.${name}`, field),
    );
  });
