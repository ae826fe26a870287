/** The model of commission plans: a formula of a plan is derived from the plan and the bounds of its assignment. */
import { FormulaId, type PartnerId, PlanId } from "../../../domain/Ids.ts";
import type { CommandOf } from "../Command.ts";
import { isReason, isWindow } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Generated,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { withFormulas } from "../world/Earnings.ts";
import { appendEntry, nextMoment } from "../world/Log.ts";
import { type Bounds, isWithdrawn, overlap } from "../world/Overlap.ts";
import { isValidPlan } from "../world/Plan.ts";
import type { Refused } from "../world/Result.ts";
import {
  areValuesOf,
  firstStatements,
  firstValues,
  hasEveryValue,
  prune,
  type Statement,
} from "../world/Values.ts";
import {
  type Assignment,
  type Formula,
  mapWhere,
  type SharedPlan,
  type Terms,
  type World,
} from "../world/World.ts";
import { areTerms, changeTerms, isAhead, isChange, newTerms, statedBy, withoutVersion } from "./Terms.ts";

/** The fields of a formula that follow from its plan and its bounds. */
const derive = (plan: SharedPlan, { from, to }: Bounds) => {
  const start = from === null || from < plan.start ? plan.start : from;
  const ends = [plan.end, to].filter((end) => end !== null);
  const end = ends.length === 0 ? null : ends.reduce((a, b) => (b < a ? b : a));
  const { id, log, createdAt, ...terms } = plan;
  return { ...terms, start, end: end !== null && end < start ? start : end };
};

const FORMULA_EVENT: { readonly [type: string]: string } = {
  update_commission_plan: "update_commission_formula",
  cancel_commission_plan: "cancel_commission_formula",
};

/** The formula once it has applied every event of its plan. */
export const applyPlan = (plan: SharedPlan, formula: Formula): Formula => {
  const { assignment } = formula;
  if (assignment === null || assignment.planId !== plan.id) return formula;
  let { log, parameterValues } = formula;
  for (const { at, type, fields } of plan.log.slice(assignment.applied)) {
    const parameters = fields.parameters as SharedPlan["parameters"] | undefined;
    const { withdrawn_versions, ahead } = fields;
    log = appendEntry(log, at, FORMULA_EVENT[type] ?? type, { parameters, withdrawn_versions, ahead });
    if (parameters !== undefined) parameterValues = prune(parameterValues, parameters);
  }
  return {
    ...formula,
    ...derive(plan, assignment),
    parameterValues,
    assignment: {
      ...assignment,
      applied: plan.log.length,
      appliedAtOnce: plan.log.length - assignment.applied,
    },
    log,
  };
};

const isBehind = ({ plans }: World, { assignment }: Formula): boolean =>
  assignment !== null &&
  plans.some(({ id, log }) => id === assignment.planId && assignment.applied < log.length);

/** Applies the events of their plans to the formulas that a predicate selects. */
export const applyPlans = (world: World, picks: (formula: Formula) => boolean): World => {
  const behind = world.formulas.filter((formula) => picks(formula) && isBehind(world, formula));
  if (behind.length === 0) return world;
  const brought = mapWhere(
    world.formulas,
    (formula) => behind.includes(formula),
    (formula) => world.plans.reduce((next, plan) => applyPlan(plan, next), formula),
  );
  return withFormulas(world, brought);
};

/** Brings every formula of a plan up to it. */
export const rollOut = (world: World, planId: string): World =>
  applyPlans(world, ({ assignment }) => assignment?.planId === planId);

/** The plans that some formula has not applied all events of. */
export const plansToApply = (world: World): ReadonlyArray<PlanId> =>
  world.plans.flatMap(({ id }) =>
    world.formulas.some((formula) => formula.assignment?.planId === id && isBehind(world, formula))
      ? [id]
      : [],
  );

