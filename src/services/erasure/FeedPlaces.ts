/** Where the events of records are in the feed. */
import { Effect } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import type { Feed, StorageError } from "../../ports/Storage.ts";
import type { Relay } from "../feed/Relay.ts";

/** The place of an event in the feed; `salt` is null when the event was erased from it. */
export interface Place {
  readonly position: number;
  readonly salt: string | null;
}

/** The place of an event, by its record and its number; undefined when the feed does not have it. */
export type FindPlace = (recordId: string, sequence: number) => Place | undefined;

/** Entries that are looked through at once. */
const PART = 50_000;

/** Appends everything that waits, so that each event that was stored before has its place. */
const catchUp = (storage: Feed, relay: Relay, customerId: CustomerId): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    while ((yield* storage.feedBacklog(customerId, 1)).events.length > 0) yield* relay.advance(customerId);
  });

/** The places of the events of these records; `relay` is null where no feed is kept. Looks through the whole feed. */
export const readPlaces = (
  storage: Feed,
  relay: Relay | null,
  customerId: CustomerId,
  recordIds: ReadonlyArray<string>,
): Effect.Effect<FindPlace, StorageError> =>
  Effect.gen(function* () {
    const places = new Map<string, Place>();
    if (recordIds.length > 0 && relay !== null) yield* catchUp(storage, relay, customerId);
    for (let after = 0; recordIds.length > 0; ) {
      const { entries, reached } = yield* storage.feedPart(customerId, recordIds, after, PART);
      for (const { recordId, sequence, ...place } of entries) places.set(`${recordId} ${sequence}`, place);
      if (reached === after) break;
      after = reached;
    }
    return (recordId, sequence) => places.get(`${recordId} ${sequence}`);
  });
