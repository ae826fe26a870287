/** The commands on a settlement that exists, and the policy under which they are decided. */

import type { CalendarDate } from "./CalendarDate.ts";
import type { EInvoiceProblem, Facts } from "./Document.ts";
import type { CommissionId, DocumentId, PaymentFileId, PaymentReference } from "./Ids.ts";
import { UPLOAD_BYTES_MAX, UPLOADS_BYTES_MAX, UPLOADS_MAX } from "./Limits.ts";
import type { PaidAmounts } from "./PaidAmounts.ts";
import type { BillingMode, SelfBillingData } from "./Partner.ts";
import type { ApprovedAccount, Confirmation } from "./PayoutAccount.ts";
import type { Attachment, DocumentProblem, Resolution, ReviewDecision, Side } from "./SettlementFields.ts";
import type { Assessment } from "./Tax.ts";
import type { Conversion } from "./TaxCurrency.ts";
import type { InvoiceTax } from "./TaxReview.ts";
import type { Timestamp } from "./Timestamp.ts";
import type { UploadLimits } from "./Upload.ts";

/** Who supplies a document: the service's worker creates it, or a caller uploads it. */
export type DocumentOrigin = "worker" | "upload";

/** The attachments that a message names. */
export interface Attached {
  readonly ids: ReadonlyArray<DocumentId>;
  /** Those of them that the same side has uploaded to the settlement, in the same order. */
  readonly files: ReadonlyArray<Attachment>;
}

/** A message without attachments. */
export const NOTHING_ATTACHED: Attached = { ids: [], files: [] };

/** A command on a settlement that exists. */
export type SettlementCommand =
  | {
      readonly type: "approve";
      /** The person that approves. */
      readonly person: string;
      /** True if that person has changed the limit of four eyes since the draft, and it applies. */
      readonly hasChangedLimit: boolean;
      /** True if the amounts due have changed since the draft. */
      readonly stale: boolean;
      readonly partnerName: string;
      readonly billingMode: BillingMode | null;
      readonly selfBillingData: SelfBillingData | null;
      /** How the lines are taxed under {@link selfBillingData}. */
      readonly assessment: Assessment;
      /** The rate by which the document states its VAT in the tax currency; absent where it does not. */
      readonly taxConversion?: Conversion;
      /** The rate of tax that the partner's own documents state. */
      readonly invoiceTax: InvoiceTax;
      /** The confirmed account; absent where the bank account of the billing data is the partner's only one. */
      readonly payoutAccount?: ApprovedAccount | null;
    }
  | { readonly type: "cancel" }
  | {
      readonly type: "link_report" | "link_invoice" | "link_credit_note";
      readonly documentId: DocumentId;
      readonly origin: DocumentOrigin;
      readonly facts: Facts;
      /** Why the document has no e-invoice; absent when it has one, and where none is created. */
      readonly eInvoiceProblems?: ReadonlyArray<EInvoiceProblem>;
    }
  /** The worker could not create a document, and a retry fails until something outside changes. */
  | ({ readonly type: "fail_document" } & DocumentProblem)
  | {
      readonly type: "review";
      readonly person: string;
      /** True if a second person accepts a tax, and this one has changed the limit for it since the draft. */
      readonly hasChangedLimit: boolean;
      readonly decision: ReviewDecision;
      readonly note: string | null;
    }
  | {
      readonly type: "mark_as_paid";
      /** The time of the request, by the clock. */
      readonly now: Timestamp;
      /** When the money was paid; null means at the time of the request. */
      readonly paidAt: Timestamp | null;
      readonly bankReference: string | null;
      /** What was charged for the payment, and what arrived. */
      readonly amounts: PaidAmounts;
      readonly note: string | null;
    }
  | {
      readonly type: "choose_payout_account";
      readonly account: ApprovedAccount;
      /** True if the person has proposed the account. */
      readonly isProposer: boolean;
      /** True if the payment under way is in no file yet. */
      readonly isWaiting: boolean;
    }
  | {
      readonly type: "initiate_payment";
      readonly paymentReference: PaymentReference;
      /** True if the partner is suspended now. */
      readonly isSuspended: boolean;
      /** True if the account of the approval is no longer confirmed. */
      readonly isRetired?: boolean;
      /** Why the provider could not pay the account of the approval; null when no reason is known. */
      readonly problem: string | null;
    }
  | {
      readonly type: "confirm_payment";
      readonly paymentReference: PaymentReference;
      readonly bankReference: string | null;
      /** What was charged for the payment, and what arrived. */
      readonly amounts: PaidAmounts;
    }
  /** A person has handed the file of the payment over to the bank. */
  | {
      readonly type: "hand_over_payment";
      readonly paymentReference: PaymentReference;
      readonly paymentFileId: PaymentFileId;
      readonly executionDate: CalendarDate;
    }
  /** No further attempt is made under this reference: the provider gives up, or the bank has told a person so. */
  | {
      readonly type: "fail_payment";
      /** Null when a person reports it; the settlement's own reference applies then. */
      readonly paymentReference: PaymentReference | null;
      readonly reason: string;
    }
  | {
      readonly type: "return_payment";
      /** Null when a person reports the return; the settlement's own reference applies then. */
      readonly paymentReference: PaymentReference | null;
      readonly reason: string;
      /** The settlement's commissions that another open settlement holds. */
      readonly heldByOthers: ReadonlyArray<CommissionId>;
    }
  | { readonly type: "write_off"; readonly reason: string | null }
  | {
      readonly type: "dispute";
      readonly reason: string;
      readonly side: Side;
      /** The commissions of the lines that are wrong; empty where the dispute names none. */
      readonly commissionIds: ReadonlyArray<CommissionId>;
      /** Those of them that are no line of the settlement. */
      readonly foreign: ReadonlyArray<CommissionId>;
      readonly attached: Attached;
    }
  /** The side that raised the dispute withdraws it. */
  | { readonly type: "withdraw_dispute"; readonly side: Side }
  | {
      readonly type: "resolve_dispute";
      readonly resolution: Resolution;
      readonly note: string | null;
      readonly attached: Attached;
    }
  | {
      readonly type: "comment";
      readonly text: string;
      readonly side: Side;
      /** The person that comments; absent for the partner, whose credentials have the person of the customer who made them. */
      readonly person?: string;
      readonly attached: Attached;
    }
  | { readonly type: "reconcile"; readonly reconciled: boolean };
