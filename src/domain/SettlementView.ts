/** The present state of a settlement, and what can be derived from it. */
import { Schema } from "effect";
import type { CalendarDate } from "./CalendarDate.ts";
import { ReleaseCause } from "./Commission.ts";
import type { Currency } from "./Currency.ts";
import type { DocumentKind, EInvoiceProblem } from "./Document.ts";
import { variant } from "./Event.ts";
import type { DocumentId, PaymentFileId, PaymentReference } from "./Ids.ts";
import type { Amount } from "./Money.ts";
import type { PaidAmount } from "./PaidAmounts.ts";
import type { BillingMode, SelfBillingData } from "./Partner.ts";
import type { ApprovedAccount } from "./PayoutAccount.ts";
import type { Attachment, DocumentProblem, Side } from "./SettlementFields.ts";
import type { TaxGroup } from "./Tax.ts";
import type { Conversion } from "./TaxCurrency.ts";
import { describe, type TaxReview } from "./TaxReview.ts";
import type { Timestamp } from "./Timestamp.ts";

/** The states from which a dispute may be raised, and to which a rejected one returns. */
export const DISPUTABLE = [
  "awaiting_report",
  "awaiting_invoice",
  "negative_review",
  "awaiting_credit_note",
  "awaiting_payment",
] as const;
export type Disputable = (typeof DISPUTABLE)[number];

const status = variant("Status");

/** The states of open settlements: their lines are reserved, and no other settlement can hold its commissions. */
const OPEN_STATES = [
  status("draft", {}),
  status("awaiting_report", {}),
  status("negative_review", {}),
  status("awaiting_invoice", {}),
  status("awaiting_credit_note", {}),
  status("awaiting_payment", {}),
  status("payment_initiated", {}),
  status("disputed", { resume: Schema.Literal(...DISPUTABLE) }),
] as const;

/** The states in which a settlement has ended. */
const ENDED_STATES = [
  status("paid", { method: Schema.Literal("manual", "webhook", "nothing_due") }),
  status("written_off", {}),
  status("cancelled", { cause: ReleaseCause }),
] as const;

/** The state of a settlement, with the data that belongs to that state alone. */
export const Status = Schema.Union(...OPEN_STATES, ...ENDED_STATES);
export type Status = typeof Status.Type;
export type StatusType = Status["type"];

const typesOf = <Type extends string>(
  states: ReadonlyArray<{ readonly fields: { readonly type: { readonly literals: readonly [Type] } } }>,
): ReadonlyArray<Type> => states.map(({ fields }) => fields.type.literals[0]);

/** The type of every state. */
export const STATUS_TYPES: ReadonlyArray<StatusType> = typesOf(Status.members);

/** The type of a state. */
export const StatusType = Schema.Literal(...STATUS_TYPES);

/** True if a dispute may be raised in a state. */
export const isDisputable = (type: StatusType): type is Disputable =>
  DISPUTABLE.some((state) => state === type);

/** The types of the states of open settlements. */
export const OPEN: ReadonlyArray<StatusType> = typesOf(OPEN_STATES);

/** True if a settlement in a state is open. */
export const isOpen = (type: StatusType): boolean => OPEN.includes(type);

/** The file of a payment, which a person has handed over to the bank. */
export interface HandedOver {
  readonly fileId: PaymentFileId;
  /** The day on which the bank carries it out. */
  readonly executionDate: CalendarDate;
  readonly at: Timestamp;
}

/** The present state: the fold of the events. */
export interface View {
  readonly status: Status;
  readonly currency: Currency;
  /** The sum of the lines, net of tax. */
  readonly total: Amount;
  readonly lineCount: number;
  /** The person that created the draft, or started the run that did. */
  readonly createdBy: string;
  /** The partner as it was at approval; null before. Later edits of the partner do not change it. */
  readonly approval: {
    readonly billingMode: BillingMode;
    readonly partnerName: string;
    readonly selfBillingData: SelfBillingData | null;
    /** The tax groups of the document, one for each treatment, label and rate; empty for partner billing. */
    readonly taxGroups: ReadonlyArray<TaxGroup>;
    /** The rate by which the documents state their VAT in the tax currency; absent where they do not. */
    readonly taxConversion?: Conversion;
    /** The rate of tax that the partner's own documents state, in basis points; absent when it is not known. */
    readonly invoiceTaxBps?: number;
    /** Where the money goes; absent where it is the bank account of the data, null where no account was confirmed. */
    readonly payoutAccount?: ApprovedAccount | null;
  } | null;
  readonly approvedAt: Timestamp | null;
  /** For self-billing fixed by the approval; for partner billing the `tax_amount` of the uploaded document, or null. */
  readonly taxAmount: Amount | null;
  /** Total plus tax; null before the approval, for partner billing before an invoice or credit note is linked. */
  readonly payableAmount: Amount | null;
  /** The tax of the uploaded document that an approver has to accept before anything is paid; null when there is none. */
  readonly taxReview: TaxReview | null;
  /** True if a payment was confirmed after the settlement was written off; its documents then need no counterpart. */
  readonly paidAfterWriteOff: boolean;
  /** The reason of the last dispute; kept after it is resolved. */
  readonly disputeReason: string | null;
  readonly disputedAt: Timestamp | null;
  /** Who raised the last dispute; absent without one, and of those of before sides were stored. */
  readonly disputedBy?: Side;
  /** How often each side has commented or withdrawn a dispute; absent while it has not. */
  readonly comments?: { readonly [Each in Side]?: number };
  /** The attachments that messages name; absent while none does. */
  readonly attachments?: ReadonlyArray<DocumentId>;
  readonly reconciliationStatus: "reconciled" | "unreconciled";
  readonly reportReference: DocumentId | null;
  readonly reportNumber: string | null;
  readonly invoiceReference: DocumentId | null;
  readonly invoiceNumber: string | null;
  readonly invoiceDate: CalendarDate | null;
  /** When the invoice, or the amount that a credit note claims back, is to be paid. */
  readonly dueDate: CalendarDate | null;
  readonly creditNoteReference: DocumentId | null;
  readonly creditNoteNumber: string | null;
  readonly creditNoteDate: CalendarDate | null;
  /** The kinds of document that a caller uploaded. */
  readonly uploads: ReadonlyArray<DocumentKind>;
  /** Why the document that the settlement waits for could not be created; null when no problem is known. */
  readonly documentProblem: DocumentProblem | null;
  /** The rules that keep linked documents from having an e-invoice; empty when none does. */
  readonly eInvoiceProblems: ReadonlyArray<EInvoiceProblem & { readonly kind: "invoice" | "credit_note" }>;
  readonly paymentReference: PaymentReference | null;
  /** How the payment under {@link paymentReference} was handed over; null before, and when it goes by no file. */
  readonly handedOver: HandedOver | null;
  /** Attempts to pay so far. */
  readonly attempt: number;
  /** The `paid_at` of the request that marked it as paid, otherwise the time at which the payment was recorded. */
  readonly paidAt: Timestamp | null;
  /** The bank's own reference of the payment. */
  readonly bankReference: string | null;
  /** What the provider or the bank charged for the payment; absent until that is reported, null when the payment has come back. */
  readonly fee?: PaidAmount | null;
  /** What arrived at the payee, in the same way. */
  readonly received?: PaidAmount | null;
  /** When the personal data of the settlement was erased; nothing can happen to it since. */
  readonly erasedAt: Timestamp | null;
  readonly createdAt: Timestamp;
}

