/** Commission formulas: what partners earn, from when to when, changed without rewriting what was earned before. */
import { Clock, Effect, Either } from "effect";
import * as CommissionPlan from "../domain/CommissionPlan.ts";
import { checkEffectiveDate } from "../domain/EffectiveDate.ts";
import { nextAt } from "../domain/Event.ts";
import * as Formula from "../domain/Formula.ts";
import { FormulaId } from "../domain/Ids.ts";
import * as Parameter from "../domain/Parameter.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import { invalid } from "../domain/Refusal.ts";
import * as Language from "../formula/index.ts";
import { IdSource } from "../ports/IdSource.ts";
import { Outbox } from "../ports/Outbox.ts";
import { type Earnings, type Listed, type Records, Storage } from "../ports/Storage.ts";
import { ArrivalQueue } from "./accumulation/ArrivalQueue.ts";
import { decideInTurn } from "./accumulation/OrderedFormulaChange.ts";
import { Evaluator } from "./attributions/Evaluator.ts";
import { WorkspaceCache, zoneOf } from "./attributions/WorkspaceCache.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  findVisible,
  requireVisible,
  validate,
} from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Decision,
  type Execution,
  Pipeline,
  type Replayed,
  unstored,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { withEffectiveDatetime } from "./formulas/EffectiveDates.ts";
import { effectOf, runRecomputations, type Started } from "./formulas/FormulaChange.ts";
import { checkSchema, validateUpdate } from "./formulas/FormulaInput.ts";
import { changeFormula, updateFormula } from "./formulas/FormulaUpdate.ts";
import { Recomputations } from "./formulas/Recomputations.ts";
import { listAsShown } from "./formulas/ShownVersions.ts";
import { Simulation, simulateSamples } from "./formulas/Simulation.ts";
import { checkStated, requireStated } from "./formulas/StatedExpression.ts";
import * as TimeSlice from "./process/TimeSlice.ts";
import { type Prospect, prospectOf } from "./trials/Prospect.ts";

export { Simulation };

/** The amount of one sample, or why it has none, with the derivation. */
export type Simulated = Language.Explanation;

