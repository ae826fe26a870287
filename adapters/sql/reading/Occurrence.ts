/**
 * Conditions on the date that an attribution, or the attribution of a commission, counts for. Most dates are the moment of
 * creation, for which the tables have indexes. The other rows have partial indexes, for which a customer that gives no dates
 * does not pay.
 */

/** A span as SQL expressions; from inclusive, to exclusive. */
interface OccurrenceSpan {
  readonly from: string;
  readonly to: string;
}

const DISTANCE = "abs(t.created_at - t.occurred_at)";

/**
 * Rows that count for another date than their creation; the partial indexes have this condition. Without statistics about
 * the distance the planner expects one row of 200 between two bounds, but nearly every row for `<>`. So it reads these rows
 * by their own indexes.
 */
export const DATED = `${DISTANCE} between 1 and 9007199254740991`;

/** Rows that count for the moment of their creation; the planner expects every second row. */
export const UNDATED = `${DISTANCE} not between 1 and 9007199254740991`;

/** The condition of undated rows in a span, found by an index on the creation. */
export const undatedIn = ({ from, to }: OccurrenceSpan): string =>
  `${UNDATED} and t.created_at >= ${from} and t.created_at < ${to}`;

/** The condition of dated rows in a span. No row is undated and dated. */
export const datedIn = ({ from, to }: OccurrenceSpan): string =>
  `${DATED} and t.occurred_at >= ${from} and t.occurred_at < ${to}`;
