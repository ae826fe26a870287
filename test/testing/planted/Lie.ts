/** Stores that lie: a true store behind a wrapper that alters what it tells. */
import { Effect } from "effect";
import type { Event, Storage } from "quittance";

type Log<Kind extends keyof Storage.Logged> = ReadonlyArray<Event.Entry<Storage.Logged[Kind]["event"]>>;

/** What a planted bug does to what the store tells; each function is given the truth. */
export interface Plant {
  readonly rows?: {
    readonly [Kind in Storage.ListedKind]?: (row: Storage.Listed[Kind]) => Storage.Listed[Kind];
  };
  readonly logs?: { readonly [Kind in keyof Storage.Logged]?: (log: Log<Kind>) => Log<Kind> };
  readonly commissionTally?: (tally: Storage.CommissionStatistic) => Storage.CommissionStatistic;
  readonly attributionTally?: (tally: Storage.AttributionStatistic) => Storage.AttributionStatistic;
}

const altered = <Value>(alter: ((value: Value) => Value) | undefined, value: Value): Value =>
  alter === undefined ? value : alter(value);

/** The store with the bug in it. */
export const planted = (storage: Storage.StorageService, plant: Plant): Storage.StorageService => ({
  ...storage,
  list: (tenant, kind, query) =>
    Effect.map(storage.list(tenant, kind, query), ({ items, total }) => ({
      items: items.map((item) => altered(plant.rows?.[kind], item)),
      total,
    })),
  log: (customerId, kind, id) =>
    Effect.map(storage.log(customerId, kind, id), (log) => altered(plant.logs?.[kind], log)),
  commissionStatistics: (tenant, query) =>
    Effect.map(storage.commissionStatistics(tenant, query), (tallies) =>
      tallies.map((tally) => altered(plant.commissionTally, tally)),
    ),
  attributionStatistics: (tenant, query) =>
    Effect.map(storage.attributionStatistics(tenant, query), (tallies) =>
      tallies.map((tally) => altered(plant.attributionTally, tally)),
    ),
});
