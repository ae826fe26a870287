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
 * Whether the magnitude `quotient + remainder / divisor` is rounded to `quotient + 1` (true) or stays at `quotient`,
 * where 0 < remainder < divisor. `twice` compares twice the remainder with the divisor.
 */
const roundsAwayFromZero = (mode: Mode, negative: boolean, quotient: bigint, twice: -1 | 0 | 1): boolean => {
  switch (mode) {
    case "up":
      return true;
    case "down":
      return false;
    case "ceiling":
      return !negative;
    case "floor":
      return negative;
    case "half_up":
      return twice >= 0;
    case "half_down":
      return twice > 0;
    case "half_even":
      return twice > 0 || (twice === 0 && quotient % 2n === 1n);
  }
};

/** The integer nearest to a fraction in the given mode. */
export const toInteger = (value: Rational.Rational, mode: Mode): bigint => {
  const negative = value.numerator < 0n;
  const magnitude = Rational.absolute(value.numerator);
  const quotient = magnitude / value.denominator;
  const remainder = magnitude % value.denominator;
  const double = 2n * remainder;
  const twice = double < value.denominator ? -1 : double > value.denominator ? 1 : 0;
  const away = remainder !== 0n && roundsAwayFromZero(mode, negative, quotient, twice);
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
