/**
 * Commission plans: one formula definition for many partners of a workspace. Each assignment of a partner is a commission
 * formula of its own, which passes the events of its plan one by one, in their order.
 */
import { Either } from "effect";
import type { Assign, Create, Update } from "./CommissionPlanInput.ts";
import { type Entry, entryOf, nextAt } from "./Event.ts";
import * as Formula from "./Formula.ts";
import type { CustomerId, PartnerId, PlanId } from "./Ids.ts";
import * as Parameter from "./Parameter.ts";
import { statedRelease } from "./Receipt.ts";
import { type Conflict, conflict, type Invalid, invalid, type Refusal } from "./Refusal.ts";
import { format, type Timestamp } from "./Timestamp.ts";

export * from "./CommissionPlanInput.ts";

/** What can happen to a plan, named like the events of a formula. */
export type PlanEvent =
  | ({ readonly type: "create_commission_plan" } & Formula.EventTerms)
  | ({ readonly type: "update_commission_plan" } & Formula.FormulaChanges)
  | { readonly type: "cancel_commission_plan"; readonly reason: string };

/** The present state: the fold of the events. */
export type View = Formula.Terms;

/** A plan: identity and present state. Its revision is the number of its events. */
export interface CommissionPlan extends View, Pick<Formula.Formula, "workspaceId" | "schemaId"> {
  readonly id: PlanId;
  readonly customerId: CustomerId;
}

/** The bounds of an assignment; null follows the plan. */
export type Bounds = Pick<Formula.Assignment, "startDatetime" | "endDatetime">;

/** The first event of a plan whose expression has been checked. */
export const create = (request: Create, expression: Formula.EventTerms["formula"]) =>
  Either.map(
    Formula.encodeTerms(request, expression),
    (terms): PlanEvent => ({ type: "create_commission_plan", ...terms }),
  );

/** The event of changes; none when nothing changes. */
const eventOf = (changes: Formula.FormulaChanges): ReadonlyArray<PlanEvent> =>
  Object.keys(changes).length === 0 ? [] : [{ type: "update_commission_plan", ...changes }];

/** The event of an update, or none when nothing changes; see {@link Formula.changesOf}. `isUsed` is whether it has formulas. */
export const update = (
  view: View,
  request: Update,
  expression: Formula.EventTerms["formula"] | null,
  { now, isUsed }: Pick<Formula.ChangeMoment, "now" | "isUsed">,
): Either.Either<ReadonlyArray<PlanEvent>, Refusal> =>
  Either.map(
    Formula.changesOf(view, request, expression, { what: "plan", now, holdsFrom: now, isUsed }),
    eventOf,
  );

/** The event that withdraws a version, in every formula of the plan; none when it is withdrawn already. */
export const withdraw = (
  view: View,
  number: number,
  now: Timestamp,
): Either.Either<ReadonlyArray<PlanEvent>, Refusal> =>
  Either.map(Formula.withdrawalOf(view, number, { what: "plan", now }), eventOf);

/** The cancellation, which reaches every formula of the plan. A plan that is already cancelled does not change. */
export const cancel = (view: View, reason: string): ReadonlyArray<PlanEvent> =>
  view.status === "cancelled" ? [] : [{ type: "cancel_commission_plan", reason }];

const asFormulaEvent = (event: PlanEvent): Formula.FormulaEvent => {
  switch (event.type) {
    case "create_commission_plan":
      return { ...event, type: "create_commission_formula" };
    case "update_commission_plan":
      return { ...event, type: "update_commission_formula" };
    case "cancel_commission_plan":
      return { ...event, type: "cancel_commission_formula" };
  }
};

/** The state after one more entry. */
export const evolve = (state: View | null, { event, ...entry }: Entry<PlanEvent>): View => {
  const before = state === null ? null : { ...state, assignment: null, parameterValues: [] };
  const {
    assignment: _,
    parameterValues: __,
    ...view
  } = Formula.evolve(before, { ...entry, event: asFormulaEvent(event) });
  return view;
};

/** True if an assignment was withdrawn: it covers no moment, whatever happens to the plan. */
export const isWithdrawn = ({ startDatetime, endDatetime }: Bounds): boolean =>
  startDatetime !== null && startDatetime === endDatetime;

