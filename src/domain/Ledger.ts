/**
 * The arithmetic of one commission: what it is worth (A), how much is released (T), what was paid (P), written off (W⁺, W⁻)
 * or reserved (R), and what follows: settled S and due D, with A = S + D + waiting always.
 */
import { Schema } from "effect";
import { type Amount, isAmount } from "./Money.ts";

/** The stored quantities of one commission, in the smallest unit of its currency. */
export interface Quantities {
  /** A: the actual amount; null until computed, and then counted as 0. */
  readonly computedAmount: Amount | null;
  /** A − T: what waits until the buyer has paid; null where the amount is released at once. */
  readonly waitingAmount: Amount | null;
  /** P: the sum of its lines in paid settlements. */
  readonly paidAmount: Amount;
  /** W⁺: the sum of its positive lines in written-off settlements. */
  readonly writtenOffPositive: Amount;
  /** W⁻: the sum of its negative lines in written-off settlements; never above 0. */
  readonly writtenOffNegative: Amount;
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** T: what is released, and may be settled. */
export const releasedAmount = ({
  computedAmount,
  waitingAmount,
}: Pick<Quantities, "computedAmount" | "waitingAmount">): Amount =>
  (computedAmount ?? 0) - (waitingAmount ?? 0);

/**
 * S: what counts as settled. A write-off covers a difference of its own sign, up to its size, and never creates a claim:
 * without write-offs S is P; the write-off of money that was never paid has no effect once the commission is 0.
 */
export const settledAmount = (quantities: Quantities): Amount => {
  const { paidAmount, writtenOffPositive, writtenOffNegative } = quantities;
  return paidAmount + clamp(releasedAmount(quantities) - paidAmount, writtenOffNegative, writtenOffPositive);
};

/** D: what the next settlement line would be; negative when the partner owes. */
export const due = (quantities: Quantities): Amount => releasedAmount(quantities) - settledAmount(quantities);

/** A − S: what is not settled, due or waiting. */
export const unsettledAmount = (quantities: Quantities): Amount =>
  (quantities.computedAmount ?? 0) - settledAmount(quantities);

/** The paid lines of a commission and its open one, by sign. */
export interface Lines {
  /** P: the sum of its lines in paid settlements. */
  readonly paidAmount: Amount;
  /** The part of P that comes from negative lines; never above 0. */
  readonly paidNegative: Amount;
  /** R: the line in the open settlement, else 0. */
  readonly pendingAmount: Amount;
}

/**
 * True if what is due stays within the largest amount whichever of the lines are paid, returned by the bank or written
 * off from now on. Checked when an amount is computed or more or less of it is released; new lines, payments, returns and
 * write-offs keep it true, so none of them can fail because of an amount: P is between the sum of the negative and the sum of
 * the positive lines, the difference T − P between those of the two, and a write-off never grows beyond T − P.
 */
export const staysInRange = (released: Amount, { paidAmount, paidNegative, pendingAmount }: Lines): boolean =>
  isAmount(released - (paidNegative + Math.min(0, pendingAmount))) &&
  isAmount(released - (paidAmount - paidNegative + Math.max(0, pendingAmount)));

/** The settlement status of a commission. */
export const SettlementStatus = Schema.Literal("unsettled", "pending_settlement", "settled");
export type SettlementStatus = typeof SettlementStatus.Type;

/**
 * Pending while an open settlement holds it; settled when at least one line of it has settled and nothing is due or waits;
 * unsettled otherwise. Lines are counted, not summed, because a line of zero is a line.
 */
export const settlementStatus = (
  quantities: Quantities & { readonly openSettlementId: string | null; readonly settledLineCount: number },
): SettlementStatus =>
  quantities.openSettlementId !== null
    ? "pending_settlement"
    : quantities.settledLineCount > 0 &&
        quantities.computedAmount !== null &&
        (quantities.waitingAmount ?? 0) === 0 &&
        due(quantities) === 0
      ? "settled"
      : "unsettled";