/** True if a settlement is to be paid after an attempt that has failed or come back. */
export const hasFailedPayment = ({ status, attempt }: Pick<View, "status" | "attempt">): boolean =>
  status.type === "awaiting_payment" && attempt > 0;

/** True if the service writes the invoices and credit notes of an approved settlement in the partner's name. */
export const isSelfBilled = ({ approval }: Pick<View, "approval">): boolean =>
  approval?.billingMode === "self_billing";

/**
 * The amount whose sign decides what an approved settlement waits for: total and tax where the service writes the
 * documents, the total where the partner does.
 */
export const payable = (state: Pick<View, "approval" | "payableAmount" | "total">): Amount =>
  isSelfBilled(state) ? (state.payableAmount ?? state.total) : state.total;

/** How often a side has commented or withdrawn a dispute. */
export const commentsOf = ({ comments = {} }: Pick<View, "comments">, side: Side): number =>
  comments[side] ?? 0;

/** The state after one more of them. */
export const withComment = (state: View, side: Side): View => ({
  ...state,
  comments: { ...state.comments, [side]: commentsOf(state, side) + 1 },
});

/** True if a message names an attachment. */
export const isNamed = ({ attachments = [] }: Pick<View, "attachments">, id: DocumentId): boolean =>
  attachments.includes(id);

/** The state after one more message with these files. */
export const withAttachments = (state: View, files: ReadonlyArray<Attachment> = []): View =>
  files.length === 0
    ? state
    : { ...state, attachments: [...(state.attachments ?? []), ...files.map(({ id }) => id)] };

/** True if a settlement has ended without payment. */
export const hasEnded = ({ status }: View): boolean =>
  status.type === "written_off" || status.type === "cancelled";

/**
 * The document that a settlement which ended without payment still needs so that its documents net to 0. Null when none is
 * missing, and while a payment reference is open.
 */
export const missingCounterpart = (state: View): "invoice" | "credit_note" | null => {
  const { invoiceReference, creditNoteReference, paymentReference } = state;
  if (!hasEnded(state) || paymentReference !== null) return null;
  if (invoiceReference !== null) return creditNoteReference === null ? "credit_note" : null;
  return creditNoteReference === null ? null : "invoice";
};

/** Work for the worker, done after the commit. */
export type Task = "make_report" | "make_invoice" | "make_credit_note" | "send_payment";

/** The document that an ended self-billed settlement still needs, for the worker to create. */
export const counterpartTasks = (state: View): ReadonlyArray<Task> => {
  const kind = isSelfBilled(state) ? missingCounterpart(state) : null;
  return kind === null ? [] : [`make_${kind}`];
};

const noWork = (): ReadonlyArray<Task> => [];

const WORK: { readonly [Type in StatusType]: (state: View) => ReadonlyArray<Task> } = {
  draft: noWork,
  awaiting_report: () => ["make_report"],
  negative_review: noWork,
  awaiting_invoice: (state) => (isSelfBilled(state) ? ["make_invoice"] : []),
  awaiting_credit_note: (state) => (isSelfBilled(state) ? ["make_credit_note"] : []),
  awaiting_payment: noWork,
  payment_initiated: () => ["send_payment"],
  disputed: noWork,
  paid: noWork,
  written_off: counterpartTasks,
  cancelled: counterpartTasks,
};

/**
 * The work that a settlement needs in a state that it has just reached. A dispute may have cancelled the effect of
 * earlier work, so a state that is resumed requests its work again.
 */
export const workIn = (to: StatusType, state: View): ReadonlyArray<Task> => WORK[to](state);

/** The tax under review as it is shown: what the document states, what was expected, and both in words. */
export const taxReview = (state: Pick<View, "taxReview" | "total" | "currency" | "approval">) =>
  state.taxReview === null
    ? null
    : {
        tax_amount: state.taxReview.taxAmount,
        expected_tax_amount: state.taxReview.expectedTaxAmount,
        message: describe(state.taxReview, state),
      };
