/** Payout accounts on the wire. */
import { type PayoutAccount, Timestamp } from "quittance";
import * as Contract from "../api/PayoutAccounts.ts";
import { recordWriter } from "./Encoding.ts";
import { formatOrNull } from "./Entry.ts";

/** The accounts of a partner. */
export const payoutAccounts = recordWriter<{
  readonly payoutAccounts: ReadonlyArray<PayoutAccount.PayoutAccount>;
}>()(Contract.PayoutAccounts, {
  payout_accounts: [
    {
      proposed_at: ({ proposedAt }) => Timestamp.format(proposedAt),
      confirmed_at: ({ confirmedAt }) => formatOrNull(confirmedAt),
      retired_at: ({ retiredAt }) => formatOrNull(retiredAt),
    },
  ],
});
