/** Lists: which records match, in which order, and with which additional fields. */
import { ApiKey, CommissionPlan, Event, Formula, Ledger, PaymentFile, type Storage, Text } from "quittance";
import { isStale } from "./Freshness.ts";
import { compare, idsOf } from "./Order.ts";
import type { Partition } from "./Store.ts";

type Row<Kind extends Storage.ListedKind> = Storage.Versioned<Storage.Rows[Kind]>;
type AnyRow = Row<Storage.ListedKind>;

/** A record and the partition it is in. */
interface FoundRecord<Kind extends Storage.ListedKind> {
  readonly partition: Partition;
  readonly row: Row<Kind>;
}

const oneOf = (values: ReadonlyArray<string> | undefined): ((value: string) => boolean) => {
  if (values === undefined) return () => true;
  const set = new Set(values);
  return (value) => set.has(value);
};

const partnerOf = (kind: Storage.ListedKind, row: AnyRow): string | null =>
  kind === "partner" ? row.id : "partnerId" in row ? row.partnerId : null;

/** Tests the filters that every statistic has: customer, workspace, partner. */
export const ownershipTest = (
  kind: Storage.ListedKind,
  where: Pick<Storage.Where, "customerIds" | "workspaceIds" | "partnerIds">,
): ((row: AnyRow) => boolean) => {
  const customer = oneOf(where.customerIds);
  const workspace = oneOf(where.workspaceIds);
  const partner = oneOf(where.partnerIds);
  return (row) => {
    const partnerId = partnerOf(kind, row);
    return (
      customer(row.customerId) &&
      (!("workspaceId" in row) || workspace(row.workspaceId)) &&
      (partnerId === null || partner(partnerId))
    );
  };
};

type Test = (found: FoundRecord<Storage.ListedKind>) => boolean;

const SIGN = {
  nonzero: (due: number) => due !== 0,
  positive: (due: number) => due > 0,
  negative: (due: number) => due < 0,
};

/** The filters on the date that an attribution, or the attribution of a commission, counts for. */
const occurrenceTests = ({ occurredFrom, occurredTo }: Storage.Where): ReadonlyArray<Test> => {
  const conditions: Array<Test> = [];
  const add = (test: (occurredAt: number) => boolean) =>
    conditions.push(({ row }) => "occurredAt" in row && test(row.occurredAt));
  if (occurredFrom !== undefined) add((occurredAt) => occurredAt >= occurredFrom);
  if (occurredTo !== undefined) add((occurredAt) => occurredAt < occurredTo);
  return conditions;
};

const commissionTests = (where: Storage.Where): ReadonlyArray<Test> => {
  const { attributionIds, formulaIds, settlementIds, settlementStatus, currencies, due } = where;
  const conditions: Array<Test> = [];
  const add = (test: (row: Row<"commission">, partition: Partition) => boolean) =>
    conditions.push(({ row, partition }) => "computedAmount" in row && test(row, partition));
  if (attributionIds !== undefined) {
    const among = oneOf(attributionIds);
    add((row) => among(row.attributionId));
  }
  if (formulaIds !== undefined) {
    const among = oneOf(formulaIds);
    add((row) => among(row.formulaId));
  }
  if (settlementIds !== undefined) {
    const among = oneOf(settlementIds);
    add((row, { settlements }) => (settlements.get(row.id) ?? []).some(among));
  }
  if (settlementStatus !== undefined) add((row) => Ledger.settlementStatus(row) === settlementStatus);
  if (currencies !== undefined) {
    const among = oneOf(currencies);
    add((row) => among(row.currency));
  }
  if (due !== undefined) add((row) => SIGN[due](Ledger.due(row)));
  return conditions;
};

const settlementTests = (where: Storage.Where): ReadonlyArray<Test> => {
  const { commissionIds, statuses, currencies, createdFrom, createdTo, stale, paymentOverdue } = where;
  const conditions: Array<Test> = [];
  const add = (test: (row: Row<"settlement">, partition: Partition) => boolean) =>
    conditions.push(({ row, partition }) => "reconciliationStatus" in row && test(row, partition));
  if (statuses !== undefined) {
    const among = oneOf(statuses);
    add((row) => among(row.status.type));
  }
  if (currencies !== undefined) {
    const among = oneOf(currencies);
    add((row) => among(row.currency));
  }
  if (createdFrom !== undefined) add((row) => row.createdAt >= createdFrom);
  if (createdTo !== undefined) add((row) => row.createdAt < createdTo);
  if (commissionIds !== undefined) {
    const among = oneOf(commissionIds);
    add((row, { lines }) => (lines.get(row.id) ?? []).some((line) => among(line.commissionId)));
  }
  if (paymentOverdue !== undefined) {
    const { before, matches } = paymentOverdue;
    add((row) => PaymentFile.isOverdue(row, before) === matches);
  }
  // Last: it reads all lines of a draft.
  if (stale !== undefined) add((row, partition) => isStale(partition, row.id) === stale);
  return conditions;
};