/** The intersection of the plan's window and the assignment's own; an empty one ends where it starts. */
const windowOf = (assignment: Formula.Assignment): Pick<Formula.Terms, "startDatetime" | "endDatetime"> => {
  const { planStartDatetime, planEndDatetime, startDatetime: own, endDatetime: ownEnd } = assignment;
  const startDatetime = Math.max(planStartDatetime, own ?? planStartDatetime);
  const end = Math.min(planEndDatetime ?? Number.POSITIVE_INFINITY, ownEnd ?? Number.POSITIVE_INFINITY);
  return { startDatetime, endDatetime: Number.isFinite(end) ? Math.max(startDatetime, end) : null };
};

const formatOrNull = (moment: Timestamp | null): string | null => (moment === null ? null : format(moment));

const starts = (moment: Timestamp | null): Timestamp => moment ?? Number.NEGATIVE_INFINITY;
const ends = (moment: Timestamp | null): Timestamp => moment ?? Number.POSITIVE_INFINITY;

const overlap = (a: Bounds, b: Bounds): boolean =>
  !isWithdrawn(a) &&
  !isWithdrawn(b) &&
  starts(a.startDatetime) < ends(b.endDatetime) &&
  starts(b.startDatetime) < ends(a.endDatetime);

const overlapConflict = (partnerId: PartnerId, { startDatetime, endDatetime }: Bounds): Conflict =>
  conflict(
    "plan_assignment",
    `partner ${partnerId} is assigned to the plan from ${formatOrNull(startDatetime) ?? "the plan's start"} to ${formatOrNull(endDatetime) ?? "the plan's end"} already; assignments must not overlap`,
  );

/** Accepts bounds that do not contradict themselves, whatever the plan's are. */
export const checkBounds = ({ startDatetime, endDatetime }: Bounds): Either.Either<void, Invalid> =>
  startDatetime !== null && endDatetime !== null && endDatetime <= startDatetime
    ? Either.left(invalid("end_datetime", "must be after start_datetime"))
    : Either.void;

/** The formula's assignment to the plan, or null. */
const assignedBy = (planId: PlanId, { assignment }: Formula.Formula): Formula.Assignment | null =>
  assignment !== null && assignment.planId === planId ? assignment : null;

/**
 * What is stated for a partner that a plan is assigned to: what its other formulas of the plan state, or the first values of
 * the request. A value is needed for each parameter without a default.
 */
const statementsOf = (
  plan: Pick<CommissionPlan, "parameters">,
  partnerId: PartnerId,
  existing: Formula.Formula | undefined,
  given: Parameter.Values,
): Either.Either<ReadonlyArray<Parameter.Statement>, Invalid | Conflict> =>
  Either.gen(function* () {
    yield* Parameter.checkValues(plan.parameters, given, "parameters");
    const stated = Parameter.firstStatements(given);
    const statements =
      existing === undefined ? stated : Parameter.prune(existing.parameterValues, plan.parameters);
    const first = Parameter.firstValues(statements);
    const differing = Object.entries(given).find(([name, value]) => first[name] !== value);
    if (differing !== undefined && existing !== undefined)
      return yield* Either.left(
        conflict(
          "parameter_values",
          `partner ${partnerId} has another first value of ${differing[0]} in the plan already; state later values with a date`,
        ),
      );
    yield* Parameter.checkFirstValues(plan.parameters, first, "parameters");
    return statements;
  });

/** The parameters that a partner with these formulas would have no value for, if it were assigned with first values. */
export const missingValues = (
  plan: CommissionPlan,
  given: Parameter.Values,
  formulas: ReadonlyArray<Formula.Formula>,
): ReadonlyArray<string> => {
  const existing = formulas.find((formula) => assignedBy(plan.id, formula) !== null);
  const stated = existing === undefined ? {} : Parameter.firstValues(existing.parameterValues);
  return Parameter.missingValues(plan.parameters, { ...given, ...stated });
};

/**
 * The first event of the formula that assigns a partner to a plan, or null when an assignment with these bounds exists. The
 * formula states every version of the plan, with its number and date, and what is stated for the partner: `values` where these
 * are the first. `formulas` are the partner's under the plan's schema; those of the plan have applied it.
 */
