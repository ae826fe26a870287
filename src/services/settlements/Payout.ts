/** Where the money of an approved settlement goes: initiating its payment, and choosing another account for it. */
import { Effect, Schema } from "effect";
import { personOf } from "../../domain/Event.ts";
import { optionalKey } from "../../domain/Field.ts";
import { asVersion4, PaymentReference, PayoutAccountId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { accountsOf, approvedAccount, isStillConfirmed } from "../../domain/PartnerAccounts.ts";
import { accountFields, payeeAddress, waitingPayment } from "../../domain/PaymentFile.ts";
import { accountFor, type PayoutAccount, payeeOfApproval } from "../../domain/PayoutAccount.ts";
import type { Payee } from "../../domain/PayoutDetails.ts";
import { type Conflict, conflict, type Invalid, invalid } from "../../domain/Refusal.ts";
import type { Settlement } from "../../domain/Settlement.ts";
import type { SettlementCommandOf } from "../../domain/SettlementMachine.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import { type Payment, type PaymentProviderService, paymentProblem } from "../../ports/Payments.ts";
import type { Change, Records, Requirement, Versioned } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { readPartner } from "./Approval.ts";

/** What choosing an account takes. */
export const ChoosePayoutAccount = Schema.Struct({
  payoutAccountId: optionalKey(
    PayoutAccountId,
    "payout_account_id",
    "A confirmed account of the partner; by default the one for the settlement's currency.",
  ),
});
export type ChoosePayoutAccount = typeof ChoosePayoutAccount.Type;

interface Tools {
  readonly storage: Records;
  readonly ids: IdSourceService;
  readonly provider: PaymentProviderService | null;
}

/** A command, what it relies on, and what is stored with it. */
interface Prepared<Type extends "initiate_payment" | "choose_payout_account"> {
  readonly command: SettlementCommandOf<Type>;
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
}

/** That the partner of a settlement stays as it was read: whoever suspends it or retires an account ends what is paid. */
const unchanged = ({ id, version }: Versioned<Partner>): Requirement => ({
  type: "record",
  kind: "partner",
  id,
  version,
});

const paymentOf = (settlement: Settlement, account: Payee): Payment => ({
  amount: settlement.payableAmount ?? settlement.total,
  ...{ currency: settlement.currency, account },
  ...payeeAddress(settlement),
});

/** Why the payment of an approved settlement could not be made; null when no reason is known. */
const initiationProblem = (provider: Tools["provider"], settlement: Settlement): string | null => {
  const { approval } = settlement;
  const payee = payeeOfApproval(approval);
  if (payee !== null) return paymentProblem(provider, paymentOf(settlement, payee));
  return approval?.payoutAccount === null
    ? "no payout account was confirmed at the approval; choose one for the settlement"
    : "the partner has no bank account";
};

/** Prepares the initiation of a payment under a new reference, to the account of the approval. */
export const prepareInitiation = (
  { storage, ids, provider }: Tools,
  execution: Execution,
  settlement: Versioned<Settlement>,
): Effect.Effect<Prepared<"initiate_payment">, Failure> =>
  Effect.gen(function* () {
    const paymentReference = asVersion4(yield* ids.next(PaymentReference));
    const partner = yield* readPartner(storage, settlement);
    const payee = payeeOfApproval(settlement.approval);
    const waiting =
      provider?.files == null || payee === null
        ? []
        : [Save.flat("bankPayment", execution, waitingPayment(settlement, paymentReference, payee))];
    return {
      command: {
        type: "initiate_payment",
        paymentReference,
        isSuspended: partner.status === "suspended",
        isRetired: payee !== null && !isStillConfirmed(partner, settlement.approval),
        problem: initiationProblem(provider, settlement),
      },
      requires: [unchanged(partner)],
      changes: waiting,
    };
  });

/** The account that a request chooses, if it is confirmed for the settlement's currency. */
const chosenBy = (
  { payoutAccountId }: ChoosePayoutAccount,
  partner: Partner,
  { currency }: Settlement,
): PayoutAccount | Invalid | Conflict => {
  const accounts = accountsOf(partner);
  const account =
    payoutAccountId === undefined
      ? accountFor(accounts, currency)
      : (accounts.find(({ id }) => id === payoutAccountId) ?? null);
  if (account === null)
    return payoutAccountId === undefined
      ? conflict("payout_account", `the partner has no confirmed payout account for ${currency}`)
      : invalid("payout_account_id", "must be the id of a payout account of the partner");
  if (account.currency !== null && account.currency !== currency)
    return invalid("payout_account_id", `is an account for ${account.currency}, not for ${currency}`);
  return account.status === "confirmed"
    ? account
    : conflict("payout_account", `the account is ${account.status}`);
};

/** The payment of a settlement that waits for a file, to another account. */
const redirect = (
  { storage, provider }: Tools,
  execution: Execution,
  settlement: Settlement,
  account: Payee,
): Effect.Effect<ReadonlyArray<Change>, Failure> =>
  Effect.gen(function* () {
    const { customerId, paymentReference, status } = settlement;
    if (status.type !== "payment_initiated" || paymentReference === null) return [];
    const [payment] = yield* storage.find(customerId, "bankPayment", [paymentReference]);
    if (payment === undefined || !payment.isWaiting || payment.fileId !== null) return [];
    const problem = paymentProblem(provider, paymentOf(settlement, account));
    if (problem !== null) return yield* conflict("payout_unavailable", problem);
    const { account: _, ...rest } = payment;
    return [Save.flat("bankPayment", execution, { ...rest, ...accountFields(account) })];
  });

/** Prepares that an approved settlement goes to a confirmed account of its partner. */
export const prepareChoice = (
  tools: Tools,
  execution: Execution,
  settlement: Versioned<Settlement>,
  request: ChoosePayoutAccount,
): Effect.Effect<Prepared<"choose_payout_account">, Failure> =>
  Effect.gen(function* () {
    const partner = yield* readPartner(tools.storage, settlement);
    const account = chosenBy(request, partner, settlement);
    if (!("details" in account)) return yield* account;
    const changes = yield* redirect(tools, execution, settlement, account);
    return {
      command: {
        type: "choose_payout_account",
        account: approvedAccount(account),
        isProposer: account.proposedBy === personOf(execution),
        isWaiting: changes.length > 0,
      },
      requires: [unchanged(partner)],
      changes,
    };
  });