const attributionTests = ({
  schemaIds,
  statuses,
  externalReferences,
}: Storage.Where): ReadonlyArray<Test> => {
  const conditions: Array<Test> = [];
  const add = (test: (row: Row<"attribution">) => boolean) =>
    conditions.push(({ row }) => "externalReference" in row && test(row));
  if (schemaIds !== undefined) {
    const among = oneOf(schemaIds);
    add((row) => among(row.schemaId));
  }
  if (statuses !== undefined) {
    const among = oneOf(statuses);
    add((row) => among(row.status));
  }
  if (externalReferences !== undefined) {
    const among = oneOf(externalReferences);
    add(({ externalReference }) => externalReference !== null && among(externalReference));
  }
  return conditions;
};

const deliveryTests = ({ endpointIds, statuses }: Storage.Where): ReadonlyArray<Test> => {
  const conditions: Array<Test> = [];
  const add = (test: (row: Row<"webhookDelivery">) => boolean) =>
    conditions.push(({ row }) => "endpointId" in row && test(row));
  if (endpointIds !== undefined) {
    const among = oneOf(endpointIds);
    add((row) => among(row.endpointId));
  }
  if (statuses !== undefined) {
    const among = oneOf(statuses);
    add((row) => among(row.status));
  }
  return conditions;
};

/** One test for each filter that is set and applies to the kind. */
const tests = (kind: Storage.ListedKind, where: Storage.Where): ReadonlyArray<Test> => {
  const { ids, activeAt, nameContains, billingMode } = where;
  const conditions: Array<Test> = [];
  if (ids !== undefined) {
    const among = oneOf(ids);
    conditions.push(({ row }) => among(row.id));
  }
  if (where.customerIds !== undefined || where.workspaceIds !== undefined || where.partnerIds !== undefined) {
    const isOwned = ownershipTest(kind, where);
    conditions.push(({ row }) => isOwned(row));
  }
  if (kind === "commission") conditions.push(...occurrenceTests(where), ...commissionTests(where));
  if (kind === "settlement") conditions.push(...settlementTests(where));
  if (kind === "attribution") conditions.push(...occurrenceTests(where), ...attributionTests(where));
  if (kind === "webhookDelivery") conditions.push(...deliveryTests(where));
  if (kind === "webhookEndpoint" && where.statuses !== undefined) {
    const among = oneOf(where.statuses);
    conditions.push(({ row }) => "failingSince" in row && among(row.status));
  }
  if (kind === "formula" && activeAt !== undefined) {
    conditions.push(
      ({ row }) => "versions" in row && row.status === "active" && Formula.covers(row, activeAt),
    );
  }
  const { keysWithin, planIds } = where;
  if (kind === "formula" && planIds !== undefined) {
    const among = oneOf(planIds);
    conditions.push(
      ({ row }) => "assignment" in row && row.assignment !== null && among(row.assignment.planId),
    );
  }
  if (kind === "apiKey" && keysWithin !== undefined) {
    conditions.push(({ row }) => "keyId" in row && ApiKey.isWithin(row, keysWithin));
  }
  if ((kind === "schema" || kind === "plan" || kind === "partner") && nameContains !== undefined) {
    conditions.push(({ row }) => "name" in row && Text.searchable(row.name ?? "").includes(nameContains));
  }
  const { runIds } = where;
  if (kind === "settlementRunResult" && runIds !== undefined) {
    const among = oneOf(runIds);
    conditions.push(({ row }) => "runId" in row && among(row.runId));
  }
  if (kind === "partner" && billingMode !== undefined) {
    conditions.push(({ row }) => "billingMode" in row && row.billingMode === billingMode);
  }
  return conditions;
};

/** The ids that may match, from the narrowest filter that has an index; null when there is none. */
const candidateIds = (
  partition: Partition,
  kind: Storage.ListedKind,
  { ids, attributionIds, settlementIds, commissionIds, planIds, runIds }: Storage.Where,
): Iterable<string> | null => {
  if (ids !== undefined) return new Set(ids);
  if (kind === "formula" && planIds !== undefined) {
    return new Set(planIds.flatMap((id) => partition.planFormulas.get(id) ?? []));
  }
  if (kind === "settlementRunResult" && runIds !== undefined) {
    return new Set(runIds.flatMap((id) => partition.runResults.get(id) ?? []));
  }
  if (kind === "commission" && attributionIds !== undefined) {
    return new Set(attributionIds.flatMap((id) => partition.commissions.get(id) ?? []));
  }
  if (kind === "commission" && settlementIds !== undefined) {
    const lines = settlementIds.flatMap((id) => partition.lines.get(id) ?? []);
    return new Set(lines.map(({ commissionId }) => commissionId));
  }
  if (kind === "settlement" && commissionIds !== undefined) {
    return new Set(commissionIds.flatMap((id) => partition.settlements.get(id) ?? []));
  }
  return null;
};

