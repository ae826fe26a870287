/** Words for the states and events of records. */
import type { EventOf, Settlement, SettlementStatus } from "../api/Records.ts";
import { calendarDay } from "./Dates.ts";
import { money } from "./Money.ts";

/** Groups of states; each group has a colour and a shape. */
export type Family = "open" | "waiting" | "done" | "stopped";

const STATES: Readonly<Record<SettlementStatus, readonly [words: string, family: Family]>> = {
  draft: ["Draft", "waiting"],
  awaiting_report: ["Awaiting report", "open"],
  negative_review: ["Needs a decision", "waiting"],
  awaiting_invoice: ["Awaiting invoice", "open"],
  awaiting_credit_note: ["Awaiting credit note", "open"],
  awaiting_payment: ["Ready to pay", "waiting"],
  payment_initiated: ["Payment under way", "open"],
  disputed: ["Disputed", "waiting"],
  paid: ["Paid", "done"],
  written_off: ["Written off", "stopped"],
  cancelled: ["Cancelled", "stopped"],
};

export const ALL_STATES = Object.keys(STATES) as ReadonlyArray<SettlementStatus>;

/** The states in which a settlement holds its commissions. */
export const OPEN_STATES = ALL_STATES.filter(
  (state) => !["paid", "written_off", "cancelled"].includes(state),
);

export const stateWords = (status: SettlementStatus): string => STATES[status]?.[0] ?? status;
export const stateFamily = (status: SettlementStatus): Family => STATES[status]?.[1] ?? "open";

/** The words for a settlement's state, with the sign of its total where that matters. */
export const settlementState = ({ status, total }: Settlement): string => {
  if (status.type === "paid" && status.method === "nothing_due") return "Closed, nothing due";
  if (status.type === "awaiting_payment" && total < 0) return "Awaiting refund";
  return stateWords(status.type);
};

/** Why a cancelled settlement has ended. */
export const RELEASES: Readonly<Record<EventOf<"release_commission">["cause"], string>> = {
  draft_cancelled: "the draft was cancelled",
  carried_forward: "the amount is carried forward",
  dispute_upheld: "the dispute was upheld",
};

/** Who acts next on a settlement, and what happens then. */
export const nextStep = (settlement: Settlement): string => {
  const { currency } = settlement;
  const amount = money(settlement.payableAmount ?? settlement.total, currency);
  const isSelfBilled = settlement.billingMode === "self_billing";
  switch (settlement.status.type) {
    case "draft":
      return settlement.stale
        ? "An amount has changed since this draft was created. Cancel it and create it again, or approve it as it is: the difference then goes into the next settlement."
        : "Check the lines, then approve the draft or cancel it.";
    case "awaiting_report":
      return "The service creates the report next. Nothing to do.";
    case "negative_review":
      return "The partner owes this amount. Decide: ask for it, carry it forward, or give it up.";
    case "awaiting_invoice":
      return isSelfBilled
        ? "The service creates the invoice in the partner's name next. Nothing to do."
        : "The partner sends its invoice; it can be uploaded here as well.";
    case "awaiting_credit_note":
      return isSelfBilled
        ? "The service creates the credit note next. Nothing to do."
        : "The partner sends its credit note.";
    case "awaiting_payment":
      return settlement.total < 0
        ? `The partner pays back ${amount.replace("−", "")}. Confirm it when the money has arrived.`
        : `Pay ${amount}${settlement.dueDate === null ? "" : ` by ${calendarDay(settlement.dueDate)}`}, then confirm the payment.`;
    case "payment_initiated":
      return "The payment is on its way. Its confirmation closes the settlement.";
    case "disputed":
      return "The partner or a colleague objects. Decide whether the objection is right.";
    case "paid":
      return settlement.status.method === "nothing_due"
        ? "Nothing was due. The lines are settled."
        : "The money has been paid. The lines are settled.";
    case "written_off":
      return "Given up. The lines count as settled; no money moves.";
    case "cancelled":
      return `Ended without payment: ${RELEASES[settlement.status.cause]}. Its commissions are free for another settlement.`;
  }
};

/** The words for the kinds of keys. */
export const KINDS: Readonly<Record<string, string>> = {
  customer: "Team",
  agent: "Program",
  partner: "Partner",
  platform: "Operator",
};

export const BILLING: Readonly<Record<string, string>> = {
  self_billing: "We write the invoice",
  partner_billing: "Partner writes the invoice",
};
