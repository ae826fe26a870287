/** What makes a command on a settlement invalid in every state; it comes before a conflict with the state. */
import { PAID_AHEAD_MAX, PAID_BEFORE_APPROVAL_MAX } from "./Limits.ts";
import { fromBigInt } from "./Money.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import type { Attached, LinkCommand, SettlementCommand, SettlementCommandOf } from "./SettlementCommand.ts";
import type { View } from "./SettlementView.ts";
import { format } from "./Timestamp.ts";

/** Why an invoice or credit note cannot state its tax in any state, or null. */
const taxProblem = ({ total }: View, { taxAmount }: LinkCommand["facts"]): Invalid | null =>
  taxAmount !== undefined && fromBigInt(BigInt(Math.abs(total)) + BigInt(taxAmount)) === null
    ? invalid("tax_amount", "total and tax exceed the largest amount")
    : null;

/** Why the settlement cannot have been paid at the given time in any state, or null. */
const paidAtProblem = (
  { approvedAt }: View,
  { now, paidAt }: SettlementCommandOf<"mark_as_paid">,
): Invalid | null => {
  if (paidAt === null) return null;
  const earliest = approvedAt === null ? null : approvedAt - PAID_BEFORE_APPROVAL_MAX;
  if (earliest !== null && paidAt < earliest) {
    return invalid("paid_at", `must not be before ${format(earliest)}, 24 hours before the approval`);
  }
  return paidAt > now + PAID_AHEAD_MAX
    ? invalid("paid_at", "must not be more than 5 minutes in the future")
    : null;
};

/** Why a message cannot name its attachments in any state, or null. */
const attachedProblem = ({ ids, files }: Attached): Invalid | null => {
  const known = new Set(files.map(({ id }) => id));
  const index = ids.findIndex((id) => !known.has(id));
  return index < 0
    ? null
    : invalid(
        `attachment_ids.${index}`,
        "must be an attachment that the same side has uploaded to the settlement",
      );
};

/** Why a command is invalid in every state of the settlement, or null. Checked before the table is read. */
export const problemOf = (state: View, command: SettlementCommand): Invalid | null => {
  switch (command.type) {
    case "link_invoice":
    case "link_credit_note":
      return taxProblem(state, command.facts);
    case "mark_as_paid":
      return paidAtProblem(state, command);
    case "dispute": {
      const index = command.commissionIds.findIndex((id) => command.foreign.includes(id));
      return index < 0
        ? attachedProblem(command.attached)
        : invalid(`commission_ids.${index}`, "must be a line of the settlement");
    }
    case "comment":
    case "resolve_dispute":
      return attachedProblem(command.attached);
    default:
      return null;
  }
};