export const createPlan = (world: World, command: CommandOf<"create_plan">): Prediction => {
  const { principal, input } = command;
  const { schemaId, workspaceId, name, plan } = input;
  const { customerId } = principal;
  const decide = (): Decision => {
    const schema = world.schemas.find(({ id }) => id === schemaId);
    const resolves =
      customerId !== null &&
      schema !== undefined &&
      canSee(principal, { ...schema, partnerId: null }) &&
      schema.workspaceId === workspaceId;
    if (!resolves || !isValidPlan(plan, input.parameters)) return refuse("Invalid");
    const createdPlan = (id: string): SharedPlan => ({
      ...{ id: PlanId.make(id), customerId, workspaceId, schemaId },
      ...newTerms(input, world.now),
      log: appendEntry([], world.now, "create_commission_plan", { name }),
    });
    return accept((id) => ({ ...world, plans: [...world.plans, createdPlan(id)] }));
  };
  return applyRules(world, {
    ...baseRules(command),
    valid: areTerms(input),
    workspaceIds: [workspaceId],
    decide,
  });
};

export const findPlan = (
  world: World,
  command: CommandOf<
    | "update_plan"
    | "withdraw_plan_version"
    | "cancel_plan"
    | "assign"
    | "unassign"
    | "set_plan_values"
    | "accept_terms"
  >,
) =>
  world.plans.find(
    (plan) => plan.id === command.id && canSee(command.principal, { ...plan, partnerId: null }),
  );

const replacePlan = (world: World, plan: SharedPlan, by: SharedPlan): World => ({
  ...world,
  plans: mapWhere(
    world.plans,
    (sharedPlan) => sharedPlan === plan,
    () => by,
  ),
});

export const updatePlan = (world: World, command: CommandOf<"update_plan">): Prediction => {
  const { input } = command;
  const decide = (): Decision => {
    const shared = findPlan(world, command);
    if (shared === undefined) return refuse("Missing");
    const moment = nextMoment(shared.log, world.now);
    const isUsed = world.formulas.some(({ assignment }) => assignment?.planId === shared.id);
    const changed = changeTerms(shared, input, { moment, holdsFrom: moment, isUsed });
    if (changed === null) return refuse("Invalid");
    if (shared.cancelReason !== null) return conflict("plan_cancelled");
    if (typeof changed === "string") return conflict(changed);
    const log = appendEntry(shared.log, world.now, "update_commission_plan", statedBy(shared, changed));
    return accept(changed === shared ? null : () => replacePlan(world, shared, { ...changed, log }));
  };
  return applyRules(world, { ...baseRules(command), valid: isChange(input), decide });
};

/** What withdrawing a version decides, and the formula or plan without it. */
export const withdrawal = <Of extends Terms>(
  terms: Of,
  number: number,
  { now }: World,
): Decision | { readonly after: Of } => {
  const version = terms.versions[number - 1];
  if (version === undefined) return refuse("Missing");
  const waits = isAhead(version, nextMoment(terms.log, now));
  if (!waits && version.withdrawn !== true) return conflict("version_not_ahead");
  if (terms.cancelReason !== null)
    return conflict("partnerId" in terms ? "formula_cancelled" : "plan_cancelled");
  return waits ? { after: withoutVersion(terms, number) } : accept(null);
};

export const withdrawPlanVersion = (
  world: World,
  command: CommandOf<"withdraw_plan_version">,
): Prediction => {
  const decide = (): Decision => {
    const shared = findPlan(world, command);
    if (shared === undefined) return refuse("Missing");
    const decided = withdrawal(shared, command.number, world);
    if (!("after" in decided)) return decided;
    const { after } = decided;
    const log = appendEntry(shared.log, world.now, "update_commission_plan", statedBy(shared, after));
    return accept(() => replacePlan(world, shared, { ...after, log }));
  };
  return applyRules(world, { ...baseRules(command), valid: true, decide });
};

