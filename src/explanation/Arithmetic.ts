/** Sums, products, quotients, limits, roundings and values that are written or agreed. What has no effect on the result is left out. */
import { is, resultOf, type Step, type StepOf } from "../formula/Step.ts";
import {
  type Context,
  figureOf,
  figurePart,
  GIVEN,
  NUMBER,
  nameOf,
  numberFigure,
  type Unit,
  unitOf,
  valuePart,
} from "./Context.ts";
import type { Calculated, Part } from "./Explanation.ts";
import { isDeclared, isRateLiteral } from "./Measure.ts";

/** A sum without the terms that are 0. */
export const sum = (context: Context, step: Step, unit: Unit): Part => {
  const terms = step.inner
    .filter(({ entry }) => entry.value !== "0")
    .map((item) => context.partOf(item, unit));
  const [first] = terms;
  if (first === undefined) return figurePart(numberFigure("0", unit));
  return terms.length === 1 ? first : { type: "sum", figure: figureOf(step, unit), terms };
};

/** A difference without a subtrahend of 0. */
export const difference = (context: Context, step: Step, unit: Unit): Part => {
  const [left, right] = step.inner;
  if (left === undefined || right === undefined) return valuePart(step, unit);
  const from = context.partOf(left, unit);
  return right.entry.value === "0"
    ? from
    : { type: "difference", figure: figureOf(step, unit), from, less: context.partOf(right, unit) };
};

/** The unit of an operand that has one of its own, and is not given that of the whole. */
const ownUnit = (context: Context, step: Step, unit: Unit): Unit =>
  unit.type === "given" ? GIVEN : isDeclared(context.measureOf(step)) ? unitOf(context, step) : unit;

/** A quotient without a divisor of 1, or one that only changes the unit. */
export const quotient = (context: Context, step: Step, unit: Unit): Part => {
  const [left, right] = step.inner;
  if (left === undefined || right === undefined) return valuePart(step, unit);
  const of = context.partOf(left, ownUnit(context, left, unit));
  const isConversion = unit.type !== "given" && context.conversionOf(step) === right;
  if (right.entry.value === "1" || isConversion) return of;
  const by = context.partOf(right, unit.type === "given" ? GIVEN : NUMBER);
  return { type: "quotient", figure: figureOf(step, unit), of, by };
};

/** A product without the factors of 1, and that which only changes the unit: rates of what they apply to. */
export const product = (context: Context, step: Step, unit: Unit): Part => {
  const { partOf, measureOf } = context;
  const isGiven = unit.type === "given";
  const conversion = isGiven ? undefined : context.conversionOf(step);
  const operands = step.inner.filter(
    (candidate) => candidate.entry.value !== "1" && candidate !== conversion,
  );
  const isRate = (item: Step): boolean => {
    const measure = measureOf(item);
    return measure.type === "share" && (!isGiven || measure.exponent === 0);
  };
  const rates = operands.filter(isRate);
  const others = operands.filter((operand) => !isRate(operand));
  const [only] = others;
  const [first] = operands;
  if (first === undefined) return figurePart(numberFigure("1", unit));
  if (operands.length === 1 && (only !== undefined || conversion !== undefined))
    return partOf(first, ownUnit(context, first, unit));
  const own = (item: Step): Part => partOf(item, unitOf(context, item));
  const parts =
    unit.type === "share" || only === undefined
      ? { rates: [], factors: operands.map(own) }
      : { rates: rates.map(own), factors: others.map((other) => partOf(other, isGiven ? GIVEN : NUMBER)) };
  return { type: "product", figure: figureOf(step, unit), ...parts };
};

/** The operand that a limit leaves, and what the limit changed. */
export const limit = (context: Context, step: StepOf<"min"> | StepOf<"max">, unit: Unit): Part => {
  const reached = resultOf(step);
  if (reached === undefined) return valuePart(step, unit);
  // A limit that is reached exactly changes nothing.
  const taken = is(reached, "literal")
    ? (step.inner.find(
        (candidate) => candidate !== reached && candidate.entry.value === reached.entry.value,
      ) ?? reached)
    : reached;
  const others = step.inner.filter((candidate) => candidate !== taken && candidate !== reached);
  const calculated = (item: Step): Calculated => ({
    part: context.partOf(item, unit),
    result: figureOf(item, unit),
  });
  const which = is(step, "min") ? "most" : "least";
  const isLimiting = others.some((other) => !is(context.boundValueOf(other) ?? other, "literal"));
  if (!is(taken, "literal")) {
    const limited = others.filter((other) => !is(other, "literal")).map(calculated);
    const value = figureOf(taken, unit);
    if (limited.length > 0)
      context.reasons.push(() => ({
        type: "extreme",
        extreme: which === "most" ? "lower" : "higher",
        value,
        others: limited,
      }));
    const part = context.partOf(taken, unit);
    // A variable's part is known to the context, which adds how it was computed.
    return part.type === "figure" && isLimiting ? Object.assign(part, { limit: which }) : part;
  }
  const bound = figureOf(taken, unit);
  const limited = others.map(calculated);
  context.reasons.push(() => ({ type: "limit", limit: which, bound, others: limited }));
  const part = figurePart(bound, "literal");
  return isLimiting ? { ...part, limit: which } : part;
};

/** A rounding, where it changed anything. */
export const rounding = (context: Context, step: StepOf<"round">, unit: Unit): Part => {
  const { before, after, mode } = step.entry.detail;
  const [operand] = step.inner;
  if (operand === undefined) return valuePart(step, unit);
  const of = context.partOf(operand, unit);
  return before === after
    ? of
    : {
        ...{ type: "rounded", of, mode, isNegative: before.startsWith("-") },
        figure: numberFigure(after, unit),
      };
};

/** A fixed value; a percentage is written as one, whatever its place. */
export const literal = (context: Context, step: Step, unit: Unit): Part =>
  figurePart(figureOf(step, isRateLiteral(step) ? unitOf(context, step) : unit), "literal");

/** The value that a partner has for a parameter, with the day from which it holds. */
export const parameter = (step: StepOf<"parameter">, unit: Unit): Part => {
  const { since } = step.entry.detail;
  return {
    ...figurePart(figureOf(step, unit), "parameter", nameOf(step)),
    since: since === null ? null : { value: since, unit: "date" },
  };
};
