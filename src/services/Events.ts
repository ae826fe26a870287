/** The event feed: every event of a customer's records, in one order, for other systems to follow. */
import { Effect } from "effect";
import * as EventFeed from "../domain/EventFeed.ts";
import type { CustomerId } from "../domain/Ids.ts";
import { FILTER_VALUES_MAX } from "../domain/Limits.ts";
import type { Principal } from "../domain/Principal.ts";
import { invalid } from "../domain/Refusal.ts";
import { Digest } from "../ports/Digest.ts";
import { type Feed, Storage } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import { Policies } from "./commands/Policies.ts";
import { cursorOf, identify } from "./feed/Chain.ts";
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

type IsWanted = (entry: EventFeed.Entry) => boolean;

/** True if an entry has one of the types of the query; null when the query has none. */
const wantedBy = ({ types = [] }: EventFeed.Query): IsWanted | null => {
  if (types.length === 0) return null;
  const wanted = new Set<string>(types);
  return ({ event }) => event !== null && wanted.has(event.type);
};

/** An entry and the hash of the entry before it. */
interface Link {
  readonly entry: EventFeed.Entry;
  readonly previousHash: string;
}

type FeedSlice = Effect.Effect.Success<ReturnType<Feed["feedPage"]>>;

/** The entries of a slice of the feed, in the order of the feed. */
const linksOf = ({ entries, previousHash }: FeedSlice): ReadonlyArray<Link> =>
  entries.map((entry, index) => ({ entry, previousHash: entries[index - 1]?.hash ?? previousHash }));

const make = Effect.gen(function* () {
  const storage: Feed = yield* Storage;
  const digest = yield* Digest;
  const relay = yield* Relay;
  const { feed } = yield* Policies;

  const toFeedEntry = (
    customerId: CustomerId,
    entry: EventFeed.Entry,
    previousHash: string,
  ): Effect.Effect<FeedEntry> =>
    Effect.map(identify(digest, customerId, entry.position, entry), (identified) => ({
      ...identified,
      event: entry.event,
      hash: entry.hash,
      previousHash,
    }));

  /** Adds the wanted entries until there are `limit`. Returns the position of the last entry that it read; null for none. */
  const collect = (
    customerId: CustomerId,
    links: ReadonlyArray<Link>,
    { isWanted, limit }: { readonly isWanted: IsWanted | null; readonly limit: number },
    events: Array<FeedEntry>,
  ) =>
    Effect.gen(function* () {
      let last: number | null = null;
      for (const { entry, previousHash } of links) {
        if (events.length === limit) break;
        last = entry.position;
        if (isWanted?.(entry) ?? true) events.push(yield* toFeedEntry(customerId, entry, previousHash));
      }
      return last;
    });

  const start = (customerId: CustomerId, { after }: EventFeed.Query) =>
    after === undefined ? Effect.succeed(null) : positionOf(storage, digest, customerId, after);

  const read = (customerId: CustomerId, query: EventFeed.Query) =>
    Effect.gen(function* () {
      const { limit = EventFeed.LIMIT_DEFAULT } = query;
      let position = (yield* start(customerId, query)) ?? 0;
      yield* relay.advance(customerId);
      const isWanted = wantedBy(query);
      const events: Array<FeedEntry> = [];
      for (let scanned = 0; scanned < SCANNED_MAX && events.length < limit; ) {
        const count = isWanted === null ? limit : SCAN;
        const page = yield* storage.feedPage(customerId, position, count);
        position = (yield* collect(customerId, linksOf(page), { isWanted, limit }, events)) ?? position;
        scanned += page.entries.length;
        if (isWanted === null || page.entries.length < SCAN) break;
      }
      return { items: events, nextCursor: yield* cursorOf(digest, customerId, position) };
    });

  /** The entries before a cursor, newest first: all before the end of the feed without one. */
  const readBack = (customerId: CustomerId, query: EventFeed.Query) =>
    Effect.gen(function* () {
      const { limit = EventFeed.LIMIT_DEFAULT } = query;
      const end = yield* start(customerId, query);
      yield* relay.advance(customerId);
      const { head } = yield* storage.feedPage(customerId, 0, 1);
      let before = end ?? head.position + 1;
      const isWanted = wantedBy(query);
      const events: Array<FeedEntry> = [];
      for (let scanned = 0; scanned < SCANNED_MAX && events.length < limit && before > 1; ) {
        const count = Math.min(isWanted === null ? limit - events.length : SCAN, before - 1);
        const page = yield* storage.feedPage(customerId, before - 1 - count, count);
        const links = linksOf(page).toReversed();
        before = (yield* collect(customerId, links, { isWanted, limit }, events)) ?? before;
        scanned += count;
      }
      const nextCursor = yield* cursorOf(digest, customerId, Math.min(before, head.position));
      return { items: events, nextCursor };
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
  };
});

/** The service of the event feed. */
export class Events extends Effect.Service<Events>()("quittance/services/Events", { effect: make }) {}
