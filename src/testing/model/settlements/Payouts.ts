/** The model of how an approved settlement is paid: initiating and failing its payment, and choosing another account for it. */
import type { Payee } from "../../../domain/PayoutDetails.ts";
import type { Action } from "../Command.ts";
import { accept, conflict, type Decision, refuse, STATE_CONFLICT } from "../prediction/Prediction.ts";
import { accountFor, accountsOf, isStillConfirmed, PAID_TYPES, payeeOf } from "../records/PayoutAccounts.ts";
import { currentPayment, withPayments } from "../world/BankPayments.ts";
import { moveSettlement, total } from "../world/Lines.ts";
import type { BankPayment } from "../world/PaymentFiles.ts";
import type { Settlement } from "../world/Settlements.ts";
import { accepts } from "../world/States.ts";
import { decidingAmount } from "../world/Taxes.ts";
import type { World } from "../world/World.ts";

const LENGTHS: Readonly<Record<string, number>> = { DK: 18, NO: 15, DE: 22, FR: 27 };

/** The check of ISO 13616, digit by digit, for the countries of {@link LENGTHS}. */
const isIban = (iban: string): boolean => {
  if (LENGTHS[iban.slice(0, 2)] !== iban.length) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)]
    .map((item) => (item >= "A" ? String(item.charCodeAt(0) - 55) : item))
    .join("");
  return BigInt(digits) % 97n === 1n;
};

/** True if the account can be paid: its type is taken, and with an IBAN, a BIC is of its country. */
const isPayable = ({ type, details: { iban = "", bic = "" } }: Payee): boolean =>
  type === "iban"
    ? isIban(iban) && (bic === "" || bic.slice(4, 6) === iban.slice(0, 2))
    : PAID_TYPES.some((paid) => paid === type);

/**
 * Chooses a confirmed account of the partner for an approved settlement, by a person that did not propose it. A payment under way goes
 * there only while it waits for a file.
 */
export const choosePayoutAccount = (
  world: World,
  settlement: Settlement,
  { payoutAccountId }: Extract<Action, { type: "choose_payout_account" }>,
  person: string,
): Decision => {
  const partner = world.partners.find(({ id }) => id === settlement.partnerId);
  const accounts = partner === undefined ? [] : accountsOf(partner);
  const account =
    payoutAccountId === undefined
      ? accountFor(accounts, settlement.currency)
      : (accounts.find(({ id }) => id === payoutAccountId) ?? null);
  if (account === null) return payoutAccountId === undefined ? conflict("payout_account") : refuse("Invalid");
  if (account.currency !== null && account.currency !== settlement.currency) return refuse("Invalid");
  if (account.status !== "confirmed") return conflict("payout_account");
  const { id, type, details } = account;
  const payment =
    settlement.status.type === "payment_initiated" ? currentPayment(world, settlement) : undefined;
  const isWaiting = payment?.isWaiting === true;
  if (isWaiting && !isPayable(account)) return conflict("payout_unavailable");
  if (!isWaiting && !accepts(settlement, "choose_payout_account")) return STATE_CONFLICT;
  if (account.proposedBy === person) return conflict("four_eyes");
  return accept(() =>
    moveSettlement(
      isWaiting ? withPayments(world, (one) => one === payment, { account: { type, details } }) : world,
      settlement,
      "choose_payout_account",
      { payoutAccount: { id, type, details } },
      { account_id: id, account_type: type },
    ),
  );
};

export const initiatePayment = (world: World, settlement: Settlement): Decision => {
  if (!accepts(settlement, "initiate_payment")) return conflict("settlement_state", "payout_unavailable");
  const partner = world.partners.find(({ id }) => id === settlement.partnerId);
  if (partner?.status === "suspended") return conflict("partner_suspended");
  if (settlement.taxReview !== null) return conflict("tax_review");
  const payable = world.policy.payouts && decidingAmount(settlement) > 0;
  const payee = payeeOf(settlement);
  if (!payable) return conflict("payout_unavailable");
  if (partner !== undefined && payee !== null && !isStillConfirmed(partner, settlement))
    return conflict("payout_account");
  if (payee === null || !isPayable(payee)) return conflict("payout_unavailable");
  const attempt = settlement.attempt + 1;
  const change: Partial<Settlement> = { attempt, hasReference: true };
  const { id: settlementId, customerId, currency, payableAmount } = settlement;
  const waiting: BankPayment = {
    ...{ customerId, settlementId, attempt, currency, account: payee, bookings: [] },
    ...{ amount: payableAmount ?? total(settlement), fileId: null, isWaiting: true },
  };
  const after = world.policy.files ? { ...world, bankPayments: [...world.bankPayments, waiting] } : world;
  return accept(() => moveSettlement(after, settlement, "initiate_payment", change, { attempt }));
};

/** Stands for the bank's reference where a person has reported a rejection. */
const BY_PERSON = "reported by a person";

/** What a failed payment changes in addition to the state. */
export const NOT_PAID: Partial<Settlement> = { hasReference: false, handedOver: undefined };

/** A person knows that the bank, which has the file, does not carry a payment out. */
export const failPayment = (world: World, settlement: Settlement, reason: string): Decision => {
  if (!accepts(settlement, "fail_payment") || settlement.handedOver === undefined) return STATE_CONFLICT;
  const payment = currentPayment(world, settlement);
  if (payment === undefined) return STATE_CONFLICT;
  const isRejected = payment.bookings.some(({ kind }) => kind === "rejection");
  const bookings = isRejected
    ? payment.bookings
    : [...payment.bookings, { kind: "rejection", entry: BY_PERSON, isFinal: false } as const];
  return accept(() =>
    moveSettlement(
      withPayments(world, (one) => one === payment, { bookings }),
      settlement,
      "fail_payment",
      NOT_PAID,
      { reason },
    ),
  );
};
