/** The room of reporting: sums over many records, and the logs that statements show. */
import type { Effect } from "effect";
import type { CustomerId, PartnerId, SettlementId } from "../../../domain/Ids.ts";
import type { Balance } from "../../../domain/Movement.ts";
import type { Timestamp } from "../../../domain/Timestamp.ts";
import type { StorageError } from "../Failure.ts";
import type {
  AttributionStatistic,
  CommissionStatistic,
  MovementPage,
  MovementSpan,
  SettlementLog,
  StatisticsQuery,
} from "../Reads.ts";
import type { Tenant } from "../Records.ts";

/** The balance of a partner in one currency. */
export interface PartnerBalance extends Balance {
  readonly partnerId: PartnerId;
}

/** Statistics, balances and movements. */
export interface Reporting {
  /** Counts of attributions; entries of count 0 are left out. */
  readonly attributionStatistics: (
    tenant: Tenant,
    query: StatisticsQuery,
  ) => Effect.Effect<ReadonlyArray<AttributionStatistic>, StorageError>;
  /** Counts and sums of commissions; entries of count 0 are left out. */
  readonly commissionStatistics: (
    tenant: Tenant,
    query: StatisticsQuery,
  ) => Effect.Effect<ReadonlyArray<CommissionStatistic>, StorageError>;
  /**
   * The sums of partners, each named once, of all events of their commissions that are dated before a moment: in the order of the
   * ids, and of each by currency, ascending. A currency is listed when there is such an event.
   */
  readonly partnerBalances: (
    customerId: CustomerId,
    partnerIds: ReadonlyArray<PartnerId>,
    at: Timestamp,
  ) => Effect.Effect<ReadonlyArray<PartnerBalance>, StorageError>;
  /**
   * The movements of a partner in one currency, ordered by (at, recordId, sequence), of one snapshot. An event that computes
   * an amount, releases more or less of it or settles it elsewhere is a movement of its commission; the events of one moment that settle or reopen
   * lines of one settlement are together one movement of the settlement. Other events are none.
   */
  readonly partnerMovements: (
    customerId: CustomerId,
    partnerId: PartnerId,
    span: MovementSpan,
  ) => Effect.Effect<MovementPage, StorageError>;
  /**
   * The logs of the settlements of the ids that exist, each once and in order, of one snapshot, with their stored parts but
   * without the lines of the creation. The settlements come in any order.
   */
  readonly settlementLogs: (
    customerId: CustomerId,
    settlementIds: ReadonlyArray<SettlementId>,
  ) => Effect.Effect<ReadonlyArray<SettlementLog>, StorageError>;
}
