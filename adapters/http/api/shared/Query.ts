/** Path and query parameters: pages and filters of lists, and the span of statistics. */
import { Schema } from "effect";
import { Calendar, Currency, Limits, Text, Timestamp } from "quittance";

/** A whole number within bounds. */
export const wholeNumber = (minimum: number, maximum: number, standard: number, description: string) =>
  Schema.String.pipe(
    Schema.pattern(/^[0-9]{1,10}$/, { message: () => `must be a whole number, ${minimum} to ${maximum}` }),
    Schema.parseNumber,
    Schema.between(minimum, maximum, { message: () => `must be ${minimum} to ${maximum}` }),
  ).annotations({
    jsonSchema: { type: "integer", minimum, maximum, default: standard, description },
  });

/** An optional parameter, renamed from its name on the wire. */
export const optionalParameter = <A, I, Name extends string>(schema: Schema.Schema<A, I>, name: Name) =>
  Schema.optionalWith(schema, { exact: true }).pipe(Schema.fromKey(name));

/** The parameter `format` of a CSV file. */
export const csvFormat = (description: string) =>
  Schema.Literal("csv", "spreadsheet").annotations({
    jsonSchema: { type: "string", enum: ["csv", "spreadsheet"], default: "csv", description },
  });

/** Values of a filter, as a repeated parameter; duplicates have no effect. `items` describes one value; by default an id. */
export const filter = <A, I extends string, Name extends string>(
  value: Schema.Schema<A, I>,
  name: Name,
  items: Readonly<Record<string, unknown>> = { type: "string", format: "uuid" },
) =>
  optionalParameter(
    Schema.Array(value)
      .pipe(
        Schema.maxItems(Limits.FILTER_VALUES_MAX, {
          message: () => `must have at most ${Limits.FILTER_VALUES_MAX} values`,
        }),
      )
      .annotations({
        jsonSchema: {
          description: `Matches any of these values, at most ${Limits.FILTER_VALUES_MAX}; repeat the parameter for several values.`,
          type: "array",
          maxItems: Limits.FILTER_VALUES_MAX,
          items,
        },
      }),
    name,
  );

/** A filter whose values are some of the given words. */
export const wordFilter = <Name extends string, Word extends string>(
  name: Name,
  values: ReadonlyArray<Word>,
) => filter(Schema.Literal(...values), name, { type: "string", enum: values });

export const currencies = filter(Currency.Currency, "currencies", { type: "string", pattern: "^[A-Z]{3}$" });

/** A filter that is `true` or `false`. */
export const booleanFilter = <Name extends string>(name: Name, description: string) =>
  optionalParameter(
    Schema.transform(Schema.Literal("true", "false"), Schema.Boolean, {
      strict: true,
      decode: (text) => text === "true",
      encode: (value) => (value ? "true" : "false"),
    }).annotations({ jsonSchema: { type: "boolean", description } }),
    name,
  );

/** The parameters that every list takes. */
export const paging = {
  page: Schema.optionalWith(wholeNumber(1, Limits.PAGE_MAX, 1, "The page number, from 1."), { exact: true }),
  perPage: optionalParameter(
    wholeNumber(1, Limits.PER_PAGE_MAX, Limits.PER_PAGE_DEFAULT, "The number of records on a page."),
    "per_page",
  ),
  order: Schema.optionalWith(
    Schema.Literal("asc", "desc").annotations({
      description: "By time of creation: asc, the default, is oldest first; desc is newest first.",
    }),
    { exact: true },
  ),
};

/** A part of a name in any letter case; no character is a wildcard. */
export const name = Schema.optionalWith(
  Text.Text(0, Limits.NAME_MAX).annotations({
    jsonSchema: { maxLength: Limits.NAME_MAX, description: "A part of the name, in any letter case." },
  }),
  { exact: true },
);

/**
 * A date-time in a query. If a client does not escape the plus sign of an offset, it arrives as a space, which this
 * accepts.
 */
export const dateTime = (description: string) => {
  const jsonSchema = {
    type: "string",
    format: "date-time",
    description: `${description} RFC 3339 with an offset or Z.`,
  };
  return Schema.transform(Schema.String, Schema.String, {
    strict: true,
    decode: (text) => text.replace(/ (?=\d\d:\d\d$)/, "+"),
    encode: (text) => text,
  }).pipe(Schema.compose(Timestamp.DateTime), Schema.annotations({ jsonSchema }));
};

/** The filters on the `occurred_at` of an attribution, or of a commission's attribution. */
export const occurrence = {
  occurredFrom: optionalParameter(
    dateTime("Inclusive: attributions that occurred at this moment or later."),
    "occurred_from",
  ),
  occurredTo: optionalParameter(
    dateTime("Exclusive: attributions that occurred before this moment."),
    "occurred_to",
  ),
};

/** The parameters of every statistic; `from` is inclusive, `to` exclusive. */
export const statistics = {
  from: dateTime("Inclusive."),
  to: dateTime("Exclusive."),
  granularity: Calendar.Granularity.annotations({
    description: "The length of a bucket, in UTC; weeks begin on Monday.",
  }),
};

export const recordPath = <A>(id: Schema.Schema<A, string>) => Schema.Struct({ id: id });
