/** Settlements of the reference model, the policies and runs that create them, and their parts. */
import type { Currency } from "../../../domain/Currency.ts";
import type { DocumentKind } from "../../../domain/Document.ts";
import type { AttributionId, CommissionId, FormulaId, PartnerId, SettlementId } from "../../../domain/Ids.ts";
import type { PaidAmount } from "../../../domain/PaidAmounts.ts";
import type { Partner, SelfBillingData, TaxConfig } from "../../../domain/Partner.ts";
import type { ApprovedAccount } from "../../../domain/PayoutAccount.ts";
import type { OwnTerms, Terms } from "../../../domain/SettlementPolicy.ts";
import type { Reason } from "../../../domain/SettlementRun.ts";
import type { Status } from "../../../domain/SettlementView.ts";
import type { Conversion } from "../../../domain/TaxCurrency.ts";
import type { LogEntry, Owned } from "./Log.ts";

/** A line: a commission and its amount. */
export interface Line {
  readonly attributionId: AttributionId;
  readonly formulaId: FormulaId;
  readonly commissionId: CommissionId;
  readonly amount: number;
}

/** A part of a line: a commission, an amount, and the settlement that first billed it. */
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

/** Stands for a document number that the service assigned. */
export const ASSIGNED_BY_SERVICE = "made here";

/** Uploads that a settlement keeps at most: few, so that random commands reach the limit. */
export const UPLOADS_MAX = 3;

/** A linked document. */
export interface Linked {
  readonly uploaded: boolean;
  /** {@link ASSIGNED_BY_SERVICE} when the service assigned it. */
  readonly number: string | null;
  readonly date: string | null;
  /** What its number begins with, and the date that is printed on it; null for an upload. */
  readonly issued: { readonly stem: string; readonly on: string } | null;
  /** The rules of e-invoices that it breaks; none for an upload, and without a billing profile. */
  readonly rules: ReadonlyArray<string>;
}

/** A tax that a partner's document states, what was expected, and the person that uploaded it. */
export interface TaxReview {
  readonly taxAmount: number;
  readonly expectedTaxAmount: number | null;
  readonly uploadedBy: string;
}

export interface Settlement extends Owned {
  readonly id: SettlementId;
  readonly partnerId: PartnerId;
  readonly currency: Currency;
  readonly lines: ReadonlyArray<Line>;
  readonly status: Status;
  /** The person. */
  readonly createdBy: string;
  readonly billingMode: "self_billing" | "partner_billing" | null;
  readonly selfBillingData: SelfBillingData | null;
  /** That of the approval, or a later one; null where none was confirmed, undefined where the billing data states it. */
  readonly payoutAccount?: ApprovedAccount | null | undefined;
  readonly approvedAt: number | null;
  readonly linked: { readonly [Kind in DocumentKind]: Linked | null };
  /** How many documents were uploaded, those that were replaced included. */
  readonly uploadCounts: Readonly<Record<DocumentKind, number>>;
  readonly dueDate: string | null;
  /** Fixed by the approval; empty before. */
  readonly parts: ReadonlyArray<Part>;
  readonly shares: ReadonlyArray<Share>;
  /** The rate by which the document states its tax in the national currency; undefined before the approval. */
  readonly taxConversion?: Conversion | null;
  /** The rate of tax on the partner's own documents, as at the approval. */
  readonly invoiceTaxBps: number | "unknown";
  readonly taxAmount: number | null;
  readonly payableAmount: number | null;
  /** The stated tax that somebody has to accept; null when nobody has to. */
  readonly taxReview: TaxReview | null;
  readonly disputeReason: string | null;
  readonly disputedAt: number | null;
  /** The kind of side that raised the last dispute; undefined before one. */
  readonly disputedBy?: "partner" | "customer";
  /** How often each side has commented; undefined while neither has. */
  readonly comments?: Readonly<Record<"partner" | "customer", number>>;
  /** What both sides have attached; undefined while neither has. */
  readonly attachments?: ReadonlyArray<Attachment>;
  /** The ids of those that messages have named, in their order; undefined while none has. */
  readonly namedAttachments?: ReadonlyArray<string>;
  readonly reconciled: boolean;
  readonly attempt: number;
  /** True if the settlement has a current payment reference. */
  readonly hasReference: boolean;
  /** Every payment reference so far, in order. */
  readonly references: ReadonlyArray<string>;
  /** The file in which a bank got the payment that is under way; undefined before, and where none did. */
  readonly handedOver?:
    | { readonly fileId: string; readonly at: number; readonly executionDate: string }
    | undefined;
  /** True if its payment was confirmed after the write-off. */
  readonly paidLate: boolean;
  readonly paidAt: number | null;
  readonly bankReference: string | null;
  /** What its payment reported; undefined where it did not. */
  readonly fee: PaidAmount | undefined;
  readonly received: PaidAmount | undefined;
  readonly createdAt: number;
  readonly log: ReadonlyArray<LogEntry>;
}

