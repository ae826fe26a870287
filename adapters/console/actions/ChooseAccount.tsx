/** Choosing the account to which an approved settlement is paid. */
import type { PayoutAccount } from "../api/Records.ts";
import { money } from "../format/Money.ts";
import { Choices, text } from "../parts/Forms.tsx";
import { ACCOUNT_TYPES, accountName, accountsFor, accountWords } from "../words/AccountWords.ts";
import { type Action, lacksAccount, type Subject } from "./Action.ts";

const choose = (subject: Subject, possible: ReadonlyArray<PayoutAccount>): Action => ({
  id: "choose-payout-account",
  words: "Choose another account",
  scope: "settlements:approve",
  isMain: lacksAccount(subject),
  consequence: ({ settlement }) => [
    `${money(settlement.payableAmount ?? settlement.total, settlement.currency)} is paid to the account that you choose${
      settlement.payoutAccount == null ? "" : `, instead of ${accountName(settlement.payoutAccount)}`
    }.`,
    "Documents that exist keep the account that they print. The person that proposed an account may not choose it.",
  ],
  fields: () => (
    <Choices
      name="account"
      legend="Account"
      value={possible[0]?.id ?? ""}
      options={possible.map((account) => ({
        value: account.id,
        words: accountWords(account.details),
        meaning: `${ACCOUNT_TYPES[account.type]}${account.currency === undefined ? "" : `, for ${account.currency}`}.`,
      }))}
    />
  ),
  run: (commands, { settlement }, fields) =>
    commands.settlements.choosePayoutAccount(settlement.id, { payoutAccountId: text(fields, "account") }),
});

/** The action where the partner has a confirmed account for the currency other than that of the settlement; else none. */
export const chooseAccount = (subject: Subject): ReadonlyArray<Action> => {
  const { settlement, accounts = [] } = subject;
  const possible = accountsFor(accounts, settlement.currency).filter(
    ({ id }) => id !== settlement.payoutAccount?.id,
  );
  // Without the account of an approval, the bank account is the only one as long as there are no others.
  const hasOthers = settlement.payoutAccount !== undefined || accounts.length > 1;
  return settlement.total > 0 && hasOthers && possible.length > 0 ? [choose(subject, possible)] : [];
};
