/** The event feed: every event of a customer's records, in one order, for other systems to follow. */
import { Effect } from "effect";
import * as EventFeed from "../domain/EventFeed.ts";
import type { CustomerId } from "../domain/Ids.ts";
import { FILTER_VALUES_MAX } from "../domain/Limits.ts";
import type { Principal } from "../domain/Principal.ts";
import { invalid } from "../domain/Refusal.ts";
import { Digest } from "../ports/Digest.ts";
import { Storage } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import { Policies } from "./commands/Policies.ts";
import { cursorOf, idOf } from "./feed/Chain.ts";
import { FEED_OFF, positionOf } from "./feed/Cursor.ts";
import { Relay } from "./feed/Relay.ts";
import { type Verification, verifyChain } from "./feed/Verification.ts";

export { type BrokenEntry, type Verification, verifyChain } from "./feed/Verification.ts";

/** An entry of the feed, as the interface shows it. */
export interface FeedEntry extends EventFeed.Identified {
  readonly sequence: number;
  /** Null when it was erased. */
  readonly event: EventFeed.LoggedEvent["event"] | null;
  readonly hash: string;
  readonly previousHash: string;
}

/** Entries after a cursor, and the cursor to continue from: it repeats at the end. */
export interface FeedPage {
  readonly items: ReadonlyArray<FeedEntry>;
  readonly nextCursor: string;
}

/** Entries that are read at once while looking for types, and before a page without any of them is returned. */
const SCAN = 1_000;
const SCANNED_MAX = 10_000;

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const digest = yield* Digest;
  const relay = yield* Relay;
  const { feed } = yield* Policies;

  const toFeedEntry = (customerId: CustomerId, entry: EventFeed.Entry, previousHash: string) =>
    Effect.gen(function* () {
      const { kind, recordId, sequence, at, event, hash } = entry;
      const id = yield* idOf(digest, customerId, entry);
      const cursor = yield* cursorOf(digest, customerId, entry.position);
      return {
        id,
        cursor,
        customerId,
        kind,
        recordId,
        sequence,
        at,
        event,
        hash,
        previousHash,
      } satisfies FeedEntry;
    });

  const read = (customerId: CustomerId, { after, types, limit = EventFeed.LIMIT_DEFAULT }: EventFeed.Query) =>
    Effect.gen(function* () {
      let position = after === undefined ? 0 : yield* positionOf(storage, digest, customerId, after);
      yield* relay.advance(customerId);
      const wanted = types === undefined || types.length === 0 ? null : new Set(types);
      const events: Array<FeedEntry> = [];
      for (let scanned = 0; scanned < SCANNED_MAX && events.length < limit; ) {
        const page = yield* storage.feedPage(customerId, position, wanted === null ? limit : SCAN);
        let { previousHash } = page;
        for (const entry of page.entries) {
          if (events.length === limit) break;
          position = entry.position;
          if (wanted === null || (entry.event !== null && wanted.has(entry.event.type)))
            events.push(yield* toFeedEntry(customerId, entry, previousHash));
          previousHash = entry.hash;
        }
        scanned += page.entries.length;
        if (wanted === null || page.entries.length < SCAN) break;
      }
      return { items: events, nextCursor: yield* cursorOf(digest, customerId, position) };
    });

  /** The entries before a cursor, newest first: all before the end of the feed without one. */
  const readBack = (
    customerId: CustomerId,
    { after, types, limit = EventFeed.LIMIT_DEFAULT }: EventFeed.Query,
  ) =>
    Effect.gen(function* () {
      const start = after === undefined ? null : yield* positionOf(storage, digest, customerId, after);
      yield* relay.advance(customerId);
      const { head } = yield* storage.feedPage(customerId, 0, 1);
      let before = start ?? head.position + 1;
      const wanted = types === undefined || types.length === 0 ? null : new Set(types);
      const events: Array<FeedEntry> = [];
      for (let scanned = 0; scanned < SCANNED_MAX && events.length < limit && before > 1; ) {
        const count = Math.min(wanted === null ? limit - events.length : SCAN, before - 1);
        const { previousHash, entries } = yield* storage.feedPage(customerId, before - 1 - count, count);
        for (const [index, entry] of [...entries.entries()].reverse()) {
          if (events.length === limit) break;
          before = entry.position;
          if (wanted === null || (entry.event !== null && wanted.has(entry.event.type)))
            events.push(yield* toFeedEntry(customerId, entry, entries[index - 1]?.hash ?? previousHash));
        }
        scanned += count;
      }
      return {
        items: events,
        nextCursor: yield* cursorOf(digest, customerId, Math.min(before, head.position)),
      };
    });

  const list = (principal: Principal, input: EventFeed.Query = {}): Effect.Effect<FeedPage, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read events");
      const request = yield* validate(EventFeed.Query)(input);
      if ((request.types?.length ?? 0) > FILTER_VALUES_MAX)
        return yield* invalid("types", `must have at most ${FILTER_VALUES_MAX} values`);
      if (!feed) return yield* FEED_OFF;
      return yield* request.order === "desc" ? readBack(customerId, request) : read(customerId, request);
    });

  const verify = (principal: Principal): Effect.Effect<Verification, Failure> =>
    Effect.flatMap(authorizeCustomer(principal, "verify events"), (customerId) =>
      verifyChain(digest, customerId, (after, limit) => storage.feedPage(customerId, after, limit)),
    );

  const erase = (principal: Principal, positions: ReadonlyArray<number>): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "erase events");
      const digests: Array<{ readonly position: number; readonly digest: string }> = [];
      for (const position of positions) {
        const [entry] = (yield* storage.feedPage(customerId, position - 1, 1)).entries;
        if (entry === undefined || entry.salt === null || entry.event === null) continue;
        const eventDigest = yield* digest.sha256Hex(EventFeed.digestInput(entry.salt, entry.event));
        digests.push({ position, digest: eventDigest });
      }
      yield* storage.eraseFromFeed(customerId, digests);
    });

  return {
    /**
     * Entries after a cursor, in the one order of the feed. A reader that continues with `nextCursor` misses no event and
     * sees none twice, whatever commits at the same time. At the end `nextCursor` repeats. A page may be empty before the
     * end when few events have the types. With `order: "desc"` pages go back from the newest entry: for people who look;
     * what is committed meanwhile is not on later pages.
     */
    list,
    /** Recomputes every hash of the feed of the principal's customer in constant memory, up to the first entry that does not hold. */
    verify,
    /** Erases the events at these positions from the feed for good. The chain of hashes still holds. */
    erase,
  };
});

/** The service of the event feed. */
export class Events extends Effect.Service<Events>()("quittance/services/Events", { effect: make }) {}
