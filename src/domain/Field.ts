/** Fields of requests: those whose names differ between the wire and the code, and lists that name something once. */
import { Schema } from "effect";
import { REASON_MAX } from "./Limits.ts";
import { Text } from "./Text.ts";

/** Annotates a field with its meaning. */
export const MEANING: unique symbol = Symbol.for("quittance/domain/Meaning");

/** Annotates a schema with the name that the OpenAPI document gives it in responses. */
export const NAME: unique symbol = Symbol.for("quittance/domain/Name");

/** Annotates a field with its meaning in responses as well. */
export const SHOWN_MEANING: unique symbol = Symbol.for("quittance/domain/ShownMeaning");

/** Annotates a field with a value for the examples of the OpenAPI document, as a request writes it. */
export const EXAMPLE: unique symbol = Symbol.for("quittance/domain/Example");

/** States what a field means to callers, and a value as a request writes it; the OpenAPI document shows them. */
export const means =
  (meaning: string, example?: unknown) =>
  <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, I> =>
    schema.annotations({ [MEANING]: meaning, ...(example === undefined ? {} : { [EXAMPLE]: example }) });

/** A required field under its wire name, with its meaning. The name's literal type keeps `Encoded` types exact. */
export const key = <A, I, Name extends string>(
  schema: Schema.Schema<A, I>,
  name: Name,
  meaning: string,
  example?: NoInfer<I>,
) => Schema.propertySignature(means(meaning, example)(schema)).pipe(Schema.fromKey(name));

/** A field that may be absent, with its meaning. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, meaning: string, example?: NoInfer<I>) =>
  Schema.optionalWith(means(meaning, example)(schema), { exact: true });

/** The same under its wire name. */
export const optionalKey = <A, I, Name extends string>(
  schema: Schema.Schema<A, I>,
  name: Name,
  meaning: string,
  example?: NoInfer<I>,
) => optional(schema, meaning, example).pipe(Schema.fromKey(name));

/** A field of a record under its wire name, from which its forms in requests and records are derived. */
interface Field<S extends Schema.Schema.Any, Name extends string> {
  readonly schema: S;
  readonly name: Name;
  readonly meaning: string;
}

type Fields = Readonly<Record<string, Field<Schema.Schema.Any, string>>>;

const mapped = (fields: Fields, form: (field: Field<Schema.Schema<unknown>, string>) => unknown): unknown =>
  Object.fromEntries(
    Object.entries(fields).map(([name, stated]) => [
      name,
      form(stated as Field<Schema.Schema<unknown>, string>),
    ]),
  );

/** States a field with its meaning. */
export const field = <A, I, Name extends string>(
  schema: Schema.Schema<A, I>,
  name: Name,
  meaning: string,
): Field<Schema.Schema<A, I>, Name> => ({ schema, name, meaning });

type Signature<Of, Token extends Schema.PropertySignature.Token> =
  Of extends Field<infer S, infer Name>
    ? Schema.PropertySignature<Token, Schema.Schema.Type<S>, Name, Token, Schema.Schema.Encoded<S>>
    : never;

/** The fields of a record, which has all of them. */
export const required = <Of extends Fields>(fields: Of) =>
  mapped(fields, ({ schema, name, meaning }) =>
    key(schema.annotations({ [SHOWN_MEANING]: meaning }), name, meaning),
  ) as {
    readonly [Name in keyof Of]: Signature<Of[Name], ":">;
  };

/** The fields of a request, which may lack any of them. */
export const omittable = <Of extends Fields>(fields: Of) =>
  mapped(fields, ({ schema, name, meaning }) => optionalKey(schema, name, meaning)) as {
    readonly [Name in keyof Of]: Signature<Of[Name], "?:">;
  };

/** The same fields, of which each may be null. */
export const nullable = <Of extends Fields>(fields: Of) =>
  mapped(fields, ({ schema, ...rest }) => ({ schema: Schema.NullOr(schema), ...rest })) as {
    readonly [Name in keyof Of]: Of[Name] extends Field<infer S, infer Wire>
      ? Field<Schema.NullOr<S>, Wire>
      : never;
  };

/** Why something is done. */
export const Reason = Text(1, REASON_MAX).pipe(means("Why; the log shows it."));

/** Asks what new formulas would change, without storing them. */
export const formulaDryRun = optionalKey(
  Schema.Boolean,
  "dry_run",
  "true returns what it would change, for at most 100,000 past sales, and stores nothing; false by default.",
);

/** A list of 1 to `maximum` different items; the messages name what it lists, and what it must not repeat. */
export const distinct = <A, I>(item: Schema.Schema<A, I>, maximum: number, what: string, singular = "one") =>
  Schema.Array(item).pipe(
    Schema.filter(
      (values) =>
        values.length < 1 || values.length > maximum
          ? `must have 1 to ${maximum} ${what}`
          : new Set(values).size === values.length || `must not name ${singular} twice`,
      { jsonSchema: { minItems: 1, maxItems: maximum, uniqueItems: true } },
    ),
  );

/** The name of a field on the wire. */
export const wireName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
