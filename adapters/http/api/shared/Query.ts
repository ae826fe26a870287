/** Path and query parameters: how lists are paged and filtered, and what a statistic spans. */
import { Schema } from "effect";
import { Calendar, Currency, Limits, Text, Timestamp } from "quittance";

const whole = (minimum: number, maximum: number, standard: number, description: string) =>
  Schema.String.pipe(
    Schema.pattern(/^[0-9]{1,10}$/, { message: () => `must be a whole number, ${minimum} to ${maximum}` }),
    Schema.parseNumber,
    Schema.between(minimum, maximum, { message: () => `must be ${minimum} to ${maximum}` }),
  ).annotations({
    jsonSchema: { type: "integer", minimum, maximum, default: standard, description },
  });

/** Renames a parameter from its wire name; it may be left out. */
export const optional = <A, I, Name extends string>(schema: Schema.Schema<A, I>, name: Name) =>
  Schema.optionalWith(schema, { exact: true }).pipe(Schema.fromKey(name));

/** Values of a filter, as a repeated parameter; duplicates are harmless. `items` describes one, an id unless stated. */
export const filter = <A, I extends string, Name extends string>(
  value: Schema.Schema<A, I>,
  name: Name,
  items: Readonly<Record<string, unknown>> = { type: "string", format: "uuid" },
) =>
  optional(
    Schema.Array(value)
      .pipe(
        Schema.maxItems(Limits.FILTER_VALUES_MAX, {
          message: () => `must have at most ${Limits.FILTER_VALUES_MAX} values`,
        }),
      )
      .annotations({
        jsonSchema: {
          description: "Any of these; the parameter is repeated for several.",
          type: "array",
          maxItems: Limits.FILTER_VALUES_MAX,
          items,
        },
      }),
    name,
  );

/** One of some words, any of which a filter may name. */
export const words = <Name extends string, Word extends string>(name: Name, values: ReadonlyArray<Word>) =>
  filter(Schema.Literal(...values), name, { type: "string", enum: values });

/** Currencies of a filter. */
export const currencies = filter(Currency.Currency, "currencies", { type: "string", pattern: "^[A-Z]{3}$" });

/** A filter of yes or no. */
export const truth = <Name extends string>(name: Name) =>
  optional(
    Schema.transform(Schema.Literal("true", "false"), Schema.Boolean, {
      strict: true,
      decode: (text) => text === "true",
      encode: (value) => (value ? "true" : "false"),
    }).annotations({ jsonSchema: { type: "boolean" } }),
    name,
  );

/** The parameters that every list takes. */
export const paging = {
  page: Schema.optionalWith(whole(1, Limits.PAGE_MAX, 1, "Which page, from 1."), { exact: true }),
  perPage: optional(
    whole(1, Limits.PER_PAGE_MAX, Limits.PER_PAGE_DEFAULT, "How many records a page holds."),
    "per_page",
  ),
  order: Schema.optionalWith(
    Schema.Literal("asc", "desc").annotations({
      description: "By creation: oldest first (asc, the default) or newest first.",
    }),
    { exact: true },
  ),
};

/** A part of a name, found without regard to case; no character is a wildcard. */
export const name = Schema.optionalWith(
  Text.Text(0, Limits.NAME_MAX).annotations({
    jsonSchema: { maxLength: Limits.NAME_MAX, description: "A part of the name, in any letter case." },
  }),
  { exact: true },
);

const Moment = Schema.String.annotations({
  jsonSchema: { type: "string", format: "date-time", description: "RFC 3339 with an offset or Z." },
});

/**
 * A date-time in a query. An offset's plus sign that a client left unescaped arrives as a space and is read as meant.
 */
export const DateTime = Schema.transform(Moment, Schema.String, {
  strict: true,
  decode: (text) => text.replace(/ (?=\d\d:\d\d$)/, "+"),
  encode: (text) => text,
}).pipe(Schema.compose(Timestamp.DateTime));

/** What every statistic takes; `from` is inclusive, `to` exclusive. */
export const statistics = {
  from: DateTime.annotations({ description: "The first moment that counts." }),
  to: DateTime.annotations({ description: "The first moment that no longer counts." }),
  granularity: Calendar.Granularity.annotations({
    description: "What a bucket spans, in UTC; weeks begin on Monday.",
  }),
};

/** The path of one record. */
export const recordPath = <A>(id: Schema.Schema<A, string>) => Schema.Struct({ id: id });
