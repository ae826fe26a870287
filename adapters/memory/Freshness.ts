/** True if a draft still settles what its commissions are due. */
import { Ledger } from "quittance";
import type { Partition } from "./Store.ts";

/** True if the settlement is a draft with a line that differs from what its commission is due now. */
export const isStale = (partition: Partition, settlementId: string): boolean =>
  partition.rows.settlement.get(settlementId)?.status.type === "draft" &&
  (partition.lines.get(settlementId) ?? []).some(({ commissionId, amount }) => {
    const commission = partition.rows.commission.get(commissionId);
    return commission === undefined || Ledger.due(commission) !== amount;
  });
