/** What the words of both readers say of the states of settlements. */
import type { Settlement } from "../api/Records.ts";
import { money } from "../format/Money.ts";

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
