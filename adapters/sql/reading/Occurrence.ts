/**
 * Conditions on the date that an attribution, or the attribution of a commission, counts for. Most dates are the moment of
 * creation, for which the tables have indexes. The other rows have indexes of their own, which a customer that gives no
 * dates does not pay for.
 */

/** A span as SQL expressions; from inclusive, to exclusive. */
export interface OccurrenceSpan {
  readonly from: string;
  readonly to: string;
}

/** Rows that count for the moment of their creation. */
export const UNDATED = "t.occurred_at = t.created_at";

/** Rows that count for an earlier date; as literally as the indexes of these rows say it. */
export const DATED = "t.occurred_at <> t.created_at";

/** Two conditions on rows aliased `t` that share no row; together they select the span, each by an index of its own. */
export const occurring = ({ from, to }: OccurrenceSpan): readonly [string, string] => [
  `${UNDATED} and t.created_at >= ${from} and t.created_at < ${to}`,
  `${DATED} and t.occurred_at >= ${from} and t.occurred_at < ${to}`,
];
