/** Payout accounts on the wire. */
import type { PayoutAccounts } from "quittance";
import * as Contract from "../api/PayoutAccounts.ts";
import { recordWriter } from "./Encoding.ts";

/** The accounts of a partner. */
export const payoutAccounts = recordWriter<{
  readonly payoutAccounts: ReadonlyArray<PayoutAccounts.ShownAccount>;
}>()(Contract.PayoutAccounts, {
  payout_accounts: [
    {
      proposed_by_partner: ({ byPartner }) => byPartner !== undefined,
      confirmable_from: ({ confirmable }) => confirmable?.from ?? null,
      needs_second_person: ({ confirmable }) => confirmable?.isSecondPerson ?? false,
    },
  ],
});
