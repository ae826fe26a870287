/** What was stated of the receipts of sales, for commissions that are created after it. */
import { Effect } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import type { AttributionForFormula, Records, StorageError } from "../../ports/Storage.ts";
import type { StatedReceipts } from "../commands/RevisionCollector.ts";

const OF_ORIGINS: StatedReceipts = { of: ({ receipt }) => receipt, requires: () => [] };

/** Reads what was stated for attributions without a commission under a formula: for a credited one, of its origin. */
export const readReceipts = (
  storage: Records,
  customerId: CustomerId,
  release: Formula["release"],
  found: ReadonlyArray<AttributionForFormula>,
): Effect.Effect<StatedReceipts, StorageError> => {
  const ids =
    release === null
      ? []
      : found.flatMap(({ attribution, commission }) =>
          commission === null && attribution.originId !== null ? [attribution.originId] : [],
        );
  if (ids.length === 0) return Effect.succeed(OF_ORIGINS);
  return Effect.map(storage.find(customerId, "attribution", [...new Set(ids)]), (rows) => {
    const origins = new Map(rows.map((row) => [row.id, row]));
    const originOf = ({ originId }: Attribution) => (originId === null ? undefined : origins.get(originId));
    return {
      of: (attribution) => (originOf(attribution) ?? attribution).receipt,
      requires: (attribution) => {
        const origin = originOf(attribution);
        return origin === undefined
          ? []
          : [{ type: "record", kind: "attribution", id: origin.id, version: origin.version }];
      },
    };
  });
};