export const cancelPlan = (world: World, command: CommandOf<"cancel_plan">): Prediction => {
  const { reason } = command;
  const decide = (): Decision => {
    const plan = findPlan(world, command);
    if (plan === undefined) return refuse("Missing");
    if (plan.cancelReason !== null) return accept(null);
    const log = appendEntry(plan.log, world.now, "cancel_commission_plan", { reason });
    return accept(() => replacePlan(world, plan, { ...plan, cancelReason: reason, log }));
  };
  return applyRules(world, { ...baseRules(command), valid: isReason(reason), decide });
};

const boundsOf = ({ input }: CommandOf<"assign">) => ({
  from: input.startDatetime ?? null,
  to: input.endDatetime ?? null,
});

/** The partner's formulas of a plan. */
const assignmentsOf = (world: World, planId: string, partnerId: PartnerId): ReadonlyArray<Assignment> =>
  world.formulas.flatMap((formula) =>
    formula.partnerId === partnerId && formula.assignment !== null && formula.assignment.planId === planId
      ? [formula.assignment]
      : [],
  );

/** What is stated for a partner that a plan is assigned to: what its other formulas of the plan state, or the first values given. */
const statementsFor = (
  plan: SharedPlan,
  existing: Formula | undefined,
  given: Statement["values"],
): Refused | ReadonlyArray<Statement> => {
  if (!areValuesOf(plan.parameters, given)) return refuse("Invalid");
  const statements = existing === undefined ? firstStatements(given) : existing.parameterValues;
  const first = firstValues(statements);
  if (existing !== undefined && Object.entries(given).some(([name, value]) => first[name] !== value))
    return conflict("parameter_values");
  return hasEveryValue(plan.parameters, first) ? statements : refuse("Invalid");
};

/** The new formula of a partner without its id; null where it has an assignment with the same bounds. */
const assignedFormula = (
  world: World,
  plan: SharedPlan,
  {
    partnerId,
    given,
    ...bounds
  }: Bounds & { readonly partnerId: PartnerId; readonly given: Statement["values"] },
): Refused | Omit<Formula, "id"> | null => {
  const own = world.formulas.filter(
    (formula) => formula.partnerId === partnerId && formula.assignment?.planId === plan.id,
  );
  const parameterValues = statementsFor(plan, own.map((formula) => applyPlan(plan, formula))[0], given);
  if ("type" in parameterValues) return parameterValues;
  const assignments = assignmentsOf(world, plan.id, partnerId);
  if (assignments.some(({ from, to }) => from === bounds.from && to === bounds.to)) return null;
  if (assignments.some((assignment) => overlap(assignment, bounds))) return conflict("plan_assignment");
  return {
    ...derive(plan, bounds),
    partnerId,
    createdAt: world.now,
    assignment: { planId: plan.id, applied: plan.log.length, ...bounds },
    parameterValues,
    log: appendEntry([], world.now, "create_commission_formula", { name: plan.name }),
  };
};

export const assign = (world: World, command: CommandOf<"assign">): Prediction => {
  const partnerIds = [...new Set(command.input.partnerIds)];
  const bounds = boundsOf(command);
  const decide = (): Decision => {
    const plan = findPlan(world, command);
    if (plan === undefined) return refuse("Missing");
    const isPlaced = (id: PartnerId) =>
      world.partners.some(
        (partner) =>
          partner.id === id &&
          partner.customerId === plan.customerId &&
          partner.workspaceId === plan.workspaceId,
      );
    if (!partnerIds.every(isPlaced)) return refuse("Invalid");
    if (plan.cancelReason !== null) return conflict("plan_cancelled");
    const { parameters: given = {} } = command.input;
    const fresh: Array<Omit<Formula, "id">> = [];
    for (const partnerId of partnerIds) {
      const formula = assignedFormula(world, plan, { ...bounds, partnerId, given });
      if (formula === null) continue;
      if ("type" in formula) return formula;
      fresh.push(formula);
    }
    const formulas = ({ ids }: Generated) =>
      fresh.map((formula): Formula => {
        const id = ids[command.input.partnerIds.indexOf(formula.partnerId)] ?? "";
        return { ...formula, id: FormulaId.make(id) };
      });
    return accept(
      fresh.length === 0
        ? null
        : (_, generated) => withFormulas(world, [...world.formulas, ...formulas(generated)]),
    );
  };
  return applyRules(world, {
    ...baseRules(command),
    valid:
      command.input.partnerIds.length >= 1 &&
      (bounds.from === null || bounds.to === null || isWindow(bounds.from, bounds.to)),
    decide,
  });
};

