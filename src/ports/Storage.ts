/**
 * The storage port: where records live. One write door, `commit`, takes a change set as data; every read is a snapshot.
 *
 * Rows, events and queries are plain JSON values, so that an adapter stores and returns them without any codec.
 * Every sentence of this file is a law that the storage contract of the test-kit holds an adapter to.
 */
import { Context, Data, type Effect, type Stream } from "effect";
import type { ApiKey, Reach } from "../domain/ApiKey.ts";
import type { Attribution, AttributionEvent } from "../domain/Attribution.ts";
import type { AttributionSchema } from "../domain/AttributionSchema.ts";
import type { BillingProfile } from "../domain/BillingProfile.ts";
import type { Commission, CommissionEvent, ComputationError, ReleaseCause } from "../domain/Commission.ts";
import type { Currency } from "../domain/Currency.ts";
import type { Document, DocumentSeries } from "../domain/Document.ts";
import type { Entry } from "../domain/Event.ts";
import type { Formula, FormulaEvent } from "../domain/Formula.ts";
import type {
  AttributionId,
  CommandId,
  CommissionId,
  CustomerId,
  FormulaId,
  MessageId,
  PartnerId,
  RecomputationId,
  SchemaId,
  SettlementId,
  WorkspaceId,
} from "../domain/Ids.ts";
import type { SettlementStatus } from "../domain/Ledger.ts";
import type { Amount } from "../domain/Money.ts";
import type { BillingMode, Partner } from "../domain/Partner.ts";
import type { Position, Recomputation } from "../domain/Recomputation.ts";
import type { Line, Settlement, SettlementEvent, StatusType } from "../domain/Settlement.ts";
import type { StandingLine, TakenBack, TaxOrigin } from "../domain/Tax.ts";
import type { Timestamp } from "../domain/Timestamp.ts";

/** Reads across every customer: the platform's alone. */
export const AllCustomers = "*";
export type AllCustomers = typeof AllCustomers;

/** Whose records a read may touch. */
export type Tenant = CustomerId | AllCustomers;

/** A record with its version: 0 before it exists, then raised by each save; with events, the number of its events. */
export type Versioned<Record> = Record & {
  readonly version: number;
  /** The moment of the last event, or of the last save of a record without events. */
  readonly lastAt: Timestamp;
};

/** Records that carry a log. */
export interface Logged {
  readonly attribution: { readonly record: Attribution; readonly event: AttributionEvent };
  readonly formula: { readonly record: Formula; readonly event: FormulaEvent };
  readonly commission: { readonly record: Commission; readonly event: CommissionEvent };
  readonly settlement: { readonly record: Settlement; readonly event: SettlementEvent };
}

/** Records that are replaced as a whole. */
export interface Flat {
  readonly schema: AttributionSchema;
  readonly partner: Partner;
  readonly document: Document;
  readonly recomputation: Recomputation;
  readonly apiKey: ApiKey;
  /** Identified by its customer. */
  readonly billingProfile: BillingProfile;
  /** Identified by its settlement. */
  readonly taxOrigin: TaxOrigin;
}

/** Every kind of record that {@link Storage} finds by id. */
export type Rows = { readonly [Kind in keyof Logged]: Logged[Kind]["record"] } & Flat;
export type Kind = keyof Rows;

/** What a page holds: the record and what is shown beside it. Events come in order, without their `stored` part. */
export interface Listed {
  readonly attribution: Versioned<Attribution> & { readonly events: ReadonlyArray<Entry<AttributionEvent>> };
  readonly formula: Versioned<Formula> & {
    readonly events: ReadonlyArray<Entry<FormulaEvent>>;
    /** Whether a recomputation of it is pending. */
    readonly recomputing: boolean;
  };
  readonly commission: Versioned<Commission> & { readonly events: ReadonlyArray<Entry<CommissionEvent>> };
  readonly settlement: Versioned<Settlement> & {
    readonly events: ReadonlyArray<Entry<SettlementEvent>>;
    /** In the order they were given at creation. */
    readonly lines: ReadonlyArray<Line>;
    /** Whether it is a draft with a line that differs from what its commission is due now. */
    readonly stale: boolean;
  };
  readonly schema: Versioned<AttributionSchema>;
  readonly partner: Versioned<Partner>;
  readonly apiKey: Versioned<ApiKey>;
}
export type ListedKind = keyof Listed;

