/**
 * The units of a calculation, which a formula does not state. The result is money; the units of its parts follow from their
 * position. A percentage, and what only chooses among percentages, is a rate.
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

/** Names of values that are a number of things and not money. */
const COUNTS =
  /(^|[ _-])(calls|clicks|copies|count|days|hours|items|kilometres|km|kwh|leads|months|nights|number|packages|pieces|points|qty|quantity|rank|seats|seconds|transactions|units|users|views|watts|weeks|years)([ _-]|$)/i;

/** Whether a step is a percentage as written. */
export const isRateLiteral = (step: Step): boolean =>
  is(step, "literal") && (step.entry.detail.unit === "percent" || step.entry.detail.unit === "basis_points");

/** Whether a step is a number between −1 and 1. */
const isShare = ({ entry }: Step): boolean => {
  const value = typeof entry.value === "string" ? Rational.parse(entry.value) : null;
  return value !== null && Rational.absolute(value.numerator) <= value.denominator;
};

/** Whether a step is a number of things: days, attributions, or what is named like one. */
export const isCount = (step: Step): boolean => {
  const { entry } = step;
  switch (entry.type) {
    case "date_difference":
    case "date_part":
      return true;
    case "aggregate":
      return entry.detail.function === "count";
    case "property":
    case "variable":
      return COUNTS.test(entry.detail.name);
    default:
      return false;
  }
};

/** What is known of the units of one calculation. */
export interface Units {
  /** The step that computed a variable: that of the innermost `let` around it which binds its name. */
  readonly valueOf: (variable: Step) => Step | undefined;
  /** States the unit of a property; the first statement holds, and a plain number states nothing. */
  readonly learnProperty: (name: string, unit: Unit) => void;
  /** States the unit of a variable, by the step that computed it; like that of a property. */
  readonly learnVariable: (value: Step, unit: Unit) => void;
  /** The unit of a step, if it is known. */
  readonly unitOf: (step: Step) => Unit | undefined;
  /** The unit of the variable that a step computed, if it is known. */
  readonly unitOfVariable: (value: Step) => Unit | undefined;
  /** Whether a step is a share. */
  readonly isRate: (step: Step) => boolean;
}

/** The units in a calculation of which nothing is known yet. */
export const make = (root: Step): Units => {
  const values = valuesOfVariables(root);
  const properties = new Map<string, Unit>();
  const variables = new Map<Step, Unit>();
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

  const learn = <Key>(units: Map<Key, Unit>, key: Key, unit: Unit): void => {
    if (unit !== "number" && !units.has(key)) units.set(key, unit);
  };

  const unitOf = (step: Step): Unit | undefined => {
    const { entry } = step;
    if (isRate(step)) return "rate";
    switch (entry.type) {
      case "property":
        return properties.get(entry.detail.name);
      case "variable": {
        const value = values.get(step);
        return value && variables.get(value);
      }
      case "aggregate": {
        if (entry.detail.function === "count") return "number";
        const [name, ...others] = namesIn(entry.detail.value);
        return name === undefined || others.length > 0 ? undefined : properties.get(name);
      }
      case "date_part":
      case "date_difference":
        return "number";
      case "literal":
      case "divide":
      case "multiply":
        return undefined;
      default:
        return step.inner.map(unitOf).find((unit) => unit !== undefined);
    }
  };

  return {
    valueOf: (variable) => values.get(variable),
    learnProperty: (name, unit) => learn(properties, name, unit),
    learnVariable: (value, unit) => learn(variables, value, unit),
    unitOf,
    unitOfVariable: (value) => variables.get(value),
    isRate,
  };
};
