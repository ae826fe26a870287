/** JSON values, and the little that is needed to look into them. */

/** A JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** True if a value is an object, and no list. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value);

/** The object with each of its values changed; an empty one in place of anything else. */
export const mapValues = (value: Json | undefined, change: (child: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([key, child]) => [key, change(child, key)]),
  );
