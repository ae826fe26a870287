/** The change set of a command: the state that it requires, its changes, and the messages for workers. */
import type { CommissionEvent, ComputationError, ReleaseCause } from "../../domain/Commission.ts";
import type { NumberSeries } from "../../domain/DocumentNumber.ts";
import type { Actor, Entry } from "../../domain/Event.ts";
import type {
  AttributionId,
  BooksId,
  CommandId,
  CommissionId,
  CustomerId,
  MessageId,
  PartnerId,
  PlanId,
  PlanTrialId,
  RecomputationId,
  RecreditRunId,
  SchemaId,
  SettlementId,
  SettlementRunId,
  WebhookEndpointId,
  WorkspaceId,
} from "../../domain/Ids.ts";
import type { Amount } from "../../domain/Money.ts";
import type { Paid } from "../../domain/Receipt.ts";
import type { Line } from "../../domain/Settlement.ts";
import type { Reversal } from "../../domain/Tax.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Flat, Kind, Logged, Versioned } from "./Records.ts";

/** The record still has this version. */
export interface RecordRequirement {
  readonly type: "record";
  readonly kind: Kind;
  readonly id: string;
  readonly version: number;
}

/** A condition on the stored state. It is checked under locks that are held to the end of the commit. */
export type Requirement =
  | {
      /**
       * The formula set still has this version: no formula command has changed it. The lock on the set is shared, so that
       * creations of attributions do not wait for each other.
       */
      readonly type: "formula_set";
      readonly partnerId: PartnerId;
      readonly schemaId: SchemaId;
      readonly version: number;
    }
  | RecordRequirement
  | {
      /**
       * The attribution still has exactly this many commissions; none is ever deleted. They are counted once the attribution is
       * locked, so that a commission of an earlier commit is counted; of commits that count those of the same attribution, one
       * waits for the other.
       */
      readonly type: "commissions";
      readonly attributionId: AttributionId;
      readonly count: number;
    }
  | {
      /**
       * With `stale` false, every line of the draft equals what its commission is due; with `stale` true, at least one does
       * not.
       */
      readonly type: "freshness";
      readonly settlementId: SettlementId;
      readonly stale: boolean;
    }
  | {
      /**
       * No attribution of the partner, schema and workspace occurred at `since` or later. This is checked after the formula
       * set is locked, so that an attribution of an earlier commit is found.
       */
      readonly type: "no_attribution_since";
      readonly partnerId: PartnerId;
      readonly schemaId: SchemaId;
      readonly workspaceId: WorkspaceId;
      readonly since: Timestamp;
    }
  | {
      /** No formula belongs to the plan. This is checked after the plan is locked, so that one of an earlier commit is found. */
      readonly type: "no_formula_of_plan";
      readonly planId: PlanId;
    };

/**
 * Inserts or replaces a record that has a log, and appends its new events. `row` is the record after these events, and
 * `row.version` is `expected` plus their number. A commission is saved only when it is new, see `Commission.areFirst`;
 * `revise` and the changes of settlement lines change it later. An attribution that exists may lose its external reference: the same
 * change set may then save a new one with it.
 */
export interface SaveLogged<Name extends keyof Logged> {
  readonly type: "save";
  readonly kind: Name;
  readonly row: Versioned<Logged[Name]["record"]>;
  /** The version at which the record was read; 0 for a new record. */
  readonly expected: number;
  readonly entries: ReadonlyArray<Entry<Logged[Name]["event"]>>;
}

/** Inserts or replaces a record that has no log. `row.version` is `expected + 1`. */
export interface SaveFlat<Name extends keyof Flat> {
  readonly type: "save";
  readonly kind: Name;
  readonly row: Versioned<Flat[Name]>;
  readonly expected: number;
}

/** What becomes of an event whose personal data is erased. */
export interface ErasedEvent<Event> {
  /** Its number in the log, from 1. */
  readonly sequence: number;
  /** What is left of it: of the same type, moment and actor. Null leaves the log as it is. */
  readonly left: Entry<Event> | null;
  /** Its place in the feed, which loses it, and the digest of the event as it was; null when the feed shows what is left. */
  readonly feed: { readonly position: number; readonly digest: string } | null;
}

/** Erases events of a record for good. The same change set saves the record at the version at which it was read. */
export interface EraseEvents<Name extends keyof Logged> {
  readonly type: "erase_events";
  readonly kind: Name;
  readonly id: string;
  readonly events: ReadonlyArray<ErasedEvent<Logged[Name]["event"]>>;
}

/** The new amount of a commission, the error of its computation, or a receipt of its sale, with the event that records it. */
export interface Revision {
  readonly commissionId: CommissionId;
  readonly expected: number;
  readonly computedAmount: Amount | null;
  readonly waitingAmount: Amount | null;
  readonly receipt: Paid | null;
  readonly formulaVersion: number | null;
  readonly parametersVersion: number | null;
  readonly computationError: ComputationError | null;
  readonly entry: Entry<CommissionEvent>;
}

