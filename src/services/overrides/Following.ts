/** Computes again the overrides that rest on changed amounts of sellers, to be stored together with these amounts. */
import { Array as Arrays, Effect } from "effect";
import { type Attribution, saleIdOf } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import * as Commission from "../../domain/Commission.ts";
import { isAbove } from "../../domain/Credit.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { AttributionId, CustomerId, PartnerId } from "../../domain/Ids.ts";
import { isBelowOthers, isOverlay, type SellerChange } from "../../domain/Override.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type {
  Change,
  Earnings,
  PartnerFormulaSet,
  Records,
  Requirement,
  StorageError,
  Versioned,
} from "../../ports/Storage.ts";
import { readOrder } from "../accumulation/ArrivalState.ts";
import { totalsBefore } from "../accumulation/Recount.ts";
import { accumulates, accumulatingFormula } from "../attributions/AccumulatingFormulas.ts";
import type { EvaluatorService, TotalsBefore } from "../attributions/Evaluator.ts";
import type { Execution } from "../commands/Pipeline.ts";
import { collectRevisions } from "../commands/RevisionCollector.ts";
import { readReceipts } from "../receipts/StatedReceipts.ts";
import { readSellers } from "./SellersAmounts.ts";

/** What computing overrides uses. */
export interface OverrideTools {
  readonly storage: Records & Earnings;
  readonly ids: IdSourceService;
  readonly evaluator: EvaluatorService;
}

/** What is stored together with changed amounts. */
export interface Followed {
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
}

const NOTHING: Followed = { requires: [], changes: [] };

/** Partners whose formulas one statement reads; a partner may have many large formulas. */
const PARTNERS_PER_READ = 100;

/** A formula that reads what sellers earn, and the attributions that earn under it. */
interface OfFormula {
  readonly formula: Formula;
  readonly schema: AttributionSchema;
  readonly attributions: ReadonlyArray<Versioned<Attribution>>;
}

/** That no sale of a changed seller has been recredited, which writes its origin; the origin's own change requires it already. */
const sameOrigins = (
  { storage }: OverrideTools,
  customerId: CustomerId,
  changed: ReadonlyArray<SellerChange>,
): Effect.Effect<ReadonlyArray<Requirement>, StorageError> => {
  const ids = new Set(changed.flatMap(({ attribution }) => attribution.originId ?? []));
  if (ids.size === 0) return Effect.succeed([]);
  return Effect.map(storage.find(customerId, "attribution", [...ids]), (origins) =>
    origins.map(({ id, version }) => ({ type: "record", kind: "attribution", id, version })),
  );
};

/** The attributions above changed sellers. */
const readAbove = (
  { storage }: OverrideTools,
  customerId: CustomerId,
  changed: ReadonlyArray<SellerChange>,
): Effect.Effect<ReadonlyArray<Versioned<Attribution>>, StorageError> => {
  const sellers = new Map<AttributionId, Set<PartnerId>>();
  for (const { attribution } of changed) {
    const sale = saleIdOf(attribution);
    sellers.set(sale, (sellers.get(sale) ?? new Set()).add(attribution.partnerId));
  }
  return Effect.map(storage.creditedAttributions(customerId, [...sellers.keys()]), (credited) =>
    credited.filter((attribution) => {
      const { credit, status } = attribution;
      if (status !== "confirmed" || credit === null || !isOverlay(attribution)) return false;
      return [...(sellers.get(saleIdOf(attribution)) ?? [])].some((seller) => isAbove(credit, seller));
    }),
  );
};

/** The formulas of the partners of attributions of one schema. */
export const readFormulaSets = (
  storage: Earnings,
  { customerId, id }: AttributionSchema,
  attributions: ReadonlyArray<Attribution>,
): Effect.Effect<ReadonlyArray<PartnerFormulaSet>, StorageError> => {
  const partnerIds = [...new Set(attributions.map(({ partnerId }) => partnerId))];
  return Effect.map(
    Effect.forEach(Arrays.chunksOf(partnerIds, PARTNERS_PER_READ), (some) =>
      storage.formulaSets(customerId, id, some),
    ),
    (sets) => sets.flat(),
  );
};

