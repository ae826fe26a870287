/** Recomputes the commissions that a change of a formula affects: in batches, each its own commit, resumable after a crash. */
import { Effect } from "effect";
import * as Commission from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import { CommissionId, type CustomerId, type RecomputationId } from "../../domain/Ids.ts";
import { RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
import type { Recomputation } from "../../domain/Recomputation.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import { IdSource } from "../../ports/IdSource.ts";
import {
  type AttributionForFormula,
  type Change,
  type Requirement,
  type Revision,
  Storage,
  type StorageError,
  type Versioned,
} from "../../ports/Storage.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import { type Decision, type Execution, noEffect, Pipeline } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import * as TimeSlice from "../process/TimeSlice.ts";

/** The actor of events that no principal caused directly. */
const WORKER = { principalId: "system:recomputation" };

/** What a run of batches has done. */
export interface Progress {
  /** Whether some batches are left. */
  readonly pending: boolean;
  /** The attributions that the run read. */
  readonly visited: number;
}

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const ids = yield* IdSource;
  const evaluator = yield* Evaluator;
  const pipeline = yield* Pipeline;

  const row = <Row>(rows: ReadonlyArray<Row>, what: string): Effect.Effect<Row> =>
    rows[0] === undefined
      ? Effect.dieMessage(`${what} of a recomputation is missing`)
      : Effect.succeed(rows[0]);

  /** Collects the change that each attribution's commission under the formula needs, and the requirement it rests on. */
  const mend = (execution: Execution, formula: Formula, evaluate: Commission.Evaluate) => {
    const revisions: Array<Revision> = [];
    const additions: Array<Change> = [];
    const requires: Array<Requirement> = [];
    const one = ({ attribution, commission }: AttributionForFormula): void => {
      if (commission === null && !Commission.isEarned(attribution, formula)) return;
      const outcome = Commission.compute(attribution, formula, evaluate);
      const cause = Commission.causeOf(Commission.basis(attribution, formula));
      const events = Commission.revise(commission, outcome, cause);
      if (events.length === 0) return;
      requires.push({
        type: "record",
        kind: "attribution",
        id: attribution.id,
        version: attribution.version,
      });
      if (commission !== null) {
        for (const event of events) revisions.push(Save.revision(execution, commission, event));
        return;
      }
      const id = ids.nextAt(CommissionId, execution.at);
      additions.push(
        Save.logged("commission", execution, Commission.identity(id, attribution, formula), events),
      );
    };
    return { one, revisions, additions, requires };
  };

  const batch = (
    execution: Execution,
    recomputation: Versioned<Recomputation>,
  ): Effect.Effect<Decision<Progress>, StorageError> =>
    Effect.gen(function* () {
      const { customerId, formulaId, from, to, after } = recomputation;
      const formula = yield* row(yield* storage.find(customerId, "formula", [formulaId]), "the formula");
      const schema = yield* row(yield* storage.find(customerId, "schema", [formula.schemaId]), "the schema");
      const found = yield* storage.attributionsForFormula(formula, {
        from,
        to,
        after,
        limit: RECOMPUTATION_BATCH,
      });
      const { one, revisions, additions, requires } = mend(execution, formula, evaluator.forSchema(schema));
      yield* TimeSlice.map(found, one);
      const last = found[found.length - 1]?.attribution;
      const pending = found.length === RECOMPUTATION_BATCH;
      const reached = last === undefined ? after : { occurredAt: last.occurredAt, id: last.id };
      return {
        answer: { pending, visited: found.length },
        requires: [
          { type: "record", kind: "formula", id: formula.id, version: formula.version },
          ...requires,
        ],
        changes: [
          ...(revisions.length === 0 ? [] : [{ type: "revise", revisions } as const]),
          ...additions,
          Save.flat("recomputation", execution, { ...recomputation, after: reached, pending }),
        ],
      };
    });

  const step = (customerId: CustomerId, id: RecomputationId) =>
    pipeline.run(customerId, WORKER, {}, (execution) =>
      Effect.gen(function* () {
        const recomputation = yield* row(
          yield* storage.find(customerId, "recomputation", [id]),
          "the record",
        );
        return recomputation.pending
          ? yield* batch(execution, recomputation)
          : noEffect({ pending: false, visited: 0 });
      }),
    );

  const run = (
    customerId: CustomerId,
    id: RecomputationId,
    batches: number,
  ): Effect.Effect<Progress, Refusal | StorageError> =>
    Effect.suspend(() => {
      let visited = 0;
      return step(customerId, id).pipe(
        Effect.tap((progress) => Effect.sync(() => (visited += progress.visited))),
        Effect.repeat({ while: ({ pending }) => pending, times: batches - 1 }),
        Effect.map(({ pending }) => ({ pending, visited })),
      );
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
