/** Commissions on the wire. */
import { type Commissions, Ledger, type Storage, Timestamp } from "quittance";
import type * as Contract from "../api/Commissions.ts";
import { entries, same } from "./Entry.ts";

/** A commission as lists show it; settled and due follow from what is stored. */
export const commission = (row: Storage.Listed["commission"]): typeof Contract.Commission.Type => ({
  id: row.id,
  partner_id: row.partnerId,
  attribution_id: row.attributionId,
  customer_id: row.customerId,
  commission_formula_id: row.formulaId,
  workspace_id: row.workspaceId,
  currency: row.currency,
  events: entries(row.events, same),
  view: {
    created_at: Timestamp.format(row.createdAt),
    computed_amount: row.computedAmount,
    settlement_status: Ledger.settlementStatus(row),
    settled_amount: Ledger.settled(row),
    pending_amount: row.pendingAmount,
    due_amount: Ledger.due(row),
    formula_version: row.formulaVersion,
    computation_error: row.computationError,
  },
});

/** How a commission's amount comes about. */
export const explanation = ({
  commissionId,
  amount,
  basis,
  formulaVersion,
  explanation: derivation,
}: Commissions.Explained): typeof Contract.Explanation.Type => ({
  commission_id: commissionId,
  amount,
  basis,
  formula_version: formulaVersion,
  trace: derivation?.trace ?? null,
});

interface ClassSums {
  readonly count: number;
  readonly amounts: ReadonlyArray<{ readonly currency: string; readonly amount: bigint }>;
}

interface Sums {
  readonly count: number;
  readonly settled: ClassSums;
  readonly unsettled: ClassSums;
}

const classSums = ({ count, amounts }: ClassSums): string => {
  const written = amounts.map(
    ({ currency, amount }) => `{"currency":${JSON.stringify(currency)},"amount":${amount}}`,
  );
  return `{"count":${count},"amounts":[${written.join(",")}]}`;
};

const sums = ({ count, settled, unsettled }: Sums): string =>
  `"count":${count},"settled":${classSums(settled)},"unsettled":${classSums(unsettled)}`;

/** Statistics as JSON text: sums beyond what a number holds are written with all their digits. */
export const statistics = ({
  summary,
  buckets,
}: {
  readonly summary: Sums;
  readonly buckets: ReadonlyArray<Sums & { readonly timestamp: Timestamp.Timestamp }>;
}): string => {
  const written = buckets.map(
    (bucket) => `{"timestamp":"${Timestamp.format(bucket.timestamp)}",${sums(bucket)}}`,
  );
  return `{"summary":{${sums(summary)}},"buckets":[${written.join(",")}]}`;
};
