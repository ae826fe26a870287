/** The versions of a formula or a plan. */
import type { Formula, LogEntry, Plan } from "../api/Records.ts";

/** The dates that the events of a formula or plan state for versions, the first version first; null for a first version. */
const statedStarts = ({ event }: LogEntry): ReadonlyArray<string | null> => {
  switch (event.type) {
    case "create_commission_plan":
      return [null];
    case "create_commission_formula":
      return [null, ...(event.later_versions ?? []).map((version) => version.effective_datetime)];
    case "update_commission_plan":
    case "update_commission_formula":
      return event.effective_datetime === undefined ? [] : [event.effective_datetime];
    default:
      return [];
  }
};

/**
 * From when on each version applies to sales, the first version first: the date that it states, or the start of the formula or plan
 * where that is later. The last version is the one in force, because no date lies in the future.
 */
export const versionStarts = ({
  events,
  startDatetime,
}: Pick<Formula | Plan, "events" | "startDatetime">): ReadonlyArray<string> =>
  (events as ReadonlyArray<LogEntry>)
    .flatMap(statedStarts)
    .map((stated) =>
      stated !== null && Date.parse(stated) > Date.parse(startDatetime) ? stated : startDatetime,
    );
