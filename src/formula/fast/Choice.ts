import * as Constant from "../Constant.ts";
import type { NumericValue, UpperBound, Value } from "../Expression.ts";
import * as Rational from "../Rational.ts";
import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";
import * as Ratio from "./Ratio.ts";

/** A number in either form. */
export type Numeric = Code.NumberCode | Code.RatioCode;

/** Whether a node is a number in either form. */
export const isNumeric = (code: Code.Code): code is Numeric =>
  code.type === "number" || code.type === "ratio";

/** Whether every number has a denominator known at compile time. */
export const areFixed = (codes: ReadonlyArray<Numeric>): codes is ReadonlyArray<Code.NumberCode> =>
  codes.every((code) => code.type === "number");

const select =
  <A>(
    pick: Code.Run,
    arms: ReadonlyArray<(frame: Frame) => A>,
    otherwise: (frame: Frame) => A,
  ): ((frame: Frame) => A) =>
  (frame) =>
    (arms[pick(frame)] ?? otherwise)(frame);

/** The integers that constant arms stand for over a denominator, if all of them are constant. */
const tableOf = (
  arms: ReadonlyArray<Code.NumberCode>,
  denominator: number,
  factor: number,
): ReadonlyArray<number> | undefined => {
  const table: Array<number> = [];
  for (const { constant } of arms) {
    const numerator = constant && Code.numeratorOver(constant, denominator);
    if (numerator === undefined || !Number.isSafeInteger(numerator * factor)) return undefined;
    table.push(numerator * factor);
  }
  return table;
};

const chooseNumber = (pick: Code.Run, arms: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const denominator = Code.commonDenominator(arms);
  if (denominator === undefined) return Code.beyond;
  return {
    type: "number",
    denominator,
    times: (factor) => {
      const table = tableOf(arms, denominator, factor);
      if (table !== undefined) return (frame) => table[pick(frame)] ?? Number.NaN;
      const [first = Code.beyond.times(1), ...others] = Code.over(denominator, arms, factor);
      return select(pick, [first, ...others], first);
    },
  };
};

const kindOf = <T extends "date" | "string" | "boolean">(
  type: T,
  codes: ReadonlyArray<Code.Code>,
): ReadonlyArray<Extract<Code.Code, { readonly type: T }>> =>
  codes.filter((code): code is Extract<Code.Code, { readonly type: T }> => code.type === type);

/** The arm that `pick` names by its index; the arms, at least one, are of one type. */
export const choose = (pick: Code.Run, arms: ReadonlyArray<Code.Code>): Code.Code => {
  const [first] = arms;
  const numeric = arms.filter(isNumeric);
  if (first === undefined) return Code.beyond;
  switch (first.type) {
    case "number":
    case "ratio":
      return areFixed(numeric) ? chooseNumber(pick, numeric) : Ratio.choose(pick, numeric);
    case "date":
      return {
        type: "date",
        run: select(
          pick,
          kindOf("date", arms).map(({ run }) => run),
          first.run,
        ),
      };
    case "string":
      return {
        type: "string",
        run: select(
          pick,
          kindOf("string", arms).map(({ run }) => run),
          first.run,
        ),
      };
    case "boolean":
      return {
        type: "boolean",
        run: select(
          pick,
          kindOf("boolean", arms).map(({ run }) => run),
          first.run,
        ),
      };
  }
};

/** The index of the first condition that holds, or their number. */
export const firstTrue = (conditions: ReadonlyArray<Code.TruthCode>): Code.Run => {
  const runs = conditions.map(({ run }) => run);
  const [only] = runs;
  if (only !== undefined && runs.length === 1) return (frame) => (only(frame) ? 0 : 1);
  return (frame) => {
    let index = 0;
    for (const run of runs) {
      if (run(frame)) return index;
      index += 1;
    }
    return index;
  };
};

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
  // An exact numerator lies within ±(2^53 - 1), so a limit beyond that decides the same as infinity.
  return Code.fits(last) ? Number(last) : last > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
};

/** The index of the first limit that a numerator does not exceed, or their number. */
export const firstNotBelow = (limits: ReadonlyArray<number>, input: Code.Run): Code.Run => {
  const { length } = limits;
  const bounds = Float64Array.from(limits);
  return (frame) => {
    const numerator = input(frame);
    let index = 0;
    while (index < length && numerator > (bounds[index] ?? 0)) index += 1;
    return index;
  };
};

