/** Choosing the account to which an approved settlement is paid. */
import type { PayoutAccount } from "../api/Records.ts";
import { money } from "../format/Money.ts";
import { Choices, text } from "../parts/Forms.tsx";
import { ACCOUNT_TYPES, accountName, accountsFor, accountWords } from "../words/AccountWords.ts";
import { lacksAccount, type PossibleAction, type Subject } from "./Action.ts";

/** The confirmed accounts of the partner for the currency, other than that of the settlement. */
const others = ({ settlement, accounts = [] }: Subject): ReadonlyArray<PayoutAccount> =>
  accountsFor(accounts, settlement.currency).filter(({ id }) => id !== settlement.payoutAccount?.id);

/** True where there is another account, and money for it that is in no file of payments. */
const isPossible = (subject: Subject): boolean => {
  const { settlement, accounts = [] } = subject;
  // Where the approval states no account, it is the bank account of the billing data, the only one as long as there are no others.
  const hasOthers = settlement.payoutAccount !== undefined || accounts.length > 1 || lacksAccount(subject);
  const isInNoFile =
    settlement.status.type !== "payment_initiated" || settlement.paymentFileStatus === "awaited";
  return isInNoFile && settlement.total > 0 && hasOthers && others(subject).length > 0;
};

export const chooseAccount: PossibleAction = {
  id: "choose-payout-account",
  words: "Choose another account",
  scope: "settlements:approve",
  isMain: lacksAccount,
  isPossible,
  consequence: ({ settlement }) => [
    `${money(settlement.payableAmount ?? settlement.total, settlement.currency)} is paid to the account that you choose${
      settlement.payoutAccount == null ? "" : `, instead of ${accountName(settlement.payoutAccount)}`
    }.`,
    "Documents that exist keep the account that they print. The person that proposed an account may not choose it.",
  ],
  fields: (subject) => (
    <Choices
      name="account"
      legend="Account"
      value={others(subject)[0]?.id ?? ""}
      options={others(subject).map((account) => ({
        value: account.id,
        words: accountWords(account.details),
        meaning: `${ACCOUNT_TYPES[account.type]}${account.currency === undefined ? "" : `, for ${account.currency}`}.`,
      }))}
    />
  ),
  run: (commands, { settlement }, fields) =>
    commands.settlements.choosePayoutAccount(settlement.id, { payoutAccountId: text(fields, "account") }),
};
