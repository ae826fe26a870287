/** The words for the partner who is paid. It sends invoices and objects; everything else is done for it. "We" is the company. */

import type { EventOf, Settlement, SettlementStatus } from "../api/Records.ts";
import { calendarDay } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { accountWords } from "./AccountWords.ts";
import {
  COMMON_EVENTS,
  documentWords,
  type EventWords,
  linesWords,
  reportedWords,
  withPrefix,
} from "./EventWords.ts";
import { isBeforeHandOver, unsigned } from "./States.ts";
import type { FailureWords, Family, Message, State, Words } from "./Words.ts";

const STATES: Readonly<Record<SettlementStatus, readonly [words: string, family: Family]>> = {
  draft: ["In preparation", "open"],
  awaiting_report: ["Documents in preparation", "open"],
  negative_review: ["More returned than earned", "open"],
  awaiting_invoice: ["Invoice in preparation", "open"],
  awaiting_credit_note: ["Credit note in preparation", "open"],
  awaiting_payment: ["To be paid", "open"],
  payment_initiated: ["Payment started", "open"],
  disputed: ["Objection open", "open"],
  paid: ["Paid", "done"],
  written_off: ["Closed without payment", "stopped"],
  cancelled: ["Ended without payment", "stopped"],
};

const isOwnBilling = ({ billingMode }: Settlement): boolean => billingMode === "partner_billing";

const stateOf = (settlement: Settlement): State => {
  const { status, total, paymentFileStatus } = settlement;
  const [words, family] = STATES[status.type];
  switch (status.type) {
    case "awaiting_invoice":
      return isOwnBilling(settlement) ? { words: "Send your invoice", family: "waiting" } : { words, family };
    case "awaiting_credit_note":
      return isOwnBilling(settlement)
        ? { words: "Send your credit note", family: "waiting" }
        : { words, family };
    case "awaiting_payment":
      return total < 0 ? { words: "You pay back", family: "waiting" } : { words, family };
    case "payment_initiated":
      if (isBeforeHandOver(settlement)) return { words: "Payment in preparation", family };
      return paymentFileStatus === "handed_over"
        ? { words: "Payment on its way", family }
        : { words, family };
    case "paid":
      return status.method === "nothing_due" ? { words: "Closed, nothing due", family } : { words, family };
    default:
      return { words, family };
  }
};

/** Why a settlement has ended without payment. */
const RELEASES: Readonly<Record<EventOf<"release_commission">["cause"], string>> = {
  draft_cancelled: "its commissions come into another settlement",
  carried_forward: "the amount is set off against your next commissions",
  dispute_upheld: "the objection was right, and a corrected settlement follows",
};

const byDate = (date: string | null): string => (date === null ? "" : ` by ${calendarDay(date)}`);

const paymentStep = (amount: string, settlement: Settlement): string => {
  if (isBeforeHandOver(settlement))
    return `Your payment of ${amount} is in preparation. It has not left yet.`;
  return settlement.paymentFileStatus === "handed_over"
    ? `Your payment of ${amount} is on its way.`
    : `Your payment of ${amount} has been started. This page shows when it is made.`;
};

const nextStep = (settlement: Settlement): string => {
  const { currency, total, dueDate, status } = settlement;
  const amount = unsigned(settlement.payableAmount ?? total, currency);
  const net = unsigned(total, currency);
  switch (status.type) {
    case "draft":
      return "We are preparing this settlement. Its lines may still change.";
    case "awaiting_report":
      return "The lines are fixed. Your documents follow. Nothing to do.";
    case "negative_review":
      return `Returned sales are worth ${net} more than new ones. You will see here whether we ask you for the amount or set it off against your next commissions.`;
    case "awaiting_invoice":
      return isOwnBilling(settlement)
        ? `Send us your invoice for ${net} net: upload it here. We pay after that.`
        : "We write the invoice in your name next. Nothing to do.";
    case "awaiting_credit_note":
      return isOwnBilling(settlement)
        ? `Send us your credit note for ${net} net: upload it here.`
        : "We write the credit note in your name next. Nothing to do.";
    case "awaiting_payment":
      if (settlement.taxReview !== null)
        return "We check the tax that your document states. We go on after that, or ask you for another document.";
      return total < 0
        ? `You owe ${amount} for returned sales. Pay it back to us${byDate(dueDate)}.`
        : `We pay you ${amount}${byDate(dueDate)}. Nothing to do.`;
    case "payment_initiated":
      return paymentStep(amount, settlement);
    case "disputed":
      return "The objection is open. This settlement stops until we have answered it.";
    case "paid":
      return status.method === "nothing_due"
        ? "Nothing was due. The lines are settled."
        : `${total < 0 ? "We have received" : "We have paid you"} ${amount}. The lines are settled.`;
    case "written_off":
      return total < 0
        ? "You do not have to pay this back. The lines are settled."
        : "Closed without a payment. The lines are settled.";
    case "cancelled":
      return `Ended without payment: ${RELEASES[status.cause]}.`;
  }
};

const problemsOf = (settlement: Settlement, accountProblem: string | null): ReadonlyArray<Message> => {
  const { status, disputeReason, documentProblem } = settlement;
  return [
    status.type === "disputed" && { title: "The objection", text: disputeReason ?? "" },
    documentProblem !== null && {
      title: "A document is delayed",
      text: `The ${documentWords(documentProblem.kind)} could not be created yet. We know about it.`,
    },
    accountProblem !== null &&
      ["draft", "awaiting_payment"].includes(status.type) && {
        title: "Your bank account has a problem",
        text: `${accountProblem} Tell us the right account, so that we can pay you.`,
      },
  ].filter((problem) => problem !== false);
};

