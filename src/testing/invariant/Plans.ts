/** S8: formulas of plans agree with their plans. */
import { evolve, isWithdrawn, type PlanEvent, type View } from "../../domain/CommissionPlan.ts";
import { type Entry, fold } from "../../domain/Event.ts";
import type { Assignment, FormulaEvent } from "../../domain/Formula.ts";
import { sameJson } from "../../domain/Json.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

type PlanRecord = LedgerSnapshot["plans"][number];
type FormulaRecord = LedgerSnapshot["formulas"][number];

const withoutBounds = (event: PlanEvent | FormulaEvent): object => {
  const { type, ...fields } = event;
  const { start_datetime, end_datetime, assignment, ...rest } = fields as Record<string, unknown>;
  return { ...rest, type: type.replace("_plan", "_formula") };
};

/** What is wrong with the entry by which a formula applied an entry of its plan, or null. */
const entryProblem = (own: Entry<FormulaEvent>, planned: Entry<PlanEvent>): string | null => {
  if (own.actor !== planned.actor || own.person !== planned.person)
    return `is by ${own.actor}, in the plan by ${planned.actor}`;
  if (own.at < planned.at) return "is earlier than in the plan";
  return sameJson(withoutBounds(own.event), withoutBounds(planned.event))
    ? null
    : "is not what the plan states";
};

/** Compares the entries of a formula, in order, with those of its plan. */
function* compareLogs({ row, log }: FormulaRecord, plan: PlanRecord): Generator<string> {
  let revision: number | null = null;
  for (const [index, entry] of log.entries()) {
    // What is stated for a partner is stated by itself, at whatever revision the formula has reached.
    if (entry.event.type === "erase_personal_data" || entry.event.type === "set_parameter_values") continue;
    const stated: number | undefined = entry.event.assignment?.plan_revision;
    if (stated === undefined) {
      yield `entry ${index + 1} states no revision of the plan`;
      continue;
    }
    const planned = plan.log[stated - 1];
    if (revision !== null && stated === revision + 1 && planned !== undefined) {
      const problem = entryProblem(entry, planned);
      if (problem !== null) yield `entry ${index + 1} ${problem}`;
    } else if (planned === undefined || (revision !== null && stated !== revision)) {
      yield `entry ${index + 1} passes revision ${stated} after ${revision}; the plan has ${plan.log.length}`;
    }
    revision = stated;
  }
  if (revision !== row.assignment?.planRevision)
    yield `has applied revision ${row.assignment?.planRevision}, its log ${revision}`;
}

const startOf = (plan: View, { startDatetime }: Assignment): number =>
  Math.max(plan.startDatetime, startDatetime ?? plan.startDatetime);

const endOf = (plan: View, assignment: Assignment): number | null => {
  const ends = [plan.endDatetime, assignment.endDatetime].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.max(startOf(plan, assignment), Math.min(...ends));
};

/** Compares the terms of a formula with its plan at the revision that the formula has applied. */
function* compareTerms({ row }: FormulaRecord, assignment: Assignment, plan: PlanRecord): Generator<string> {
  const reached = fold(evolve, plan.log.slice(0, assignment.planRevision));
  if (reached === null) return;
  const due = {
    ...{ name: reached.name, description: reached.description, versions: reached.versions },
    ...{ currency: reached.currency, status: reached.status, parameters: reached.parameters },
    ...{ startDatetime: startOf(reached, assignment), endDatetime: endOf(reached, assignment) },
    ...{ workspaceId: plan.row.workspaceId, schemaId: plan.row.schemaId },
  };
  const found: ReadonlyMap<string, unknown> = new Map(Object.entries(row));
  for (const [name, value] of Object.entries(due))
    if (!sameJson(found.get(name), value)) yield `${name} is not that of the plan`;
}

const formulas: Invariant = {
  name: "S8",
  statement:
    "A formula of a plan has applied a first part of the plan's events, in their order and each once, and says what the plan said then, within the bounds of its assignment; the formulas of one plan and partner state the same values; a plan counts its partners and the formulas that have not applied all of its events or are being recomputed.",
  *violations(snapshot) {
    const plans = new Map<string, PlanRecord>(snapshot.plans.map((plan) => [plan.row.id, plan]));
    for (const formula of snapshot.formulas) {
      const { id, assignment } = formula.row;
      if (assignment === null) continue;
      const plan = plans.get(assignment.planId);
      const problems =
        plan === undefined
          ? ["its plan is missing"]
          : [...compareLogs(formula, plan), ...compareTerms(formula, assignment, plan)];
      for (const problem of problems) yield `formula ${id}: ${problem}`;
    }
    for (const one of snapshot.formulas) {
      const { partnerId, assignment, id, parameterValues } = one.row;
      if (assignment === null) continue;
      const sibling = snapshot.formulas.find(
        ({ row }) =>
          row.partnerId === partnerId &&
          row.assignment?.planId === assignment.planId &&
          row.assignment.planRevision === assignment.planRevision &&
          !sameJson(row.parameterValues, parameterValues),
      );
      if (sibling !== undefined)
        yield `formula ${id} states other values than formula ${sibling.row.id} of the same partner and plan`;
    }
    for (const { row } of snapshot.plans) {
      const own = snapshot.formulas.flatMap(({ row: { partnerId, assignment, recomputing } }) =>
        assignment?.planId === row.id ? [{ partnerId, assignment, recomputing }] : [],
      );
      const pending = own.filter(
        ({ assignment, recomputing }) => assignment.planRevision < row.version || recomputing,
      ).length;
      const partners = new Set(
        own.flatMap(({ partnerId, assignment }) => (isWithdrawn(assignment) ? [] : [partnerId])),
      );
      const due = { partnerCount: partners.size, rollingOut: { pending, done: own.length - pending } };
      const found = { partnerCount: row.partnerCount, rollingOut: row.rollingOut };
      if (!sameJson(found, due))
        yield `plan ${row.id} counts ${JSON.stringify(found)}, there are ${JSON.stringify(due)}`;
    }
  },
};

/** Every invariant of plans. */
export const plans: ReadonlyArray<Invariant> = [formulas];
