/**
 * Rolls commission plans out: applies the events of plans to formulas in batches, each its own commit. A formula stores how many it
 * has applied, so that a roll-out continues after a crash where it stopped.
 */
import { Effect } from "effect";
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import type { Entry } from "../../domain/Event.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { CustomerId, PlanId } from "../../domain/Ids.ts";
import { ROLL_OUT_BATCH, ROLL_OUT_INLINE_MAX } from "../../domain/Limits.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import { IdSource } from "../../ports/IdSource.ts";
import { Outbox } from "../../ports/Outbox.ts";
import {
  type Earnings,
  type Records,
  type Requirement,
  Storage,
  type StorageError,
  type Versioned,
} from "../../ports/Storage.ts";
import { ArrivalQueue } from "../accumulation/ArrivalQueue.ts";
import { decideInTurn } from "../accumulation/OrderedFormulaChange.ts";
import { type Decision, type Execution, noEffect, Pipeline } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { applyPlan } from "./AppliedPlan.ts";
import { effectOf, type FormulaEffect, runRecomputations, type Started } from "./FormulaChange.ts";
import { Recomputations } from "./Recomputations.ts";

/** The actor of commands that no principal caused directly; the entries of formulas have the actor of the plan's. */
const WORKER = { principalId: "system:roll-out" };

/** True if some formulas have not applied all events of the plan yet. */
interface Progress {
  readonly pending: boolean;
}

type Log = ReadonlyArray<Entry<CommissionPlan.PlanEvent>>;

/**
 * The number of formulas to which one commit applies their plans. An attempt that others overtook takes half as many:
 * creations of any of their partners overtake it where the formulas accumulate.
 */
