/** Settlements: from draft through approval and documents to payment. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Settlements as Commands, Settlement as Domain, Ids } from "quittance";
import { Settlement, SettlementPreview, STATUS_TYPES } from "./Settlement.ts";
import { settlementDocuments } from "./SettlementDocuments.ts";
import { CachedCredential, extension, published, publishedWithOptionalBody } from "./shared/Annotation.ts";
import { BodyFailure, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { Created, pageOf } from "./shared/Field.ts";
import { currencies, DateTime, filter, optional, paging, recordPath, truth, words } from "./shared/Query.ts";

const path = recordPath(Ids.SettlementId);
const empty = HttpApiSchema.Empty(200);

const list = HttpApiEndpoint.get("list", "/settlements")
  .setUrlParams(
    Schema.Struct({
      ids: filter(Ids.SettlementId, "ids"),
      partnerIds: filter(Ids.PartnerId, "partner_ids"),
      workspaceIds: filter(Ids.WorkspaceId, "workspace_ids"),
      commissionIds: filter(Ids.CommissionId, "commission_ids"),
      statuses: words("statuses", STATUS_TYPES),
      currencies,
      createdFrom: optional(DateTime, "created_from"),
      createdTo: optional(DateTime, "created_to"),
      stale: truth("stale"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("settlements", Settlement))
  .annotateContext(
    published(
      "list settlements",
      "listSettlements",
      "List settlements",
      "commission_ids matches settlements with a line of any of them. created_from is inclusive, created_to exclusive. stale=true matches drafts whose lines differ from what is due now.",
    ),
  );

const create = HttpApiEndpoint.post("create", "/settlements")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .annotateContext(
    published(
      "create settlement",
      "createSettlement",
      "Create a draft",
      "Each line is its commission's amount less what was settled before. Lines may be zero or negative.",
    ),
  )
  .annotate(CachedCredential, true);

const preview = HttpApiEndpoint.post("preview", "/settlements/preview")
  .setPayload(Domain.Create)
  .addSuccess(SettlementPreview)
  .addError(BodyFailure)
  .annotateContext(
    extension(
      "preview settlement",
      "previewSettlement",
      "Preview a settlement",
      "Returns the lines and errors that creating it would, and stores nothing.",
    ),
  );

const approve = HttpApiEndpoint.post("approve", "/settlements/:id/approve")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .annotateContext(
    published(
      "approve settlement",
      "approveSettlement",
      "Approve a draft",
      "Fixes the partner's present billing data and, for self-billing, the tax. The report follows. 409 `amount_too_large:` if total and tax exceed the largest amount; the draft does not change.",
    ),
  )
  .annotate(CachedCredential, true);

const review = HttpApiEndpoint.post("review", "/settlements/:id/review")
  .setPath(path)
  .setPayload(Domain.Review)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .annotateContext(
    published(
      "review settlement",
      "reviewSettlement",
      "Decide on a negative settlement",
      "Request a credit note, carry the amount forward to the next settlement, or write it off.",
    ),
  );

const cancel = HttpApiEndpoint.del("cancel", "/settlements/:id")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .annotateContext(
    published(
      "cancel settlement",
      "cancelSettlement",
      "Cancel a draft",
      "Releases its lines. To cancel an approved settlement, use a dispute.",
    ),
  );

const writeOff = HttpApiEndpoint.post("write_off", "/settlements/:id/write-off")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .annotateContext(
    published(
      "write off settlement",
      "writeOffSettlement",
      "Write a settlement off",
      "Ends an approved settlement without payment. If the service issued an invoice or credit note, it issues the counterpart.",
    ),
  );

const markAsPaid = HttpApiEndpoint.post("mark_as_paid", "/settlements/:id/mark-as-paid")
  .setPath(path)
  .setPayload(Domain.MarkAsPaid)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .annotateContext(
    publishedWithOptionalBody(
      "mark settlement as paid",
      "markSettlementAsPaid",
      "Confirm a payment by hand",
      "For a payment made outside, or if the provider's confirmation was lost. The body is optional. paid_at (default: now) is between 24 hours before the approval and 5 minutes from now.",
    ),
  );

const dispute = HttpApiEndpoint.post("dispute", "/settlements/:id/dispute")
  .setPath(path)
  .setPayload(Domain.Dispute)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .annotateContext(
    extension(
      "dispute settlement",
      "disputeSettlement",
      "Dispute a settlement",
      "Stops it until the dispute is resolved.",
    ),
  );

const resolveDispute = HttpApiEndpoint.post("resolve_dispute", "/settlements/:id/resolve-dispute")
  .setPath(path)
  .setPayload(Domain.ResolveDispute)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .annotateContext(
    extension(
      "resolve dispute",
      "resolveSettlementDispute",
      "Resolve a dispute",
      "upheld cancels the settlement and releases its lines; rejected restores its former status.",
    ),
  );

const initiatePayment = HttpApiEndpoint.post("initiate_payment", "/settlements/:id/initiate-payment")
  .setPath(path)
  .addSuccess(empty)
  .addError(RecordFailure)
  .annotateContext(
    extension(
      "initiate payment",
      "initiateSettlementPayment",
      "Pay through the payment provider",
      "Stores the order first; then a worker sends it to the provider, under a reference that is paid at most once.",
    ),
  );

const returnPayment = HttpApiEndpoint.post("return_payment", "/settlements/:id/return-payment")
  .setPath(path)
  .setPayload(Commands.ReturnPayment)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .annotateContext(
    extension(
      "return payment",
      "returnSettlementPayment",
      "Record a returned payment",
      "Reopens a settlement that the provider has paid, unless it is reconciled.",
    ),
  );

const reconcile = HttpApiEndpoint.post("reconcile", "/settlements/:id/reconcile")
  .setPath(path)
  .setPayload(Commands.Reconcile)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .annotateContext(
    extension(
      "reconcile settlement",
      "reconcileSettlement",
      "Mark a settlement as reconciled, or not",
      "The present value again changes nothing.",
    ),
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
  .add(settlementDocuments.exportLines)
  .add(dispute)
  .add(resolveDispute)
  .add(initiatePayment)
  .add(returnPayment)
  .add(reconcile)
  .annotate(PlatformOpenApi.Title, "Settlements")
  .annotate(
    PlatformOpenApi.Description,
    "Commissions of one partner and currency on their way through approval, documents and payment.",
  );
