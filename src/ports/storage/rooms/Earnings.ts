/** The room of earnings: what computing commissions reads. */
import type { Effect } from "effect";
import type { Arrival } from "../../../domain/Accumulation.ts";
import type { Attribution } from "../../../domain/Attribution.ts";
import type { Commission } from "../../../domain/Commission.ts";
import type { Formula } from "../../../domain/Formula.ts";
import type {
  AttributionId,
  CommissionId,
  CustomerId,
  PartnerId,
  PlanId,
  SchemaId,
  WorkspaceId,
} from "../../../domain/Ids.ts";
import type { PartnerLink } from "../../../domain/PartnerLink.ts";
import type { Position } from "../../../domain/Recomputation.ts";
import type { Timestamp } from "../../../domain/Timestamp.ts";
import type { StorageError } from "../Failure.ts";
import type {
  AttributionForFormula,
  CommissionWithAttribution,
  ExternalReference,
  FormulaSet,
  PartnerFormulaSet,
} from "../Reads.ts";
import type { Tenant, Versioned } from "../Records.ts";

/** Formula sets, attributions in their orders, and the commissions of attributions. */
export interface Earnings {
  /** Version and formulas, of one snapshot. */
  readonly formulaSet: (
    customerId: CustomerId,
    partnerId: PartnerId,
    schemaId: SchemaId,
  ) => Effect.Effect<FormulaSet, StorageError>;
  /** Version and formulas of each of the partners for one schema, of one snapshot, in any order. */
  readonly formulaSets: (
    customerId: CustomerId,
    schemaId: SchemaId,
    partnerIds: ReadonlyArray<PartnerId>,
  ) => Effect.Effect<ReadonlyArray<PartnerFormulaSet>, StorageError>;
  /**
   * The links that have one of the partners at an end, whatever their dates, of a role or, for null, of every role, in any
   * order.
   */
  readonly linksOf: (
    customerId: CustomerId,
    query: {
      readonly end: "partnerId" | "uplinePartnerId";
      readonly partnerIds: ReadonlyArray<PartnerId>;
      readonly role: string | null;
    },
  ) => Effect.Effect<ReadonlyArray<PartnerLink>, StorageError>;
  /** The formulas of a plan that have applied fewer than `revision` of its events, ordered by id, at most `limit`. */
  readonly formulasBehindPlan: (
    customerId: CustomerId,
    planId: PlanId,
    revision: number,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Versioned<Formula>>, StorageError>;
  /** The attributions that have one of the external references, each once, of one snapshot, in any order. */
  readonly findByExternalReferences: (
    customerId: CustomerId,
    references: ReadonlyArray<ExternalReference>,
  ) => Effect.Effect<ReadonlyArray<Versioned<Attribution>>, StorageError>;
  /** The attributions that name one of the attributions as their origin, each once, of one snapshot, in any order. */
  readonly creditedAttributions: (
    customerId: CustomerId,
    originIds: ReadonlyArray<AttributionId>,
  ) => Effect.Effect<ReadonlyArray<Versioned<Attribution>>, StorageError>;
  /**
   * The origins of the sales of a workspace that occurred from `from` (inclusive) to `to` (exclusive), each once, after a
   * position, in order of (occurredAt, id); where `partnerIds` is not null, of the sales in which one of the partners has an
   * attribution.
   */
  readonly salesOf: (
    customerId: CustomerId,
    span: {
      readonly workspaceId: WorkspaceId;
      readonly partnerIds: ReadonlyArray<PartnerId> | null;
      readonly from: Timestamp;
      readonly to: Timestamp;
      readonly after: Position | null;
      readonly limit: number;
    },
  ) => Effect.Effect<ReadonlyArray<Position>, StorageError>;
  /**
   * Attributions of the formula's customer, partner, workspace and schema that occurred from `from` (inclusive) to `to`
   * (exclusive, null: no end), after a position, in order of (occurredAt, id), with their commission under the formula.
   */
  readonly attributionsForFormula: (
    formula: Formula,
    span: {
      readonly from: Timestamp;
      readonly to: Timestamp | null;
      readonly after: Position | null;
      readonly limit: number;
    },
  ) => Effect.Effect<ReadonlyArray<AttributionForFormula>, StorageError>;
  /**
   * Attributions of the formula's customer, partner, workspace and schema in order of arrival (createdAt, id), after a
   * position, that occurred from `from` (inclusive, null: no start) to `to` (exclusive, null: no end), with their commission
   * under the formula.
   */
  readonly arrivalsForFormula: (
    formula: Formula,
    span: {
      readonly from: Timestamp | null;
      readonly to: Timestamp | null;
      readonly after: Arrival | null;
      readonly limit: number;
    },
  ) => Effect.Effect<ReadonlyArray<AttributionForFormula>, StorageError>;
  /** The attribution of a partner and schema that arrived last (greatest createdAt, then id), or null. */
  readonly lastArrival: (
    customerId: CustomerId,
    partnerId: PartnerId,
    schemaId: SchemaId,
  ) => Effect.Effect<Arrival | null, StorageError>;
  /** The commissions of the ids that exist with their attributions, of one snapshot, in any order. */
  readonly commissionsWithAttributions: (
    tenant: Tenant,
    commissionIds: ReadonlyArray<CommissionId>,
  ) => Effect.Effect<ReadonlyArray<CommissionWithAttribution>, StorageError>;
  /** The commissions of attributions, each once, ordered by id. */
  readonly commissionsOf: (
    customerId: CustomerId,
    attributionIds: ReadonlyArray<AttributionId>,
  ) => Effect.Effect<ReadonlyArray<Versioned<Commission>>, StorageError>;
}