function* records<Kind extends Storage.ListedKind>(
  partition: Partition,
  kind: Kind,
  candidates: Iterable<string> | null,
): Generator<FoundRecord<Kind>> {
  const rows: Map<string, Row<Kind>> = partition.rows[kind];
  for (const id of candidates ?? idsOf(partition.order.get(kind))) {
    const row = rows.get(id);
    if (row !== undefined) yield { partition, row };
  }
}

interface Created {
  readonly row: { readonly createdAt: number; readonly id: string };
}

const positionOf = ({ row: { createdAt, id } }: Created) => ({ moment: createdAt, id });

const byCreation = (one: Created, other: Created): number => compare(positionOf(one), positionOf(other));

const shownEvents = <Entry extends { readonly event: { readonly type: string; readonly stored?: unknown } }>(
  log: ReadonlyArray<Entry> | undefined,
): ReadonlyArray<Entry> =>
  // The port's type of an entry still has `stored`, which lists leave out.
  (log ?? []).map(
    (entry) =>
      ("stored" in entry.event ? { ...entry, event: Event.withoutStored(entry.event) } : entry) as Entry,
  );

/** Whether a walk over the formula's commissions is pending. */
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
  // Spread syntax takes several times as long to extend objects of this size, and pages extend hundreds.
  attribution: ({ logs }, row) => Object.assign({ events: shownEvents(logs.attribution.get(row.id)) }, row),
  formula: (partition, row) =>
    Object.assign(
      {
        events: shownEvents(partition.logs.formula.get(row.id)),
        recomputing: isRecomputing(partition, row.id),
      },
      row,
    ),
  plan: (partition, row) =>
    Object.assign(
      { events: shownEvents(partition.logs.plan.get(row.id)) },
      countRollout(partition, row),
      row,
    ),
  commission: ({ logs }, row) => Object.assign({ events: shownEvents(logs.commission.get(row.id)) }, row),
  settlement: (partition, row, linesMax) =>
    Object.assign(
      {
        events: shownEvents(partition.logs.settlement.get(row.id)),
        lines: (partition.lines.get(row.id) ?? []).slice(0, linesMax),
        stale: isStale(partition, row.id),
      },
      row,
    ),
  schema: (_, row) => row,
  partner: (_, row) => row,
  apiKey: (_, row) => row,
  paymentFile: (_, row) => row,
  webhookEndpoint: (_, row) => row,
  webhookDelivery: (_, row) => row,
  settlementRun: (_, row) => row,
  settlementRunResult: (_, row) => row,
};

const findMatches = <Kind extends Storage.ListedKind>(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  where: Storage.Where,
): ReadonlyArray<FoundRecord<Kind>> => {
  const conditions = tests(kind, where);
  const matching: Array<FoundRecord<Kind>> = [];
  let ordered = partitions.length <= 1;
  for (const partition of partitions) {
    const candidates = candidateIds(partition, kind, where);
    ordered &&= candidates === null;
    for (const found of records(partition, kind, candidates)) {
      if (conditions.every((test) => test(found))) matching.push(found);
    }
  }
  return ordered ? matching : matching.toSorted(byCreation);
};

/** The part of an ordered list that a page shows, in the page's order. */
const cutPage = <Item>(
  all: ReadonlyArray<Item>,
  { page, perPage, order }: Storage.Query,
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
  query: Storage.Query,
): Storage.Page<Storage.Listed[Kind]> => {
  const [only] = partitions;
  const isWhole =
    only !== undefined &&
    partitions.length === 1 &&
    tests(kind, query.where).length === 0 &&
    candidateIds(only, kind, query.where) === null;
  if (isWhole) {
    const order = only.order.get(kind) ?? [];
    const rows: Map<string, Row<Kind>> = only.rows[kind];
    const items: Array<Storage.Listed[Kind]> = [];
    for (const { id } of cutPage(order, query)) {
      const row = rows.get(id);
      if (row !== undefined) items.push(SHOW[kind](only, row, query.linesMax));
    }
    return { items, total: order.length };
  }
  const found = findMatches(partitions, kind, query.where);
  const pageRecords = cutPage(found, query);
  return {
    items: pageRecords.map(({ partition, row }) => SHOW[kind](partition, row, query.linesMax)),
    total: found.length,
  };
};
