/** Turns intents about acceptances into commands. */
import type { Command } from "../model/Command.ts";
import type { Formula } from "../model/world/World.ts";
import { choosePrincipal } from "../session/Principals.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";
import { chooseMoments } from "./FormulaChoice.ts";

/** The place of a partner's own principal among those that {@link choosePrincipal} chooses from. */
const PARTNER = 8;

/** The acceptance of the terms of a partner's assignment: by the partner, or on behalf of it. */
export const chooseAcceptTerms = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const isOpen = ({ end, cancelReason }: Formula, moment: number) =>
    cancelReason === null && (end === null || end > moment);
  const formula = chooseIfAny(
    world.formulas.filter(
      (candidate) => candidate.assignment !== null && (!eligible || isOpen(candidate, world.now)),
    ),
    picks[0],
  );
  if (formula?.assignment == null) return null;
  const caller = callerFor(context, formula);
  const principal =
    picks[1] % 2 === 0 ? choosePrincipal(principals, world, PARTNER, formula) : caller.principal;
  const isSigned = (principal.kind !== "partner") === (eligible || picks[2] % 3 > 0);
  const stranger = chooseIfAny(world.partners, picks[3])?.id;
  return {
    type: "accept_terms",
    ...{ ...caller, principal, id: formula.assignment.planId, customerId: formula.customerId },
    partnerId: eligible || picks[2] % 4 > 0 ? formula.partnerId : (stranger ?? formula.partnerId),
    name: !eligible && picks[2] % 5 === 0 ? "" : "Anna Lind",
    ...(isSigned ? { reference: "contract 7" } : {}),
    ...(picks[2] % 3 === 0 ? { at: choose([formula.start, ...chooseMoments(world)], picks[3]) } : {}),
    stale: !eligible && picks[3] % 2 === 0,
  };
};
