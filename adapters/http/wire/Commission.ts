/** Commissions on the wire. */
import { type Commissions, Ledger, type Storage, Timestamp } from "quittance";
import type * as Contract from "../api/Commissions.ts";

type Row = Storage.Listed["commission"];

const entry = ({ at, event }: Row["events"][number]): string =>
  `{"datetime":"${Timestamp.format(at)}","event":${JSON.stringify(event)}}`;

/**
 * A commission as lists show it (`Contract.Commission`), as JSON text, like attributions; settled and due follow from
 * what is stored.
 */
export const commission = (row: Row): string => {
  const events = row.events.map(entry).join(",");
  const amounts = `"computed_amount":${row.computedAmount},"settlement_status":"${Ledger.settlementStatus(row)}","settled_amount":${Ledger.settled(row)},"pending_amount":${row.pendingAmount},"due_amount":${Ledger.due(row)}`;
  const view = `"created_at":"${Timestamp.format(row.createdAt)}",${amounts},"formula_version":${row.formulaVersion},"computation_error":${JSON.stringify(row.computationError)}`;
  return `{"id":"${row.id}","partner_id":"${row.partnerId}","attribution_id":"${row.attributionId}","customer_id":"${row.customerId}","commission_formula_id":"${row.formulaId}","workspace_id":"${row.workspaceId}","currency":"${row.currency}","events":[${events}],"view":{${view}}}`;
};

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
