/** Which attributions earn under a formula, under which of its versions, and in which order they arrived. */
import { isAccumulating } from "./Plan.ts";
import type { Attribution, Formula } from "./World.ts";

/** True if a moment is in a formula's window: from its start on, and before its end. */
export const isInWindow = (formula: Formula, moment: number): boolean =>
  moment >= formula.start && !(formula.end !== null && moment >= formula.end);

/** The fields that decide to which formula set an attribution belongs. */
export type SetMember = Pick<Attribution, "customerId" | "workspaceId" | "partnerId" | "schemaId">;

/** True if an attribution is of the partner, schema and workspace of a formula. */
export const isSameFormulaSet = (attribution: SetMember, formula: Formula): boolean =>
  attribution.customerId === formula.customerId &&
  attribution.workspaceId === formula.workspaceId &&
  attribution.partnerId === formula.partnerId &&
  attribution.schemaId === formula.schemaId;

/** True if an attribution earns under a formula. */
export const joins = (attribution: Attribution, formula: Formula): boolean =>
  isSameFormulaSet(attribution, formula) &&
  (formula.roles ?? ["seller"]).includes(attribution.credit?.role ?? "seller") &&
  attribution.cancelReason === null &&
  formula.cancelReason === null &&
  isInWindow(formula, attribution.occurredAt);

/** The version in effect at a moment: a later statement replaces an earlier one from its date on, unless it was withdrawn. */
export const versionAt = (formula: Formula, moment: number): number => {
  let holding = 1;
  formula.versions.forEach(({ effective, withdrawn = false }, index) => {
    if (effective !== null && effective <= moment && !withdrawn) holding = index + 1;
  });
  return holding;
};

/** True if an attribution arrived before another one: by its moment of creation, then by its id. */
export const arrivedBefore = (a: Attribution, b: Attribution): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);

export const isSameSet = (a: Attribution, b: Attribution): boolean =>
  a.customerId === b.customerId &&
  a.workspaceId === b.workspaceId &&
  a.partnerId === b.partnerId &&
  a.schemaId === b.schemaId;

/** True if a formula that is not cancelled depends, in any version, on earlier attributions. */
export const accumulates = ({ cancelReason, versions }: Formula): boolean =>
  cancelReason === null && versions.some(({ plan }) => isAccumulating(plan));
