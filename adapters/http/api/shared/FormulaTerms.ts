/** The fields that formulas and plans share, in their events and in their records. */
import { Schema } from "effect";
import { Currency, DateTime, Expression } from "./Field.ts";

/** The expression of a view as text. */
export const text = Schema.String.annotations({
  description: "The expression in the text form of the formula language, laid out in lines.",
});

/** The fields of the creation of a formula or a plan. */
export const creation = {
  formula: Expression,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  start_datetime: DateTime,
  end_datetime: Schema.NullOr(DateTime),
  currency: Currency,
};

/** The fields that an update may change, null where it clears one. */
export const changes = {
  name: Schema.optionalWith(Schema.String, { exact: true }),
  description: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }),
  start_datetime: Schema.optionalWith(DateTime, { exact: true }),
  end_datetime: Schema.optionalWith(Schema.NullOr(DateTime), { exact: true }),
  formula: Schema.optionalWith(Expression, { exact: true }),
  effective_datetime: Schema.optionalWith(DateTime, { exact: true }),
};

/** The fields of the record, with their present values. */
export const record = {
  currency: Currency,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  start_datetime: DateTime,
  end_datetime: Schema.NullOr(DateTime),
  expression: Expression,
  created_at: DateTime,
};
