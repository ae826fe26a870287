/** Commission plans: one formula definition for many partners, changed in one place and rolled out to every formula. */
import { Effect, Either } from "effect";
import * as CommissionPlan from "../domain/CommissionPlan.ts";
import { nextAt } from "../domain/Event.ts";
import type * as Formula from "../domain/Formula.ts";
import { type CustomerId, type MessageId, type PartnerId, PlanId } from "../domain/Ids.ts";
import { ROLL_OUT_INLINE_MAX } from "../domain/Limits.ts";
import type * as Parameter from "../domain/Parameter.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import { invalid, missing } from "../domain/Refusal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { Outbox } from "../ports/Outbox.ts";
import { type Earnings, type Listed, type Records, type Requirement, Storage } from "../ports/Storage.ts";
import { ArrivalQueue } from "./accumulation/ArrivalQueue.ts";
import { decideInTurn } from "./accumulation/OrderedFormulaChange.ts";
import { Evaluator } from "./attributions/Evaluator.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  requireVisible,
  validate,
} from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Decision,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
  unstored,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import {
  type Assigned,
  assignmentChanges,
  authorizeAssignment,
  endAssignment,
} from "./formulas/Assignments.ts";
import { withEffectiveDatetime } from "./formulas/EffectiveDates.ts";
import {
  effectOf,
  type FormulaChange,
  HEAD_START_MILLISECONDS,
  releaseOrComplete,
  runRecomputations,
  type Started,
} from "./formulas/FormulaChange.ts";
import { checkSchema, validateUpdate } from "./formulas/FormulaInput.ts";
import { planChange } from "./formulas/PlanChange.ts";
import {
  type StatedForPartner,
  statedForPartner,
  statedForPartners,
  useOf,
  valuesChanges,
} from "./formulas/PlanParameters.ts";
import { Recomputations } from "./formulas/Recomputations.ts";
import { RollOuts } from "./formulas/RollOuts.ts";
import { listAsShown } from "./formulas/ShownVersions.ts";
import { checkStated, requireStated } from "./formulas/StatedExpression.ts";
import { type Prospect, prospectOf } from "./trials/Prospect.ts";

export type { Overlap, Prospect } from "./trials/Prospect.ts";

/** Which plans, and which page of them; `name` is looked for anywhere in the name, in any letter case. */
export type ListPlans = ListInput<"plan">;

/** A plan in a list, as it is shown at the moment of the read. */
export type ListedPlan = Formula.Shown<Listed["plan"]>;

/** A command of a caller on a plan. */
interface Request {
  readonly principal: Principal;
  readonly planId: PlanId;
  readonly options: CommandOptions;
}

/** What a command leaves to do after its commit. */
interface Follow {
  readonly recomputations?: ReadonlyArray<Started>;
  /** The message by which workers roll the plan out. */
  readonly rollOut?: MessageId;
}

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const queue = yield* ArrivalQueue;
  const evaluator = yield* Evaluator;
  const rollOuts = yield* RollOuts;
  const tools = { pipeline, outbox: yield* Outbox, recomputations: yield* Recomputations };

  /** Rolls a plan out to few formulas at once; to many, and where that fails, the workers do. */
  const rollOut = (customerId: CustomerId, planId: PlanId, messageId: MessageId): Effect.Effect<void> => {
    return rollOuts.runInline(customerId, planId).pipe(
      Effect.catchAll(() => Effect.succeed({ pending: true })),
      Effect.flatMap(({ pending }) =>
        Effect.zipRight(
          releaseOrComplete(tools, customerId, messageId, pending),
          pending ? pipeline.wake(["roll_out"]) : Effect.void,
        ),
      ),
    );
  };

  /** Runs a command on a plan, and then as much of the work that follows as belongs to it. */
  const runCommand = (
    { principal, planId, options }: Request,
    customerId: CustomerId,
    attempt: (
      execution: Execution,
    ) => Effect.Effect<Decision<Record<never, never>> & { readonly follow?: Follow }, Failure>,
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      let follow: Follow = {};
      const result = yield* pipeline.run(customerId, principal, options, (execution) =>
        decideInTurn(
          queue,
          Effect.map(attempt(execution), ({ follow: left = {}, ...decision }) => {
            follow = left;
            return decision;
          }),
        ),
      );
      if (result.replayed) return result;
      yield* runRecomputations(tools, customerId, follow.recomputations ?? []);
      if (follow.rollOut !== undefined) yield* rollOut(customerId, planId, follow.rollOut);
      return result;
    });

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

  /** The decision that changes formulas: with many of them the workers recompute their amounts. */
  const manyChanges = (
    execution: Execution,
    changed: ReadonlyArray<FormulaChange>,
    requires: ReadonlyArray<Requirement>,
  ) => {
    const isMany = changed.length > ROLL_OUT_INLINE_MAX;
    const delay = isMany ? 0 : HEAD_START_MILLISECONDS;
    return Effect.map(effectOf(storage, ids, execution, changed, delay), ({ recomputations, ...effect }) => ({
      ...{ result: {}, requires, ...effect },
      follow: { recomputations: isMany ? [] : recomputations },
    }));
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
          const { recomputations, ...effect } = yield* effectOf(storage, ids, execution, changed);
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
    request: Request,
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