export type SettlementCommandType = SettlementCommand["type"];

export type SettlementCommandOf<Type extends SettlementCommandType> = SettlementCommand & {
  readonly type: Type;
};

/** A command that links a document. */
export type LinkCommand = SettlementCommandOf<"link_report" | "link_invoice" | "link_credit_note">;

/** What the operator of the engine has chosen. */
export interface Policy extends UploadLimits {
  /** Who creates reports, and the invoices and credit notes of self-billing partners: the worker or the caller. */
  readonly documents: "auto" | "manual";
  /** True if the creator of a draft may not approve it. */
  readonly fourEyes: boolean;
  /** True if a draft may be approved although the amounts due have changed since the draft. */
  readonly staleDrafts: "allow" | "refuse";
  /** True if a payout provider is configured; without one, settlements are paid outside and marked as paid. */
  readonly payouts: boolean;
  /** What confirms a payout account that somebody proposes. */
  readonly payoutAccounts: Confirmation;
  /** After how many business days a payment is overdue that was handed over to a bank and is not booked. */
  readonly paymentOverdueDays: number;
  /** How many years after the year of the last event the documents and payments of a settlement have to be kept. */
  readonly retentionYears: number;
  /** True if events enter the feed; without it, `/events` and webhooks are not available. */
  readonly feed: boolean;
}

/**
 * Documents created by the worker, no approval rules, payment outside, payout accounts confirmed at once, payments overdue after five business days,
 * documents kept for ten years, an event feed. Uploads are PDF, PNG, JPEG or XML files, at most {@link UPLOADS_MAX} for a settlement.
 */
export const DEFAULT_POLICY: Policy = {
  documents: "auto",
  fourEyes: false,
  staleDrafts: "allow",
  payouts: false,
  payoutAccounts: "at_once",
  paymentOverdueDays: 5,
  retentionYears: 10,
  uploadBytesMax: UPLOAD_BYTES_MAX,
  uploadTypes: ["application/pdf", "image/png", "image/jpeg", "application/xml"],
  uploadsMax: UPLOADS_MAX,
  uploadsBytesMax: UPLOADS_BYTES_MAX,
  feed: true,
};
