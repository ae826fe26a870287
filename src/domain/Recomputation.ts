/** The walk over attributions that a change of formula starts. It stores its position, so that it can be resumed. */
import type { Arrival } from "./Accumulation.ts";
import type { AttributionId, CustomerId, FormulaId, RecomputationId } from "./Ids.ts";
import type { Timestamp } from "./Timestamp.ts";

/** A position in the order of attributions: the date they count for, then id. */
export interface Position {
  readonly occurredAt: Timestamp;
  readonly id: AttributionId;
}

/** A walk in order of arrival, of a formula that has aggregates: each amount builds on the attributions before it. */
export interface ArrivalWalk {
  /** The cancelled attribution whose later ones are computed again; null for a walk that builds the formula's totals. */
  readonly cancelled: AttributionId | null;
  /** The last attribution that was recomputed; null before the first. */
  readonly after: Arrival | null;
  /** The last attribution to recompute; null for the last there is. */
  readonly until: Arrival | null;
}

/** A pending or finished walk. */
export interface Recomputation {
  readonly id: RecomputationId;
  readonly customerId: CustomerId;
  readonly formulaId: FormulaId;
  /** First attribution date, inclusive; of a walk after a cancellation the first calendar day. */
  readonly from: Timestamp;
  /** Exclusive; null means no end. */
  readonly to: Timestamp | null;
  /** The last attribution that was recomputed; null before the first. */
  readonly after: Position | null;
  /** Present on walks in order of arrival, which leave `after` null. */
  readonly arrivals?: ArrivalWalk;
  readonly pending: boolean;
}
