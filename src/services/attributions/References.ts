/** How documents and statements name attributions, also replaced ones. */
import { Effect } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionId, CustomerId } from "../../domain/Ids.ts";
import { otherIds, otherSale, type Pairing } from "../../domain/Replacement.ts";
import type { Records, StorageError } from "../../ports/Storage.ts";

/** Attributions that are read at a time. */
const READ_MAX = 1_000;

/** The names of attributions. */
export interface SaleNames {
  /**
   * The external reference: of a replaced one that of the newest, to which it has moved. So a past statement does not change with
   * a replacement, and the two lines of a replaced sale have one reference.
   */
  readonly referenceOf: (attribution: Attribution) => string | null;
  readonly pairingOf: (attribution: Attribution) => Pairing;
}

/** Reads what names attributions; nothing where none was replaced. */
export const namesOf = (
  storage: Records,
  customerId: CustomerId,
  attributions: ReadonlyArray<Attribution>,
): Effect.Effect<SaleNames, StorageError> =>
  Effect.gen(function* () {
    const known = new Map(attributions.map((attribution) => [attribution.id, attribution]));
    let ids = otherIds(attributions).filter((id) => !known.has(id));
    while (ids.length > 0) {
      const found: Array<Attribution> = [];
      for (let start = 0; start < ids.length; start += READ_MAX)
        found.push(...(yield* storage.find(customerId, "attribution", ids.slice(start, start + READ_MAX))));
      for (const one of found) known.set(one.id, one);
      ids = found.flatMap(({ replacedBy }) =>
        replacedBy === null || known.has(replacedBy) ? [] : replacedBy,
      );
    }
    const knownOf = (id: AttributionId | null): Attribution | undefined =>
      id === null ? undefined : known.get(id);
    return {
      referenceOf: (attribution) => {
        let newest = attribution;
        for (let next = knownOf(newest.replacedBy); next !== undefined; next = knownOf(next.replacedBy))
          newest = next;
        return newest.externalReference;
      },
      pairingOf: (attribution) => ({
        replaces: otherSale(attribution, knownOf(attribution.replaces)),
        replacedBy: otherSale(attribution, knownOf(attribution.replacedBy)),
      }),
    };
  });
