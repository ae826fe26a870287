/** Settlements on the wire. */
import { Event, type Settlement, type Storage, Timestamp } from "quittance";
import type * as Contract from "../api/Settlement.ts";
import { entries, moment } from "./Entry.ts";

const lines = (rows: ReadonlyArray<Settlement.Line>): ReadonlyArray<typeof Contract.Line.Type> =>
  rows.map(({ commissionId, amount }) => ({ commission_id: commissionId, amount }));

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

/** A settlement as lists show it. */
export const settlement = (row: Storage.Listed["settlement"]): typeof Contract.Settlement.Type => ({
  id: row.id,
  customer_id: row.customerId,
  workspace_id: row.workspaceId,
  partner_id: row.partnerId,
  currency: row.currency,
  events: entries(row.events, event),
  view: {
    status: row.status,
    total: row.total,
    lines: lines(row.lines),
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

/** What a settlement would hold if it were created now. */
export const preview = (given: {
  readonly currency: string;
  readonly total: number;
  readonly lines: ReadonlyArray<Settlement.Line>;
}): typeof Contract.SettlementPreview.Type => ({
  currency: given.currency,
  total: given.total,
  lines: lines(given.lines),
});
