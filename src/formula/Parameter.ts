/** The parameters of a formula: names that its expressions read, with a value for each partner. */
import { Either } from "effect";
import * as Calendar from "./Calendar.ts";
import type * as Constant from "./Constant.ts";
import * as Decimal from "./Decimal.ts";
import type { Expression } from "./Expression.ts";
import * as Limits from "./Limits.ts";
import type { Format, ParameterValue } from "./Property.ts";

/** What a parameter can be called: letters, digits and underscores, at most 64 and no digit first. */
export const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** What is wrong with any other name. */
export const IDENTIFIER_PROBLEM =
  "must be at most 64 letters, digits and underscores, and not begin with a digit";

/** The types of parameters. */
export const PARAMETER_TYPES = ["number", "string", "boolean", "date"] as const;

/** One of {@link PARAMETER_TYPES}. */
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** How a formula declares one parameter. */
export type ParameterDefinition = {
  readonly name: string;
  readonly type: ParameterType;
  /** What a partner without a value of its own has. */
  readonly default?: ParameterValue;
  /** Of numbers only; `plain` when absent. */
  readonly format?: Format;
};

const JSON_TYPES: { readonly [T in ParameterType]: "string" | "number" | "boolean" } = {
  number: "number",
  string: "string",
  boolean: "boolean",
  date: "string",
};

const WHAT: { readonly [T in ParameterType]: string } = {
  number: "a number",
  string: "a text",
  boolean: "true or false",
  date: "a date such as 2026-01-31",
};

const textProblem = (value: string): string | null =>
  Array.from(value).length > Limits.CHARACTERS_MAX
    ? `must have at most ${Limits.CHARACTERS_MAX} characters`
    : /\p{Surrogate}|\0/u.test(value)
      ? "must not contain U+0000 or half of a surrogate pair"
      : null;

/** Why a value cannot be one of a parameter of the type; null if it can. Numbers and texts have the limits of literals. */
export const parameterProblem = (type: ParameterType, value: unknown): string | null => {
  if (typeof value !== JSON_TYPES[type]) return `must be ${WHAT[type]}`;
  if (typeof value === "number")
    return Either.match(Decimal.fromLiteral(value), { onLeft: (problem) => problem, onRight: () => null });
  if (typeof value !== "string") return null;
  if (type === "date") return Calendar.parse(value) === undefined ? `must be ${WHAT.date}` : null;
  return textProblem(value);
};

/** The constant that a value of a type stands for; the value has passed {@link parameterProblem}. */
export const constantOf = (type: ParameterType, value: ParameterValue): Constant.Constant => {
  if (typeof value === "number") return Decimal.toRational(Decimal.fromNumber(value));
  return type === "date" && typeof value === "string"
    ? { epochMilliseconds: Calendar.parse(value) ?? 0 }
    : value;
};

const collectNames = (part: object, names: Set<string>): Set<string> => {
  if ("type" in part && part.type === "parameter" && "name" in part) names.add(String(part.name));
  if ("type" in part && part.type === "anniversary" && "of" in part) names.add(String(part.of));
  for (const inner of Object.values(part))
    if (typeof inner === "object" && inner !== null) collectNames(inner, names);
  return names;
};

/** The names that the expressions of formulas read; every amount asks for them. */
const namesRead = new WeakMap<Expression, ReadonlySet<string>>();

/** The names of the parameters that an expression reads, also as the date of an anniversary. */
export const parametersOf = (expression: Expression): ReadonlySet<string> => {
  const names = namesRead.get(expression) ?? collectNames(expression, new Set());
  namesRead.set(expression, names);
  return names;
};
