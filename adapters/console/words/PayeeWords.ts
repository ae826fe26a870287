/** The words for the partner who is paid. It sends invoices and objects; everything else is done for it. "We" is the company. */

import type { EventOf, Settlement, SettlementStatus } from "../api/Records.ts";
import { calendarDay } from "../format/Dates.ts";
import { accountWords } from "./AccountWords.ts";
import { COMMON_EVENTS, type EventWords, referenceWords, reportedWords, withPrefix } from "./EventWords.ts";
import { many, type Text, t } from "./Language.ts";
import { isBeforeHandOver, unsigned } from "./States.ts";
import type { FailureWords, Family, Message, State, Words } from "./Words.ts";

/** The states with their words and families. */
export const PAYEE_STATES: Readonly<Record<SettlementStatus, readonly [words: Text, family: Family]>> = {
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
  const [text, family] = PAYEE_STATES[status.type];
  const words = t(text);
  switch (status.type) {
    case "awaiting_invoice":
      return isOwnBilling(settlement)
        ? { words: t("Send your invoice"), family: "waiting" }
        : { words, family };
    case "awaiting_credit_note":
      return isOwnBilling(settlement)
        ? { words: t("Send your credit note"), family: "waiting" }
        : { words, family };
    case "awaiting_payment":
      return total < 0 ? { words: t("You pay back"), family: "waiting" } : { words, family };
    case "payment_initiated":
      if (isBeforeHandOver(settlement)) return { words: t("Payment in preparation"), family };
      return paymentFileStatus === "handed_over"
        ? { words: t("Payment on its way"), family }
        : { words, family };
    case "paid":
      return status.method === "nothing_due"
        ? { words: t("Closed, nothing due"), family }
        : { words, family };
    default:
      return { words, family };
  }
};

/** Why a settlement has ended without payment. */
const RELEASES: Readonly<Record<EventOf<"release_commission">["cause"], Text>> = {
  draft_cancelled: "its commissions come into another settlement",
  carried_forward: "the amount is set off against your next commissions",
  dispute_upheld: "the objection was right, and a corrected settlement follows",
};

const paymentStep = (amount: string, settlement: Settlement): string => {
  if (isBeforeHandOver(settlement))
    return t("Your payment of {amount} is in preparation. It has not left yet.", { amount });
  return settlement.paymentFileStatus === "handed_over"
    ? t("Your payment of {amount} is on its way.", { amount })
    : t("Your payment of {amount} has been started. This page shows when it is made.", { amount });
};

const paymentDue = (total: number, amount: string, dueDate: string | null): string => {
  if (dueDate === null)
    return total < 0
      ? t("You owe {amount} for returned sales. Pay it back to us.", { amount })
      : t("We pay you {amount}. Nothing to do.", { amount });
  const day = calendarDay(dueDate);
  return total < 0
    ? t("You owe {amount} for returned sales. Pay it back to us by {day}.", { amount, day })
    : t("We pay you {amount} by {day}. Nothing to do.", { amount, day });
};

const nextStep = (settlement: Settlement): string => {
  const { currency, total, dueDate, status } = settlement;
  const amount = unsigned(settlement.payableAmount ?? total, currency);
  const net = unsigned(total, currency);
  switch (status.type) {
    case "draft":
      return t("We are preparing this settlement. Its lines may still change.");
    case "awaiting_report":
      return t("The lines are fixed. Your documents follow. Nothing to do.");
    case "negative_review":
      return t(
        "Returned sales are worth {net} more than new ones. You will see here whether we ask you for the amount or set it off against your next commissions.",
        { net },
      );
    case "awaiting_invoice":
      return isOwnBilling(settlement)
        ? t("Send us your invoice for {net} net: upload it here. We pay after that.", { net })
        : t("We write the invoice in your name next. Nothing to do.");
    case "awaiting_credit_note":
      return isOwnBilling(settlement)
        ? t("Send us your credit note for {net} net: upload it here.", { net })
        : t("We write the credit note in your name next. Nothing to do.");
    case "awaiting_payment":
      if (settlement.taxReview !== null)
        return t(
          "We check the tax that your document states. We go on after that, or ask you for another document.",
        );
      return paymentDue(total, amount, dueDate);
    case "payment_initiated":
      return paymentStep(amount, settlement);
    case "disputed":
      return t("The objection is open. This settlement stops until we have answered it.");
    case "paid":
      return status.method === "nothing_due"
        ? t("Nothing was due. The lines are settled.")
        : total < 0
          ? t("We have received {amount}. The lines are settled.", { amount })
          : t("We have paid you {amount}. The lines are settled.", { amount });
    case "written_off":
      return total < 0
        ? t("You do not have to pay this back. The lines are settled.")
        : t("Closed without a payment. The lines are settled.");
    case "cancelled":
      return t("Ended without payment: {reason}.", { reason: t(RELEASES[status.cause]) });
  }
};

