/** What cancelling a sale changes: all of its attributions, what they earned, and the totals that they are part of. */
import { Array as Arrays, Effect } from "effect";
import * as Attribution from "../../domain/Attribution.ts";
import type { StorageError, Versioned } from "../../ports/Storage.ts";
import type { OrderKey } from "../accumulation/ArrivalState.ts";
import type { Tools } from "../attributions/CreationReads.ts";
import { NOTHING } from "../attributions/FormulaSetCache.ts";
import type { Decision, Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { Started } from "../formulas/FormulaChange.ts";
import { cancelEarnings } from "./Cancellation.ts";

/** The confirmed attributions of a sale. */
const attributionsOfSale = (
  { storage }: Tools,
  origin: Versioned<Attribution.Attribution>,
): Effect.Effect<ReadonlyArray<Versioned<Attribution.Attribution>>, StorageError> =>
  origin.credit === null
    ? Effect.succeed([origin])
    : Effect.map(storage.creditedAttributions(origin.customerId, [origin.id]), (credited) => [
        origin,
        ...credited.filter(({ status }) => status === "confirmed").sort((a, b) => (a.id < b.id ? -1 : 1)),
      ]);

/** The effect of cancelling a sale. */
interface SaleCancellation {
  /** The orders of arrival whose totals it changes. */
  readonly orders: ReadonlyArray<OrderKey>;
  /** To be decided while no other command of these orders runs in this process. */
  readonly decided: Effect.Effect<
    { readonly decision: Decision<object>; readonly started: ReadonlyArray<Started> },
    StorageError
  >;
}

/** Cancels every attribution of the sale of a confirmed origin, for the same reason. */
export const cancelSale = (
  tools: Tools,
  execution: Execution,
  origin: Versioned<Attribution.Attribution>,
  reason: string,
): Effect.Effect<SaleCancellation, StorageError> =>
  Effect.gen(function* () {
    const attributions = yield* attributionsOfSale(tools, origin);
    // A sale has one schema, so that a partner's attributions of it are in one order.
    const byPartner = Object.values(Arrays.groupBy(attributions, ({ partnerId }) => partnerId));
    const keys = byPartner.map(([first]) => first);
    const found = yield* tools.formulaSets.find(origin.customerId, keys, execution.attempt > 1);
    const cancelled = Effect.forEach(byPartner, (own, index) =>
      cancelEarnings(tools, execution, own, found[index] ?? NOTHING),
    );
    return {
      orders: keys.filter((_, index) => (found[index]?.accumulating ?? []).length > 0),
      decided: Effect.map(cancelled, (parts) => ({
        started: parts.flatMap(({ started }) => started),
        decision: {
          result: {},
          requires: parts.flatMap(({ requires }) => requires),
          changes: [
            ...parts.flatMap(({ changes }) => changes),
            ...attributions.map((attribution) =>
              Save.appendEvents(
                "attribution",
                execution,
                attribution,
                Attribution.cancel(attribution, reason),
              ),
            ),
          ],
          outbox: parts.flatMap(({ outbox }) => outbox),
        },
      })),
    };
  });
