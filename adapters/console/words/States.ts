/** The states of settlements, as the pages filter by them. */
import type { Settlement, SettlementStatus } from "../api/Records.ts";
import { money } from "../format/Money.ts";

const STATES: Readonly<Record<SettlementStatus, "open" | "ended">> = {
  draft: "open",
  awaiting_report: "open",
  negative_review: "open",
  awaiting_invoice: "open",
  awaiting_credit_note: "open",
  awaiting_payment: "open",
  payment_initiated: "open",
  disputed: "open",
  paid: "ended",
  written_off: "ended",
  cancelled: "ended",
};

/** Every state, in the order of a settlement's life. */
export const ALL_STATES = Object.keys(STATES) as ReadonlyArray<SettlementStatus>;

/** The states in which a settlement holds its commissions. */
export const OPEN_STATES = ALL_STATES.filter((state) => STATES[state] === "open");

/** True if the payment is made by a file that the bank has not received: no money has left. */
export const isBeforeHandOver = ({ paymentFileStatus }: Settlement): boolean =>
  paymentFileStatus === "awaited" || paymentFileStatus === "created";

/** An amount without its sign, where the words say who pays whom. */
export const unsigned = (amount: number, currency: string): string => money(Math.abs(amount), currency);

/** Why the tax of an uploaded document needs an approver; empty when it needs none. */
export const taxReviewWords = ({ taxReview, total, currency }: Settlement): string => {
  if (taxReview === null) return "";
  const stated = `The document states ${unsigned(taxReview.taxAmount, currency)} tax`;
  return taxReview.expectedTaxAmount === null
    ? `${stated}. The policy had no rate for documents of the partner when the settlement was approved.`
    : `${stated}. The policy expects ${unsigned(taxReview.expectedTaxAmount, currency)} on ${unsigned(total, currency)}.`;
};
