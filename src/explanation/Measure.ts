/**
 * What the numbers of a calculation measure, as far as a schema or a percentage declares it. Neither the name of a property
 * nor its place in a formula says what it measures, so a number without a declaration is a number.
 */
import type { Attribute } from "../formula/Expression.ts";
import type { Format } from "../formula/Property.ts";
import * as Rational from "../formula/Rational.ts";
import { is, pathIn, resultOf, type Step, valuesOfVariables } from "../formula/Step.ts";

/**
 * Money and shares have an exponent: times this power of ten, the value is in the smallest unit of the currency, or a fraction
 * of 1. A `fixed` number is written in the formula and has the unit of what it is added to or compared with. A `mixed` one
 * comes from numbers that do not fit together, such as money plus a plain number.
 */
export type Measure =
  | { readonly type: "money" | "share"; readonly exponent: number }
  | { readonly type: "fixed" | "count" | "number" | "mixed" };

const FIXED: Measure = { type: "fixed" };
const COUNT: Measure = { type: "count" };
const NUMBER: Measure = { type: "number" };
const MIXED: Measure = { type: "mixed" };
const SHARE: Measure = { type: "share", exponent: 0 };

/** True if a schema declares the unit of a number; a percentage of the formula declares that it is a share, and no more. */
export const isDeclared = (measure: Measure): measure is Extract<Measure, { readonly exponent: number }> =>
  measure.type === "money" || (measure.type === "share" && measure.exponent !== 0);

const exponentOf = (measure: Measure): number => ("exponent" in measure ? measure.exponent : 0);

/** True if a step is a percentage as written. */
export const isRateLiteral = (step: Step): boolean =>
  is(step, "literal") && (step.entry.detail.unit === "percent" || step.entry.detail.unit === "basis_points");

const rational = ({ entry }: Step): Rational.Rational | null =>
  typeof entry.value === "string" ? Rational.parse(entry.value) : null;

/** True if a step is a number between −1 and 1. */
const isFraction = (step: Step): boolean => {
  const value = rational(step);
  return value !== null && Rational.absolute(value.numerator) <= value.denominator;
};

/** A power of ten as a fraction. */
export const powerOfTen = (exponent: number): Rational.Rational =>
  exponent < 0 ? Rational.make(1n, 10n ** BigInt(-exponent)) : Rational.make(10n ** BigInt(exponent));

/** The measure of numbers that are added or compared. */
const common = (measures: ReadonlyArray<Measure>): Measure => {
  const declared = measures.find(isDeclared);
  const all = (...types: ReadonlyArray<Measure["type"]>): boolean =>
    measures.every(({ type }) => types.includes(type));
  if (declared !== undefined)
    return measures.every(
      (measure) =>
        measure.type === "fixed" ||
        (measure.type === declared.type && exponentOf(measure) === exponentOf(declared)),
    )
      ? declared
      : MIXED;
  if (measures.some(({ type }) => type === "mixed")) return MIXED;
  if (all("share")) return SHARE;
  return all("fixed") ? FIXED : all("fixed", "count") ? COUNT : NUMBER;
};

/** What is known of the measures of one calculation. */
export interface Measures {
  /** The step that computed a variable: that of the innermost `let` around it which binds its name. */
  readonly boundValueOf: (variable: Step) => Step | undefined;
  readonly measureOf: (step: Step) => Measure;
  /** The measure of several steps that are added or compared. */
  readonly commonOf: (steps: ReadonlyArray<Step>) => Measure;
  /** The number that only changes the unit of a product or a quotient, such as 100 of euros × 100. */
  readonly conversionOf: (step: Step) => Step | undefined;
}

const ofFormat = (format: Format | undefined, decimals: number): Measure => {
  switch (format) {
    case "money_minor":
      return { type: "money", exponent: 0 };
    case "money_major":
      return { type: "money", exponent: decimals };
    case "percent":
      return { type: "share", exponent: -2 };
    case "count":
      return COUNT;
    default:
      return NUMBER;
  }
};

const conversion = ({ measureOf }: Measures, step: Step): Step | undefined => {
  const isQuotient = is(step, "divide");
  const operands = isQuotient ? step.inner.slice(0, 1) : is(step, "multiply") ? step.inner : [];
  const exponent = operands.reduce((sum, operand) => sum + exponentOf(measureOf(operand)), 0);
  if (exponent === 0 || !operands.some((operand) => isDeclared(measureOf(operand)))) return undefined;
  const factor = powerOfTen(isQuotient ? -exponent : exponent);
  return step.inner.find((candidate) => {
    const value = measureOf(candidate).type === "fixed" ? rational(candidate) : null;
    return value !== null && Rational.compare(value, factor) === 0;
  });
};

