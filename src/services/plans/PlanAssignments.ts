/** The partners of commission plans: assigns them, ends their assignments, and states their values of parameters. */
import { Effect } from "effect";
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import type { CustomerId, PartnerId, PlanId } from "../../domain/Ids.ts";
import { ROLL_OUT_INLINE_MAX } from "../../domain/Limits.ts";
import type * as Parameter from "../../domain/Parameter.ts";
import { authorize, type Principal } from "../../domain/Principal.ts";
import { invalid, missing } from "../../domain/Refusal.ts";
import { IdSource } from "../../ports/IdSource.ts";
import { type Earnings, type Records, type Requirement, Storage } from "../../ports/Storage.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import { authorizeCustomer, type Failure, requireVisible, validate } from "../commands/Access.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  type Replayed,
  unstored,
} from "../commands/Pipeline.ts";
import {
  type Assigned,
  assignmentChanges,
  authorizeAssignment,
  endAssignment,
} from "../formulas/Assignments.ts";
import { effectOf, type FormulaChange, HEAD_START_MILLISECONDS } from "../formulas/FormulaChange.ts";
import {
  type StatedForPartner,
  statedForPartner,
  statedForPartners,
  valuesChanges,
} from "../formulas/PlanParameters.ts";
import { type Prospect, prospectOf } from "../trials/Prospect.ts";
import type { PlanCommands, PlanRequest } from "./PlanCommands.ts";

/** The commands on the partners of plans. */
export const planAssignments = ({ runCommand }: PlanCommands) =>
  Effect.gen(function* () {
    const storage: Records & Earnings = yield* Storage;
    const ids = yield* IdSource;
    const evaluator = yield* Evaluator;

    /** The decision that changes formulas: with many of them the workers recompute their amounts. */
    const manyChanges = (
      execution: Execution,
      changed: ReadonlyArray<FormulaChange>,
      requires: ReadonlyArray<Requirement>,
    ) => {
      const isMany = changed.length > ROLL_OUT_INLINE_MAX;
      const delay = isMany ? 0 : HEAD_START_MILLISECONDS;
      return Effect.map(
        effectOf({ storage, ids }, execution, changed, delay),
        ({ recomputations, ...effect }) => ({
          ...{ result: {}, requires, ...effect },
          follow: { recomputations: isMany ? [] : recomputations },
        }),
      );
    };

    const decideAssignment = (principal: Principal, id: PlanId, execution: Execution, assigned: Assigned) =>
      Effect.gen(function* () {
        const plan = yield* requireVisible(storage, principal, "plan", id);
        return { plan, ...(yield* assignmentChanges({ storage, ids }, execution, plan, assigned)) };
      });

    const assign = (
      principal: Principal,
      id: PlanId,
      input: CommissionPlan.Assign,
      options: CommandOptions = {},
    ): Effect.Effect<Replayed, Failure> =>
      Effect.gen(function* () {
        const authorized = yield* authorizeAssignment(principal, input);
        if (authorized.assigned.isDryRun)
          return yield* invalid("dry_run", "a dry run assigns nobody; ask for its result");
        return yield* runCommand({ principal, planId: id, options }, authorized.customerId, (execution) =>
          Effect.gen(function* () {
            const { plan, changed, requires } = yield* decideAssignment(
              principal,
              id,
              execution,
              authorized.assigned,
            );
            if (changed.length === 0) return noEffect({});
            const unchanged: Requirement = { type: "record", kind: "plan", id, version: plan.version };
            return yield* manyChanges(execution, changed, [unchanged, ...requires]);
          }),
        );
      });

    const dryRun = (
      principal: Principal,
      id: PlanId,
      input: CommissionPlan.Assign,
    ): Effect.Effect<Prospect, Failure> =>
      Effect.gen(function* () {
        // The result shows what partners would earn.
        yield* authorize(principal, "list commissions");
        const { assigned } = yield* authorizeAssignment(principal, { ...input, dryRun: true });
        const execution = yield* unstored(ids, principal);
        const { changed, missingValues } = yield* decideAssignment(principal, id, execution, assigned);
        const formulas = changed.map(({ save }) => save.row);
        const prospect = yield* prospectOf({ storage, evaluator }, formulas, execution.at);
        return { ...prospect, missingValues };
      });

    const unassign = (
      principal: Principal,
      id: PlanId,
      partnerId: PartnerId,
      input: CommissionPlan.Unassign = {},
      options: CommandOptions = {},
    ): Effect.Effect<Replayed, Failure> =>
      Effect.gen(function* () {
        const customerId = yield* authorizeCustomer(principal, "unassign plan");
        const { endDatetime } = yield* validate(CommissionPlan.Unassign)(input);
        return yield* runCommand({ principal, planId: id, options }, customerId, (execution) =>
          Effect.gen(function* () {
            const { schemaId } = yield* requireVisible(storage, principal, "plan", id);
            const { version, formulas } = yield* storage.formulaSet(customerId, partnerId, schemaId);
            const own = formulas.filter(({ assignment }) => assignment?.planId === id);
            if (own.length === 0) return yield* missing("assignment");
            const log = yield* storage.log(customerId, "plan", id);
            const changed = own.flatMap((formula) =>
              endAssignment(execution, formula, log, endDatetime ?? execution.at),
            );
            const { recomputations, ...effect } = yield* effectOf({ storage, ids }, execution, changed);
            if (effect.changes.length === 0) return noEffect({});
            const requires: ReadonlyArray<Requirement> = [
              { type: "record", kind: "plan", id, version: log.length },
              { type: "formula_set", partnerId, schemaId, version },
            ];
            return { result: {}, requires, ...effect, follow: { recomputations } };
          }),
        );
      });

    /** Runs a command that states values for partners of a plan. */
    const stateValues = (
      request: PlanRequest,
      customerId: CustomerId,
      stated: ReadonlyArray<StatedForPartner>,
    ): Effect.Effect<Replayed, Failure> =>
      runCommand(request, customerId, (execution) =>
        Effect.gen(function* () {
          const plan = yield* requireVisible(storage, request.principal, "plan", request.planId);
          const { changed, requires } = yield* valuesChanges(storage, execution, plan, stated);
          return changed.length === 0 ? noEffect({}) : yield* manyChanges(execution, changed, requires);
        }),
      );

    const setPartnerParameters = (
      principal: Principal,
      id: PlanId,
      partnerId: PartnerId,
      input: Parameter.SetValues,
      options: CommandOptions = {},
    ): Effect.Effect<Replayed, Failure> =>
      Effect.gen(function* () {
        const customerId = yield* authorizeCustomer(principal, "set partner parameters");
        const stated = yield* statedForPartner(partnerId, input);
        return yield* stateValues({ principal, planId: id, options }, customerId, [stated]);
      });

    const setParameters = (
      principal: Principal,
      id: PlanId,
      input: CommissionPlan.SetParameters,
      options: CommandOptions = {},
    ): Effect.Effect<Replayed, Failure> =>
      Effect.gen(function* () {
        const customerId = yield* authorizeCustomer(principal, "set plan parameters");
        const stated = yield* statedForPartners(input);
        return yield* stateValues({ principal, planId: id, options }, customerId, stated);
      });

    return { assign, dryRun, unassign, setPartnerParameters, setParameters };
  });
