import * as Calendar from "./Calendar.ts";
import * as Credit from "./Credit.ts";
import * as Decimal from "./Decimal.ts";
import * as Rational from "./Rational.ts";

/**
 * How large the fraction that a node computes can become, whatever the facts are.
 *
 * Every value of the node can be written as n / (divisor * r) with |n| < 2^numeratorBits and 1 <= r < 2^ratioBits
 * (r is 1 when ratioBits is 0). Literals and the decimals of properties contribute to the divisor, divisions by a value
 * that is known only at evaluation contribute to r. Unreduced arithmetic stays inside the bound as well.
 */
export type Bound = {
  readonly numeratorBits: number;
  readonly divisor: bigint;
  readonly ratioBits: number;
};

/** The number of binary digits of a magnitude, so that |value| < 2^bitLength(value). */
const bitLength = (value: bigint): number => (value === 0n ? 0 : Rational.absolute(value).toString(2).length);

/** Bits of the larger of numerator and denominator. */
export const bits = (bound: Bound): number => Math.max(bound.numeratorBits, denominatorBits(bound));

const denominatorBits = (bound: Bound): number => bitLength(bound.divisor) + bound.ratioBits;

/** The bound of one known number. */
export const fromRational = (value: Rational.Rational): Bound => ({
  numeratorBits: bitLength(value.numerator),
  divisor: value.denominator,
  ratioBits: 0,
});

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/** The bound of a property: 10^15 with 20 decimals, 117 bits. */
export const PROPERTY: Bound = {
  numeratorBits: bitLength(BigInt(Decimal.MAGNITUDE_MAX) * powerOfTen(Decimal.PROPERTY_DECIMALS_MAX)),
  divisor: powerOfTen(Decimal.PROPERTY_DECIMALS_MAX),
  ratioBits: 0,
};

/** The bound of a parameter: any number literal, 10^15 with 12 decimals. */
export const PARAMETER: Bound = {
  numeratorBits: bitLength(BigInt(Decimal.MAGNITUDE_MAX) * powerOfTen(Decimal.LITERAL_DECIMALS_MAX)),
  divisor: powerOfTen(Decimal.LITERAL_DECIMALS_MAX),
  ratioBits: 0,
};

/** The bound of a part of a date, and of any difference of two dates: at most the days of 9999 years. */
export const CALENDAR: Bound = fromRational(
  Rational.make(BigInt(Calendar.difference("days", Calendar.EARLIEST, Calendar.LATEST))),
);

/** The bound of the share of a credit, at most 1. */
export const SHARE: Bound = fromRational(Rational.make(Credit.DENOMINATOR, Credit.DENOMINATOR));

/** The bound of the depth of a credit. */
export const DEPTH: Bound = fromRational(Rational.make(BigInt(Credit.DEPTH_MAX)));

const commonDivisor = (bounds: ReadonlyArray<Bound>): bigint =>
  bounds.reduce((divisor, bound) => Rational.leastCommonMultiple(divisor, bound.divisor), 1n);

/** Numerator bits once the number is written over a multiple of its divisor. */
const bitsOver = (bound: Bound, divisor: bigint): number =>
  bound.divisor === divisor ? bound.numeratorBits : bound.numeratorBits + bitLength(divisor / bound.divisor);

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0);

/** The bound of a sum (or difference) of numbers; of one number it is that number's own. */
export const add = (bounds: ReadonlyArray<Bound>): Bound => {
  const [first] = bounds;
  if (first !== undefined && bounds.length === 1) return first;
  const divisor = commonDivisor(bounds);
  const ratioBits = sum(bounds.map((bound) => bound.ratioBits));
  const largest = Math.max(...bounds.map((bound) => bitsOver(bound, divisor) + ratioBits - bound.ratioBits));
  return { numeratorBits: largest + Math.ceil(Math.log2(bounds.length)), divisor, ratioBits };
};

/** The bound of a product. */
export const multiply = (bounds: ReadonlyArray<Bound>): Bound => ({
  numeratorBits: sum(bounds.map((bound) => bound.numeratorBits)),
  divisor: bounds.reduce((product, bound) => product * bound.divisor, 1n),
  ratioBits: sum(bounds.map((bound) => bound.ratioBits)),
});

/** The bound of a quotient by a value known only at evaluation: the numerator of the divisor becomes a ratio. */
export const divide = (left: Bound, right: Bound): Bound => ({
  numeratorBits: left.numeratorBits + denominatorBits(right),
  divisor: left.divisor,
  ratioBits: left.ratioBits + right.numeratorBits,
});

/** The bound of a value that is one of several. */
export const choose = (bounds: ReadonlyArray<Bound>): Bound => {
  const divisor = commonDivisor(bounds);
  return {
    numeratorBits: Math.max(...bounds.map((bound) => bitsOver(bound, divisor))),
    divisor,
    ratioBits: Math.max(...bounds.map((bound) => bound.ratioBits)),
  };
};

/** Bits that a number of rows can have: far more rows than one partner can have. */
const ROW_BITS = 40;

/** The bound of a number of rows. */
export const ROWS: Bound = { numeratorBits: ROW_BITS, divisor: 1n, ratioBits: 0 };

/** The bound of a sum of one number for each row. */
export const sumOfRows = (bound: Bound): Bound => ({
  ...bound,
  numeratorBits: bound.numeratorBits + ROW_BITS,
});

/** The bound of what the sellers of a sale earn: the sum of any number of amounts. */
export const SELLERS_COMMISSION: Bound = sumOfRows(
  fromRational(Rational.make(BigInt(Number.MAX_SAFE_INTEGER))),
);

/** The bound of a value rounded to a multiple of an increment. */
export const round = (bound: Bound, increment: Rational.Rational): Bound => {
  const magnitudeBits = Math.max(0, bound.numeratorBits - bitLength(bound.divisor) + 1);
  return {
    numeratorBits:
      Math.max(magnitudeBits + bitLength(increment.denominator), bitLength(increment.numerator)) + 1,
    divisor: increment.denominator,
    ratioBits: 0,
  };
};
