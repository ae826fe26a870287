/** The walk over attributions that a change of formula starts. It stores its position, so that it can be resumed. */
import type { AttributionId, CustomerId, FormulaId, RecomputationId } from "./Ids.ts";
import type { Timestamp } from "./Timestamp.ts";

/** A position in the order of attributions: the date they count for, then id. */
export interface Position {
  readonly occurredAt: Timestamp;
  readonly id: AttributionId;
}

/** A pending or finished walk. */
export interface Recomputation {
  readonly id: RecomputationId;
  readonly customerId: CustomerId;
  readonly formulaId: FormulaId;
  /** First attribution date, inclusive. */
  readonly from: Timestamp;
  /** Exclusive; null means no end. */
  readonly to: Timestamp | null;
  /** The last attribution that was recomputed; null before the first. */
  readonly after: Position | null;
  readonly pending: boolean;
}
