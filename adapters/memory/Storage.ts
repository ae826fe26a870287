/** The storage port over a state in memory: each read is one synchronous step, and so one snapshot. */
import { type Clock, Effect, Stream } from "effect";
import {
  type Accumulation,
  type Formula,
  type Ids,
  Ledger,
  type SettlementPolicy,
  type SettlementRun,
  Storage,
} from "quittance";
import { linesWithBilledParts } from "./BilledParts.ts";
import { commit } from "./Commit.ts";
import * as Feed from "./Feed.ts";
import { isStale } from "./Freshness.ts";
import * as Movements from "./Movements.ts";
import { idsOf, indexAt, indexOf } from "./Order.ts";
import { wake } from "./Outbox.ts";
import { page } from "./Page.ts";
import { isCommitted, prune } from "./Prune.ts";
import * as Statistics from "./Statistics.ts";
import { join, type Partition, partition as partitionOf, partitionsOf, type Store, view } from "./Store.ts";

/** The kinds of documents, ascending. */
const DOCUMENT_KINDS = ["credit_note", "invoice", "report"] as const;

const existingRows = <Value>(rows: Map<string, Value>, ids: Iterable<string>): ReadonlyArray<Value> => {
  const found: Array<Value> = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row !== undefined) found.push(row);
  }
  return found;
};

const find = <Kind extends Storage.Kind>(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  ids: ReadonlyArray<string>,
): ReadonlyArray<Storage.Versioned<Storage.Rows[Kind]>> =>
  partitions.flatMap(({ rows }) =>
    existingRows<Storage.Versioned<Storage.Rows[Kind]>>(rows[kind], new Set(ids)),
  );

/** Orders policies that have a next run. */
const compareNextRuns = (
  one: Pick<SettlementPolicy.SettlementPolicy, "nextRunAt" | "id">,
  other: Pick<SettlementPolicy.SettlementPolicy, "nextRunAt" | "id">,
): number => {
  const byMoment = (one.nextRunAt ?? 0) - (other.nextRunAt ?? 0);
  return byMoment !== 0 || one.id === other.id ? byMoment : one.id < other.id ? -1 : 1;
};

type Span = Parameters<Storage.StorageService["attributionsForFormula"]>[1];

const attributionsForFormula = (
  partition: Partition,
  formula: Formula.Formula,
  { from, to, after, limit }: Span,
): ReadonlyArray<Storage.AttributionForFormula> => {
  const { partnerId, schemaId, workspaceId } = formula;
  const order = partition.attributions.get(join(partnerId, schemaId, workspaceId)) ?? [];
  const following = after === null ? 0 : indexOf(order, { moment: after.occurredAt, id: `${after.id}~` });
  const start = Math.max(indexAt(order, from), following);
  const end = to === null ? order.length : indexAt(order, to);
  return existingRows(
    partition.rows.attribution,
    idsOf(order.slice(start, Math.min(end, start + limit))),
  ).map((attribution) => ({
    attribution,
    commission:
      partition.rows.commission.get(partition.pairs.get(join(attribution.id, formula.id)) ?? "") ?? null,
  }));
};

const arrivalsForFormula = (
  partition: Partition,
  { id, partnerId, schemaId, workspaceId }: Formula.Formula,
  { from, to, after, limit }: Parameters<Storage.StorageService["arrivalsForFormula"]>[1],
): ReadonlyArray<Storage.AttributionForFormula> => {
  const order = partition.arrivals.get(join(partnerId, schemaId)) ?? [];
  const found: Array<Storage.AttributionForFormula> = [];
  const following = after === null ? 0 : indexOf(order, { moment: after.createdAt, id: `${after.id}~` });
  // No attribution occurs after it arrives.
  const first = from === null ? following : Math.max(following, indexAt(order, from));
  for (let index = first; index < order.length && found.length < limit; index++) {
    const attribution = partition.rows.attribution.get(order[index]?.id ?? "");
    if (attribution === undefined || attribution.workspaceId !== workspaceId) continue;
    if (from !== null && attribution.occurredAt < from) continue;
    if (to !== null && attribution.occurredAt >= to) continue;
    const commissionId = partition.pairs.get(join(attribution.id, id)) ?? "";
    found.push({ attribution, commission: partition.rows.commission.get(commissionId) ?? null });
  }
  return found;
};

