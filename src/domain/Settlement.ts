/** Settlements: commissions of one partner and currency carried to approval, report, invoice or credit note, payment. */

import type { DocumentKind } from "./Document.ts";
import { type Entry, personOf } from "./Event.ts";
import type { CustomerId, PartnerId, SettlementId, WorkspaceId } from "./Ids.ts";
import type { Amount } from "./Money.ts";
import { amountsOf } from "./PaidAmounts.ts";
import type { ApprovedAccount } from "./PayoutAccount.ts";
import type { Linked, ReviewDecision, SettlementEvent, SettlementEventOf } from "./SettlementEvent.ts";
import {
  type HandedOver,
  hasEnded,
  isDisputable,
  isSelfBilled,
  payable,
  type Status,
  type View,
  withAttachments,
  withComment,
} from "./SettlementView.ts";
import { type TaxGroup, taxOn } from "./Tax.ts";
import { parse, type Timestamp } from "./Timestamp.ts";

export * from "./SettlementEvent.ts";
export * from "./SettlementInput.ts";
export * from "./SettlementView.ts";

/** A settlement: identity and present state. Its lines are separate records. */
export interface Settlement extends View {
  readonly id: SettlementId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
}

/** The amounts after an invoice or credit note is linked; the approval has already fixed those of a self-billed settlement. */
const amountsWith = (state: View, { event, ...by }: Entry<LinkedDocument>) => {
  if (isSelfBilled(state)) return {};
  const { tax_review: review, stored } = event;
  return {
    taxAmount: stored.tax_amount,
    payableAmount: state.total + (stored.tax_amount ?? 0),
    taxReview:
      review === undefined
        ? null
        : {
            taxAmount: review.tax_amount,
            expectedTaxAmount: review.expected_tax_amount,
            uploadedBy: personOf(by),
          },
  };
};

/** True if an invoice is needed: the payable is not 0, or it is 0 because groups with a base cancel each other out. */
const isBillable = (state: View): boolean =>
  payable(state) !== 0 || (state.approval?.taxGroups.some(({ base }) => base !== 0) ?? false);

type LinkedDocument = SettlementEventOf<"link_invoice" | "link_credit_note">;

type Approved = SettlementEventOf<"approve_settlement">;

/** The groups of an approval. Logs written before groups were stored tax the whole total under the partner's terms. */
const groupsOf = (total: Amount, { stored }: Approved): ReadonlyArray<TaxGroup> => {
  const terms = stored.self_billing_data?.taxConfig;
  if (stored.tax_groups !== undefined) return stored.tax_groups;
  return terms === undefined ? [] : [{ ...terms, base: total, tax: Number(taxOn(BigInt(total), terms)) }];
};

const approve = (state: View, event: Approved, at: Timestamp): View => {
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
      ...(event.stored.tax_conversion === undefined ? {} : { taxConversion: event.stored.tax_conversion }),
      ...(event.stored.invoice_tax_bps === undefined ? {} : { invoiceTaxBps: event.stored.invoice_tax_bps }),
      ...(event.stored.payout_account === undefined ? {} : { payoutAccount: event.stored.payout_account }),
    },
    approvedAt: at,
    taxAmount,
    payableAmount: taxAmount === null ? null : state.total + taxAmount,
  };
};

/** Without the document whose tax was refused: the settlement waits for another one. */
const withoutRefused = (state: View): View => {
  const kind = payable(state) < 0 ? "credit_note" : "invoice";
  const none =
    kind === "invoice"
      ? { invoiceReference: null, invoiceNumber: null, invoiceDate: null }
      : { creditNoteReference: null, creditNoteNumber: null, creditNoteDate: null };
  return {
    ...state,
    ...none,
    status: { type: `awaiting_${kind}` },
    uploads: state.uploads.filter((upload) => upload !== kind),
    ...{ taxAmount: null, payableAmount: null, dueDate: null, taxReview: null },
  };
};

const afterReview = (state: View, decision: ReviewDecision): View => {
  switch (decision) {
    case "issue_credit_note":
      return { ...state, status: { type: "awaiting_credit_note" } };
    case "carry_forward":
      return { ...state, status: { type: "cancelled", cause: "carried_forward" } };
    case "write_off":
      return { ...state, status: { type: "written_off" } };
    case "accept_tax":
      return { ...state, taxReview: null };
    case "refuse_tax":
      return withoutRefused(state);
  }
};

const NOTHING_DUE: Status = { type: "paid", method: "nothing_due" };

