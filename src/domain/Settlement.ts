/** Settlements: commissions of one partner and currency carried to approval, report, invoice or credit note, payment. */
import { Schema } from "effect";
import type { CalendarDate } from "./CalendarDate.ts";
import type { ReleaseCause } from "./Commission.ts";
import type { Currency } from "./Currency.ts";
import type { DocumentKind, DocumentProblemCode } from "./Document.ts";
import type { Entry } from "./Event.ts";
import { key } from "./Field.ts";
import {
  CommissionId,
  CustomerId,
  type DocumentId,
  PartnerId,
  type PaymentReference,
  type SettlementId,
  WorkspaceId,
} from "./Ids.ts";
import { BANK_REFERENCE_MAX, REASON_MAX, SETTLEMENT_LINES_MAX } from "./Limits.ts";
import type { Amount } from "./Money.ts";
import type { BillingMode, SelfBillingData } from "./Partner.ts";
import { type TaxGroup, taxOn } from "./Tax.ts";
import { Text } from "./Text.ts";
import { DateTime, parse, type Timestamp } from "./Timestamp.ts";

/** A commission and the amount settled for it; fixed when the settlement is created. */
export interface Line {
  readonly commissionId: CommissionId;
  readonly amount: Amount;
}

/** States from which a dispute may be raised and to which a rejected one returns. */
export type Disputable =
  | "awaiting_report"
  | "negative_review"
  | "awaiting_invoice"
  | "awaiting_credit_note"
  | "awaiting_payment";

/** Where a settlement stands, with what that state needs to remember. */
export type Status =
  | { readonly type: "draft" | Disputable | "payment_initiated" | "written_off" }
  | { readonly type: "disputed"; readonly resume: Disputable }
  | { readonly type: "paid"; readonly method: "manual" | "webhook" | "nothing_due" }
  | { readonly type: "cancelled"; readonly cause: ReleaseCause };
export type StatusType = Status["type"];

/** The three ways to end the review of a negative settlement. */
export const ReviewDecision = Schema.Literal("issue_credit_note", "carry_forward", "write_off");
export type ReviewDecision = typeof ReviewDecision.Type;

/** The two ways to end a dispute. */
export const Resolution = Schema.Literal("upheld", "rejected");
export type Resolution = typeof Resolution.Type;

/** A payment fact that came too late or to the wrong state; recorded, changing nothing. */
export type AnomalyKind = "confirmed" | "failed" | "returned";

/** Why a document that the settlement waits for cannot be made; the message says what to do. */
export interface DocumentProblem {
  readonly kind: DocumentKind;
  readonly code: DocumentProblemCode;
  readonly message: string;
}

/** What a log keeps of a linked document for the fold; logs of older versions know only the tax. */
interface Linked {
  readonly tax_amount: Amount | null;
  readonly uploaded?: boolean;
}

/** What can happen to a settlement, in the interface's own words; `stored` is kept for the fold and not shown. */
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
        /** Absent in logs of before tax was fixed by the approval: then the whole total is one group. */
        readonly tax_groups?: ReadonlyArray<TaxGroup>;
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
      readonly stored: Linked;
    }
  | {
      readonly type: "link_credit_note";
      readonly credit_note_reference: DocumentId;
      readonly credit_note_number?: string;
      readonly credit_note_date?: CalendarDate;
      readonly due_date?: CalendarDate;
      readonly stored: Linked;
    }
  | { readonly type: "review_settlement"; readonly decision: ReviewDecision; readonly note?: string }
  | {
      readonly type: "initiate_payment";
      readonly payment_reference: PaymentReference;
      readonly attempt: number;
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
    };
export type SettlementEventType = SettlementEvent["type"];

