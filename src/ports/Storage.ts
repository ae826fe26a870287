/**
 * The storage port: where records live. One write door, `commit`, takes a change set as data; every read is a snapshot.
 *
 * Rows, events and queries are plain JSON values, so that an adapter stores and returns them without any codec.
 * Every sentence of this file and of the folder `storage` is a law that the storage contract of the test-kit holds an adapter to.
 */
import { Context, Data, type Effect, type Stream } from "effect";
import type { Arrival } from "../domain/Accumulation.ts";
import type { Attribution } from "../domain/Attribution.ts";
import type { Commission } from "../domain/Commission.ts";
import type { Document } from "../domain/Document.ts";
import type { NumberSeries } from "../domain/DocumentNumber.ts";
import { DAY, HOUR } from "../domain/Durations.ts";
import type { Entry } from "../domain/Event.ts";
import type { Formula } from "../domain/Formula.ts";
import type {
  AttributionId,
  CommissionId,
  CustomerId,
  PartnerId,
  PaymentFileId,
  PlanId,
  SchemaId,
  SettlementId,
  WebhookEndpointId,
} from "../domain/Ids.ts";
import type { Balance } from "../domain/Movement.ts";
import type { BankPayment } from "../domain/PaymentFile.ts";
import type { Position } from "../domain/Recomputation.ts";
import type { SettlementPolicy } from "../domain/SettlementPolicy.ts";
import type { DueCommission, DuePolicyPosition, DuePosition } from "../domain/SettlementRun.ts";
import type { LineWithBilledParts, Reversal } from "../domain/Tax.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import type { WebhookDelivery } from "../domain/WebhookDelivery.ts";
import { innermostMessage } from "./InnermostMessage.ts";
import type { ChangeSet, IdempotencyRecord } from "./storage/ChangeSet.ts";
import type { FeedAppend, FeedBacklog, FeedPage } from "./storage/Feed.ts";
import type { Filters } from "./storage/Filters.ts";
import type {
  AttributionForFormula,
  AttributionStatistic,
  CommissionStatistic,
  CommissionWithAttribution,
  ExportLine,
  ExternalReference,
  FormulaSet,
  MovementPage,
  MovementSpan,
  Page,
  PartnerFormulaSet,
  Query,
  SettlementLog,
  StatisticsQuery,
} from "./storage/Reads.ts";
import type { Kind, Listed, ListedKind, Logged, Rows, Tenant, Versioned } from "./storage/Records.ts";

export type * from "./storage/ChangeSet.ts";
export type * from "./storage/Feed.ts";
export * as Filter from "./storage/Filter.ts";
export * from "./storage/Filters.ts";
export type * from "./storage/Reads.ts";
export * from "./storage/Records.ts";

/** Something that the change set relies on has changed; nothing was stored. */
export class VersionConflict extends Data.TaggedError("VersionConflict")<{
  /** A kind of record, or the unique key that another record holds. */
  readonly what: string;
}> {}

/** The idempotency key has been used by a command that is stored; nothing was stored. */
export class IdempotencyKeyUsed extends Data.TaggedError("IdempotencyKeyUsed")<Record<never, never>> {}

/** An operation of the store failed. */
export class StorageError extends Data.TaggedError("StorageError")<{
  /**
   * `unavailable`: nothing was stored, another try may succeed. `unknown`: a commit was sent and its reply lost.
   * `broken`: the store failed in a way that the caller cannot correct.
   */
  readonly reason: "unavailable" | "unknown" | "broken";
  readonly cause: unknown;
  /** Whether the store has logged the outage that the failure belongs to, so that its callers do not log it once each. */
  readonly isLogged?: boolean;
}> {
  /** The reason, and the message of the innermost cause; what a log shows. */
  override get message(): string {
    return `${this.reason}: ${innermostMessage(this.cause)}`;
  }
}

/** Whether a failed command may be stored all the same: a commit was sent and its reply lost. */
export const mayBeStored = (failure: object): boolean =>
  failure instanceof StorageError && failure.reason === "unknown";

/** How long the id of a stored command is kept at least. */
export const COMMAND_RETENTION_MILLISECONDS = DAY;

/** The age up to which the absence of a command's id proves that it is not stored; well below {@link COMMAND_RETENTION_MILLISECONDS}. */
export const ABSENCE_IS_CONCLUSIVE_MILLISECONDS = 12 * HOUR;

/** The failure of {@link StorageService.isCommitted} for a command whose id may have been removed. */
export const possiblyPrunedError = (): StorageError =>
  new StorageError({
    reason: "unknown",
    cause: new Error("a command this old may have been stored and its id pruned"),
  });

/** What {@link StorageService.prune} removes. */
export interface Pruning {
  /** The age up to which idempotency records are kept. */
  readonly idempotencyMilliseconds: number;
  /** The age up to which webhook deliveries are kept that have ended. */
  readonly deliveryMilliseconds: number;
  /** How many records may go at once, from 1. */
  readonly limit: number;
}

