/** The overlap of assignments of one partner to one plan. */
import type { Assignment } from "./World.ts";

/** The moments between which an assignment holds; null where it has no bound of its own. */
export type Bounds = Pick<Assignment, "from" | "to">;

const LOWEST = Number.NEGATIVE_INFINITY;
const HIGHEST = Number.POSITIVE_INFINITY;

/** True if an assignment was withdrawn: it ends where it begins. */
export const isWithdrawn = ({ from, to }: Bounds): boolean => from !== null && from === to;

/** True if two assignments hold at some moment in common. */
export const overlap = (a: Bounds, b: Bounds): boolean =>
  !isWithdrawn(a) &&
  !isWithdrawn(b) &&
  Math.max(a.from ?? LOWEST, b.from ?? LOWEST) < Math.min(a.to ?? HIGHEST, b.to ?? HIGHEST);
