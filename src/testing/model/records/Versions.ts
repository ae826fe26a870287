/** The versions of an expression, of formulas and of plans. */
import type { Version } from "../world/World.ts";

/** The versions with one more expression; the same array when the expression changes nothing. */
export const withVersion = (
  versions: ReadonlyArray<Version>,
  plan: Version["plan"],
  effective: number,
): ReadonlyArray<Version> => {
  const last = versions[versions.length - 1];
  const repeats =
    last !== undefined &&
    JSON.stringify(last.plan) === JSON.stringify(plan) &&
    (last.effective === null || effective >= last.effective);
  return repeats ? versions : [...versions, { plan, effective }];
};
