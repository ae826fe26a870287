import * as Rational from "../Rational.ts";
import type { Frame } from "./Frame.ts";

/**
 * What a node compiles to. Numbers are exact fractions whose denominator is fixed at compile time, so that at run
 * time only an integer numerator is computed, in a double. Wherever an integer could leave ±(2^53 - 1) a guard clears
 * `frame.exact`; while `exact` is true, every numerator is exact, because a sum or product of two integers whose double
 * is inside that range has not been rounded. NaN represents an absent number or date.
 */
export type Run = (frame: Frame) => number;

/** A number with a denominator known at compile time: value = times(1)(frame) / denominator. */
export type NumberCode = {
  readonly type: "number";
  readonly denominator: number;
  /** Computes the numerator times a non-zero integer; constants include the factor at compile time. */
  readonly times: (factor: number) => Run;
  /** The number itself, when it depends on no facts. */
  readonly constant?: Rational.Rational;
};

/** A number with a denominator known only at run time: `run` returns the numerator and sets `frame.divisor`. */
export type RatioCode = { readonly type: "ratio"; readonly run: Run };

/** A date, in epoch milliseconds; `constant` when it depends on no facts. */
export type DateCode = { readonly type: "date"; readonly run: Run; readonly constant?: number };

/** A text. */
export type TextCode = { readonly type: "string"; readonly run: (frame: Frame) => string | undefined };

/** True or false. */
export type TruthCode = { readonly type: "boolean"; readonly run: (frame: Frame) => boolean | undefined };

/** The compiled form of any node. */
export type Code = NumberCode | RatioCode | DateCode | TextCode | TruthCode;

/** A number in either form. */
export type Numeric = NumberCode | RatioCode;

/** True if a node is a number in either form. */
export const isNumeric = (code: Code): code is Numeric => code.type === "number" || code.type === "ratio";

/** True if every number has a denominator known at compile time. */
export const areFixed = (codes: ReadonlyArray<Numeric>): codes is ReadonlyArray<NumberCode> =>
  codes.every((code) => code.type === "number");

/** The largest integer up to which every integer is a double, 2^53 - 1. */
const MAXIMUM = Number.MAX_SAFE_INTEGER;

const BIG_MAXIMUM = BigInt(MAXIMUM);

/** True if an integer of any size is a safe integer. */
export const fits = (value: bigint): boolean => value <= BIG_MAXIMUM && value >= -BIG_MAXIMUM;

/** True if a sum or product of exact integers, computed in doubles, is exact. NaN, which represents absence, passes. */
export const isExact = (value: number): boolean => !(value > MAXIMUM || value < -MAXIMUM);

/** Leaves the fast path: the reference interpreter repeats the evaluation. */
export const leave: Run = (frame) => {
  frame.exact = false;
  return 0;
};

/** A number that the fast path does not compute: evaluating it leaves the fast path. */
export const BEYOND: NumberCode = { type: "number", denominator: 1, times: () => leave };

/** A run that always returns the same integer, or leaves if that is no safe integer. */
const always = (value: bigint): Run => {
  const number = Number(value);
  return fits(value) ? () => number : leave;
};

/** A number that depends on no facts. */
export const constant = (value: Rational.Rational): NumberCode => {
  const { numerator, denominator } = Rational.reduce(value);
  if (!fits(numerator) || !fits(denominator)) return BEYOND;
  return {
    type: "number",
    denominator: Number(denominator),
    times: (factor) => always(numerator * BigInt(factor)),
    constant: value,
  };
};

/** The numerator of a constant over a denominator that it divides, or `undefined` when that is no safe integer. */
export const numeratorOver = (value: Rational.Rational, denominator: number): number | undefined => {
  const scaled = value.numerator * BigInt(denominator);
  const numerator = scaled / value.denominator;
  return scaled % value.denominator === 0n && fits(numerator) ? Number(numerator) : undefined;
};

/** A run whose result is multiplied by a factor. */
const scaleRun = (run: Run, factor: number): Run => {
  if (factor === 1) return run;
  if (!Number.isSafeInteger(factor)) return leave;
  return (frame) => {
    const result = run(frame) * factor;
    if (!isExact(result)) frame.exact = false;
    return result;
  };
};

/** A number whose numerator is computed by `run` over a fixed denominator. */
export const number = (denominator: number, run: Run): NumberCode => ({
  type: "number",
  denominator,
  times: (factor) => scaleRun(run, factor),
});

/** A number whose numerator is in the frame. */
export const storedNumber = (denominator: number, index: number): NumberCode => ({
  type: "number",
  denominator,
  times: (factor) => {
    if (factor === 1) return (frame) => frame.numbers[index] as number;
    if (!Number.isSafeInteger(factor)) return leave;
    return (frame) => {
      const result = (frame.numbers[index] as number) * factor;
      if (!isExact(result)) frame.exact = false;
      return result;
    };
  },
});

/** The least denominator over which all the numbers can be written, or `undefined` when it is no safe integer. */
export const commonDenominator = (codes: ReadonlyArray<NumberCode>): number | undefined => {
  const common = codes.reduce(
    (denominator, code) => Rational.leastCommonMultiple(denominator, BigInt(code.denominator)),
    1n,
  );
  return fits(common) ? Number(common) : undefined;
};

/** Runs of all the numbers over one denominator, times a factor. */
export const over = (
  denominator: number,
  codes: ReadonlyArray<NumberCode>,
  factor: number,
): ReadonlyArray<Run> => codes.map((code) => timesExactly(code, (denominator / code.denominator) * factor));

/** {@link NumberCode.times}, leaving when the factor itself is no safe integer. */
export const timesExactly = (code: NumberCode, factor: number): Run =>
  Number.isSafeInteger(factor) ? code.times(factor) : leave;