export const assign = (
  plan: CommissionPlan & { readonly version: number },
  partnerId: PartnerId,
  { parameters: values = {}, ...bounds }: Bounds & Pick<Assign, "parameters">,
  formulas: ReadonlyArray<Formula.Formula>,
): Either.Either<Formula.FormulaEvent | null, Invalid | Conflict> =>
  Either.gen(function* () {
    if (plan.status === "cancelled") return yield* Either.left(Formula.cancelledConflict("plan"));
    const own = formulas.filter((formula) => assignedBy(plan.id, formula) !== null);
    const statements = yield* statementsOf(plan, partnerId, own[0], values);
    for (const formula of own) {
      const existing = assignedBy(plan.id, formula);
      if (existing === null) continue;
      const { startDatetime, endDatetime } = existing;
      if (startDatetime === bounds.startDatetime && endDatetime === bounds.endDatetime) return null;
      if (overlap(existing, bounds)) return yield* Either.left(overlapConflict(partnerId, existing));
    }
    const assignment: Formula.Assignment = {
      ...bounds,
      planId: plan.id,
      planRevision: plan.version,
      planStartDatetime: plan.startDatetime,
      planEndDatetime: plan.endDatetime,
    };
    return creationOf(plan, assignment, statements);
  });

/** The creation of the formula of an assignment. */
const creationOf = (
  plan: CommissionPlan,
  assignment: Formula.Assignment,
  statements: ReadonlyArray<Parameter.Statement>,
): Formula.FormulaEvent => {
  const { startDatetime, endDatetime } = windowOf(assignment);
  return {
    type: "create_commission_formula",
    formula: plan.versions[0].expression,
    ...Formula.statedShare(plan.versions[0]),
    ...Formula.encodeLater(plan),
    name: plan.name,
    description: plan.description,
    start_datetime: format(startDatetime),
    end_datetime: formatOrNull(endDatetime),
    currency: plan.currency,
    ...Formula.statedRoles(plan.roles),
    ...statedRelease(plan.release),
    ...(plan.parameters.length === 0 ? {} : { parameters: plan.parameters }),
    ...(statements.length === 0 ? {} : { parameter_values: statements.map(Parameter.encodeStatement) }),
    assignment: Formula.encodeAssignment(assignment),
  };
};

const changeOfBounds = (
  view: Formula.View,
  assignment: Formula.Assignment,
): Pick<Formula.FormulaChanges, "start_datetime" | "end_datetime"> & {
  readonly assignment: Formula.EventAssignment;
} => {
  const { startDatetime, endDatetime } = windowOf(assignment);
  return {
    ...(startDatetime === view.startDatetime ? {} : { start_datetime: format(startDatetime) }),
    ...(endDatetime === view.endDatetime ? {} : { end_datetime: formatOrNull(endDatetime) }),
    assignment: Formula.encodeAssignment(assignment),
  };
};

/** The event that applies one event of a plan to a formula, which has applied all events before it. */
const translateEvent = (
  view: Formula.View,
  assignment: Formula.Assignment,
  event: PlanEvent,
): Formula.FormulaEvent => {
  const planRevision = assignment.planRevision + 1;
  switch (event.type) {
    case "create_commission_plan":
      throw new Error("only the first event of a plan creates it");
    case "cancel_commission_plan":
      return {
        type: "cancel_commission_formula",
        reason: event.reason,
        assignment: Formula.encodeAssignment({ ...assignment, planRevision }),
      };
    case "update_commission_plan": {
      const { start_datetime, end_datetime, type: _, ...rest } = event;
      return {
        type: "update_commission_formula",
        ...rest,
        ...changeOfBounds(view, {
          ...assignment,
          planRevision,
          ...(start_datetime === undefined ? {} : { planStartDatetime: Date.parse(start_datetime) }),
          ...(end_datetime === undefined
            ? {}
            : { planEndDatetime: end_datetime === null ? null : Date.parse(end_datetime) }),
        }),
      };
    }
  }
};

/**
 * The entries that apply a plan to a formula: one for each event of the plan's log that it has not applied. Each has
 * the plan's actor and moment, or the moment of the formula's last event where that is later.
 */
