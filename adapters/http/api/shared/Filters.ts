/** The filters of lists as query parameters, derived from their declarations. */
import { SchemaAST as AST, JSONSchema, Schema } from "effect";
import { Limits, Storage, Timestamp } from "quittance";
import { dateTime, optionalParameter } from "./Query.ts";

type AnySchema = Schema.Schema.AnyNoContext;

/** A parameter with a filter's value, under its name over HTTP. */
type Parameter<
  Kind extends Storage.ListedKind,
  Name extends Storage.AskedName<Kind> & string,
> = Schema.PropertySignature<
  "?:",
  Exclude<Storage.AskedFilters<Kind>[Name], undefined>,
  Storage.Parameter<Name>,
  "?:",
  string | ReadonlyArray<string>,
  false,
  never
>;

/** The form of a value, as it is written in a request. */
const formOf = (schema: AnySchema): object =>
  Object.fromEntries(
    Object.entries(JSONSchema.make(Schema.encodedBoundSchema(schema))).filter(
      ([key, value]) => key !== "$schema" && key !== "description" && !(key === "minLength" && value === 0),
    ),
  );

/** Any of several values, as a repeated parameter; duplicates have no effect. */
const values = (schema: AnySchema, meaning: string): AnySchema =>
  Schema.Array(schema)
    .pipe(
      Schema.maxItems(Limits.FILTER_VALUES_MAX, {
        message: () => `must have at most ${Limits.FILTER_VALUES_MAX} values`,
      }),
    )
    .annotations({
      jsonSchema: {
        description: `${meaning} Matches any of these values, at most ${Limits.FILTER_VALUES_MAX}; repeat the parameter for several values.`,
        type: "array",
        maxItems: Limits.FILTER_VALUES_MAX,
        items: formOf(schema),
      },
    });

/** `true` or `false`. */
const boolean = (description: string): AnySchema =>
  Schema.transform(Schema.Literal("true", "false"), Schema.Boolean, {
    strict: true,
    decode: (text) => text === "true",
    encode: (value) => (value ? "true" : "false"),
  }).annotations({ jsonSchema: { type: "boolean", description } });

/** One of several words, of which one may stand for null. */
const word = (schema: AnySchema, nullWord: string, description: string): AnySchema => {
  const words = Storage.Filter.wordsOf(schema).map((item) => item ?? nullWord);
  return Schema.transform(Schema.Literal(...words), Schema.typeSchema(schema), {
    strict: true,
    decode: (text) => (text === nullWord ? null : text),
    encode: (value) => value ?? nullWord,
  }).annotations({ jsonSchema: { type: "string", enum: words, description } });
};

/** How a request writes the value of a filter. */
const writtenForm = (filter: Storage.Filter.Filter<never>): AnySchema => {
  const { type, schema, meaning } = filter;
  if (type === "one_of") return values(schema, meaning);
  if (schema === Timestamp.DateTime) return dateTime(meaning);
  if (AST.isBooleanKeyword(schema.ast)) return boolean(meaning);
  if (type === "equals" && filter.nullWord !== undefined) return word(schema, filter.nullWord, meaning);
  return type === "contains"
    ? schema.annotations({ jsonSchema: { ...formOf(schema), description: meaning } })
    : schema.annotations({ description: meaning });
};

/** Some filters of a kind as query parameters, by default all that requests may state. */
export const filters = <
  Kind extends Storage.ListedKind,
  Name extends Storage.AskedName<Kind> & string = Storage.AskedName<Kind> & string,
>(
  kind: Kind,
  names?: ReadonlyArray<Name>,
): { readonly [Key in Name]: Parameter<Kind, Key> } => {
  const declared: ReadonlyArray<readonly [string, Storage.Filter.Filter<never>]> = Object.entries(
    Storage.FILTERS[kind],
  );
  const parameters = declared
    .filter(
      ([name, filter]) =>
        !("isInternal" in filter) && (names as ReadonlyArray<string>)?.includes(name) !== false,
    )
    .map(([name, filter]) => [name, optionalParameter(writtenForm(filter), Storage.parameterOf(name))]);
  // The schema of a declaration decodes what a request may state.
  return Object.fromEntries(parameters) as { readonly [Key in Name]: Parameter<Kind, Key> };
};