/** Money times shares and numbers is money, and a share of a share is one. */
const ofProduct = ({ measureOf, conversionOf }: Measures, step: Step): Measure => {
  const measures = step.inner.map(measureOf);
  const moneys = measures.filter(({ type }) => type === "money");
  if (moneys.length > 1 || measures.some(({ type }) => type === "mixed")) return MIXED;
  const exponent =
    conversionOf(step) === undefined ? measures.reduce((sum, measure) => sum + exponentOf(measure), 0) : 0;
  if (moneys.length === 1) return { type: "money", exponent };
  const isShare = step.inner.every(
    (candidate) => measureOf(candidate).type === "share" || is(candidate, "literal"),
  );
  if (isShare && measures.some(({ type }) => type === "share")) {
    if (measures.some(isDeclared)) return exponent === 0 ? SHARE : MIXED;
    return isFraction(step) ? SHARE : NUMBER;
  }
  if (exponent !== 0) return MIXED;
  return measures.every(({ type }) => type === "fixed" || type === "count") ? FIXED : NUMBER;
};

const ofQuotient = ({ measureOf, conversionOf }: Measures, step: Step): Measure => {
  const [left = NUMBER, right = NUMBER] = step.inner.map(measureOf);
  if (left.type === "mixed" || right.type === "mixed") return MIXED;
  if (isDeclared(right)) return isDeclared(left) && common([left, right]) === left ? NUMBER : MIXED;
  if (isDeclared(left) && conversionOf(step) !== undefined) return { type: left.type, exponent: 0 };
  if (left.type === "money") return left;
  return isDeclared(left) ? MIXED : left.type === "fixed" && right.type === "fixed" ? FIXED : NUMBER;
};

const ofTiers = ({ commonOf }: Measures, step: Step): Measure => {
  const measure = commonOf(
    step.inner.filter((candidate) => /^(amount|offset)$/.test(pathIn(step, candidate))),
  );
  if (measure.type === "money" || measure.type === "mixed") return measure;
  if (isDeclared(measure)) return MIXED;
  return measure.type === "count" || measure.type === "fixed" ? FIXED : NUMBER;
};

const ofAttribute = (name: Attribute): Measure => {
  if (name === "sellers_commission") return { type: "money", exponent: 0 };
  return name === "credit_share" ? SHARE : NUMBER;
};

const find = (measures: Measures, step: Step, decimals: number): Measure => {
  const { boundValueOf, measureOf, commonOf } = measures;
  const { entry, inner } = step;
  switch (entry.type) {
    case "literal":
      return isRateLiteral(step) ? SHARE : FIXED;
    case "attribute":
      return ofAttribute(entry.detail.name);
    case "property":
    case "parameter":
      return ofFormat(entry.detail.format, decimals);
    case "aggregate":
      return entry.detail.function === "count" ? COUNT : ofFormat(entry.detail.format, decimals);
    case "date_part":
    case "date_difference":
      return COUNT;
    case "add":
    case "subtract":
      return commonOf(inner);
    case "min":
    case "max": {
      const all = commonOf(inner);
      const taken = resultOf(step);
      return isDeclared(all) || all === MIXED || taken === undefined ? all : measureOf(taken);
    }
    case "multiply":
      return ofProduct(measures, step);
    case "divide":
      return ofQuotient(measures, step);
    case "graduated":
      return ofTiers(measures, step);
    case "final":
    case "round": {
      const measure = inner[0] === undefined ? NUMBER : measureOf(inner[0]);
      return measure === SHARE ? NUMBER : measure;
    }
    case "variable": {
      const value = boundValueOf(step);
      return value === undefined ? NUMBER : measureOf(value);
    }
    case "let":
    case "band":
    case "case":
    case "lookup":
    case "coalesce": {
      const value = resultOf(step);
      return value === undefined ? NUMBER : measureOf(value);
    }
    case "compare":
    case "and":
    case "or":
    case "not":
    case "in":
    case "text_match":
    case "is_present":
    case "parse_date":
      return NUMBER;
  }
};

/** The measures in a calculation of an amount of a currency with so many decimals. */
export const make = (root: Step, decimals: number): Measures => {
  const values = valuesOfVariables(root);
  /** Cached, because each use of a variable reads its expression, which may use another variable twice. */
  const known = new Map<Step, Measure>();
  const measures: Measures = {
    boundValueOf: (variable) => values.get(variable),
    measureOf: (step) => {
      const measure = known.get(step) ?? find(measures, step, decimals);
      known.set(step, measure);
      return measure;
    },
    commonOf: (steps) => common(steps.map(measures.measureOf)),
    conversionOf: (step) => conversion(measures, step),
  };
  return measures;
};
