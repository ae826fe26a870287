/** The room of upkeep: what workers and operators ask of the whole store. */
import type { Effect } from "effect";
import type { CustomerId } from "../../../domain/Ids.ts";
import type { SettlementPolicy } from "../../../domain/SettlementPolicy.ts";
import type { DuePolicyPosition } from "../../../domain/SettlementRun.ts";
import type { Timestamp } from "../../../domain/Timestamp.ts";
import type { StorageError } from "../Failure.ts";
import type { Versioned } from "../Records.ts";

/** What {@link Upkeep.prune} removes. */
export interface Pruning {
  /** The age up to which idempotency records are kept. */
  readonly idempotencyMilliseconds: number;
  /** The age up to which webhook deliveries are kept that have ended. */
  readonly deliveryMilliseconds: number;
  /** The age up to which trials of plans, and dry recredit runs, are kept that have ended. */
  readonly trialMilliseconds: number;
  /** How many records may go at once, from 1. */
  readonly limit: number;
}

/** What concerns every customer. */
export interface Upkeep {
  /**
   * Removes idempotency records that are older than what is kept, and the ids of stored commands older than a day, of
   * every customer, by the store's clock. Removes webhook deliveries, and trials of plans and dry recredit runs with their results,
   * that ended longer ago than what is kept. Removes at most `limit` of all together and returns how many, so that the caller repeats it while the limit is reached. A key whose
   * record was removed may be used anew.
   */
  readonly prune: (pruning: Pruning) => Effect.Effect<number, StorageError>;
  /** Succeeds when the store can be reached and its schema is the one this code needs. */
  readonly ready: Effect.Effect<void, StorageError>;
  /**
   * Settlement policies of every customer whose next run is due at a moment, after a position, ordered by (nextRunAt, id), at
   * most `limit`. While a part of a distributed store cannot be reached, those of the rest.
   */
  readonly dueSettlementPolicies: (
    at: Timestamp,
    after: DuePolicyPosition | null,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Versioned<SettlementPolicy>>, StorageError>;
  /**
   * Customers with events that are not in their feed, after an id (null: from the first), ordered by id, at most `limit`.
   * A customer all of whose new events were left out may be missing; its next commit or read of the feed finds them.
   * While a part of a distributed store cannot be reached, customers of the rest.
   */
  readonly customersWithFeedBacklog: (
    after: CustomerId | null,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<CustomerId>, StorageError>;
}
