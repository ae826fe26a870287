/** The change set of a command: what it relies on, what it changes, and the work that follows. */
import type { CommissionEvent, ComputationError, ReleaseCause } from "../../domain/Commission.ts";
import type { NumberSeries } from "../../domain/DocumentNumber.ts";
import type { Entry } from "../../domain/Event.ts";
import type {
  AttributionId,
  CommandId,
  CommissionId,
  CustomerId,
  MessageId,
  PartnerId,
  PlanId,
  RecomputationId,
  SchemaId,
  SettlementId,
  SettlementRunId,
  WebhookEndpointId,
  WorkspaceId,
} from "../../domain/Ids.ts";
import type { Amount } from "../../domain/Money.ts";
import type { Line } from "../../domain/Settlement.ts";
import type { Reversal } from "../../domain/Tax.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Flat, Kind, Logged, Versioned } from "./Records.ts";

/** A condition on the present state; checked under locks that are held to the end of the commit. */
export type Requirement =
  | {
      /** No formula command has changed the set since; under a shared lock, so that creations do not wait for each other. */
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
    }
  | {
      /**
       * No attribution of the partner, schema and workspace occurred at this moment or later. Checked after the formula set
       * is locked, so that a creation that commits meanwhile is seen.
       */
      readonly type: "no_attribution_since";
      readonly partnerId: PartnerId;
      readonly schemaId: SchemaId;
      readonly workspaceId: WorkspaceId;
      readonly since: Timestamp;
    };

/**
 * Saves a record with a log: the row after its new events. `row.version` is `expected` plus their number. A commission is
 * saved when it is new, with one event; later it changes by revisions and with the lines of settlements.
 */
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

/** A commission's new amount, with its event. */
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
  /** Raises the version of a formula set, as every formula command on it does. */
  | { readonly type: "bump_formula_set"; readonly partnerId: PartnerId; readonly schemaId: SchemaId }
  /** Moves the last number of a gapless series from `lastNumber - 1`, or creates the series when that is 0. */
  | { readonly type: "allocate_number"; readonly series: NumberSeries }
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
      /** Each of a commission that the settlement holds, and of a settlement that has held it. */
      readonly parts: ReadonlyArray<Reversal>;
    };

/** The work of an outbox message. */
export type Topic =
  | "make_report"
  | "make_invoice"
  | "make_credit_note"
  | "send_payment"
  | "recompute"
  | "roll_out"
  | "deliver_webhooks"
  | "settlement_run";

/** A message written with the commit that caused it. */
export interface Message {
  readonly id: MessageId;
  readonly topic: Topic;
  readonly customerId: CustomerId;
  /** The record the work is about: a settlement, a recomputation, a plan, a webhook endpoint or a settlement run. */
  readonly recordId: SettlementId | RecomputationId | PlanId | WebhookEndpointId | SettlementRunId;
  /** The payment reference of `send_payment`; null for the other topics. */
  readonly reference: string | null;
  /** How long after the commit it may be claimed, by the store's clock. */
  readonly delayMilliseconds: number;
}

/** The response to a successful command, stored under the caller's key. */
export interface IdempotencyRecord {
  readonly principalId: string;
  readonly key: string;
  /** Of method, path and decoded body; distinguishes a repetition from another request. */
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
  /** Whether the events are put into the feed as they are committed; true by default. */
  readonly feed?: boolean;
}
