/** What a bank's booking of a payment does to its settlement: the rules of statements. */
import type { CommissionId } from "./Ids.ts";
import type { BankPayment, Booking, UnmatchedReason } from "./PaymentFile.ts";
import type { Settlement } from "./Settlement.ts";
import type { SettlementCommand } from "./SettlementCommand.ts";

/** A booking, as its statement describes it. */
export interface StatementBooking extends Booking {
  readonly bankReference: string | null;
  readonly reason: string | null;
}

/** The effect of a booking; the counts are of settlements. */
export interface Outcome {
  readonly confirmed: number;
  readonly returned: number;
  readonly reconciled: number;
  readonly failed: number;
  /** Why a person should look at the movement; null when it fits. */
  readonly unmatched: UnmatchedReason | null;
}

/** The decision on a booking. */
export interface Decision {
  readonly commands: ReadonlyArray<SettlementCommand>;
  /** True if the booking is stored as applied. */
  readonly isNoted: boolean;
  /** True if the booking is to be decided again after these commands. */
  readonly isUnfinished: boolean;
  readonly outcome: Outcome;
}

const NOTHING: Outcome = { confirmed: 0, returned: 0, reconciled: 0, failed: 0, unmatched: null };

const decision = (
  commands: ReadonlyArray<SettlementCommand>,
  outcome: Partial<Outcome> = {},
  progress: Partial<Pick<Decision, "isNoted" | "isUnfinished">> = {},
): Decision => ({
  commands,
  isNoted: true,
  isUnfinished: false,
  ...progress,
  outcome: { ...NOTHING, ...outcome },
});

/** The booking changes nothing and is not stored. */
const ignore = (unmatched: UnmatchedReason | null): Decision =>
  decision([], { unmatched }, { isNoted: false });

const RECONCILE: SettlementCommand = { type: "reconcile", reconciled: true };
const UNRECONCILE: SettlementCommand = { type: "reconcile", reconciled: false };

interface PaymentState {
  readonly isInFlight: boolean;
  readonly isPaid: boolean;
  readonly isReconciled: boolean;
}

/** The state of the settlement, as far as it is about this payment. */
const paymentStateOf = ({ id }: BankPayment, settlement: Settlement): PaymentState => {
  const isOwn = settlement.paymentReference === id;
  return {
    isInFlight: isOwn && settlement.status.type === "payment_initiated",
    isPaid: isOwn && settlement.status.type === "paid",
    isReconciled: settlement.reconciliationStatus === "reconciled",
  };
};

const confirm = ({ id }: BankPayment, { bankReference }: StatementBooking): SettlementCommand => ({
  type: "confirm_payment",
  paymentReference: id,
  bankReference,
  amounts: {},
});

const decideDebit = (payment: BankPayment, settlement: Settlement, booking: StatementBooking): Decision => {
  const { isInFlight, isPaid, isReconciled } = paymentStateOf(payment, settlement);
  // It was read after its own return: the attempt is over.
  if (payment.bookings.some(({ kind }) => kind === "return")) return decision([]);
  if (isPaid)
    return booking.isFinal && !isReconciled ? decision([RECONCILE], { reconciled: 1 }) : decision([]);
  const confirmed = confirm(payment, booking);
  if (!isInFlight) return decision([confirmed], { unmatched: "unexpected" });
  return booking.isFinal
    ? decision([confirmed, RECONCILE], { confirmed: 1, reconciled: 1 })
    : decision([confirmed], { confirmed: 1 });
};

const decideReturn = (
  payment: BankPayment,
  settlement: Settlement,
  booking: StatementBooking,
  heldByOthers: ReadonlyArray<CommissionId>,
): Decision => {
  const { isInFlight, isPaid, isReconciled } = paymentStateOf(payment, settlement);
  // A payment that was returned has been made.
  if (isInFlight)
    return decision([confirm(payment, booking)], { confirmed: 1 }, { isNoted: false, isUnfinished: true });
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
  if (!isReturnable) return decision([returned], { unmatched: "unexpected" });
  return decision(isReconciled ? [UNRECONCILE, returned] : [returned], { returned: 1 });
};

const decideRejection = (
  payment: BankPayment,
  settlement: Settlement,
  { reason }: StatementBooking,
): Decision => {
  const { isInFlight, isPaid } = paymentStateOf(payment, settlement);
  const failed: SettlementCommand = {
    type: "fail_payment",
    paymentReference: payment.id,
    reason: reason ?? "rejected by the bank",
  };
  if (isInFlight) return decision([failed], { failed: 1 });
  // An attempt that is over has nothing to fail; a payment that was made cannot have been rejected.
  return isPaid ? decision([failed], { unmatched: "unexpected" }) : ignore(null);
};

/**
 * What a booking of a payment does. A bank announces a booking in a notification and repeats it in the statement of the
 * day, so that one of each is one booking; a second one of the same source is left to a person. `heldByOthers` are the
 * settlement's commissions that another open settlement holds.
 */
export const decide = (
  payment: BankPayment,
  settlement: Settlement,
  booking: StatementBooking,
  heldByOthers: ReadonlyArray<CommissionId>,
): Decision => {
  const same = payment.bookings.filter(({ kind }) => kind === booking.kind);
  const repeated = same.find(({ isFinal }) => isFinal === booking.isFinal);
  if (booking.kind === "rejection")
    return repeated === undefined ? decideRejection(payment, settlement, booking) : ignore(null);
  if (repeated !== undefined) return ignore(repeated.entry === booking.entry ? null : "booked_before");
  if (booking.kind === "debit") return decideDebit(payment, settlement, booking);
  return same.length > 0 ? decision([]) : decideReturn(payment, settlement, booking, heldByOthers);
};
