/** The storage port over a state in memory, room by room: each read is one synchronous step, and so one snapshot. */
import { type Clock, Effect } from "effect";
import { type Ids, type SettlementPolicy, Storage } from "quittance";
import { commit } from "./Commit.ts";
import { earnings } from "./Earnings.ts";
import * as Feed from "./Feed.ts";
import * as Movements from "./Movements.ts";
import { wake } from "./Outbox.ts";
import { page } from "./Page.ts";
import { isCommitted, prune } from "./Prune.ts";
import { existingRows } from "./Rows.ts";
import { settling } from "./Settling.ts";
import * as Statistics from "./Statistics.ts";
import { join, type Partition, partition as partitionOf, partitionsOf, type Store, view } from "./Store.ts";

const find = <Kind extends Storage.Kind>(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  ids: ReadonlyArray<string>,
): ReadonlyArray<Storage.Versioned<Storage.Rows[Kind]>> =>
  partitions.flatMap(({ rows }) =>
    existingRows<Storage.Versioned<Storage.Rows[Kind]>>(rows[kind], new Set(ids)),
  );

const records = (store: Store, clock: Clock.Clock): Storage.Records => ({
  commit: (customerId, changeSet) =>
    Effect.suspend(() => {
      const refusal = commit(store, customerId, changeSet, clock.unsafeCurrentTimeMillis());
      return refusal === null ? Effect.void : Effect.fail(refusal);
    }),
  find: (tenant, kind, ids) => Effect.sync(() => find(partitionsOf(store, tenant), kind, ids)),
  list: (tenant, kind, query) => Effect.sync(() => page(partitionsOf(store, tenant), kind, query)),
  log: (customerId, kind, id) => Effect.sync(() => view(store, customerId).logs[kind].get(id) ?? []),
  findIdempotencyRecord: (customerId, principalId, key) =>
    Effect.sync(() => view(store, customerId).idempotencyRecords.get(join(principalId, key)) ?? null),
  isCommitted: (customerId, command) =>
    Effect.suspend(() => {
      const committed = isCommitted(view(store, customerId), command, clock.unsafeCurrentTimeMillis());
      return committed === null ? Effect.fail(Storage.possiblyPrunedError()) : Effect.succeed(committed);
    }),
});

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

const reporting = (store: Store): Storage.Reporting => ({
  attributionStatistics: (tenant, query) =>
    Effect.sync(() => Statistics.attributions(partitionsOf(store, tenant), query)),
  commissionStatistics: (tenant, query) =>
    Effect.sync(() => Statistics.commissions(partitionsOf(store, tenant), query)),
  partnerBalances: (customerId, partnerIds, at) =>
    Effect.sync(() => partnerIds.flatMap((id) => Movements.balances(view(store, customerId), id, at))),
  partnerMovements: (customerId, partnerId, span) =>
    Effect.sync(() => Movements.page(view(store, customerId), partnerId, span)),
  settlementLogs: (customerId, settlementIds) =>
    Effect.sync(() => settlementLogs(view(store, customerId), settlementIds)),
});

const feed = (store: Store, clock: Clock.Clock): Storage.Feed => ({
  feedBacklog: (customerId, limit) => Effect.sync(() => Feed.backlog(view(store, customerId), limit)),
  appendToFeed: (customerId, append) =>
    Effect.sync(() => {
      const appended = Feed.append(partitionOf(store, customerId).feed, append);
      if (appended && append.entries.length > 0)
        wake(store, clock.unsafeCurrentTimeMillis(), customerId, "deliver_webhooks");
      return appended;
    }),
  feedPage: (customerId, after, limit) => Effect.sync(() => Feed.page(view(store, customerId), after, limit)),
  feedPart: (customerId, recordIds, after, limit) =>
    Effect.sync(() => Feed.part(view(store, customerId).feed, recordIds, after, limit)),
  openDeliveries: (customerId, endpointId, limit) =>
    Effect.sync(() => {
      const { openDeliveries, rows } = view(store, customerId);
      return existingRows(rows.webhookDelivery, openDeliveries.get(endpointId) ?? [])
        .toSorted((a, b) => a.position - b.position)
        .slice(0, limit);
    }),
});

/** Orders policies that have a next run. */
const compareNextRuns = (
  a: Pick<SettlementPolicy.SettlementPolicy, "nextRunAt" | "id">,
  b: Pick<SettlementPolicy.SettlementPolicy, "nextRunAt" | "id">,
): number => {
  const byMoment = (a.nextRunAt ?? 0) - (b.nextRunAt ?? 0);
  return byMoment !== 0 || a.id === b.id ? byMoment : a.id < b.id ? -1 : 1;
};

const upkeep = (store: Store, clock: Clock.Clock): Storage.Upkeep => ({
  prune: (pruning) => Effect.sync(() => prune(store, pruning, clock.unsafeCurrentTimeMillis())),
  ready: Effect.void,
  dueSettlementPolicies: (at, after, limit) =>
    Effect.sync(() =>
      [...store.partitions.values()]
        .flatMap(({ rows }) => [...rows.settlementPolicy.values()])
        .filter((row) => row.nextRunAt !== null && row.nextRunAt <= at)
        .filter((row) => after === null || compareNextRuns(row, after) > 0)
        .sort(compareNextRuns)
        .slice(0, limit),
    ),
  customersWithFeedBacklog: (after, limit) =>
    Effect.sync(() =>
      [...store.partitions]
        .filter(([id, { feed }]) => (after === null || id > after) && Feed.isBehind(feed))
        .map(([id]) => id)
        .sort()
        .slice(0, limit),
    ),
});

/** The storage service over a store. */
export const make = (store: Store, clock: Clock.Clock): Storage.StorageService => ({
  ...records(store, clock),
  ...earnings(store),
  ...settling(store),
  ...reporting(store),
  ...feed(store, clock),
  ...upkeep(store, clock),
});
