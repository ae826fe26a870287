/** Commission formulas: what partners earn, from when to when, changed without rewriting what was earned before. */
import { Clock, Effect, Either } from "effect";
import { nextAt } from "../domain/Event.ts";
import * as Formula from "../domain/Formula.ts";
import { type CustomerId, FormulaId, MessageId, RecomputationId } from "../domain/Ids.ts";
import { RECOMPUTATION_BATCH, RECOMPUTE_INLINE_MAX } from "../domain/Limits.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import type { Position } from "../domain/Recomputation.ts";
import { type Invalid, invalid } from "../domain/Refusal.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import * as Language from "../formula/index.ts";
import { IdSource } from "../ports/IdSource.ts";
import { Outbox } from "../ports/Outbox.ts";
import {
  type AttributionForFormula,
  type Change,
  type Listed,
  type Requirement,
  Storage,
  type StorageError,
  type Versioned,
} from "../ports/Storage.ts";
import { checked } from "./attributions/Evaluator.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  findVisible,
  required,
  validated,
} from "./commands/Access.ts";
import { type Filters, type Listing, listOf, type Paging } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Decision,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
  type Work,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { Simulation, simulateSamples } from "./formulas/Simulation.ts";
import * as TimeSlice from "./process/TimeSlice.ts";
import { Recomputations } from "./worker/Recomputations.ts";

/**
 * How long a worker leaves a recomputation to the command that started it. The command gives back what it has left; only
 * where its process ended meanwhile is this waited for.
 */
const HEAD_START_MILLISECONDS = 20_000;

/** A recomputation that a command has recorded, and the message that asks workers to run it. */
interface Started {
  readonly id: RecomputationId;
  readonly messageId: MessageId;
}

const decoded = (expression: unknown): Either.Either<Language.Expression, Invalid> =>
  Either.mapLeft(Language.decode(expression), (problem) =>
    invalid("expression", Language.formatProblem(problem)),
  );

/** Refuses an expression that needs totals of earlier attributions, which are not kept for stored formulas yet. */
const withoutAggregates = ({ aggregates: [first] }: Language.Checked): Either.Either<void, Invalid> =>
  first === undefined
    ? Either.void
    : Either.left(
        invalid(
          "expression",
          `${first.path}: a formula cannot be stored with an aggregate yet; it can be simulated`,
        ),
      );

export { Simulation };

