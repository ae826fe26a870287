/**
 * Performs recredit runs, sale by sale: what changes of a sale, its result and the progress are one commit, so that a run continues
 * after a crash where it stopped, and counts no sale twice.
 */
import { Cause, Effect, LogLevel } from "effect";
import type { CustomerId, RecreditRunId } from "../../domain/Ids.ts";
import { RECREDIT_BATCH } from "../../domain/Limits.ts";
import { customer, type Principal } from "../../domain/Principal.ts";
import type { Position } from "../../domain/Recomputation.ts";
import * as RecreditRun from "../../domain/RecreditRun.ts";
import { Conflict, Invalid, type Refusal } from "../../domain/Refusal.ts";
import { IdSource } from "../../ports/IdSource.ts";
import {
  type Change,
  type Earnings,
  type Records,
  Storage,
  type StorageError,
  type Versioned,
} from "../../ports/Storage.ts";
import type { Tools } from "../attributions/CreationReads.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import { FormulaSetCache } from "../attributions/FormulaSetCache.ts";
import { WorkspaceCache } from "../attributions/WorkspaceCache.ts";
import {
  decideRecrediting,
  ordersOf,
  prospectOf,
  type Recrediting,
  startRecrediting,
} from "../cancellation/Recrediting.ts";
import { makeChangeSale, type SaleChange, unchanged } from "../cancellation/SaleChange.ts";
import type { Failure } from "../commands/Access.ts";
import { type Execution, noEffect, Pipeline } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { logFailure } from "../process/FailureLog.ts";

type Run = Versioned<RecreditRun.RecreditRun>;

/** The run after a sale, stored or not; null where another worker has gone on with it. */
interface Visited {
  readonly run: Run | null;
}

/** Who started a run; it needs the grant for every partner, so that nothing of the customer is hidden from it. */
const starterOf = ({ customerId, startedBy, startedByPerson }: Run): Principal => ({
  ...customer(customerId, startedBy),
  person: startedByPerson,
});

const progressOf = (run: Run, sale: Position, found: RecreditRun.Found | null): Run => ({
  ...run,
  ...RecreditRun.countSale(run, found),
  after: sale,
});

/** The saves of the result for a sale and of the progress, and the run as it is then stored. */
const saveFound = (
  execution: Execution,
  run: Run,
  sale: Position,
  found: RecreditRun.Found,
): { readonly result: Visited; readonly changes: ReadonlyArray<Change> } => {
  const { id: runId, customerId, workspaceId } = run;
  const result = Save.flat("recreditRunResult", execution, {
    id: RecreditRun.resultId(runId, sale.id),
    ...{ customerId, workspaceId, runId, attributionId: sale.id, ...found },
    createdAt: execution.at,
  });
  const progress = Save.flat("recreditRun", execution, progressOf(run, sale, found));
  return { result: { run: progress.row }, changes: [result, progress] };
};

