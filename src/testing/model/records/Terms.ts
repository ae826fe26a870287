/** The terms of formulas and of plans: name, window, and the versions of the expression. */
import { sameJson } from "../../../domain/Json.ts";
import type { ParameterDefinition } from "../../../formula/index.ts";
import type { FormulaChange, PlanRequest } from "../Command.ts";
import { isDescription, isName, isWindow } from "../prediction/Bounds.ts";
import { isValidPlan, readsOf } from "../world/Plan.ts";
import { areDeclarations } from "../world/Values.ts";
import type { Terms, Version } from "../world/World.ts";

/** True if the terms of a request are valid by themselves. */
export const areTerms = ({
  name,
  description = null,
  startDatetime,
  endDatetime = null,
  plan,
  parameters = [],
}: PlanRequest): boolean =>
  isName(name) &&
  areDeclarations(parameters) &&
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
  parameters = [],
}: FormulaChange): boolean =>
  areDeclarations(parameters) &&
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
  parameters: request.parameters ?? [],
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
 * True if declarations may take the place of others: types and defaults stay, a new one needs a default if somebody has the
 * formula, and one that an expression reads stays.
 */
const mayDeclare = (
  before: ReadonlyArray<ParameterDefinition>,
  after: ReadonlyArray<ParameterDefinition>,
  plans: ReadonlyArray<Version["plan"]>,
  isUsed: boolean,
): boolean =>
  after.every((one) => {
    const earlier = before.find(({ name }) => name === one.name);
    return earlier === undefined
      ? !isUsed || one.default !== undefined
      : earlier.type === one.type && earlier.default === one.default;
  }) && plans.flatMap(readsOf).every((name) => after.some((one) => one.name === name));

/**
 * A formula or plan after a change at a moment; an expression without a date holds from `holdsFrom` on; `isUsed` if some partner
 * has it. The same object when nothing changes; null when the change is invalid.
 */
export const changeTerms = <Of extends Terms>(
  before: Of,
  { plan, effectiveDatetime, name, description, startDatetime, endDatetime, parameters }: FormulaChange,
  {
    moment,
    holdsFrom,
    isUsed,
  }: { readonly moment: number; readonly holdsFrom: number; readonly isUsed: boolean },
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
    parameters:
      parameters === undefined || sameJson(parameters, before.parameters) ? before.parameters : parameters,
  };
  if (plan !== undefined && !isValidPlan(plan, after.parameters)) return null;
  const plans = after.versions.map((version) => version.plan);
  if (!mayDeclare(before.parameters, after.parameters, plans, isUsed)) return null;
  if ((effectiveDatetime ?? moment) > moment || !isWindow(after.start, after.end)) return null;
  const fields = Object.keys(after) as Array<keyof Of>;
  return fields.every((field) => after[field] === before[field]) ? before : after;
};

/** What the event of a change states of the declarations. */
export const declaredBy = (before: Terms, after: Terms) => ({
  parameters: after.parameters === before.parameters ? undefined : after.parameters,
});
