/** What the reference model knows: every record as a plain value in a plain array. Nothing is indexed, nothing cached. */

import type { Write as ProfileData } from "../../domain/BillingProfile.ts";
import type { Currency } from "../../domain/Currency.ts";
import type { DocumentKind } from "../../domain/Document.ts";
import type {
  AgentId,
  AttributionId,
  CommissionId,
  CustomerId,
  FormulaId,
  PartnerId,
  SchemaId,
  SettlementId,
  WorkspaceId,
} from "../../domain/Ids.ts";
import type { SelfBillingData, TaxConfig } from "../../domain/Partner.ts";
import type { Scope } from "../../domain/Principal.ts";
import type { Properties } from "../../domain/Properties.ts";
import type { PropertyDefinition } from "../../formula/index.ts";
import type { Plan } from "./Plan.ts";
import type { Part as AnsweredPart } from "./Prediction.ts";

/** The operator's choices that change answers. */
export interface Policy {
  readonly documents: "auto" | "manual";
  readonly fourEyes: boolean;
  readonly staleDrafts: "allow" | "refuse";
  readonly payouts: boolean;
}

/** Whose a record is. */
export interface Owned {
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
}

/** One entry of a log, as far as the model foretells it. */
export interface LogEntry {
  readonly at: number;
  readonly type: string;
  /** Fields of the event; those that hold an id the engine has made up are left out. */
  readonly fields: { readonly [name: string]: unknown };
}

/** A partner. */
export interface Partner extends Owned {
  readonly id: PartnerId;
  readonly name: string;
  readonly billingMode: "self_billing" | "partner_billing";
  readonly selfBillingData: SelfBillingData | null;
  readonly createdAt: number;
}

/** An attribution schema. */
export interface Schema extends Owned {
  readonly id: SchemaId;
  readonly name: string;
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly createdAt: number;
}

/** An attribution. */
export interface Attribution extends Owned {
  readonly id: AttributionId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
  readonly agentId: AgentId | null;
  readonly externalReference: string | null;
  readonly properties: Properties;
  readonly cancelReason: string | null;
  readonly createdAt: number;
  readonly log: ReadonlyArray<LogEntry>;
}

/** A formula's expression and the date it holds from; null for the first. */
export interface Version {
  readonly plan: Plan;
  readonly effective: number | null;
}

/** A commission formula. */
export interface Formula extends Owned {
  readonly id: FormulaId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
  readonly currency: Currency;
  readonly name: string;
  readonly description: string | null;
  readonly start: number;
  readonly end: number | null;
  readonly versions: ReadonlyArray<Version>;
  readonly cancelReason: string | null;
  readonly createdAt: number;
  readonly log: ReadonlyArray<LogEntry>;
}

/** A commission; what was paid, written off or reserved of it is read off the settlements. */
export interface Commission {
  readonly attributionId: AttributionId;
  readonly formulaId: FormulaId;
  /** The engine's id; null until it has been looked up. */
  readonly id: CommissionId | null;
  /** A; null until computed. */
  readonly amount: number | null;
  readonly version: number | null;
  readonly failing: "amount" | "difference" | null;
  readonly createdAt: number;
  readonly log: ReadonlyArray<LogEntry>;
}

/** A line: which commission, how much. */
export interface Line {
  readonly attributionId: AttributionId;
  readonly formulaId: FormulaId;
  readonly commissionId: CommissionId;
  readonly amount: number;
}

/** A part of a line: of which commission, how much, and the settlement in which that was new. */
export interface Part {
  readonly attributionId: AttributionId;
  readonly formulaId: FormulaId;
  readonly origin: SettlementId;
  readonly amount: number;
}

/** What a self-billed settlement charges or returns under the terms of one settlement: its own, or one it corrects. */
export interface Share {
  readonly origin: SettlementId;
  readonly terms: TaxConfig;
  readonly base: bigint;
  readonly tax: bigint;
}

/** States in which a dispute may be raised. */
export type Disputable =
  | "awaiting_report"
  | "awaiting_invoice"
  | "negative_review"
  | "awaiting_credit_note"
  | "awaiting_payment";

/** A settlement's status, as it is shown. */
export type Status =
  | { readonly type: "draft" | Disputable | "payment_initiated" | "written_off" }
  | { readonly type: "disputed"; readonly resume: Disputable }
  | { readonly type: "paid"; readonly method: "manual" | "webhook" | "nothing_due" }
  | {
      readonly type: "cancelled";
      readonly cause: "draft_cancelled" | "carried_forward" | "dispute_upheld";
    };

/** What stands for a number that the service has given. */
export const ASSIGNED_BY_SERVICE = "made here";

