/** The state of payments that a bank gets in files. */
import type { BankPayment } from "./PaymentFiles.ts";
import type { Settlement } from "./Settlements.ts";
import { mapWhere, type World } from "./World.ts";

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