export const unappliedEntries = (
  formula: Formula.View,
  lastAt: Timestamp,
  log: ReadonlyArray<Entry<PlanEvent>>,
): ReadonlyArray<Entry<Formula.FormulaEvent>> => {
  const entries: Array<Entry<Formula.FormulaEvent>> = [];
  let view = formula;
  let at = lastAt;
  for (const { event, ...planned } of log.slice(formula.assignment?.planRevision ?? log.length)) {
    if (view.assignment === null) break;
    at = nextAt(planned.at, at);
    const entry = entryOf(planned, at, translateEvent(view, view.assignment, event));
    entries.push(entry);
    view = Formula.evolve(view, entry);
  }
  return entries;
};

/**
 * What ending an assignment changes, for a formula that has applied its plan; nothing when it ends no later. At or before the
 * start of its window the assignment is withdrawn.
 */
export const unassign = (view: Formula.View, end: Timestamp): ReadonlyArray<Formula.FormulaEvent> => {
  const { assignment } = view;
  if (assignment === null || view.status === "cancelled" || isWithdrawn(assignment)) return [];
  if (assignment.endDatetime !== null && assignment.endDatetime <= end) return [];
  const bounds: Bounds =
    end <= view.startDatetime
      ? { startDatetime: view.startDatetime, endDatetime: view.startDatetime }
      : { startDatetime: assignment.startDatetime, endDatetime: end };
  return [{ type: "update_commission_formula", ...changeOfBounds(view, { ...assignment, ...bounds }) }];
};

const directUpdateConflict = (): Conflict =>
  conflict(
    "formula_of_plan",
    "a formula of a plan is changed with its plan; only end_datetime may be set here",
  );

/** True if an update of a formula that belongs to a plan sets nothing but its end. */
const setsEndAlone = (request: Update): boolean =>
  request.name == null &&
  request.description === undefined &&
  request.startDatetime == null &&
  request.parameters === undefined &&
  !Formula.statesExpression(request);

/**
 * The event of a direct update of an assigned formula that has applied its plan: it sets the end of the assignment, null the
 * plan's; every other change is refused. `siblings` are the partner's formulas under the schema.
 */
export const updateAssigned = (
  formula: Formula.Formula,
  request: Update,
  siblings: ReadonlyArray<Formula.Formula>,
): Either.Either<ReadonlyArray<Formula.FormulaEvent>, Refusal> => {
  const { assignment } = formula;
  if (assignment === null || !setsEndAlone(request)) return Either.left(directUpdateConflict());
  const { endDatetime = assignment.endDatetime } = request;
  const isUnchanged = endDatetime === assignment.endDatetime;
  if (!isUnchanged && endDatetime !== null && endDatetime <= formula.startDatetime)
    return Either.left(invalid("end_datetime", "must be after start_datetime"));
  if (formula.status === "cancelled") return Either.left(Formula.cancelledConflict("formula"));
  if (isUnchanged) return Either.right([]);
  if (isWithdrawn(assignment))
    return Either.left(conflict("formula_of_plan", "the assignment was withdrawn; assign the partner again"));
  const extended = { ...assignment, endDatetime };
  for (const sibling of siblings) {
    const other = sibling.id === formula.id ? null : assignedBy(assignment.planId, sibling);
    if (other !== null && overlap(extended, other))
      return Either.left(overlapConflict(formula.partnerId, other));
  }
  return Either.right([{ type: "update_commission_formula", ...changeOfBounds(formula, extended) }]);
};

/** The refusal of stating values of a formula that belongs to a plan: they are stated with its plan. */
export const checkOwnValues = (formula: Formula.View): Either.Either<void, Conflict> =>
  formula.assignment === null
    ? Either.void
    : Either.left(
        conflict(
          "formula_of_plan",
          "the values of a formula of a plan are stated for the partner of the plan",
        ),
      );

/** The refusal of what is done to a formula of a plan only with its plan; a formula of its own is accepted. */
export const checkChangeableAlone = (formula: Formula.View): Either.Either<void, Conflict> =>
  formula.assignment === null ? Either.void : Either.left(directUpdateConflict());