const commissionsWithAttributions = (
  partition: Partition,
  commissionIds: ReadonlyArray<string>,
): ReadonlyArray<Storage.CommissionWithAttribution> =>
  existingRows(partition.rows.commission, new Set(commissionIds)).flatMap((commission) => {
    const attribution = partition.rows.attribution.get(commission.attributionId);
    return attribution === undefined ? [] : [{ commission, attribution }];
  });

function* exportLines(partition: Partition, settlementId: string): Generator<Storage.ExportLine> {
  for (const line of partition.lines.get(settlementId) ?? []) {
    const commission = partition.rows.commission.get(line.commissionId);
    if (commission === undefined) continue;
    const { formulaId, attributionId } = commission;
    const attribution = partition.rows.attribution.get(attributionId);
    if (attribution !== undefined)
      yield { ...line, formulaId, attributionId, attributionOccurredAt: attribution.occurredAt };
  }
}

type SettlementEntry = Storage.SettlementLog["log"][number];

const withoutLines = (entry: SettlementEntry): SettlementEntry => {
  const { event } = entry;
  return event.type === "create_settlement"
    ? { ...entry, event: { ...event, stored: { ...event.stored, lines: [] } } }
    : entry;
};

const settlementLogs = (
  { logs }: Partition,
  ids: ReadonlyArray<Ids.SettlementId>,
): ReadonlyArray<Storage.SettlementLog> =>
  [...new Set(ids)].flatMap((id) => {
    const log = logs.settlement.get(id) ?? [];
    return log.length === 0 ? [] : [{ id, log: log.map(withoutLines) }];
  });

const heldByOtherSettlements = (
  partition: Partition,
  settlementId: string,
): ReadonlyArray<Ids.CommissionId> =>
  (partition.lines.get(settlementId) ?? []).flatMap(({ commissionId }) => {
    const holder = partition.rows.commission.get(commissionId)?.openSettlementId ?? null;
    return holder === null || holder === settlementId ? [] : [commissionId];
  });

const dueCommissions = (
  { partnerCommissions, rows }: Partition,
  { partnerIds, until, after, limit }: Parameters<Storage.StorageService["dueCommissions"]>[1],
): ReadonlyArray<SettlementRun.DueCommission> =>
  [...new Set(partnerIds)].flatMap((partnerId) => {
    const order = partnerCommissions.get(partnerId) ?? [];
    const found: Array<SettlementRun.DueCommission> = [];
    let index = after === null ? 0 : indexOf(order, { moment: after.createdAt, id: `${after.id}~` });
    for (; index < order.length && found.length < limit; index++) {
      const commission = rows.commission.get(order[index]?.id ?? "");
      if (commission === undefined || commission.occurredAt >= until) continue;
      const { id, createdAt, currency, occurredAt, computationError, openSettlementId } = commission;
      const dueAmount = Ledger.due(commission);
      if (dueAmount === 0 && computationError === null) continue;
      found.push({
        ...{ id, createdAt, partnerId, currency, dueAmount, occurredAt },
        isComputable: computationError === null,
        isInOpenSettlement: openSettlementId !== null,
        isCorrection: commission.settledLineCount > 0,
      });
    }
    return found;
  });

