/** What has to be stored before a settlement, in commits of its own, because amounts of other partners rest on it as well. */
import { Array as Arrays, Effect } from "effect";
import type { CustomerId, FormulaId } from "../../domain/Ids.ts";
import { isBelowOthers } from "../../domain/Override.ts";
import { conflict } from "../../domain/Refusal.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { StorageError } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import type { PipelineService } from "../commands/Pipeline.ts";
import { collectRevisions } from "../commands/RevisionCollector.ts";
import { WORKER } from "../formulas/Recomputations.ts";
import { followSellers } from "../overrides/Following.ts";
import { firstOfPage } from "../overrides/Revising.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import { readReceipts } from "../receipts/StatedReceipts.ts";
import { type Pair, prepareAmounts, readRules, type Tools, type UpdatedCommission } from "./Computation.ts";

/** What has to be stored before a draft. */
export interface Beforehand {
  /** Formulas that are stored as they were before the last change of their plan, and were read as they will be. */
  readonly outdated: ReadonlyArray<FormulaId>;
  /** Commissions of sellers that are not up to date: overrides rest on them. */
  readonly staleSellers: ReadonlyArray<Pair>;
}

/** One text for each attribution and formula. */
const keyOf = ({ attribution, formulaId }: Pair): string => `${attribution.id} ${formulaId}`;

/** The commissions of sellers that have to be stored before a draft: those below its overrides, and its own that others rest on. */
export const staleSellersOf = (
  below: ReadonlyArray<Pair>,
  updated: ReadonlyArray<UpdatedCommission>,
): ReadonlyArray<Pair> => {
  const own = updated
    .filter(({ attribution, revisions }) => revisions.length > 0 && isBelowOthers(attribution))
    .map(
      ({ attribution, commission }): Pair => ({ attribution, commission, formulaId: commission.formulaId }),
    );
  return [...new Map([...below, ...own].map((pair) => [keyOf(pair), pair])).values()];
};

/** What stores amounts before a draft. */
interface StoringTools extends Tools {
  readonly ids: IdSourceService;
  readonly pipeline: PipelineService;
}

/** Pairs as they are stored now. */
const readAgain = (
  { storage }: Tools,
  customerId: CustomerId,
  pairs: ReadonlyArray<Pair>,
): Effect.Effect<ReadonlyArray<Pair>, StorageError> =>
  Effect.gen(function* () {
    const attributionIds = [...new Set(pairs.map(({ attribution }) => attribution.id))];
    const attributions = yield* storage.find(customerId, "attribution", attributionIds);
    const stored = yield* storage.commissionsOf(customerId, attributionIds);
    const byId = new Map(attributions.map((attribution) => [attribution.id, attribution]));
    const commissions = new Map(
      stored.map((commission) => [`${commission.attributionId} ${commission.formulaId}`, commission]),
    );
    return pairs.map((pair) => ({
      attribution: byId.get(pair.attribution.id) ?? pair.attribution,
      commission: commissions.get(keyOf(pair)) ?? null,
      formulaId: pair.formulaId,
    }));
  });

/** Brings commissions of sellers up to date, and with them the overrides that rest on them; in commits of its own. */
const reviseSellers = (
  tools: StoringTools,
  customerId: CustomerId,
  stale: ReadonlyArray<Pair>,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const { storage, pipeline, ids } = tools;
    for (let left = stale; left.length > 0; ) {
      const part = yield* firstOfPage(storage, { customerId }, left);
      left = left.slice(part.length);
      yield* pipeline.run(customerId, WORKER, {}, (execution) =>
        Effect.gen(function* () {
          const pairs = yield* readAgain(tools, customerId, part);
          const rules = yield* readRules(tools, customerId, pairs);
          const { amountsOf, requires } = yield* prepareAmounts(tools, pairs, rules);
          const byFormula = Object.values(Arrays.groupBy(pairs, ({ formulaId }) => formulaId));
          const receipts = yield* Effect.forEach(byFormula, (own) => {
            const formula = rules.formulas.find(({ id }) => id === own[0].formulaId);
            return readReceipts(storage, customerId, formula?.release ?? null, own);
          });
          const collectors = yield* TimeSlice.map(byFormula, (own, index) => {
            const amounts = amountsOf(own[0].formulaId);
            const stated = receipts[index];
            if (amounts === null || stated === undefined) return [];
            const collector = collectRevisions(ids, execution, { ...amounts, receipts: stated });
            own.forEach(collector.add);
            return [collector];
          });
          const all = collectors.flat();
          const followed = yield* followSellers(
            tools,
            execution,
            customerId,
            all.flatMap(({ sellers }) => sellers),
          );
          return {
            result: {},
            requires: [
              ...rules.requires,
              ...requires,
              ...all.flatMap((collector) => collector.requires),
              ...followed.requires,
            ],
            changes: [...all.flatMap((collector) => collector.changes()), ...followed.changes],
          };
        }),
      );
    }
  });

/** Rounds after which others have kept changing what a draft rests on. */
const ROUNDS_MAX = 8;

/** Drafts, after what has to be stored before has been. */
export const draftAfter = <Drafted extends Beforehand>(
  tools: StoringTools,
  customerId: CustomerId,
  draft: Effect.Effect<Drafted, Failure>,
): Effect.Effect<Drafted, Failure> => {
  const round = (left: number): Effect.Effect<Drafted, Failure> =>
    Effect.flatMap(draft, (drafted) => {
      const { outdated, staleSellers } = drafted;
      if (outdated.length === 0 && staleSellers.length === 0) return Effect.succeed(drafted);
      if (left === 0)
        return Effect.fail(conflict("busy", "other commands keep changing the same records; try again"));
      const stored =
        outdated.length > 0
          ? tools.rollOuts.applyPlans(customerId, outdated)
          : reviseSellers(tools, customerId, staleSellers);
      return Effect.zipRight(stored, round(left - 1));
    });
  return round(ROUNDS_MAX);
};
