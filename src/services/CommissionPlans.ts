/** Commission plans: one formula definition for many partners, changed in one place and rolled out to every formula. */
import { Effect, Either } from "effect";
import * as CommissionPlan from "../domain/CommissionPlan.ts";
import { nextAt } from "../domain/Event.ts";
import type * as Formula from "../domain/Formula.ts";
import { PlanId } from "../domain/Ids.ts";
import type { Principal } from "../domain/Principal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Earnings, type Listed, type Records, Storage } from "../ports/Storage.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  requireVisible,
  validate,
} from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { withEffectiveDatetime } from "./formulas/EffectiveDates.ts";
import { checkSchema, validateUpdate } from "./formulas/FormulaInput.ts";
import { planChange } from "./formulas/PlanChange.ts";
import { useOf } from "./formulas/PlanParameters.ts";
import { listAsShown } from "./formulas/ShownVersions.ts";
import { checkStated, requireStated } from "./formulas/StatedExpression.ts";
import { planAssignments } from "./plans/PlanAssignments.ts";
import { planCommands } from "./plans/PlanCommands.ts";

export type { Overlap, Prospect } from "./trials/Prospect.ts";

/** Which plans, and which page of them; `name` is looked for anywhere in the name, in any letter case. */
export type ListPlans = ListInput<"plan">;

/** A plan in a list, as it is shown at the moment of the read. */
export type ListedPlan = Formula.Shown<Listed["plan"]>;

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const commands = yield* planCommands;
  const { runCommand } = commands;
  const { assign, dryRun, unassign, setPartnerParameters, setParameters } = yield* planAssignments(commands);

  const create = (
    principal: Principal,
    input: CommissionPlan.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: PlanId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const checkedInput = Either.gen(function* () {
        const checkedFields = yield* validate(CommissionPlan.Create)(input);
        const stated = yield* requireStated(checkedFields);
        return {
          ...checkedFields,
          stated,
          event: yield* CommissionPlan.create(checkedFields, stated.expression),
        };
      });
      const { customerId, request } = yield* authorizeRequest(
        principal,
        "create plan",
        checkedInput,
        ({ workspaceId }) => ({ workspaceIds: [workspaceId] }),
      );
      const { stated, event, schemaId, workspaceId } = request;
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          yield* checkSchema(storage, principal, request, stated);
          const id = yield* ids.next(PlanId);
          const save = Save.appendEvents("plan", execution, { id, customerId, workspaceId, schemaId }, [
            event,
          ]);
          return { result: { id }, requires: [], changes: [save] };
        }),
      );
    });

  const update = (
    principal: Principal,
    id: PlanId,
    input: CommissionPlan.Update,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "update plan");
      const { request, stated } = yield* validateUpdate(input);
      return yield* runCommand({ principal, planId: id, options }, customerId, (execution) =>
        Effect.gen(function* () {
          const plan = yield* requireVisible(storage, principal, "plan", id);
          if (stated !== null) {
            const schema = yield* requireVisible(storage, principal, "schema", plan.schemaId);
            yield* checkStated(stated, schema, request.parameters ?? plan.parameters);
          }
          const now = nextAt(execution.at, plan.lastAt);
          const { isUsed, requires } = yield* useOf(storage, plan, request);
          const expression = stated?.expression ?? null;
          const dated = yield* withEffectiveDatetime(storage, plan, request);
          const events = yield* CommissionPlan.update(plan, dated, expression, { now, isUsed });
          const decision = yield* planChange(ids, execution, plan, events);
          return events.length === 0 ? decision : { ...decision, requires };
        }),
      );
    });

  const withdrawVersion = (
    principal: Principal,
    id: PlanId,
    number: number,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "withdraw plan version");
      return yield* runCommand({ principal, planId: id, options }, customerId, (execution) =>
        Effect.gen(function* () {
          const plan = yield* requireVisible(storage, principal, "plan", id);
          const now = nextAt(execution.at, plan.lastAt);
          return yield* planChange(ids, execution, plan, yield* CommissionPlan.withdraw(plan, number, now));
        }),
      );
    });

  const cancel = (
    principal: Principal,
    id: PlanId,
    input: CommissionPlan.Cancel,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "cancel plan");
      const { reason } = yield* validate(CommissionPlan.Cancel)(input);
      return yield* runCommand({ principal, planId: id, options }, customerId, (execution) =>
        Effect.flatMap(requireVisible(storage, principal, "plan", id), (plan) =>
          planChange(ids, execution, plan, CommissionPlan.cancel(plan, reason)),
        ),
      );
    });

  const list = (principal: Principal, input: ListPlans = {}): Effect.Effect<Listing<ListedPlan>, Failure> =>
    listAsShown(listOf(storage, principal, "plan", input));

  return {
    /** Creates a plan without partners. */
    create,
    /**
     * Changes a plan, and with it every formula of it: before this returns where there are at most 100, else in the
     * background. A new expression holds from its effective date on, by default from now; with one in the future it is ahead.
     */
    update,
    /** Withdraws a version, by its number, whose date is in the future, in every formula of the plan. Again: changes nothing. */
    withdrawVersion,
    /** Cancels a plan that should never have applied, and every formula of it. Cancelling it again changes nothing. */
    cancel,
    /**
     * Assigns up to 1 000 partners of the plan's workspace, all or none: each gets a formula of the plan, within the
     * bounds. A partner that has an assignment with the same bounds is skipped.
     */
    assign,
    /** What assigning partners would change, of at most 100 000 past sales; nothing is stored. */
    dryRun,
    /**
     * Ends the assignments of a partner, now unless stated. One that would end at or before its start is withdrawn; one that
     * ends earlier already stays as it is.
     */
    unassign,
    /**
     * States values of the plan's parameters for one partner, from a date on, by default from now, for all its assignments.
     * Each value holds until the next date stated for its parameter; null withdraws the value of exactly that date.
     */
    setPartnerParameters,
    /** The same for up to 1 000 partners, all or none. */
    setParameters,
    /** One page of the plans the principal sees. */
    list,
  };
});

/** The service of commission plans. */
export class CommissionPlans extends Effect.Service<CommissionPlans>()("quittance/services/CommissionPlans", {
  effect: make,
}) {}
