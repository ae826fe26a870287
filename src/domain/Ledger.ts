/**
 * The arithmetic of one commission: what it is worth (A), what was paid (P), written off (W) or reserved (R),
 * and what follows: settled S and due D, with A = S + D always.
 */
import type { Amount } from "./Money.ts";

/** The stored quantities of one commission, in the smallest unit of its currency. */
export interface Quantities {
  /** A: the actual amount; null until computed, and then counted as 0. */
  readonly computedAmount: Amount | null;
  /** P: the sum of its lines in paid settlements. */
  readonly paidAmount: Amount;
  /** W: the sum of its lines in written-off settlements. */
  readonly writtenOffAmount: Amount;
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/**
 * S: what counts as settled. A write-off absorbs a difference up to its own size and never makes a claim:
 * with nothing written off S is P; a write-off of money never paid dissolves when the commission becomes 0.
 */
export const settled = ({ computedAmount, paidAmount, writtenOffAmount }: Quantities): Amount =>
  paidAmount +
  clamp((computedAmount ?? 0) - paidAmount, Math.min(0, writtenOffAmount), Math.max(0, writtenOffAmount));

/** D: what the next settlement line would be; negative when the partner owes. */
export const due = (quantities: Quantities): Amount => (quantities.computedAmount ?? 0) - settled(quantities);

/** Where a commission stands in settlement. */
export type SettlementStatus = "unsettled" | "pending_settlement" | "settled";

/**
 * Pending while an open settlement holds it; settled when at least one line of it has settled and nothing is due;
 * unsettled otherwise. Lines are counted, not summed, because a line of zero is a line.
 */
export const settlementStatus = (
  quantities: Quantities & { readonly openSettlementId: string | null; readonly settledLineCount: number },
): SettlementStatus =>
  quantities.openSettlementId !== null
    ? "pending_settlement"
    : quantities.settledLineCount > 0 && quantities.computedAmount !== null && due(quantities) === 0
      ? "settled"
      : "unsettled";
