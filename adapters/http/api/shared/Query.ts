/** Path and query parameters: pages and filters of lists, and the span of statistics. */
import { Schema } from "effect";
import { Calendar, Limits, Timestamp } from "quittance";
import { optional } from "./Field.ts";

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
  optional(schema).pipe(Schema.fromKey(name));

/** The parameter `format` of a CSV file. */
export const csvFormat = (description: string) =>
  Schema.Literal("csv", "spreadsheet").annotations({
    jsonSchema: { type: "string", enum: ["csv", "spreadsheet"], default: "csv", description },
  });

/** The parameters that every list takes. */
export const paging = {
  page: optional(wholeNumber(1, Limits.PAGE_MAX, 1, "The page number, from 1.")),
  perPage: optionalParameter(
    wholeNumber(1, Limits.PER_PAGE_MAX, Limits.PER_PAGE_DEFAULT, "The number of records on a page."),
    "per_page",
  ),
  order: optional(
    Schema.Literal("asc", "desc").annotations({
      description: "By time of creation: asc, the default, is oldest first; desc is newest first.",
    }),
  ),
};

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

/** The parameters of every statistic; `from` is inclusive, `to` exclusive. */
export const statistics = {
  from: dateTime("The start of the period. Inclusive."),
  to: dateTime("The end of the period. Exclusive."),
  granularity: Calendar.Granularity.annotations({
    description: "The length of a bucket, in UTC; weeks begin on Monday.",
  }),
};

export const recordPath = <A>(id: Schema.Schema<A, string>) => Schema.Struct({ id: id });

/** More versions than a formula or a plan can have. */
const VERSION_MAX = 999_999_999;

/** The path of one version of a formula or a plan. */
export const versionPath = <A>(id: Schema.Schema<A, string>) =>
  Schema.Struct({
    id,
    number: Schema.String.pipe(
      Schema.pattern(/^[1-9][0-9]{0,8}$/, { message: () => "must be a whole number from 1" }),
      Schema.parseNumber,
      Schema.int(),
      Schema.between(1, VERSION_MAX),
    ).annotations({
      jsonSchema: {
        type: "integer",
        minimum: 1,
        maximum: VERSION_MAX,
        description: "The number of the version.",
      },
    }),
  });
