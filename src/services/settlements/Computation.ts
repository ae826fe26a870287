/** The amounts of commissions as of now, whatever is stored of them, and of the sellers that they rest on. */
import { Array as Arrays, Effect } from "effect";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import * as Commission from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { CustomerId, FormulaId } from "../../domain/Ids.ts";
import type { SellerChange } from "../../domain/Override.ts";
import type {
  AttributionForFormula,
  CommissionWithAttribution,
  Earnings,
  Records,
  Requirement,
  Revision,
  StorageError,
  Versioned,
} from "../../ports/Storage.ts";
import { draftTotals as totalsOf } from "../accumulation/DraftTotals.ts";
import type { EvaluatorService, SellersCommission } from "../attributions/Evaluator.ts";
import type { Execution } from "../commands/Pipeline.ts";
import { type Amounts, eventsOf } from "../commands/RevisionCollector.ts";
import * as Save from "../commands/Save.ts";
import { WORKER } from "../formulas/Recomputations.ts";
import type { RollOuts } from "../formulas/RollOuts.ts";
import { readFormulaSets } from "../overrides/Following.ts";
import { readSellers } from "../overrides/SellersAmounts.ts";
import * as TimeSlice from "../process/TimeSlice.ts";

/** What drafts are computed with. */
export interface Tools {
  readonly storage: Records & Earnings;
  readonly evaluator: EvaluatorService;
  readonly rollOuts: RollOuts;
}

/** A commission with what brings it up to date. */
export interface UpdatedCommission extends CommissionWithAttribution {
  readonly revisions: ReadonlyArray<Revision>;
}

/** An attribution and a formula under which it earns, with the commission of both; null where it is not stored yet. */
export interface Pair extends AttributionForFormula {
  readonly formulaId: FormulaId;
}

/** Formulas as they are once they have applied the events of their plans. */
interface Applied {
  readonly formulas: ReadonlyArray<Versioned<Formula>>;
  /** Those that are stored as they were before the last change of their plan. */
  readonly outdated: ReadonlyArray<FormulaId>;
  readonly requires: ReadonlyArray<Requirement>;
}

const applyPlans = (
  { rollOuts }: Tools,
  customerId: CustomerId,
  stored: ReadonlyArray<Versioned<Formula>>,
): Effect.Effect<Applied, StorageError> =>
  Effect.map(rollOuts.withAppliedPlans(customerId, stored), ({ formulas, requires }) => {
    const read = new Map(stored.map(({ id, version }) => [id, version]));
    return {
      formulas,
      outdated: formulas.flatMap(({ id, version }) => (version === read.get(id) ? [] : [id])),
      requires: [
        ...requires,
        ...formulas.map(({ id, version }): Requirement => ({ type: "record", kind: "formula", id, version })),
      ],
    };
  });

/** The formulas and schemas of pairs. */
export const readRules = (tools: Tools, customerId: CustomerId, pairs: ReadonlyArray<Pair>) =>
  Effect.gen(function* () {
    const { storage } = tools;
    const formulaIds = [...new Set(pairs.map(({ formulaId }) => formulaId))];
    // The formulas of a commission's attribution are written for the attribution's schema.
    const schemaIds = [...new Set(pairs.map(({ attribution }) => attribution.schemaId))];
    const [stored, schemas] = yield* Effect.all(
      [storage.find(customerId, "formula", formulaIds), storage.find(customerId, "schema", schemaIds)],
      { concurrency: "unbounded" },
    );
    return { ...(yield* applyPlans(tools, customerId, stored)), schemas };
  });

/** What the amounts of pairs follow from. */
interface Basis extends Pick<Applied, "formulas" | "outdated"> {
  readonly schemas: ReadonlyArray<AttributionSchema>;
  /** What sellers earn, for amounts that rest on it. */
  readonly sellers?: SellersCommission;
}

/** By formula, the rule of its amounts; null where the stored amounts are those that it gives. */
export const prepareAmounts = (
  { storage, evaluator }: Tools,
  pairs: ReadonlyArray<Pair>,
  { formulas, outdated, schemas, sellers }: Basis,
) =>
  Effect.map(totalsOf({ storage, evaluator }, pairs, { formulas, outdated, schemas }), (totals) => {
    const byId = new Map(formulas.map((formula) => [formula.id, formula]));
    const evaluates = new Map(
      schemas.map((schema) => [schema.id, evaluator.forSchema(schema, totals.before, sellers)]),
    );
    const amountsOf = (id: FormulaId): Amounts | null => {
      const formula = byId.get(id);
      const evaluate = formula && evaluates.get(formula.schemaId);
      if (formula === undefined || evaluate === undefined)
        throw new Error("a commission's formula is missing");
      if (totals.current.has(id)) return null;
      return { formula, evaluate, ...(totals.recomputed.has(id) ? { cause: "recomputed" } : {}) };
    };
    return { amountsOf, requires: totals.requires };
  });

/** What the sellers of overrides earn once they are up to date. */
interface SellersNow {
  readonly sellers?: SellersCommission;
  /** What is not stored of it. */
  readonly stale: ReadonlyArray<Pair>;
  readonly outdated: ReadonlyArray<FormulaId>;
  readonly requires: ReadonlyArray<Requirement>;
}

