/** The sentences for the team about events in logs. */

import type { EventOf } from "../api/Records.ts";
import { calendarDay } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { accountWords } from "./AccountWords.ts";
import {
  type AmountWords,
  COMMON_EVENTS,
  documentWords,
  type EventWords,
  linesWords,
  reportedWords,
  withPrefix,
} from "./EventWords.ts";
import { RELEASES } from "./TeamStates.ts";
import type { Words } from "./Words.ts";

const DECISIONS: Readonly<Record<EventOf<"review_settlement">["decision"], string>> = {
  issue_credit_note: "ask the partner for the money",
  carry_forward: "carry the amount forward",
  write_off: "give the amount up",
  accept_tax: "accept the tax of the document",
  refuse_tax: "refuse the document because of its tax",
};

const taxToAccept = (
  { tax_review: review }: EventOf<"link_invoice" | "link_credit_note">,
  amountWords: AmountWords,
): string =>
  review === undefined ? "" : `; an approver has to accept its tax of ${amountWords(review.tax_amount)}`;

/** The two sides of a settlement. */
export const SIDES: Words["sides"] = { partner: "the partner", customer: "us" };

/** The sentences of events in logs. */
export const TEAM_EVENTS: EventWords = {
  ...COMMON_EVENTS,
  release_commission: ({ amount, cause }, amountWords) =>
    `${amountWords(amount)} came out of the settlement: ${RELEASES[cause]}`,
  settle_commission: ({ amount, kind }, amountWords) =>
    `${amountWords(amount)} settled, ${kind === "paid" ? "paid" : "written off"}`,
  create_settlement: ({ line_count, total }, amountWords) =>
    `Draft created: ${countWords(line_count, "line")}, ${amountWords(total)}`,
  approve_settlement: ({ billing_mode }) =>
    `Approved${billing_mode === "self_billing" ? "; we write the document in the partner's name" : "; the partner writes the document"}`,
  cancel_settlement: () => "Draft cancelled",
  review_settlement: ({ decision, note }) => `Decided: ${DECISIONS[decision]}${withPrefix(note, ": ")}`,
  dispute_settlement: ({ reason, commission_ids, raised_by }) =>
    `Disputed${raised_by === "partner" ? " by the partner" : ""}${linesWords(commission_ids)}: ${reason}`,
  withdraw_dispute: () => "Dispute withdrawn",
  resolve_dispute: ({ resolution, note }) => `Dispute ${resolution}${withPrefix(note, ": ")}`,
  comment_settlement: ({ text, side }) => `Comment by ${SIDES[side]}: ${text}`,
  write_off_settlement: ({ reason }) => `Written off${withPrefix(reason, ": ")}`,
  link_invoice: (event, amountWords) =>
    `${COMMON_EVENTS.link_invoice(event)}${taxToAccept(event, amountWords)}`,
  link_credit_note: (event, amountWords) =>
    `${COMMON_EVENTS.link_credit_note(event)}${taxToAccept(event, amountWords)}`,
  fail_document: ({ kind, message }) => `The ${documentWords(kind)} could not be created: ${message}`,
  choose_payout_account: ({ details }) => `Another account was chosen: ${accountWords(details)}`,
  initiate_payment: ({ attempt }) => `Payment initiated${attempt > 1 ? `, attempt ${attempt}` : ""}`,
  hand_over_payment: ({ execution_date }) =>
    `Payment file handed over to the bank, to be carried out on ${calendarDay(execution_date)}`,
  confirm_payment: ({ bank_reference, ...reported }) =>
    `Paid, as the bank or the payment provider reports${withPrefix(bank_reference, ", bank reference ")}${reportedWords(reported)}`,
  mark_as_paid: ({ bank_reference, note, ...reported }) =>
    `Confirmed as paid${withPrefix(bank_reference, ", bank reference ")}${reportedWords(reported)}${withPrefix(note, ": ")}`,
  reconcile_settlement: () => "Reconciled with the bank account",
  unreconcile_settlement: () => "No longer reconciled",
  payment_anomaly: ({ kind }) =>
    `The bank or the payment provider reports "${kind}", which does not match the payment. Check the bank account`,
};
