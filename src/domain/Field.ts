/** Fields of requests: those whose names differ between the wire and the code, and lists that name something once. */
import { Schema } from "effect";

/** A required field under its wire name. The name's literal type keeps `Encoded` types exact. */
export const key = <A, I, R, Name extends string>(schema: Schema.Schema<A, I, R>, name: Name) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name));

/** The same of a field that may be absent. */
export const optionalKey = <A, I, Name extends string>(schema: Schema.Schema<A, I>, name: Name) =>
  Schema.optionalWith(schema, { exact: true }).pipe(Schema.fromKey(name));

/** A list of 1 to `maximum` different items; the messages name what it lists, and what it must not repeat. */
export const distinct = <A, I>(item: Schema.Schema<A, I>, maximum: number, what: string, one = "one") =>
  Schema.Array(item).pipe(
    Schema.filter(
      (values) =>
        values.length < 1 || values.length > maximum
          ? `must have 1 to ${maximum} ${what}`
          : new Set(values).size === values.length || `must not name ${one} twice`,
      { jsonSchema: { minItems: 1, maxItems: maximum, uniqueItems: true } },
    ),
  );

/** The name of a field on the wire. */
export const wireName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
