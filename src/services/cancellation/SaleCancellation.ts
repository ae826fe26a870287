/** What cancelling a sale changes: all of its attributions, what they earned, and the totals that they are part of. */
import { Array as Arrays, Effect } from "effect";
import * as Attribution from "../../domain/Attribution.ts";
import type { PartnerId } from "../../domain/Ids.ts";
import type { StorageError, Versioned } from "../../ports/Storage.ts";
import type { Tools } from "../attributions/CreationReads.ts";
import { NOTHING } from "../attributions/FormulaSetCache.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { cancelEarnings, type OfOneSale } from "./Cancellation.ts";
import type { SaleChange } from "./SaleChange.ts";

/** The confirmed attributions of a sale other than its confirmed origin, by id. */
export const readCredited = (
  { storage }: Pick<Tools, "storage">,
  { customerId, id, credit }: Attribution.Attribution,
): Effect.Effect<ReadonlyArray<Versioned<Attribution.Attribution>>, StorageError> =>
  credit === null
    ? Effect.succeed([])
    : Effect.map(storage.creditedAttributions(customerId, [id]), (credited) =>
        credited.filter(({ status }) => status === "confirmed").sort((a, b) => (a.id < b.id ? -1 : 1)),
      );

/** Cancels every attribution of the sale of a confirmed origin, for the same reason. */
export const cancelSale = (
  tools: Tools,
  execution: Execution,
  origin: Versioned<Attribution.Attribution>,
  reason: string,
): Effect.Effect<SaleChange<object, never>, StorageError> =>
  Effect.gen(function* () {
    const attributions: OfOneSale = [origin, ...(yield* readCredited(tools, origin))];
    const keys = Arrays.dedupeWith(attributions, (one, other) => one.partnerId === other.partnerId);
    const contexts = yield* tools.formulaSets.find(origin.customerId, keys, execution.attempt > 1);
    const known = new Map(keys.map(({ partnerId }, index) => [partnerId, contexts[index] ?? NOTHING]));
    const found = (partnerId: PartnerId) => known.get(partnerId) ?? NOTHING;
    const cancelled = cancelEarnings(tools, execution, attributions, { found, shared: () => null });
    return {
      orders: keys.filter(({ partnerId }) => (found(partnerId).accumulating ?? []).length > 0),
      decided: Effect.map(cancelled, ({ started, requires, changes, outbox }) => ({
        started,
        decision: {
          result: {},
          requires,
          changes: [
            ...changes,
            ...attributions.map((attribution) =>
              Save.appendEvents(
                "attribution",
                execution,
                attribution,
                Attribution.cancel(attribution, reason),
              ),
            ),
          ],
          outbox,
        },
      })),
    };
  });