/** A formula in a list, as it is shown at the moment of the read. */
export type ListedFormula = Formula.Shown<Listed["formula"]>;

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const tools = { pipeline, recomputations: yield* Recomputations, outbox: yield* Outbox };
  const changing = { storage, ids };
  const queue = yield* ArrivalQueue;
  const evaluator = yield* Evaluator;
  const workspaces = yield* WorkspaceCache;

  /** Runs a formula command and then the first batches of its recomputation; a worker runs the rest. */
  const runCommand = <Result extends object>(
    principal: Principal,
    customerId: Formula.Formula["customerId"],
    options: CommandOptions,
    attempt: (
      execution: Execution,
    ) => Effect.Effect<Decision<Result> & { readonly recomputations?: ReadonlyArray<Started> }, Failure>,
  ): Effect.Effect<Result & Replayed, Failure> =>
    Effect.gen(function* () {
      let started: ReadonlyArray<Started> = [];
      const decide = (execution: Execution) =>
        Effect.map(attempt(execution), (decision) => {
          started = decision.recomputations ?? [];
          return decision;
        });
      const result = yield* pipeline.run(customerId, principal, options, (execution) =>
        decideInTurn(queue, decide(execution)),
      );
      if (!result.replayed) yield* runRecomputations(tools, customerId, started);
      return result;
    });

  const authorizeCreation = (principal: Principal, input: Formula.Create) => {
    const checkedInput = Either.gen(function* () {
      const checkedFields = yield* validate(Formula.Create)(input);
      const stated = yield* requireStated(checkedFields);
      return { ...checkedFields, stated, event: yield* Formula.create(checkedFields, stated.expression) };
    });
    return authorizeRequest(principal, "create formula", checkedInput, ({ workspaceId, partnerId }) => ({
      workspaceIds: [workspaceId],
      partnerIds: [partnerId],
    }));
  };

  const decideCreation = (
    principal: Principal,
    execution: Execution,
    { customerId, request }: Either.Either.Right<ReturnType<typeof authorizeCreation>>,
  ) =>
    Effect.gen(function* () {
      const { partnerId, schemaId, workspaceId, stated, event } = request;
      const partner = yield* findVisible(storage, principal, "partner", partnerId);
      if (partner === null || partner.workspaceId !== workspaceId) {
        return yield* invalid("partner_id", "must be the id of a partner of the workspace");
      }
      yield* checkSchema(storage, principal, request, stated);
      const id = yield* ids.next(FormulaId);
      const identity = { id, customerId, workspaceId, partnerId, schemaId };
      return Save.appendEvents("formula", execution, identity, [event]);
    });

  const create = (
    principal: Principal,
    input: Formula.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: FormulaId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const authorized = yield* authorizeCreation(principal, input);
      if (authorized.request.dryRun === true)
        return yield* invalid("dry_run", "a dry run has no id; ask for its result");
      return yield* runCommand(principal, authorized.customerId, options, (execution) =>
        Effect.gen(function* () {
          const save = yield* decideCreation(principal, execution, authorized);
          const effect = yield* effectOf({ storage, ids }, execution, [{ before: null, save }]);
          return { result: { id: save.row.id }, requires: [], ...effect };
        }),
      );
    });

  const dryRun = (principal: Principal, input: Formula.Create): Effect.Effect<Prospect, Failure> =>
    Effect.gen(function* () {
      // The result shows what a partner would earn.
      yield* authorize(principal, "list commissions");
      const authorized = yield* authorizeCreation(principal, input);
      const execution = yield* unstored(ids, principal);
      const { row } = yield* decideCreation(principal, execution, authorized);
      return yield* prospectOf({ storage, evaluator }, [row], execution.at);
    });

  const update = (
    principal: Principal,
    id: FormulaId,
    input: Formula.Update,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "update formula");
      const { request, stated } = yield* validateUpdate(input);
      return yield* runCommand(principal, customerId, options, (execution) =>
        Effect.gen(function* () {
          const formula = yield* requireVisible(storage, principal, "formula", id);
          if (stated !== null) {
            const anyWorkspace = { ...principal, workspaceIds: "*" } as const;
            const schema = yield* requireVisible(storage, anyWorkspace, "schema", formula.schemaId);
            yield* checkStated(stated, schema, request.parameters ?? formula.parameters);
          }
          return yield* updateFormula(changing, {
            ...{ execution, formula, request, expression: stated?.expression ?? null },
          });
        }),
      );
    });

  const cancel = (
    principal: Principal,
    id: FormulaId,
    input: Formula.Cancel,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "cancel formula");
      const { reason } = yield* validate(Formula.Cancel)(input);
      return yield* runCommand(principal, customerId, options, (execution) =>
        Effect.gen(function* () {
          const formula = yield* requireVisible(storage, principal, "formula", id);
          yield* CommissionPlan.checkChangeableAlone(formula);
          return yield* changeFormula(changing, execution, formula, Formula.cancel(formula, reason));
        }),
      );
    });

  const withdrawVersion = (
    principal: Principal,
    id: FormulaId,
    number: number,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "withdraw formula version");
      return yield* runCommand(principal, customerId, options, (execution) =>
        Effect.gen(function* () {
          const formula = yield* requireVisible(storage, principal, "formula", id);
          yield* CommissionPlan.checkChangeableAlone(formula);
          const moment = nextAt(execution.at, formula.lastAt);
          return yield* changeFormula(
            changing,
            execution,
            formula,
            yield* Formula.withdraw(formula, number, moment),
          );
        }),
      );
    });

  const setParameters = (
    principal: Principal,
    id: FormulaId,
    input: Parameter.SetValues,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "set formula parameters");
      const request = yield* validate(Parameter.SetValues)(input);
      yield* checkEffectiveDate(request);
      return yield* runCommand(principal, customerId, options, (execution) =>
        Effect.gen(function* () {
          const formula = yield* requireVisible(storage, principal, "formula", id);
          yield* CommissionPlan.checkOwnValues(formula);
          const moment = nextAt(execution.at, formula.lastAt);
          const dated = yield* withEffectiveDatetime(storage, formula, request);
          return yield* changeFormula(
            changing,
            execution,
            formula,
            yield* Formula.setValues(formula, dated, moment),
          );
        }),
      );
    });

  const simulateAs = <Form>(
    principal: Principal,
    input: Simulation,
    form: (simulated: Simulated) => Form,
  ): Effect.Effect<ReadonlyArray<Form>, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "simulate formula");
      const request = yield* validate(Simulation)(input);
      const schema = yield* findVisible(storage, principal, "schema", request.schemaId);
      if (schema === null) return yield* invalid("schema_id", "must be the id of a schema");
      const { parameters = [], values = {} } = request;
      yield* Parameter.checkFirstValues(parameters, values, "values");
      const compiled = Language.compile(
        yield* checkStated(yield* requireStated(request), schema, parameters),
        request.applyShare,
      );
      const now = yield* Clock.currentTimeMillis;
      // Reading the largest expression has taken more than a slice.
      yield* TimeSlice.pause;
      const zones = yield* workspaces.find(schema.customerId, [schema.workspaceId], true);
      const { timeZone } = zoneOf(zones, schema.workspaceId);
      return yield* simulateSamples({ ...request, compiled, schema, timeZone, now }, form);
    });

  const simulate = (
    principal: Principal,
    input: Simulation,
  ): Effect.Effect<ReadonlyArray<Simulated>, Failure> =>
    simulateAs(principal, input, (explanation) => explanation);

  const list = (
    principal: Principal,
    input: ListInput<"formula"> = {},
  ): Effect.Effect<Listing<ListedFormula>, Failure> =>
    listAsShown(listOf(storage, principal, "formula", input));

  return {
    /**
     * Creates a formula and the commissions of attributions already in its window; up to 10 000 of them before it returns,
     * the rest in the background.
     */
    create,
    /** What creating a formula would change, of at most 100 000 past sales; nothing is stored. */
    dryRun,
    /**
     * Changes a formula. One that a plan assigned takes `endDatetime` alone, null for the plan's. A new expression holds from
     * its effective date on, by default from now; what it moves in the past becomes due or is claimed back with the next
     * settlement. With a date in the future it is ahead until then.
     */
    update,
    /**
     * Withdraws a version, by its number, whose date is in the future, of a formula that belongs to no plan. Again: changes
     * nothing.
     */
    withdrawVersion,
    /** Cancels a formula that should never have been, of no plan: every commission of it becomes 0. Again: changes nothing. */
    cancel,
    /**
     * States values of the parameters of a formula that belongs to no plan, from a date on, by default from now. Each value
     * holds until the next date stated for its parameter; null withdraws the value of exactly that date.
     */
    setParameters,
    /**
     * Evaluates an expression on sample attributions of a schema, in their order, each with its derivation;
     * nothing is stored. Partner and workspace read as the nil UUID, the agent as absent. The `history` of a sample are the
     * attributions that arrived before it, which aggregates count.
     */
    simulate,
    /** The same, each sample put into another form as soon as it is evaluated: 100 derivations may be tens of megabytes. */
    simulateAs,
    /** One page of the formulas the principal sees. */
    list,
  };
});

export class CommissionFormulas extends Effect.Service<CommissionFormulas>()(
  "quittance/services/CommissionFormulas",
  { effect: make },
) {}
