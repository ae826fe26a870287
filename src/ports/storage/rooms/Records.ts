/** The room of records: one write door, `commit`, and the reads that every service uses. */
import type { Effect } from "effect";
import type { Entry } from "../../../domain/Event.ts";
import type { CustomerId } from "../../../domain/Ids.ts";
import type { ChangeSet, IdempotencyRecord } from "../ChangeSet.ts";
import type { IdempotencyKeyUsed, StorageError, VersionConflict } from "../Failure.ts";
import type { Filters } from "../Filters.ts";
import type { Page, Query } from "../Reads.ts";
import type { Kind, Listed, ListedKind, Logged, Rows, Tenant, Versioned } from "../Records.ts";

/** Records, their logs and lists, and the one way to write. */
export interface Records {
  /**
   * Stores a change set, all or nothing, durable when it returns.
   * The order inside is fixed: idempotencyRecord, requires, settlements, commissions locked by id, revise, lines, saves, erasures, outbox.
   * `VersionConflict` of `books` when the command or one of its events is dated before the `closedUntil` of the customer's books, as they are once every earlier commit has ended.
   * `VersionConflict` when a requirement, an expected version or a unique key no longer holds, `IdempotencyKeyUsed` when the idempotency key is taken.
   * Of two commits that rely on what the other changes, one succeeds.
   */
  readonly commit: (
    customerId: CustomerId,
    changeSet: ChangeSet,
  ) => Effect.Effect<void, VersionConflict | IdempotencyKeyUsed | StorageError>;
  /** The records of the ids that exist, in any order. */
  readonly find: <Name extends Kind>(
    tenant: Tenant,
    kind: Name,
    ids: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<Versioned<Rows[Name]>>, StorageError>;
  /** One page with events and the exact total, of one snapshot. */
  readonly list: <Name extends ListedKind>(
    tenant: Tenant,
    kind: Name,
    query: Query<Filters[Name]>,
  ) => Effect.Effect<Page<Listed[Name]>, StorageError>;
  /** The whole log of a record, stored parts included, in order: for replay and audit. */
  readonly log: <Name extends keyof Logged>(
    customerId: CustomerId,
    kind: Name,
    id: string,
  ) => Effect.Effect<ReadonlyArray<Entry<Logged[Name]["event"]>>, StorageError>;
  /** What was stored under an idempotency key, or null. */
  readonly findIdempotencyRecord: (
    customerId: CustomerId,
    principalId: string,
    key: string,
  ) => Effect.Effect<IdempotencyRecord | null, StorageError>;
  /**
   * True if the command is stored: the question after a lost reply. It fails as `unknown` for a command that is not found
   * and older than 12 hours by the store's clock, since that one may have been removed.
   */
  readonly isCommitted: (
    customerId: CustomerId,
    command: Pick<ChangeSet["command"], "id" | "at">,
  ) => Effect.Effect<boolean, StorageError>;
}
