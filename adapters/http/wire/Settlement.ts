/** Settlements on the wire. */
import { Event, type Settlement, type Settlements, Timestamp } from "quittance";
import type * as Contract from "../api/Settlement.ts";
import { entries, moment } from "./Entry.ts";

/** One line as JSON text. */
export const line = ({ commissionId, amount }: Settlement.Line): string =>
  JSON.stringify({ commission_id: commissionId, amount } satisfies typeof Contract.Line.Type);

/** An event without the part that is kept for replay alone. */
const event = (happened: Settlement.SettlementEvent): typeof Contract.SettlementEvent.Type => {
  switch (happened.type) {
    case "create_settlement":
      return { type: happened.type, total: happened.total, line_count: happened.line_count };
    case "approve_settlement":
      return { type: happened.type, billing_mode: happened.billing_mode };
    case "link_report":
    case "link_invoice":
    case "link_credit_note":
      return Event.shown(happened);
    default:
      return happened;
  }
};

/** A settlement as lists show it, but for its lines. */
const settlement = (row: Settlements.ListedInParts): typeof Contract.Settlement.Type => ({
  id: row.id,
  customer_id: row.customerId,
  workspace_id: row.workspaceId,
  partner_id: row.partnerId,
  currency: row.currency,
  events: entries(row.events, event),
  view: {
    status: row.status,
    total: row.total,
    lines: [],
    billing_mode: row.approval?.billingMode ?? null,
    tax_amount: row.taxAmount,
    payable_amount: row.payableAmount,
    stale: row.stale,
    dispute_reason: row.disputeReason,
    disputed_at: moment(row.disputedAt),
    reconciliation_status: row.reconciliationStatus,
    report_reference: row.reportReference,
    report_number: row.reportNumber,
    invoice_reference: row.invoiceReference,
    invoice_number: row.invoiceNumber,
    invoice_date: row.invoiceDate,
    due_date: row.dueDate,
    credit_note_reference: row.creditNoteReference,
    credit_note_number: row.creditNoteNumber,
    credit_note_date: row.creditNoteDate,
    document_problem: row.documentProblem,
    payment_reference: row.paymentReference,
    paid_at: moment(row.paidAt),
    bank_reference: row.bankReference,
    created_at: Timestamp.format(row.createdAt),
  },
});

const NO_LINES = '"lines":[]';

/** The JSON text of a settlement before and after its lines. */
export const around = (row: Settlements.ListedInParts): readonly [before: string, after: string] => {
  const text = JSON.stringify(settlement(row));
  // The last one: nothing after it in the view has members, and within a string the quotes would be escaped.
  const place = text.lastIndexOf(NO_LINES) + NO_LINES.length - 1;
  return [text.slice(0, place), text.slice(place)];
};
