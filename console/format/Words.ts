/** Words for the states and events of records. */
import type { LogEntry, Settlement, SettlementStatus } from "../api/Records.ts";
import { calendarDay } from "./Dates.ts";
import { count, countWords, money } from "./Money.ts";

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

const RELEASES: Readonly<Record<string, string>> = {
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
      return `Ended without payment: ${RELEASES[settlement.status.cause ?? ""] ?? "cancelled"}. Its commissions are free for another settlement.`;
  }
};

const text = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

const withPrefix = (value: unknown, before: string): string =>
  text(value) === "" ? "" : `${before}${text(value)}`;

const DECISIONS: Readonly<Record<string, string>> = {
  issue_credit_note: "ask the partner for the money",
  carry_forward: "carry the amount forward",
  write_off: "give the amount up",
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  report: "report",
  invoice: "invoice",
  credit_note: "credit note",
};

const CAUSES: Readonly<Record<string, string>> = {
  formula_updated: "the formula was changed",
  formula_cancelled: "the formula was cancelled",
  attribution_cancelled: "the sale was cancelled",
  recomputed: "an earlier sale of the period was cancelled",
};

/** One event of a log in words. If the currency is null because it is not known, amounts are numbers of its smallest unit. */
export const eventWords = ({ event }: LogEntry, currency: string | null): string => {
  const amountWords = (value: number): string =>
    currency === null ? `${count(value)} of the smallest unit` : money(value, currency);
  const amount = typeof event.amount === "number" ? amountWords(event.amount) : "";
  switch (event.type) {
    case "create_attribution":
      return Object.entries(event.properties as Readonly<Record<string, unknown>>)
        .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
        .join(", ");
    case "cancel_attribution":
      return `Sale cancelled: ${text(event.reason)}`;
    case "create_commission_plan":
    case "create_commission_formula":
      return `Created: ${text(event.name)}`;
    case "update_commission_plan":
    case "update_commission_formula":
      return event.formula === undefined
        ? "Name, description or dates changed"
        : "Amounts are computed again";
    case "cancel_commission_plan":
    case "cancel_commission_formula":
      return `Cancelled: ${text(event.reason)}`;
    case "create_settlement":
      return `Draft created: ${countWords(Number(event.line_count), "line")}, ${amountWords(Number(event.total))}`;
    case "approve_settlement":
      return `Approved${event.billing_mode === "self_billing" ? "; we write the invoice in the partner's name" : "; the partner writes the invoice"}`;
    case "cancel_settlement":
      return "Draft cancelled";
    case "write_off_settlement":
      return "Written off";
    case "reconcile_settlement":
      return "Reconciled with the bank account";
    case "unreconcile_settlement":
      return "No longer reconciled";
    case "link_report":
      return `Report${withPrefix(event.report_number, " ")} is linked`;
    case "link_invoice":
      return `Invoice${withPrefix(event.invoice_number, " ")} is linked`;
    case "link_credit_note":
      return `Credit note${withPrefix(event.credit_note_number, " ")} is linked`;
    case "mark_as_paid":
      return `Confirmed as paid${withPrefix(event.bank_reference, ", bank reference ")}${withPrefix(event.note, ": ")}`;
    case "review_settlement":
      return `Decided: ${DECISIONS[text(event.decision)] ?? text(event.decision)}${withPrefix(event.note, ": ")}`;
    case "initiate_payment":
      return `Payment ordered${Number(event.attempt) > 1 ? `, attempt ${text(event.attempt)}` : ""}`;
    case "confirm_payment":
      return `Paid, as the payment provider reports${withPrefix(event.bank_reference, ", bank reference ")}`;
    case "fail_payment":
      return `Payment failed: ${text(event.reason)}`;
    case "return_payment":
      return `Payment returned: ${text(event.reason)}`;
    case "dispute_settlement":
      return `Disputed: ${text(event.reason)}`;
    case "resolve_dispute":
      return `Dispute ${event.resolution === "upheld" ? "upheld" : "rejected"}${withPrefix(event.note, ": ")}`;
    case "fail_document":
      return `The ${DOCUMENTS[text(event.kind)] ?? "document"} could not be created: ${text(event.message)}`;
    case "payment_anomaly":
      return `The payment provider reports "${text(event.kind)}", which does not match the payment. Check the bank account`;
    case "create_commission":
      return `Computed: ${amount}`;
    case "update_commission":
      return `Now ${amount}, because ${CAUSES[text(event.cause)] ?? text(event.cause)}`;
    case "fail_commission_computation":
      return `No amount: ${text(event.message)}`;
    case "reserve_commission":
      return `${amount} went into a settlement`;
    case "release_commission":
      return `${amount} came out of the settlement: ${RELEASES[text(event.cause)] ?? text(event.cause)}`;
    case "settle_commission":
      return `${amount} settled, ${event.kind === "paid" ? "paid" : "written off"}`;
    case "reopen_commission":
      return `${amount} open again: the payment was returned`;
    default:
      return event.type.replaceAll("_", " ");
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
