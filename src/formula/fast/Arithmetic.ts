import * as Rational from "../Rational.ts";
import { type Mode, roundsAwayFromZero } from "../Rounding.ts";
import * as Code from "./Code.ts";

const isDynamic = (code: Code.NumberCode): boolean => code.constant === undefined;

const constants = (codes: ReadonlyArray<Code.NumberCode>): ReadonlyArray<Rational.Rational> =>
  codes.flatMap((code) => (code.constant === undefined ? [] : [code.constant]));

const sumOf = (runs: ReadonlyArray<Code.Run>): Code.Run =>
  runs.reduce((first, second) => (frame) => {
    const result = first(frame) + second(frame);
    if (!Code.isExact(result)) frame.exact = false;
    return result;
  });

const productOf = (runs: ReadonlyArray<Code.Run>): Code.Run =>
  runs.reduce((first, second) => (frame) => {
    const result = first(frame) * second(frame);
    if (!Code.isExact(result)) frame.exact = false;
    return result;
  });

/** The sum: the operands over one denominator, constants added up at compile time. */
export const add = (operands: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const fixed = constants(operands).reduce(Rational.add, Rational.ZERO);
  const dynamic = operands.filter(isDynamic);
  if (dynamic.length === 0) return Code.constant(fixed);
  const terms = Rational.sign(fixed) === 0 ? dynamic : [...dynamic, Code.constant(fixed)];
  const denominator = Code.commonDenominator(terms);
  if (denominator === undefined) return Code.BEYOND;
  return {
    type: "number",
    denominator,
    times: (factor) => sumOf(Code.over(denominator, terms, factor)),
  };
};

/** The product: constants become one fraction, whose numerator cancels against the denominators of the others. */
export const multiply = (operands: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const fixed = Rational.reduce(constants(operands).reduce(Rational.multiply, Rational.ONE));
  const [first, ...others] = operands.filter(isDynamic);
  if (first === undefined || fixed.numerator === 0n) return Code.constant(fixed);
  const product = [first, ...others].reduce((all, code) => all * BigInt(code.denominator), 1n);
  const common = Rational.greatestCommonDivisor(fixed.numerator, product);
  const denominator = (product / common) * fixed.denominator;
  const coefficient = fixed.numerator / common;
  if (!Code.fits(denominator) || !Code.fits(coefficient)) return Code.BEYOND;
  return {
    type: "number",
    denominator: Number(denominator),
    times: (factor) =>
      productOf([
        Code.timesExactly(first, Number(coefficient) * factor),
        ...others.map((code) => code.times(1)),
      ]),
  };
};

/** The number times a constant. */
export const scale = (operand: Code.NumberCode, by: Rational.Rational): Code.NumberCode =>
  multiply([operand, Code.constant(by)]);

/** The difference. */
export const subtract = (left: Code.NumberCode, right: Code.NumberCode): Code.NumberCode =>
  add([left, scale(right, Rational.make(-1n))]);

const lesser =
  (left: Code.Run, right: Code.Run): Code.Run =>
  (frame) => {
    const a = left(frame);
    const b = right(frame);
    return b < a ? b : a;
  };

const greater =
  (left: Code.Run, right: Code.Run): Code.Run =>
  (frame) => {
    const a = left(frame);
    const b = right(frame);
    return b > a ? b : a;
  };

/** The least or the greatest operand; a negative factor turns one into the other. */
export const extreme = (type: "min" | "max", operands: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const denominator = Code.commonDenominator(operands);
  if (denominator === undefined) return Code.BEYOND;
  return {
    type: "number",
    denominator,
    times: (factor) =>
      Code.over(denominator, operands, factor).reduce((type === "min") === factor > 0 ? lesser : greater),
  };
};

/** The integer nearest to numerator / divisor, both safe integers, the divisor positive. */
type Rounder = (numerator: number, divisor: number) => number;

/**
 * The whole part of magnitude / divisor. Both are below 2^53, so the double nearest to a quotient below an integer
 * n is below n too: the quotient misses n by at least 1 / divisor, the double misses the quotient by less.
 */
const wholePart = (magnitude: number, divisor: number): number => Math.floor(magnitude / divisor);

/** Rounds half away from zero. The remainder is compared with what it lacks, so that nothing has to be doubled. */
export const halfUp: Rounder = (numerator, divisor) => {
  const magnitude = numerator < 0 ? -numerator : numerator;
  const quotient = wholePart(magnitude, divisor);
  const remainder = magnitude - quotient * divisor;
  const rounded = remainder >= divisor - remainder ? quotient + 1 : quotient;
  return numerator < 0 ? -rounded : rounded;
};

/** The rounder of a mode. */
export const rounder =
  (mode: Mode): Rounder =>
  (numerator, divisor) => {
    const magnitude = numerator < 0 ? -numerator : numerator;
    const quotient = wholePart(magnitude, divisor);
    const remainder = magnitude - quotient * divisor;
    const excess = remainder - (divisor - remainder);
    const away = remainder > 0 && roundsAwayFromZero(mode, numerator < 0, quotient % 2 === 1, excess);
    const rounded = away ? quotient + 1 : quotient;
    return numerator < 0 ? -rounded : rounded;
  };

/** The operand rounded to a multiple of an increment. */
export const round = (
  operand: Code.NumberCode,
  mode: Mode,
  increment: Rational.Rational,
): Code.NumberCode => {
  const units = scale(operand, Rational.make(increment.denominator, increment.numerator));
  const run = units.times(1);
  const divisor = units.denominator;
  const nearest = rounder(mode);
  const whole = divisor === 1 ? run : (frame: Parameters<Code.Run>[0]) => nearest(run(frame), divisor);
  return scale(Code.number(1, whole), increment);
};
