/** Brings commissions of one formula to the amounts that they should have, and with them the overrides that rest on them. */
import { Effect } from "effect";
import { type Attribution, saleIdOf } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { Cause } from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { AttributionId, CustomerId } from "../../domain/Ids.ts";
import { OVERRIDES_MAX, RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
import { isBelowOthers, isOverlay } from "../../domain/Override.ts";
import type { AttributionForFormula, Earnings, StorageError } from "../../ports/Storage.ts";
import type { TotalsBefore } from "../attributions/Evaluator.ts";
import type { Execution } from "../commands/Pipeline.ts";
import { collectRevisions } from "../commands/RevisionCollector.ts";
import { readReceipts } from "../receipts/StatedReceipts.ts";
import { type Followed, followSellers, type OverrideTools } from "./Following.ts";
import { readSellers } from "./SellersAmounts.ts";

/** The attributions of one batch of a recomputation, and true if others remain. */
interface Batch<Item> {
  readonly found: ReadonlyArray<Item>;
  readonly pending: boolean;
}

/** The first of a page of attributions, as many as one commit brings up to date with the overrides that rest on them. */
export const firstOfPage = <Item extends { readonly attribution: Attribution }>(
  storage: Earnings,
  { customerId }: { readonly customerId: CustomerId },
  page: ReadonlyArray<Item>,
): Effect.Effect<ReadonlyArray<Item>, StorageError> => {
  const sales = page.flatMap(({ attribution }) =>
    isBelowOthers(attribution) ? [saleIdOf(attribution)] : [],
  );
  if (sales.length === 0) return Effect.succeed(page);
  return Effect.map(storage.creditedAttributions(customerId, sales), (credited) => {
    const counts = new Map<AttributionId, number>();
    for (const one of credited)
      if (isOverlay(one)) counts.set(saleIdOf(one), (counts.get(saleIdOf(one)) ?? 0) + 1);
    let sum = 0;
    const end = page.findIndex(({ attribution }, index) => {
      sum += counts.get(saleIdOf(attribution)) ?? 0;
      return index > 0 && sum > OVERRIDES_MAX;
    });
    return end === -1 ? page : page.slice(0, end);
  });
};

/** The batch of a page of a recomputation: more remain after a full page, and after one that is not done as a whole. */
export const batchOfPage = <Item extends { readonly attribution: Attribution }>(
  storage: Earnings,
  owner: { readonly customerId: CustomerId },
  page: ReadonlyArray<Item>,
): Effect.Effect<Batch<Item>, StorageError> =>
  Effect.map(firstOfPage(storage, owner, page), (found) => ({
    found,
    pending: found.length < page.length || page.length === RECOMPUTATION_BATCH,
  }));

/** The rule of the amounts. */
interface Amounts {
  readonly formula: Formula;
  readonly schema: AttributionSchema;
  readonly before?: TotalsBefore;
  /** The cause of changed amounts; by default the command that the amount's rule follows from. */
  readonly cause?: Cause;
}

/** The revision of some commissions of a formula. */
interface Revising {
  /** Collects the change that an attribution's commission under the formula needs. */
  readonly add: (found: AttributionForFormula) => void;
  /** Everything that was collected, with the overrides that rest on it. */
  readonly finish: Effect.Effect<Followed, StorageError>;
}

/** Begins to revise commissions of a formula on some attributions. */
export const startRevising = (
  tools: OverrideTools,
  execution: Execution,
  { formula, schema, before, cause }: Amounts,
  found: ReadonlyArray<AttributionForFormula>,
): Effect.Effect<Revising, StorageError> =>
  Effect.gen(function* () {
    const { storage, ids, evaluator } = tools;
    const { customerId } = formula;
    const overrides = found.flatMap(({ attribution }) =>
      evaluator.readsSellers(formula, attribution, schema) ? [attribution] : [],
    );
    const amounts = yield* readSellers(storage, customerId, overrides);
    const evaluate = evaluator.forSchema(schema, before, amounts.sellersAfter([]));
    const receipts = yield* readReceipts(storage, customerId, formula.release, found);
    const collector = collectRevisions(ids, execution, {
      ...{ formula, evaluate, receipts },
      ...(cause === undefined ? {} : { cause }),
    });
    const finish = Effect.suspend(() =>
      Effect.map(followSellers(tools, execution, customerId, collector.sellers), (followed) => ({
        requires: [...collector.requires, ...amounts.requires, ...followed.requires],
        changes: [...collector.changes(), ...followed.changes],
      })),
    );
    return { add: collector.add, finish };
  });