/** What the sale itself refuses. One that others keep changing is tried again with the rest of the run. */
const isOfSale = (problem: Failure): problem is Refusal =>
  problem._tag !== "StorageError" && !(problem instanceof Conflict && problem.token === "busy");

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const tools: Tools = {
    storage,
    ids: yield* IdSource,
    formulaSets: yield* FormulaSetCache,
    workspaces: yield* WorkspaceCache,
    evaluator: yield* Evaluator,
  };
  const pipeline = yield* Pipeline;
  const changeSale = yield* makeChangeSale;

  /** True unless another worker has stored progress since the run was read. */
  const isCurrent = ({ customerId, id, version }: Run) =>
    Effect.map(storage.find(customerId, "recreditRun", [id]), ([stored]) => stored?.version === version);

  /** The change of a sale with its result; of a dry run the result alone. */
  const changeOf = (
    execution: Execution,
    run: Run,
    sale: Position,
    recrediting: Recrediting,
  ): SaleChange<Visited> => ({
    orders: run.dryRun ? [] : ordersOf(recrediting),
    decided: Effect.gen(function* () {
      const decided = yield* decideRecrediting(tools, recrediting);
      const prospect = yield* prospectOf(tools, recrediting.creation, recrediting, decided);
      const { result, changes } = saveFound(execution, run, sale, {
        outcome: "changed",
        problem: null,
        ...prospect,
      });
      const { decision, started } = decided;
      // What the process remembers of formulas may be old: the commit compares it, as that of a change does.
      if (run.dryRun) return { started: [], decision: { result, requires: decision.requires, changes } };
      return { started, decision: { ...decision, result, changes: [...decision.changes, ...changes] } };
    }),
  });

  const recreditSale = (run: Run, sale: Position): Effect.Effect<Visited, Failure> => {
    const { customerId, reason } = run;
    const principal = starterOf(run);
    const command = { principal, customerId, id: sale.id, reason };
    return changeSale<Visited>(command, {}, (execution) =>
      Effect.gen(function* () {
        if (!(yield* isCurrent(run))) return unchanged({ run: null });
        const recrediting = yield* startRecrediting(tools, command, execution);
        return recrediting === null
          ? unchanged({ run: progressOf(run, sale, null) })
          : changeOf(execution, run, sale, recrediting);
      }),
    );
  };

  /** Stores that a sale is left as it is, and why. */
  const leaveSale = (run: Run, sale: Position, refusal: Refusal): Effect.Effect<Visited, Failure> =>
    pipeline.run<Visited, Failure>(run.customerId, starterOf(run), {}, (execution) =>
      Effect.map(isCurrent(run), (current) =>
        current
          ? { requires: [], ...saveFound(execution, run, sale, RecreditRun.leftAsItIs(refusal)) }
          : noEffect({ run: null }),
      ),
    );

  /** The run after a sale. What goes wrong with one sale does not keep the run from the others. */
  const visit = (run: Run, sale: Position): Effect.Effect<Visited, Failure> =>
    recreditSale(run, sale).pipe(
      Effect.catchAllDefect((defect) =>
        Effect.zipRight(
          logFailure(LogLevel.Error, `a recredit run cannot recredit ${sale.id}`, Cause.die(defect)),
          Effect.fail(new Invalid({ field: null, message: "an internal error; the server has logged it" })),
        ),
      ),
      Effect.catchIf(isOfSale, (refusal) => leaveSale(run, sale, refusal)),
    );

  /** Stores the progress of a step, unless another worker has. */
  const advance = (run: Run, isLast: boolean) =>
    pipeline.run(run.customerId, starterOf(run), {}, (execution) =>
      Effect.gen(function* () {
        if (!(yield* isCurrent(run))) return noEffect({ pending: true });
        const save = Save.flat("recreditRun", execution, {
          ...run,
          state: isLast ? "done" : "running",
          // The clock may have been set back since the start.
          finishedAt: isLast ? Math.max(execution.at, run.createdAt) : null,
        });
        return { result: { pending: !isLast }, requires: [], changes: [save] };
      }),
    );

  const run = (
    customerId: CustomerId,
    id: RecreditRunId,
  ): Effect.Effect<{ readonly pending: boolean }, Refusal | StorageError> =>
    Effect.gen(function* () {
      const [read] = yield* storage.find(customerId, "recreditRun", [id]);
      if (read === undefined) return yield* Effect.dieMessage("the recredit run of a message is missing");
      if (read.state === "done") return { pending: false };
      const sales = yield* storage.salesOf(customerId, { ...read, limit: RECREDIT_BATCH });
      let visited: Run = read;
      for (const sale of sales) {
        const { run: next } = yield* visit(visited, sale);
        if (next === null) return { pending: true };
        visited = next;
      }
      return yield* advance(visited, sales.length < RECREDIT_BATCH);
    });

  return {
    /** Performs one step of a run: recredits its next sales; returns whether some are left. */
    run,
  };
});

/** The steps of recredit runs, which the worker performs. */
export class RecreditSteps extends Effect.Service<RecreditSteps>()("quittance/services/RecreditSteps", {
  effect: make,
}) {}
