/** Settlements: from draft through approval and documents to payment. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Settlements as Commands, Settlement as Domain, Ids } from "quittance";
import { PAYOUT_ACCOUNT } from "./openapi/examples/Ids.ts";
import * as Example from "./openapi/examples/Story.ts";
import { Settlement, SettlementPreview } from "./Settlement.ts";
import { settlementDocuments } from "./SettlementDocuments.ts";
import {
  CachedCredential,
  extension,
  extensionWithOptionalBody,
  publishedOperation,
  publishedWithOptionalBody,
} from "./shared/Annotation.ts";
import { BodyFailure, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { Created, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";

const path = recordPath(Ids.SettlementId);
const empty = HttpApiSchema.Empty(200);

const list = HttpApiEndpoint.get("list", "/settlements")
  .setUrlParams(
    Schema.Struct({
      ...filters("settlement"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("settlements", Settlement))
  .pipe(
    publishedOperation({
      operation: "list settlements",
      id: "listSettlements",
      summary: "List settlements",
      description:
        "Oldest first by default. commission_ids matches settlements with a line of any of these commissions.",
      response: { settlements: [Example.settlement], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/settlements")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    publishedOperation({
      operation: "create settlement",
      id: "createSettlement",
      summary: "Create a draft",
      description:
        "A draft has commissions of one partner, workspace and currency, at most 10,000. The amount of a line is the commission's amount less its settled amount, and may be zero or negative. A conflict when a commission is in another open settlement or has no amount.",
      request: Example.draft,
      response: Example.created(Example.SETTLEMENT),
      refused: Example.COMMISSIONS,
    }),
  )
  .annotate(CachedCredential, true);

const preview = HttpApiEndpoint.post("preview", "/settlements/preview")
  .setPayload(Domain.Create)
  .addSuccess(SettlementPreview)
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "preview settlement",
      id: "previewSettlement",
      summary: "Preview a settlement",
      description: "Returns the lines and the total of the draft, or its error, and stores nothing.",
      request: Example.draft,
      response: { currency: "EUR", total: 1200, lines: Example.lines },
      refused: Example.COMMISSIONS,
    }),
  );

const approve = HttpApiEndpoint.post("approve", "/settlements/:id/approve")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .pipe(
    publishedOperation({
      operation: "approve settlement",
      id: "approveSettlement",
      summary: "Approve a draft",
      description:
        "Stores the partner's present billing data and, for self-billing, the tax with the settlement; then the service creates the report. 409 `settlement_stale:` when the lines differ from the amounts now due, `amount_too_large:` when total and tax exceed the largest amount.",
    }),
  )
  .annotate(CachedCredential, true);

const review = HttpApiEndpoint.post("review", "/settlements/:id/review")
  .setPath(path)
  .setPayload(Domain.Review)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    publishedOperation({
      operation: "review settlement",
      id: "reviewSettlement",
      summary: "Decide on a negative settlement, or on the tax of an uploaded document",
      description:
        "For a settlement in negative_review. issue_credit_note requests the amount from the partner, carry_forward releases the lines for a later settlement, write_off ends it without payment. For a settlement whose view has a tax_review: accept_tax allows the payment, refuse_tax refuses the document, and the settlement awaits another one.",
      request: { decision: "carry_forward", note: "Set off against February" },
      refused: "decision: must be one of issue_credit_note, carry_forward, write_off, accept_tax, refuse_tax",
    }),
  );

const cancel = HttpApiEndpoint.del("cancel", "/settlements/:id")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .pipe(
    publishedOperation({
      operation: "cancel settlement",
      id: "cancelSettlement",
      summary: "Cancel a draft",
      description:
        "Releases its lines, so that other settlements can include the commissions. To cancel an approved settlement, use a dispute.",
    }),
  );

const writeOff = HttpApiEndpoint.post("write_off", "/settlements/:id/write-off")
  .setPath(path)
  .setPayload(Domain.WriteOff)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    publishedWithOptionalBody({
      operation: "write off settlement",
      id: "writeOffSettlement",
      summary: "Write a settlement off",
      description:
        "Ends an approved, unpaid settlement without payment; its lines count as settled. When the service issued an invoice or credit note, it issues the counterpart. The body is optional.",
      request: { reason: "The partner has closed its business" },
      refused: "reason: must not be empty",
    }),
  );

const markAsPaid = HttpApiEndpoint.post("mark_as_paid", "/settlements/:id/mark-as-paid")
  .setPath(path)
  .setPayload(Domain.MarkAsPaid)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    publishedWithOptionalBody({
      operation: "mark settlement as paid",
      id: "markSettlementAsPaid",
      summary: "Mark a settlement as paid",
      description:
        "For a settlement in awaiting_payment that was paid without the provider, or in payment_initiated when the provider's confirmation was lost. The body is optional. paid_at (default: now) is between 24 hours before the approval and 5 minutes from now.",
      request: {
        paid_at: "2026-02-27T00:00:00Z",
        bank_reference: "2026-0227-118",
        note: "Paid with the salaries",
      },
    }),
  );

const dispute = HttpApiEndpoint.post("dispute", "/settlements/:id/dispute")
  .setPath(path)
  .setPayload(Domain.Dispute)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "dispute settlement",
      id: "disputeSettlement",
      summary: "Dispute a settlement",
      description:
        "For an approved settlement whose payment has not begun. commission_ids names the lines that are wrong. Until the dispute is withdrawn or resolved, the settlement can only be written off.",
      request: { reason: "This order was not returned", commission_ids: [Example.COMMISSION] },
      refused: Example.REASON,
    }),
  );

const withdrawDispute = HttpApiEndpoint.post("withdraw_dispute", "/settlements/:id/withdraw-dispute")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "withdraw dispute",
      id: "withdrawSettlementDispute",
      summary: "Withdraw a dispute",
      description:
        "For a disputed settlement, by the side that raised the dispute: the partner, or the customer. Restores the status before the dispute. A conflict for the other side, which resolves it.",
    }),
  );

const resolveDispute = HttpApiEndpoint.post("resolve_dispute", "/settlements/:id/resolve-dispute")
  .setPath(path)
  .setPayload(Domain.ResolveDispute)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "resolve dispute",
      id: "resolveSettlementDispute",
      summary: "Resolve a dispute",
      description:
        "upheld cancels the settlement and releases its lines; when the service issued an invoice or credit note, it issues the counterpart. rejected restores the status before the dispute.",
      request: { resolution: "rejected", note: "They are in the next settlement" },
      refused: "resolution: must be one of upheld, rejected",
    }),
  );

const comment = HttpApiEndpoint.post("comment", "/settlements/:id/comment")
  .setPath(path)
  .setPayload(Domain.Comment)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "comment settlement",
      id: "commentOnSettlement",
      summary: "Comment on a settlement",
      description:
        "Says something to the other side, in any status: the partner to the customer, or the customer to the partner. Its event has the side, and for the customer the person, which partners do not read. Nothing else changes. A side has at most 50 comments and withdrawals of disputes on a settlement.",
      request: { text: "The order was returned in January" },
      refused: "text: must not be empty",
    }),
  );

const initiatePayment = HttpApiEndpoint.post("initiate_payment", "/settlements/:id/initiate-payment")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "initiate payment",
      id: "initiateSettlementPayment",
      summary: "Pay through the payment provider",
      description:
        "For a settlement in awaiting_payment with an amount to pay to the partner. Stores the payment order; a worker then sends it to the provider, with a reference that is paid at most once.",
    }),
  );

const choosePayoutAccount = HttpApiEndpoint.post("choose_payout_account", "/settlements/:id/payout-account")
  .setPath(path)
  .setPayload(Commands.ChoosePayoutAccount)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extensionWithOptionalBody({
      operation: "choose payout account",
      id: "chooseSettlementPayoutAccount",
      summary: "Choose the account to which a settlement is paid",
      description:
        "For an approved settlement whose account was retired since, before its payment is under way or while it waits for a payment file: a confirmed account of its partner, by default the one for its currency. The body is optional. 409 `four_eyes:` for the person that proposed the account. Documents that exist keep the account that they print.",
      request: { payout_account_id: PAYOUT_ACCOUNT },
      refused: "payout_account_id: must be a UUID",
    }),
  );

const failPayment = HttpApiEndpoint.post("fail_payment", "/settlements/:id/fail-payment")
  .setPath(path)
  .setPayload(Commands.FailPayment)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "fail payment",
      id: "failSettlementPayment",
      summary: "Record a payment that the bank rejected",
      description:
        "For a payment whose file was handed over, when the bank says outside any report that it does not carry it out: the settlement awaits payment again. A bank that carries it out all the same pays it twice.",
      request: { reason: "The bank called: the account is closed" },
      refused: Example.REASON,
    }),
  );

const returnPayment = HttpApiEndpoint.post("return_payment", "/settlements/:id/return-payment")
  .setPath(path)
  .setPayload(Commands.ReturnPayment)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "return payment",
      id: "returnSettlementPayment",
      summary: "Record a returned payment",
      description:
        "For a settlement that was paid through the provider and is not reconciled: it awaits payment again.",
      request: { reason: "Account closed" },
      refused: Example.REASON,
    }),
  );

const reconcile = HttpApiEndpoint.post("reconcile", "/settlements/:id/reconcile")
  .setPath(path)
  .setPayload(Commands.Reconcile)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "reconcile settlement",
      id: "reconcileSettlement",
      summary: "Set whether a settlement is reconciled",
      description:
        "For a paid settlement: whether the payment was found on a bank statement. The present value again changes nothing.",
      request: { reconciled: true },
      refused: "reconciled: must be true or false",
    }),
  );

/** The operations on settlements. */
export const Settlements = HttpApiGroup.make("settlements")
  .add(list)
  .add(create)
  .add(preview)
  .add(approve)
  .add(review)
  .add(cancel)
  .add(writeOff)
  .add(markAsPaid)
  .add(settlementDocuments.report)
  .add(settlementDocuments.invoice)
  .add(settlementDocuments.creditNote)
  .add(settlementDocuments.uploadReport)
  .add(settlementDocuments.uploadInvoice)
  .add(settlementDocuments.uploadCreditNote)
  .add(settlementDocuments.attach)
  .add(settlementDocuments.attachment)
  .add(settlementDocuments.exportLines)
  .add(dispute)
  .add(withdrawDispute)
  .add(resolveDispute)
  .add(comment)
  .add(choosePayoutAccount)
  .add(initiatePayment)
  .add(failPayment)
  .add(returnPayment)
  .add(reconcile)
  .annotate(PlatformOpenApi.Title, "Settlements")
  .annotate(
    PlatformOpenApi.Description,
    "Commissions of one partner and currency, from a draft through approval and documents to payment.",
  );