/** The present state, a fold of the events. */
export interface View {
  readonly status: Status;
  readonly currency: Currency;
  /** The sum of the lines, net of tax. */
  readonly total: Amount;
  readonly lineCount: number;
  /** The principal that created the draft. */
  readonly createdBy: string;
  /** The partner as it was at approval; null before. Later edits of the partner do not reach it. */
  readonly approval: {
    readonly billingMode: BillingMode;
    readonly partnerName: string;
    readonly selfBillingData: SelfBillingData | null;
    /** What the document states, one for each treatment, label and rate; none for partner billing. */
    readonly taxGroups: ReadonlyArray<TaxGroup>;
  } | null;
  readonly approvedAt: Timestamp | null;
  /** Fixed by the approval of a self-billed settlement; of a partner's own document what the upload said, or null. */
  readonly taxAmount: Amount | null;
  /** Total plus tax; null before the approval, for partner billing before an invoice or credit note is linked. */
  readonly payableAmount: Amount | null;
  /** Whether the payment of a settlement written off meanwhile was confirmed after all; its documents then stand. */
  readonly paidAfterWriteOff: boolean;
  /** Of the last dispute; kept after it is resolved. */
  readonly disputeReason: string | null;
  readonly disputedAt: Timestamp | null;
  readonly reconciliationStatus: "reconciled" | "unreconciled";
  readonly reportReference: DocumentId | null;
  readonly reportNumber: string | null;
  readonly invoiceReference: DocumentId | null;
  readonly invoiceNumber: string | null;
  readonly invoiceDate: CalendarDate | null;
  /** When the invoice, or what a credit note claims back, is to be paid. */
  readonly dueDate: CalendarDate | null;
  readonly creditNoteReference: DocumentId | null;
  readonly creditNoteNumber: string | null;
  readonly creditNoteDate: CalendarDate | null;
  /** The kinds whose linked document a caller uploaded. */
  readonly uploads: ReadonlyArray<DocumentKind>;
  /** Why the document that the settlement waits for was not made; null when nothing is known to be wrong. */
  readonly documentProblem: DocumentProblem | null;
  readonly paymentReference: PaymentReference | null;
  /** Attempts to pay so far. */
  readonly attempt: number;
  /** When it was paid, as who marked it says, else when that was recorded. */
  readonly paidAt: Timestamp | null;
  /** What the bank calls the payment. */
  readonly bankReference: string | null;
  readonly createdAt: Timestamp;
}

/** A settlement: identity and present state. Its lines are kept beside it. */
export interface Settlement extends View {
  readonly id: SettlementId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
}

/** What creating a settlement takes: 1 to 10 000 distinct commissions of one partner, workspace and currency. */
export const Create = Schema.Struct({
  customerId: key(CustomerId, "customer_id"),
  workspaceId: key(WorkspaceId, "workspace_id"),
  partnerId: key(PartnerId, "partner_id"),
  commissionIds: key(
    Schema.Array(CommissionId).pipe(
      Schema.filter(
        (ids) =>
          ids.length < 1 || ids.length > SETTLEMENT_LINES_MAX
            ? `must have 1 to ${SETTLEMENT_LINES_MAX} ids`
            : new Set(ids).size === ids.length || "must not name a commission twice",
        { jsonSchema: { minItems: 1, maxItems: SETTLEMENT_LINES_MAX, uniqueItems: true } },
      ),
    ),
    "commission_ids",
  ),
});
export type Create = typeof Create.Type;

const Note = Schema.optionalWith(Schema.NullOr(Text(0, REASON_MAX)), { exact: true });

/** What reviewing a negative settlement takes. */
export const Review = Schema.Struct({ decision: ReviewDecision, note: Note });
export type Review = typeof Review.Type;

const given = <A, I>(schema: Schema.Schema<A, I>, name: string) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true }).pipe(Schema.fromKey(name));

/** What a payment reported by hand may say; without `paidAt` it was made when it is reported. */
export const MarkAsPaid = Schema.Struct({
  paidAt: given(DateTime, "paid_at"),
  bankReference: given(Text(1, BANK_REFERENCE_MAX), "bank_reference"),
  note: Note,
});
export type MarkAsPaid = typeof MarkAsPaid.Type;