const DELAYED: Readonly<Record<EventOf<"fail_document">["kind"], Text>> = {
  report: "The report could not be created yet. We know about it.",
  invoice: "The invoice could not be created yet. We know about it.",
  credit_note: "The credit note could not be created yet. We know about it.",
};

const problemsOf = (settlement: Settlement, accountProblem: string | null): ReadonlyArray<Message> => {
  const { status, disputeReason, documentProblem } = settlement;
  return [
    status.type === "disputed" && { title: t("The objection"), text: disputeReason ?? "" },
    documentProblem !== null && {
      title: t("A document is delayed"),
      text: t(DELAYED[documentProblem.kind]),
    },
    accountProblem !== null &&
      ["draft", "awaiting_payment"].includes(status.type) && {
        title: t("Look at your account"),
        text: t(
          "It waits for our check, or we cannot pay to it as it is. Under My account you see it, and propose another one.",
        ),
      },
  ].filter((problem) => problem !== false);
};

const DECISIONS: Readonly<Record<EventOf<"review_settlement">["decision"], Text>> = {
  issue_credit_note: "We ask you to pay the amount back",
  carry_forward: "The amount is set off against your next commissions",
  write_off: "You do not have to pay the amount back",
  accept_tax: "We accept the tax of your document",
  refuse_tax: "We do not accept the tax of your document. Send us another one",
};

const SIDES = { partner: "you", customer: "the company" } as const satisfies Words["sides"];

const EVENTS: EventWords = {
  ...COMMON_EVENTS,
  create_settlement: ({ line_count, total }, amountWords) =>
    t("Put together: {lines}, {amount}", {
      lines: many(line_count, "{n} line", "{n} lines"),
      amount: amountWords(total),
    }),
  approve_settlement: ({ billing_mode }) =>
    billing_mode === "self_billing"
      ? t("The lines are fixed; we write the invoice in your name")
      : t("The lines are fixed; you write the invoice"),
  cancel_settlement: () => t("Ended before it was fixed"),
  write_off_settlement: ({ reason }) => `${t("Closed without payment")}${withPrefix(reason, ": ")}`,
  reconcile_settlement: () => t("The payment was found on our bank statement"),
  unreconcile_settlement: () => t("The payment is looked for on our bank statement"),
  mark_as_paid: ({ bank_reference, note, ...reported }) =>
    `${t("Paid")}${referenceWords(bank_reference)}${reportedWords(reported)}${withPrefix(note, ": ")}`,
  review_settlement: ({ decision, note }) => `${t(DECISIONS[decision])}${withPrefix(note, ": ")}`,
  choose_payout_account: ({ details }) =>
    t("To be paid to another account: {account}", { account: accountWords(details) }),
  initiate_payment: ({ attempt }) =>
    attempt > 1 ? t("Payment started, attempt {attempt}", { attempt }) : t("Payment started"),
  hand_over_payment: ({ execution_date }) =>
    t("Our bank has the payment, to be made on {day}", { day: calendarDay(execution_date) }),
  confirm_payment: ({ bank_reference, ...reported }) =>
    `${t("Paid")}${referenceWords(bank_reference)}${reportedWords(reported)}`,
  dispute_settlement: ({ reason, commission_ids }) =>
    `${commission_ids === undefined ? t("Objection") : many(commission_ids.length, "Objection for {n} line", "Objection for {n} lines")}: ${reason}`,
  comment_settlement: ({ text, side }) => t("Comment by {side}: {text}", { side: t(SIDES[side]), text }),
  withdraw_dispute: () => t("The objection was taken back"),
  resolve_dispute: ({ resolution, note }) =>
    `${resolution === "upheld" ? t("The objection was right") : t("The objection was not accepted")}${withPrefix(note, ": ")}`,
  fail_document: ({ kind }) => t(DELAYED[kind]),
  payment_anomaly: () => t("We are asking the bank about the payment"),
  release_commission: ({ amount, cause }, amountWords) =>
    t("{amount} came out of the settlement: {reason}", {
      amount: amountWords(amount),
      reason: t(RELEASES[cause]),
    }),
  settle_commission: ({ amount, kind }, amountWords) =>
    kind === "paid"
      ? t("{amount} settled, paid", { amount: amountWords(amount) })
      : t("{amount} settled without payment", { amount: amountWords(amount) }),
};

