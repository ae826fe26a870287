/** Statistics: counts and sums of the attributions that occurred in a span, or of their commissions, by bucket. */
import { Ledger, Money, type Storage } from "quittance";
import { ownershipTest } from "./Matches.ts";
import { indexAt } from "./Order.ts";
import { join, type Partition } from "./Store.ts";

/** The index of the last start that is not after the moment. */
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

/** A sale is counted once, and with a filter on partners once for each of them. */
const isCountedOnce = (
  { originId, credit }: Storage.Rows["attribution"],
  { partnerIds }: Storage.OwnershipFilters,
): boolean => (partnerIds === undefined ? originId === null : credit?.further === undefined);

type Group<Row> = [Row, ...Array<Row>];

/** The rows of the span that pass the ownership filters, grouped by key. */
const groupRows = <Kind extends "attribution" | "commission">(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  { from, to, where }: Storage.StatisticsQuery,
  key: (row: Storage.Versioned<Storage.Rows[Kind]>) => string,
): Iterable<Group<Storage.Versioned<Storage.Rows[Kind]>>> => {
  const groups = new Map<string, Group<Storage.Versioned<Storage.Rows[Kind]>>>();
  const isOwn = ownershipTest(where);
  const isCounted = (row: Storage.Versioned<Storage.Rows[Kind]>): boolean =>
    isOwn(row) && (!("originId" in row) || isCountedOnce(row, where));
  for (const partition of partitions) {
    const rows: Map<string, Storage.Versioned<Storage.Rows[Kind]>> = partition.rows[kind];
    const order = partition.occurrences.get(kind) ?? [];
    const end = indexAt(order, to);
    for (let index = indexAt(order, from); index < end; index++) {
      const row = rows.get(order[index]?.id ?? "");
      if (row === undefined || !isCounted(row)) continue;
      const name = key(row);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [row]);
      else group.push(row);
    }
  }
  return groups.values();
};

/** Attributions by bucket and status. */
export const attributions = (
  partitions: ReadonlyArray<Partition>,
  query: Storage.StatisticsQuery,
): ReadonlyArray<Storage.AttributionStatistic> => {
  const bucket = (occurredAt: number) => bucketOf(query.bucketStarts, occurredAt);
  const groups = groupRows(partitions, "attribution", query, (row) =>
    join(String(bucket(row.occurredAt)), row.status),
  );
  return Array.from(groups, (group) => ({
    bucket: bucket(group[0].occurredAt),
    status: group[0].status,
    count: group.length,
  }));
};

/** Commissions by bucket, status and currency, with what is settled and what is due. */
export const commissions = (
  partitions: ReadonlyArray<Partition>,
  query: Storage.StatisticsQuery,
): ReadonlyArray<Storage.CommissionStatistic> => {
  const bucket = (occurredAt: number) => bucketOf(query.bucketStarts, occurredAt);
  const groups = groupRows(partitions, "commission", query, (row) =>
    join(String(bucket(row.occurredAt)), Ledger.settlementStatus(row), row.currency),
  );
  return Array.from(groups, (group) => ({
    bucket: bucket(group[0].occurredAt),
    settlementStatus: Ledger.settlementStatus(group[0]),
    currency: group[0].currency,
    count: group.length,
    settledAmount: Money.sum(group.map(Ledger.settledAmount)),
    unsettledAmount: Money.sum(group.map(Ledger.unsettledAmount)),
  }));
};
