/** A settlement on the wire. */
import { Schema } from "effect";
import { Settlement as Domain, PaidAmounts, Partner, PaymentFile, PayoutDetails } from "quittance";
import { Details } from "./PayoutAccounts.ts";
import { Amount, CalendarDate, Currency, DateTime, ErasureEvent, Id, optional } from "./shared/Field.ts";
import { shown, shownMembers } from "./shared/Record.ts";

/** A rule of e-invoices that keeps a linked document from having one. */
const EInvoiceProblem = Schema.Struct({
  kind: Schema.Literal("invoice", "credit_note"),
  rule: Schema.String,
  field: Schema.String,
  message: Schema.String,
}).annotations({ identifier: "EInvoiceProblem" });

const PaidAmount = Schema.NullOr(shown(PaidAmounts.PaidAmount));

/** The events of a settlement. */
export const SettlementEvent = Schema.Union(...shownMembers(Domain.ShownEvent), ErasureEvent).annotations({
  identifier: "SettlementEvent",
});

/** The status of a settlement, chosen by `type`. */
const SettlementStatus = Schema.Union(...shownMembers(Domain.Status)).annotations({
  identifier: "SettlementStatus",
});

/** A commission and the amount settled for it, fixed when the settlement was created. */
export const Line = Schema.Struct({ commission_id: Id, amount: Amount });

/** A settlement; `total` is the sum of its lines, net of tax. */
export const Settlement = Schema.Struct({
  id: Id,
  customer_id: Id,
  workspace_id: Id,
  partner_id: Id,
  currency: Currency,
  events: Schema.Array(
    Schema.Struct({
      datetime: DateTime,
      person: optional(
        Schema.String.annotations({
          description:
            "Who did it: the person, the id of a key without one, or system: and the job of the server. Partners do not see it.",
        }),
      ),
      event: SettlementEvent,
    }),
  ),
  view: Schema.Struct({
    status: SettlementStatus,
    total: Amount,
    lines: Schema.Array(Line),
    billing_mode: Schema.NullOr(Partner.BillingMode),
    tax_amount: Schema.NullOr(Amount),
    payable_amount: Schema.NullOr(Amount),
    tax_review: Schema.NullOr(Schema.Struct({ ...Domain.TaxToReview.fields, message: Schema.String })),
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
    document_problem: Schema.NullOr(shown(Domain.DocumentProblem)),
    e_invoice_problems: Schema.Array(EInvoiceProblem),
    payout_account: optional(
      Schema.NullOr(
        Schema.Struct({ id: Id, type: PayoutDetails.PayoutType, details: Details }).annotations({
          identifier: "ApprovedPayoutAccount",
        }),
      ),
    ).annotations({
      description:
        "Where the money goes, masked: the confirmed account of the approval, or the one that was chosen since; null when none was confirmed. Absent where it is the bank account of the billing data.",
    }),
    payment_reference: Schema.NullOr(Id),
    payment_file_status: Schema.NullOr(Schema.Literal(...PaymentFile.FILE_STATUSES)),
    payment_handed_over_at: Schema.NullOr(DateTime),
    payment_overdue: Schema.Boolean,
    paid_at: Schema.NullOr(DateTime),
    bank_reference: Schema.NullOr(Schema.String),
    fee: PaidAmount,
    received: PaidAmount,
    created_at: DateTime,
  }),
}).annotations({ identifier: "Settlement" });

/** The lines that a settlement would have if it were created now. */
export const SettlementPreview = Schema.Struct({
  currency: Currency,
  total: Amount,
  lines: Schema.Array(Line),
}).annotations({ identifier: "SettlementPreview" });
