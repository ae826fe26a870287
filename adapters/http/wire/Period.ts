/** Accounting periods on the wire. */
import { AccountingPeriod, type AccountingPeriods, Timestamp } from "quittance";
import * as Contract from "../api/Periods.ts";
import { recordWriter } from "./Encoding.ts";
import { formatOrNull } from "./Entry.ts";

/** The closed months of a customer. */
export const periods = recordWriter<AccountingPeriods.Periods>()(Contract.PeriodList, {
  periods: [
    {
      from: ({ from }) => formatOrNull(from),
      to: ({ to }) => Timestamp.format(to),
      status: AccountingPeriod.statusOf,
      closed_at: ({ closedAt }) => Timestamp.format(closedAt),
      reopened_at: ({ reopened }) => (reopened === null ? undefined : Timestamp.format(reopened.at)),
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