/** The formula once its assignment ends at a moment, which withdraws it at or before its start; it has applied its plan. */
const endedAt = (plan: SharedPlan, formula: Formula, end: number, now: number): Formula => {
  const { assignment } = formula;
  if (assignment === null || isWithdrawn(assignment) || formula.cancelReason !== null) return formula;
  if (assignment.to !== null && assignment.to <= end) return formula;
  const bounds =
    end <= formula.start ? { from: formula.start, to: formula.start } : { from: assignment.from, to: end };
  return assignedAgain(plan, formula, { ...assignment, ...bounds }, now);
};

/** The formula with other bounds of its assignment. */
const assignedAgain = (plan: SharedPlan, formula: Formula, assignment: Assignment, now: number): Formula => ({
  ...formula,
  ...derive(plan, assignment),
  assignment,
  log: appendEntry(formula.log, now, "update_commission_formula"),
});

export const unassign = (world: World, command: CommandOf<"unassign">): Prediction => {
  const decide = (): Decision => {
    const plan = findPlan(world, command);
    if (plan === undefined) return refuse("Missing");
    const isOwn = (formula: Formula) =>
      formula.partnerId === command.partnerId && formula.assignment?.planId === plan.id;
    if (!world.formulas.some(isOwn)) return refuse("Missing");
    const end = command.input.endDatetime ?? world.now;
    const change = (formula: Formula): Formula => {
      const current = applyPlan(plan, formula);
      const ended = endedAt(plan, current, end, world.now);
      return ended === current ? formula : ended;
    };
    const formulas = mapWhere(world.formulas, isOwn, change);
    const isSame = formulas.every((formula, index) => formula === world.formulas[index]);
    return accept(isSame ? null : () => withFormulas(world, formulas));
  };
  return applyRules(world, { ...baseRules(command), valid: true, decide });
};

/** What updating a formula of a plan does: it sets the end of the assignment and nothing else. */
export const updateAssigned = (
  world: World,
  formula: Formula,
  assignment: Assignment,
  { name, description, startDatetime, plan, endDatetime, parameters }: CommandOf<"update_formula">["input"],
): Decision => {
  const shared = world.plans.find(({ id }) => id === assignment.planId);
  if (plan !== undefined && !isValidPlan(plan, parameters ?? formula.parameters)) return refuse("Invalid");
  const setsMore =
    name != null ||
    startDatetime != null ||
    description !== undefined ||
    plan !== undefined ||
    parameters !== undefined;
  if (shared === undefined || setsMore) return conflict("formula_of_plan");
  const current = applyPlan(shared, formula);
  const isSame = endDatetime === undefined || endDatetime === assignment.to;
  if (!isSame && endDatetime !== null && endDatetime <= current.start) return refuse("Invalid");
  if (current.cancelReason !== null) return conflict("formula_cancelled");
  if (isSame) return accept(null);
  if (isWithdrawn(assignment)) return conflict("formula_of_plan");
  const bounds = { from: assignment.from, to: endDatetime };
  const others = world.formulas.filter(
    (candidate) => candidate.id !== formula.id && candidate.partnerId === formula.partnerId,
  );
  if (others.some((other) => other.assignment?.planId === shared.id && overlap(other.assignment, bounds)))
    return conflict("plan_assignment");
  const changed = assignedAgain(
    shared,
    current,
    { ...(current.assignment ?? assignment), ...bounds },
    world.now,
  );
  return accept(() =>
    withFormulas(
      world,
      mapWhere(
        world.formulas,
        (item) => item === formula,
        () => changed,
      ),
    ),
  );
};
