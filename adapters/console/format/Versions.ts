/** The versions of a formula or a plan. */
import type { Formula, Plan } from "../api/Records.ts";

/**
 * From when on each version applies to sales, the first version first: the date that it states, or the start of the formula or plan
 * where that is later.
 */
export const versionStarts = ({
  versions,
  startDatetime,
}: Pick<Formula | Plan, "startDatetime"> & {
  readonly versions: ReadonlyArray<Pick<Plan["versions"][number], "effectiveDatetime">>;
}): ReadonlyArray<string> =>
  versions.map(({ effectiveDatetime: stated }) =>
    stated !== null && Date.parse(stated) > Date.parse(startDatetime) ? stated : startDatetime,
  );
