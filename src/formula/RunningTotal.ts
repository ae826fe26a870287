import type { AggregateFunction } from "./Expression.ts";

/** The total of some attributions: how many there are, and the numerator of the exact total over the aggregate's denominator. */
export type RunningTotal = {
  readonly rows: number;
  /** Null when there is no total: min and max of no attribution. */
  readonly numerator: bigint | null;
};

/** The part of an aggregate that decides how two totals become one. */
type Totalled = { readonly function: AggregateFunction };

/** The total of no attribution: 0, or none for min and max. */
export const emptyTotal = ({ function: name }: Totalled): RunningTotal => ({
  rows: 0,
  numerator: name === "min" || name === "max" ? null : 0n,
});

const combineNumerators = (name: AggregateFunction, left: bigint | null, right: bigint | null) => {
  if (left === null) return right;
  if (right === null) return left;
  switch (name) {
    case "sum":
    case "count":
      return left + right;
    case "min":
      return left < right ? left : right;
    case "max":
      return left > right ? left : right;
  }
};

/** The total of the attributions of several totals, such as those of the days of a rolling window. */
export const combineTotals = (aggregate: Totalled, totals: ReadonlyArray<RunningTotal>): RunningTotal =>
  totals.reduce(
    (left, right) => ({
      rows: left.rows + right.rows,
      numerator: combineNumerators(aggregate.function, left.numerator, right.numerator),
    }),
    emptyTotal(aggregate),
  );

/** The total with one attribution more; unchanged when the attribution does not contribute. */
export const addToTotal = (
  aggregate: Totalled,
  total: RunningTotal,
  contributed: bigint | null,
): RunningTotal =>
  contributed === null ? total : combineTotals(aggregate, [total, { rows: 1, numerator: contributed }]);

/**
 * The total with one attribution less; unchanged when it had not contributed. Null when the rest cannot be derived from the
 * total: the least or greatest of it has been taken away, and what is left must be recounted.
 */
export const subtractFromTotal = (
  aggregate: Totalled,
  { rows, numerator }: RunningTotal,
  contributed: bigint | null,
): RunningTotal | null => {
  if (contributed === null) return { rows, numerator };
  if (rows === 1) return emptyTotal(aggregate);
  if (aggregate.function === "min" || aggregate.function === "max")
    return contributed === numerator ? null : { rows: rows - 1, numerator };
  return { rows: rows - 1, numerator: (numerator ?? 0n) - contributed };
};