/** The index of the band that a number falls into. */
export const bandIndex = (
  input: Numeric,
  thresholds: ReadonlyArray<Rational.Rational>,
  upperBound: UpperBound,
): Code.Run => {
  if (input.type === "number") {
    const limits = thresholds.map((limit) => lastNumerator(limit, input.denominator, upperBound));
    return firstNotBelow(limits, input.times(1));
  }
  const fractions = thresholds.map(Rational.reduce);
  if (!fractions.every(({ numerator, denominator }) => Code.fits(numerator) && Code.fits(denominator)))
    return Code.beyond.times(1);
  return Ratio.bandIndex(
    input,
    fractions.map((limit) => [Number(limit.numerator), Number(limit.denominator)] as const),
    upperBound,
  );
};

/** The thresholds of bands or tiers, in order. */
export const thresholds = (
  steps: ReadonlyArray<{ readonly up_to?: NumericValue }>,
): ReadonlyArray<Rational.Rational> =>
  steps.flatMap(({ up_to }) => (up_to === undefined ? [] : [Constant.toRational(up_to)]));

/** What a value is looked up by: the text or truth itself, a date's milliseconds, a number's numerator. */
type Key = string | number | boolean | undefined;

const keyOf = (value: Value, denominator: number): Key => {
  const constant = Constant.fromValue(value);
  if (typeof constant !== "object") return constant;
  return Constant.isMoment(constant) ? constant.epochMilliseconds : Code.numeratorOver(constant, denominator);
};

/** The index of the value that equals the operand, or their number. */
export const indexOf = (operand: Code.Code, values: ReadonlyArray<Value>): Code.Run => {
  if (operand.type === "ratio") return Code.beyond.times(1);
  const denominator = operand.type === "number" ? operand.denominator : 1;
  const run: (frame: Frame) => Key = operand.type === "number" ? operand.times(1) : operand.run;
  const indexes = new Map<Key, number>();
  for (const [index, value] of values.entries()) {
    const key = keyOf(value, denominator);
    if (key !== undefined && !indexes.has(key)) indexes.set(key, index);
  }
  const none = values.length;
  return (frame) => indexes.get(run(frame)) ?? none;
};

const firstPresent =
  <A>(runs: ReadonlyArray<(frame: Frame) => A | undefined>): ((frame: Frame) => A | undefined) =>
  (frame) => {
    for (const run of runs) {
      const value = run(frame);
      if (value !== undefined) return value;
    }
    return undefined;
  };

/** {@link firstPresent} for numbers and dates, whose absence is NaN. */
const firstNumber = (runs: ReadonlyArray<Code.Run>): Code.Run => {
  const [first, second] = runs;
  if (first !== undefined && second !== undefined && runs.length === 2)
    return (frame) => {
      const value = first(frame);
      return Number.isNaN(value) ? second(frame) : value;
    };
  return (frame) => {
    for (const run of runs) {
      const value = run(frame);
      if (!Number.isNaN(value)) return value;
    }
    return Number.NaN;
  };
};

const coalesceNumbers = (operands: ReadonlyArray<Code.NumberCode>): Code.NumberCode => {
  const denominator = Code.commonDenominator(operands);
  if (denominator === undefined) return Code.beyond;
  return {
    type: "number",
    denominator,
    times: (factor) => firstNumber(Code.over(denominator, operands, factor)),
  };
};

/** The first operand that is present; the operands, at least one, are of one type. */
export const coalesce = (operands: ReadonlyArray<Code.Code>): Code.Code => {
  const numeric = operands.filter(isNumeric);
  switch (operands[0]?.type) {
    case undefined:
      return Code.beyond;
    case "number":
    case "ratio":
      return areFixed(numeric) ? coalesceNumbers(numeric) : Ratio.coalesce(numeric);
    case "date":
      return { type: "date", run: firstNumber(kindOf("date", operands).map(({ run }) => run)) };
    case "string":
      return { type: "string", run: firstPresent(kindOf("string", operands).map(({ run }) => run)) };
    case "boolean":
      return { type: "boolean", run: firstPresent(kindOf("boolean", operands).map(({ run }) => run)) };
  }
};

/** Whether a node has a value. */
export const isPresent = (operand: Code.Code): Code.TruthCode => {
  if (operand.type === "string" || operand.type === "boolean") {
    const { run } = operand;
    return { type: "boolean", run: (frame) => run(frame) !== undefined };
  }
  const run = operand.type === "number" ? operand.times(1) : operand.run;
  return { type: "boolean", run: (frame) => !Number.isNaN(run(frame)) };
};
