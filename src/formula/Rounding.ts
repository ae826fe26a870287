import * as Rational from "./Rational.ts";

/**
 * The seven ways to round to a multiple of an increment. `half_up` sends ties away from zero, `half_down` toward
 * zero, `half_even` to the even multiple; `up` and `down` go away from and toward zero, `ceiling` and `floor`
 * toward plus and minus infinity.
 */
export const MODES = ["half_up", "half_down", "half_even", "up", "down", "ceiling", "floor"] as const;

/** One of {@link MODES}. */
export type Mode = (typeof MODES)[number];

/**
 * True if a number between two integers is rounded to the one away from zero. `isOdd` tells whether the other one is odd;
 * `excess` is positive, zero or negative as the number is more than, exactly or less than half the way.
 */
export const roundsAwayFromZero = (
  mode: Mode,
  isNegative: boolean,
  isOdd: boolean,
  excess: number,
): boolean => {
  switch (mode) {
    case "up":
      return true;
    case "down":
      return false;
    case "ceiling":
      return !isNegative;
    case "floor":
      return isNegative;
    case "half_up":
      return excess >= 0;
    case "half_down":
      return excess > 0;
    case "half_even":
      return excess > 0 || (excess === 0 && isOdd);
  }
};

/** The integer nearest to a fraction in the given mode. */
export const toInteger = (value: Rational.Rational, mode: Mode): bigint => {
  const negative = value.numerator < 0n;
  const magnitude = Rational.absolute(value.numerator);
  const quotient = magnitude / value.denominator;
  const remainder = magnitude % value.denominator;
  const double = 2n * remainder;
  const excess = double < value.denominator ? -1 : double > value.denominator ? 1 : 0;
  const away = remainder !== 0n && roundsAwayFromZero(mode, negative, quotient % 2n === 1n, excess);
  const rounded = away ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
};

/** The multiple of a positive increment nearest to a fraction in the given mode. */
export const toIncrement = (
  value: Rational.Rational,
  mode: Mode,
  increment: Rational.Rational,
): Rational.Rational => {
  const units = Rational.make(
    value.numerator * increment.denominator,
    value.denominator * increment.numerator,
  );
  return Rational.make(toInteger(units, mode) * increment.numerator, increment.denominator);
};