/** What is known of a linked document. */
export interface Linked {
  readonly uploaded: boolean;
  /** {@link ASSIGNED_BY_SERVICE} when the service gave it. */
  readonly number: string | null;
  readonly date: string | null;
}

/** The UTC date of a moment, some days later. */
export const dateOf = (moment: number, days = 0): string =>
  new Date(moment + days * 86_400_000).toISOString().slice(0, 10);

/** A settlement. */
export interface Settlement extends Owned {
  readonly id: SettlementId;
  readonly partnerId: PartnerId;
  readonly currency: Currency;
  readonly lines: ReadonlyArray<Line>;
  readonly status: Status;
  readonly createdBy: string;
  readonly billingMode: "self_billing" | "partner_billing" | null;
  readonly selfBillingData: SelfBillingData | null;
  readonly approvedAt: number | null;
  readonly linked: { readonly [Kind in DocumentKind]: Linked | null };
  readonly dueDate: string | null;
  /** Fixed by the approval; none before. */
  readonly parts: ReadonlyArray<Part>;
  readonly shares: ReadonlyArray<Share>;
  readonly taxAmount: number | null;
  readonly payableAmount: number | null;
  readonly disputeReason: string | null;
  readonly disputedAt: number | null;
  readonly reconciled: boolean;
  readonly attempt: number;
  /** Whether a payment reference is shown; which one is known once it has been looked up. */
  readonly hasReference: boolean;
  /** Every reference it was ever given, the last one last. */
  readonly references: ReadonlyArray<string>;
  /** Whether its payment was confirmed after it had been written off. */
  readonly paidLate: boolean;
  readonly paidAt: number | null;
  readonly bankReference: string | null;
  readonly createdAt: number;
  readonly log: ReadonlyArray<LogEntry>;
}

/** An answer kept under an idempotency key. */
export interface IdempotencyRecord {
  readonly customerId: CustomerId;
  readonly principalId: string;
  readonly key: string;
  readonly requestSha256: string;
  readonly id: string | null;
  /** What a batch answered. */
  readonly parts?: ReadonlyArray<AnsweredPart> | undefined;
  /** Whether the answer held a secret, which is kept nowhere. */
  readonly secret?: boolean;
}

/** A customer's own legal data. */
export interface Profile extends ProfileData {
  readonly customerId: CustomerId;
}

/** An API key, with its whole text. */
export interface Key {
  readonly id: string;
  readonly token: string;
  readonly customerId: CustomerId;
  readonly name: string | null;
  readonly kind: "customer" | "partner" | "agent";
  readonly workspaceIds: "*" | ReadonlyArray<WorkspaceId>;
  readonly partnerIds: "*" | ReadonlyArray<PartnerId>;
  readonly agentId: AgentId | null;
  readonly scopes: ReadonlyArray<Scope>;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

/** Everything. */
export interface World {
  readonly now: number;
  readonly policy: Policy;
  readonly partners: ReadonlyArray<Partner>;
  readonly schemas: ReadonlyArray<Schema>;
  readonly attributions: ReadonlyArray<Attribution>;
  readonly formulas: ReadonlyArray<Formula>;
  readonly commissions: ReadonlyArray<Commission>;
  readonly settlements: ReadonlyArray<Settlement>;
  readonly profiles: ReadonlyArray<Profile>;
  readonly keys: ReadonlyArray<Key>;
  readonly idempotencyRecords: ReadonlyArray<IdempotencyRecord>;
}

/** A world in which nothing has happened. */
export const empty = (now: number, policy: Policy): World => ({
  now,
  policy,
  partners: [],
  schemas: [],
  attributions: [],
  formulas: [],
  commissions: [],
  settlements: [],
  profiles: [],
  keys: [],
  idempotencyRecords: [],
});

/** The log with one more entry; its moment is the clock's, or the last entry's when the clock has gone back. */
export const appendEntry = (
  log: ReadonlyArray<LogEntry>,
  now: number,
  type: string,
  fields: LogEntry["fields"] = {},
): ReadonlyArray<LogEntry> => [...log, { at: nextMoment(log, now), type, fields }];

/** The moment that the next entry of a log bears. */
export const nextMoment = (log: ReadonlyArray<LogEntry>, now: number): number =>
  Math.max(now, log[log.length - 1]?.at ?? now);

/** The array with the records that a test picks put through a function. */
export const mapWhere = <Row>(
  rows: ReadonlyArray<Row>,
  picks: (row: Row) => boolean,
  change: (row: Row) => Row,
): ReadonlyArray<Row> => rows.map((row) => (picks(row) ? change(row) : row));
