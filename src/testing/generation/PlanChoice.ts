/** Turns intents about commission plans into commands. */

import { PartnerId, PlanId } from "../../domain/Ids.ts";
import type { Command, FormulaChange, PlanRequest } from "../model/Command.ts";
import { DAY } from "../model/world/Time.ts";
import type { SharedPlan, World } from "../model/world/World.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny, NAMES } from "./ChoiceContext.ts";
import {
  chooseChanged,
  chooseFormulaChange,
  chooseMoments,
  choosePlanFor,
  chooseRoles,
  chooseWithdrawn,
  EUR,
} from "./FormulaChoice.ts";
import { chooseRelease } from "./ReceiptChoice.ts";
import { chooseAssignedValues, chooseParametrized } from "./ValueChoice.ts";

/** A new plan, or the first assignments to one. */
export const chooseCreatePlan = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const schema = chooseIfAny(world.schemas, picks[0]);
  if (schema === undefined) return null;
  const start = world.now - choose([400, 30, 1, 0], picks[2]) * DAY;
  const roles = world.links.map(({ role }) => role);
  const stated = chooseRoles(picks[1] + picks[3], eligible, picks[3] % 3 === 0 ? roles : []);
  return {
    type: "create_plan",
    ...callerFor(context, { ...schema, partnerId: null }),
    input: {
      schemaId: schema.id,
      workspaceId: schema.workspaceId,
      name: eligible ? choose(NAMES, picks[1]) : choose(["", "Plan"], picks[1]),
      currency: EUR,
      startDatetime: start,
      endDatetime: picks[3] % 4 === 0 ? start + (eligible ? DAY : 0) : null,
      ...stated,
      ...chooseRelease(context, picks[1] + picks[2]),
      ...(picks[2] % 2 === 0
        ? parametrized(eligible || picks[1] % 2 === 0, picks[1], picks[3])
        : { plan: choosePlanFor(stated.roles, eligible || picks[1] % 2 === 0, picks[1]) }),
    },
  };
};

/** An expression that reads parameters, with their declarations; the values are those of partners. */
const parametrized = (
  ...picks: Parameters<typeof chooseParametrized>
): Pick<PlanRequest, "plan" | "parameters"> => {
  const { values: _, ...declared } = chooseParametrized(...picks);
  return declared;
};

const findPlan = ({ world, intent }: ChoiceContext): SharedPlan | undefined =>
  chooseIfAny(
    world.plans.filter(({ cancelReason }) => !intent.eligible || cancelReason === null),
    intent.picks[0],
  );

const idOf = ({ principals, intent }: ChoiceContext, plan: SharedPlan): PlanId =>
  !intent.eligible && intent.picks[3] % 5 === 0 ? PlanId.make(principals.unknown) : plan.id;

/** A change of a plan, like one of a formula. */
export const chooseUpdatePlan = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const among = world.plans.filter(({ cancelReason }) => !intent.eligible || cancelReason === null);
  const plan = chooseChanged(world, among, intent);
  if (plan === undefined) return chooseCreatePlan(context);
  const caller = callerFor(context, { ...plan, partnerId: null });
  const number = chooseWithdrawn(world, plan, intent);
  if (number !== null) return { type: "withdraw_plan_version", ...caller, id: idOf(context, plan), number };
  const input: FormulaChange = chooseFormulaChange(world, plan, intent);
  return { type: "update_plan", ...caller, id: idOf(context, plan), input };
};

/** The cancellation of a plan; an assignment most of the time, so that plans live long enough to change. */
export const chooseCancelPlan = (context: ChoiceContext): Command | null => {
  const plan = findPlan(context);
  if (plan === undefined || context.intent.picks[2] % 4 > 0) return chooseAssign(context);
  const caller = callerFor(context, { ...plan, partnerId: null });
  return { type: "cancel_plan", ...caller, id: idOf(context, plan), reason: "never agreed" };
};

const partnersOf = ({ partners }: World, plan: SharedPlan, isEligible: boolean): ReadonlyArray<PartnerId> =>
  partners
    .filter(
      ({ customerId, workspaceId }) =>
        !isEligible || (customerId === plan.customerId && workspaceId === plan.workspaceId),
    )
    .map(({ id }) => id);

/** An assignment of some partners, with and without bounds. */
export const chooseAssign = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const plan = findPlan(context);
  if (plan === undefined) return chooseCreatePlan(context);
  const partners = partnersOf(world, plan, eligible).slice(-6);
  const first = chooseIfAny(partners, picks[1]);
  if (first === undefined) return chooseCreatePlan(context);
  const others = partners.filter((_, index) => ((picks[1] >> index) & 1) === 1);
  const partnerIds = [first, ...others, ...(picks[1] % 7 === 0 ? [first] : [])];
  const start = choose(chooseMoments(world), picks[2]);
  const end = choose(chooseMoments(world), picks[3]);
  const bounds = choose<{ readonly startDatetime?: number; readonly endDatetime?: number }>(
    [
      {},
      { startDatetime: start },
      { endDatetime: end },
      ...(end > start || !eligible ? [{ startDatetime: start, endDatetime: end }] : []),
    ],
    picks[2] >> 2,
  );
  const unknown = !eligible && picks[3] % 4 === 0 ? [PartnerId.make(principals.unknown)] : [];
  return {
    type: "assign",
    ...callerFor(context, { ...plan, partnerId: null }),
    id: idOf(context, plan),
    input: {
      partnerIds: !eligible && picks[3] % 9 === 0 ? [] : [...partnerIds, ...unknown],
      ...bounds,
      ...chooseAssignedValues(world, plan, partnerIds, picks[1] + picks[3]),
    },
  };
};

/** The end of a partner's assignments, at a moment before, in or after them. */
export const chooseUnassign = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const plan = findPlan(context);
  if (plan === undefined) return chooseCreatePlan(context);
  const own = world.formulas.filter(({ assignment }) => assignment?.planId === plan.id);
  const partners = eligible ? own.map(({ partnerId }) => partnerId) : partnersOf(world, plan, false);
  const partnerId = chooseIfAny(partners, picks[1]);
  if (partnerId === undefined) return chooseAssign(context);
  return {
    type: "unassign",
    ...callerFor(context, { ...plan, partnerId: null }),
    id: idOf(context, plan),
    partnerId,
    input: picks[2] % 3 === 0 ? {} : { endDatetime: choose(chooseMoments(world), picks[2]) },
  };
};
