/**
 * The life of two sales: drafted, approved, reported, invoiced and paid; then the first is cancelled, and a credit note claims
 * its share back. A row is a step and what the interface shows after it; amounts are in cents:
 *
 * step | state of the newest settlement | earned, accrued, of that in settlements, tax, payable, paid | commissions that are
 * unsettled, pending, settled | what is new in the settlement's log, by the caller unless stated, and in its fields
 *
 * An indented row is a command or read that follows, and its result, or the status and message of its refusal. It changes
 * nothing that is shown.
 */

/** A partner that uploads its own invoices, without tax. */
export const PARTNER_BILLING = `
record the first sale     |                           | 1235  1235     0    0     0    0 | 1 0 0 |
record the second sale    |                           | 2470  2470     0    0     0    0 | 2 0 0 |
  record the first sale   | accepted
start a run               |                           | 2470  2470     0    0     0    0 | 2 0 0 |
the worker                | draft                     | 2470  2470  2470    0     0    0 | 0 2 0 | create_settlement line_count=2, total=2470 lines=1235,1235
  start a run             | accepted
  the worker              | accepted
  create a draft          | 409 commission_in_open_settlement: commission ID is in one already
  preview a draft         | 409 commission_in_open_settlement: commission ID is in one already
  mark as paid            | 409 settlement_state: a settlement in draft cannot be marked as paid
  write off               | 409 settlement_state: a settlement in draft cannot be written off
  download the report     | 404 report of the settlement not found
cancel the draft          | cancelled draft_cancelled | 2470  2470     0    0     0    0 | 2 0 0 | cancel_settlement
  cancel the draft        | 409 settlement_not_draft: the settlement is in cancelled
  preview a draft         | EUR 2470: 1235,1235
create a draft            | draft                     | 2470  2470  2470    0     0    0 | 0 2 0 | create_settlement line_count=2, total=2470 lines=1235,1235
approve                   | awaiting_report           | 2470  2470  2470    0     0    0 | 0 2 0 | approve_settlement billing_mode=partner_billing
  approve                 | 409 settlement_not_draft: the settlement is in awaiting_report
  cancel the draft        | 409 settlement_not_draft: the settlement is in awaiting_report
  upload the invoice      | 409 settlement_state: a settlement in awaiting_report cannot take an invoice
  mark as paid            | 409 settlement_state: a settlement in awaiting_report cannot be marked as paid
the worker                | awaiting_invoice          | 2470  2470  2470    0     0    0 | 0 2 0 | link_report by system:documents, reportNumber=REP-000001
  download the report     | report-ID.pdf: issued
  download the invoice    | 404 invoice of the settlement not found
  mark as paid            | 409 settlement_state: a settlement in awaiting_invoice cannot be marked as paid
upload the invoice        | awaiting_payment          | 2470     0     0    0  2470    0 | 0 2 0 | link_invoice, payableAmount=2470 invoiceNumber=2026-17 dueDate=2099-01-31
  download the invoice    | Rechnung Nr. 2026-17 – März.pdf: %PDF-1.7 2026-17
upload it again           | awaiting_payment          | 2470     0     0    0  2470    0 | 0 2 0 | link_invoice, invoiceNumber=2026-18 dueDate=2099-02-28
  initiate the payment    | 409 payout_unavailable: no payout provider is configured; configure one, or mark the settlement as paid
mark as paid              | paid manual               | 2470     0     0    0     0 2470 | 0 0 2 | mark_as_paid
  mark as paid            | 409 settlement_state: a settlement in paid cannot be marked as paid
  write off               | 409 settlement_terminal: the settlement has ended in paid
  cancel the draft        | 409 settlement_not_draft: the settlement is in paid
  upload the invoice      | 409 settlement_state: a settlement in paid cannot take an invoice
  download the invoice    | Rechnung Nr. 2026-18 – März.pdf: %PDF-1.7 2026-18
  return the payment      | 409 settlement_state: a settlement in paid cannot return its payment
reconcile                 | paid manual               | 2470     0     0    0     0 2470 | 0 0 2 | reconcile_settlement, reconciliationStatus=reconciled
  reconcile               | accepted
revert the reconciliation | paid manual               | 2470     0     0    0     0 2470 | 0 0 2 | unreconcile_settlement, reconciliationStatus=unreconciled
cancel the first sale     | paid manual               | 1235 -1235     0    0     0 2470 | 1 0 1 |
  cancel the first sale   | accepted
create a draft            | draft                     | 1235 -1235 -1235    0     0 2470 | 0 2 0 | create_settlement line_count=2, total=-1235 lines=-1235,0
approve                   | awaiting_report           | 1235 -1235 -1235    0     0 2470 | 0 2 0 | approve_settlement billing_mode=partner_billing
the worker                | negative_review           | 1235 -1235 -1235    0     0 2470 | 0 2 0 | link_report by system:documents, reportNumber=REP-000002
  upload the credit note  | 409 settlement_state: a settlement in negative_review cannot take a credit note
  download the credit note | 404 credit-note of the settlement not found
ask for a credit note     | awaiting_credit_note      | 1235 -1235 -1235    0     0 2470 | 0 2 0 | review_settlement decision=issue_credit_note
  ask for a credit note   | 409 settlement_state: a settlement in awaiting_credit_note cannot be reviewed
upload the credit note    | awaiting_payment          | 1235     0     0    0 -1235 2470 | 0 2 0 | link_credit_note, payableAmount=-1235 creditNoteNumber=2026-19
  download the credit note | Rechnung Nr. 2026-19 – März.pdf: %PDF-1.7 2026-19
mark as paid              | paid manual               | 1235     0     0    0     0 1235 | 0 0 2 | mark_as_paid
`;