/** The amount of one sample, or why it has none, with the derivation. */
export type Simulated = Language.Explanation;

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const recomputations = yield* Recomputations;
  const outbox = yield* Outbox;

  /** Saves a formula, raises its formula set's version, and records the recomputation that the change calls for. */
  const effectOf = (
    execution: Execution,
    before: Versioned<Formula.Formula> | null,
    after: Versioned<Formula.Formula>,
    save: Change,
  ): Effect.Effect<{
    readonly changes: ReadonlyArray<Change>;
    readonly outbox: ReadonlyArray<Work>;
    readonly recomputation: Started | null;
  }> =>
    Effect.gen(function* () {
      const { customerId, partnerId, schemaId } = after;
      const changes: ReadonlyArray<Change> = [save, { type: "bump_formula_set", partnerId, schemaId }];
      const span = Formula.affected(before, after);
      if (span === null) return { changes, outbox: [], recomputation: null };
      const id = yield* ids.next(RecomputationId);
      const recomputation = Save.flat("recomputation", execution, {
        id,
        customerId,
        formulaId: after.id,
        ...span,
        after: null,
        pending: true,
      });
      const messageId = yield* ids.next(MessageId);
      const delayMilliseconds = HEAD_START_MILLISECONDS;
      const outbox: ReadonlyArray<Work> = [
        { id: messageId, topic: "recompute", recordId: id, reference: null, delayMilliseconds },
      ];
      return { changes: [...changes, recomputation], outbox, recomputation: { id, messageId } };
    });

  /**
   * Runs the first batches of a recomputation. What is left is given to the workers at once; so it is where a batch failed,
   * because the command itself is stored.
   */
  const begin = (customerId: CustomerId, { id, messageId }: Started): Effect.Effect<void> => {
    const unclaimed = { customerId, id: messageId, claim: 0 };
    return recomputations.run(customerId, id, RECOMPUTE_INLINE_MAX / RECOMPUTATION_BATCH).pipe(
      Effect.catchAll(() => Effect.succeed(true)),
      Effect.flatMap((left) =>
        left
          ? Effect.zipRight(outbox.release(unclaimed), pipeline.wake(["recompute"]))
          : outbox.complete(unclaimed),
      ),
      Effect.ignore,
    );
  };

  /** Runs a formula command and then the first batches of its recomputation; a worker runs the rest. */
  const command = <Answer extends object>(
    principal: Principal,
    customerId: Formula.Formula["customerId"],
    options: CommandOptions,
    attempt: (
      execution: Execution,
    ) => Effect.Effect<Decision<Answer> & { readonly recomputation?: Started | null }, Failure>,
  ): Effect.Effect<Answer & Replayed, Failure> =>
    Effect.gen(function* () {
      let started: Started | null = null;
      const answer = yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.map(attempt(execution), (decision) => {
          started = decision.recomputation ?? null;
          return decision;
        }),
      );
      if (started !== null && !answer.replayed) yield* begin(customerId, started);
      return answer;
    });

  const create = (
    principal: Principal,
    input: Formula.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: FormulaId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const checkedInput = Either.gen(function* () {
        const checkedFields = yield* validated(Formula.Create)(input);
        const expression = yield* decoded(checkedFields.expression);
        return { ...checkedFields, expression, event: yield* Formula.create(checkedFields, expression) };
      });
      const { customerId, asked } = yield* authorizeRequest(
        principal,
        "create formula",
        checkedInput,
        ({ workspaceId, partnerId }) => ({ workspaceIds: [workspaceId], partnerIds: [partnerId] }),
      );
      const { expression, event } = asked;
      return yield* command(principal, customerId, options, (execution) =>
        Effect.gen(function* () {
          const { partnerId, schemaId, workspaceId } = asked;
          const partner = yield* findVisible(storage, principal, "partner", partnerId);
          if (partner === null || partner.workspaceId !== workspaceId) {
            return yield* invalid("partner_id", "names no partner of the workspace");
          }
          const schema = yield* findVisible(storage, principal, "schema", schemaId);
          if (schema === null || schema.workspaceId !== workspaceId) {
            return yield* invalid("schema_id", "names no schema of the workspace");
          }
          yield* withoutAggregates(yield* checked(expression, schema));
          const id = yield* ids.next(FormulaId);
          const identity = { id, customerId, workspaceId, partnerId, schemaId };
          const save = Save.logged("formula", execution, identity, [event]);
          const effect = yield* effectOf(execution, null, save.row, save);
          return { answer: { id }, requires: [], ...effect };
        }),
      );
    });

  const change = (
    execution: Execution,
    formula: Versioned<Formula.Formula>,
    events: ReadonlyArray<Formula.FormulaEvent>,
  ) =>
    Effect.gen(function* () {
      if (events.length === 0) return noEffect({});
      const save = Save.logged("formula", execution, formula, events);
      return { answer: {}, requires: [], ...(yield* effectOf(execution, formula, save.row, save)) };
    });

  const update = (
    principal: Principal,
    id: FormulaId,
    input: Formula.Update,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "update formula");
      const asked = yield* validated(Formula.Update)(input);
      const expression = asked.expression === undefined ? null : yield* decoded(asked.expression);
      yield* Formula.checkUpdate(asked);
      return yield* command(principal, customerId, options, (execution) =>
        Effect.gen(function* () {
          const formula = yield* required(storage, principal, "formula", id);
          if (expression !== null) {
            const schema = yield* required(
              storage,
              { ...principal, workspaceIds: "*" },
              "schema",
              formula.schemaId,
            );
            yield* withoutAggregates(yield* checked(expression, schema));
          }
          const moment = nextAt(execution.at, formula.lastAt);
          const holdsFromNow = expression !== null && asked.effectiveDatetime == null;
          const newest = holdsFromNow ? yield* newestSince(formula, moment) : null;
          const events = yield* Formula.update(formula, asked, expression, moment, newest);
          const decision = yield* change(execution, formula, events);
          const since = holdsFromNow ? Formula.effectiveDatetimeOf(events) : null;
          if (since === null) return decision;
          const { partnerId, schemaId, workspaceId } = formula;
          const rewritesNothing: Requirement = {
            type: "no_attribution_since",
            partnerId,
            schemaId,
            workspaceId,
            since,
          };
          return { ...decision, requires: [...decision.requires, rewritesNothing] };
        }),
      );
    });

  /**
   * The newest date of the attributions that occurred at a moment or later; null when there is none. There are few: their
   * dates are not after the clock of the process that created them.
   */
  const newestSince = (
    formula: Formula.Formula,
    moment: Timestamp,
  ): Effect.Effect<Timestamp | null, StorageError> =>
    Effect.gen(function* () {
      let after: Position | null = null;
      for (;;) {
        const span = { from: moment, to: null, after, limit: RECOMPUTATION_BATCH };
        const found: ReadonlyArray<AttributionForFormula> = yield* storage.attributionsForFormula(
          formula,
          span,
        );
        const last = found[found.length - 1]?.attribution;
        if (last !== undefined) after = { occurredAt: last.occurredAt, id: last.id };
        if (found.length < RECOMPUTATION_BATCH) return after?.occurredAt ?? null;
      }
    });

  const cancel = (
    principal: Principal,
    id: FormulaId,
    input: Formula.Cancel,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "cancel formula");
      const { reason } = yield* validated(Formula.Cancel)(input);
      return yield* command(principal, customerId, options, (execution) =>
        Effect.gen(function* () {
          const formula = yield* required(storage, principal, "formula", id);
          return yield* change(execution, formula, Formula.cancel(formula, reason));
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
      const asked = yield* validated(Simulation)(input);
      const schema = yield* findVisible(storage, principal, "schema", asked.schemaId);
      if (schema === null) return yield* invalid("schema_id", "names no schema");
      const compiled = Language.compile(yield* checked(asked.expression, schema));
      const now = yield* Clock.currentTimeMillis;
      // Reading the largest expression has taken more than a slice.
      yield* TimeSlice.pause;
      return yield* simulateSamples(compiled, schema, asked.samples, now, form);
    });

  const simulate = (
    principal: Principal,
    input: Simulation,
  ): Effect.Effect<ReadonlyArray<Simulated>, Failure> => simulateAs(principal, input, (one) => one);

  const list = (
    principal: Principal,
    input: Paging & Filters<"ids" | "customerIds" | "partnerIds" | "workspaceIds" | "activeAt"> = {},
  ): Effect.Effect<Listing<Listed["formula"]>, Failure> =>
    listOf(storage, principal, "list formulas", "formula", input);

  return {
    /**
     * Creates a formula and the commissions of attributions already in its window; up to 10 000 of them before it returns,
     * the rest in the background.
     */
    create,
    /**
     * Changes a formula. A new expression holds from its effective date on, by default from now; what it moves in the
     * past becomes due or is claimed back with the next settlement.
     */
    update,
    /** Cancels a formula that should never have been: every commission of it becomes 0. Again: changes nothing. */
    cancel,
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