/** A file that one side has uploaded for a message. */
export interface Attachment {
  readonly id: string;
  readonly side: "partner" | "customer";
  readonly byteLength: number;
  readonly isNamed: boolean;
}

/** One period of a cadence: its local name, and its first instant. */
export interface Period {
  readonly label: string;
  readonly at: number;
}

/** The settlement policy of a workspace, or of a partner of it; null terms follow the workspace. */
export interface SettlementPolicy extends Owned {
  readonly partnerId: PartnerId | null;
  readonly terms: OwnTerms;
  /** Every limit of four eyes that was written, in order. */
  readonly limits: ReadonlyArray<{
    readonly at: number;
    readonly person: string;
    readonly amounts: OwnTerms["fourEyesAbove"];
  }>;
  readonly scheduledByPerson: string;
  readonly next: Period | null;
  readonly lastPeriod: string | null;
  readonly updatedAt: number;
}

/** What a run counts of one partner and currency. */
export interface Finding {
  readonly partnerId: PartnerId;
  readonly currency: string | null;
  readonly reason: Reason | null;
  readonly total: number | null;
  readonly lineCount: number;
  readonly onHoldCount: number;
  readonly onHoldAmount: number | null;
  readonly notComputableCount: number;
  readonly notAcceptedCount: number;
  readonly notAcceptedAmount: number | null;
  readonly inOpenSettlementCount: number;
}

/** What a partner has due in one currency, sorted by what becomes of it, and the terms by which it was sorted. */
export interface DueTotal {
  readonly terms: Terms;
  readonly lines: ReadonlyArray<{ readonly commissionId: CommissionId; readonly amount: number }>;
  readonly onHold: ReadonlyArray<number>;
  readonly notAccepted: ReadonlyArray<number>;
  readonly notComputable: number;
  readonly inOpenSettlement: number;
  readonly waiting: number;
  /** The partner's formulas by which it was asked what is accepted; none where nothing has to be. */
  readonly formulas: ReadonlyArray<object>;
  /** The partner as it was. */
  readonly partner: Partner | undefined;
}

/** What a run has found for one partner and currency; no commission here earns enough lines for a second draft. */
export interface RunResult extends Finding {
  readonly draft: {
    readonly settlementId: SettlementId;
    readonly total: number;
    readonly lineCount: number;
    readonly approval: "manual" | "pending" | "approved" | "refused";
  } | null;
}

/** A settlement run. */
export interface SettlementRun extends Owned {
  readonly id: string;
  readonly partnerIds: ReadonlyArray<PartnerId> | null;
  readonly currencies: ReadonlyArray<string> | null;
  readonly until: number;
  /** The label of the period that started it; null when a request did. */
  readonly period: string | null;
  readonly startedByPerson: string;
  readonly partnerCount: number;
  readonly createdAt: number;
  /** Null while it is pending. */
  readonly done: { readonly at: number; readonly partners: number } | null;
  readonly results: ReadonlyArray<RunResult>;
  /** What each currency has due by the first read; null before it, and for a run that `work` performs as a whole. */
  readonly readings: ReadonlyArray<readonly [currency: string, DueTotal]> | null;
}