/** The formulas under which attributions of one schema earn overrides, and that these are all. */
const readFormulas = (
  { storage, evaluator }: OverrideTools,
  schema: AttributionSchema,
  above: ReadonlyArray<Versioned<Attribution>>,
): Effect.Effect<readonly [ReadonlyArray<Requirement>, ReadonlyArray<OfFormula>], StorageError> =>
  Effect.gen(function* () {
    const byPartner = Arrays.groupBy(above, ({ partnerId }) => partnerId);
    const sets = yield* readFormulaSets(storage, schema, above);
    const requires = sets.map(
      ({ partnerId, version }): Requirement => ({
        type: "formula_set",
        partnerId,
        schemaId: schema.id,
        version,
      }),
    );
    const found = sets.flatMap(({ partnerId, formulas }) =>
      formulas.map(
        (formula): OfFormula => ({
          formula,
          schema,
          attributions: (byPartner[partnerId] ?? []).filter(
            (attribution) =>
              Commission.isEarned(attribution, formula) &&
              evaluator.readsSellers(formula, attribution, schema),
          ),
        }),
      ),
    );
    return [requires, found.filter(({ attributions }) => attributions.length > 0)];
  });

/** The totals that the amounts under a formula build on, and the history that they rest on. */
const readTotals = (
  { storage, evaluator }: OverrideTools,
  { formula, schema, attributions }: OfFormula,
): Effect.Effect<
  { readonly before?: TotalsBefore; readonly requires: ReadonlyArray<Requirement> },
  StorageError
> =>
  Effect.gen(function* () {
    if (!accumulates(formula)) return { requires: [] };
    const records = yield* readOrder(storage, formula);
    const accumulating = accumulatingFormula(evaluator, schema, formula);
    const totals = yield* totalsBefore(storage, accumulating, attributions);
    return {
      before: (_formula, _version, { id }) => totals.get(id) ?? [],
      requires: records === null ? [] : [records.unchangedHistory],
    };
  });

/** One text for each attribution and formula. */
const keyOf = ({
  attributionId,
  formulaId,
}: Pick<Commission.Commission, "attributionId" | "formulaId">): string => `${attributionId} ${formulaId}`;

/**
 * The changes of all overrides that rest on changed amounts of sellers. A sale that nobody else earns from has none, and costs
 * nothing.
 */
export const followSellers = (
  tools: OverrideTools,
  execution: Execution,
  customerId: CustomerId,
  all: ReadonlyArray<SellerChange>,
): Effect.Effect<Followed, StorageError> =>
  Effect.gen(function* () {
    const { storage, ids, evaluator } = tools;
    const changed = all.filter(({ attribution }) => isBelowOthers(attribution));
    if (changed.length === 0) return NOTHING;
    const requires = [...(yield* sameOrigins(tools, customerId, changed))];
    const above = yield* readAbove(tools, customerId, changed);
    if (above.length === 0) return { requires, changes: [] };
    const schemaIds = [...new Set(above.map(({ schemaId }) => schemaId))];
    const found: Array<OfFormula> = [];
    for (const schema of yield* storage.find(customerId, "schema", schemaIds)) {
      const own = above.filter(({ schemaId }) => schemaId === schema.id);
      const [sameFormulas, ofFormulas] = yield* readFormulas(tools, schema, own);
      requires.push(...sameFormulas);
      found.push(...ofFormulas);
    }
    if (found.length === 0) return { requires, changes: [] };
    const attributions = found.flatMap((ofFormula) => ofFormula.attributions);
    const amounts = yield* readSellers(storage, customerId, attributions);
    const stored = yield* storage.commissionsOf(
      customerId,
      attributions.map(({ id }) => id),
    );
    const sellers = amounts.sellersAfter(changed);
    const byKey = new Map(stored.map((one) => [keyOf(one), one]));
    requires.push(...amounts.requires);
    const changes: Array<Change> = [];
    for (const ofFormula of found) {
      const { formula, schema } = ofFormula;
      const totals = yield* readTotals(tools, ofFormula);
      const evaluate = evaluator.forSchema(schema, totals.before, sellers);
      const earned = ofFormula.attributions.map((attribution) => {
        const key = keyOf({ attributionId: attribution.id, formulaId: formula.id });
        return { attribution, commission: byKey.get(key) ?? null };
      });
      const receipts = yield* readReceipts(storage, customerId, formula.release, earned);
      const collector = collectRevisions(ids, execution, {
        ...{ formula, evaluate, receipts },
        cause: "recomputed",
      });
      for (const { attribution, commission } of earned) {
        collector.add({ attribution, commission });
        // One that keeps its amount must not be given another meanwhile.
        if (commission !== null)
          requires.push({
            type: "record",
            kind: "commission",
            id: commission.id,
            version: commission.version,
          });
      }
      requires.push(...totals.requires, ...collector.requires);
      changes.push(...collector.changes());
    }
    return { requires, changes };
  });
