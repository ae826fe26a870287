/** Recomputes the commissions that a change of a formula affects: in batches, each its own commit, resumable after a crash. */
import { Effect } from "effect";
import type { CustomerId, RecomputationId } from "../../domain/Ids.ts";
import { RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
import type { Recomputation } from "../../domain/Recomputation.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import { IdSource } from "../../ports/IdSource.ts";
import {
  type Earnings,
  type Records,
  Storage,
  type StorageError,
  type Versioned,
} from "../../ports/Storage.ts";
import { ArrivalQueue } from "../accumulation/ArrivalQueue.ts";
import { accumulates } from "../attributions/AccumulatingFormulas.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import { type Decision, type Execution, type InTurn, noEffect, Pipeline } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { batchOfPage, startRevising } from "../overrides/Revising.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import * as ArrivalWalks from "./ArrivalWalks.ts";

/** The actor of events that no principal caused directly. */
export const WORKER = { principalId: "system:recomputation" };

const ALL_DATES = { from: 0, to: null };

/** True if the recomputation follows a cancelled attribution; one of the same formula, if that is cancelled, covers it. */
const isAfterCancellation = ({ arrivals }: Recomputation): boolean => (arrivals?.cancelled ?? null) !== null;

/** What a run of batches has done. */
interface Progress {
  /** True if some batches are left. */
  readonly pending: boolean;
  /** The attributions that the run read. */
  readonly visited: number;
}

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const ids = yield* IdSource;
  const evaluator = yield* Evaluator;
  const pipeline = yield* Pipeline;
  const tools = { storage, ids, evaluator };
  const walks = ArrivalWalks.make({ ...tools, queue: yield* ArrivalQueue });

  const requireRow = <Row>(rows: ReadonlyArray<Row>, what: string): Effect.Effect<Row> =>
    rows[0] === undefined
      ? Effect.dieMessage(`${what} of a recomputation is missing`)
      : Effect.succeed(rows[0]);

  const decideBatch = (
    execution: Execution,
    recomputation: Versioned<Recomputation>,
  ): Effect.Effect<Decision<Progress> | InTurn<Progress>, StorageError> =>
    Effect.gen(function* () {
      const { customerId, formulaId, from, to, after } = recomputation;
      const formula = yield* requireRow(
        yield* storage.find(customerId, "formula", [formulaId]),
        "the formula",
      );
      const schema = yield* requireRow(
        yield* storage.find(customerId, "schema", [formula.schemaId]),
        "the schema",
      );
      if (accumulates(formula) || isAfterCancellation(recomputation))
        return yield* walks(execution, recomputation, formula, schema);
      // A walk over all dates may have taken the place of others; what they had to change, this one sets to 0.
      const dates = recomputation.arrivals === undefined ? { from, to } : ALL_DATES;
      const page = yield* storage.attributionsForFormula(formula, {
        ...dates,
        after,
        limit: RECOMPUTATION_BATCH,
      });
      const { found, pending } = yield* batchOfPage(storage, formula, page);
      const revising = yield* startRevising(tools, execution, { formula, schema }, found);
      yield* TimeSlice.map(found, revising.add);
      const revised = yield* revising.finish;
      const last = found[found.length - 1]?.attribution;
      const reached = last === undefined ? after : { occurredAt: last.occurredAt, id: last.id };
      return {
        result: { pending, visited: found.length },
        requires: [
          { type: "record", kind: "formula", id: formula.id, version: formula.version },
          ...revised.requires,
        ],
        changes: [
          ...revised.changes,
          Save.flat("recomputation", execution, { ...recomputation, after: reached, pending }),
        ],
      };
    });

  const runBatch = (customerId: CustomerId, id: RecomputationId) =>
    pipeline.run(customerId, WORKER, {}, (execution) =>
      Effect.gen(function* () {
        const recomputation = yield* requireRow(
          yield* storage.find(customerId, "recomputation", [id]),
          "the record",
        );
        return recomputation.pending
          ? yield* decideBatch(execution, recomputation)
          : noEffect({ pending: false, visited: 0 });
      }),
    );

  const run = (
    customerId: CustomerId,
    id: RecomputationId,
    batches: number,
  ): Effect.Effect<Progress, Refusal | StorageError> =>
    Effect.gen(function* () {
      let visited = 0;
      for (let left = batches; left > 0; left--) {
        const progress = yield* runBatch(customerId, id);
        visited += progress.visited;
        if (!progress.pending) return { pending: false, visited };
      }
      return { pending: true, visited };
    });

  return {
    /** Runs up to that many batches (from 1) of a recomputation; returns whether some are left. */
    run,
  };
});

/** The service of recomputations; formula commands start them, workers finish them. */
export class Recomputations extends Effect.Service<Recomputations>()("quittance/services/Recomputations", {
  effect: make,
}) {}
