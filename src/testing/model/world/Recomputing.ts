/** Recomputations: commissions brought up to date after a change, and with them the overrides that rest on these. */
import { addMissingCommissions, isRecomputedAfter, refreshCommissions } from "./Earnings.ts";
import { joins } from "./Joins.ts";
import { isSellerBelow, restsOnSellers } from "./Overrides.ts";
import type { Attribution, Commission, Formula, World } from "./World.ts";

const findBoth = (
  { attributions, formulas }: World,
  { attributionId, formulaId }: Pick<Commission, "attributionId" | "formulaId">,
) => ({
  attribution: attributions.find(({ id }) => id === attributionId),
  formula: formulas.find(({ id }) => id === formulaId),
});

/** The world after a step, with the overrides brought up to date that rest on amounts which the step has changed. */
const followSellers = (before: World, after: World): World => {
  const changed = after.commissions.flatMap((commission) => {
    const { attribution } = findBoth(after, commission);
    return before.commissions.includes(commission) || attribution === undefined ? [] : [attribution];
  });
  const follows = (attribution: Attribution, formula: Formula): boolean =>
    joins(attribution, formula) &&
    restsOnSellers(attribution, formula) &&
    changed.some((seller) => isSellerBelow(seller, attribution));
  const refreshed = refreshCommissions(
    after,
    (commission) => {
      const { attribution, formula } = findBoth(after, commission);
      return attribution !== undefined && formula !== undefined && follows(attribution, formula);
    },
    { cause: "recomputed" },
  );
  return addMissingCommissions(refreshed, follows);
};

/** Recomputes one formula after one of its changes: updates its commissions and adds missing ones. */
export const recompute = (world: World, id: string): World => {
  const recomputed = addMissingCommissions(
    refreshCommissions(world, ({ formulaId }) => formulaId === id),
    (_, formula) => formula.id === id,
  );
  const followed = followSellers(world, recomputed);
  const change = world.pendingFormulas.indexOf(id);
  return { ...followed, pendingFormulas: world.pendingFormulas.filter((_, index) => index !== change) };
};

/** Recomputes what was earned after a cancelled attribution, under the formulas that counted it. */
export const recomputeAfter = (world: World, id: string): World => {
  const pending = world.pendingCancellations.find((cancellation) => cancellation.attributionId === id);
  if (pending === undefined) return world;
  const refreshed = refreshCommissions(world, (commission) => {
    const { attribution, formula } = findBoth(world, commission);
    return (
      attribution !== undefined &&
      formula !== undefined &&
      isRecomputedAfter(world, pending, attribution, formula)
    );
  });
  return {
    ...followSellers(world, refreshed),
    pendingCancellations: world.pendingCancellations.filter((cancellation) => cancellation !== pending),
  };
};

/** The attributions of the sellers on whose amounts some commissions rest. */
export const sellersBelow = (
  world: World,
  picks: (commission: Commission) => boolean,
): ReadonlyArray<Attribution> =>
  world.commissions.filter(picks).flatMap((commission) => {
    const { attribution, formula } = findBoth(world, commission);
    return attribution !== undefined && formula !== undefined && restsOnSellers(attribution, formula)
      ? world.attributions.filter((seller) => isSellerBelow(seller, attribution))
      : [];
  });

/**
 * Brings commissions up to date as a settlement does: first those of the sellers that they rest on, and of the named ones those
 * that others rest on, each with the overrides on it.
 */
export const bringUpToDate = (world: World, picks: (commission: Commission) => boolean): World => {
  const below = sellersBelow(world, picks);
  const isBelow = (attribution: Attribution) => below.some(({ id }) => id === attribution.id);
  const isSeller = (commission: Commission): boolean => {
    const { attribution } = findBoth(world, commission);
    return (
      attribution !== undefined &&
      (isBelow(attribution) || (picks(commission) && attribution.credit?.role === "seller"))
    );
  };
  const sellers = addMissingCommissions(refreshCommissions(world, isSeller), isBelow);
  return refreshCommissions(followSellers(world, sellers), picks);
};
