/** A correct store behind a wrapper that alters what it returns. */
import { Effect } from "effect";
import type { Event, Movement, Storage } from "quittance";

type Log<Kind extends keyof Storage.Logged> = ReadonlyArray<Event.Entry<Storage.Logged[Kind]["event"]>>;

/** How a planted bug alters the values that the store returns; each function gets the correct value. */
export interface Alterations {
  readonly rows?: {
    readonly [Kind in Storage.ListedKind]?: (row: Storage.Listed[Kind]) => Storage.Listed[Kind];
  };
  readonly logs?: { readonly [Kind in keyof Storage.Logged]?: (log: Log<Kind>) => Log<Kind> };
  readonly commissionStatistic?: (row: Storage.CommissionStatistic) => Storage.CommissionStatistic;
  readonly attributionStatistic?: (row: Storage.AttributionStatistic) => Storage.AttributionStatistic;
  readonly balance?: (balance: Storage.PartnerBalance) => Storage.PartnerBalance;
  readonly movement?: (movement: Movement.Movement) => Movement.Movement;
}

const applyAlteration = <Value>(alter: ((value: Value) => Value) | undefined, value: Value): Value =>
  alter === undefined ? value : alter(value);

/** The store with the bug. */
export const alterStore = (storage: Storage.StorageService, plant: Alterations): Storage.StorageService => ({
  ...storage,
  list: (tenant, kind, query) =>
    Effect.map(storage.list(tenant, kind, query), ({ items, total }) => ({
      items: items.map((item) => applyAlteration(plant.rows?.[kind], item)),
      total,
    })),
  log: (customerId, kind, id) =>
    Effect.map(storage.log(customerId, kind, id), (log) => applyAlteration(plant.logs?.[kind], log)),
  commissionStatistics: (tenant, query) =>
    Effect.map(storage.commissionStatistics(tenant, query), (rows) =>
      rows.map((row) => applyAlteration(plant.commissionStatistic, row)),
    ),
  attributionStatistics: (tenant, query) =>
    Effect.map(storage.attributionStatistics(tenant, query), (rows) =>
      rows.map((row) => applyAlteration(plant.attributionStatistic, row)),
    ),
  partnerBalances: (...given) =>
    Effect.map(storage.partnerBalances(...given), (balances) =>
      balances.map((balance) => applyAlteration(plant.balance, balance)),
    ),
  partnerMovements: (...given) =>
    Effect.map(storage.partnerMovements(...given), (page) => ({
      ...page,
      movements: page.movements.map((movement) => applyAlteration(plant.movement, movement)),
    })),
});
