/** The room of settling: what creating, approving and paying settlements reads. */
import type { Effect, Stream } from "effect";
import type { Document } from "../../../domain/Document.ts";
import type { NumberSeries } from "../../../domain/DocumentNumber.ts";
import type {
  CommissionId,
  CustomerId,
  PartnerId,
  PaymentFileId,
  SettlementId,
} from "../../../domain/Ids.ts";
import type { BankPayment } from "../../../domain/PaymentFile.ts";
import type { DueCommission, DuePosition } from "../../../domain/SettlementRun.ts";
import type { LineWithBilledParts, Reversal } from "../../../domain/Tax.ts";
import type { Timestamp } from "../../../domain/Timestamp.ts";
import type { StorageError } from "../Failure.ts";
import type { ExportLine } from "../Reads.ts";
import type { Versioned } from "../Records.ts";

/** What is due, and the lines, documents and payments of settlements. */
export interface Settling {
  /** The settlement's lines in order, of one snapshot, without holding them all at once. */
  readonly settlementLines: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Stream.Stream<ExportLine, StorageError>;
  /** Commissions of the settlement that another open settlement holds. */
  readonly heldByOtherSettlements: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<CommissionId>, StorageError>;
  /** True if the settlement is a draft with a line that differs from what its commission is due now. */
  readonly isStale: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<boolean, StorageError>;
  /**
   * The lines of a settlement whose commissions have billed amounts that are not reversed, in any order, of one snapshot.
   * These are the amounts of the commission's lines in paid settlements: a reversal counts for its origin, the rest of a
   * line for the line's own settlement.
   */
  readonly linesWithBilledParts: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<LineWithBilledParts>, StorageError>;
  /** The reversals in a settlement's lines, in any order; none when it has none. */
  readonly reversals: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<Reversal>, StorageError>;
  /** The settlement's documents of every kind, those that were replaced included, by kind and revision. */
  readonly documentsOf: (
    customerId: CustomerId,
    settlementId: SettlementId,
  ) => Effect.Effect<ReadonlyArray<Versioned<Document>>, StorageError>;
  /** The payments of a file, or those that wait for one (null), ordered by id, at most `limit`. */
  readonly bankPayments: (
    customerId: CustomerId,
    fileId: PaymentFileId | null,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Versioned<BankPayment>>, StorageError>;
  /**
   * The commissions of the partners with something due or waiting, and those that cannot be computed, of attributions that occurred
   * before `until` (exclusive), after a position; of each partner the first `limit` in order of (createdAt, id), from 1, of one
   * snapshot. The partners come in any order.
   */
  readonly dueCommissions: (
    customerId: CustomerId,
    query: {
      readonly partnerIds: ReadonlyArray<PartnerId>;
      readonly until: Timestamp;
      readonly after: DuePosition | null;
      readonly limit: number;
    },
  ) => Effect.Effect<ReadonlyArray<DueCommission>, StorageError>;
  /** A series of the customer by its name; null before its first number. */
  readonly numberSeries: (
    customerId: CustomerId,
    name: NumberSeries["name"],
  ) => Effect.Effect<NumberSeries | null, StorageError>;
}
