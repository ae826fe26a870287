import * as Constant from "../Constant.ts";
import type { NumericValue, UpperBound, Value } from "../Expression.ts";
import * as Rational from "../Rational.ts";
import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";

/** The compiled arms of a choice. */
type Arms<A> = ReadonlyArray<(frame: Frame) => A>;

/** The arm at an index that is in range: every choice below has one arm more than it has thresholds, conditions or keys. */
const armAt = <A>(arms: Arms<A>, index: number): ((frame: Frame) => A) => arms[index] as (frame: Frame) => A;

/**
 * How one of several arms is chosen at run time. The two ways to use it, among code and among plain numbers, are
 * written out for every kind of choice: one shared function would cost a further call that cannot be inlined.
 */
export type Pick = {
  readonly among: <A>(arms: Arms<A>) => (frame: Frame) => A;
  readonly amongNumbers: (numbers: ReadonlyArray<number>) => Code.Run;
};

/** The thresholds of bands or tiers, in order. */
export const thresholds = (
  steps: ReadonlyArray<{ readonly up_to?: NumericValue }>,
): ReadonlyArray<Rational.Rational> =>
  steps.flatMap(({ up_to }) => (up_to === undefined ? [] : [Constant.toRational(up_to)]));

/**
 * The largest numerator over a denominator that is at most (`inclusive`) or below (`exclusive`) a threshold: with
 * it, one comparison of integers decides, whatever the threshold's own denominator.
 */
export const lastNumerator = (
  threshold: Rational.Rational,
  denominator: number,
  upperBound: UpperBound,
): number => {
  const scaled = threshold.numerator * BigInt(denominator);
  const truncated = scaled / threshold.denominator;
  const remainder = scaled % threshold.denominator;
  const floor = remainder < 0n ? truncated - 1n : truncated;
  const last = upperBound === "exclusive" && remainder === 0n ? floor - 1n : floor;
  // An exact numerator is within ±(2^53 - 1), so a limit beyond that decides the same as infinity.
  return Code.fits(last) ? Number(last) : last > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
};

/** The index of the first limit that a numerator does not exceed, or the number of limits. */
export const firstNotBelow = (limits: Float64Array, numerator: number): number => {
  let index = 0;
  while (index < limits.length && numerator > (limits[index] as number)) index += 1;
  return index;
};

/** Chooses by the band that a number falls into. */
export const byBand = (
  input: Code.NumberCode,
  bounds: ReadonlyArray<Rational.Rational>,
  upperBound: UpperBound,
): Pick => {
  const limits = Float64Array.from(bounds, (bound) => lastNumerator(bound, input.denominator, upperBound));
  const run = input.times(1);
  return {
    among: (arms) => (frame) => armAt(arms, firstNotBelow(limits, run(frame)))(frame),
    amongNumbers: (numbers) => (frame) => numbers[firstNotBelow(limits, run(frame))] as number,
  };
};

/** Thresholds as numerators and denominators, to be compared with a ratio by cross multiplication. */
type Fractions = {
  readonly numerators: Float64Array;
  readonly denominators: Float64Array;
  readonly inclusive: boolean;
};

const ratioIndex = (frame: Frame, numerator: number, fractions: Fractions): number => {
  const { numerators, denominators, inclusive } = fractions;
  const { divisor } = frame;
  for (let index = 0; index < numerators.length; index++) {
    const left = numerator * (denominators[index] as number);
    const right = divisor * (numerators[index] as number);
    if (!Code.isExact(left) || !Code.isExact(right)) frame.exact = false;
    if (left < right || (inclusive && left === right)) return index;
  }
  return numerators.length;
};

/** Chooses by the band that a ratio falls into. */
export const byRatioBand = (
  input: Code.RatioCode,
  bounds: ReadonlyArray<Rational.Rational>,
  upperBound: UpperBound,
): Pick => {
  const reduced = bounds.map(Rational.reduce);
  const fractions: Fractions = {
    numerators: Float64Array.from(reduced, ({ numerator }) => Number(numerator)),
    denominators: Float64Array.from(reduced, ({ denominator }) => Number(denominator)),
    inclusive: upperBound === "inclusive",
  };
  const fit = reduced.every(({ numerator, denominator }) => Code.fits(numerator) && Code.fits(denominator));
  const run = fit ? input.run : Code.leave;
  return {
    among: (arms) => (frame) => armAt(arms, ratioIndex(frame, run(frame), fractions))(frame),
    amongNumbers: (numbers) => (frame) => numbers[ratioIndex(frame, run(frame), fractions)] as number,
  };
};

/** Chooses by the first condition that holds; the arm after all others when none does. */
export const byConditions = (conditions: ReadonlyArray<Code.TruthCode>): Pick => {
  const runs = conditions.map(({ run }) => run);
  const firstTrue = (frame: Frame): number => {
    for (let index = 0; index < runs.length; index++) if (runs[index]?.(frame)) return index;
    return runs.length;
  };
  return {
    among: (arms) => (frame) => armAt(arms, firstTrue(frame))(frame),
    amongNumbers: (numbers) => (frame) => numbers[firstTrue(frame)] as number,
  };
};

/** What a value is looked up by: the text or truth itself, a date's milliseconds, a number's numerator. */
type Key = string | number | boolean | undefined;

/** The place of each of some values, by the key that an operand's run gives. */
type Places = { readonly run: (frame: Frame) => Key; readonly indexes: ReadonlyMap<Key, number> };

const keyOf = (value: Value, denominator: number): Key => {
  const constant = Constant.fromValue(value);
  if (typeof constant !== "object") return constant;
  return Constant.isMoment(constant) ? constant.epochMilliseconds : Code.numeratorOver(constant, denominator);
};

/** Where the values stand; a number that the operand's denominator cannot express is never met and left out. */
export const placesOf = (operand: Code.Code, values: ReadonlyArray<Value>): Places => {
  if (operand.type === "ratio") return { run: Code.BEYOND.times(1), indexes: new Map() };
  const denominator = operand.type === "number" ? operand.denominator : 1;
  const indexes = new Map<Key, number>();
  for (const [index, value] of values.entries()) {
    const key = keyOf(value, denominator);
    if (key !== undefined && !indexes.has(key)) indexes.set(key, index);
  }
  return { run: operand.type === "number" ? operand.times(1) : operand.run, indexes };
};

/** Chooses the arm of the key that an operand equals; the arm after all others when it equals none. */
export const byKey = (operand: Code.Code, keys: ReadonlyArray<Value>): Pick => {
  const { run, indexes } = placesOf(operand, keys);
  const none = keys.length;
  return {
    among: (arms) => (frame) => armAt(arms, indexes.get(run(frame)) ?? none)(frame),
    amongNumbers: (numbers) => (frame) => numbers[indexes.get(run(frame)) ?? none] as number,
  };
};
