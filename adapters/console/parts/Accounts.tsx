/** How the payout accounts of a partner are listed: for the team, and for the partner itself. */
import type { PayoutAccount } from "../api/Records.ts";
import { ACCOUNT_TYPES, accountWords } from "../words/AccountWords.ts";
import { t } from "../words/Language.ts";
import type { Column } from "./Table.tsx";

/** What waits for somebody first, what is over last; of each state the newest first. */
export const byState = (accounts: ReadonlyArray<PayoutAccount>): ReadonlyArray<PayoutAccount> =>
  (["proposed", "confirmed", "retired"] as const).flatMap((status) =>
    accounts.filter((account) => account.status === status).toReversed(),
  );

/** The column of the account itself. */
export const ACCOUNT: Column<PayoutAccount> = {
  name: "Account",
  show: ({ type, details }) => (
    <>
      {accountWords(details)}
      <span class="under">{t(ACCOUNT_TYPES[type])}</span>
    </>
  ),
};
