import { Either } from "effect";
import * as Rational from "./Rational.ts";

/**
 * The finite decimal of a JSON number: `coefficient / 10^decimals`, with no trailing zero decimals.
 *
 * A double is read as the shortest decimal that reads back as the same double, the one ECMAScript prints for it
 * (`Number.prototype.toString`): 0.1 is exactly one tenth.
 */
export type Decimal = {
  readonly coefficient: bigint;
  readonly decimals: number;
};

/** The largest magnitude of a number in a literal or a property, 10^15. */
export const MAGNITUDE_MAX = 1e15;

/** The most decimals of a property number. */
export const PROPERTY_DECIMALS_MAX = 20;

/** The most decimals of a number literal. */
export const LITERAL_DECIMALS_MAX = 12;

/** The most significant digits of a number literal; a longer one may have been altered by a JSON parser. */
const LITERAL_DIGITS_MAX = 15;

/** The decimal of a finite double; `-0` is 0. */
export const fromNumber = (value: number): Decimal => {
  if (Number.isSafeInteger(value)) return { coefficient: BigInt(value), decimals: 0 };
  const [mantissa, exponent = "0"] = String(value).split("e") as [string, string?];
  const [whole, fraction = ""] = mantissa.split(".");
  const shift = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return shift >= 0
    ? { coefficient: digits * 10n ** BigInt(shift), decimals: 0 }
    : { coefficient: digits, decimals: -shift };
};

/** The decimal as an exact fraction, in lowest terms. */
export const toRational = (value: Decimal): Rational.Rational =>
  Rational.reduce(Rational.make(value.coefficient, 10n ** BigInt(value.decimals)));

/** The number of digits between the first and the last that is not zero: 1200 has two, 0.0305 three. */
export const significantDigits = (value: Decimal): number =>
  Rational.absolute(value.coefficient).toString().replace(/0+$/, "").length;

const withinMagnitude = (value: number): Either.Either<Decimal, string> => {
  if (!Number.isFinite(value)) return Either.left("must be a finite number");
  if (Math.abs(value) > MAGNITUDE_MAX) return Either.left("must lie between -10^15 and 10^15");
  return Either.right(fromNumber(value));
};

/**
 * The exact decimal of a property number, or why it cannot be one: it must be finite, at most 10^15 in magnitude
 * and have at most 20 decimals. `-0` is read as 0.
 */
export const fromProperty = (value: number): Either.Either<Decimal, string> =>
  Either.filterOrLeft(
    withinMagnitude(value),
    (decimal) => decimal.decimals <= PROPERTY_DECIMALS_MAX,
    () => `must have at most ${PROPERTY_DECIMALS_MAX} decimals`,
  );

/**
 * The exact decimal of a number literal, or why it cannot be one: it must be finite, at most 10^15 in magnitude,
 * with at most 12 decimals and 15 significant digits.
 */
export const fromLiteral = (value: number): Either.Either<Decimal, string> =>
  withinMagnitude(value).pipe(
    Either.filterOrLeft(
      (decimal) => significantDigits(decimal) <= LITERAL_DIGITS_MAX,
      () =>
        `must have at most ${LITERAL_DIGITS_MAX} significant digits, because a longer number may already have been altered in transit`,
    ),
    Either.filterOrLeft(
      (decimal) => decimal.decimals <= LITERAL_DECIMALS_MAX,
      () => `must have at most ${LITERAL_DECIMALS_MAX} decimals`,
    ),
  );

/** True if a number can be the value of a property that formulas read; see {@link fromProperty}. */
export const isPropertyNumber = (value: number): boolean => Either.isRight(fromProperty(value));

/** A whole number of units of 10^-decimals as text: -1637 with 2 decimals is `-16.37`. */
export const formatUnits = (units: number | bigint, decimals: number): string => {
  const digits = String(units < 0 ? -units : units).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return `${units < 0 ? "-" : ""}${digits.slice(0, point)}${decimals === 0 ? "" : `.${digits.slice(point)}`}`;
};
