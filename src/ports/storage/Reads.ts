/** Parameters and results of reads: pages, formula sets, lines, statistics. */
import type { Attribution } from "../../domain/Attribution.ts";
import type { CalendarDate } from "../../domain/CalendarDate.ts";
import type { Commission } from "../../domain/Commission.ts";
import type { Entry } from "../../domain/Event.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { AttributionId, FormulaId, PartnerId, SchemaId, SettlementId } from "../../domain/Ids.ts";
import type { SettlementStatus } from "../../domain/Ledger.ts";
import type { Movement, Position } from "../../domain/Movement.ts";
import type { Line, SettlementEvent } from "../../domain/Settlement.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Filters } from "./Filters.ts";
import type { Versioned } from "./Records.ts";

/** The external reference of an attribution; unique within its schema. */
export interface ExternalReference {
  readonly schemaId: SchemaId;
  readonly externalReference: string;
}

/** One page of a list, in order of creation (`createdAt`, then `id`). */
export interface Query<Where = Record<never, never>> {
  readonly where: Where;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly order: "asc" | "desc";
  /** On settlements: only so many of the first lines of each are shown, 0 or more; absent shows all. */
  readonly linesMax?: number;
}

/** A page and the exact number of matches, of one snapshot. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly total: number;
}

/** The formulas that decide what a partner earns for a schema, and the version that every formula command raises. */
export interface FormulaSet {
  /** 0 before the first formula. */
  readonly version: number;
  /** Every formula of customer, partner and schema, cancelled ones included, in order of creation. */
  readonly formulas: ReadonlyArray<Versioned<Formula>>;
}

/** The formula set of one of several partners. */
export interface PartnerFormulaSet extends FormulaSet {
  readonly partnerId: PartnerId;
}

/** An attribution with the commission it has under one formula, if it has one. */
export interface AttributionForFormula {
  readonly attribution: Versioned<Attribution>;
  readonly commission: Versioned<Commission> | null;
}

/** A commission with the attribution it rests on. */
export interface CommissionWithAttribution {
  readonly commission: Versioned<Commission>;
  readonly attribution: Versioned<Attribution>;
}

/** A settlement line with the formula and the attribution of its commission. */
export interface ExportLine extends Line {
  readonly formulaId: FormulaId;
  readonly attributionId: AttributionId;
  readonly attributionOccurredAt: Timestamp;
  /** Null where it is the UTC day of that moment. */
  readonly attributionOccurredOn: CalendarDate | null;
}

/** Sums of one bucket, status and currency; exact, and beyond the range of an amount. */
export interface CommissionStatistic {
  /** The index of the bucket's start in the query's. */
  readonly bucket: number;
  readonly settlementStatus: SettlementStatus;
  readonly currency: string;
  readonly count: number;
  /** Σ S. */
  readonly settledAmount: bigint;
  /** Σ (A − S): what is due or waits. */
  readonly unsettledAmount: bigint;
}

/** Counts of one bucket and status. */
export interface AttributionStatistic {
  readonly bucket: number;
  readonly status: Attribution["status"];
  readonly count: number;
}

/** Whose records a statistic counts. */
export type OwnershipFilters = Pick<Filters["commission"], "customerIds" | "workspaceIds" | "partnerIds">;

/**
 * What a statistic counts: attributions that occurred from `from` (inclusive) to `to` (exclusive), or their commissions, by
 * the bucket they fall in.
 */
export interface StatisticsQuery {
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** Ascending; the first is not after `from`. A record belongs to the last start that is not after its `occurredAt`. */
  readonly bucketStarts: ReadonlyArray<Timestamp>;
  readonly where: OwnershipFilters;
}

/** Which movements of a partner are read. */
export interface MovementSpan {
  readonly currency: string;
  /** Inclusive. */
  readonly from: Timestamp;
  /** Exclusive. */
  readonly to: Timestamp;
  /** Only movements after this position; null for the first page. */
  readonly after: Position | null;
  readonly limit: number;
}

/** The log of a settlement, in order, without the lines of its creation. */
export interface SettlementLog {
  readonly id: SettlementId;
  /** The `lines` stored with `create_settlement` are empty; every other stored part is there. */
  readonly log: ReadonlyArray<Entry<SettlementEvent>>;
}

/** A page of movements. */
export interface MovementPage {
  readonly movements: ReadonlyArray<Movement>;
  /** What is due before `from` and before `to`; null on a page after a position. */
  readonly due: { readonly opening: bigint; readonly closing: bigint } | null;
}
