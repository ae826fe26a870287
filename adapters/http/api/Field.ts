/** Fields that records share on the wire. */
import { Schema } from "effect";

/** A UUID in lower case. */
export const Id = Schema.String.annotations({ jsonSchema: { type: "string", format: "uuid" } });

/** A date-time in UTC with milliseconds, `2026-01-31T10:00:00.000Z`. */
export const DateTime = Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } });

/** An amount in the smallest unit of its currency, within ±(2^53 − 1). */
export const Amount = Schema.Number.annotations({ jsonSchema: { type: "integer", format: "int64" } });

/** A count. */
export const Count = Schema.Number.annotations({
  jsonSchema: { type: "integer", format: "int64", minimum: 0 },
});

/** An ISO 4217 code. */
export const Currency = Schema.String.annotations({
  jsonSchema: { type: "string", pattern: "^[A-Z]{3}$" },
});

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
 * How an amount came about: the final rounding first, then every evaluated node in reading order. `value` is the node's
 * value as text (numbers exactly), true or false, or null where it is absent; `detail` depends on `type`.
 */
export const Trace = Schema.Array(
  Schema.Struct({
    path: Schema.String,
    type: Schema.String,
    value: Schema.NullOr(Schema.Union(Schema.String, Schema.Boolean)),
    detail: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  }),
).annotations({
  identifier: "Trace",
  description: "How an amount came about: the final rounding, then every evaluated node in reading order.",
});

/** What an operation that makes a record answers. */
export const Created = Schema.Struct({ id: Id }).annotations({ identifier: "Created" });

/** One entry of a record's log. */
export const entryOf = <Fields extends Schema.Schema.Any>(event: Fields) =>
  Schema.Struct({ datetime: DateTime, event });

/** A page of a list: the records under their own name, and where the page stands. */
export const pageOf = <Name extends string, Item extends Schema.Schema.Any>(name: Name, item: Item) =>
  Schema.Struct({
    ...({ [name]: Schema.Array(item) } as { readonly [Key in Name]: Schema.Array$<Item> }),
    total: Count,
    page: Count,
    per_page: Count,
  });
