import * as Rational from "../Rational.ts";
import * as Arithmetic from "./Arithmetic.ts";
import { firstNotBelow, lastNumerator } from "./Choice.ts";
import * as Code from "./Code.ts";

/** One tier as compiled: where it ends (nothing for the last), its rate, and what is paid on entering it. */
export type Tier = {
  readonly upTo: Rational.Rational | undefined;
  readonly rate: Code.NumberCode;
  readonly flat: Code.NumberCode | undefined;
};

/** A tier whose rate and flat are constants, with the line it draws: G(x) = intercept + rate * x inside the tier. */
type Line = { readonly intercept: Rational.Rational; readonly rate: Rational.Rational };

/** The straight pieces of G for x > 0, or `undefined` when a rate or flat depends on facts. */
const linesOf = (tiers: ReadonlyArray<Tier>): ReadonlyArray<Line> | undefined => {
  const lines: Array<Line> = [];
  let reached = Rational.zero;
  let lower = Rational.zero;
  for (const { upTo, rate, flat } of tiers) {
    if (rate.constant === undefined || (flat !== undefined && flat.constant === undefined)) return undefined;
    const entered = Rational.add(reached, flat?.constant ?? Rational.zero);
    const intercept = Rational.subtract(entered, Rational.multiply(lower, rate.constant));
    lines.push({ intercept, rate: rate.constant });
    if (upTo === undefined) break;
    reached = Rational.add(intercept, Rational.multiply(upTo, rate.constant));
    lower = upTo;
  }
  return lines;
};

/** The integers of the lines over one denominator, for numerators of x over another. */
type Table = {
  readonly denominator: number;
  readonly intercepts: ReadonlyArray<Rational.Rational>;
  readonly slopes: ReadonlyArray<Rational.Rational>;
};

const tableOf = (lines: ReadonlyArray<Line>, denominator: number): Table | undefined => {
  const perUnit = Rational.make(1n, BigInt(denominator));
  const slopes = lines.map(({ rate }) => Rational.reduce(Rational.multiply(rate, perUnit)));
  const intercepts = lines.map(({ intercept }) => Rational.reduce(intercept));
  const common = [...slopes, ...intercepts].reduce(
    (all, one) => Rational.leastCommonMultiple(all, one.denominator),
    1n,
  );
  return Code.fits(common) ? { denominator: Number(common), intercepts, slopes } : undefined;
};

/** G(x) times the factor, from the table; x comes as a numerator. */
const fromTable = (
  table: Table,
  limits: ReadonlyArray<number>,
  input: Code.Run,
  factor: number,
): Code.Run => {
  const multiplier = table.denominator * factor;
  const toInteger = (value: Rational.Rational) => Code.numeratorOver(value, multiplier) ?? Number.NaN;
  const intercepts = Float64Array.from(table.intercepts, toInteger);
  const slopes = Float64Array.from(table.slopes, toInteger);
  if (![multiplier, ...intercepts, ...slopes].every(Number.isSafeInteger)) return Code.beyond.times(1);
  let magnitude = 0;
  const tierOf = firstNotBelow(limits, () => magnitude);
  return (frame) => {
    const numerator = input(frame);
    if (numerator === 0) return 0;
    magnitude = numerator < 0 ? -numerator : numerator;
    const tier = tierOf(frame);
    const variable = magnitude * (slopes[tier] ?? 0);
    const result = variable + (intercepts[tier] ?? 0);
    if (Math.abs(variable) > Code.maximum || Math.abs(result) > Code.maximum) frame.exact = false;
    return numerator < 0 ? -result : result;
  };
};

const limitsOf = (tiers: ReadonlyArray<Tier>, denominator: number): ReadonlyArray<number> =>
  tiers.flatMap(({ upTo }) => (upTo === undefined ? [] : [lastNumerator(upTo, denominator, "inclusive")]));

