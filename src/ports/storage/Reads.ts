/** Parameters and results of reads: filters, pages, formula sets, lines, statistics. */
import type { Reach } from "../../domain/ApiKey.ts";
import type { Attribution } from "../../domain/Attribution.ts";
import type { CalendarDate } from "../../domain/CalendarDate.ts";
import type { Commission } from "../../domain/Commission.ts";
import type { Currency } from "../../domain/Currency.ts";
import type { Entry } from "../../domain/Event.ts";
import type { Formula } from "../../domain/Formula.ts";
import type {
  AttributionId,
  CommissionId,
  CustomerId,
  FormulaId,
  PartnerId,
  PlanId,
  SchemaId,
  SettlementId,
  SettlementRunId,
  WebhookEndpointId,
  WorkspaceId,
} from "../../domain/Ids.ts";
import type { SettlementStatus } from "../../domain/Ledger.ts";
import type { Movement, Position } from "../../domain/Movement.ts";
import type { BillingMode } from "../../domain/Partner.ts";
import type { Line, SettlementEvent, StatusType } from "../../domain/Settlement.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Status as DeliveryStatus } from "../../domain/WebhookDelivery.ts";
import type { Status as EndpointStatus } from "../../domain/WebhookEndpoint.ts";
import type { Versioned } from "./Records.ts";

/** Filters of a list; they AND together, the values of one OR. Absent filters nothing, an empty list matches nothing. */
export interface Where {
  readonly ids?: ReadonlyArray<string>;
  readonly customerIds?: ReadonlyArray<CustomerId>;
  readonly workspaceIds?: ReadonlyArray<WorkspaceId>;
  /** On partners it matches their own id. No effect on schemas, plans and keys. */
  readonly partnerIds?: ReadonlyArray<PartnerId>;
  /** On commissions. */
  readonly attributionIds?: ReadonlyArray<AttributionId>;
  /** On settlements: holds any of them. */
  readonly commissionIds?: ReadonlyArray<CommissionId>;
  /** On commissions. */
  readonly settlementStatus?: SettlementStatus;
  /** On commissions: earned under any of these formulas. */
  readonly formulaIds?: ReadonlyArray<FormulaId>;
  /** On commissions: any of these settlements has a line of it, whatever happened to the settlement. */
  readonly settlementIds?: ReadonlyArray<SettlementId>;
  /** On commissions: the sign of what is due; an amount that was never computed counts as 0. */
  readonly due?: "nonzero" | "positive" | "negative";
  /** On commissions and settlements: in any of these currencies. */
  readonly currencies?: ReadonlyArray<Currency>;
  /** On attributions, settlements, webhook endpoints and webhook deliveries: in any of these states, by their type. */
  readonly statuses?: ReadonlyArray<Attribution["status"] | StatusType | EndpointStatus | DeliveryStatus>;
  /** On webhook deliveries: to any of these endpoints. */
  readonly endpointIds?: ReadonlyArray<WebhookEndpointId>;
  /** On settlements: created at this moment or later. */
  readonly createdFrom?: Timestamp;
  /** On settlements: created before this moment. */
  readonly createdTo?: Timestamp;
  /** On settlements: whether it is shown as stale; only drafts are. */
  readonly stale?: boolean;
  /**
   * On settlements: whether its payment is overdue: under way, in a file that was handed over, to be carried out before
   * this day.
   */
  readonly paymentOverdue?: { readonly before: CalendarDate; readonly matches: boolean };
  /** On attributions and commissions: of attributions that occurred at this moment or later. */
  readonly occurredFrom?: Timestamp;
  /** On attributions and commissions: of attributions that occurred before this moment. */
  readonly occurredTo?: Timestamp;
  /** On attributions: of any of these schemas. */
  readonly schemaIds?: ReadonlyArray<SchemaId>;
  /** On attributions: with exactly one of these external references. */
  readonly externalReferences?: ReadonlyArray<string>;
  /** On partners: in this billing mode; null finds those without one. */
  readonly billingMode?: BillingMode | null;
  /** On results of settlement runs: of any of these runs. */
  readonly runIds?: ReadonlyArray<SettlementRunId>;
  /** On formulas: active, with a window that covers the moment. */
  readonly activeAt?: Timestamp;
  /** On formulas: assigned by any of these plans. */
  readonly planIds?: ReadonlyArray<PlanId>;
  /** On keys: reaches no workspace, partner or agent beyond this. */
  readonly keysWithin?: Reach;
  /** On schemas, plans and partners: the name as `Text.searchable` folds it contains this folded text; no character is a wildcard. */
  readonly nameContains?: string;
}

/** The external reference of an attribution; unique within its schema. */
export interface ExternalReference {
  readonly schemaId: SchemaId;
  readonly externalReference: string;
}

/** One page of a list, in order of creation (`createdAt`, then `id`). */
export interface Query {
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
  /** Σ D. */
  readonly dueAmount: bigint;
}

/** Counts of one bucket and status. */
export interface AttributionStatistic {
  readonly bucket: number;
  readonly status: Attribution["status"];
  readonly count: number;
}

/**
 * What a statistic counts: attributions that occurred from `from` (inclusive) to `to` (exclusive), or their commissions, by
 * the bucket they fall in.
 */
export interface StatisticsQuery {
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** Ascending; the first is not after `from`. A record belongs to the last start that is not after its `occurredAt`. */
  readonly bucketStarts: ReadonlyArray<Timestamp>;
  readonly where: Pick<Where, "customerIds" | "workspaceIds" | "partnerIds">;
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
