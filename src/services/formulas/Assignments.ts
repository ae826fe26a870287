/** Assignments of a plan: one formula for each partner. */
import { Effect, Either } from "effect";
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import type * as Formula from "../../domain/Formula.ts";
import { FormulaId, type PartnerId } from "../../domain/Ids.ts";
import * as Parameter from "../../domain/Parameter.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { Earnings, Records, Requirement, Versioned } from "../../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "../commands/Access.ts";
import { requirePartners } from "../commands/ChosenPartners.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { applyPlan } from "./AppliedPlan.ts";
import type { FormulaChange } from "./FormulaChange.ts";

type Plan = Versioned<CommissionPlan.CommissionPlan>;

/** Partners, the bounds of their assignments, and their first values. */
export interface Assigned extends CommissionPlan.Bounds, Pick<CommissionPlan.Assign, "parameters"> {
  readonly partnerIds: ReadonlyArray<PartnerId>;
  /** True: a partner without a needed value is named in the result, and not refused. */
  readonly isDryRun: boolean;
}

/** A partner that has no value for parameters without a default. */
export interface MissingValues {
  readonly partnerId: PartnerId;
  readonly parameters: ReadonlyArray<string>;
}

/** The new formulas of partners that are assigned to a plan, and what they rely on besides the plan itself. */
export const assignmentChanges = (
  { storage, ids }: { readonly storage: Records & Earnings; readonly ids: IdSourceService },
  execution: Execution,
  plan: Plan,
  { partnerIds: named, isDryRun, ...terms }: Assigned,
): Effect.Effect<
  {
    readonly changed: ReadonlyArray<FormulaChange>;
    readonly requires: ReadonlyArray<Requirement>;
    readonly missingValues: ReadonlyArray<MissingValues>;
  },
  Failure
> =>
  Effect.gen(function* () {
    const { customerId, workspaceId, schemaId } = plan;
    const { parameters: given = {} } = terms;
    yield* requirePartners(storage, plan, named, { owner: "the plan's workspace" });
    // A partner that is only named in the result would hide that the values are wrong.
    if (isDryRun) yield* Parameter.checkValues(plan.parameters, given, "parameters");
    const partnerIds = [...new Set(named)];
    const sets = yield* storage.formulaSets(customerId, schemaId, partnerIds);
    const byPartner = new Map(sets.map((set) => [set.partnerId, set]));
    // What is stated for a partner is read from its formulas, which may have to apply the plan first. The plan is as it is after
    // they were read: they may have applied what has changed since `plan` was read, and would contradict that.
    const log = plan.parameters.length === 0 ? [] : yield* storage.log(customerId, "plan", plan.id);
    const current = Save.appendEntries("plan", plan, log.slice(plan.version)).row;
    const changed: Array<FormulaChange> = [];
    const requires: Array<Requirement> = [];
    const missingValues: Array<MissingValues> = [];
    for (const partnerId of partnerIds) {
      const { version = 0, formulas = [] } = byPartner.get(partnerId) ?? {};
      const own = formulas.map((formula) =>
        formula.assignment?.planId === plan.id ? applyPlan(formula, log).formula : formula,
      );
      const missing = CommissionPlan.missingValues(current, given, own);
      if (isDryRun && missing.length > 0) {
        missingValues.push({ partnerId, parameters: missing });
        continue;
      }
      const event = yield* CommissionPlan.assign(current, partnerId, terms, own);
      if (event === null) continue;
      const id = yield* ids.next(FormulaId);
      const identity = { id, customerId, workspaceId, partnerId, schemaId };
      changed.push({ before: null, save: Save.appendEvents("formula", execution, identity, [event]) });
      requires.push({ type: "formula_set", partnerId, schemaId, version });
    }
    return { changed, requires, missingValues };
  });

/** The customer of a principal that may assign partners, and the valid request. */
export const authorizeAssignment = (principal: Principal, input: CommissionPlan.Assign) =>
  Either.gen(function* () {
    const customerId = yield* authorizeCustomer(principal, "assign plan");
    const request = yield* validate(CommissionPlan.Assign)(input);
    const { partnerIds, startDatetime = null, endDatetime = null, parameters = {} } = request;
    const isDryRun = request.dryRun === true;
    const assigned = { partnerIds, startDatetime, endDatetime, parameters, isDryRun };
    yield* CommissionPlan.checkBounds(assigned);
    return { customerId, assigned };
  });

/** The change that ends one assignment, after the formula has applied the plan's events; none when it ends no later. */
export const endAssignment = (
  execution: Execution,
  formula: Versioned<Formula.Formula>,
  log: Parameters<typeof applyPlan>[1],
  end: number,
): ReadonlyArray<FormulaChange> => {
  const current = applyPlan(formula, log);
  const events = CommissionPlan.unassign(current.formula, end);
  return events.length === 0 ? [] : [{ before: formula, save: current.save(execution, events) }];
};
