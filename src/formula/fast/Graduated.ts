import * as Rational from "../Rational.ts";
import * as Code from "./Code.ts";
import type { Frame } from "./Frame.ts";
import { firstNotBelow, lastNumerator } from "./Pick.ts";

/** One tier as compiled: where it ends (nothing for the last), its rate, and what is paid on entering it. */
type Tier = {
  readonly upTo: Rational.Rational | undefined;
  readonly rate: Code.NumberCode;
  readonly flat: Code.NumberCode | undefined;
};

/** The straight line that G follows for x > 0 inside a tier: G(x) = intercept + slope * x. */
type Line = { readonly intercept: Rational.Rational; readonly slope: Rational.Rational };

/** The lines of the tiers, or `undefined` when a rate or flat depends on facts. */
const linesOf = (tiers: ReadonlyArray<Tier>): ReadonlyArray<Line> | undefined => {
  const lines: Array<Line> = [];
  let reached = Rational.ZERO;
  let lower = Rational.ZERO;
  for (const { upTo, rate, flat } of tiers) {
    const slope = rate.constant;
    const entry = flat === undefined ? Rational.ZERO : flat.constant;
    if (slope === undefined || entry === undefined) return undefined;
    const intercept = Rational.subtract(Rational.add(reached, entry), Rational.multiply(lower, slope));
    lines.push({ intercept, slope });
    lower = upTo ?? lower;
    reached = Rational.add(intercept, Rational.multiply(lower, slope));
  }
  return lines;
};

/** G as integers: with x a numerator over one denominator, G(x) is a numerator over another. */
type Table = {
  readonly limits: Float64Array;
  readonly slopes: Float64Array;
  readonly intercepts: Float64Array;
};

/** The numerator of G(x), odd in x. */
const payoutAt = (frame: Frame, { limits, slopes, intercepts }: Table, numerator: number): number => {
  if (numerator === 0) return 0;
  const magnitude = numerator < 0 ? -numerator : numerator;
  const tier = firstNotBelow(limits, magnitude);
  const proportional = magnitude * (slopes[tier] as number);
  const result = proportional + (intercepts[tier] as number);
  if (!Code.isExact(proportional) || !Code.isExact(result)) frame.exact = false;
  return numerator < 0 ? -result : result;
};

const withConstantRates = (
  amount: Code.NumberCode,
  offset: Code.NumberCode | undefined,
  limits: ReadonlyArray<Rational.Rational>,
  lines: ReadonlyArray<Line>,
): Code.NumberCode => {
  const unit = Code.commonDenominator(offset === undefined ? [amount] : [amount, offset]);
  if (unit === undefined) return Code.BEYOND;
  const slopes = lines.map(({ slope }) => Rational.multiply(slope, Rational.make(1n, BigInt(unit))));
  const intercepts = lines.map(({ intercept }) => intercept);
  const denominator = Code.commonDenominator([...slopes, ...intercepts].map(Code.constant));
  if (denominator === undefined) return Code.BEYOND;
  const times = (factor: number): Code.Run => {
    const numerators = (values: ReadonlyArray<Rational.Rational>): Float64Array =>
      Float64Array.from(values, (value) => Code.numeratorOver(value, denominator * factor) ?? Number.NaN);
    const table = {
      limits: Float64Array.from(limits, (limit) => lastNumerator(limit, unit, "inclusive")),
      slopes: numerators(slopes),
      intercepts: numerators(intercepts),
    };
    if (![denominator * factor, ...table.slopes, ...table.intercepts].every(Number.isSafeInteger))
      return Code.leave;
    const added = Code.timesExactly(amount, unit / amount.denominator);
    if (offset === undefined) return (frame) => payoutAt(frame, table, added(frame));
    const before = Code.timesExactly(offset, unit / offset.denominator);
    return (frame) => {
      const start = before(frame);
      const end = start + added(frame);
      const result = payoutAt(frame, table, end) - payoutAt(frame, table, start);
      if (!Code.isExact(end) || !Code.isExact(result)) frame.exact = false;
      return result;
    };
  };
  return { type: "number", denominator, times };
};

