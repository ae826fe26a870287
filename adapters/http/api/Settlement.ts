/** A settlement on the wire. */
import { Schema } from "effect";
import { Settlement as Domain, Partner, PaymentFile } from "quittance";
import { ReleaseCause } from "./Commissions.ts";
import {
  Amount,
  CalendarDate,
  Count,
  Currency,
  DateTime,
  ErasureEvent,
  entryOf,
  event,
  Id,
  variant,
} from "./shared/Field.ts";

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });

const bank = { bank_reference: optional(Schema.String) };

const note = { note: optional(Schema.String) };

const taxToReview = { tax_amount: Amount, expected_tax_amount: Schema.NullOr(Amount) };

const taxReview = { tax_review: optional(Schema.Struct(taxToReview)) };

const documentProblem = {
  kind: Schema.Literal("report", "invoice", "credit_note"),
  code: Schema.Literal("missing_font"),
  message: Schema.String,
};

/** A rule of e-invoices that keeps a linked document from having one. */
const EInvoiceProblem = Schema.Struct({
  kind: Schema.Literal("invoice", "credit_note"),
  rule: Schema.String,
  field: Schema.String,
  message: Schema.String,
}).annotations({ identifier: "EInvoiceProblem" });

export const SettlementEvent = Schema.Union(
  event("create_settlement", { total: Amount, line_count: Count }),
  event("approve_settlement", { billing_mode: Partner.BillingMode }),
  event("cancel_settlement", {}),
  event("link_report", { report_reference: Id, report_number: optional(Schema.String) }),
  event("link_invoice", {
    invoice_reference: Id,
    invoice_number: optional(Schema.String),
    invoice_date: optional(CalendarDate),
    due_date: optional(CalendarDate),
    ...taxReview,
  }),
  event("link_credit_note", {
    credit_note_reference: Id,
    credit_note_number: optional(Schema.String),
    credit_note_date: optional(CalendarDate),
    due_date: optional(CalendarDate),
    ...taxReview,
  }),
  event("review_settlement", { decision: Domain.ReviewDecision, ...note }),
  event("initiate_payment", { payment_reference: Id, attempt: Count }),
  event("hand_over_payment", { payment_reference: Id, payment_file_id: Id, execution_date: CalendarDate }),
  event("confirm_payment", { payment_reference: Id, ...bank }),
  event("fail_payment", { payment_reference: Id, reason: Schema.String }),
  event("return_payment", { payment_reference: Id, reason: Schema.String }),
  event("mark_as_paid", { paid_at: optional(DateTime), ...bank, ...note }),
  event("write_off_settlement", {}),
  event("dispute_settlement", { reason: Schema.String }),
  event("resolve_dispute", { resolution: Domain.Resolution, ...note }),
  event("reconcile_settlement", {}),
  event("unreconcile_settlement", {}),
  event("fail_document", documentProblem),
  event("payment_anomaly", {
    kind: Schema.Literal("confirmed", "failed", "returned"),
    payment_reference: Id,
    ...bank,
  }),
  ErasureEvent,
).annotations({ identifier: "SettlementEvent" });

const Disputable = Schema.Literal(...Domain.DISPUTABLE);

const status = variant("Status");

/** The status of a settlement, chosen by `type`. */
const SettlementStatus = Schema.Union(
  status("draft", {}),
  status("awaiting_report", {}),
  status("negative_review", {}),
  status("awaiting_invoice", {}),
  status("awaiting_credit_note", {}),
  status("awaiting_payment", {}),
  status("payment_initiated", {}),
  status("disputed", { resume: Disputable }),
  status("paid", { method: Schema.Literal("manual", "webhook", "nothing_due") }),
  status("written_off", {}),
  status("cancelled", { cause: ReleaseCause }),
).annotations({ identifier: "SettlementStatus" });

/** A commission and the amount settled for it, fixed when the settlement was created. */
export const Line = Schema.Struct({ commission_id: Id, amount: Amount });

/** A settlement; `total` is the sum of its lines, net of tax. */
export const Settlement = Schema.Struct({
  id: Id,
  customer_id: Id,
  workspace_id: Id,
  partner_id: Id,
  currency: Currency,
  events: Schema.Array(entryOf(SettlementEvent)),
  view: Schema.Struct({
    status: SettlementStatus,
    total: Amount,
    lines: Schema.Array(Line),
    billing_mode: Schema.NullOr(Partner.BillingMode),
    tax_amount: Schema.NullOr(Amount),
    payable_amount: Schema.NullOr(Amount),
    tax_review: Schema.NullOr(Schema.Struct({ ...taxToReview, message: Schema.String })),
    stale: Schema.Boolean,
    dispute_reason: Schema.NullOr(Schema.String),
    disputed_at: Schema.NullOr(DateTime),
    reconciliation_status: Schema.Literal("reconciled", "unreconciled"),
    report_reference: Schema.NullOr(Id),
    report_number: Schema.NullOr(Schema.String),
    invoice_reference: Schema.NullOr(Id),
    invoice_number: Schema.NullOr(Schema.String),
    invoice_date: Schema.NullOr(CalendarDate),
    due_date: Schema.NullOr(CalendarDate),
    credit_note_reference: Schema.NullOr(Id),
    credit_note_number: Schema.NullOr(Schema.String),
    credit_note_date: Schema.NullOr(CalendarDate),
    document_problem: Schema.NullOr(Schema.Struct(documentProblem)),
    e_invoice_problems: Schema.Array(EInvoiceProblem),
    payment_reference: Schema.NullOr(Id),
    payment_file_status: Schema.NullOr(Schema.Literal(...PaymentFile.FILE_STATUSES)),
    payment_handed_over_at: Schema.NullOr(DateTime),
    payment_overdue: Schema.Boolean,
    paid_at: Schema.NullOr(DateTime),
    bank_reference: Schema.NullOr(Schema.String),
    created_at: DateTime,
  }),
}).annotations({ identifier: "Settlement" });

/** The lines that a settlement would have if it were created now. */
export const SettlementPreview = Schema.Struct({
  currency: Currency,
  total: Amount,
  lines: Schema.Array(Line),
}).annotations({ identifier: "SettlementPreview" });
