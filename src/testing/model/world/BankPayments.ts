/** Payments of the reference model that a bank gets in files, and what it has booked of them. */
import type { Currency } from "../../../domain/Currency.ts";
import type { CustomerId, SettlementId } from "../../../domain/Ids.ts";
import type { Payee } from "../../../domain/PayoutDetails.ts";
import type { Settlement } from "./Settlements.ts";
import { mapWhere, type World } from "./World.ts";

/** What a bank, or a person in its place, said of a payment. */
export interface Booking {
  readonly kind: "debit" | "return" | "rejection";
  readonly entry: string;
  readonly isFinal: boolean;
}

/** One attempt to pay a settlement by file. */
export interface BankPayment {
  readonly customerId: CustomerId;
  readonly settlementId: SettlementId;
  /** The number of the attempt; its reference is that of the settlement. */
  readonly attempt: number;
  readonly amount: number;
  readonly currency: Currency;
  readonly account: Payee;
  readonly fileId: string | null;
  readonly isWaiting: boolean;
  readonly bookings: ReadonlyArray<Booking>;
}

/** A payment file. */
export interface PaymentFile {
  readonly id: string;
  readonly customerId: CustomerId;
  readonly format: string;
  readonly executionDate: string;
  readonly currency: Currency;
  readonly count: number;
  readonly sum: number;
  /** The account that pays; null where its format states none. */
  readonly debtor: string | null;
  readonly createdAt: number;
  readonly handedOverAt: number | null;
  readonly discardedAt: number | null;
}

export const settlementOf = ({ settlements }: World, { settlementId }: BankPayment): Settlement | undefined =>
  settlements.find(({ id }) => id === settlementId);

/** The reference of a payment; empty before the session has read it. */
export const referenceOf = (world: World, payment: BankPayment): string =>
  settlementOf(world, payment)?.references[payment.attempt - 1] ?? "";

/** True if a settlement's current payment is this one. */
const isCurrent = (settlement: Settlement, { attempt }: BankPayment): boolean =>
  settlement.hasReference && settlement.attempt === attempt;

/** True if the settlement waits for exactly this payment. */
export const isInFlight = (world: World, payment: BankPayment): boolean => {
  const settlement = settlementOf(world, payment);
  return (
    settlement !== undefined &&
    isCurrent(settlement, payment) &&
    settlement.status.type === "payment_initiated"
  );
};

/** True if the settlement counts as paid by this payment. */
export const isPaidBy = (world: World, payment: BankPayment): boolean => {
  const settlement = settlementOf(world, payment);
  return settlement !== undefined && isCurrent(settlement, payment) && settlement.status.type === "paid";
};

/** The world with a change of some payments. */
export const withPayments = (
  world: World,
  picks: (payment: BankPayment) => boolean,
  change: Partial<BankPayment>,
): World => ({
  ...world,
  bankPayments: mapWhere(world.bankPayments, picks, (payment) => ({ ...payment, ...change })),
});

/** The current payment of a settlement, if a bank gets it in a file. */
export const currentPayment = (world: World, settlement: Settlement): BankPayment | undefined =>
  world.bankPayments.find(
    (payment) => payment.settlementId === settlement.id && isCurrent(settlement, payment),
  );
