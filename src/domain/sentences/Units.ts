/**
 * The units of a calculation, as far as a formula states them: a percentage, and what only chooses among percentages, is a
 * rate. Any other number is written as it was given, because neither its name nor its place says what it measures.
 */
import * as Rational from "../../formula/Rational.ts";
import { is, resultOf, type Step, valuesOfVariables } from "../../formula/Step.ts";
import type { Unit } from "./Figures.ts";

/** The names of the properties that an expression reads. */
export const namesIn = (part: unknown): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return [];
  if ("type" in part && part.type === "property" && "name" in part) return [String(part.name)];
  return [...new Set(Object.values(part).flatMap(namesIn))];
};

/** Whether a step is a percentage as written. */
export const isRateLiteral = (step: Step): boolean =>
  is(step, "literal") && (step.entry.detail.unit === "percent" || step.entry.detail.unit === "basis_points");

/** Whether a step is a number between −1 and 1. */
const isShare = ({ entry }: Step): boolean => {
  const value = typeof entry.value === "string" ? Rational.parse(entry.value) : null;
  return value !== null && Rational.absolute(value.numerator) <= value.denominator;
};

/** What is known of the units of one calculation. */
export interface Units {
  /** The step that computed a variable: that of the innermost `let` around it which binds its name. */
  readonly valueOf: (variable: Step) => Step | undefined;
  /** Whether a step is a share: a percentage, or what only chooses among percentages. */
  readonly isRate: (step: Step) => boolean;
  /** How the value of a step is written by itself. */
  readonly unitOf: (step: Step) => Unit;
}

/** The units in a calculation. */
export const make = (root: Step): Units => {
  const values = valuesOfVariables(root);
  /** Cached, because each use of a variable reads its expression, which may use another variable twice. */
  const rates = new Map<Step, boolean>();

  const findRate = (step: Step): boolean => {
    if (isRateLiteral(step)) return true;
    if (is(step, "add") || is(step, "subtract")) return step.inner.every(isRate);
    if (is(step, "multiply"))
      return (
        step.inner.some(isRate) &&
        step.inner.every((one) => isRate(one) || is(one, "literal")) &&
        isShare(step)
      );
    const inner = is(step, "variable") ? values.get(step) : resultOf(step);
    return inner !== undefined && isRate(inner);
  };

  const isRate = (step: Step): boolean => {
    const known = rates.get(step) ?? findRate(step);
    rates.set(step, known);
    return known;
  };

  return {
    valueOf: (variable) => values.get(variable),
    isRate,
    unitOf: (step) => (isRate(step) ? "rate" : "number"),
  };
};
