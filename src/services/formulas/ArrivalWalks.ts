/**
 * Recomputations in order of arrival: those that build the totals of a formula over its history, and those that compute again
 * what was earned after a cancelled attribution.
 */
import { Effect } from "effect";
import { type Arrival, type ArrivalOrder, compareArrivals } from "../../domain/Accumulation.ts";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import * as Commission from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { RecomputationId } from "../../domain/Ids.ts";
import { RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
import type { ArrivalWalk, Recomputation } from "../../domain/Recomputation.ts";
import { Windows } from "../../formula/index.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type {
  AttributionForFormula,
  Change,
  Earnings,
  Records,
  Requirement,
  StorageError,
  Versioned,
} from "../../ports/Storage.ts";
import type { ArrivalQueueService } from "../accumulation/ArrivalQueue.ts";
import { type OrderRecords, readOrder } from "../accumulation/ArrivalState.ts";
import { arrivalOf, Count, type Days, daysBefore, momentsOf, walk } from "../accumulation/Recount.ts";
import { RunningTotals } from "../accumulation/RunningTotals.ts";
import {
  type AccumulatingFormula,
  accumulates,
  accumulatingFormula,
  contributions,
  windowTotals,
} from "../attributions/AccumulatingFormulas.ts";
import type { EvaluatorService, TotalsBefore } from "../attributions/Evaluator.ts";
import type { Decision, Execution, InTurn } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { batchOfPage, startRevising } from "../overrides/Revising.ts";
import * as TimeSlice from "../process/TimeSlice.ts";

type Result = { readonly pending: boolean; readonly visited: number };

/** What walks use. */
interface WalkTools {
  readonly storage: Records & Earnings;
  readonly ids: IdSourceService;
  readonly evaluator: EvaluatorService;
  readonly queue: ArrivalQueueService;
}

/** One batch of a walk: the records as they were read, and the walk's own part. */
interface Batch {
  readonly execution: Execution;
  readonly recomputation: Versioned<Recomputation>;
  readonly arrivals: ArrivalWalk;
  readonly formula: Versioned<Formula>;
  readonly accumulating: AccumulatingFormula;
  readonly schema: AttributionSchema;
}

const saveWalk = ({ execution, recomputation }: Batch, arrivals: ArrivalWalk, pending: boolean): Change =>
  Save.flat("recomputation", execution, { ...recomputation, arrivals, pending });

const requireUnchanged = ({ id, version }: Versioned<Formula>): Requirement => ({
  type: "record",
  kind: "formula",
  id,
  version,
});

/**
 * Ends a walk whose work another one does. A cancelled formula has no totals either, but then no other walk does the work:
 * so the formula must still be as it was read.
 */
const endSuperseded = (batch: Batch): Decision<Result> => ({
  result: { pending: false, visited: 0 },
  requires: [requireUnchanged(batch.formula)],
  changes: [saveWalk(batch, batch.arrivals, false)],
});

/** Counts and computes a batch of attributions; the totals that they change are saved with their amounts. */
const buildBatch = (
  tools: WalkTools,
  batch: Batch,
  { order, unchangedHistory }: OrderRecords,
  page: ReadonlyArray<AttributionForFormula>,
): Effect.Effect<Decision<Result>, StorageError> =>
  Effect.gen(function* () {
    const { storage } = tools;
    const { execution, arrivals, formula, accumulating, schema } = batch;
    const { found, pending } = yield* batchOfPage(storage, formula, page);
    const totals = new RunningTotals(formula.customerId, order.formulas);
    const parts = yield* TimeSlice.map(found, ({ attribution }) => ({
      windows: Commission.isEarned(attribution, formula)
        ? windowTotals(accumulating, attribution, totals.bucketsOf)
        : [],
      contributions: attribution.status === "confirmed" ? contributions(accumulating, attribution) : [],
    }));
    yield* totals.load(storage, parts);
    let current = 0;
    const before: TotalsBefore = () => totals.before(parts[current]?.windows ?? []);
    const revising = yield* startRevising(tools, execution, { formula, schema, before }, found);
    yield* TimeSlice.map(found, (item, index) => {
      current = index;
      revising.add(item);
      for (const contribution of parts[index]?.contributions ?? []) totals.add(contribution);
    });
    const revised = yield* revising.finish;
    const last = found[found.length - 1];
    const after = last === undefined ? arrivals.after : arrivalOf(last.attribution);
    return {
      result: { pending, visited: found.length },
      requires: [requireUnchanged(formula), unchangedHistory, ...revised.requires],
      changes: [
        ...revised.changes,
        ...totals.flush(execution),
        saveWalk(batch, { ...arrivals, after }, pending),
      ],
    };
  });

