/** What the sellers of sales earn, as it is stored: what overrides are computed from. */
import { Array as Arrays, Effect } from "effect";
import { type Attribution, saleIdOf } from "../../domain/Attribution.ts";
import type { Commission } from "../../domain/Commission.ts";
import type { AttributionId, CustomerId, FormulaId } from "../../domain/Ids.ts";
import { isBelowOthers, type OfSeller, type SellerChange, sellersCommission } from "../../domain/Override.ts";
import type { Earnings, Records, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import type { SellersCommission } from "../attributions/Evaluator.ts";

/** The attributions and commissions of sellers, and what they earn for a formula. */
export interface SellersAmounts {
  /** What the sellers earn once these commissions have changed. */
  readonly sellersAfter: (changed: ReadonlyArray<SellerChange>) => SellersCommission;
  readonly attributions: ReadonlyArray<Versioned<Attribution>>;
  /** The commission of a seller under a formula; null where none is stored. */
  readonly commissionOf: (
    attribution: Attribution,
    formula: { readonly id: FormulaId },
  ) => Versioned<Commission> | null;
  /** That no commission of a seller has been added or changed. */
  readonly requires: ReadonlyArray<Requirement>;
}

const NONE: SellersAmounts = {
  sellersAfter: () => () => {
    throw new Error("an override is computed without what the sellers earn");
  },
  attributions: [],
  commissionOf: () => null,
  requires: [],
};

const keyOf = (attributionId: AttributionId, formulaId: FormulaId): string => `${attributionId} ${formulaId}`;

/** What sellers earn by their commissions, of which later ones take the place of earlier ones. */
const sumsOf = (
  commissions: ReadonlyArray<{
    readonly attribution: Attribution;
    readonly commission: OfSeller & { readonly formulaId: FormulaId };
  }>,
): SellersCommission => {
  const bySale = new Map<AttributionId, Map<string, OfSeller>>();
  for (const { attribution, commission } of commissions) {
    const sale = saleIdOf(attribution);
    const own = bySale.get(sale) ?? new Map<string, OfSeller>();
    bySale.set(sale, own);
    own.set(keyOf(attribution.id, commission.formulaId), commission);
  }
  return ({ currency }, attribution) =>
    sellersCommission(attribution, currency, [...(bySale.get(saleIdOf(attribution))?.values() ?? [])]);
};

/** Reads the commissions of sellers, and that none has been added or changed. */
export const readStored = (
  storage: Earnings,
  customerId: CustomerId,
  sellers: ReadonlyArray<AttributionId>,
): Effect.Effect<
  { readonly stored: ReadonlyArray<Versioned<Commission>>; readonly requires: ReadonlyArray<Requirement> },
  StorageError
> =>
  Effect.map(storage.commissionsOf(customerId, sellers), (stored) => {
    const byAttribution = Arrays.groupBy(stored, ({ attributionId }) => attributionId);
    return {
      stored,
      requires: [
        ...sellers.map(
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

/** Reads what the sellers of the sales of some attributions earn; nothing where there are none. */
export const readSellers = (
  storage: Records & Earnings,
  customerId: CustomerId,
  attributions: ReadonlyArray<Attribution>,
): Effect.Effect<SellersAmounts, StorageError> => {
  if (attributions.length === 0) return Effect.succeed(NONE);
  return Effect.gen(function* () {
    const sales = [...new Set(attributions.map(saleIdOf))];
    const origins = yield* storage.find(customerId, "attribution", sales);
    const credited = yield* storage.creditedAttributions(customerId, sales);
    const sellers = new Map([...origins, ...credited].filter(isBelowOthers).map((one) => [one.id, one]));
    const { stored, requires } = yield* readStored(storage, customerId, [...sellers.keys()]);
    const byKey = new Map(stored.map((one) => [keyOf(one.attributionId, one.formulaId), one]));
    const found = stored.flatMap((commission) => {
      const attribution = sellers.get(commission.attributionId);
      return attribution === undefined ? [] : [{ attribution, commission }];
    });
    return {
      sellersAfter: (changed) => sumsOf([...found, ...changed]),
      attributions: [...sellers.values()],
      commissionOf: (attribution, { id }) => byKey.get(keyOf(attribution.id, id)) ?? null,
      requires,
    };
  });
};