/** What raising a dispute takes. */
export const Dispute = Schema.Struct({ reason: Text(1, REASON_MAX) });
export type Dispute = typeof Dispute.Type;

/** What resolving a dispute takes. */
export const ResolveDispute = Schema.Struct({ resolution: Resolution, note: Note });
export type ResolveDispute = typeof ResolveDispute.Type;

/** What a document adds to the amounts: those of a self-billed settlement are fixed since its approval. */
const documented = (state: View, tax: Amount | null) =>
  isSelfBilled(state) ? {} : { taxAmount: tax, payableAmount: state.total + (tax ?? 0) };

/** Whether the service writes the invoices and credit notes of an approved settlement in the partner's name. */
export const isSelfBilled = ({ approval }: Pick<View, "approval">): boolean =>
  approval?.billingMode === "self_billing";

/**
 * The amount whose sign decides what an approved settlement waits for: total and tax where the service writes the
 * documents, the total where the partner does.
 */
export const payable = (state: Pick<View, "approval" | "payableAmount" | "total">): Amount =>
  isSelfBilled(state) ? (state.payableAmount ?? state.total) : state.total;

/** Whether a document has anything to state: an amount to pay, or groups that differ and balance. */
const isBillable = (state: View): boolean =>
  payable(state) !== 0 || (state.approval?.taxGroups.some(({ base }) => base !== 0) ?? false);

type Approved = Extract<SettlementEvent, { type: "approve_settlement" }>;

/** The groups of an approval; before they were stored, the whole total was taxed under the snapshot. */
const groupsOf = (total: Amount, { stored }: Approved): ReadonlyArray<TaxGroup> => {
  const terms = stored.self_billing_data?.taxConfig;
  if (stored.tax_groups !== undefined) return stored.tax_groups;
  return terms === undefined ? [] : [{ ...terms, base: total, tax: Number(taxOn(BigInt(total), terms)) }];
};

const approved = (state: View, event: Approved, at: Timestamp): View => {
  const taxGroups = groupsOf(state.total, event);
  const taxAmount =
    event.billing_mode === "self_billing" ? taxGroups.reduce((sum, { tax }) => sum + tax, 0) : null;
  return {
    ...state,
    status: { type: "awaiting_report" },
    approval: {
      billingMode: event.billing_mode,
      partnerName: event.stored.partner_name,
      selfBillingData: event.stored.self_billing_data,
      taxGroups,
    },
    approvedAt: at,
    taxAmount,
    payableAmount: taxAmount === null ? null : state.total + taxAmount,
  };
};

const afterReview = (decision: ReviewDecision): Status => {
  switch (decision) {
    case "issue_credit_note":
      return { type: "awaiting_credit_note" };
    case "carry_forward":
      return { type: "cancelled", cause: "carried_forward" };
    case "write_off":
      return { type: "written_off" };
  }
};

const NOTHING_DUE: Status = { type: "paid", method: "nothing_due" };

/** Where the report of an approved settlement leads. */
export const afterReport = (state: View): Status =>
  payable(state) < 0
    ? { type: "negative_review" }
    : isBillable(state)
      ? { type: "awaiting_invoice" }
      : NOTHING_DUE;

/** Where the invoice that an open settlement waits for leads. */
export const afterInvoice = (state: View): Status =>
  payable(state) === 0 ? NOTHING_DUE : { type: "awaiting_payment" };

const ended = ({ status }: View): boolean => status.type === "written_off" || status.type === "cancelled";

