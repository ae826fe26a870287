/** What formula commands change of the orders of arrival, where formulas accumulate. */
import { Effect } from "effect";
import { type ArrivalOrder, arrivalOrderId, attributionHistoryId } from "../../domain/Accumulation.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { RecomputationId } from "../../domain/Ids.ts";
import type { ArrivalWalk } from "../../domain/Recomputation.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import type { Change, Records, StorageError, Versioned } from "../../ports/Storage.ts";
import { hasAggregates } from "../attributions/AccumulatingFormulas.ts";
import type { Decision, InTurn } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { ArrivalQueueService } from "./ArrivalQueue.ts";
import type { OrderKey } from "./ArrivalState.ts";

/** The walk in which a recomputation of the formula builds its totals; absent for a formula that does not accumulate. */
export const buildingWalk = (formula: Formula): { readonly arrivals?: ArrivalWalk } =>
  formula.status === "active" && hasAggregates(formula)
    ? { arrivals: { cancelled: null, after: null, until: null } }
    : {};

/** A changed formula, and the recomputation that its change begins. */
export interface Recomputed {
  readonly formula: Formula;
  readonly recomputationId: RecomputationId;
}

/** The order without the totals of a changed formula, or with totals that its recomputation builds. */
const withTotals = (
  formulas: ArrivalOrder["formulas"],
  { formula, recomputationId }: Recomputed,
): ArrivalOrder["formulas"] => {
  const others = formulas.filter(({ formulaId }) => formulaId !== formula.id);
  return formula.status === "active"
    ? [...others, { formulaId: formula.id, recomputationId, building: true }]
    : others;
};

/**
 * The changes in addition to those of the formulas themselves, when recomputations of them begin, all of one customer: their totals
 * are void until the recomputations have built them, and what was computed from the history must be computed again. One
 * order and one history for each partner and schema; none for formulas without aggregates.
 */
export const orderChanges = (
  storage: Records,
  execution: Save.Stamp,
  changed: ReadonlyArray<Recomputed>,
): Effect.Effect<ReadonlyArray<Change>, StorageError> =>
  Effect.gen(function* () {
    const byOrder = new Map<string, Array<Recomputed>>();
    for (const one of changed) {
      if (!hasAggregates(one.formula)) continue;
      const id = arrivalOrderId(one.formula.partnerId, one.formula.schemaId);
      byOrder.set(id, [...(byOrder.get(id) ?? []), one]);
    }
    const [any] = byOrder.values();
    if (any?.[0] === undefined) return [];
    const { customerId } = any[0].formula;
    const historyIdOf = ({ formula }: Recomputed) =>
      attributionHistoryId(formula.partnerId, formula.schemaId);
    const historyIds = new Set([...byOrder.values()].flat().map(historyIdOf));
    const orders = yield* storage.find(customerId, "arrivalOrder", [...byOrder.keys()]);
    const histories = yield* storage.find(customerId, "attributionHistory", [...historyIds]);
    return [...byOrder].flatMap(([id, own]): ReadonlyArray<Change> => {
      const [first] = own;
      if (first === undefined) return [];
      const { partnerId, schemaId } = first.formula;
      const identity = { customerId, partnerId, schemaId };
      const stored = orders.find((order) => order.id === id);
      const historyId = historyIdOf(first);
      const order: ArrivalOrder & Partial<Versioned<unknown>> = {
        ...stored,
        ...identity,
        id,
        // While no formula accumulated, attributions were put in no order: the next one reads which is the last.
        last: stored === undefined || stored.formulas.length === 0 ? null : stored.last,
        formulas: own.reduce(withTotals, stored?.formulas ?? []),
      };
      const history = histories.find((candidate) => candidate.id === historyId);
      return [
        Save.flat("arrivalOrder", execution, order),
        Save.flat("attributionHistory", execution, { ...history, ...identity, id: historyId }),
      ];
    });
  });

/** The orders of arrival that changes save. */
const ordersOf = (changes: ReadonlyArray<Change>): ReadonlyArray<OrderKey> =>
  changes.flatMap((change) => (change.type === "save" && change.kind === "arrivalOrder" ? [change.row] : []));

/**
 * Decides on changes of formulas. Only the decision shows which orders of arrival it saves: where it saves any, it is made
 * again in the turn of these orders, so that no creation of this process is decided on totals that are about to be void.
 */
export const decideInTurn = <Result extends object>(
  queue: ArrivalQueueService,
  decide: Effect.Effect<Decision<Result>, Refusal | StorageError>,
): Effect.Effect<Decision<Result> | InTurn<Result>, Refusal | StorageError> =>
  Effect.map(decide, (decision): Decision<Result> | InTurn<Result> => {
    const keys = ordersOf(decision.changes);
    return keys.length === 0 ? decision : queue.alone(keys, decide);
  });
