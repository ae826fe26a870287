/** Makers of the nodes that forms consist of. */
import type { Aggregate, Expression, PropertyDefinition, Window } from "quittance/formula";
import type { Period } from "./Form.ts";

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

export const windowOf = (period: Period | "ever"): Window =>
  period === "ever" ? { type: "lifetime" } : { type: "calendar", unit: period };

/** The sum over earlier sales of a period. */
export const sumBefore = (value: Expression, period: Period | "ever"): Aggregate => ({
  type: "aggregate",
  function: "sum",
  value,
  window: windowOf(period),
});

/** The number of earlier sales of a period; with a property, of those with the same value. */
export const countBefore = (period: Period | "ever", by = ""): Aggregate => ({
  type: "aggregate",
  function: "count",
  window: windowOf(period),
  ...(by === "" ? {} : { group_by: [by] }),
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