/** Filters of a list; they AND together, the values of one OR. Absent filters nothing, an empty list matches nothing. */
export interface Where {
  readonly ids?: ReadonlyArray<string>;
  readonly customerIds?: ReadonlyArray<CustomerId>;
  readonly workspaceIds?: ReadonlyArray<WorkspaceId>;
  /** On partners it matches their own id. No effect on schemas and keys. */
  readonly partnerIds?: ReadonlyArray<PartnerId>;
  /** On commissions. */
  readonly attributionIds?: ReadonlyArray<AttributionId>;
  /** On settlements: holds any of them. */
  readonly commissionIds?: ReadonlyArray<CommissionId>;
  /** On commissions. */
  readonly settlementStatus?: SettlementStatus;
  /** On commissions: earned under any of these formulas. */
  readonly formulaIds?: ReadonlyArray<FormulaId>;
  /** On commissions: any of these settlements has a line of it, whatever became of the settlement. */
  readonly settlementIds?: ReadonlyArray<SettlementId>;
  /** On commissions: the sign of what is due; an amount that was never computed counts as 0. */
  readonly due?: "nonzero" | "positive" | "negative";
  /** On commissions and settlements: in any of these currencies. */
  readonly currencies?: ReadonlyArray<Currency>;
  /** On attributions and settlements: in any of these states, by their type. */
  readonly statuses?: ReadonlyArray<Attribution["status"] | StatusType>;
  /** On settlements: created at this moment or later. */
  readonly createdFrom?: Timestamp;
  /** On settlements: created before this moment. */
  readonly createdTo?: Timestamp;
  /** On settlements: whether it is shown as stale; only drafts are. */
  readonly stale?: boolean;
  /** On attributions: of any of these schemas. */
  readonly schemaIds?: ReadonlyArray<SchemaId>;
  /** On attributions: with exactly one of these external references. */
  readonly externalReferences?: ReadonlyArray<string>;
  /** On partners: in this billing mode; null finds those without one. */
  readonly billingMode?: BillingMode | null;
  /** On formulas: active, with a window that covers the moment. */
  readonly activeAt?: Timestamp;
  /** On keys: reaches no workspace, partner or agent beyond this. */
  readonly keysWithin?: Reach;
  /** On schemas and partners: the name as `Text.searchable` folds it contains this folded text; no character is a wildcard. */
  readonly nameContains?: string;
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

/** A settlement line with what the CSV export shows of its attribution. */
export interface ExportLine extends Line {
  readonly attributionId: AttributionId;
  readonly attributionCreatedAt: Timestamp;
}

/** What of the present state a commit relies on; checked under locks held to the end of the commit. */
export type Requirement =
  | {
      /** No formula command has come since; shared, so that creations do not queue behind each other. */
      readonly type: "formula_set";
      readonly partnerId: PartnerId;
      readonly schemaId: SchemaId;
      readonly version: number;
    }
  | { readonly type: "record"; readonly kind: Kind; readonly id: string; readonly version: number }
  | {
      /**
       * The attribution has exactly so many commissions (none is ever deleted). Checked after the attribution's own
       * requirement or save has locked it, so that a commission added meanwhile is seen.
       */
      readonly type: "commissions";
      readonly attributionId: AttributionId;
      readonly count: number;
    }
  | {
      /** Every line of the draft equals what its commission is due (when `stale` is false), or not (when true). */
      readonly type: "freshness";
      readonly settlementId: SettlementId;
      readonly stale: boolean;
    };

/** Saves a record with a log: the row after its new events. `row.version` is `expected` plus their number. */
export interface SaveLogged<Name extends keyof Logged> {
  readonly type: "save";
  readonly kind: Name;
  readonly row: Versioned<Logged[Name]["record"]>;
  /** The version it was read at; 0 when it is new. */
  readonly expected: number;
  readonly entries: ReadonlyArray<Entry<Logged[Name]["event"]>>;
}

/** Saves a record without a log. `row.version` is `expected + 1`. */
export interface SaveFlat<Name extends keyof Flat> {
  readonly type: "save";
  readonly kind: Name;
  readonly row: Versioned<Flat[Name]>;
  readonly expected: number;
}

/** A commission's new amount, with the event that says so. */
export interface Revision {
  readonly commissionId: CommissionId;
  readonly expected: number;
  readonly computedAmount: Amount | null;
  readonly formulaVersion: number | null;
  readonly computationError: ComputationError | null;
  readonly entry: Entry<CommissionEvent>;
}

/** One change. Set-based changes of lines append the commissions' events and keep their rows equal to the fold. */
export type Change =
  | { readonly [Name in keyof Logged]: SaveLogged<Name> }[keyof Logged]
  | { readonly [Name in keyof Flat]: SaveFlat<Name> }[keyof Flat]
  /** Raises the version of a formula set; it stands for every formula command on it. */
  | { readonly type: "bump_formula_set"; readonly partnerId: PartnerId; readonly schemaId: SchemaId }
  /** Moves the last number of a gapless series from `lastNumber - 1`, or makes the series when that is 0. */
  | { readonly type: "allocate_number"; readonly series: DocumentSeries }
  /** Sets amounts of commissions that exist. */
  | { readonly type: "revise"; readonly revisions: ReadonlyArray<Revision> }
  /** Makes the lines of a new settlement; each commission must be at the version given and in no open settlement. */
  | {
      readonly type: "reserve";
      readonly settlementId: SettlementId;
      readonly lines: ReadonlyArray<Line & { readonly expected: number }>;
    }
  /** Turns the reserved lines of a settlement into settled ones. */
  | { readonly type: "settle"; readonly settlementId: SettlementId; readonly as: "paid" | "written_off" }
  /** Gives the reserved lines of a settlement back. */
  | { readonly type: "release"; readonly settlementId: SettlementId; readonly cause: ReleaseCause }
  /** Turns the paid lines of a settlement back into reserved ones; each commission must be in no open settlement. */
  | { readonly type: "reopen"; readonly settlementId: SettlementId }
  /** Notes the parts of a settlement's lines that take back what earlier settlements billed; once per settlement. */
  | {
      readonly type: "take_back";
      readonly settlementId: SettlementId;
      /** Each of a commission that the settlement holds, and of a settlement that has held it. */
      readonly parts: ReadonlyArray<TakenBack>;
    };

/** What an outbox message asks a worker to do. */
export type Topic = "make_report" | "make_invoice" | "make_credit_note" | "send_payment" | "recompute";

/** A message written with the commit that caused it. */
export interface Message {
  readonly id: MessageId;
  readonly topic: Topic;
  readonly customerId: CustomerId;
  /** The record the work is about: a settlement or a recomputation. */
  readonly recordId: SettlementId | RecomputationId;
  /** The payment reference of `send_payment`; null for the other topics. */
  readonly reference: string | null;
  /** How long after the commit it may be claimed, by the store's clock. */
  readonly delayMilliseconds: number;
}

/** The answer to a successful command, kept under the caller's key. */
export interface IdempotencyRecord {
  readonly principalId: string;
  readonly key: string;
  /** Of method, path and decoded body; tells a repetition from another request. */
  readonly requestSha256: string;
  /** The command's result, plain JSON. */
  readonly result: unknown;
  readonly at: Timestamp;
}

/** A command's whole effect on the store. */
export interface ChangeSet {
  readonly command: { readonly id: CommandId; readonly actor: string; readonly at: Timestamp };
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
  readonly outbox: ReadonlyArray<Message>;
  /** Null when the caller gave no idempotency key. */
  readonly idempotencyRecord: IdempotencyRecord | null;
}

/** Something the change set relied on has moved; nothing was stored. */
export class VersionConflict extends Data.TaggedError("VersionConflict")<{
  /** A kind of record, or the unique key that another record holds. */
  readonly what: string;
}> {}

/** The idempotency key has been used by a command that is stored; nothing was stored. */
export class IdempotencyKeyUsed extends Data.TaggedError("IdempotencyKeyUsed")<Record<never, never>> {}

/** The store did not do what it was asked. */
export class StorageError extends Data.TaggedError("StorageError")<{
  /**
   * `unavailable`: nothing was stored, another try may succeed. `unknown`: a commit was sent and its reply lost.
   * `broken`: the store answered with something that no caller can mend.
   */
  readonly reason: "unavailable" | "unknown" | "broken";
  readonly cause: unknown;
}> {}

/** Whether a failed command may be stored all the same: a commit was sent and its reply lost. */
export const mayBeStored = (failure: object): boolean =>
  failure instanceof StorageError && failure.reason === "unknown";

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

/** What a statistic counts: records created from `from` (inclusive) to `to` (exclusive), by the bucket they fall in. */
export interface StatisticsQuery {
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** Ascending; the first is not after `from`. A record belongs to the last start that is not after its creation. */
  readonly bucketStarts: ReadonlyArray<Timestamp>;
  readonly where: Pick<Where, "customerIds" | "workspaceIds" | "partnerIds">;
}

/** How long the id of a stored command is kept at least. */
export const COMMAND_KEPT_MILLISECONDS = 86_400_000;

/** How old a command may be for its absence to say that it is not stored; well below what is kept. */
export const ABSENCE_TELLS_MILLISECONDS = 43_200_000;

/** The failure of a question about a command whose id may have been removed. */
export const forgotten = (): StorageError =>
  new StorageError({
    reason: "unknown",
    cause: new Error("a command this old may have been stored and forgotten"),
  });

/** What {@link StorageService.prune} removes. */
export interface Pruning {
  /** The age up to which idempotency records are kept. */
  readonly idempotencyMilliseconds: number;
  /** How many records may go at once, from 1. */
  readonly limit: number;
}

/**
 * What a host supplies. Every method but `ready` and `prune` names the tenant first; nothing of another tenant is read
 * or changed.
 */
export interface StorageService {
  /**
   * Stores a change set, all or nothing, durable when it returns.
   * The order inside is fixed: remember, requires, settlements, commissions locked by id, revise, lines, saves, outbox.
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
    query: Query,
  ) => Effect.Effect<Page<Listed[Name]>, StorageError>;
  /** Version and formulas, of one snapshot. */
  readonly formulaSet: (
    customerId: CustomerId,
    partnerId: PartnerId,
    schemaId: SchemaId,
  ) => Effect.Effect<FormulaSet, StorageError>;
  /** The attribution of an external reference, or null. */
  readonly findByExternalReference: (
    customerId: CustomerId,
    schemaId: SchemaId,
    externalReference: string,
  ) => Effect.Effect<Versioned<Attribution> | null, StorageError>;
  /**
   * Attributions of the formula's customer, partner, workspace and schema created from `from` (inclusive) to `to`
   * (exclusive, null: no end), after a position, in order of (createdAt, id), with their commission under the formula.
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
   * The lines of a settlement whose commissions have something standing, in any order, of one snapshot. What stands are
   * the parts of the commission's lines in paid settlements: what takes back counts for its origin, the rest of a line
   * for the line's own settlement.
   */
  readonly standingLines: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<StandingLine>, StorageError>;
  /** The parts of a settlement's lines that take back, in any order; none when it has none. */
  readonly takenBackParts: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<TakenBack>, StorageError>;
  /** The settlement's document of a kind with the highest revision, or null. */
  readonly latestDocument: (
    customerId: CustomerId,
    settlementId: SettlementId,
    kind: Document["kind"],
  ) => Effect.Effect<Versioned<Document> | null, StorageError>;
  /** The last number of a series; 0 before the first. */
  readonly lastNumber: (
    customerId: CustomerId,
    partnerId: PartnerId,
    kind: DocumentSeries["kind"],
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
   * every customer, by the store's clock. No more than `limit` of both together go; it tells how many went, so that the
   * caller goes on while the limit was reached. A key whose record was removed may be used anew.
   */
  readonly prune: (pruning: Pruning) => Effect.Effect<number, StorageError>;
  /** The whole log of a record, stored parts included, in order: for replay and audit. */
  readonly log: <Name extends keyof Logged>(
    customerId: CustomerId,
    kind: Name,
    id: string,
  ) => Effect.Effect<ReadonlyArray<Entry<Logged[Name]["event"]>>, StorageError>;
  /** Succeeds when the store can be reached and its schema is the one this code needs. */
  readonly ready: Effect.Effect<void, StorageError>;
}

/** The store that a host supplies. */
export class Storage extends Context.Tag("quittance/ports/Storage")<Storage, StorageService>() {}
