/** The states of settlements, as the pages filter by them. */
import type { Settlement, SettlementStatus } from "../api/Records.ts";
import { money } from "../format/Money.ts";

/** Every state, in the order of a settlement's life. */
export const ALL_STATES = [
  "draft",
  "awaiting_report",
  "negative_review",
  "awaiting_invoice",
  "awaiting_credit_note",
  "awaiting_payment",
  "payment_initiated",
  "disputed",
  "paid",
  "written_off",
  "cancelled",
] as const satisfies ReadonlyArray<SettlementStatus>;

/** The states in which a settlement holds its commissions. */
export const OPEN_STATES = ALL_STATES.filter(
  (state) => state !== "paid" && state !== "written_off" && state !== "cancelled",
);

/** Whether the payment is made by a file that the bank has not received: no money has left. */
export const isBeforeHandOver = ({ paymentFileStatus }: Settlement): boolean =>
  paymentFileStatus === "awaited" || paymentFileStatus === "created";

/** An amount without its sign, where the words say who pays whom. */
export const unsigned = (amount: number, currency: string): string => money(Math.abs(amount), currency);
