/** How amounts fall into the tiers of a graduated scale. */
import * as Rational from "./Rational.ts";

/** How much of x is in the tier (lower, upper], with the sign of x. */
export const partWithin = (
  x: Rational.Rational,
  lower: Rational.Rational,
  upper: Rational.Rational | undefined,
): Rational.Rational => {
  const negative = Rational.sign(x) < 0;
  const magnitude = negative ? Rational.negate(x) : x;
  if (Rational.compare(magnitude, lower) <= 0) return Rational.ZERO;
  const top = upper !== undefined && Rational.compare(magnitude, upper) > 0 ? upper : magnitude;
  const part = Rational.subtract(top, lower);
  return negative ? Rational.negate(part) : part;
};
