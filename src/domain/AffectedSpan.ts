/** The dates of attributions whose commissions a change of formula may affect. */
import type { View } from "./Formula.ts";
import * as Parameter from "./Parameter.ts";
import type { Timestamp } from "./Timestamp.ts";

/** The dates of attributions (`occurredAt`) whose commissions a change of formula may affect; start inclusive, end exclusive or null. */
export interface Span {
  readonly from: Timestamp;
  readonly to: Timestamp | null;
}

/** The attribution dates whose amounts differ by a change of values; null when there are none. */
const spanOfValues = (before: View, after: View): Span | null => {
  const changed = Parameter.changedSpan(before, after);
  if (changed === null) return null;
  const { startDatetime, endDatetime } = after;
  const to = Math.min(changed.to, endDatetime ?? Number.POSITIVE_INFINITY);
  return spanOf(Math.max(changed.from, startDatetime), Number.isFinite(to) ? to : null);
};

/** The smallest span that holds both. */
const hull = (a: Span | null, b: Span | null): Span | null =>
  a === null || b === null ? (a ?? b) : { from: Math.min(a.from, b.from), to: later(a.to, b.to) };

const later = (a: Timestamp | null, b: Timestamp | null): Timestamp | null =>
  a === null || b === null ? null : Math.max(a, b);

const spanOf = (from: Timestamp, to: Timestamp | null): Span | null =>
  to !== null && to <= from ? null : { from, to };

/**
 * The attribution dates whose commissions must be computed again when a formula goes from one state to another, any number
 * of events later; null when there are none.
 */
export const affectedSpan = (before: View | null, after: View): Span | null => {
  if (before === null) return spanOf(after.startDatetime, after.endDatetime);
  const from = Math.min(before.startDatetime, after.startDatetime);
  const to = later(before.endDatetime, after.endDatetime);
  const isMoved =
    before.status !== after.status ||
    before.startDatetime !== after.startDatetime ||
    before.endDatetime !== after.endDatetime;
  if (isMoved) return spanOf(from, to);
  // Stated or withdrawn since; what was both pays nothing.
  const changed = after.versions.filter(
    ({ withdrawn }, index) =>
      withdrawn !== (index < before.versions.length ? before.versions[index]?.withdrawn : true),
  );
  const ofValues = spanOfValues(before, after);
  if (changed.length === 0) return ofValues;
  const effective = Math.min(...changed.map(({ effectiveDatetime }) => effectiveDatetime ?? from));
  return hull(spanOf(Math.max(from, effective), to), ofValues);
};