const batchSize = ({ attempt }: Execution): number => Math.max(1, ROLL_OUT_BATCH >> (attempt - 1));

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const outbox = yield* Outbox;
  const recomputations = yield* Recomputations;
  const queue = yield* ArrivalQueue;

  /** The changes by which formulas apply the events of their plans; `logOf` returns the log of a formula's plan. */
  const applyLogs = (
    execution: Execution,
    formulas: ReadonlyArray<Versioned<Formula>>,
    logOf: (formula: Formula) => Log,
    delayMilliseconds?: number,
  ): Effect.Effect<FormulaEffect, StorageError> => {
    const changed = formulas.map((formula) => {
      const entries = CommissionPlan.unappliedEntries(formula, formula.lastAt, logOf(formula));
      return { before: formula, save: Save.appendEntries("formula", formula, entries) };
    });
    return effectOf({ storage, ids }, execution, changed, delayMilliseconds);
  };

  const runBatch = (customerId: CustomerId, planId: PlanId) =>
    Effect.gen(function* () {
      let started: ReadonlyArray<Started> = [];
      const decideBatch = (execution: Execution) =>
        Effect.gen(function* () {
          started = [];
          const log = yield* storage.log(customerId, "plan", planId);
          const limit = batchSize(execution);
          const behind = yield* storage.formulasBehindPlan(customerId, planId, log.length, limit);
          if (behind.length === 0) return noEffect({ pending: false });
          const { recomputations: recorded, ...effect } = yield* applyLogs(execution, behind, () => log);
          started = recorded;
          const decision: Decision<Progress> = {
            result: { pending: behind.length === limit },
            requires: [],
            ...effect,
          };
          return decision;
        });
      const { pending } = yield* pipeline.run(customerId, WORKER, {}, (execution) =>
        decideInTurn(queue, decideBatch(execution)),
      );
      return { pending, started };
    });

  const run = (customerId: CustomerId, planId: PlanId): Effect.Effect<Progress, Refusal | StorageError> =>
    Effect.gen(function* () {
      const { pending, started } = yield* runBatch(customerId, planId);
      yield* runRecomputations({ recomputations, outbox, pipeline }, customerId, started);
      return { pending };
    });

  const runInline = (
    customerId: CustomerId,
    planId: PlanId,
  ): Effect.Effect<Progress, Refusal | StorageError> =>
    Effect.gen(function* () {
      const log = yield* storage.log(customerId, "plan", planId);
      const behind = yield* storage.formulasBehindPlan(
        customerId,
        planId,
        log.length,
        ROLL_OUT_INLINE_MAX + 1,
      );
      if (behind.length > ROLL_OUT_INLINE_MAX) return { pending: true };
      const started: Array<Started> = [];
      const commits = Math.ceil(ROLL_OUT_INLINE_MAX / ROLL_OUT_BATCH) + 1;
      const { pending } = yield* runBatch(customerId, planId).pipe(
        Effect.tap((item) => Effect.sync(() => started.push(...item.started))),
        Effect.repeat({ while: (item) => item.pending, times: commits - 1 }),
      );
      yield* runRecomputations({ recomputations, outbox, pipeline }, customerId, started);
      return { pending };
    });

  /** The formulas that have not applied all events of their plans, and the plans of all of them. */
  const plansOf = (customerId: CustomerId, formulas: ReadonlyArray<Versioned<Formula>>) =>
    Effect.gen(function* () {
      const assigned = formulas.flatMap(({ assignment }) => (assignment === null ? [] : [assignment.planId]));
      const plans =
        assigned.length === 0 ? [] : yield* storage.find(customerId, "plan", [...new Set(assigned)]);
      const versions = new Map<string, number>(plans.map(({ id, version }) => [id, version]));
      const behind = formulas.filter(
        ({ assignment }) =>
          assignment !== null && assignment.planRevision < (versions.get(assignment.planId) ?? 0),
      );
      const requires = plans.map(
        ({ id, version }): Requirement => ({ type: "record", kind: "plan", id, version }),
      );
      return { behind, requires };
    });

  const logsOf = (customerId: CustomerId, formulas: ReadonlyArray<Formula>) =>
    Effect.gen(function* () {
      const logs = new Map<PlanId, Log>();
      for (const { assignment } of formulas) {
        if (assignment === null || logs.has(assignment.planId)) continue;
        logs.set(assignment.planId, yield* storage.log(customerId, "plan", assignment.planId));
      }
      return (formula: Formula): Log =>
        formula.assignment === null ? [] : (logs.get(formula.assignment.planId) ?? []);
    });

  const withAppliedPlans = (customerId: CustomerId, formulas: ReadonlyArray<Versioned<Formula>>) =>
    Effect.gen(function* () {
      const { behind, requires } = yield* plansOf(customerId, formulas);
      if (behind.length === 0) return { formulas, requires };
      const logOf = yield* logsOf(customerId, behind);
      return {
        formulas: formulas.map((formula) =>
          behind.includes(formula) ? applyPlan(formula, logOf(formula)).formula : formula,
        ),
        requires,
      };
    });

  const applyPlans = (
    customerId: CustomerId,
    formulaIds: ReadonlyArray<Formula["id"]>,
  ): Effect.Effect<unknown, Refusal | StorageError> =>
    Effect.suspend(() => {
      const decide = (execution: Execution) =>
        Effect.gen(function* () {
          const formulas = yield* storage.find(customerId, "formula", formulaIds);
          const { behind } = yield* plansOf(customerId, formulas);
          const logOf = yield* logsOf(customerId, behind);
          return { result: {}, requires: [], ...(yield* applyLogs(execution, behind, logOf, 0)) };
        });
      return pipeline.run(customerId, WORKER, {}, (execution) => decideInTurn(queue, decide(execution)));
    });

  return {
    /** Applies a plan's events to one batch of its formulas and starts their recomputation; returns whether formulas are left. */
    run,
    /** Applies a plan's events to all its formulas when at most 100 have not applied them; returns whether formulas are left. */
    runInline,
    /**
     * The formulas as they will be once they have applied the events of their plans, and the versions of the plans that this
     * relies on. Stores nothing, and reads nothing when no formula belongs to a plan.
     */
    withAppliedPlans,
    /** Applies the events of their plans to the formulas that have not applied them, in one commit; workers recompute their amounts. */
    applyPlans,
  };
});

/** The service of roll-outs; commands on plans start them, workers finish them. */
export class RollOuts extends Effect.Service<RollOuts>()("quittance/services/RollOuts", { effect: make }) {}
