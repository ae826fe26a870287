/** The words for the team, which drafts, approves and pays. */

import type { Settlement } from "../api/Records.ts";
import { namesOf, stateIn, taxReviewWords } from "./States.ts";
import { SIDES, TEAM_EVENTS } from "./TeamEvents.ts";
import { TEAM_STATES, type TeamAction } from "./TeamStates.ts";
import type { FailureWords, Message, Words } from "./Words.ts";

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

const CHOOSE: TeamAction = "chooseAccount";

const noAccount: Words["noAccount"] = (settlement, isOneConfirmed = false) =>
  stateIn(TEAM_STATES, settlement).actions.includes(CHOOSE)
    ? {
        title:
          settlement.payoutAccount == null
            ? "There is no account to pay to"
            : "The account of this settlement was retired",
        text: isOneConfirmed
          ? "Choose a confirmed account of the partner."
          : "Propose one for the partner; once it is confirmed, choose it here. If you pay in another way, confirm the payment here.",
      }
    : null;

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
  billing_mode: "This document is issued in the partner's name; it cannot be uploaded.",
  comment_limit: "Each side can comment 50 times on a settlement, and you have.",
  upload_limit: "This settlement already has as many uploaded files as it may have.",
  attachment_used: "These files are in another message already. Reload the page.",
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
  states: namesOf(TEAM_STATES),
  stateOf: (settlement) => {
    const { words, family, shown } = stateIn(TEAM_STATES, settlement);
    return shown?.(settlement) ?? { words, family };
  },
  remarksOn: ({ stale, documentProblem, paymentOverdue }) => [
    ...(paymentOverdue ? [{ words: "Not booked by the bank", family: "waiting" } as const] : []),
    ...(stale ? [{ words: "Out of date", family: "waiting" } as const] : []),
    ...(documentProblem === null ? [] : [{ words: "Document missing", family: "waiting" } as const]),
  ],
  nextStep: (settlement) => stateIn(TEAM_STATES, settlement).next(settlement),
  problemsOf,
  noAccount,
  billing: { self_billing: "We write the invoice", partner_billing: "Partner writes the invoice" },
  claimBilling: {
    self_billing: "We write the credit note",
    partner_billing: "Partner writes the credit note",
  },
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
