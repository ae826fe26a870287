/** The events of a settlement's log, named as in the interface. */
import { Schema } from "effect";
import type { CalendarDate } from "./CalendarDate.ts";
import type { Currency } from "./Currency.ts";
import type { DocumentKind, DocumentProblemCode, EInvoiceProblem } from "./Document.ts";
import type { ErasureEvent } from "./Event.ts";
import type { CommissionId, DocumentId, PaymentFileId, PaymentReference } from "./Ids.ts";
import type { Amount } from "./Money.ts";
import type { BillingMode, SelfBillingData } from "./Partner.ts";
import type { TaxGroup } from "./Tax.ts";

/** A commission and the amount settled for it; fixed when the settlement is created. */
export interface Line {
  readonly commissionId: CommissionId;
  readonly amount: Amount;
}

/** The three ways to end the review of a negative settlement, and the two to end that of a document's tax. */
export const ReviewDecision = Schema.Literal(
  "issue_credit_note",
  "carry_forward",
  "write_off",
  "accept_tax",
  "refuse_tax",
);
export type ReviewDecision = typeof ReviewDecision.Type;

/** The two ways to end a dispute. */
export const Resolution = Schema.Literal("upheld", "rejected");
export type Resolution = typeof Resolution.Type;

/** A message about a payment that does not fit the state of its settlement: it is recorded and moves no state. */
export type AnomalyKind = "confirmed" | "failed" | "returned";

/** Why the document that the settlement waits for cannot be created; the message names the remedy. */
export interface DocumentProblem {
  readonly kind: DocumentKind;
  readonly code: DocumentProblemCode;
  readonly message: string;
}

/** A tax that an approver has to accept: what the document states, and what the known rate gives; null without one. */
export interface TaxToReview {
  readonly tax_amount: Amount;
  readonly expected_tax_amount: Amount | null;
}

/** What the log stores of a linked document beyond what it shows; older logs store the tax only. */
export interface Linked {
  readonly tax_amount: Amount | null;
  readonly uploaded?: boolean;
  /** Why the document has no e-invoice; absent when it has one, and where none is created. */
  readonly e_invoice_problems?: ReadonlyArray<EInvoiceProblem>;
}

/** What can happen to a settlement, named as in the interface. `stored` is needed by `evolve` and never shown. */
export type SettlementEvent =
  | {
      readonly type: "create_settlement";
      readonly total: Amount;
      readonly line_count: number;
      readonly stored: { readonly currency: Currency; readonly lines: ReadonlyArray<Line> };
    }
  | {
      readonly type: "approve_settlement";
      readonly billing_mode: BillingMode;
      readonly stored: {
        readonly partner_name: string;
        readonly self_billing_data: SelfBillingData | null;
        /** Absent in logs written before the approval fixed the tax; then the whole total is one group. */
        readonly tax_groups?: ReadonlyArray<TaxGroup>;
        /** The rate of tax that the partner's own documents state; absent when it is not known. */
        readonly invoice_tax_bps?: number;
      };
    }
  | { readonly type: "cancel_settlement" }
  | {
      readonly type: "link_report";
      readonly report_reference: DocumentId;
      readonly report_number?: string;
      readonly stored?: Pick<Linked, "uploaded">;
    }
  | {
      readonly type: "link_invoice";
      readonly invoice_reference: DocumentId;
      readonly invoice_number?: string;
      readonly invoice_date?: CalendarDate;
      readonly due_date?: CalendarDate;
      readonly tax_review?: TaxToReview;
      readonly stored: Linked;
    }
  | {
      readonly type: "link_credit_note";
      readonly credit_note_reference: DocumentId;
      readonly credit_note_number?: string;
      readonly credit_note_date?: CalendarDate;
      readonly due_date?: CalendarDate;
      readonly tax_review?: TaxToReview;
      readonly stored: Linked;
    }
  | { readonly type: "review_settlement"; readonly decision: ReviewDecision; readonly note?: string }
  | {
      readonly type: "initiate_payment";
      readonly payment_reference: PaymentReference;
      readonly attempt: number;
    }
  | {
      readonly type: "hand_over_payment";
      readonly payment_reference: PaymentReference;
      readonly payment_file_id: PaymentFileId;
      /** The day on which the bank carries it out: that of the file, or of the hand-over if it is later. */
      readonly execution_date: CalendarDate;
    }
  | {
      readonly type: "confirm_payment";
      readonly payment_reference: PaymentReference;
      readonly bank_reference?: string;
    }
  | { readonly type: "fail_payment"; readonly payment_reference: PaymentReference; readonly reason: string }
  | { readonly type: "return_payment"; readonly payment_reference: PaymentReference; readonly reason: string }
  | {
      readonly type: "mark_as_paid";
      /** A date-time as the interface writes it. */
      readonly paid_at?: string;
      readonly bank_reference?: string;
      readonly note?: string;
    }
  | { readonly type: "write_off_settlement" }
  | { readonly type: "dispute_settlement"; readonly reason: string }
  | { readonly type: "resolve_dispute"; readonly resolution: Resolution; readonly note?: string }
  | { readonly type: "reconcile_settlement" }
  | { readonly type: "unreconcile_settlement" }
  | ({ readonly type: "fail_document" } & DocumentProblem)
  | {
      readonly type: "payment_anomaly";
      readonly kind: AnomalyKind;
      readonly payment_reference: PaymentReference;
      readonly bank_reference?: string;
    }
  | ErasureEvent;
export type SettlementEventType = SettlementEvent["type"];

export type SettlementEventOf<Type extends SettlementEventType> = Extract<
  SettlementEvent,
  { readonly type: Type }
>;