/** A partner whose invoices the service issues, with 25 % of tax. */
export const SELF_BILLING = `
record the first sale     |                           | 1235  1235     0    0     0    0 | 1 0 0 |
record the second sale    |                           | 2470  2470     0    0     0    0 | 2 0 0 |
create a draft            | draft                     | 2470  2470  2470    0     0    0 | 0 2 0 | create_settlement line_count=2, total=2470 lines=1235,1235
approve                   | awaiting_report           | 2470  2470  2470    0     0    0 | 0 2 0 | approve_settlement billing_mode=self_billing, taxAmount=618 payableAmount=3088
the worker                | awaiting_payment          | 2470     0     0  618  3088    0 | 0 2 0 | link_report by system:documents, link_invoice by system:documents, reportNumber=REP-000001 invoiceNumber=INV-000001 dueDate=DATE
  upload the invoice      | 409 settlement_state: a settlement in awaiting_payment cannot take an invoice
  download the invoice    | invoice-ID.pdf: issued
mark as paid              | paid manual               | 2470     0     0  618     0 3088 | 0 0 2 | mark_as_paid
cancel the first sale     | paid manual               | 1235 -1235     0  618     0 3088 | 1 0 1 |
create a draft            | draft                     | 1235 -1235 -1235  618     0 3088 | 0 2 0 | create_settlement line_count=2, total=-1235 lines=-1235,0
approve                   | awaiting_report           | 1235 -1235 -1235  618     0 3088 | 0 2 0 | approve_settlement billing_mode=self_billing, taxAmount=-309 payableAmount=-1544
the worker                | negative_review           | 1235 -1235 -1235  618     0 3088 | 0 2 0 | link_report by system:documents, reportNumber=REP-000002
ask for a credit note     | awaiting_credit_note      | 1235 -1235 -1235  618     0 3088 | 0 2 0 | review_settlement decision=issue_credit_note
the worker                | awaiting_payment          | 1235     0     0  309 -1544 3088 | 0 2 0 | link_credit_note by system:documents, creditNoteNumber=CN-000001
  download the credit note | credit-note-ID.pdf: issued
mark as paid              | paid manual               | 1235     0     0  309     0 1544 | 0 0 2 | mark_as_paid
`;
