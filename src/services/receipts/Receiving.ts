/** What a statement of a receipt changes: the sale, and every commission of it that waits for its buyer. */
import { Effect, Either } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import type { AttributionId, CustomerId } from "../../domain/Ids.ts";
import * as Receipt from "../../domain/Receipt.ts";
import { invalid, type Refusal } from "../../domain/Refusal.ts";
import type { Change, Earnings, Records, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";

/** A sale, all of its attributions, and what they have earned. */
export interface Sale {
  readonly origin: Versioned<Attribution>;
  readonly attributions: ReadonlyArray<Versioned<Attribution>>;
  readonly earned: ReadonlyArray<Versioned<Commission.Commission>>;
}

/** Reads sales by their origins, in their order. */
export const readSales = (
  storage: Records & Earnings,
  customerId: CustomerId,
  origins: ReadonlyArray<Versioned<Attribution>>,
): Effect.Effect<ReadonlyArray<Sale>, StorageError> =>
  Effect.gen(function* () {
    const shared = origins.filter(({ credit }) => credit !== null).map(({ id }) => id);
    const credited = shared.length === 0 ? [] : yield* storage.creditedAttributions(customerId, shared);
    const all = [...origins, ...credited];
    const commissions = yield* storage.commissionsOf(
      customerId,
      all.map(({ id }) => id),
    );
    return origins.map((origin) => {
      const attributions = all.filter(({ id, originId }) => (originId ?? id) === origin.id);
      const ids = new Set<AttributionId>(attributions.map(({ id }) => id));
      const earned = commissions.filter(({ attributionId }) => ids.has(attributionId));
      return { origin, attributions, earned };
    });
  });

/** What stating a receipt adds to its command. */
export interface Received {
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
}

const NOTHING: Received = { requires: [], changes: [] };

/** That nothing is earned from the attributions that was not read, and that their sale has no others. */
const requirementsOf = ({ attributions, earned }: Sale): ReadonlyArray<Requirement> =>
  attributions.flatMap(({ id, version }): ReadonlyArray<Requirement> => {
    const { length: count } = earned.filter(({ attributionId }) => attributionId === id);
    return [
      { type: "record", kind: "attribution", id, version },
      { type: "commissions", attributionId: id, count },
    ];
  });

/** The effect of a statement: nothing where it is known, or of an earlier moment than the last one. */
export const decideReceived = (
  execution: Execution,
  sale: Sale,
  stated: Receipt.State,
): Either.Either<Received, Refusal> =>
  Either.gen(function* () {
    const { origin, earned } = sale;
    yield* Receipt.checkDate(stated, execution.at);
    const events = Receipt.state(origin.receipt, stated);
    if (events.length === 0) return NOTHING;
    const revisions = yield* Either.all(
      earned.map((commission) =>
        Either.mapBoth(Commission.updateReceived(commission, stated), {
          onLeft: ({ message }) => invalid("received", message),
          onRight: (updates) => updates.map((event) => Save.revision(execution, commission, event)),
        }),
      ),
    );
    return {
      requires: requirementsOf(sale),
      changes: [
        { type: "revise", revisions: revisions.flat() },
        Save.appendEvents("attribution", execution, origin, events),
      ],
    };
  });
