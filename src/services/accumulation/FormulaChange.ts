/** What a formula command changes of the order of arrival, where the formula accumulates. */
import { Effect } from "effect";
import { type ArrivalOrder, arrivalOrderId } from "../../domain/Accumulation.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { RecomputationId } from "../../domain/Ids.ts";
import type { ArrivalWalk } from "../../domain/Recomputation.ts";
import type { Change, StorageError, StorageService, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { hasAggregates } from "./AccumulatingFormulas.ts";
import { type OrderKey, raiseHistory } from "./ArrivalState.ts";

/** The walk in which a recomputation of the formula builds its totals; absent for a formula that does not accumulate. */
export const buildingWalk = (formula: Formula): { readonly arrivals?: ArrivalWalk } =>
  formula.status === "active" && hasAggregates(formula)
    ? { arrivals: { cancelled: null, after: null, until: null } }
    : {};

/**
 * The changes beside those of the formula itself, when a recomputation of it begins: its totals are void until the
 * recomputation has built them, and what was computed from the history must be computed again. None for a formula without
 * aggregates.
 */
export const orderChanges = (
  storage: StorageService,
  execution: Pick<Execution, "actor" | "at">,
  formula: Formula,
  recomputationId: RecomputationId,
): Effect.Effect<ReadonlyArray<Change>, StorageError> =>
  Effect.gen(function* () {
    if (!hasAggregates(formula)) return [];
    const { customerId, partnerId, schemaId } = formula;
    const id = arrivalOrderId(partnerId, schemaId);
    const [stored] = yield* storage.find(customerId, "arrivalOrder", [id]);
    const others = (stored?.formulas ?? []).filter(({ formulaId }) => formulaId !== formula.id);
    const own = { formulaId: formula.id, recomputationId, building: true };
    const order: ArrivalOrder & Partial<Versioned<unknown>> = {
      ...stored,
      id,
      customerId,
      partnerId,
      schemaId,
      // While no formula accumulated, attributions were put in no order: the next one reads which is the last.
      last: stored === undefined || stored.formulas.length === 0 ? null : stored.last,
      formulas: formula.status === "active" ? [...others, own] : others,
    };
    return [Save.flat("arrivalOrder", execution, order), yield* raiseHistory(storage, execution, formula)];
  });

/** The order of arrival that changes save, or null. */
export const orderOf = (changes: ReadonlyArray<Change>): OrderKey | null => {
  for (const change of changes)
    if (change.type === "save" && change.kind === "arrivalOrder") return change.row;
  return null;
};
