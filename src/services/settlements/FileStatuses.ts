/** Adds to listed settlements how far their payments by file have come. */
import { Effect } from "effect";
import type { CustomerId, PaymentReference } from "../../domain/Ids.ts";
import { type FileStatus, fileStatus } from "../../domain/PaymentFile.ts";
import type { Listed, Records, StorageError } from "../../ports/Storage.ts";

type Row = Pick<Listed["settlement"], "customerId" | "status" | "paymentReference">;

/** What is added: null unless the payment is initiated and is made by a payment file. */
export interface WithFileStatus {
  readonly paymentFileStatus: FileStatus | null;
}

/** The status of each of these payments that is made by file. */
const statusesOf = (
  storage: Records,
  customerId: CustomerId,
  references: ReadonlyArray<PaymentReference>,
): Effect.Effect<ReadonlyArray<readonly [PaymentReference, FileStatus]>, StorageError> =>
  Effect.gen(function* () {
    const payments = yield* storage.find(customerId, "bankPayment", references);
    const fileIds = [...new Set(payments.map(({ fileId }) => fileId))].filter((id) => id !== null);
    const files = fileIds.length === 0 ? [] : yield* storage.find(customerId, "paymentFile", fileIds);
    const byId = new Map<string | null, (typeof files)[number]>(files.map((file) => [file.id, file]));
    return payments.map(({ id, fileId }) => [id, fileStatus(byId.get(fileId))] as const);
  });

/** The rows, each with its file status. Reads nothing where no payment is initiated. */
export const withFileStatuses = <A extends Row>(
  storage: Records,
  rows: ReadonlyArray<A>,
): Effect.Effect<ReadonlyArray<A & WithFileStatus>, StorageError> => {
  const initiated = new Map<CustomerId, Array<PaymentReference>>();
  for (const { customerId, status, paymentReference } of rows)
    if (status.type === "payment_initiated" && paymentReference !== null)
      initiated.set(customerId, [...(initiated.get(customerId) ?? []), paymentReference]);
  return Effect.map(
    Effect.forEach(initiated, ([customerId, references]) => statusesOf(storage, customerId, references)),
    (found) => {
      const statuses = new Map<string | null, FileStatus>(found.flat());
      return rows.map((row) => ({
        ...row,
        paymentFileStatus:
          row.status.type === "payment_initiated" ? (statuses.get(row.paymentReference) ?? null) : null,
      }));
    },
  );
};