const DECISIONS: Readonly<Record<EventOf<"review_settlement">["decision"], string>> = {
  issue_credit_note: "We ask you to pay the amount back",
  carry_forward: "The amount is set off against your next commissions",
  write_off: "You do not have to pay the amount back",
  accept_tax: "We accept the tax of your document",
  refuse_tax: "We do not accept the tax of your document. Send us another one",
};

const SIDES: Words["sides"] = { partner: "you", customer: "the company" };

const EVENTS: EventWords = {
  ...COMMON_EVENTS,
  create_settlement: ({ line_count, total }, amountWords) =>
    `Put together: ${countWords(line_count, "line")}, ${amountWords(total)}`,
  approve_settlement: ({ billing_mode }) =>
    `The lines are fixed${billing_mode === "self_billing" ? "; we write the invoice in your name" : "; you write the invoice"}`,
  cancel_settlement: () => "Ended before it was fixed",
  write_off_settlement: ({ reason }) => `Closed without payment${withPrefix(reason, ": ")}`,
  reconcile_settlement: () => "The payment was found on our bank statement",
  unreconcile_settlement: () => "The payment is looked for on our bank statement",
  mark_as_paid: ({ bank_reference, note, ...reported }) =>
    `Paid${withPrefix(bank_reference, ", bank reference ")}${reportedWords(reported)}${withPrefix(note, ": ")}`,
  review_settlement: ({ decision, note }) => `${DECISIONS[decision]}${withPrefix(note, ": ")}`,
  choose_payout_account: ({ details }) => `To be paid to another account: ${accountWords(details)}`,
  initiate_payment: ({ attempt }) => `Payment started${attempt > 1 ? `, attempt ${attempt}` : ""}`,
  hand_over_payment: ({ execution_date }) =>
    `Our bank has the payment, to be made on ${calendarDay(execution_date)}`,
  confirm_payment: ({ bank_reference, ...reported }) =>
    `Paid${withPrefix(bank_reference, ", bank reference ")}${reportedWords(reported)}`,
  dispute_settlement: ({ reason, commission_ids }) => `Objection${linesWords(commission_ids)}: ${reason}`,
  comment_settlement: ({ text, side }) => `Comment by ${SIDES[side]}: ${text}`,
  withdraw_dispute: () => "The objection was taken back",
  resolve_dispute: ({ resolution, note }) =>
    `The objection was ${resolution === "upheld" ? "right" : "not accepted"}${withPrefix(note, ": ")}`,
  fail_document: ({ kind }) => `The ${documentWords(kind)} could not be created yet`,
  payment_anomaly: () => "We are asking the bank about the payment",
  release_commission: ({ amount, cause }, amountWords) =>
    `${amountWords(amount)} came out of the settlement: ${RELEASES[cause]}`,
  settle_commission: ({ amount, kind }, amountWords) =>
    `${amountWords(amount)} settled${kind === "paid" ? ", paid" : " without payment"}`,
};

/** The words for conflicts, by token. The details that the server adds are in the words of the team. */
const CONFLICTS: Readonly<Record<string, string>> = {
  settlement_terminal: "The settlement has ended. Differences go into your next settlement.",
  amount_too_large: "Amount and tax are larger than the largest amount. Tell us.",
  billing_mode: "We write this document for you; it cannot be uploaded.",
  comment_limit: "You have commented as often on this settlement as you can.",
  upload_limit: "You have sent as many files for this settlement as we keep. Tell us.",
  busy: "The same settlement was changed at the same time. Try again.",
};

const FAILURES: FailureWords = {
  conflict: (token) => CONFLICTS[token] ?? "The settlement has moved on meanwhile. Reload the page.",
  invalidKey: {
    title: "This key is not accepted",
    text: "It may have expired, or was not copied in full. Ask us for a new key.",
  },
  sessionEnded: {
    title: "Your access has ended",
    text: "Ask us for a new invitation, open it in a new tab, and go on here. Nothing that you have typed is lost.",
  },
  missingRight: () => "Ask us for an invitation that allows this.",
  unreachable: {
    title: "The server cannot be reached",
    text: "Check that you are online, then try again. What you have sent before is stored.",
  },
  failed: (requestId) => ({
    title: "The server failed",
    text: `Nothing that you have sent is lost. Try again in a moment${requestId === null ? "" : `; if it stays so, tell us the number ${requestId}`}.`,
  }),
};

export const PAYEE: Words = {
  states: {
    ...(Object.fromEntries(
      Object.entries(STATES).map(([state, [words]]) => [state, words]),
    ) as Words["states"]),
    awaiting_invoice: "Awaiting invoice",
    awaiting_credit_note: "Awaiting credit note",
  },
  stateOf,
  remarksOn: ({ documentProblem }) =>
    documentProblem === null ? [] : [{ words: "Document delayed", family: "open" }],
  nextStep,
  problemsOf,
  noAccount: () => ({
    title: "We have no account of yours",
    text: "Tell us where your money is to go.",
  }),
  billing: { self_billing: "We write the invoice in your name", partner_billing: "You write the invoice" },
  payable: "With tax",
  disputedLine: "in the objection",
  sides: SIDES,
  otherSide: "The company",
  events: EVENTS,
  failures: FAILURES,
  waits: (amount) => `${amount} more when the buyer has paid`,
  waitsForBuyer: "Payable when the buyer has paid",
  waiting: "Payable when buyers have paid",
  noCommissions: "This sale earns nothing: no plan covers it",
};
