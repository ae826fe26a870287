/** What creations under accumulating formulas build on: the order of arrival, the history and the running totals. */
import { Effect } from "effect";
import {
  type Arrival,
  type ArrivalOrder,
  type AttributionHistory,
  arrivalOrderId,
  attributionHistoryId,
  nextArrival,
} from "../../domain/Accumulation.ts";
import type { AttributionId, CustomerId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type {
  Change,
  Earnings,
  RecordRequirement,
  Records,
  Requirement,
  StorageError,
  Versioned,
} from "../../ports/Storage.ts";
import * as Save from "../commands/Save.ts";
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
  /** What rests on the history as it was read. */
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

/** The state after some creations, of which the last may still be on their way to the store. */
export class ArrivalState {
  readonly totals: RunningTotals;
  readonly #unchangedHistory: Requirement;
  #order: Versioned<ArrivalOrder>;
  #last: Arrival | null;

  private constructor({ order, unchangedHistory }: OrderRecords, last: Arrival | null) {
    this.#order = order;
    this.#last = last;
    this.#unchangedHistory = unchangedHistory;
    this.totals = new RunningTotals(order.customerId, order.formulas);
  }

  /** Reads the state; null where no formula has accumulated yet. */
  static read(storage: Records & Earnings, key: OrderKey): Effect.Effect<ArrivalState | null, StorageError> {
    return Effect.flatMap(readOrder(storage, key), (records) => {
      if (records === null) return Effect.succeed(null);
      const { last, partnerId, schemaId } = records.order;
      // The attributions from before the first accumulating formula are in no order but that of their creation.
      return last === null
        ? Effect.map(
            storage.lastArrival(key.customerId, partnerId, schemaId),
            (latest) => new ArrivalState(records, latest),
          )
        : Effect.succeed(new ArrivalState(records, last));
    });
  }

  /** Reads the state of an order that a formula has created. */
  static require(storage: Records & Earnings, key: OrderKey): Effect.Effect<ArrivalState, StorageError> {
    return Effect.flatMap(ArrivalState.read(storage, key), (state) =>
      state === null
        ? Effect.dieMessage("a formula accumulates without an order of arrival")
        : Effect.succeed(state),
    );
  }

  /** Whether the totals of the formula are complete; until then its recomputation computes what attributions earn. */
  isComplete(formulaId: string): boolean {
    return this.#order.formulas.some((one) => one.formulaId === formulaId && !one.building);
  }

  /** Places the next attribution after all others. */
  place(now: Timestamp, idAt: (moment: Timestamp) => AttributionId): Arrival {
    const arrival = nextArrival(this.#last, now, idAt);
    this.#last = arrival;
    return arrival;
  }

  /** The changes of the attributions placed since the last call, and their requirements. */
  take(execution: Save.Stamp): {
    readonly requires: ReadonlyArray<Requirement>;
    readonly changes: ReadonlyArray<Change>;
  } {
    const save = Save.flat("arrivalOrder", execution, { ...this.#order, last: this.#last });
    this.#order = save.row;
    return { requires: [this.#unchangedHistory], changes: [save, ...this.totals.take(execution)] };
  }
}
