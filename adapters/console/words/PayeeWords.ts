/** The words for the partner who is paid. It sends invoices and objects; everything else is done for it. "We" is the company. */

import type { EventOf, Settlement } from "../api/Records.ts";
import { calendarDay } from "../format/Dates.ts";
import { accountWords } from "./AccountWords.ts";
import { COMMON_EVENTS, type EventWords, referenceWords, reportedWords, withPrefix } from "./EventWords.ts";
import { many, type Text, t } from "./Language.ts";
import { PAYEE_STATES, RELEASES } from "./PayeeStates.ts";
import { isEnd, namesOf, stateIn } from "./States.ts";
import type { FailureWords, Message, Words } from "./Words.ts";

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
      ? t("We have checked it; we write the document in your name")
      : t("We have checked it; you write the document"),
  cancel_settlement: () => t("Ended before we had checked it"),
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
  attachment_used: "We have these files already. Reload the page.",
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
    ...namesOf(PAYEE_STATES),
    awaiting_invoice: "Send your invoice, or in preparation",
    awaiting_credit_note: "Send your credit note, or in preparation",
    awaiting_payment: "To be paid, or you pay back",
    paid: "Paid, or nothing due",
  },
  stateOf: (settlement) => {
    const { words, family, shown } = stateIn(PAYEE_STATES, settlement);
    return shown?.(settlement) ?? { words: t(words), family };
  },
  remarksOn: ({ documentProblem }) =>
    documentProblem === null ? [] : [{ words: t("Document delayed"), family: "open" }],
  nextStep: (settlement) => stateIn(PAYEE_STATES, settlement).next(settlement),
  problemsOf,
  noAccount: ({ status }) =>
    isEnd(PAYEE_STATES[status.type].family)
      ? null
      : { title: t("We have no account of yours"), text: t("Tell us where your money is to go.") },
  billing: { self_billing: "We write the invoice in your name", partner_billing: "You write the invoice" },
  claimBilling: {
    self_billing: "We write the credit note in your name",
    partner_billing: "You write the credit note",
  },
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
