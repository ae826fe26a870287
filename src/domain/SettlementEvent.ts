/** The events of a settlement's log, named as in the interface. */
import { Schema } from "effect";
import { CalendarDate } from "./CalendarDate.ts";
import type { Currency } from "./Currency.ts";
import { DocumentKind, DocumentProblemCode, type EInvoiceProblem } from "./Document.ts";
import { type ErasureEvent, event, KeptText, PersonalText, type WithStored } from "./Event.ts";
import { CommissionId, DocumentId, PaymentFileId, PaymentReference, PayoutAccountId } from "./Ids.ts";
import { Amount, Count } from "./Money.ts";
import { paidAmounts } from "./PaidAmounts.ts";
import { BillingMode, type SelfBillingData } from "./Partner.ts";
import type { ApprovedAccount } from "./PayoutAccount.ts";
import { PayoutType } from "./PayoutDetails.ts";
import { Side } from "./Side.ts";
import type { TaxGroup } from "./Tax.ts";
import type { Conversion } from "./TaxCurrency.ts";
import { DateTimeText } from "./Timestamp.ts";

export { Side } from "./Side.ts";

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

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });

const bank = { bank_reference: optional(PersonalText) };
const note = { note: optional(PersonalText) };
const payment = { payment_reference: PaymentReference };

/** A tax that an approver has to accept: what the document states, and what the known rate gives; null without one. */
export const TaxToReview = Schema.Struct({
  tax_amount: Amount,
  expected_tax_amount: Schema.NullOr(Amount),
});
export type TaxToReview = typeof TaxToReview.Type;

const billed = { due_date: optional(CalendarDate), tax_review: optional(TaxToReview) };

/** A message about a payment that does not fit the state of its settlement: it is recorded and moves no state. */
const AnomalyKind = Schema.Literal("confirmed", "failed", "returned");
export type AnomalyKind = typeof AnomalyKind.Type;

/** Why the document that the settlement waits for cannot be created; the message names the remedy. */
export const DocumentProblem = Schema.Struct({
  kind: DocumentKind,
  code: DocumentProblemCode,
  message: PersonalText,
});
export type DocumentProblem = typeof DocumentProblem.Type;

/** A file of a message: a dispute, its resolution, or a comment. The document store has its bytes under the id. */
export const Attachment = Schema.Struct({ id: DocumentId, file_name: Schema.String, byte_length: Count });
export type Attachment = typeof Attachment.Type;

const attached = { attachments: optional(Schema.Array(Attachment)) };

/** What responses show of events. `execution_date` is the day of the file, or of the hand-over if it is later. */
export const ShownEvent = Schema.Union(
  event("create_settlement", { total: Amount, line_count: Count }),
  event("approve_settlement", { billing_mode: BillingMode }),
  event("cancel_settlement", {}),
  event("link_report", { report_reference: DocumentId, report_number: optional(Schema.String) }),
  event("link_invoice", {
    invoice_reference: DocumentId,
    invoice_number: optional(Schema.String),
    invoice_date: optional(CalendarDate),
    ...billed,
  }),
  event("link_credit_note", {
    credit_note_reference: DocumentId,
    credit_note_number: optional(Schema.String),
    credit_note_date: optional(CalendarDate),
    ...billed,
  }),
  event("review_settlement", { decision: ReviewDecision, ...note }),
  event("choose_payout_account", {
    account_id: PayoutAccountId,
    account_type: PayoutType,
    details: Schema.Record({ key: Schema.String, value: Schema.String }),
  }),
  event("initiate_payment", { ...payment, attempt: Count }),
  event("hand_over_payment", { ...payment, payment_file_id: PaymentFileId, execution_date: CalendarDate }),
  event("confirm_payment", { ...payment, ...bank, ...paidAmounts }),
  event("fail_payment", { ...payment, reason: PersonalText }),
  event("return_payment", { ...payment, reason: PersonalText }),
  event("mark_as_paid", { paid_at: optional(DateTimeText), ...bank, ...paidAmounts, ...note }),
  event("write_off_settlement", { reason: optional(PersonalText) }),
  event("dispute_settlement", {
    reason: PersonalText,
    commission_ids: optional(Schema.Array(CommissionId)),
    raised_by: optional(Side),
    ...attached,
  }),
  event("withdraw_dispute", {}),
  event("resolve_dispute", { resolution: Resolution, ...note, ...attached }),
  event("comment_settlement", {
    text: PersonalText,
    side: Side,
    person: optional(KeptText),
    ...attached,
  }),
  event("reconcile_settlement", {}),
  event("unreconcile_settlement", {}),
  event("fail_document", DocumentProblem.fields),
  event("payment_anomaly", { kind: AnomalyKind, ...payment, ...bank, ...paidAmounts }),
);

/** What the log stores of a linked document beyond what it shows; older logs store the tax only. */
export interface Linked {
  readonly tax_amount: Amount | null;
  readonly uploaded?: boolean;
  /** Why the document has no e-invoice; absent when it has one, and where none is created. */
  readonly e_invoice_problems?: ReadonlyArray<EInvoiceProblem>;
}

/** What the log stores of events and never shows; `evolve` needs it. */
interface Stored {
  readonly create_settlement: {
    readonly stored: { readonly currency: Currency; readonly lines: ReadonlyArray<Line> };
  };
  readonly approve_settlement: {
    readonly stored: {
      readonly partner_name: string;
      readonly self_billing_data: SelfBillingData | null;
      /** Absent in logs written before the approval fixed the tax; then the whole total is one group. */
      readonly tax_groups?: ReadonlyArray<TaxGroup>;
      /** The rate by which the documents state their VAT in the tax currency; absent where they do not. */
      readonly tax_conversion?: Conversion;
      /** The rate of tax that the partner's own documents state; absent when it is not known. */
      readonly invoice_tax_bps?: number;
      /** Absent where the bank account of the data is the partner's only one; null where none was confirmed. */
      readonly payout_account?: ApprovedAccount | null;
    };
  };
  readonly choose_payout_account: { readonly stored: { readonly payout_account: ApprovedAccount } };
  readonly link_report: { readonly stored?: Pick<Linked, "uploaded"> };
  readonly link_invoice: { readonly stored: Linked };
  readonly link_credit_note: { readonly stored: Linked };
}

/** What can happen to a settlement, named as in the interface. */
export type SettlementEvent = WithStored<typeof ShownEvent.Type, Stored> | ErasureEvent;
export type SettlementEventType = SettlementEvent["type"];

export type SettlementEventOf<Type extends SettlementEventType> = Extract<
  SettlementEvent,
  { readonly type: Type }
>;
