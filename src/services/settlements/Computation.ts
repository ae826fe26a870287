/** The amounts of commissions as of now, whatever is stored of them. */
import { Effect } from "effect";
import * as Commission from "../../domain/Commission.ts";
import type { CommissionId, CustomerId, FormulaId } from "../../domain/Ids.ts";
import { isBelowOthers } from "../../domain/Override.ts";
import { conflict } from "../../domain/Refusal.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type {
  CommissionWithAttribution,
  Earnings,
  Records,
  Requirement,
  Revision,
  StorageError,
} from "../../ports/Storage.ts";
import { draftTotals as totalsOf } from "../accumulation/DraftTotals.ts";
import type { EvaluatorService } from "../attributions/Evaluator.ts";
import type { Failure } from "../commands/Access.ts";
import type { Execution, PipelineService } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { WORKER } from "../formulas/Recomputations.ts";
import type { RollOuts } from "../formulas/RollOuts.ts";
import { followSellers } from "../overrides/Following.ts";
import { firstOfPage } from "../overrides/Revising.ts";
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

/** Computes amounts as of now: by formula, each with the schema it was written for. */
export const prepareComputation = (
  { storage, evaluator, rollOuts }: Tools,
  customerId: CustomerId,
  commissions: ReadonlyArray<CommissionWithAttribution>,
) =>
  Effect.gen(function* () {
    const formulaIds = new Set(commissions.map(({ commission }) => commission.formulaId));
    // The formulas of a commission's attribution are written for the attribution's schema.
    const schemaIds = new Set(commissions.map(({ attribution }) => attribution.schemaId));
    const [stored, schemas] = yield* Effect.all(
      [
        storage.find(customerId, "formula", [...formulaIds]),
        storage.find(customerId, "schema", [...schemaIds]),
      ],
      { concurrency: "unbounded" },
    );
    const { formulas, requires: plans } = yield* rollOuts.withAppliedPlans(customerId, stored);
    const read = new Map(stored.map(({ id, version }) => [id, version]));
    const outdated = formulas.flatMap(({ id, version }) => (version === read.get(id) ? [] : [id]));
    const totals = yield* totalsOf({ storage, evaluator }, commissions, { formulas, outdated, schemas });
    const byId = new Map(formulas.map((formula) => [formula.id, formula]));
    const schemasById = new Map(schemas.map((schema) => [schema.id, schema]));
    const overrides = commissions.flatMap(({ commission, attribution }) => {
      const formula = byId.get(commission.formulaId);
      const schema = schemasById.get(attribution.schemaId);
      return formula !== undefined &&
        schema !== undefined &&
        evaluator.readsSellers(formula, attribution, schema)
        ? [attribution]
        : [];
    });
    const amounts = overrides.length === 0 ? null : yield* readSellers(storage, customerId, overrides);
    const evaluates = new Map(
      schemas.map((schema) => [schema.id, evaluator.forSchema(schema, totals.before, amounts?.sellers)]),
    );
    const bringUpToDate = (
      execution: Execution,
      { commission, attribution }: CommissionWithAttribution,
    ): UpdatedCommission => {
      const formula = byId.get(commission.formulaId);
      const evaluate = formula === undefined ? undefined : evaluates.get(formula.schemaId);
      if (formula === undefined || evaluate === undefined)
        throw new Error("a commission's formula is missing");
      if (totals.current.has(formula.id)) return { commission, attribution, revisions: [] };
      const outcome = Commission.compute(attribution, formula, evaluate);
      const basis = Commission.basis(attribution, formula);
      const isRecomputed = basis === "evaluated" && totals.recomputed.has(formula.id);
      const cause = isRecomputed ? "recomputed" : Commission.causeOf(basis);
      const revisions = Commission.revise(commission, outcome, cause).map((event) =>
        Save.revision(execution, commission, event),
      );
      return { commission, attribution, revisions };
    };
    const requires = formulas.map(
      ({ id, version }): Requirement => ({ type: "record", kind: "formula", id, version }),
    );
    return {
      bringUpToDate,
      requires: [...plans, ...requires, ...totals.requires, ...(amounts?.requires ?? [])],
      outdated,
      /** The commissions of sellers that the amounts rest on. */
      sellers: amounts?.commissions ?? [],
    };
  });

/** What has to be stored before a draft: in commits of its own, because other amounts rest on it. */
export interface Beforehand {
  /** Formulas that are stored as they were before the last change of their plan, and were read as they will be. */
  readonly outdated: ReadonlyArray<FormulaId>;
  /** Commissions of sellers whose amounts are not up to date: overrides rest on them. */
  readonly staleSellers: ReadonlyArray<CommissionId>;
}

/** What has to be stored before a draft of commissions, of which `sellers` are those that its overrides rest on. */
export const findBeforehand = (
  tools: Tools,
  execution: Execution,
  updated: ReadonlyArray<UpdatedCommission>,
  sellers: ReadonlyArray<CommissionWithAttribution>,
): Effect.Effect<Beforehand, StorageError> =>
  Effect.gen(function* () {
    const [first] = sellers;
    const own = updated.filter(({ attribution }) => isBelowOthers(attribution));
    const others =
      first === undefined ? null : yield* prepareComputation(tools, first.commission.customerId, sellers);
    const ofOthers =
      others === null ? [] : yield* TimeSlice.map(sellers, (one) => others.bringUpToDate(execution, one));
    const stale = [...own, ...ofOthers].filter(({ revisions }) => revisions.length > 0);
    return {
      outdated: others?.outdated ?? [],
      staleSellers: [...new Set(stale.map(({ commission }) => commission.id))],
    };
  });

/** What stores amounts before a draft. */
interface StoringTools extends Tools {
  readonly ids: IdSourceService;
  readonly pipeline: PipelineService;
}

/** Brings commissions of sellers up to date, and with them the overrides that rest on them; in commits of its own. */
const reviseSellers = (
  tools: StoringTools,
  customerId: CustomerId,
  commissionIds: ReadonlyArray<CommissionId>,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const { storage, pipeline } = tools;
    const read = (ids: ReadonlyArray<CommissionId>) => storage.commissionsWithAttributions(customerId, ids);
    for (let left = yield* read(commissionIds); left.length > 0; ) {
      const part = yield* firstOfPage(storage, { customerId }, left);
      left = left.slice(part.length);
      const partIds = part.map(({ commission }) => commission.id);
      yield* pipeline.run(customerId, WORKER, {}, (execution) =>
        Effect.gen(function* () {
          const found = yield* read(partIds);
          const { bringUpToDate, requires } = yield* prepareComputation(tools, customerId, found);
          const updated = yield* TimeSlice.map(found, (one) => bringUpToDate(execution, one));
          const revised = updated.filter(({ revisions }) => revisions.length > 0);
          const followed = yield* followSellers(
            tools,
            execution,
            customerId,
            revised.map(({ attribution, commission, revisions }) => ({
              attribution,
              commission: { ...commission, ...revisions.at(-1) },
            })),
          );
          const unchanged = revised.map(
            ({ attribution: { id, version } }): Requirement => ({
              type: "record",
              kind: "attribution",
              id,
              version,
            }),
          );
          return {
            result: {},
            requires: [...requires, ...unchanged, ...followed.requires],
            changes: [
              ...revised.map(({ revisions }) => ({ type: "revise", revisions }) as const),
              ...followed.changes,
            ],
          };
        }),
      );
    }
  });

/** Rounds after which others have kept changing what a draft rests on. */
const ROUNDS_MAX = 8;

/** Drafts, after what has to be stored before has been: in commits of its own. */
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
