import * as Calendar from "./Calendar.ts";
import * as Decimal from "./Decimal.ts";
import type { NumericValue, Value } from "./Expression.ts";
import * as Rational from "./Rational.ts";

/** How many of the written unit make 1: a percent is a hundredth, a basis point a ten-thousandth. */
const PER_ONE = { number: 1n, percent: 100n, basis_points: 10_000n } as const;

/** The exact number of a numeric value node, in lowest terms. */
export const toRational = (value: NumericValue): Rational.Rational => {
  const written = Decimal.toRational(Decimal.fromNumber(value.value));
  return Rational.reduce(Rational.make(written.numerator, written.denominator * PER_ONE[value.type]));
};

/** A point in time among the values of the reference interpreter, kept apart from numbers. */
export type Moment = { readonly epochMilliseconds: Calendar.EpochMilliseconds };

/** A value that is there: a number, a text, true or false, a date. */
export type Constant = Rational.Rational | string | boolean | Moment;

/** The constant of a value node. */
export const fromValue = (value: Value): Constant => {
  switch (value.type) {
    case "number":
    case "percent":
    case "basis_points":
      return toRational(value);
    case "string":
    case "boolean":
      return value.value;
    case "date":
      // Decoding has refused every text that names no date.
      return { epochMilliseconds: Calendar.parse(value.value) ?? 0 };
  }
};

/** True if a constant is a date. */
export const isMoment = (constant: Constant): constant is Moment =>
  typeof constant === "object" && "epochMilliseconds" in constant;

/** True if a constant is a number. */
export const isRational = (constant: Constant): constant is Rational.Rational =>
  typeof constant === "object" && "numerator" in constant;

/**
 * Compares two constants of one type. Numbers and dates: negative, 0 or positive as `left` is less than, equal to or greater
 * than `right`. Texts and truths have no order: 0 if they are equal, NaN if they differ.
 */
export const compare = (left: Constant, right: Constant): number => {
  if (typeof left !== "object") return left === right ? 0 : Number.NaN;
  return isMoment(left)
    ? left.epochMilliseconds - (right as Moment).epochMilliseconds
    : Rational.compare(left, right as Rational.Rational);
};

/** A text under which equal constants of one type, and only those, are the same. */
export const identity = (constant: Constant): string => {
  if (typeof constant !== "object") return String(constant);
  if (isMoment(constant)) return String(constant.epochMilliseconds);
  const { numerator, denominator } = Rational.reduce(constant);
  return `${numerator}/${denominator}`;
};