/** A late fact about the payment of a settlement that was written off while it was in flight decides its documents. */
const afterAnomaly = (
  state: View,
  { kind, payment_reference }: Extract<SettlementEvent, { type: "payment_anomaly" }>,
): View => {
  if (state.status.type !== "written_off" || state.paymentReference !== payment_reference) return state;
  if (kind === "confirmed") return { ...state, paidAfterWriteOff: true };
  return kind === "failed" && state.paidAfterWriteOff
    ? state
    : { ...state, paymentReference: null, paidAfterWriteOff: false };
};

/** The document that an ended settlement lacks for its documents to net to 0; null when it lacks none, or not yet. */
export const missingCounterpart = (state: View): "invoice" | "credit_note" | null => {
  const { invoiceReference, creditNoteReference, paymentReference } = state;
  if (!ended(state) || paymentReference !== null) return null;
  if (invoiceReference !== null) return creditNoteReference === null ? "credit_note" : null;
  return creditNoteReference === null ? null : "invoice";
};

const created = (
  event: Extract<SettlementEvent, { type: "create_settlement" }>,
  at: Timestamp,
  actor: string,
): View => ({
  status: { type: "draft" },
  currency: event.stored.currency,
  total: event.total,
  lineCount: event.line_count,
  createdBy: actor,
  approval: null,
  approvedAt: null,
  taxAmount: null,
  payableAmount: null,
  paidAfterWriteOff: false,
  disputeReason: null,
  disputedAt: null,
  reconciliationStatus: "unreconciled",
  reportReference: null,
  reportNumber: null,
  invoiceReference: null,
  invoiceNumber: null,
  invoiceDate: null,
  dueDate: null,
  creditNoteReference: null,
  creditNoteNumber: null,
  creditNoteDate: null,
  uploads: [],
  documentProblem: null,
  paymentReference: null,
  attempt: 0,
  paidAt: null,
  bankReference: null,
  createdAt: at,
});

const isUploaded = (
  { uploads }: View,
  kind: DocumentKind,
  stored: Pick<Linked, "uploaded"> | undefined,
): Pick<View, "uploads"> => {
  const others = uploads.filter((other) => other !== kind);
  return { uploads: stored?.uploaded === true ? [...others, kind] : others };
};

type EventOf<Type extends SettlementEvent["type"]> = Extract<SettlementEvent, { readonly type: Type }>;

/** A report is awaited, or replaces an uploaded one, which moves nothing. */
const reported = (state: View, event: EventOf<"link_report">, at: Timestamp): View => {
  const status = state.status.type === "awaiting_report" ? afterReport(state) : state.status;
  return {
    ...state,
    ...isUploaded(state, "report", event.stored),
    status,
    reportReference: event.report_reference,
    reportNumber: event.report_number ?? null,
    paidAt: status.type === "paid" ? at : null,
  };
};

/** An invoice is awaited, replaces an uploaded one, or cancels the credit note of what has ended. */
const invoiced = (state: View, event: EventOf<"link_invoice">, at: Timestamp): View => {
  const linked = {
    ...state,
    ...isUploaded(state, "invoice", event.stored),
    invoiceReference: event.invoice_reference,
    invoiceNumber: event.invoice_number ?? null,
    invoiceDate: event.invoice_date ?? null,
  };
  if (ended(state)) return linked;
  const status = afterInvoice(state);
  return {
    ...linked,
    ...documented(state, event.stored.tax_amount),
    status,
    dueDate: event.due_date ?? null,
    paidAt: status.type === "paid" ? at : null,
  };
};

/** A credit note that cancels an invoice leaves what the invoice said about payment. */
const credited = (state: View, event: EventOf<"link_credit_note">): View => ({
  ...state,
  ...(ended(state)
    ? {}
    : {
        ...documented(state, event.stored.tax_amount),
        status: { type: "awaiting_payment" },
        dueDate: event.due_date ?? null,
      }),
  ...isUploaded(state, "credit_note", event.stored),
  creditNoteReference: event.credit_note_reference,
  creditNoteNumber: event.credit_note_number ?? null,
  creditNoteDate: event.credit_note_date ?? null,
});

