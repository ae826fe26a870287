/**
 * What plans that accumulate keep of one partner and schema: the order in which its attributions arrive, the version of their
 * history, and the running totals of aggregates. All three are records: a command that changes their content saves them in its commit.
 */
import type { AttributionId, CustomerId, FormulaId, PartnerId, RecomputationId, SchemaId } from "./Ids.ts";
import { namedId } from "./NamedId.ts";
import type { Timestamp } from "./Timestamp.ts";

/** A position in the order of arrival: creation, then id. */
export interface Arrival {
  readonly createdAt: Timestamp;
  readonly id: AttributionId;
}

/** Negative when one arrived before the other, positive when after, 0 when they are the same. */
export const compareArrivals = (a: Arrival, b: Arrival): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The totals of a formula, by the recomputation that builds or has built them; totals of another one are void. */
export interface FormulaTotals {
  readonly formulaId: FormulaId;
  readonly recomputationId: RecomputationId;
  /** True if the recomputation is pending. Until it ends, it computes the commissions of new attributions too. */
  readonly building: boolean;
}

/** The order of arrival of one partner and schema. Each creation saves it, so that no two have the same place. */
export interface ArrivalOrder {
  readonly id: string;
  readonly customerId: CustomerId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
  /** The attribution that arrived last; null before the first one that was put in order. */
  readonly last: Arrival | null;
  /** The formulas that have aggregates in any version, except cancelled ones. */
  readonly formulas: ReadonlyArray<FormulaTotals>;
}

/**
 * The history of one partner and schema. It has no content but its version, which every command raises that changes what
 * later attributions build on: a cancelled attribution, a changed formula. Creations do not raise it.
 */
export interface AttributionHistory {
  readonly id: string;
  readonly customerId: CustomerId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
}

/** The running totals of one aggregate of one version of a formula, and one group: one for each bucket of its window. */
export interface TotalSeries {
  readonly formulaId: FormulaId;
  /** From 1. */
  readonly formulaVersion: number;
  /** The path of the aggregate in the expression. */
  readonly aggregate: string;
  /** The values of the properties that group, as JSON text. */
  readonly group: string;
}

/** The key of a running total. */
export interface TotalKey extends TotalSeries {
  /** The calendar period, the UTC day of a rolling window, or `lifetime`. */
  readonly bucket: string;
}

/** The total of the confirmed attributions of one key. */
export interface RunningTotal extends TotalKey {
  readonly id: string;
  readonly customerId: CustomerId;
  readonly recomputationId: RecomputationId;
  /** The number of attributions in it. */
  readonly rows: number;
  /** The integer that, divided by `denominator`, is the total, in decimal digits; null where there is none. */
  readonly numerator: string | null;
  /** In decimal digits, from 1. */
  readonly denominator: string;
}

/** The id of the order of arrival of a partner and schema. */
export const arrivalOrderId = (partnerId: PartnerId, schemaId: SchemaId): string =>
  namedId("arrival_order", partnerId, schemaId);

/** The id of the history of a partner and schema. */
export const attributionHistoryId = (partnerId: PartnerId, schemaId: SchemaId): string =>
  namedId("attribution_history", partnerId, schemaId);

/** The id of a running total. */
export const runningTotalId = (key: TotalKey): string =>
  namedId("running_total", key.formulaId, key.formulaVersion, key.aggregate, key.group, key.bucket);

/** The UUID that follows another one of the same version, 62 random bits on; null after the last. */
const successor = (id: AttributionId): AttributionId | null => {
  const low = BigInt(`0x${id.slice(19, 23)}${id.slice(24)}`) + 1n;
  if ((low & 0x3fff_ffff_ffff_ffffn) === 0n) return null;
  const text = low.toString(16).padStart(16, "0");
  return `${id.slice(0, 19)}${text.slice(0, 4)}-${text.slice(4)}` as AttributionId;
};

/**
 * The place of a new attribution: strictly after the last one. Its moment is that of the clock or of the last attribution,
 * whichever is later, and never one that no clock has shown: within one millisecond the id decides, counted on from the
 * last one where the new one is not greater.
 */
export const nextArrival = (
  last: Arrival | null,
  now: Timestamp,
  idAt: (moment: Timestamp) => AttributionId,
): Arrival => {
  if (last === null || now > last.createdAt) return { createdAt: now, id: idAt(now) };
  const id = idAt(last.createdAt);
  if (id > last.id) return { createdAt: last.createdAt, id };
  const following = successor(last.id);
  return following === null
    ? { createdAt: last.createdAt + 1, id: idAt(last.createdAt + 1) }
    : { createdAt: last.createdAt, id: following };
};
