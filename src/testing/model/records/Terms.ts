/** The terms of formulas and of plans: name, window, and the versions of the expression. */
import { sameJson } from "../../../domain/Json.ts";
import type { ParameterDefinition } from "../../../formula/index.ts";
import type { FormulaChange, PlanRequest } from "../Command.ts";
import { isDescription, isName, isText, isWindow } from "../prediction/Bounds.ts";
import { isValidPlan, readsOf, readsSellers } from "../world/Plan.ts";
import { areDeclarations, storedDeclarations } from "../world/Values.ts";
import type { Terms, Version } from "../world/World.ts";

/** True if formulas that pay these roles may have an expression: one that pays sellers cannot rest on what sellers earn. */
const mayRead = (roles: ReadonlyArray<string> | null, plan: Version["plan"]): boolean =>
  !(readsSellers(plan) && (roles ?? ["seller"]).includes("seller"));

/** True if the terms of a request are valid by themselves. */
export const areTerms = ({
  name,
  description = null,
  startDatetime,
  endDatetime = null,
  plan,
  parameters = [],
  roles = ["seller"],
}: PlanRequest): boolean =>
  isName(name) &&
  areRoles(roles) &&
  areDeclarations(parameters) &&
  isDescription(description) &&
  isWindow(startDatetime, endDatetime) &&
  mayRead(roles, plan) &&
  plan.type !== "malformed";

/** True if a change is valid by itself. */
export const isChange = ({
  name,
  description = null,
  startDatetime,
  endDatetime,
  effectiveDatetime,
  versionsAhead,
  plan,
  parameters = [],
}: FormulaChange): boolean =>
  areDeclarations(parameters) &&
  (name == null || isName(name)) &&
  isDescription(description) &&
  ((effectiveDatetime == null && versionsAhead == null) || plan !== undefined) &&
  plan?.type !== "malformed" &&
  (startDatetime == null || endDatetime === undefined || isWindow(startDatetime, endDatetime));

/** The roles that a request states; null for the seller alone. */
const storedRoles = (roles: PlanRequest["roles"] = ["seller"]): Terms["roles"] =>
  roles.length === 1 && roles[0] === "seller" ? null : roles;

const areRoles = (roles: ReadonlyArray<string>): boolean =>
  roles.length >= 1 &&
  roles.length <= 20 &&
  new Set(roles).size === roles.length &&
  roles.every((role) => isText(role, 64));

/** The terms of a new formula or plan. */
export const newTerms = (request: PlanRequest, now: number) => ({
  name: request.name,
  description: request.description ?? null,
  currency: request.currency,
  roles: storedRoles(request.roles),
  release: request.release === "on_receipt" ? request.release : null,
  start: request.startDatetime,
  end: request.endDatetime ?? null,
  versions: [{ plan: request.plan, effective: null }],
  parameters: storedDeclarations(request.parameters ?? []),
  cancelReason: null,
  createdAt: now,
});

/** True if a version waits for its date, which a caller set in the future. */
export const isAhead = ({ ahead = false, withdrawn = false, effective }: Version, moment: number): boolean =>
  ahead && !withdrawn && effective !== null && effective > moment;

/** A statement of an expression is refused unless it says what becomes of the versions ahead that it would replace. */
const REFUSED = "versions_ahead";