/** Marks the totals of a formula as complete in its order of arrival. */
const completeTotals = (
  execution: Execution,
  order: Versioned<ArrivalOrder>,
  recomputationId: RecomputationId,
): Change =>
  Save.flat("arrivalOrder", execution, {
    ...order,
    formulas: order.formulas.map((formula) =>
      formula.recomputationId === recomputationId ? { ...formula, building: false } : formula,
    ),
  });

/** True if the recomputation still builds the totals of its formula: a later one may have replaced it. */
const stillBuilds = ({ order }: OrderRecords, { id }: Recomputation): boolean =>
  order.formulas.some((formula) => formula.recomputationId === id && formula.building);

const buildTotals = (
  tools: WalkTools,
  batch: Batch,
): Effect.Effect<Decision<Result> | InTurn<Result>, StorageError> =>
  Effect.gen(function* () {
    const { formula, arrivals, recomputation, execution } = batch;
    const read = Effect.gen(function* () {
      // The order is read first: it changes with each attribution that arrives later.
      const records = yield* readOrder(tools.storage, formula);
      const span = { from: null, to: null, after: arrivals.after, limit: RECOMPUTATION_BATCH };
      return { records, found: yield* tools.storage.arrivalsForFormula(formula, span) };
    });
    const { records, found } = yield* read;
    if (records === null || !stillBuilds(records, recomputation)) return endSuperseded(batch);
    if (found.length === RECOMPUTATION_BATCH) return yield* buildBatch(tools, batch, records, found);
    // The last batch: no attribution may arrive between the ones that it counts and those that count themselves.
    const last = Effect.gen(function* () {
      const now = yield* read;
      if (now.records === null || !stillBuilds(now.records, recomputation)) return endSuperseded(batch);
      const decision = yield* buildBatch(tools, batch, now.records, now.found);
      return decision.result.pending
        ? decision
        : {
            ...decision,
            changes: [...decision.changes, completeTotals(execution, now.records.order, recomputation.id)],
          };
    });
    return tools.queue.alone([formula], last);
  });

/** What a walk after a cancellation has counted so far; it holds while the history stays as it was. */
interface Counted {
  readonly history: number;
  readonly after: Arrival;
  readonly count: Count;
}

/** The most walks whose count is cached from batch to batch; other walks count again. */
const COUNTED_MAX = 8;

const isNotAfter = (attribution: Attribution, until: Arrival | null): boolean =>
  until === null || compareArrivals(attribution, until) <= 0;

const covers = (days: Days, attribution: Attribution): boolean =>
  Windows.contains(days, Windows.calendarDay(attribution));

