/** What creations under accumulating formulas build on: the order of arrival, the history and the running totals. */
import { Effect } from "effect";
import {
  type ArrivalOrder,
  type AttributionHistory,
  arrivalOrderId,
  attributionHistoryId,
} from "../../domain/Accumulation.ts";
import type { CustomerId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Earnings, RecordRequirement, Records, StorageError, Versioned } from "../../ports/Storage.ts";
import { RunningTotals } from "./RunningTotals.ts";

/** A partner and a schema of a customer. */
export interface OrderKey {
  readonly customerId: CustomerId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
}

/** The records of a partner and schema that have had an accumulating formula. */
export interface OrderRecords {
  readonly order: Versioned<ArrivalOrder>;
  readonly history: Versioned<AttributionHistory>;
  /** The requirement of everything that is based on the history as it was read. */
  readonly unchangedHistory: RecordRequirement;
}

/** Reads the order and the version of the history; null where no formula has accumulated yet. */
export const readOrder = (
  storage: Records & Earnings,
  { customerId, partnerId, schemaId }: OrderKey,
): Effect.Effect<OrderRecords | null, StorageError> =>
  Effect.gen(function* () {
    const historyId = attributionHistoryId(partnerId, schemaId);
    const [history] = yield* storage.find(customerId, "attributionHistory", [historyId]);
    const [order] = yield* storage.find(customerId, "arrivalOrder", [arrivalOrderId(partnerId, schemaId)]);
    if (order === undefined || history === undefined) return null;
    return {
      order,
      history,
      unchangedHistory: {
        type: "record",
        kind: "attributionHistory",
        id: historyId,
        version: history.version,
      },
    };
  });

/** The state that a creation builds on: the creations before it may still be on their way to the store. */
export interface ArrivalState {
  readonly order: Versioned<ArrivalOrder>;
  readonly unchangedHistory: RecordRequirement;
  /** The totals that have been read: each creation adds to them. */
  readonly totals: RunningTotals;
}

/** Reads the state of an order that a formula has created. */
export const readState = (
  storage: Records & Earnings,
  key: OrderKey,
): Effect.Effect<ArrivalState, StorageError> =>
  Effect.gen(function* () {
    const records = yield* readOrder(storage, key);
    if (records === null)
      return yield* Effect.dieMessage("a formula accumulates without an order of arrival");
    const { order, unchangedHistory } = records;
    const { customerId, partnerId, schemaId } = order;
    return {
      // The attributions from before the first accumulating formula are in no order but that of their creation.
      order:
        order.last === null
          ? { ...order, last: yield* storage.lastArrival(customerId, partnerId, schemaId) }
          : order,
      unchangedHistory,
      totals: new RunningTotals(customerId, order.formulas),
    };
  });

/** True if the totals of the formula are complete; until then its recomputation computes what attributions earn. */
export const isComplete = ({ formulas }: ArrivalOrder, formulaId: string): boolean =>
  formulas.some((formula) => formula.formulaId === formulaId && !formula.building);
