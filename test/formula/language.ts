import { Either } from "effect";
import {
  type Checked,
  check,
  compile,
  decode,
  type Expression,
  evaluate,
  type Facts,
  formatProblem,
  type PropertyDefinition,
  type PropertyValue,
} from "quittance/formula";
import { expect } from "vitest";
import { toAmount } from "../../src/formula/Compile.ts";
import type { Branch } from "../../src/formula/Expression.ts";
import * as Reference from "../../src/formula/Reference.ts";

/** Short ways to write expressions in tests. */
export const number = (value: number): Expression => ({ type: "literal", value: { type: "number", value } });
export const percent = (value: number): Expression => ({
  type: "literal",
  value: { type: "percent", value },
});
export const basisPoints = (value: number): Expression => ({
  type: "literal",
  value: { type: "basis_points", value },
});
export const text = (value: string): Expression => ({ type: "literal", value: { type: "string", value } });
export const truth = (value: boolean): Expression => ({ type: "literal", value: { type: "boolean", value } });
export const date = (value: string): Expression => ({ type: "literal", value: { type: "date", value } });
export const property = (name: string): Expression => ({ type: "property", name });
export const variable = (name: string): Expression => ({ type: "variable", name });
export const add = (...operands: Array<Expression>): Expression => ({ type: "add", operands });
export const subtract = (left: Expression, right: Expression): Expression => ({
  type: "subtract",
  left,
  right,
});
export const multiply = (...operands: Array<Expression>): Expression => ({ type: "multiply", operands });
export const divide = (left: Expression, right: Expression): Expression => ({ type: "divide", left, right });
export const coalesce = (...operands: Array<Expression>): Expression => ({ type: "coalesce", operands });
export const when = (condition: Expression, result: Expression): Branch => ({
  when: condition,
  then: result,
});

/** 1 where the condition holds and 0 where it does not, so that conditions can be evaluated. */
export const oneIf = (condition: Expression): Expression => ({
  type: "case",
  branches: [when(condition, number(1))],
  else: number(0),
});

/** A schema with one property of every type, required and optional. */
export const properties: ReadonlyArray<PropertyDefinition> = [
  { name: "amount", type: "number", required: true },
  { name: "quantity", type: "number", required: true },
  { name: "discount", type: "number", required: false },
  { name: "rate", type: "number", required: false, default: 0.125 },
  { name: "region", type: "string", required: true },
  { name: "since", type: "string", required: true },
  { name: "campaign", type: "string", required: false },
  { name: "plan", type: "string", required: false, default: "basic" },
  { name: "renewal", type: "boolean", required: true },
  { name: "trial", type: "boolean", required: false },
  { name: "online", type: "boolean", required: false, default: true },
];

/** Facts of that schema with the given properties. */
export const factsWith = (
  given: Readonly<Record<string, PropertyValue>> = {},
  rest: Partial<Facts> = {},
): Facts => ({
  id: "a1",
  partnerId: "p1",
  customerId: "c1",
  workspaceId: "w1",
  schemaId: "s1",
  agentId: null,
  createdAt: Date.UTC(2026, 0, 31, 10, 30),
  occurredAt: Date.UTC(2025, 11, 24, 18),
  ...rest,
  properties: { amount: 0, quantity: 1, region: "EU", since: "2025-01-31", renewal: false, ...given },
});

/** The expression, decoded and checked against {@link properties}. */
export const checked = (input: unknown): Checked =>
  Either.getOrThrowWith(
    Either.flatMap(decode(input), (expression) => check(expression, properties)),
    (problem) => new Error(formatProblem(problem)),
  );

/** Why an expression is refused, `path: message`. */
export const refusal = (input: unknown): string =>
  Either.match(
    Either.flatMap(decode(input), (expression) => check(expression, properties)),
    { onLeft: formatProblem, onRight: () => "accepted" },
  );

/** The amount, or the error code, on which the fast path and the reference interpreter agree. */
export const amountOf = (expression: unknown, facts: Facts): number | string => {
  const formula = checked(expression);
  const shown = Either.match({
    onLeft: ({ code }: { readonly code: string }): number | string => code,
    onRight: (amount: number): number | string => amount,
  });
  const fast = shown(evaluate(compile(formula), facts));
  expect(fast).toBe(shown(toAmount(Reference.evaluate(formula, facts))));
  return fast;
};