/**
 * What a host supplies. The first argument names the tenant, by its id or by a formula of it; nothing of another tenant is
 * read or changed. `dueSettlementPolicies`, `customersWithFeedBacklog`, `prune` and `ready` concern every customer.
 */
export interface StorageService {
  /**
   * Stores a change set, all or nothing, durable when it returns.
   * The order inside is fixed: idempotencyRecord, requires, settlements, commissions locked by id, revise, lines, saves, outbox.
   * `VersionConflict` when a requirement, an expected version or a unique key no longer holds, `IdempotencyKeyUsed` when the idempotency key is taken.
   * Of two commits that rely on what the other changes, one succeeds.
   */
  readonly commit: (
    customerId: CustomerId,
    changeSet: ChangeSet,
  ) => Effect.Effect<void, VersionConflict | IdempotencyKeyUsed | StorageError>;
  /** The records of the ids that exist, in any order. */
  readonly find: <Name extends Kind>(
    tenant: Tenant,
    kind: Name,
    ids: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<Versioned<Rows[Name]>>, StorageError>;
  /** One page with events and the exact total, of one snapshot. */
  readonly list: <Name extends ListedKind>(
    tenant: Tenant,
    kind: Name,
    query: Query<Filters[Name]>,
  ) => Effect.Effect<Page<Listed[Name]>, StorageError>;
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
  /** The commissions of one attribution, ordered by id. */
  readonly commissionsOf: (
    customerId: CustomerId,
    attributionId: AttributionId,
  ) => Effect.Effect<ReadonlyArray<Versioned<Commission>>, StorageError>;
  /** The settlement's lines in order, of one snapshot, without holding them all at once. */
  readonly settlementLines: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Stream.Stream<ExportLine, StorageError>;
  /** Commissions of the settlement that another open settlement holds. */
  readonly heldByOtherSettlements: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<CommissionId>, StorageError>;
  /** Whether the settlement is a draft with a line that differs from what its commission is due now. */
  readonly isStale: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<boolean, StorageError>;
  /**
   * The lines of a settlement whose commissions have billed amounts that are not reversed, in any order, of one snapshot.
   * These are the amounts of the commission's lines in paid settlements: a reversal counts for its origin, the rest of a
   * line for the line's own settlement.
   */
  readonly linesWithBilledParts: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<LineWithBilledParts>, StorageError>;
  /** The reversals in a settlement's lines, in any order; none when it has none. */
  readonly reversals: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<Reversal>, StorageError>;
  /** The settlement's documents of every kind, those that were replaced included, by kind and revision. */
  readonly documentsOf: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<Versioned<Document>>, StorageError>;
  /** The payments of a file, or those that wait for one (null), ordered by id, at most `limit`. */
  readonly bankPayments: (
    customerId: CustomerId,
    fileId: PaymentFileId | null,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Versioned<BankPayment>>, StorageError>;
  /** The deliveries to an endpoint that have not ended, ordered by the positions of their events, at most `limit`. */
  readonly openDeliveries: (
    customerId: CustomerId,
    endpointId: WebhookEndpointId,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Versioned<WebhookDelivery>>, StorageError>;
  /**
   * The commissions of the partners with something due, and those that cannot be computed, of attributions that occurred
   * before `until` (exclusive), after a position; of each partner the first `limit` in order of (createdAt, id), from 1, of one
   * snapshot. The partners come in any order.
   */
  readonly dueCommissions: (
    customerId: CustomerId,
    query: {
      readonly partnerIds: ReadonlyArray<PartnerId>;
      readonly until: Timestamp;
      readonly after: DuePosition | null;
      readonly limit: number;
    },
  ) => Effect.Effect<ReadonlyArray<DueCommission>, StorageError>;
  /**
   * Settlement policies of every customer whose next run is due at a moment, after a position, ordered by (nextRunAt, id), at
   * most `limit`. While a part of a distributed store cannot be reached, those of the rest.
   */
  readonly dueSettlementPolicies: (
    at: Timestamp,
    after: DuePolicyPosition | null,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Versioned<SettlementPolicy>>, StorageError>;
  /** The last number of a series of the customer; 0 before the first. */
  readonly lastNumber: (
    customerId: CustomerId,
    series: NumberSeries["name"],
  ) => Effect.Effect<number, StorageError>;
  /** Counts of attributions; entries of count 0 are left out. */
  readonly attributionStatistics: (
    tenant: Tenant,
    query: StatisticsQuery,
  ) => Effect.Effect<ReadonlyArray<AttributionStatistic>, StorageError>;
  /** Counts and sums of commissions; entries of count 0 are left out. */
  readonly commissionStatistics: (
    tenant: Tenant,
    query: StatisticsQuery,
  ) => Effect.Effect<ReadonlyArray<CommissionStatistic>, StorageError>;
  /**
   * The sums of a partner, by currency, ascending, of all events of its commissions that are dated before a moment. A
   * currency is listed when there is such an event.
   */
  readonly partnerBalances: (
    customerId: CustomerId,
    partnerId: PartnerId,
    at: Timestamp,
  ) => Effect.Effect<ReadonlyArray<Balance>, StorageError>;
  /**
   * The movements of a partner in one currency, ordered by (at, recordId, sequence), of one snapshot. An event that computes
   * an amount is a movement of its commission; the events of one moment that settle or reopen lines of one settlement are
   * together one movement of the settlement. Other events are none.
   */
  readonly partnerMovements: (
    customerId: CustomerId,
    partnerId: PartnerId,
    span: MovementSpan,
  ) => Effect.Effect<MovementPage, StorageError>;
  /** What was stored under an idempotency key, or null. */
  readonly findIdempotencyRecord: (
    customerId: CustomerId,
    principalId: string,
    key: string,
  ) => Effect.Effect<IdempotencyRecord | null, StorageError>;
  /**
   * Whether the command is stored: the question after a lost reply. It fails as `unknown` for a command that is not found
   * and older than 12 hours by the store's clock, since that one may have been removed.
   */
  readonly isCommitted: (
    customerId: CustomerId,
    command: Pick<ChangeSet["command"], "id" | "at">,
  ) => Effect.Effect<boolean, StorageError>;
  /**
   * Removes idempotency records that are older than what is kept, and the ids of stored commands older than a day, of
   * every customer, by the store's clock. Removes webhook deliveries that ended longer ago than what is kept. Removes at
   * most `limit` of all together and returns how many, so that the caller repeats it while the limit is reached. A key whose
   * record was removed may be used anew.
   */
  readonly prune: (pruning: Pruning) => Effect.Effect<number, StorageError>;
  /** The whole log of a record, stored parts included, in order: for replay and audit. */
  readonly log: <Name extends keyof Logged>(
    customerId: CustomerId,
    kind: Name,
    id: string,
  ) => Effect.Effect<ReadonlyArray<Entry<Logged[Name]["event"]>>, StorageError>;
  /**
   * The logs of the settlements of the ids that exist, each once and in order, of one snapshot, with their stored parts but
   * without the lines of the creation. The settlements come in any order.
   */
  readonly settlementLogs: (
    customerId: CustomerId,
    settlementIds: ReadonlyArray<SettlementId>,
  ) => Effect.Effect<ReadonlyArray<SettlementLog>, StorageError>;
  /**
   * The next events that are not in the feed, about `limit` of them, from 1; none only when there are none.
   * Events from before the feed, and of commits that left it out, come first, ordered by (at, kind, record, sequence).
   * The events of each other commit are contiguous, ordered by kind, and come after those of every commit that it saw.
   * The order of kinds is API key, billing profile, partner, settlement policy, plan, formula, attribution, settlement, commission; each record's events keep their order.
   */
  readonly feedBacklog: (customerId: CustomerId, limit: number) => Effect.Effect<FeedBacklog, StorageError>;
  /**
   * Appends a backlog to the feed, all or nothing, durable when it returns: no event enters a feed twice. Returns false,
   * and stores nothing, when the feed no longer ends where the backlog was read. Messages of the customer with the topic
   * `deliver_webhooks` that wait are available at once when entries were appended.
   */
  readonly appendToFeed: (customerId: CustomerId, append: FeedAppend) => Effect.Effect<boolean, StorageError>;
  /** At most `limit` entries after a position, from 0, with their events as they were logged. */
  readonly feedPage: (
    customerId: CustomerId,
    after: number,
    limit: number,
  ) => Effect.Effect<FeedPage, StorageError>;
  /**
   * Customers with events that are not in their feed, after an id (null: from the first), ordered by id, at most `limit`.
   * A customer all of whose new events were left out may be missing; its next commit or read of the feed finds them.
   * While a part of a distributed store cannot be reached, customers of the rest.
   */
  readonly customersWithFeedBacklog: (
    after: CustomerId | null,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<CustomerId>, StorageError>;
  /** Erases events from the feed for good: of the entries at these positions the salt is removed and the digest stored. */
  readonly eraseFromFeed: (
    customerId: CustomerId,
    digests: ReadonlyArray<{ readonly position: number; readonly digest: string }>,
  ) => Effect.Effect<void, StorageError>;
  /** Succeeds when the store can be reached and its schema is the one this code needs. */
  readonly ready: Effect.Effect<void, StorageError>;
}

/** The store that a host supplies. */
export class Storage extends Context.Tag("quittance/ports/Storage")<Storage, StorageService>() {}
