/** The external references by which documents and statements name attributions, also replaced ones. */
import { Effect } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionId, CustomerId } from "../../domain/Ids.ts";
import type { Records, StorageError } from "../../ports/Storage.ts";

/** Attributions that are read at a time. */
const READ_MAX = 1_000;

/**
 * The external reference of each attribution: of a replaced one that of the newest, to which it has moved. So a past statement does
 * not change with a replacement, and the two lines of a replaced sale have one reference. Reads nothing where none was replaced.
 */
export const referencesOf = (
  storage: Records,
  customerId: CustomerId,
  attributions: ReadonlyArray<Attribution>,
): Effect.Effect<(attribution: Attribution) => string | null, StorageError> =>
  Effect.gen(function* () {
    const known = new Map<AttributionId, Attribution>();
    let ids = [...new Set(attributions.flatMap(({ replacedBy }) => replacedBy ?? []))];
    while (ids.length > 0) {
      const found: Array<Attribution> = [];
      for (let start = 0; start < ids.length; start += READ_MAX)
        found.push(...(yield* storage.find(customerId, "attribution", ids.slice(start, start + READ_MAX))));
      for (const one of found) known.set(one.id, one);
      ids = found.flatMap(({ replacedBy }) =>
        replacedBy === null || known.has(replacedBy) ? [] : replacedBy,
      );
    }
    return (attribution) => {
      let newest = attribution;
      while (newest.replacedBy !== null) {
        const next = known.get(newest.replacedBy);
        if (next === undefined) break;
        newest = next;
      }
      return newest.externalReference;
    };
  });
