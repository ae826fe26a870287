/** Accounting periods on the wire. */
import { AccountingPeriod, type AccountingPeriods } from "quittance";
import * as Contract from "../api/Periods.ts";
import { recordWriter } from "./Encoding.ts";

/** The closed months of a customer. */
export const periods = recordWriter<AccountingPeriods.Periods>()(Contract.PeriodList, {
  periods: [
    {
      status: AccountingPeriod.statusOf,
      reopened_at: ({ reopened }) => reopened?.at,
      reopened_by: ({ reopened }) => reopened?.by,
      reopen_reason: ({ reopened }) => reopened?.reason,
      journal: ({ journal }) =>
        journal && {
          ...journal,
          totals: journal.totals.map(({ debit, credit, ...of }) => ({
            ...of,
            ...{ debit: BigInt(debit), credit: BigInt(credit) },
          })),
        },
    },
  ],
});
