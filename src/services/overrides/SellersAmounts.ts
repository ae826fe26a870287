/** What the sellers of sales earn, as it is stored: what overrides are computed from. */
import { Array as Arrays, Effect } from "effect";
import { type Attribution, saleIdOf } from "../../domain/Attribution.ts";
import type { Commission } from "../../domain/Commission.ts";
import type { AttributionId, CustomerId } from "../../domain/Ids.ts";
import { isBelowOthers, type OfSeller, type SellerChange, sellersCommission } from "../../domain/Override.ts";
import type { Earnings, Records, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import type { SellersCommission } from "../attributions/Evaluator.ts";

/** The commissions of sellers, and what they earn for a formula. */
export interface SellersAmounts {
  readonly sellers: SellersCommission;
  /** With the attributions of the sellers. */
  readonly commissions: ReadonlyArray<{
    readonly attribution: Versioned<Attribution>;
    readonly commission: Versioned<Commission>;
  }>;
  /** That no commission of a seller has been added or changed. */
  readonly requires: ReadonlyArray<Requirement>;
}

/** Reads what the sellers of the sales of some attributions earn; what the same commit changes takes the place of what is stored. */
export const readSellers = (
  storage: Records & Earnings,
  customerId: CustomerId,
  attributions: ReadonlyArray<Attribution>,
  changed: ReadonlyArray<SellerChange> = [],
): Effect.Effect<SellersAmounts, StorageError> =>
  Effect.gen(function* () {
    const sales = [...new Set(attributions.map(saleIdOf))];
    const origins = yield* storage.find(customerId, "attribution", sales);
    const credited = yield* storage.creditedAttributions(customerId, sales);
    const sellers = new Map([...origins, ...credited].filter(isBelowOthers).map((one) => [one.id, one]));
    const stored = yield* storage.commissionsOf(customerId, [...sellers.keys()]);
    const byAttribution = Arrays.groupBy(stored, ({ attributionId }) => attributionId);
    const bySale = new Map<AttributionId, Map<string, OfSeller>>(sales.map((sale) => [sale, new Map()]));
    const commissions = stored.flatMap((commission) => {
      const attribution = sellers.get(commission.attributionId);
      return attribution === undefined ? [] : [{ attribution, commission }];
    });
    for (const { attribution, commission } of [...commissions, ...changed])
      bySale.get(saleIdOf(attribution))?.set(commission.id, commission);
    return {
      sellers: ({ currency }, attribution) =>
        sellersCommission(attribution, currency, [...(bySale.get(saleIdOf(attribution))?.values() ?? [])]),
      commissions,
      requires: [
        ...[...sellers.keys()].map(
          (attributionId): Requirement => ({
            type: "commissions",
            attributionId,
            count: byAttribution[attributionId]?.length ?? 0,
          }),
        ),
        ...stored.map(
          ({ id, version }): Requirement => ({ type: "record", kind: "commission", id, version }),
        ),
      ],
    };
  });