/** The state after the report is linked. */
const afterReport = (state: View): Status =>
  payable(state) < 0
    ? { type: "negative_review" }
    : isBillable(state)
      ? { type: "awaiting_invoice" }
      : NOTHING_DUE;

/** The state after the awaited invoice is linked. */
const afterInvoice = (state: View): Status =>
  payable(state) === 0 ? NOTHING_DUE : { type: "awaiting_payment" };

/**
 * A settlement may be written off while its payment is in flight. A later message about that payment decides whether its
 * documents need a counterpart: none after a confirmation, one after a failure or a return.
 */
const afterAnomaly = (
  state: View,
  { kind, payment_reference }: SettlementEventOf<"payment_anomaly">,
): View => {
  if (state.status.type !== "written_off" || state.paymentReference !== payment_reference) return state;
  if (kind === "confirmed") return { ...state, paidAfterWriteOff: true };
  return kind === "failed" && state.paidAfterWriteOff
    ? state
    : { ...state, paymentReference: null, handedOver: null, paidAfterWriteOff: false };
};

const create = (event: SettlementEventOf<"create_settlement">, at: Timestamp, person: string): View => ({
  status: { type: "draft" },
  currency: event.stored.currency,
  total: event.total,
  lineCount: event.line_count,
  createdBy: person,
  approval: null,
  approvedAt: null,
  taxAmount: null,
  payableAmount: null,
  taxReview: null,
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
  eInvoiceProblems: [],
  paymentReference: null,
  handedOver: null,
  attempt: 0,
  paidAt: null,
  bankReference: null,
  erasedAt: null,
  createdAt: at,
});

/** The kinds of uploaded documents after one of a kind is linked. */
const uploadsAfter = (
  { uploads }: View,
  kind: DocumentKind,
  stored: Pick<Linked, "uploaded"> | undefined,
): Pick<View, "uploads"> => {
  const others = uploads.filter((other) => other !== kind);
  return { uploads: stored?.uploaded === true ? [...others, kind] : others };
};

/** The problems of e-invoices after a document of a kind is linked. */
const problemsAfter = (
  { eInvoiceProblems }: View,
  kind: "invoice" | "credit_note",
  { e_invoice_problems: problems = [] }: Linked,
): Pick<View, "eInvoiceProblems"> => ({
  eInvoiceProblems: [
    ...eInvoiceProblems.filter((other) => other.kind !== kind),
    ...problems.map((problem) => ({ kind, ...problem })),
  ],
});

/** Links the awaited report, or replaces an uploaded one without changing the state. */
const linkReport = (state: View, event: SettlementEventOf<"link_report">, at: Timestamp): View => {
  const status = state.status.type === "awaiting_report" ? afterReport(state) : state.status;
  return {
    ...state,
    ...uploadsAfter(state, "report", event.stored),
    status,
    reportReference: event.report_reference,
    reportNumber: event.report_number ?? null,
    paidAt: status.type === "paid" ? at : null,
  };
};

/** Links the awaited invoice, replaces an uploaded one, or cancels the credit note of a settlement that has ended. */
const linkInvoice = (state: View, entry: Entry<SettlementEventOf<"link_invoice">>): View => {
  const { at, event } = entry;
  const linked = {
    ...state,
    ...uploadsAfter(state, "invoice", event.stored),
    ...problemsAfter(state, "invoice", event.stored),
    invoiceReference: event.invoice_reference,
    invoiceNumber: event.invoice_number ?? null,
    invoiceDate: event.invoice_date ?? null,
  };
  if (hasEnded(state)) return linked;
  const status = afterInvoice(state);
  return {
    ...linked,
    ...amountsWith(state, entry),
    status,
    dueDate: event.due_date ?? null,
    paidAt: status.type === "paid" ? at : null,
  };
};

/** Links a credit note. One that cancels the invoice of a settlement that has ended keeps the invoice's amounts and due date. */
const linkCreditNote = (state: View, entry: Entry<SettlementEventOf<"link_credit_note">>): View => ({
  ...state,
  ...(hasEnded(state)
    ? {}
    : {
        ...amountsWith(state, entry),
        status: { type: "awaiting_payment" },
        dueDate: entry.event.due_date ?? null,
      }),
  ...uploadsAfter(state, "credit_note", entry.event.stored),
  ...problemsAfter(state, "credit_note", entry.event.stored),
  creditNoteReference: entry.event.credit_note_reference,
  creditNoteNumber: entry.event.credit_note_number ?? null,
  creditNoteDate: entry.event.credit_note_date ?? null,
});