/** The storage service over a store. */
export const make = (store: Store, clock: Clock.Clock): Storage.StorageService => ({
  commit: (customerId, changeSet) =>
    Effect.suspend(() => {
      const refusal = commit(store, customerId, changeSet, clock.unsafeCurrentTimeMillis());
      return refusal === null ? Effect.void : Effect.fail(refusal);
    }),
  find: (tenant, kind, ids) => Effect.sync(() => find(partitionsOf(store, tenant), kind, ids)),
  list: (tenant, kind, query) => Effect.sync(() => page(partitionsOf(store, tenant), kind, query)),
  formulaSet: (customerId, partnerId, schemaId) =>
    Effect.sync(() => {
      const partition = view(store, customerId);
      const key = join(partnerId, schemaId);
      return {
        version: partition.formulaSets.get(key) ?? 0,
        formulas: existingRows(partition.rows.formula, idsOf(partition.formulas.get(key))),
      };
    }),
  formulaSets: (customerId, schemaId, partnerIds) =>
    Effect.sync(() => {
      const partition = view(store, customerId);
      return [...new Set(partnerIds)].map((partnerId) => {
        const key = join(partnerId, schemaId);
        return {
          partnerId,
          version: partition.formulaSets.get(key) ?? 0,
          formulas: existingRows(partition.rows.formula, idsOf(partition.formulas.get(key))),
        };
      });
    }),
  formulasBehindPlan: (customerId, planId, revision, limit) =>
    Effect.sync(() => {
      const { planFormulas, rows } = view(store, customerId);
      return existingRows(rows.formula, (planFormulas.get(planId) ?? []).toSorted())
        .filter(({ assignment }) => assignment !== null && assignment.planRevision < revision)
        .slice(0, limit);
    }),
  findByExternalReferences: (customerId, references) =>
    Effect.sync(() => {
      const partition = view(store, customerId);
      const ids = references.map(
        ({ schemaId, externalReference }) =>
          partition.references.get(join(schemaId, externalReference)) ?? "",
      );
      return existingRows(partition.rows.attribution, new Set(ids));
    }),
  attributionsForFormula: (formula, span) =>
    Effect.sync(() => attributionsForFormula(view(store, formula.customerId), formula, span)),
  arrivalsForFormula: (formula, span) =>
    Effect.sync(() => arrivalsForFormula(view(store, formula.customerId), formula, span)),
  lastArrival: (customerId, partnerId, schemaId) =>
    Effect.sync(() => {
      const last = view(store, customerId).arrivals.get(join(partnerId, schemaId))?.at(-1);
      return last === undefined
        ? null
        : { createdAt: last.moment, id: last.id as Accumulation.Arrival["id"] };
    }),
  commissionsWithAttributions: (tenant, commissionIds) =>
    Effect.sync(() =>
      partitionsOf(store, tenant).flatMap((partition) =>
        commissionsWithAttributions(partition, commissionIds),
      ),
    ),
  commissionsOf: (customerId, attributionId) =>
    Effect.sync(() => {
      const { commissions, rows } = view(store, customerId);
      return existingRows(rows.commission, (commissions.get(attributionId) ?? []).toSorted());
    }),
  settlementLines: (customerId, settlementId) =>
    Stream.suspend(() => Stream.fromIterable(exportLines(view(store, customerId), settlementId))),
  heldByOtherSettlements: (customerId, settlementId) =>
    Effect.sync(() => heldByOtherSettlements(view(store, customerId), settlementId)),
  isStale: (customerId, settlementId) => Effect.sync(() => isStale(view(store, customerId), settlementId)),
  linesWithBilledParts: (customerId, settlementId) =>
    Effect.sync(() => linesWithBilledParts(view(store, customerId), settlementId)),
  reversals: (customerId, settlementId) =>
    Effect.sync(() => view(store, customerId).reversals.get(settlementId) ?? []),
  documentsOf: (customerId, settlementId) =>
    Effect.sync(() => {
      const { documents, rows } = view(store, customerId);
      return DOCUMENT_KINDS.flatMap((kind) => {
        const found: Array<Ids.DocumentId> = [];
        for (let revision = 1; ; revision++) {
          const id = documents.get(join(settlementId, kind, String(revision)));
          if (id === undefined) return existingRows(rows.document, found);
          found.push(id);
        }
      });
    }),
  bankPayments: (customerId, fileId, limit) =>
    Effect.sync(() => {
      const { bankPayments, rows } = view(store, customerId);
      return existingRows(rows.bankPayment, (bankPayments.get(fileId ?? "") ?? []).toSorted()).slice(
        0,
        limit,
      );
    }),
  openDeliveries: (customerId, endpointId, limit) =>
    Effect.sync(() => {
      const { openDeliveries, rows } = view(store, customerId);
      return existingRows(rows.webhookDelivery, openDeliveries.get(endpointId) ?? [])
        .toSorted((one, other) => one.position - other.position)
        .slice(0, limit);
    }),
  dueCommissions: (customerId, query) => Effect.sync(() => dueCommissions(view(store, customerId), query)),
  dueSettlementPolicies: (at, after, limit) =>
    Effect.sync(() =>
      [...store.partitions.values()]
        .flatMap(({ rows }) => [...rows.settlementPolicy.values()])
        .filter((row) => row.nextRunAt !== null && row.nextRunAt <= at)
        .filter((row) => after === null || compareNextRuns(row, after) > 0)
        .sort(compareNextRuns)
        .slice(0, limit),
    ),
  lastNumber: (customerId, series) => Effect.sync(() => view(store, customerId).series.get(series) ?? 0),
  attributionStatistics: (tenant, query) =>
    Effect.sync(() => Statistics.attributions(partitionsOf(store, tenant), query)),
  commissionStatistics: (tenant, query) =>
    Effect.sync(() => Statistics.commissions(partitionsOf(store, tenant), query)),
  partnerBalances: (customerId, partnerId, at) =>
    Effect.sync(() => Movements.balances(view(store, customerId), partnerId, at)),
  partnerMovements: (customerId, partnerId, span) =>
    Effect.sync(() => Movements.page(view(store, customerId), partnerId, span)),
  findIdempotencyRecord: (customerId, principalId, key) =>
    Effect.sync(() => view(store, customerId).idempotencyRecords.get(join(principalId, key)) ?? null),
  isCommitted: (customerId, command) =>
    Effect.suspend(() => {
      const committed = isCommitted(view(store, customerId), command, clock.unsafeCurrentTimeMillis());
      return committed === null ? Effect.fail(Storage.possiblyPrunedError()) : Effect.succeed(committed);
    }),
  prune: (pruning) => Effect.sync(() => prune(store, pruning, clock.unsafeCurrentTimeMillis())),
  log: (customerId, kind, id) => Effect.sync(() => view(store, customerId).logs[kind].get(id) ?? []),
  settlementLogs: (customerId, settlementIds) =>
    Effect.sync(() => settlementLogs(view(store, customerId), settlementIds)),
  feedBacklog: (customerId, limit) => Effect.sync(() => Feed.backlog(view(store, customerId), limit)),
  appendToFeed: (customerId, append) =>
    Effect.sync(() => {
      const appended = Feed.append(partitionOf(store, customerId).feed, append);
      if (appended && append.entries.length > 0)
        wake(store, clock.unsafeCurrentTimeMillis(), customerId, "deliver_webhooks");
      return appended;
    }),
  feedPage: (customerId, after, limit) => Effect.sync(() => Feed.page(view(store, customerId), after, limit)),
  customersWithFeedBacklog: (after, limit) =>
    Effect.sync(() =>
      [...store.partitions]
        .filter(([id, { feed }]) => (after === null || id > after) && Feed.isBehind(feed))
        .map(([id]) => id)
        .sort()
        .slice(0, limit),
    ),
  eraseFromFeed: (customerId, digests) =>
    Effect.sync(() => Feed.erase(view(store, customerId).feed, digests)),
  ready: Effect.void,
});