/** Computes again what was earned after a cancelled attribution, by counting the attributions before it. */
const makeRecompute = (tools: WalkTools, counts: Map<string, Counted>) => {
  const { storage } = tools;

  /** The count of what arrived up to the last attribution that was recomputed. */
  const countUpTo = (
    { recomputation, accumulating }: Batch,
    days: Days,
    after: Arrival,
    history: number,
  ): Effect.Effect<Count, StorageError> =>
    Effect.gen(function* () {
      const known = counts.get(recomputation.id);
      if (known?.history === history && compareArrivals(known.after, after) === 0) return known.count;
      const count = new Count(accumulating);
      yield* walk(storage, accumulating, { ...days, until: after }, ({ attribution }) =>
        count.add(attribution),
      );
      return count;
    });

  const keepCount = (id: RecomputationId, counted: Counted): void => {
    counts.delete(id);
    counts.set(id, counted);
    const [oldest] = counts.keys();
    if (counts.size > COUNTED_MAX && oldest !== undefined) counts.delete(oldest);
  };

  return (
    batch: Batch & { readonly arrivals: { readonly after: Arrival } },
  ): Effect.Effect<Decision<Result>, StorageError> =>
    Effect.gen(function* () {
      const { execution, recomputation, arrivals, formula, accumulating, schema } = batch;
      const { from, to } = recomputation;
      const range = { from, to };
      const records = yield* readOrder(storage, formula);
      const before = daysBefore(accumulating, to === null ? [from] : [from, to - 1]);
      if (records === null || before === null) return endSuperseded(batch);
      const days = { ...before, to: before.to === null || to === null ? null : Math.max(before.to, to) };
      const { after, until } = arrivals;
      const page = yield* storage.arrivalsForFormula(formula, {
        ...momentsOf(days),
        after,
        limit: RECOMPUTATION_BATCH,
      });
      const inTime = page.filter(({ attribution }) => isNotAfter(attribution, until));
      const { found, pending } = yield* batchOfPage(storage, formula, inTime);
      const history = records.unchangedHistory.version;
      // The count continues with this batch; the one that was kept no longer belongs to its place.
      const count =
        found.length === 0 ? new Count(accumulating) : yield* countUpTo(batch, days, after, history);
      counts.delete(recomputation.id);
      const totalsBefore: TotalsBefore = (_formula, _version, attribution) =>
        count.before(windowTotals(accumulating, attribution));
      const amounts = { formula, schema, before: totalsBefore, cause: "recomputed" } as const;
      const revising = yield* startRevising(tools, execution, amounts, found);
      yield* TimeSlice.map(found, (item) => {
        const { attribution } = item;
        const isInRange =
          covers(range, attribution) && Commission.basis(attribution, formula) === "evaluated";
        if (isInRange) revising.add(item);
        count.add(attribution);
      });
      const revised = yield* revising.finish;
      const last = found[found.length - 1];
      const now = last === undefined ? after : arrivalOf(last.attribution);
      if (pending) keepCount(recomputation.id, { history, after: now, count });
      return {
        result: { pending, visited: found.length },
        requires: [requireUnchanged(formula), records.unchangedHistory, ...revised.requires],
        changes: [...revised.changes, saveWalk(batch, { ...arrivals, after: now }, pending)],
      };
    });
};

/** Runs batches of walks in order of arrival. */
export const make = (tools: WalkTools) => {
  const recompute = makeRecompute(tools, new Map());
  return (
    execution: Execution,
    recomputation: Versioned<Recomputation>,
    formula: Versioned<Formula>,
    schema: AttributionSchema,
  ): Effect.Effect<Decision<Result> | InTurn<Result>, StorageError> =>
    Effect.suspend(() => {
      const { arrivals } = recomputation;
      const accumulating = accumulatingFormula(tools.evaluator, schema, formula);
      const walking = arrivals ?? { cancelled: null, after: null, until: null };
      const batch = { execution, recomputation, arrivals: walking, formula, accumulating, schema };
      // A recomputation by date was started before the formula accumulated; the one that builds its totals covers it.
      if (arrivals === undefined || !accumulates(formula)) return Effect.succeed(endSuperseded(batch));
      const { cancelled, after } = arrivals;
      if (cancelled === null) return buildTotals(tools, batch);
      if (after === null)
        return Effect.dieMessage("a walk after a cancellation has no attribution to begin after");
      return recompute({ ...batch, arrivals: { ...arrivals, after } });
    });
};
