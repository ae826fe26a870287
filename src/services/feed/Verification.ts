/** Recomputes the hashes of a feed from what is stored, so that a change of the past is found. */
import { Effect } from "effect";
import * as EventFeed from "../../domain/EventFeed.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import type { DigestService } from "../../ports/Digest.ts";
import type { FeedPage, StorageError } from "../../ports/Storage.ts";
import { cursorOf, hashOf } from "./Chain.ts";

/** The first entry whose hash does not follow from what is stored. */
export interface BrokenEntry {
  readonly position: number;
  readonly cursor: string;
  readonly problem: string;
}

/** The result of a verification. */
export interface Verification {
  /** Entries whose hash was checked. */
  readonly entries: number;
  /** Entries among them whose event was erased; the chain is checked by their digest. */
  readonly redacted: number;
  /** Null when every hash holds. */
  readonly broken: BrokenEntry | null;
  /** The end of the feed as it was verified. A copy kept elsewhere shows later whether the past was rewritten. */
  readonly head: EventFeed.Head;
}

/** Entries that are verified at a time. */
const VERIFIED = 500;

const problemOf = (
  digest: DigestService,
  customerId: CustomerId,
  entry: EventFeed.Entry,
  head: EventFeed.Head,
) =>
  Effect.gen(function* () {
    const position = head.position + 1;
    if (entry.position !== position) return `the entry at position ${position} is missing`;
    if (entry.salt !== null && entry.event === null) return "the event is missing";
    const eventDigest =
      entry.salt === null || entry.event === null
        ? entry.digest
        : yield* digest.sha256Hex(EventFeed.digestInput(entry.salt, entry.event));
    if (eventDigest === null) return "the event was removed without its digest";
    const hash = yield* hashOf(digest, customerId, head, { event: entry, eventDigest });
    return hash === entry.hash ? null : "the hash does not follow from the event and the entry before";
  });

/**
 * Recomputes every hash of a customer's feed in constant memory, up to the first entry that does not hold. `pages` returns
 * entries after a position, as {@link FeedPage} of the storage port.
 */
export const verifyChain = (
  digest: DigestService,
  customerId: CustomerId,
  pages: (after: number, limit: number) => Effect.Effect<FeedPage, StorageError>,
): Effect.Effect<Verification, StorageError> =>
  Effect.gen(function* () {
    let head = EventFeed.EMPTY;
    let redacted = 0;
    const reportBreak = (position: number, problem: string) =>
      Effect.map(cursorOf(digest, customerId, position), (cursor) => ({
        entries: position,
        redacted,
        broken: { position, cursor, problem },
        head,
      }));
    for (;;) {
      const page = yield* pages(head.position, VERIFIED);
      for (const entry of page.entries) {
        const position = head.position + 1;
        const problem = yield* problemOf(digest, customerId, entry, head);
        if (problem !== null) return yield* reportBreak(position, problem);
        if (entry.salt === null) redacted += 1;
        head = { position, hash: entry.hash };
      }
      if (page.entries.length === 0) {
        if (page.head.position > head.position)
          return yield* reportBreak(head.position + 1, "the entry is missing, and so are those after it");
        if (page.head.hash !== head.hash)
          return yield* reportBreak(head.position, "the stored hash of the last entry is another one");
        return { entries: head.position, redacted, broken: null, head };
      }
    }
  });