/** How much of x is in (lower, upper], with the sign of x; all are numerators over one denominator. */
const partWithin = (x: number, lower: number, upper: number): number => {
  const magnitude = Math.min(x < 0 ? -x : x, upper) - lower;
  if (magnitude <= 0) return 0;
  return x < 0 ? -magnitude : magnitude;
};

/** One tier at run time: its bounds over the unit of x, its rate and its flat over the unit of the result. */
type Step = {
  readonly lower: number;
  readonly upper: number;
  readonly rate: Code.Run;
  readonly flat: Code.Run | undefined;
};

/** What the steps pay between two ends; a step between which nothing changes is not evaluated. */
const payoutBetween = (frame: Frame, steps: ReadonlyArray<Step>, start: number, end: number): number => {
  let total = 0;
  for (const { lower, upper, rate, flat } of steps) {
    const atStart = partWithin(start, lower, upper);
    const atEnd = partWithin(end, lower, upper);
    const part = atEnd - atStart;
    const entries = Math.sign(atEnd) - Math.sign(atStart);
    if (part === 0 && entries === 0) continue;
    const proportional = part * rate(frame);
    const entered = entries === 0 || flat === undefined ? 0 : entries * flat(frame);
    const paid = proportional + entered;
    total += paid;
    if (![part, proportional, entered, paid, total].every(Code.isExact)) frame.exact = false;
  }
  return total;
};

const withVariableRates = (
  amount: Code.NumberCode,
  offset: Code.NumberCode | undefined,
  limits: ReadonlyArray<Rational.Rational>,
  tiers: ReadonlyArray<Tier>,
): Code.NumberCode => {
  const start = offset ?? Code.constant(Rational.ZERO);
  const unit = Code.commonDenominator([amount, start, ...limits.map(Code.constant)]);
  const denominator = Code.commonDenominator(
    tiers.flatMap(({ rate, flat }) => [rate, ...(flat ? [flat] : [])]),
  );
  if (unit === undefined || denominator === undefined || !Number.isSafeInteger(unit * denominator))
    return Code.BEYOND;
  const uppers = limits.map((limit) => Code.numeratorOver(limit, unit) ?? Number.NaN);
  if (!uppers.every(Number.isSafeInteger)) return Code.BEYOND;
  const times = (factor: number): Code.Run => {
    const steps = tiers.map(({ rate, flat }, index) => ({
      lower: uppers[index - 1] ?? 0,
      upper: uppers[index] ?? Number.POSITIVE_INFINITY,
      rate: Code.timesExactly(rate, (denominator / rate.denominator) * factor),
      flat: flat && Code.timesExactly(flat, (denominator / flat.denominator) * unit * factor),
    }));
    const before = Code.timesExactly(start, unit / start.denominator);
    const added = Code.timesExactly(amount, unit / amount.denominator);
    return (frame) => {
      const from = before(frame);
      const to = from + added(frame);
      if (!Code.isExact(to)) frame.exact = false;
      return payoutBetween(frame, steps, from, to);
    };
  };
  return { type: "number", denominator: unit * denominator, times };
};

/** G(offset + amount) - G(offset); without an offset, G(amount). Every operand is computed once. */
export const graduated = (
  amount: Code.NumberCode,
  offset: Code.NumberCode | undefined,
  tiers: ReadonlyArray<Tier>,
): Code.NumberCode => {
  const lines = linesOf(tiers);
  const limits = tiers.flatMap(({ upTo }) => (upTo === undefined ? [] : [upTo]));
  return lines === undefined
    ? withVariableRates(amount, offset, limits, tiers)
    : withConstantRates(amount, offset, limits, lines);
};
