/** Makers of the nodes that forms consist of. */
import type { Aggregate, Expression, PropertyDefinition, Window } from "quittance/formula";
import type { Span } from "./Form.ts";

export const number = (value: number): Expression => ({ type: "literal", value: { type: "number", value } });

export const percent = (value: number): Expression => ({
  type: "literal",
  value: { type: "percent", value },
});

export const ZERO = number(0);

export const text = (value: string): Expression => ({ type: "literal", value: { type: "string", value } });

export const variable = (name: string): Expression => ({ type: "variable", name });

export const parameter = (name: string): Expression => ({ type: "parameter", name });

export const divide = (left: Expression, right: Expression): Expression => ({ type: "divide", left, right });

export const add = (...operands: ReadonlyArray<Expression>): Expression => ({ type: "add", operands });

export const subtract = (left: Expression, right: Expression): Expression => ({
  type: "subtract",
  left,
  right,
});

export const max = (...operands: ReadonlyArray<Expression>): Expression => ({ type: "max", operands });

export const min = (...operands: ReadonlyArray<Expression>): Expression => ({ type: "min", operands });

export const round = (operand: Expression): Expression => ({ type: "round", operand, mode: "half_up" });

/** A product; of one factor, the factor. */
export const multiply = (first: Expression, ...others: ReadonlyArray<Expression>): Expression =>
  others.length === 0 ? first : { type: "multiply", operands: [first, ...others] };

/** `then` where a value is at least a threshold, else 0. */
export const fromThreshold = (left: Expression, threshold: Expression, then: Expression): Expression => ({
  type: "case",
  branches: [{ when: { type: "compare", operator: "greater_than_or_equal", left, right: threshold }, then }],
  else: ZERO,
});

/** The days of a span of the last days, as typed; null for any other. */
export const daysOf = (span: string): string | null =>
  span.startsWith("last ") ? span.slice("last ".length) : null;

/** The parameter of a year that begins on a date of the partner; null for any other span. */
export const startOf = (span: string): string | null =>
  span.startsWith("since ") ? span.slice("since ".length) : null;

export const windowOf = (span: Span): Window => {
  if (span === "ever") return { type: "lifetime" };
  if (span === "month" || span === "quarter" || span === "year") return { type: "calendar", unit: span };
  const days = daysOf(span);
  return days === null
    ? { type: "anniversary", of: startOf(span) ?? "" }
    : { type: "rolling", days: Number(days) };
};

const grouped = (by: string) => (by === "" ? {} : { group_by: [by] });

/** The sum over earlier sales of a span; with a property, over those with the same value. */
export const sumBefore = (value: Expression, span: Span, by = ""): Aggregate => ({
  type: "aggregate",
  function: "sum",
  value,
  window: windowOf(span),
  ...grouped(by),
});

/** The number of earlier sales of a span; with a property, of those with the same value. */
export const countBefore = (span: Span, by = ""): Aggregate => ({
  type: "aggregate",
  function: "count",
  window: windowOf(span),
  ...grouped(by),
});

/** The day that the sale counts for. */
export const DAY_OF_SALE: Expression = { type: "attribute", name: "occurred_on" };

/** A date that a text names, and another one where it names none. */
export const dateIn = (text: Expression, otherwise: string): Expression => ({
  type: "coalesce",
  operands: [
    { type: "parse_date", operand: text },
    { type: "literal", value: { type: "date", value: otherwise } },
  ],
});

const ABSENT: Readonly<Record<PropertyDefinition["type"], Expression>> = {
  number: ZERO,
  string: text(""),
  boolean: { type: "literal", value: { type: "boolean", value: false } },
};

/** The value of a property; 0, an empty text or no where a sale may come without it. */
export const reference = ({ name, type, required, default: byDefault }: PropertyDefinition): Expression => {
  const property: Expression = { type: "property", name };
  return required || byDefault !== undefined
    ? property
    : { type: "coalesce", operands: [property, ABSENT[type]] };
};

/** True if an expression reads a parameter, which no total may. */
export const readsParameters = (expression: Expression): boolean =>
  JSON.stringify(expression).includes('"type":"parameter"');

/** True if an expression looks at earlier sales. */
export const accumulates = (expression: Expression): boolean =>
  JSON.stringify(expression).includes('"type":"aggregate"');