const withConstantRates = (
  x: Code.NumberCode,
  tiers: ReadonlyArray<Tier>,
  lines: ReadonlyArray<Line>,
): Code.NumberCode => {
  const table = tableOf(lines, x.denominator);
  if (table === undefined) return Code.beyond;
  const limits = limitsOf(tiers, x.denominator);
  return {
    type: "number",
    denominator: table.denominator,
    times: (factor) => fromTable(table, limits, x.times(1), factor),
  };
};

/** How much of x lies in (lower, upper], with the sign of x; all are numerators over one denominator. */
const partWithin = (x: number, lower: number, upper: number): number => {
  const magnitude = Math.min(x < 0 ? -x : x, upper) - lower;
  if (magnitude <= 0) return 0;
  return x < 0 ? -magnitude : magnitude;
};

/** The tiers' shares of G(end) - G(start) when rates or flats depend on facts: both ends over one denominator. */
const withVariableRates = (
  start: Code.NumberCode,
  end: Code.NumberCode,
  tiers: ReadonlyArray<Tier>,
): Code.NumberCode => {
  const limits = tiers.flatMap(({ upTo }) => (upTo === undefined ? [] : [Code.constant(upTo)]));
  const unit = Code.commonDenominator([start, end, ...limits]);
  if (unit === undefined) return Code.beyond;
  const flats = tiers.map(({ flat }) => flat ?? Code.constant(Rational.zero));
  const rates = tiers.map(({ rate }) => Arithmetic.scale(rate, Rational.make(1n, BigInt(unit))));
  const denominator = Code.commonDenominator([...rates, ...flats]);
  const uppers = tiers.map(({ upTo }) =>
    upTo === undefined ? Number.POSITIVE_INFINITY : Code.numeratorOver(upTo, unit),
  );
  if (denominator === undefined || uppers.includes(undefined)) return Code.beyond;
  const [from, to] = Code.over(unit, [start, end], 1);
  return {
    type: "number",
    denominator,
    times: (factor) => {
      const steps = tiers.map((_, index) => ({
        lower: uppers[index - 1] ?? 0,
        upper: uppers[index] ?? Number.POSITIVE_INFINITY,
        rate: Code.over(denominator, rates.slice(index, index + 1), factor)[0] ?? Code.beyond.times(1),
        flat: Code.over(denominator, flats.slice(index, index + 1), factor)[0] ?? Code.beyond.times(1),
      }));
      return (frame) => {
        const [a, b] = [from?.(frame) ?? 0, to?.(frame) ?? 0];
        let total = 0;
        for (const { lower, upper, rate, flat } of steps) {
          const [atStart, atEnd] = [partWithin(a, lower, upper), partWithin(b, lower, upper)];
          const part = atEnd - atStart;
          const entries = Math.sign(atEnd) - Math.sign(atStart);
          if (part === 0 && entries === 0) continue;
          const paid = part * rate(frame);
          const entered = entries === 0 ? 0 : entries * flat(frame);
          const sum = paid + entered;
          total += sum;
          if (
            Math.abs(part) > Code.maximum ||
            Math.abs(paid) > Code.maximum ||
            Math.abs(entered) > Code.maximum ||
            Math.abs(sum) > Code.maximum ||
            Math.abs(total) > Code.maximum
          )
            frame.exact = false;
        }
        return total;
      };
    },
  };
};

/** G(offset + amount) - G(offset); without an offset, G(amount). */
export const graduated = (
  amount: Code.NumberCode,
  offset: Code.NumberCode | undefined,
  tiers: ReadonlyArray<Tier>,
): Code.NumberCode => {
  const lines = linesOf(tiers);
  const start = offset ?? Code.constant(Rational.zero);
  const end = offset === undefined ? amount : Arithmetic.add([offset, amount]);
  if (lines === undefined) return withVariableRates(start, end, tiers);
  const atEnd = withConstantRates(end, tiers, lines);
  return offset === undefined ? atEnd : Arithmetic.subtract(atEnd, withConstantRates(start, tiers, lines));
};
