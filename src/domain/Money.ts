/** Amounts: integers in the smallest unit of a currency. A result is exact, or it is refused. */
import { Schema } from "effect";
import { absolute } from "../formula/Rational.ts";
import { MAX_AMOUNT } from "./Limits.ts";

/** A whole number of the smallest currency unit, between −{@link MAX_AMOUNT} and {@link MAX_AMOUNT}. */
export type Amount = number;

/** The schema of amounts in events and views. */
export const Amount = Schema.Number.annotations({ jsonSchema: { type: "integer", format: "int64" } });

/** The schema of sums over any number of records, which no number holds. */
export const Sum = Schema.BigIntFromSelf;

/** The schema of counts. */
export const Count = Schema.Number.annotations({
  jsonSchema: { type: "integer", format: "int64", minimum: 0 },
});

/**
 * A sum of one currency over any number of records, exact beyond the range of an amount. What one record holds is an
 * {@link Amount}, a number; what adds up records without a bound is a big integer, also while it is small.
 */
export interface CurrencySum {
  readonly currency: string;
  readonly amount: bigint;
}

/** True if a number is an amount: a safe integer. */
export const isAmount = (value: number): boolean => Number.isSafeInteger(value);

/** An amount that a caller states: unlike those of the engine, it may be anything. */
export const StatedAmount = Schema.Number.pipe(
  Schema.filter(
    (amount) => isAmount(amount) || `must be a whole number from ${-MAX_AMOUNT} to ${MAX_AMOUNT}`,
    { jsonSchema: { type: "integer", minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT } },
  ),
);

/** The exact sum of any number of amounts; it may exceed what one amount can hold. */
export const sum = (amounts: Iterable<Amount>): bigint => {
  let total = 0n;
  let partial = 0;
  for (const amount of amounts) {
    const next = partial + amount;
    if (Number.isSafeInteger(next)) partial = next;
    else {
      total += BigInt(partial);
      partial = amount;
    }
  }
  return total + BigInt(partial);
};

/** The amount a big integer denotes, or null beyond ±{@link MAX_AMOUNT}. */
export const fromBigInt = (value: bigint): Amount | null =>
  value > BigInt(MAX_AMOUNT) || value < -BigInt(MAX_AMOUNT) ? null : Number(value);

/** `numerator / denominator` rounded half away from zero; the denominator is positive. */
export const divideHalfAwayFromZero = (numerator: bigint, denominator: bigint): bigint => {
  const magnitude = absolute(numerator);
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
};

/** An amount times a rate in basis points, rounded once, half away from zero. */
export const basisPoints = (amount: Amount, rateBps: number): bigint =>
  divideHalfAwayFromZero(BigInt(amount) * BigInt(rateBps), 10_000n);