/**
 * One change. A change of a settlement's lines also appends an event to the log of each commission, and keeps each row equal
 * to the fold of its log.
 */
export type Change =
  | { readonly [Name in keyof Logged]: SaveLogged<Name> }[keyof Logged]
  | { readonly [Name in keyof Flat]: SaveFlat<Name> }[keyof Flat]
  /** Raises the version of a formula set by one; every formula command on the set contains this change. */
  | { readonly type: "bump_formula_set"; readonly partnerId: PartnerId; readonly schemaId: SchemaId }
  /**
   * Raises the last number of a gapless series from `lastNumber - 1` to `lastNumber`, and replaces its last date; creates the
   * series for number 1.
   */
  | { readonly type: "allocate_number"; readonly series: NumberSeries }
  /**
   * Replaces events of a log by what is left of them. Takes their entries out of the feed: the salt is removed and the digest
   * stored.
   */
  | { readonly [Name in keyof Logged]: EraseEvents<Name> }[keyof Logged]
  /** Sets amounts of commissions that exist. */
  | { readonly type: "revise"; readonly revisions: ReadonlyArray<Revision> }
  /** Creates the lines of a new settlement; each commission must be at its expected version and in no open settlement. */
  | {
      readonly type: "reserve";
      readonly settlementId: SettlementId;
      readonly lines: ReadonlyArray<Line & { readonly expected: number }>;
    }
  /** Turns the reserved lines of a settlement into settled ones. */
  | { readonly type: "settle"; readonly settlementId: SettlementId; readonly as: "paid" | "written_off" }
  /** Releases the reserved lines of a settlement. */
  | { readonly type: "release"; readonly settlementId: SettlementId; readonly cause: ReleaseCause }
  /** Turns the paid lines of a settlement back into reserved ones; each commission must be in no open settlement. */
  | { readonly type: "reopen"; readonly settlementId: SettlementId }
  /** Stores the parts of a settlement's lines that reverse amounts of earlier settlements; once per settlement. */
  | {
      readonly type: "reverse";
      readonly settlementId: SettlementId;
      /** Each part names a commission with a line in this settlement, and an origin that has had a line of it. */
      readonly parts: ReadonlyArray<Reversal>;
    };

/** The kind of work that an outbox message requests. */
export type Topic =
  | "make_report"
  | "make_invoice"
  | "make_credit_note"
  | "send_payment"
  | "recompute"
  | "roll_out"
  | "deliver_webhooks"
  | "send_mail"
  | "settlement_run"
  | "plan_trial"
  | "recredit_run"
  | "seal_period";

/** A message for workers, stored by the commit that requests the work. */
export interface Message {
  readonly id: MessageId;
  readonly topic: Topic;
  readonly customerId: CustomerId;
  /** The record that the work concerns: a settlement, a recomputation, a plan, a webhook endpoint, a partner, a settlement run, a trial, a recredit run or the books. */
  readonly recordId:
    | SettlementId
    | RecomputationId
    | PlanId
    | WebhookEndpointId
    | PartnerId
    | SettlementRunId
    | PlanTrialId
    | RecreditRunId
    | BooksId;
  /** The payment reference of `send_payment`, what a `send_mail` says and to whom; null for the other topics. */
  readonly reference: string | null;
  /** How long after the commit it may be claimed, by the store's clock. */
  readonly delayMilliseconds: number;
}

/** The result of a successful command, stored under the caller's idempotency key. */
export interface IdempotencyRecord {
  readonly principalId: string;
  readonly key: string;
  /** The digest of method, path and decoded body; it distinguishes a repetition from another request. */
  readonly requestSha256: string;
  /** The command's result as plain JSON. */
  readonly result: unknown;
  readonly at: Timestamp;
}

/**
 * Everything that a command changes in the store. Every event keeps its actor and its person; one of changed lines has those of
 * the command.
 */
export interface ChangeSet {
  readonly command: Actor & { readonly id: CommandId; readonly at: Timestamp };
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
  readonly outbox: ReadonlyArray<Message>;
  /** Null when the caller gave no idempotency key. */
  readonly idempotencyRecord: IdempotencyRecord | null;
  /** False leaves the events out of the feed for now; they enter it later, before others, by date. True by default. */
  readonly feed?: boolean;
}

/** The first moment of a change set: of the command and the events that it states. */
export const earliestOf = ({ command, changes }: Pick<ChangeSet, "command" | "changes">): Timestamp => {
  let earliest = command.at;
  for (const change of changes) {
    if (change.type === "revise")
      for (const { entry } of change.revisions) earliest = Math.min(earliest, entry.at);
    else if (change.type === "save" && "entries" in change)
      for (const { at } of change.entries) earliest = Math.min(earliest, at);
  }
  return earliest;
};
