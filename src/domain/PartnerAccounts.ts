/** The payout accounts of a partner: those of its record, or the bank account of its billing data as long as it has no others. */
import type { Currency } from "./Currency.ts";
import { type Actor, type Entry, shownActor } from "./Event.ts";
import type { PartnerId, PayoutAccountId } from "./Ids.ts";
import { sameJson } from "./Json.ts";
import { namedId } from "./NamedId.ts";
import {
  type AccountEvent,
  type BankAccount,
  type Change,
  fingerprintOf,
  type Partner,
  type PartnerEvent,
} from "./Partner.ts";
import {
  type Acting,
  type Approval,
  type ApprovedAccount,
  accountFor,
  type Moved,
  type PayoutAccount,
  type Proposal,
  type Step,
  stateBankAccount,
} from "./PayoutAccount.ts";
import { mask, payeeOf } from "./PayoutDetails.ts";

/** The id of the account that the billing data of a partner alone states: the same for the same account. */
export const statedId = (id: PartnerId, { beneficiaryName, iban, bic }: BankAccount): PayoutAccountId =>
  namedId("payout account", id, beneficiaryName, iban, bic) as PayoutAccountId;

type Holder = Pick<Partner, "id" | "createdAt" | "selfBillingData" | "payoutAccounts">;

/** Every account of a partner, the oldest first. The bank account of one that has never had others is confirmed. */
export const accountsOf = ({
  id,
  createdAt,
  selfBillingData,
  payoutAccounts,
}: Holder): ReadonlyArray<PayoutAccount> => {
  if (payoutAccounts !== null) return payoutAccounts;
  if (selfBillingData === null) return [];
  const { bankAccount } = selfBillingData;
  const stated: PayoutAccount = {
    ...payeeOf(bankAccount),
    id: statedId(id, bankAccount),
    currency: null,
    status: "confirmed",
    proposedAt: createdAt,
    proposedBy: null,
    rule: { isSecondPerson: false, hours: 0 },
    confirmedAt: createdAt,
    confirmedBy: null,
    retiredAt: null,
    isBankAccount: true,
  };
  return [stated];
};

/** True if the log of a partner shows that it ever had an account. */
export const hasHeldAccount = (log: ReadonlyArray<Entry<PartnerEvent>>): boolean =>
  log.some(
    ({ event }) =>
      event.type === "propose_payout_account" || ("bank_account" in event && event.bank_account != null),
  );

const eventOf = ({ type, account }: Step, by: Actor, stored: { readonly sha256: string }): AccountEvent => {
  const actor = shownActor(by);
  if (type !== "propose") return { type: `${type}_payout_account`, actor, account_id: account.id, stored };
  return {
    type: "propose_payout_account",
    actor,
    account_id: account.id,
    account_type: account.type,
    currency: account.currency,
    details: mask(account),
    stored,
  };
};

/** A change of a partner, and then of its accounts. Each of its events has the fingerprint of what it leaves. */
export const withMoved = ({ data, events }: Change, { accounts, steps }: Moved, by: Actor): Change => {
  if (steps.length === 0) return { data, events };
  const after = { ...data, payoutAccounts: accounts };
  const stored = { sha256: fingerprintOf(after) };
  const restated = events.map((event) => ("stored" in event ? { ...event, stored } : event));
  return { data: after, events: [...restated, ...steps.map((step) => eventOf(step, by, stored))] };
};

/** True if an update states a bank account that the partner did not have. */
export const statesOther = (before: Partner, { data }: Change): boolean => {
  const stated = data.selfBillingData?.bankAccount;
  return stated !== undefined && !sameJson(stated, before.selfBillingData?.bankAccount);
};

/** An update that states another bank account, which is a proposal too. */
export const withStated = (
  before: Partner,
  change: Change,
  proposal: Pick<Proposal, "id" | "isFirst">,
  by: Acting,
): Change => {
  const stated = change.data.selfBillingData?.bankAccount;
  if (stated === undefined) return change;
  const { type, details } = payeeOf(stated);
  const whole = { ...proposal, type, details, currency: null, isBankAccount: true };
  return withMoved(change, stateBankAccount(accountsOf(before), whole, by), by);
};

/** The account that an approval fixes; absent for a partner whose billing data alone states it. */
export const approvedFor = (
  { payoutAccounts }: Pick<Partner, "payoutAccounts">,
  currency: Currency,
): Pick<Approval, "payoutAccount"> => {
  if (payoutAccounts === null) return {};
  return { payoutAccount: approvedAccount(accountFor(payoutAccounts, currency)) };
};

/** What an approval keeps of an account. */
export const approvedAccount = <Account extends PayoutAccount | null>(
  account: Account,
): ApprovedAccount | (Account & null) =>
  account === null
    ? (account as Account & null)
    : { id: account.id, type: account.type, details: account.details };

/** True if the account of an approval may still be paid: it is confirmed, or the partner has never had others than its bank account. */
export const isStillConfirmed = (
  { id, payoutAccounts }: Pick<Partner, "id" | "payoutAccounts">,
  approval: Approval | null,
): boolean => {
  if (payoutAccounts === null || approval === null) return true;
  const { payoutAccount, selfBillingData } = approval;
  const own =
    payoutAccount === undefined && selfBillingData !== null
      ? statedId(id, selfBillingData.bankAccount as BankAccount)
      : payoutAccount?.id;
  return payoutAccounts.some((account) => account.id === own && account.status === "confirmed");
};
