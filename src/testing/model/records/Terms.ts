/** The terms of formulas and of plans: name, window, and the versions of the expression. */
import type { FormulaChange, PlanRequest } from "../Command.ts";
import { isDescription, isName, isWindow } from "../prediction/Bounds.ts";
import { isValidPlan } from "../world/Plan.ts";
import type { Terms, Version } from "../world/World.ts";

/** True if the terms of a request are valid by themselves. */
export const areTerms = ({
  name,
  description = null,
  startDatetime,
  endDatetime = null,
  plan,
}: PlanRequest): boolean =>
  isName(name) &&
  isDescription(description) &&
  isWindow(startDatetime, endDatetime) &&
  plan.type !== "malformed";

/** True if a change is valid by itself. */
export const isChange = ({
  name,
  description = null,
  startDatetime,
  endDatetime,
  effectiveDatetime,
  plan,
}: FormulaChange): boolean =>
  (name == null || isName(name)) &&
  isDescription(description) &&
  (effectiveDatetime == null || plan !== undefined) &&
  plan?.type !== "malformed" &&
  (startDatetime == null || endDatetime === undefined || isWindow(startDatetime, endDatetime));

/** The terms of a new formula or plan. */
export const newTerms = (request: PlanRequest, now: number) => ({
  name: request.name,
  description: request.description ?? null,
  currency: request.currency,
  start: request.startDatetime,
  end: request.endDatetime ?? null,
  versions: [{ plan: request.plan, effective: null }],
  cancelReason: null,
  createdAt: now,
});

/** The versions with one more expression; the same array when the expression changes nothing. */
const withVersion = (
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

/**
 * A formula or plan after a change at a moment; an expression without a date holds from `holdsFrom` on. The same object when
 * nothing changes; null when the change is invalid.
 */
export const changeTerms = <Of extends Terms>(
  before: Of,
  { plan, effectiveDatetime, name, description, startDatetime, endDatetime }: FormulaChange,
  moment: number,
  holdsFrom: number,
): Of | null => {
  const after: Of = {
    ...before,
    name: name ?? before.name,
    description: description === undefined ? before.description : description,
    start: startDatetime ?? before.start,
    end: endDatetime === undefined ? before.end : endDatetime,
    versions:
      plan === undefined
        ? before.versions
        : withVersion(before.versions, plan, effectiveDatetime ?? holdsFrom),
  };
  if (plan !== undefined && !isValidPlan(plan)) return null;
  if ((effectiveDatetime ?? moment) > moment || !isWindow(after.start, after.end)) return null;
  const fields = Object.keys(after) as Array<keyof Of>;
  return fields.every((field) => after[field] === before[field]) ? before : after;
};
