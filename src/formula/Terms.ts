/** The terms under which an amount was earned: a rate on a base, an amount for each unit, fixed amounts, or tiers. */
import * as Rational from "./Rational.ts";
import { resultOf, type Step, stepsOf, valuesOfVariables } from "./Step.ts";
import type { Shown, Trace } from "./Trace.ts";

/** One tier that contributed: its part of the base, its rate as a fraction of 1, and the amount paid on entering it. */
export interface TierTerms {
  readonly part: string;
  readonly rate: string;
  readonly flat: string;
}

/**
 * The terms of one amount, for readers in any language. Numbers are exact, as a trace shows them; bases and amounts are in
 * the smallest unit of the currency, rates are fractions of 1 (`0.075` is 7.5 %). `other` is a formula without such terms.
 */
export type Terms =
  | { readonly type: "rate"; readonly base: string; readonly rate: string }
  | { readonly type: "each"; readonly quantity: string; readonly amount: string }
  | { readonly type: "fixed"; readonly amount: string }
  | { readonly type: "tiers"; readonly base: string; readonly tiers: ReadonlyArray<TierTerms> }
  | { readonly type: "least" | "most"; readonly amount: string }
  | { readonly type: "sum"; readonly parts: ReadonlyArray<Terms> }
  | { readonly type: "other" };

const OTHER: Terms = { type: "other" };
const NOTHING: Terms = { type: "fixed", amount: "0" };

/** More parts of a sum than these are no terms that a reader takes in at a glance. */
const PARTS_MAX = 3;

/** The steps that computed the variables, and the terms of the steps looked at so far: a named value may be used many times. */
interface Scope {
  readonly values: ReadonlyMap<Step, Step>;
  readonly known: Map<Step, Terms>;
}

const rational = (shown: Shown): Rational.Rational | null =>
  typeof shown === "string" ? Rational.parse(shown) : null;

const isNumber = ({ entry }: Step): boolean => rational(entry.value) !== null;

/** The step that decided the value of another: the chosen branch, the value of a variable, what was rounded. */
const decidingStep = (step: Step, scope: Scope): Step => {
  const { entry, inner } = step;
  switch (entry.type) {
    case "final":
    case "round":
      return inner[0] === undefined ? step : decidingStep(inner[0], scope);
    case "variable": {
      const value = scope.values.get(step);
      return value === undefined ? step : decidingStep(value, scope);
    }
    case "case":
    case "lookup":
    case "coalesce":
    case "band": {
      const chosen = resultOf(step);
      return chosen === undefined ? step : decidingStep(chosen, scope);
    }
    default:
      return step;
  }
};

type Kind = "rate" | "number" | "other";

/** Whether an operand is a rate, another constant, or what these are applied to. */
const kindOf = (operand: Step, scope: Scope): Kind => {
  const { entry } = decidingStep(operand, scope);
  if (entry.type !== "literal") return "other";
  const { unit } = entry.detail;
  if (unit === "percent" || unit === "basis_points") return "rate";
  const value = rational(entry.value);
  return value !== null && Rational.compare(value, Rational.ONE) < 0 && Rational.sign(value) > 0
    ? "rate"
    : "number";
};

const product = (factors: ReadonlyArray<Step>): string | null => {
  let result = Rational.ONE;
  for (const { entry } of factors) {
    const factor = rational(entry.value);
    if (factor === null) return null;
    result = Rational.multiply(result, factor);
  }
  return Rational.format(result);
};

/** The product of two exact numbers, as a trace shows it; null when one of them is no number. */
const times = (shown: Shown, factor: Rational.Rational): string | null => {
  const value = rational(shown);
  return value === null ? null : Rational.format(Rational.multiply(value, factor));
};

const scaleTier = ({ part, rate, flat }: TierTerms, factor: Rational.Rational): TierTerms | null => {
  const [scaledPart, scaledFlat] = [times(part, factor), times(flat, factor)];
  return scaledPart === null || scaledFlat === null ? null : { part: scaledPart, rate, flat: scaledFlat };
};

/**
 * The terms of a commission in another unit, such as cents for euros: the base and the fixed amounts of its tiers times the
 * factor, at the same rates. Null for terms that are no rate and no tiers, and for an amount that is its own base.
 */
