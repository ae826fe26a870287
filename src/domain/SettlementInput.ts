/** What the requests on settlements take. */
import { Schema } from "effect";
import { distinct, key, means, optional, optionalKey, Reason } from "./Field.ts";
import { CommissionId, CustomerId, DocumentId, PartnerId, WorkspaceId } from "./Ids.ts";
import {
  ATTACHMENTS_MAX,
  BANK_REFERENCE_MAX,
  COMMENT_MAX,
  DISPUTED_LINES_MAX,
  REASON_MAX,
  SETTLEMENT_LINES_MAX,
} from "./Limits.ts";
import { statedAmounts } from "./PaidAmounts.ts";
import { Resolution, ReviewDecision } from "./SettlementFields.ts";
import { Text } from "./Text.ts";
import { DateTime } from "./Timestamp.ts";

/** What creating a settlement takes: 1 to 10 000 distinct commissions of one partner, workspace and currency. */
export const Create = Schema.Struct({
  customerId: key(
    CustomerId,
    "customer_id",
    "The customer. Must be that of the credential; a platform credential chooses it.",
  ),
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace."),
  partnerId: key(PartnerId, "partner_id", "The partner."),
  commissionIds: key(
    distinct(CommissionId, SETTLEMENT_LINES_MAX, "ids", "a commission"),
    "commission_ids",
    "The commissions to settle, 1 to 10,000, of one partner, workspace and currency.",
  ),
});
export type Create = typeof Create.Type;

const Note = optional(Schema.NullOr(Text(0, REASON_MAX)), "A remark for the settlement's log.");

/** What reviewing a negative settlement takes. */
export const Review = Schema.Struct({
  decision: ReviewDecision.pipe(
    means(
      "Of a negative settlement: issue_credit_note requests the amount from the partner, carry_forward releases the lines for a later settlement, write_off ends the settlement without payment. Of a tax under review: accept_tax allows the payment, refuse_tax refuses the document, and the settlement waits for another one.",
    ),
  ),
  note: Note,
});
export type Review = typeof Review.Type;

/** What marking a settlement as paid takes; without `paidAt` the time of the request counts. */
export const MarkAsPaid = Schema.Struct({
  paidAt: optionalKey(
    Schema.NullOr(DateTime),
    "paid_at",
    "When the payment was made, between 24 hours before the approval and 5 minutes from now; by default the time of the request.",
  ),
  bankReference: optionalKey(
    Schema.NullOr(Text(1, BANK_REFERENCE_MAX)),
    "bank_reference",
    "The bank's reference of the payment.",
  ),
  ...statedAmounts,
  note: Note,
});
export type MarkAsPaid = typeof MarkAsPaid.Type;

/** What writing a settlement off takes. */
export const WriteOff = Schema.Struct({
  reason: optional(
    Schema.NullOr(Text(1, REASON_MAX)),
    "Why nothing is paid or claimed any more; the log shows it.",
  ),
});
export type WriteOff = typeof WriteOff.Type;

const attachmentIds = optionalKey(
  distinct(DocumentId, ATTACHMENTS_MAX, "ids", "an attachment"),
  "attachment_ids",
  "The files of the message, 1 to 5: attachments that the same side has uploaded to the settlement, and that no message names.",
);

/** What raising a dispute takes. */
export const Dispute = Schema.Struct({
  reason: Reason,
  commissionIds: optionalKey(
    distinct(CommissionId, DISPUTED_LINES_MAX, "ids", "a commission"),
    "commission_ids",
    "The commissions of the lines that are wrong, 1 to 100; without it the dispute is about the settlement as a whole.",
  ),
  attachmentIds,
});
export type Dispute = typeof Dispute.Type;

/** What commenting on a settlement takes. */
export const Comment = Schema.Struct({
  text: Text(1, COMMENT_MAX).pipe(means("What the other side reads; the log shows it.")),
  attachmentIds,
});
export type Comment = typeof Comment.Type;

/** What resolving a dispute takes. */
export const ResolveDispute = Schema.Struct({
  resolution: Resolution.pipe(
    means(
      "upheld cancels the settlement and releases its lines; rejected restores the status before the dispute.",
    ),
  ),
  note: Note,
  attachmentIds,
});
export type ResolveDispute = typeof ResolveDispute.Type;
