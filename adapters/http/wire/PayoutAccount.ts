/** Payout accounts on the wire. */
import { type PayoutAccounts, Timestamp } from "quittance";
import * as Contract from "../api/PayoutAccounts.ts";
import { recordWriter } from "./Encoding.ts";
import { formatOrNull } from "./Entry.ts";

/** The accounts of a partner. */
export const payoutAccounts = recordWriter<{
  readonly payoutAccounts: ReadonlyArray<PayoutAccounts.ShownAccount>;
}>()(Contract.PayoutAccounts, {
  payout_accounts: [
    {
      proposed_at: ({ proposedAt }) => Timestamp.format(proposedAt),
      confirmable_from: ({ confirmable }) => formatOrNull(confirmable?.from ?? null),
      needs_second_person: ({ confirmable }) => confirmable?.isSecondPerson ?? false,
      confirmed_at: ({ confirmedAt }) => formatOrNull(confirmedAt),
      retired_at: ({ retiredAt }) => formatOrNull(retiredAt),
    },
  ],
});