const handedOverBy = (event: SettlementEventOf<"hand_over_payment">, at: Timestamp): HandedOver => ({
  fileId: event.payment_file_id,
  executionDate: event.execution_date,
  at,
});

type PayingEvent = SettlementEventOf<"confirm_payment" | "mark_as_paid">;

const paidAtOf = (event: PayingEvent, at: Timestamp): Timestamp => {
  const stated = event.type === "mark_as_paid" ? event.paid_at : undefined;
  return stated === undefined ? at : (parse(stated) ?? at);
};

const pay = (state: View, event: PayingEvent, at: Timestamp): View => ({
  ...state,
  status: { type: "paid", method: event.type === "mark_as_paid" ? "manual" : "webhook" },
  paidAt: paidAtOf(event, at),
  bankReference: event.bank_reference ?? null,
  ...amountsOf(event),
});

/** What is left of what a payment reported when it has come back. */
const amountsGone = ({ fee, received }: View): Pick<View, "fee" | "received"> => ({
  ...(fee === undefined ? {} : { fee: null }),
  ...(received === undefined ? {} : { received: null }),
});

/** The state in which a dispute was raised. */
const resumed = (state: View): View => {
  const { status } = state;
  return { ...state, status: status.type === "disputed" ? { type: status.resume } : status };
};

const resolve = (state: View, { resolution }: SettlementEventOf<"resolve_dispute">): View => {
  if (resolution === "upheld")
    return { ...state, status: { type: "cancelled", cause: "dispute_upheld" }, taxReview: null };
  return resumed(state);
};

const chooseAccount = (state: View, payoutAccount: ApprovedAccount): View => ({
  ...state,
  approval: state.approval && { ...state.approval, payoutAccount },
});

const dispute = (state: View, event: SettlementEventOf<"dispute_settlement">, at: Timestamp): View => {
  const { type } = state.status;
  if (!isDisputable(type)) return state;
  return {
    ...{ ...state, status: { type: "disputed", resume: type }, disputeReason: event.reason, disputedAt: at },
    ...(event.raised_by === undefined ? {} : { disputedBy: event.raised_by }),
  };
};

/** True if an event links the missing document or ends the wait for it. */
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

/**
 * The state after one more entry. It does not consult the transition table: invariant S1 and the tests check that
 * the two agree.
 */
export const evolve = (state: View | null, entry: Entry<SettlementEvent>): View => {
  const next = apply(state, entry);
  return next.documentProblem !== null && endsProblem(entry.event)
    ? { ...next, documentProblem: null }
    : next;
};

const apply = (state: View | null, entry: Entry<SettlementEvent>): View => {
  const { at, event } = entry;
  if (event.type === "create_settlement") return create(event, at, personOf(entry));
  if (state === null) throw new Error("a settlement's log begins with create_settlement");
  switch (event.type) {
    case "approve_settlement":
      return approve(state, event, at);
    case "cancel_settlement":
      return { ...state, status: { type: "cancelled", cause: "draft_cancelled" } };
    case "link_report":
      return linkReport(state, event, at);
    case "link_invoice":
      return linkInvoice(state, { ...entry, event });
    case "link_credit_note":
      return linkCreditNote(state, { ...entry, event });
    case "review_settlement":
      return afterReview(state, event.decision);
    case "choose_payout_account":
      return chooseAccount(state, event.stored.payout_account);
    case "initiate_payment":
      return {
        ...state,
        status: { type: "payment_initiated" },
        paymentReference: event.payment_reference,
        attempt: event.attempt,
      };
    case "hand_over_payment":
      return { ...state, handedOver: handedOverBy(event, at) };
    case "confirm_payment":
    case "mark_as_paid":
      return pay(state, event, at);
    case "fail_payment":
    case "return_payment":
      return {
        ...state,
        ...amountsGone(state),
        status: { type: "awaiting_payment" },
        paymentReference: null,
        handedOver: null,
        paidAt: null,
        bankReference: null,
      };
    case "write_off_settlement":
      return { ...state, status: { type: "written_off" }, taxReview: null };
    case "dispute_settlement":
      return withAttachments(dispute(state, event, at), event.attachments);
    case "withdraw_dispute":
      return resumed(state.disputedBy === undefined ? state : withComment(state, state.disputedBy));
    case "resolve_dispute":
      return withAttachments(resolve(state, event), event.attachments);
    case "comment_settlement":
      return withAttachments(withComment(state, event.side), event.attachments);
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
    case "erase_personal_data":
      return event.erased_from === "record" ? { ...state, erasedAt: at } : state;
  }
};
