import { is, type Step } from "../../formula/Step.ts";
import type { Conditions } from "./Conditions.ts";
import type { Unit } from "./Figures.ts";
import * as Figures from "./Figures.ts";
import type { Phrase } from "./Phrase.ts";
import type { Units } from "./Units.ts";

/** What the parts of one derivation share. */
export interface DerivationContext {
  /** Writes a number in a unit. */
  readonly write: (text: string, unit: Unit) => string;
  readonly units: Units;
  readonly conditions: Conditions;
  /** The steps that computed the variables that the calculation uses. */
  readonly used: Set<Step>;
  /** Written when the calculation is complete, because a later part may determine the unit of an earlier one. */
  readonly reasons: Array<() => string>;
  /** Writes a step with how it was computed. */
  readonly phrase: (step: Step, unit: Unit) => Phrase;
}

/** Whether a step is a text, even one that looks like a number or a date. */
const isText = (step: Step): boolean =>
  is(step, "property")
    ? typeof step.entry.detail.raw === "string"
    : is(step, "literal") && step.entry.detail.unit === "string";

/** The value of a step by itself. */
export const valueText = ({ write }: Pick<DerivationContext, "write">, step: Step, unit: Unit): string => {
  const { value } = step.entry;
  if (isText(step)) return Figures.plain(value);
  if (Figures.isNumber(value)) return write(value, unit);
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value)) return Figures.date(value);
  return Figures.plain(value);
};
