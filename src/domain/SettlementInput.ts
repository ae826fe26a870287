/** What the requests on settlements take. */
import { Schema } from "effect";
import { distinct, key } from "./Field.ts";
import { CommissionId, CustomerId, PartnerId, WorkspaceId } from "./Ids.ts";
import { BANK_REFERENCE_MAX, REASON_MAX, SETTLEMENT_LINES_MAX } from "./Limits.ts";
import { Resolution, ReviewDecision } from "./SettlementEvent.ts";
import { Text } from "./Text.ts";
import { DateTime } from "./Timestamp.ts";

/** What creating a settlement takes: 1 to 10 000 distinct commissions of one partner, workspace and currency. */
export const Create = Schema.Struct({
  customerId: key(CustomerId, "customer_id"),
  workspaceId: key(WorkspaceId, "workspace_id"),
  partnerId: key(PartnerId, "partner_id"),
  commissionIds: key(distinct(CommissionId, SETTLEMENT_LINES_MAX, "ids", "a commission"), "commission_ids"),
});
export type Create = typeof Create.Type;

const Note = Schema.optionalWith(Schema.NullOr(Text(0, REASON_MAX)), { exact: true });

/** What reviewing a negative settlement takes. */
export const Review = Schema.Struct({ decision: ReviewDecision, note: Note });
export type Review = typeof Review.Type;

const optional = <A, I>(schema: Schema.Schema<A, I>, name: string) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true }).pipe(Schema.fromKey(name));

/** What marking a settlement as paid takes; without `paidAt` the time of the request counts. */
export const MarkAsPaid = Schema.Struct({
  paidAt: optional(DateTime, "paid_at"),
  bankReference: optional(Text(1, BANK_REFERENCE_MAX), "bank_reference"),
  note: Note,
});
export type MarkAsPaid = typeof MarkAsPaid.Type;

/** What raising a dispute takes. */
export const Dispute = Schema.Struct({ reason: Text(1, REASON_MAX) });
export type Dispute = typeof Dispute.Type;

/** What resolving a dispute takes. */
export const ResolveDispute = Schema.Struct({ resolution: Resolution, note: Note });
export type ResolveDispute = typeof ResolveDispute.Type;
