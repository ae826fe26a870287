/**
 * The units of a calculation, which a formula does not state. The result is money; the units of its parts follow from their
 * position. A percentage, and what only chooses among percentages, is a rate.
 */
import { is, resultOf, type Step } from "../../formula/Step.ts";
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
  /** States the expression of a variable. */
  readonly bind: (name: string, step: Step) => void;
  /** States the unit of a property or a variable; the first statement holds, and a plain number states nothing. */
  readonly learn: (kind: "property" | "variable", name: string, unit: Unit) => void;
  /** The unit of a step, if it is known. */
  readonly unitOf: (step: Step) => Unit | undefined;
  /** The unit of a variable, if it is known. */
  readonly unitOfVariable: (name: string) => Unit | undefined;
  /** Whether a step is a share. */
  readonly isRate: (step: Step) => boolean;
}

/** Nothing is known yet. */
export const make = (): Units => {
  const learnt = new Map<string, Unit>();
  const bound = new Map<string, Step>();
  /** Cached, because each use of a variable reads its expression, which may use another variable twice. */
  const rates = new Map<Step, boolean>();

  const findRate = (step: Step): boolean => {
    if (isRateLiteral(step)) return true;
    if (is(step, "add") || is(step, "subtract")) return step.inner.every(isRate);
    const inner = is(step, "variable") ? bound.get(step.entry.detail.name) : resultOf(step);
    return inner !== undefined && isRate(inner);
  };

  const isRate = (step: Step): boolean => {
    const known = rates.get(step);
    if (known !== undefined) return known;
    // A value that reads another variable of the name to which it is bound would be searched again without end.
    rates.set(step, false);
    const found = findRate(step);
    rates.set(step, found);
    return found;
  };

  const unitOf = (step: Step): Unit | undefined => {
    const { entry } = step;
    if (isRate(step)) return "rate";
    switch (entry.type) {
      case "property":
      case "variable":
        return learnt.get(`${entry.type} ${entry.detail.name}`);
      case "aggregate": {
        if (entry.detail.function === "count") return "number";
        const [name, ...others] = namesIn(entry.detail.value);
        return name === undefined || others.length > 0 ? undefined : learnt.get(`property ${name}`);
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
    bind: (name, step) => {
      bound.set(name, step);
      rates.clear();
    },
    learn: (kind, name, unit) => {
      if (unit !== "number" && !learnt.has(`${kind} ${name}`)) learnt.set(`${kind} ${name}`, unit);
    },
    unitOf,
    unitOfVariable: (name) => learnt.get(`variable ${name}`),
    isRate,
  };
};
