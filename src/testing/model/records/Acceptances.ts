/** The model of accepting the terms of a plan. */
import type { CommandOf } from "../Command.ts";
import { isName } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { termsAt } from "../world/Acceptances.ts";
import type { World } from "../world/World.ts";
import { applyPlan, findPlan } from "./Plans.ts";

/** Accept terms: those that were read, unless the command says that it read others. */
export const acceptTerms = (world: World, command: CommandOf<"accept_terms">): Prediction => {
  const { principal, partnerId, name, reference = null, at = world.now, stale } = command;
  const decide = (): Decision => {
    if ((principal.kind === "partner") === (reference !== null)) return refuse("Invalid");
    const plan = findPlan(world, command);
    const partner = world.partners.find(
      (candidate) => candidate.id === partnerId && canSee(principal, { ...candidate, partnerId }),
    );
    if (plan === undefined || partner === undefined) return refuse("Missing");
    const own = world.formulas.filter(
      (formula) => formula.partnerId === partnerId && formula.assignment?.planId === plan.id,
    );
    const terms = termsAt(
      own.map((formula) => applyPlan(plan, formula)),
      at,
    );
    if (terms === undefined) return refuse("Missing");
    if (stale) return conflict("terms_changed");
    const { customerId, workspaceId } = plan;
    const known = world.acceptances.find(
      (candidate) =>
        candidate.planId === plan.id && candidate.partnerId === partnerId && candidate.terms === terms.terms,
    );
    if (known !== undefined) return accept(null, known.id);
    const { until: _, ...covered } = terms;
    const acceptance = {
      ...{ customerId, workspaceId, planId: plan.id, partnerId, ...covered, name, reference },
      ...{ onBehalf: reference !== null, acceptedBy: principal.principalId, createdAt: world.now },
    };
    return accept((id) => ({ ...world, acceptances: [...world.acceptances, { ...acceptance, id }] }));
  };
  return applyRules(world, {
    ...baseRules(command),
    valid: isName(name) && (reference === null || isName(reference)),
    partnerIds: [partnerId],
    decide,
  });
};