const scaleTerms = (terms: Terms, factor: Rational.Rational): Terms | null => {
  if (terms.type !== "tiers" && (terms.type !== "rate" || terms.rate === "1")) return null;
  const base = times(terms.base, factor);
  if (base === null) return null;
  if (terms.type === "rate") return { type: "rate", base, rate: terms.rate };
  const tiers = terms.tiers.flatMap((tier) => scaleTier(tier, factor) ?? []);
  return tiers.length === terms.tiers.length ? { type: "tiers", base, tiers } : null;
};

/** A product has terms when it has one rate and something else, a commission and its unit, or a quantity and an amount. */
const termsOfProduct = (operands: ReadonlyArray<Step>, scope: Scope): Terms => {
  const kinds = operands.map((operand) => kindOf(operand, scope));
  const [rate, ...otherRates] = operands.filter((_, index) => kinds[index] === "rate");
  if (rate !== undefined && otherRates.length === 0) {
    const base = product(operands.filter((operand) => operand !== rate));
    return base === null ? OTHER : { type: "rate", base, rate: String(rate.entry.value) };
  }
  const [constant, quantity] = ["number", "other"].map((kind) => operands[kinds.indexOf(kind as Kind)]);
  if (operands.length !== 2 || constant === undefined || quantity === undefined || !isNumber(quantity))
    return OTHER;
  const factor = rational(constant.entry.value);
  return (
    (factor === null ? null : scaleTerms(termsOfStep(quantity, scope), factor)) ?? {
      type: "each",
      quantity: String(quantity.entry.value),
      amount: String(constant.entry.value),
    }
  );
};

/** A sum has terms when each part that counts has; parts of 0 do not count. */
const termsOfSum = (operands: ReadonlyArray<Step>, scope: Scope): Terms => {
  const nonZero = operands.filter(({ entry }) => entry.value !== "0");
  const parts = nonZero.map((operand) => termsOfStep(operand, scope));
  const [only] = parts;
  if (only === undefined) return NOTHING;
  if (parts.length === 1) return only;
  return parts.length > PARTS_MAX || parts.some(({ type }) => type === "other" || type === "sum")
    ? OTHER
    : { type: "sum", parts };
};

const termsOfExtreme = (step: Step, index: number, limit: "least" | "most", scope: Scope): Terms => {
  const chosen = step.inner[index];
  if (chosen === undefined) return OTHER;
  const isLimit =
    kindOf(chosen, scope) !== "other" && step.inner.some((operand) => kindOf(operand, scope) === "other");
  return isLimit ? { type: limit, amount: String(chosen.entry.value) } : termsOfStep(chosen, scope);
};

const termsOfStep = (outer: Step, scope: Scope): Terms => {
  const step = decidingStep(outer, scope);
  const terms = scope.known.get(step) ?? termsOfDecisive(step, scope);
  scope.known.set(step, terms);
  return terms;
};

const termsOfDecisive = (step: Step, scope: Scope): Terms => {
  const { entry, inner } = step;
  switch (entry.type) {
    case "literal":
      return isNumber(step) ? { type: "fixed", amount: String(entry.value) } : OTHER;
    case "property":
      return isNumber(step) ? { type: "rate", base: String(entry.value), rate: "1" } : OTHER;
    case "let": {
      const body = resultOf(step);
      return body === undefined ? OTHER : termsOfStep(body, scope);
    }
    case "multiply":
      return termsOfProduct(inner, scope);
    case "add":
      return termsOfSum(inner, scope);
    case "min":
      return termsOfExtreme(step, entry.detail.index, "most", scope);
    case "max":
      return termsOfExtreme(step, entry.detail.index, "least", scope);
    case "graduated": {
      const tiers = entry.detail.tiers.filter(({ part, flat }) => part !== "0" || flat !== "0");
      return {
        type: "tiers",
        base: entry.detail.amount,
        tiers: tiers.map(({ part, rate, flat }) => ({ part, rate, flat })),
      };
    }
    default:
      return OTHER;
  }
};

/** The terms of an amount, from its trace. */
export const termsOf = (trace: Trace): Terms => {
  const [root] = stepsOf(trace);
  return root === undefined
    ? OTHER
    : termsOfStep(root, { values: valuesOfVariables(root), known: new Map() });
};
