/** The fields that formulas and plans share, in their events and in their records. */
import { Schema } from "effect";
import { Currency, DateTime, Expression } from "./Field.ts";

/** The expression of a view as text. */
export const text = Schema.String.annotations({
  description: "The expression in the text form of the formula language, laid out in lines.",
});

/** What formulas and plans state beside their expression. */
const terms = {
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  start_datetime: DateTime,
  end_datetime: Schema.NullOr(DateTime),
};

/** The fields of the creation of a formula or a plan. */
export const creation = { formula: Expression, ...terms, currency: Currency };

const optional = <Field extends Schema.Schema.All>(field: Field) =>
  Schema.optionalWith(field, { exact: true });

/** The fields that an update may change, null where it clears one. */
export const changes = {
  name: optional(terms.name),
  description: optional(terms.description),
  start_datetime: optional(terms.start_datetime),
  end_datetime: optional(terms.end_datetime),
  formula: optional(creation.formula),
  effective_datetime: optional(DateTime),
};

/** The fields of the record, with their present values. */
export const record = { currency: Currency, ...terms, expression: Expression, created_at: DateTime };
