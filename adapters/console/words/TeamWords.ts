/** The words for the team, which drafts, approves and pays. */

import type { Settlement, SettlementStatus } from "../api/Records.ts";
import { calendarDay, day } from "../format/Dates.ts";
import { money } from "../format/Money.ts";
import { isBeforeHandOver, taxReviewWords, unsigned } from "./States.ts";
import { RELEASES, SIDES, TEAM_EVENTS } from "./TeamEvents.ts";
import type { FailureWords, Family, Message, State, Words } from "./Words.ts";

/** The states with their words and families. */
export const TEAM_STATES: Readonly<Record<SettlementStatus, readonly [words: string, family: Family]>> = {
  draft: ["Draft", "waiting"],
  awaiting_report: ["Awaiting report", "open"],
  negative_review: ["Needs a decision", "waiting"],
  awaiting_invoice: ["Awaiting invoice", "open"],
  awaiting_credit_note: ["Awaiting credit note", "open"],
  awaiting_payment: ["Ready to pay", "waiting"],
  payment_initiated: ["Payment initiated", "open"],
  disputed: ["Disputed", "waiting"],
  paid: ["Paid", "done"],
  written_off: ["Written off", "stopped"],
  cancelled: ["Cancelled", "stopped"],
};

const stateOf = (settlement: Settlement): State => {
  const { status, total, paymentFileStatus } = settlement;
  const [words, family] = TEAM_STATES[status.type];
  if (status.type === "paid" && status.method === "nothing_due")
    return { words: "Closed, nothing due", family };
  if (status.type === "awaiting_payment" && settlement.taxReview !== null)
    return { words: "Tax to accept", family };
  if (status.type === "awaiting_payment" && total < 0) return { words: "Awaiting refund", family };
  if (isBeforeHandOver(settlement)) return { words: "Waiting for a bank file", family: "waiting" };
  if (paymentFileStatus === "handed_over") return { words: "Payment on its way", family };
  return { words, family };
};

/** What comes next for a payment under way. */
const paymentStep = ({ paymentFileStatus, paymentHandedOverAt, paymentOverdue }: Settlement): string => {
  switch (paymentFileStatus) {
    case null:
      return "The payment is initiated. Its confirmation by the payment provider closes the settlement.";
    case "awaited":
      return "The payment waits for a bank file; nothing has left. Create the file on the page Payments: it takes every payment that waits.";
    case "created":
      return "The payment is in a bank file that was not handed over yet; nothing has left. Hand the file over on the page Payments, then give it to your bank.";
    case "handed_over":
      return `The file of the payment was handed over to the bank${paymentHandedOverAt === null ? "" : ` on ${day(paymentHandedOverAt)}`}; it is not booked yet. ${
        paymentOverdue
          ? "The bank should have booked it by now: read its statements of these days, or ask the bank."
          : "The bank statement confirms it and closes the settlement."
      }`;
  }
};