/** The versions with one more expression; the same array when the expression changes nothing. */
const withVersion = (
  versions: ReadonlyArray<Version>,
  plan: Version["plan"],
  { effectiveDatetime: given, versionsAhead }: FormulaChange,
  { moment, holdsFrom }: { readonly moment: number; readonly holdsFrom: number },
): ReadonlyArray<Version> | typeof REFUSED => {
  const from = given ?? holdsFrom;
  const says = (version: Version): boolean => JSON.stringify(version.plan) === JSON.stringify(plan);
  const replaced = versions.filter(
    (version) =>
      isAhead(version, moment) &&
      Number(version.effective) >= from &&
      !(version.effective === from && says(version)),
  );
  const keeps = versionsAhead === "keep";
  if (replaced.length > 0 && versionsAhead == null) return REFUSED;
  if (keeps && replaced.some(({ effective }) => effective === from)) return REFUSED;
  const holding = versions.findLast((version) => version.withdrawn !== true && !replaced.includes(version));
  const repeats =
    holding !== undefined && says(holding) && (holding.effective === null || holding.effective <= from);
  if (repeats && (keeps || replaced.length === 0)) return versions;
  const isLater = given != null && given > moment;
  return [
    ...versions.map((version) => (replaced.includes(version) ? { ...version, withdrawn: true } : version)),
    ...(repeats ? [] : [{ plan, effective: from, ...(isLater ? { ahead: true } : {}) }]),
    ...(keeps ? replaced : []),
  ];
};

/** The numbers of the versions that a change withdrew, and whether it stated one with a date in the future. */
const statedOfVersions = (before: Terms, after: Terms) => {
  const numbers = after.versions.flatMap((version, index) =>
    version.withdrawn === true && before.versions[index]?.withdrawn !== true ? [index + 1] : [],
  );
  return {
    withdrawn_versions: numbers.length === 0 ? undefined : numbers,
    ahead: after.versions[before.versions.length]?.ahead,
  };
};

/** A formula or plan without a version that was ahead. */
export const withoutVersion = <Of extends Terms>(terms: Of, number: number): Of => ({
  ...terms,
  versions: terms.versions.map((version, index) =>
    index === number - 1 ? { ...version, withdrawn: true } : version,
  ),
});

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
  after.every((parameterDefinition) => {
    const earlier = before.find(({ name }) => name === parameterDefinition.name);
    return earlier === undefined
      ? !isUsed || parameterDefinition.default !== undefined
      : earlier.type === parameterDefinition.type && earlier.default === parameterDefinition.default;
  }) &&
  plans
    .flatMap(readsOf)
    .every((name) => after.some((parameterDefinition) => parameterDefinition.name === name));

/**
 * A formula or plan after a change at a moment; an expression without a date holds from `holdsFrom` on; `isUsed` if some partner
 * has it. The same object when nothing changes; null when the change is invalid, and the token of a conflict.
 */
export const changeTerms = <Of extends Terms>(
  before: Of,
  change: FormulaChange,
  at: { readonly moment: number; readonly holdsFrom: number; readonly isUsed: boolean },
): Of | typeof REFUSED | null => {
  const { plan, name, description, startDatetime, endDatetime, parameters } = change;
  const versions = plan === undefined ? before.versions : withVersion(before.versions, plan, change, at);
  const after: Of = {
    ...before,
    name: name ?? before.name,
    description: description === undefined ? before.description : description,
    start: startDatetime ?? before.start,
    end: endDatetime === undefined ? before.end : endDatetime,
    versions: versions === REFUSED ? before.versions : versions,
    parameters:
      parameters === undefined || sameJson(parameters, before.parameters)
        ? before.parameters
        : storedDeclarations(parameters),
  };
  if (plan !== undefined && !(isValidPlan(plan, after.parameters) && mayRead(after.roles, plan))) return null;
  const plans = [...before.versions.map((version) => version.plan), ...(plan === undefined ? [] : [plan])];
  if (!mayDeclare(before.parameters, after.parameters, plans, at.isUsed)) return null;
  if (!isWindow(after.start, after.end)) return null;
  if (versions === REFUSED) return REFUSED;
  const fields = Object.keys(after) as Array<keyof Of>;
  return fields.every((field) => after[field] === before[field]) ? before : after;
};

/** What the event of a change states of declarations and versions. */
export const statedBy = (before: Terms, after: Terms) => ({
  parameters: after.parameters === before.parameters ? undefined : after.parameters,
  ...statedOfVersions(before, after),
});
