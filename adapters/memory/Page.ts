/** Lists: which records match, in which order, and what is shown beside each. */
import { Event, Formula, Ledger, type Storage, Text } from "quittance";
import { isStale } from "./Freshness.ts";
import { compare, type Position } from "./Order.ts";
import type { Partition } from "./Store.ts";

type Row<Kind extends Storage.ListedKind> = Storage.Versioned<Storage.Rows[Kind]>;
type AnyRow = Row<Storage.ListedKind>;

/** A record and the partition it lies in. */
interface Found<Kind extends Storage.ListedKind> {
  readonly partition: Partition;
  readonly row: Row<Kind>;
}

const among = (values: ReadonlyArray<string> | undefined): ((value: string) => boolean) => {
  if (values === undefined) return () => true;
  const set = new Set(values);
  return (value) => set.has(value);
};

const partnerOf = (kind: Storage.ListedKind, row: AnyRow): string | null =>
  kind === "partner" ? row.id : "partnerId" in row ? row.partnerId : null;

/** Tests the filters that any statistic knows: customer, workspace, partner. */
export const owned = (
  kind: Storage.ListedKind,
  where: Pick<Storage.Where, "customerIds" | "workspaceIds" | "partnerIds">,
): ((row: AnyRow) => boolean) => {
  const customer = among(where.customerIds);
  const workspace = among(where.workspaceIds);
  const partner = among(where.partnerIds);
  return (row) => {
    const partnerId = partnerOf(kind, row);
    return (
      customer(row.customerId) &&
      (!("workspaceId" in row) || workspace(row.workspaceId)) &&
      (partnerId === null || partner(partnerId))
    );
  };
};

const holds = (
  kind: Storage.ListedKind,
  where: Storage.Where,
): ((found: Found<Storage.ListedKind>) => boolean) => {
  const { settlementStatus, activeAt, nameContains } = where;
  const id = among(where.ids);
  const ownership = owned(kind, where);
  const attribution = among(where.attributionIds);
  const commission = among(where.commissionIds);
  return ({ partition, row }) =>
    id(row.id) &&
    ownership(row) &&
    (!("attributionId" in row) ||
      (attribution(row.attributionId) &&
        (settlementStatus === undefined || Ledger.settlementStatus(row) === settlementStatus))) &&
    (kind !== "settlement" ||
      where.commissionIds === undefined ||
      (partition.lines.get(row.id) ?? []).some((line) => commission(line.commissionId))) &&
    (!("versions" in row) ||
      activeAt === undefined ||
      (row.status === "active" && Formula.covers(row, activeAt))) &&
    ((kind !== "schema" && kind !== "partner") ||
      nameContains === undefined ||
      !("name" in row) ||
      Text.searchable(row.name ?? "").includes(nameContains));
};

/** The ids that may match, from the narrowest filter that has an index; null when there is none. */
const narrowed = (
  partition: Partition,
  kind: Storage.ListedKind,
  { ids, attributionIds, commissionIds }: Storage.Where,
): Iterable<string> | null => {
  if (ids !== undefined) return new Set(ids);
  if (kind === "commission" && attributionIds !== undefined) {
    return new Set(attributionIds.flatMap((id) => partition.commissions.get(id) ?? []));
  }
  if (kind === "settlement" && commissionIds !== undefined) {
    return new Set(commissionIds.flatMap((id) => partition.settlements.get(id) ?? []));
  }
  return null;
};

const candidates = <Kind extends Storage.ListedKind>(
  partition: Partition,
  kind: Kind,
  where: Storage.Where,
): ReadonlyArray<Found<Kind>> => {
  const rows: Map<string, Row<Kind>> = partition.rows[kind];
  const narrow = narrowed(partition, kind, where);
  const ids = narrow ?? (partition.order.get(kind) ?? []).map(({ id }) => id);
  const found: Array<Found<Kind>> = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row !== undefined) found.push({ partition, row });
  }
  return narrow === null ? found : found.toSorted(byCreation);
};

const byCreation = (one: { readonly row: Position }, other: { readonly row: Position }): number =>
  compare(one.row, other.row);

const shownOf = <Entry extends { readonly event: { readonly type: string; readonly stored?: unknown } }>(
  log: ReadonlyArray<Entry> | undefined,
): ReadonlyArray<Entry> =>
  // The port's type of a shown entry still names `stored`; leaving it out is what "shown" means.
  (log ?? []).map(
    (entry) => ("stored" in entry.event ? { ...entry, event: Event.shown(entry.event) } : entry) as Entry,
  );

/** Whether a walk over the formula's commissions is pending. */
const recomputing = (partition: Partition, formulaId: string): boolean =>
  (partition.recomputations.get(formulaId) ?? []).some(
    (id) => partition.rows.recomputation.get(id)?.pending === true,
  );

type Show = {
  readonly [Kind in Storage.ListedKind]: (partition: Partition, row: Row<Kind>) => Storage.Listed[Kind];
};

const SHOW: Show = {
  attribution: ({ logs }, row) => ({ ...row, events: shownOf(logs.attribution.get(row.id)) }),
  formula: (partition, row) => ({
    ...row,
    events: shownOf(partition.logs.formula.get(row.id)),
    recomputing: recomputing(partition, row.id),
  }),
  commission: ({ logs }, row) => ({ ...row, events: shownOf(logs.commission.get(row.id)) }),
  settlement: (partition, row) => ({
    ...row,
    events: shownOf(partition.logs.settlement.get(row.id)),
    lines: partition.lines.get(row.id) ?? [],
    stale: isStale(partition, row.id),
  }),
  schema: (_, row) => row,
  partner: (_, row) => row,
  apiKey: (_, row) => row,
};

const matches = <Kind extends Storage.ListedKind>(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  where: Storage.Where,
): ReadonlyArray<Found<Kind>> => {
  const found = partitions
    .flatMap((partition) => candidates(partition, kind, where))
    .filter(holds(kind, where));
  return partitions.length > 1 ? found.toSorted(byCreation) : found;
};

/** One page and the exact number of matches. */
export const page = <Kind extends Storage.ListedKind>(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  query: Storage.Query,
): Storage.Page<Storage.Listed[Kind]> => {
  const found = matches(partitions, kind, query.where);
  const skipped = (query.page - 1) * query.perPage;
  const wanted =
    query.order === "asc"
      ? found.slice(skipped, skipped + query.perPage)
      : found
          .slice(Math.max(0, found.length - skipped - query.perPage), Math.max(0, found.length - skipped))
          .reverse();
  return { items: wanted.map(({ partition, row }) => SHOW[kind](partition, row)), total: found.length };
};