const paidAtOf = ({ paid_at }: EventOf<"mark_as_paid">, at: Timestamp): Timestamp =>
  paid_at === undefined ? at : (parse(paid_at) ?? at);

const resumed = (status: Status): Status => (status.type === "disputed" ? { type: status.resume } : status);

/** Whether an event makes a document, or the wait for one, a thing of the past. */
const endsProblem = (event: SettlementEvent): boolean => {
  switch (event.type) {
    case "link_report":
    case "link_invoice":
    case "link_credit_note":
    case "write_off_settlement":
      return true;
    case "resolve_dispute":
      return event.resolution === "upheld";
    default:
      return false;
  }
};

/** The state after one more entry. */
export const evolve = (state: View | null, entry: Entry<SettlementEvent>): View => {
  const next = changed(state, entry);
  return next.documentProblem !== null && endsProblem(entry.event)
    ? { ...next, documentProblem: null }
    : next;
};

const changed = (state: View | null, { at, actor, event }: Entry<SettlementEvent>): View => {
  if (event.type === "create_settlement") return created(event, at, actor);
  if (state === null) throw new Error("a settlement's log begins with create_settlement");
  switch (event.type) {
    case "approve_settlement":
      return approved(state, event, at);
    case "cancel_settlement":
      return { ...state, status: { type: "cancelled", cause: "draft_cancelled" } };
    case "link_report":
      return reported(state, event, at);
    case "link_invoice":
      return invoiced(state, event, at);
    case "link_credit_note":
      return credited(state, event);
    case "review_settlement":
      return { ...state, status: afterReview(event.decision) };
    case "initiate_payment":
      return {
        ...state,
        status: { type: "payment_initiated" },
        paymentReference: event.payment_reference,
        attempt: event.attempt,
      };
    case "confirm_payment":
      return {
        ...state,
        status: { type: "paid", method: "webhook" },
        paidAt: at,
        bankReference: event.bank_reference ?? null,
      };
    case "mark_as_paid":
      return {
        ...state,
        status: { type: "paid", method: "manual" },
        paidAt: paidAtOf(event, at),
        bankReference: event.bank_reference ?? null,
      };
    case "fail_payment":
    case "return_payment":
      return {
        ...state,
        status: { type: "awaiting_payment" },
        paymentReference: null,
        paidAt: null,
        bankReference: null,
      };
    case "write_off_settlement":
      return { ...state, status: { type: "written_off" } };
    case "dispute_settlement":
      return state.status.type === "draft" || !isDisputable(state.status.type)
        ? state
        : {
            ...state,
            status: { type: "disputed", resume: state.status.type },
            disputeReason: event.reason,
            disputedAt: at,
          };
    case "resolve_dispute":
      return {
        ...state,
        status:
          event.resolution === "upheld"
            ? { type: "cancelled", cause: "dispute_upheld" }
            : resumed(state.status),
      };
    case "reconcile_settlement":
      return { ...state, reconciliationStatus: "reconciled" };
    case "unreconcile_settlement":
      return { ...state, reconciliationStatus: "unreconciled" };
    case "fail_document": {
      const { kind, code, message } = event;
      return { ...state, documentProblem: { kind, code, message } };
    }
    case "payment_anomaly":
      return afterAnomaly(state, event);
  }
};

/** The states from which a dispute may be raised. */
export const DISPUTABLE = [
  "awaiting_report",
  "awaiting_invoice",
  "negative_review",
  "awaiting_credit_note",
  "awaiting_payment",
] as const satisfies ReadonlyArray<Disputable>;

/** Whether a dispute may be raised in a state. */
export const isDisputable = (type: StatusType): type is Disputable =>
  DISPUTABLE.some((state) => state === type);

/** States whose lines are reserved: everything between creation and an end. */
export const isOpen = (type: StatusType): boolean =>
  type !== "paid" && type !== "written_off" && type !== "cancelled";
