/** Fields that records share on the wire. */
import { Schema } from "effect";
import { MOMENT, UNESCAPED } from "./Annotation.ts";

/** Strings of one pattern, in which JSON escapes no character. */
const patternString = (jsonSchema: object, pattern: RegExp) =>
  Schema.String.annotations({
    [UNESCAPED]: true,
    arbitrary: () => (fc) => fc.stringMatching(pattern),
    jsonSchema: { type: "string", ...jsonSchema },
  });

/** A UUID in lower case. */
export const Id = patternString({ format: "uuid" }, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The text of a moment. A writer also takes the milliseconds that records have. */
export type DateTime = string & { readonly [MOMENT]: true };

/** A date-time in UTC with milliseconds, `2026-01-31T10:00:00.000Z`. */
export const DateTime = patternString(
  { format: "date-time" },
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
).annotations({ [MOMENT]: true }) as unknown as Schema.Schema<DateTime>;

/** A date without a time, `2026-01-31`. */
export const CalendarDate = patternString({ format: "date" }, /^\d{4}-\d\d-\d\d$/);

/** A whole number. */
export const Integer = Schema.Number.annotations({ jsonSchema: { type: "integer" } });

/** An amount in the smallest unit of its currency, within ±(2^53 − 1). */
export const Amount = Schema.Number.annotations({ jsonSchema: { type: "integer", format: "int64" } });

/** A sum of amounts over any number of records: an integer of any length. */
export const Sum = Schema.Number.annotations({
  identifier: "Sum",
  jsonSchema: { type: "integer" },
  description:
    "A sum of amounts in the smallest unit. It is exact, and may exceed ±(2^53 − 1), the largest amount.",
});

/** A field that may be absent. */
export const optional = <Field extends Schema.Schema.All>(field: Field) =>
  Schema.optionalWith(field, { exact: true });

export const Count = Schema.Number.annotations({
  jsonSchema: { type: "integer", format: "int64", minimum: 0 },
});

/** The number of a version, from 1. */
export const Version = Schema.Number.annotations({ jsonSchema: { type: "integer", minimum: 1 } });

/** An ISO 4217 code. */
export const Currency = patternString({ pattern: "^[A-Z]{3}$" }, /^[A-Z]{3}$/);

/** A node of the formula language: an object whose `type` names its kind. */
export const Expression = Schema.Struct(
  { type: Schema.String },
  Schema.Record({ key: Schema.String, value: Schema.Unknown }),
).annotations({
  identifier: "Expression",
  description: "A node of the formula language, chosen by its type.",
  jsonSchema: { type: "object", required: ["type"], properties: { type: { type: "string" } } },
});

/**
 * The derivation of an amount: the final rounding first, then every evaluated node in reading order. `value` is the
 * node's value as text (numbers exactly), true or false, or null where it is absent; `detail` depends on `type`.
 */
export const Trace = Schema.Array(
  Schema.Struct({
    path: Schema.String,
    type: Schema.String,
    value: Schema.NullOr(Schema.Union(Schema.String, Schema.Boolean)),
    detail: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  }).annotations({ identifier: "TraceStep" }),
).annotations({
  description: "The derivation of an amount: the final rounding, then every evaluated node in reading order.",
});

/** The id of a new record. */
export const Created = Schema.Struct({ id: Id }).annotations({ identifier: "Created" });

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Creates members of a union with the discriminator `type`. The OpenAPI document names each after its type and the
 * suffix.
 */
export const variant =
  (suffix: string) =>
  <Name extends string, Fields extends Schema.Struct.Fields>(type: Name, fields: Fields) =>
    Schema.Struct({ type: Schema.Literal(type), ...fields }).annotations({
      identifier: `${pascalCase(type)}${suffix}`,
    });

/** An event of a record's log. */
export const event = variant("Event");

/** Personal data was erased from earlier events of the record. */
export const ErasureEvent = event("erase_personal_data", {
  erased_from: Schema.Literal("record", "feed").annotations({
    description: "record: from the record, its events and the feed; feed: from the feed alone.",
  }),
  sequences: Schema.Array(Count).annotations({ description: "The numbers of these events in their record." }),
});

/** Who has changed a policy, an account or a credential. */
export const EventActor = Schema.Struct({
  principal_id: Schema.String.annotations({
    description: "The id of the API key, or jwt: and the subject of a token.",
  }),
  person: Schema.String.annotations({
    description: "The person behind it; the same as principal_id where none is known.",
  }),
}).annotations({ identifier: "EventActor" });

/** One entry of a record's log. */
export const entryOf = <Fields extends Schema.Schema.Any>(event: Fields) =>
  Schema.Struct({ datetime: DateTime, event });

/** A page of a list: the records under their own name, the total, and the page's number and size. */
export const pageOf = <Name extends string, Item extends Schema.Schema.Any>(name: Name, item: Item) =>
  Schema.Struct({
    ...({ [name]: Schema.Array(item) } as { readonly [Key in Name]: Schema.Array$<Item> }),
    total: Count,
    page: Count,
    per_page: Count,
  });
