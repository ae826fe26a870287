/**
 * An exact fraction of two integers, the number type of the reference interpreter.
 *
 * Fractions are not kept in lowest terms: a multiplication would otherwise spend most of its time looking for
 * common factors. The checker bounds the size of every unreduced intermediate value, so nothing grows without
 * limit; {@link reduce} is used where a fraction is shown.
 */
export type Rational = {
  readonly numerator: bigint;
  /** Always positive. */
  readonly denominator: bigint;
};

/** The fraction `numerator / denominator`; the denominator must be positive. */
export const make = (numerator: bigint, denominator = 1n): Rational => ({ numerator, denominator });

/** The number 0. */
export const ZERO: Rational = make(0n);

/** The number 1. */
export const ONE: Rational = make(1n);

/** The absolute value of an integer. */
export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** The greatest common divisor of two integers by Euclid's algorithm; 0 only when both are 0. */
export const greatestCommonDivisor = (left: bigint, right: bigint): bigint => {
  let a = absolute(left);
  let b = absolute(right);
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
};

/** The least common multiple of two positive integers. */
export const leastCommonMultiple = (left: bigint, right: bigint): bigint =>
  (left / greatestCommonDivisor(left, right)) * right;

/** The sum of two fractions, over the least common multiple of their denominators. */
export const add = (left: Rational, right: Rational): Rational => {
  const denominator = leastCommonMultiple(left.denominator, right.denominator);
  return make(
    left.numerator * (denominator / left.denominator) + right.numerator * (denominator / right.denominator),
    denominator,
  );
};

/** The same magnitude with the opposite sign. */
export const negate = (value: Rational): Rational => make(-value.numerator, value.denominator);

/** The difference `left - right`. */
export const subtract = (left: Rational, right: Rational): Rational => add(left, negate(right));

/** The product of two fractions. */
export const multiply = (left: Rational, right: Rational): Rational =>
  make(left.numerator * right.numerator, left.denominator * right.denominator);

/** The exact quotient `left / right`, or `undefined` when `right` is 0. */
export const divide = (left: Rational, right: Rational): Rational | undefined => {
  if (right.numerator === 0n) return undefined;
  const numerator = left.numerator * right.denominator;
  const denominator = left.denominator * right.numerator;
  return denominator < 0n ? make(-numerator, -denominator) : make(numerator, denominator);
};

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export const compare = (left: Rational, right: Rational): -1 | 0 | 1 => {
  const a = left.numerator * right.denominator;
  const b = right.numerator * left.denominator;
  return a < b ? -1 : a > b ? 1 : 0;
};

/** -1, 0 or 1: the sign of the fraction. */
export const sign = (value: Rational): -1 | 0 | 1 =>
  value.numerator < 0n ? -1 : value.numerator > 0n ? 1 : 0;

/** The same number in lowest terms. */
export const reduce = (value: Rational): Rational => {
  const divisor = greatestCommonDivisor(value.numerator, value.denominator);
  return make(value.numerator / divisor, value.denominator / divisor);
};

/** How often `factor` divides `value`, and what is left of it. */
const removeFactor = (value: bigint, factor: bigint): { readonly times: number; readonly rest: bigint } => {
  let rest = value;
  let times = 0;
  while (rest % factor === 0n) {
    rest /= factor;
    times += 1;
  }
  return { times, rest };
};

/**
 * The number written exactly: an integer (`42`), a finite decimal (`18.96`) or, where no finite decimal exists,
 * a fraction in lowest terms (`6000005/3`).
 */
export const format = (value: Rational): string => {
  const { numerator, denominator } = reduce(value);
  if (denominator === 1n) return numerator.toString();
  const twos = removeFactor(denominator, 2n);
  const fives = removeFactor(twos.rest, 5n);
  if (fives.rest !== 1n) return `${numerator}/${denominator}`;
  const decimals = Math.max(twos.times, fives.times);
  const digits = ((absolute(numerator) * 10n ** BigInt(decimals)) / denominator)
    .toString()
    .padStart(decimals + 1, "0");
  return `${numerator < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const NUMBER = /^(-?\d+)(?:\.(\d+))?(?:\/([1-9]\d*))?$/;

/** The number in a text as {@link format} writes it; null for text that is no number. */
export const parse = (text: string): Rational | null => {
  const [, whole = "", fraction = "", denominator = "1"] = NUMBER.exec(text) ?? [];
  if (whole === "") return null;
  return make(BigInt(whole + fraction), 10n ** BigInt(fraction.length) * BigInt(denominator));
};