/** The words for conflicts, by token. The details that the server adds are in the words of the team. */
const CONFLICTS: Readonly<Record<string, Text>> = {
  settlement_terminal: "The settlement has ended. Differences go into your next settlement.",
  amount_too_large: "Amount and tax are larger than the largest amount. Tell us.",
  billing_mode: "We write this document for you; it cannot be uploaded.",
  comment_limit: "You have commented as often on this settlement as you can.",
  upload_limit: "You have sent as many files for this settlement as we keep. Tell us.",
  busy: "The same settlement was changed at the same time. Try again.",
};

const FAILURES: FailureWords = {
  conflict: (token) => t(CONFLICTS[token] ?? "The settlement has moved on meanwhile. Reload the page."),
  get invalidKey() {
    return {
      title: t("This key is not accepted"),
      text: t("It may have expired, or was not copied in full. Ask us for a new key."),
    };
  },
  get sessionEnded() {
    return {
      title: t("Your access has ended"),
      text: t(
        "Ask us for a new invitation, open it in a new tab, and go on here. Nothing that you have typed is lost.",
      ),
    };
  },
  missingRight: () => t("Ask us for an invitation that allows this."),
  get unreachable() {
    return {
      title: t("The server cannot be reached"),
      text: t("Check that you are online, then try again. What you have sent before is stored."),
    };
  },
  failed: (requestId) => ({
    title: t("The server failed"),
    text:
      requestId === null
        ? t("Nothing that you have sent is lost. Try again in a moment.")
        : t(
            "Nothing that you have sent is lost. Try again in a moment; if it stays so, tell us the number {requestId}.",
            { requestId },
          ),
  }),
};

export const PAYEE: Words = {
  states: {
    ...(Object.fromEntries(
      Object.entries(PAYEE_STATES).map(([state, [words]]) => [state, words]),
    ) as Words["states"]),
    awaiting_invoice: "Awaiting invoice",
    awaiting_credit_note: "Awaiting credit note",
  },
  stateOf,
  remarksOn: ({ documentProblem }) =>
    documentProblem === null ? [] : [{ words: t("Document delayed"), family: "open" }],
  nextStep,
  problemsOf,
  noAccount: () => ({
    title: t("We have no account of yours"),
    text: t("Tell us where your money is to go."),
  }),
  billing: { self_billing: "We write the invoice in your name", partner_billing: "You write the invoice" },
  payable: "With tax",
  disputedLine: "in the objection",
  sides: SIDES,
  otherSide: "The company",
  events: EVENTS,
  failures: FAILURES,
  waits: (amount) => t("{amount} more when the buyer has paid", { amount }),
  waitsForBuyer: "Payable when the buyer has paid",
  waiting: "Payable when buyers have paid",
  noCommissions: "This sale earns nothing: no plan covers it",
};