const nextStep = (settlement: Settlement): string => {
  const { currency } = settlement;
  const amount = settlement.payableAmount ?? settlement.total;
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
      if (settlement.taxReview !== null)
        return "An approver accepts or refuses the tax that the document states. Nothing is paid before that.";
      return settlement.total < 0
        ? `The partner pays back ${unsigned(amount, currency)}. Confirm it when the money has arrived.`
        : `Pay ${money(amount, currency)}${settlement.dueDate === null ? "" : ` by ${calendarDay(settlement.dueDate)}`}, then confirm the payment.`;
    case "payment_initiated":
      return paymentStep(settlement);
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

const problemsOf = (settlement: Settlement, accountProblem: string | null): ReadonlyArray<Message> => {
  const { status, disputeReason, documentProblem, eInvoiceProblems, taxReview } = settlement;
  return [
    status.type === "disputed" && { title: "Disputed", text: disputeReason ?? "" },
    taxReview !== null && { title: "The tax needs an approver", text: taxReviewWords(settlement) },
    documentProblem !== null && { title: "A document cannot be created", text: documentProblem.message },
    eInvoiceProblems.length > 0 && {
      title: "There is no e-invoice",
      text: "The document was issued without one. Under Documents you see why.",
    },
    accountProblem !== null &&
      ["draft", "awaiting_payment"].includes(status.type) && {
        title: "The bank account of this partner has a problem",
        text: `${accountProblem} Payments through the bank are refused until it is corrected.`,
      },
  ].filter((problem) => problem !== false);
};

const noAccount: Words["noAccount"] = ({ payoutAccount }) => ({
  title:
    payoutAccount == null ? "There is no account to pay to" : "The account of this settlement was retired",
  text: "Choose a confirmed account of the partner.",
});

/** What conflicts mean on these pages, and what to do, by token. */
const CONFLICTS: Readonly<Record<string, string>> = {
  settlement_not_draft:
    "The settlement is no longer a draft. Somebody else may have approved or cancelled it. Reload the page.",
  settlement_state: "The settlement is in another state, which does not allow this. Reload the page.",
  settlement_terminal: "The settlement has ended. Differences go into the next settlement.",
  settlement_stale: "An amount has changed since the draft. Cancel the draft and create it again.",
  amount_too_large: "Total and tax are larger than the largest amount. Split the settlement.",
  four_eyes: "Another person has to do this. Ask a colleague.",
  payout_account: "The account cannot be used for this now. Reload the page.",
  partner_suspended: "The partner is suspended. Resume it on its page before anything is paid.",
  commission_in_open_settlement:
    "One of the commissions is in another settlement that is under way. Finish that one first.",
  commission_not_computable:
    "One of the commissions has no amount. Open it to see why, and leave it out until then.",
  billing_mode: "The service issues this document itself; it cannot be uploaded.",
  comment_limit: "Each side can comment 50 times on a settlement, and you have.",
  upload_limit: "This settlement already has as many uploaded files as it may have.",
  e_invoice_invalid: "Its e-invoice would not be valid. Change the partner or your company first.",
  tax_review: "An approver has to accept the tax of the uploaded document first.",
  payout_unavailable:
    "A payment cannot be initiated: there is no payment provider, nothing to pay, or the partner's bank account is not valid.",
  formula_cancelled: "The formula was cancelled and cannot be changed.",
  formula_of_plan: "This formula belongs to a plan. Change the plan, or end the partner's assignment.",
  versions_ahead: "A change of a later date would be replaced. Say what becomes of it, or withdraw it first.",
  version_not_ahead: "The date of this version has been reached, so it cannot be withdrawn.",
  plan_cancelled: "The plan was cancelled and cannot be changed.",
  plan_trial: "This trial cannot be adopted, or too many trials are kept already.",
  plan_assignment: "The partner has this plan already for a part of that time.",
  attribution_cancelled: "The sale is cancelled or replaced already. Reload the page.",
  credit_of_sale: "This is one part of a sale, which changes as a whole. Open the sale that it belongs to.",
  idempotency_key_reuse:
    "The server has done this, but its answer with the secret was lost, and a secret is shown only once. Close this, replace or revoke what was created, and begin again.",
  external_reference_reuse: "Choose another reference.",
  busy: "Others changed the same records at the same time. Try again.",
};

const FAILURES: FailureWords = {
  conflict: (token, details) => `${CONFLICTS[token] ?? "Reload the page."} (${details})`,
  invalidKey: {
    title: "This key is not accepted",
    text: "It may have been revoked, may have expired, or was not copied in full. Sign in with another key; an administrator can create one.",
  },
  sessionEnded: {
    title: "Your session has ended",
    text: "Sign in again in a new tab, and go on here. Nothing that you have typed is lost.",
  },
  missingRight: (details) =>
    `${details.replace("The credential lacks", "You lack")} Ask an administrator for that right, then sign in again.`,
  unreachable: {
    title: "The server cannot be reached",
    text: "Check that you are online and that the server runs, then try again. What was confirmed before is stored.",
  },
  failed: (requestId) => ({
    title: "The server failed",
    text: `Nothing that was confirmed is lost. Try again in a moment${requestId === null ? "" : `; the log of the server has the details under ${requestId}`}.`,
  }),
};

export const TEAM: Words = {
  states: Object.fromEntries(
    Object.entries(TEAM_STATES).map(([state, [words]]) => [state, words]),
  ) as Words["states"],
  stateOf,
  remarksOn: ({ stale, documentProblem, paymentOverdue }) => [
    ...(paymentOverdue ? [{ words: "Not booked by the bank", family: "waiting" } as const] : []),
    ...(stale ? [{ words: "Out of date", family: "waiting" } as const] : []),
    ...(documentProblem === null ? [] : [{ words: "Document missing", family: "waiting" } as const]),
  ],
  nextStep,
  problemsOf,
  noAccount,
  billing: { self_billing: "We write the invoice", partner_billing: "Partner writes the invoice" },
  payable: "To pay",
  disputedLine: "disputed",
  sides: SIDES,
  otherSide: "The partner",
  events: TEAM_EVENTS,
  failures: FAILURES,
  waits: (amount) => `${amount} waits for the buyer`,
  waitsForBuyer: "Waits for the buyer",
  waiting: "Waiting for buyers",
  noCommissions: "No formula covers this sale",
};
