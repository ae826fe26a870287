/** Statistics: counts and sums of the records created in a span, by bucket. */
import { Ledger, type Storage } from "quittance";
import { indexAt } from "./Order.ts";
import { owned } from "./Page.ts";
import { join, type Partition } from "./Store.ts";

/** The last start that is not after the moment. */
const bucketOf = (starts: ReadonlyArray<number>, moment: number): number => {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

const counted = <Kind extends "attribution" | "commission">(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  { from, to, where }: Storage.TallyQuery,
): ReadonlyArray<Storage.Versioned<Storage.Rows[Kind]>> =>
  partitions.flatMap((partition) => {
    const rows: Map<string, Storage.Versioned<Storage.Rows[Kind]>> = partition.rows[kind];
    const order = partition.order.get(kind) ?? [];
    const test = owned(kind, where);
    return order.slice(indexAt(order, from), indexAt(order, to)).flatMap(({ id }) => {
      const row = rows.get(id);
      return row !== undefined && test(row) ? [row] : [];
    });
  });

/** Attributions by bucket and status. */
export const attributions = (
  partitions: ReadonlyArray<Partition>,
  query: Storage.TallyQuery,
): ReadonlyArray<Storage.AttributionTally> => {
  const tallies = new Map<string, Storage.AttributionTally>();
  for (const { status, createdAt } of counted(partitions, "attribution", query)) {
    const bucket = bucketOf(query.bucketStarts, createdAt);
    const key = join(String(bucket), status);
    tallies.set(key, { bucket, status, count: (tallies.get(key)?.count ?? 0) + 1 });
  }
  return [...tallies.values()];
};

/** Commissions by bucket, status and currency, with what is settled and what is due. */
export const commissions = (
  partitions: ReadonlyArray<Partition>,
  query: Storage.TallyQuery,
): ReadonlyArray<Storage.CommissionTally> => {
  const tallies = new Map<string, Storage.CommissionTally>();
  for (const commission of counted(partitions, "commission", query)) {
    const bucket = bucketOf(query.bucketStarts, commission.createdAt);
    const settlementStatus = Ledger.settlementStatus(commission);
    const { currency } = commission;
    const key = join(String(bucket), settlementStatus, currency);
    const before = tallies.get(key);
    tallies.set(key, {
      bucket,
      settlementStatus,
      currency,
      count: (before?.count ?? 0) + 1,
      settledAmount: (before?.settledAmount ?? 0n) + BigInt(Ledger.settled(commission)),
      dueAmount: (before?.dueAmount ?? 0n) + BigInt(Ledger.due(commission)),
    });
  }
  return [...tallies.values()];
};
