import type { Comparison } from "../Expression.ts";
import * as Rational from "../Rational.ts";
import * as Arithmetic from "./Arithmetic.ts";
import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";
import { lastNumerator } from "./Pick.ts";
import * as Ratio from "./Ratio.ts";

const truth = (run: (frame: Frame) => boolean): Code.TruthCode => ({ type: "boolean", run });

/** A number compared with a constant, as one comparison of integers. */
const withConstant = (
  operator: Comparison,
  left: Code.NumberCode,
  right: Rational.Rational,
): Code.TruthCode => {
  const run = left.times(1);
  const equal = Code.numeratorOver(right, left.denominator) ?? Number.NaN;
  const atMost = lastNumerator(right, left.denominator, "inclusive");
  const below = lastNumerator(right, left.denominator, "exclusive");
  switch (operator) {
    case "equal":
      return truth((frame) => run(frame) === equal);
    case "not_equal":
      return truth((frame) => run(frame) !== equal);
    case "less_than":
      return truth((frame) => run(frame) <= below);
    case "less_than_or_equal":
      return truth((frame) => run(frame) <= atMost);
    case "greater_than":
      return truth((frame) => run(frame) > atMost);
    case "greater_than_or_equal":
      return truth((frame) => run(frame) > below);
  }
};

/** Compares two numbers: the left one with a constant, or else their difference with 0. */
export const numbers = (operator: Comparison, left: Code.Numeric, right: Code.Numeric): Code.TruthCode => {
  const sides = [left, right];
  if (!Code.areFixed(sides)) return withConstant(operator, Ratio.order(left, right), Rational.ZERO);
  const [first = Code.BEYOND, second = Code.BEYOND] = sides;
  return second.constant === undefined
    ? withConstant(operator, Arithmetic.subtract(first, second), Rational.ZERO)
    : withConstant(operator, first, second.constant);
};

/** Compares two texts or two truths for equality. */
export const identities = (
  operator: Comparison,
  left: Code.TextCode | Code.TruthCode,
  right: Code.TextCode | Code.TruthCode,
): Code.TruthCode => {
  const [first, second] = [left.run, right.run];
  return operator === "equal"
    ? truth((frame) => first(frame) === second(frame))
    : truth((frame) => first(frame) !== second(frame));
};
