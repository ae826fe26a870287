/** What a settlement's amounts rest on where formulas accumulate. */
import { Effect } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { FormulaId } from "../../domain/Ids.ts";
import { PER_PAGE_MAX } from "../../domain/Limits.ts";
import type * as Language from "../../formula/index.ts";
import type { Earnings, Records, Requirement, StorageError } from "../../ports/Storage.ts";
import { accumulates, accumulatingFormula } from "../attributions/AccumulatingFormulas.ts";
import type { EvaluatorService, TotalsBefore } from "../attributions/Evaluator.ts";
import { type OrderKey, readOrder } from "./ArrivalState.ts";
import { totalsBefore } from "./Recount.ts";

/** The totals of the commissions of a draft. */
interface DraftTotals {
  /** The formulas whose commissions have the amounts that they should have: no recomputation of them is pending. */
  readonly current: ReadonlySet<string>;
  /** The other formulas whose amounts change because of a cancelled attribution, and not because of their own change. */
  readonly recomputed: ReadonlySet<string>;
  /** The totals before an attribution under the other ones. */
  readonly before: TotalsBefore;
  /** The histories as they were read before anything else. */
  readonly requires: ReadonlyArray<Requirement>;
}

const NONE: DraftTotals = { current: new Set(), recomputed: new Set(), before: () => [], requires: [] };

interface Tools {
  readonly storage: Records & Earnings;
  readonly evaluator: EvaluatorService;
}

/** The formulas of the commissions of a draft. */
interface DraftFormulas {
  readonly formulas: ReadonlyArray<Formula>;
  /** Those that have not applied all events of their plans. */
  readonly outdated: ReadonlyArray<Formula["id"]>;
  readonly schemas: ReadonlyArray<AttributionSchema>;
}

const pendingAmong = (
  storage: Records & Earnings,
  formulas: ReadonlyArray<Formula>,
): Effect.Effect<ReadonlySet<string>, StorageError> =>
  Effect.gen(function* () {
    const pending = new Set<string>();
    for (let from = 0; from < formulas.length; from += PER_PAGE_MAX) {
      const part = formulas.slice(from, from + PER_PAGE_MAX);
      const [first] = part;
      if (first === undefined) break;
      const { items } = yield* storage.list(first.customerId, "formula", {
        where: { ids: part.map(({ id }) => id) },
        page: 1,
        perPage: PER_PAGE_MAX,
        order: "asc",
      });
      for (const { id, recomputing } of items) if (recomputing) pending.add(id);
    }
    return pending;
  });

/**
 * Finds which amounts are up to date, and the totals for the others. While the history stays as it was read and no
 * recomputation was pending after that, the stored amounts of a formula are those that it gives; those of an outdated formula
 * are not.
 */
export const draftTotals = (
  { storage, evaluator }: Tools,
  pairs: ReadonlyArray<{ readonly attribution: Attribution; readonly formulaId: FormulaId }>,
  { formulas, outdated, schemas }: DraftFormulas,
): Effect.Effect<DraftTotals, StorageError> =>
  Effect.gen(function* () {
    const accumulating = formulas.filter(accumulates);
    if (accumulating.length === 0) return NONE;
    const keys = new Map<string, OrderKey>(
      accumulating.map((formula) => [`${formula.partnerId} ${formula.schemaId}`, formula]),
    );
    const requires: Array<Requirement> = [];
    const complete = new Set<string>();
    for (const key of keys.values()) {
      const records = yield* readOrder(storage, key);
      if (records === null) continue;
      requires.push(records.unchangedHistory);
      for (const one of records.order.formulas) if (!one.building) complete.add(one.formulaId);
    }
    const pending = new Set<string>([...(yield* pendingAmong(storage, accumulating)), ...outdated]);
    const found = new Map<string, ReadonlyArray<Language.RunningTotal>>();
    for (const formula of accumulating.filter(({ id }) => pending.has(id))) {
      const schema = schemas.find(({ id }) => id === formula.schemaId);
      if (schema === undefined) return yield* Effect.dieMessage("a formula's schema is missing");
      const own = pairs.filter(({ formulaId }) => formulaId === formula.id);
      const totals = yield* totalsBefore(
        storage,
        accumulatingFormula(evaluator, schema, formula),
        own.map(({ attribution }) => attribution),
      );
      for (const [id, before] of totals) found.set(`${formula.id} ${id}`, before);
    }
    return {
      current: new Set(accumulating.map(({ id }) => id).filter((id) => !pending.has(id))),
      recomputed: new Set([...pending].filter((id) => complete.has(id))),
      before: ({ id }, _version, attribution) => found.get(`${id} ${attribution.id}`) ?? [],
      requires,
    };
  });
