/** What a bank's booking of a payment does to its settlement: the rules of statements. */
import type { CommissionId } from "./Ids.ts";
import type { BankPayment, Booking, UnmatchedReason } from "./PaymentFile.ts";
import type { Settlement } from "./Settlement.ts";
import type { SettlementCommand } from "./SettlementCommand.ts";

/** A booking, as its statement describes it. */
export interface StatedBooking extends Booking {
  readonly bankReference: string | null;
  readonly reason: string | null;
}

/** The effect of a booking; the counts are of settlements. */
export interface Outcome {
  readonly confirmed: number;
  readonly returned: number;
  readonly reconciled: number;
  /** Why a person should look at the movement; null when it fits. */
  readonly unmatched: UnmatchedReason | null;
}

/** What a booking asks for. */
export interface Verdict {
  readonly commands: ReadonlyArray<SettlementCommand>;
  /** Whether the booking is noted as applied. */
  readonly isNoted: boolean;
  /** Whether the booking is to be judged again after these commands. */
  readonly isUnfinished: boolean;
  readonly outcome: Outcome;
}

const NOTHING: Outcome = { confirmed: 0, returned: 0, reconciled: 0, unmatched: null };

const verdict = (
  commands: ReadonlyArray<SettlementCommand>,
  outcome: Partial<Outcome> = {},
  progress: Partial<Pick<Verdict, "isNoted" | "isUnfinished">> = {},
): Verdict => ({
  commands,
  isNoted: true,
  isUnfinished: false,
  ...progress,
  outcome: { ...NOTHING, ...outcome },
});

/** The booking changes nothing and is not noted. */
const pass = (unmatched: UnmatchedReason | null): Verdict => verdict([], { unmatched }, { isNoted: false });

const RECONCILE: SettlementCommand = { type: "reconcile", reconciled: true };
const UNRECONCILE: SettlementCommand = { type: "reconcile", reconciled: false };

interface Standing {
  readonly isInFlight: boolean;
  readonly isPaid: boolean;
  readonly isReconciled: boolean;
}

/** The state of the settlement, as far as it is about this payment. */
const standingOf = ({ id }: BankPayment, settlement: Settlement): Standing => {
  const isOwn = settlement.paymentReference === id;
  return {
    isInFlight: isOwn && settlement.status.type === "payment_initiated",
    isPaid: isOwn && settlement.status.type === "paid",
    isReconciled: settlement.reconciliationStatus === "reconciled",
  };
};

const confirm = ({ id }: BankPayment, { bankReference }: StatedBooking): SettlementCommand => ({
  type: "confirm_payment",
  paymentReference: id,
  bankReference,
});

const debit = (payment: BankPayment, settlement: Settlement, booking: StatedBooking): Verdict => {
  const { isInFlight, isPaid, isReconciled } = standingOf(payment, settlement);
  // It was read after its own return: the attempt is over.
  if (payment.bookings.some(({ kind }) => kind === "return")) return verdict([]);
  if (isPaid) return booking.isFinal && !isReconciled ? verdict([RECONCILE], { reconciled: 1 }) : verdict([]);
  const confirmed = confirm(payment, booking);
  if (!isInFlight) return verdict([confirmed], { unmatched: "unexpected" });
  return booking.isFinal
    ? verdict([confirmed, RECONCILE], { confirmed: 1, reconciled: 1 })
    : verdict([confirmed], { confirmed: 1 });
};

const giveBack = (
  payment: BankPayment,
  settlement: Settlement,
  booking: StatedBooking,
  heldByOthers: ReadonlyArray<CommissionId>,
): Verdict => {
  const { isInFlight, isPaid, isReconciled } = standingOf(payment, settlement);
  // Money that came back had left before.
  if (isInFlight)
    return verdict([confirm(payment, booking)], { confirmed: 1 }, { isNoted: false, isUnfinished: true });
  const returned: SettlementCommand = {
    type: "return_payment",
    paymentReference: payment.id,
    reason: booking.reason ?? "returned by the bank",
    heldByOthers,
  };
  const isReturnable =
    isPaid &&
    settlement.status.type === "paid" &&
    settlement.status.method === "webhook" &&
    heldByOthers.length === 0;
  if (!isReturnable) return verdict([returned], { unmatched: "unexpected" });
  return verdict(isReconciled ? [UNRECONCILE, returned] : [returned], { returned: 1 });
};

/**
 * What a booking of a payment does. A bank announces a booking in a notification and repeats it in the statement of the
 * day, so that one of each is one booking; a second one of the same source is left to a person. `heldByOthers` are the
 * settlement's commissions that another open settlement holds.
 */
export const judge = (
  payment: BankPayment,
  settlement: Settlement,
  booking: StatedBooking,
  heldByOthers: ReadonlyArray<CommissionId>,
): Verdict => {
  const same = payment.bookings.filter(({ kind }) => kind === booking.kind);
  const repeated = same.find(({ isFinal }) => isFinal === booking.isFinal);
  if (repeated !== undefined) return pass(repeated.entry === booking.entry ? null : "booked_before");
  if (booking.kind === "debit") return debit(payment, settlement, booking);
  return same.length > 0 ? verdict([]) : giveBack(payment, settlement, booking, heldByOthers);
};
