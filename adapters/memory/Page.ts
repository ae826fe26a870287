/** Pages of lists: the records that match, in order of creation, with their additional fields. */
import { CommissionPlan, Event, type Storage } from "quittance";
import { isStale } from "./Freshness.ts";
import { findMatches, type Row } from "./Matches.ts";
import type { Partition } from "./Store.ts";

const shownEvents = <Entry extends { readonly event: { readonly type: string; readonly stored?: unknown } }>(
  log: ReadonlyArray<Entry> | undefined,
): ReadonlyArray<Entry> =>
  // The port's type of an entry still has `stored`, which lists leave out.
  (log ?? []).map(
    (entry) =>
      ("stored" in entry.event ? { ...entry, event: Event.withoutStored(entry.event) } : entry) as Entry,
  );

/** True if a walk over the formula's commissions is pending. */
const isRecomputing = (partition: Partition, formulaId: string): boolean =>
  (partition.recomputations.get(formulaId) ?? []).some(
    (id) => partition.rows.recomputation.get(id)?.pending === true,
  );

/** The number of a plan's partners, and of its formulas with and without the plan's latest revision. */
const countRollout = (
  partition: Partition,
  plan: Row<"plan">,
): Pick<Storage.Listed["plan"], "partnerCount" | "rollingOut"> => {
  const partners = new Set<string>();
  let pending = 0;
  const formulaIds = partition.planFormulas.get(plan.id) ?? [];
  for (const id of formulaIds) {
    const formula = partition.rows.formula.get(id);
    if (formula === undefined || formula.assignment === null) continue;
    if (!CommissionPlan.isWithdrawn(formula.assignment)) partners.add(formula.partnerId);
    if (formula.assignment.planRevision < plan.version || isRecomputing(partition, id)) pending++;
  }
  return { partnerCount: partners.size, rollingOut: { pending, done: formulaIds.length - pending } };
};

type Show = {
  readonly [Kind in Storage.ListedKind]: (
    partition: Partition,
    row: Row<Kind>,
    linesMax: number | undefined,
  ) => Storage.Listed[Kind];
};

const SHOW: Show = {
  // The row first: V8 copies an object that is spread first by its map, and what is added to another one key by key.
  attribution: ({ logs }, row) => ({ ...row, events: shownEvents(logs.attribution.get(row.id)) }),
  formula: (partition, row) => ({
    ...row,
    events: shownEvents(partition.logs.formula.get(row.id)),
    recomputing: isRecomputing(partition, row.id),
  }),
  plan: (partition, row) => ({
    ...row,
    events: shownEvents(partition.logs.plan.get(row.id)),
    ...countRollout(partition, row),
  }),
  commission: ({ logs }, row) => ({ ...row, events: shownEvents(logs.commission.get(row.id)) }),
  settlement: (partition, row, linesMax) => ({
    ...row,
    events: shownEvents(partition.logs.settlement.get(row.id)),
    lines: (partition.lines.get(row.id) ?? []).slice(0, linesMax),
    stale: isStale(partition, row.id),
  }),
  schema: (_, row) => row,
  partner: (_, row) => row,
  planAcceptance: (_, row) => row,
  partnerLink: (_, row) => row,
  apiKey: (_, row) => row,
  paymentFile: (_, row) => row,
  webhookEndpoint: (_, row) => row,
  webhookDelivery: (_, row) => row,
  settlementRun: (_, row) => row,
  settlementRunResult: (_, row) => row,
  planTrial: (_, row) => row,
  planTrialResult: (_, row) => row,
  recreditRun: (_, row) => row,
  recreditRunResult: (_, row) => row,
};

/** The part of an ordered list that a page shows, in the page's order. */
const cutPage = <Item>(
  all: ReadonlyArray<Item>,
  { page, perPage, order }: Pick<Storage.Query, "page" | "perPage" | "order">,
): ReadonlyArray<Item> => {
  const skipped = (page - 1) * perPage;
  const before = Math.max(0, all.length - skipped);
  return order === "asc"
    ? all.slice(skipped, skipped + perPage)
    : all.slice(Math.max(0, before - perPage), before).reverse();
};

/** One page and the exact number of matches; without filters, only the records of the page are read. */
export const page = <Kind extends Storage.ListedKind>(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  query: Storage.Query<Storage.Filters[Kind]>,
): Storage.Page<Storage.Listed[Kind]> => {
  const [only] = partitions;
  const matching = findMatches(partitions, kind, query.where);
  if (matching === null && only !== undefined) {
    const order = only.order.get(kind) ?? [];
    const rows: Map<string, Row<Kind>> = only.rows[kind];
    const items: Array<Storage.Listed[Kind]> = [];
    for (const { id } of cutPage(order, query)) {
      const row = rows.get(id);
      if (row !== undefined) items.push(SHOW[kind](only, row, query.linesMax));
    }
    return { items, total: order.length };
  }
  const found = matching ?? [];
  const pageRecords = cutPage(found, query);
  return {
    items: pageRecords.map(({ partition, row }) => SHOW[kind](partition, row, query.linesMax)),
    total: found.length,
  };
};
