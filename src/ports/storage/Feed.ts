/** The records of the storage port for the event feed. */
import type { Entry, Head, LoggedEvent } from "../../domain/EventFeed.ts";

/** Events that are stored and not in the feed yet, of one snapshot, and the end of the feed in it. */
export interface FeedBacklog {
  readonly head: Head;
  /** In the order in which they enter the feed. */
  readonly events: ReadonlyArray<LoggedEvent>;
  /** What the store needs of this read when the events are appended. Plain JSON. */
  readonly token: unknown;
}

/** An entry to store, without its event, which the log of the record has. */
export type NewEntry = Pick<Entry, "recordId" | "sequence" | "hash"> & { readonly salt: string };

/** The next entries of a feed: those of a whole backlog. */
export interface FeedAppend {
  /** The end of the feed that the backlog was read with. */
  readonly head: Head;
  readonly token: unknown;
  /** One for each event of the backlog, in its order. */
  readonly entries: ReadonlyArray<NewEntry>;
}

/** The entries of some records in a part of a feed. */
export interface FeedPart {
  /** In the order of the feed. */
  readonly entries: ReadonlyArray<Pick<Entry, "position" | "recordId" | "sequence" | "salt">>;
  /** The position of the last entry of the part; that after which it begins when there is none. */
  readonly reached: number;
}

/** Entries of a feed after a position, in order, of one snapshot. */
export interface FeedPage {
  readonly head: Head;
  /** The hash of the entry at the position; the genesis for a position without an entry. */
  readonly previousHash: string;
  readonly entries: ReadonlyArray<Entry>;
}