const NO_SELLERS: SellersNow = { stale: [], outdated: [], requires: [] };

/** A commission of a seller as it is once it is up to date; null where it is. Overrides rest on the amount, whatever waits of it. */
const changeOf = (pair: Pair, amounts: Amounts | null): SellerChange | null => {
  const { attribution, commission, formulaId } = pair;
  const events = amounts === null ? [] : eventsOf(pair, amounts, null);
  if (amounts === null || events.length === 0) return null;
  const now = events.reduce<Commission.View | null>(
    (view, event) => Commission.evolve(view, { at: attribution.createdAt, actor: WORKER.principalId, event }),
    commission,
  );
  if (now === null) return null;
  const { computedAmount, computationError } = now;
  const { partnerId } = attribution;
  return {
    attribution,
    commission: {
      computedAmount,
      computationError,
      partnerId,
      formulaId,
      currency: amounts.formula.currency,
    },
  };
};

/** Brings the commissions of the sellers of overrides up to date in memory, also those that are not stored yet. */
const bringSellers = (
  tools: Tools,
  customerId: CustomerId,
  overrides: ReadonlyArray<CommissionWithAttribution["attribution"]>,
): Effect.Effect<SellersNow, StorageError> =>
  Effect.gen(function* () {
    if (overrides.length === 0) return NO_SELLERS;
    const { storage } = tools;
    const read = yield* readSellers(storage, customerId, overrides);
    const bySchema = Arrays.groupBy(read.attributions, ({ schemaId }) => schemaId);
    const schemas = yield* storage.find(customerId, "schema", [
      ...new Set(read.attributions.map(({ schemaId }) => schemaId)),
    ]);
    const sets = yield* Effect.forEach(schemas, (schema) =>
      readFormulaSets(storage, schema, bySchema[schema.id] ?? []),
    );
    const applied = yield* applyPlans(
      tools,
      customerId,
      sets.flat().flatMap(({ formulas }) => formulas),
    );
    const byPartner = Arrays.groupBy(applied.formulas, ({ partnerId }) => partnerId);
    const pairs = read.attributions.flatMap((attribution) =>
      (byPartner[attribution.partnerId] ?? []).flatMap((formula): ReadonlyArray<Pair> => {
        const commission = read.commissionOf(attribution, formula);
        return commission !== null || Commission.isEarned(attribution, formula)
          ? [{ attribution, commission, formulaId: formula.id }]
          : [];
      }),
    );
    const { amountsOf } = yield* prepareAmounts(tools, pairs, { ...applied, schemas });
    const found = yield* TimeSlice.map(pairs, (pair) => ({
      pair,
      change: changeOf(pair, amountsOf(pair.formulaId)),
    }));
    const changed = found.filter(({ change }) => change !== null);
    return {
      sellers: read.sellersAfter(changed.flatMap(({ change }) => change ?? [])),
      stale: changed.map(({ pair }) => pair),
      outdated: applied.outdated,
      requires: read.requires,
    };
  });

/** Computes amounts as of now: by formula, each with the schema it was written for. */
export const prepareComputation = (
  tools: Tools,
  customerId: CustomerId,
  commissions: ReadonlyArray<CommissionWithAttribution>,
) =>
  Effect.gen(function* () {
    const { evaluator } = tools;
    const pairs = commissions.map((one): Pair => ({ ...one, formulaId: one.commission.formulaId }));
    const { formulas, outdated, schemas, requires } = yield* readRules(tools, customerId, pairs);
    const byId = new Map(formulas.map((formula) => [formula.id, formula]));
    const schemasById = new Map(schemas.map((schema) => [schema.id, schema]));
    const overrides = pairs.filter(({ attribution, formulaId }) => {
      const formula = byId.get(formulaId);
      const schema = schemasById.get(attribution.schemaId);
      return (
        formula !== undefined && schema !== undefined && evaluator.readsSellers(formula, attribution, schema)
      );
    });
    const below = yield* bringSellers(
      tools,
      customerId,
      overrides.map(({ attribution }) => attribution),
    );
    // Amounts that rest on sellers which are not up to date are not either, whatever their own formula has recomputed.
    const notCurrent = below.stale.length === 0 ? [] : overrides.map(({ formulaId }) => formulaId);
    const amounts = yield* prepareAmounts(tools, pairs, {
      ...{ formulas, schemas, outdated: [...outdated, ...notCurrent] },
      ...(below.sellers === undefined ? {} : { sellers: below.sellers }),
    });
    const bringUpToDate = (
      execution: Execution,
      { commission, attribution }: CommissionWithAttribution,
    ): UpdatedCommission => {
      const rule = amounts.amountsOf(commission.formulaId);
      const events = rule === null ? [] : eventsOf({ attribution, commission }, rule, null);
      const revisions = events.map((event) => Save.revision(execution, commission, event));
      return { commission, attribution, revisions };
    };
    return {
      bringUpToDate,
      requires: [...requires, ...amounts.requires, ...below.requires],
      outdated: [...outdated, ...below.outdated],
      /** What is not stored of what the sellers earn that the amounts rest on. */
      staleSellers: below.stale,
    };
  });
