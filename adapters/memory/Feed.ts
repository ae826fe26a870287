/** The event feed of a customer in memory: the events that are not in it yet, and its entries. */
import { Event, EventFeed, Storage } from "quittance";
import type { Feed, LoggedEvent, Partition } from "./Store.ts";

export const isBehind = ({ leftOut, commits }: Feed): boolean => leftOut.length + commits.length > 0;

/** Adds the events of a change to a list. */
const addEvents = (events: Array<LoggedEvent>, change: Storage.Change): void => {
  if (change.type === "revise") {
    for (const { commissionId, expected, entry } of change.revisions)
      events.push({ kind: "commission", recordId: commissionId, sequence: expected + 1, at: entry.at });
  } else if (change.type === "save" && "entries" in change) {
    const { kind, row, expected, entries } = change;
    for (const [index, { at }] of entries.entries())
      events.push({ kind, recordId: Storage.recordIdOf(row), sequence: expected + index + 1, at });
  }
};

/** Removes the salt of an entry and stores its digest. */
const erase = ({ entries }: Feed, { position, digest }: { position: number; digest: string }): void => {
  const entry = entries[position - 1];
  if (entry !== undefined && entry.salt !== null) entries[position - 1] = { ...entry, salt: null, digest };
};

/** Records the events of a commit that is stored, and what it erases; `lineEvents` are those of its changes of lines. */
export const note = (
  feed: Feed,
  changeSet: Storage.ChangeSet,
  lineEvents: ReadonlyArray<LoggedEvent>,
): void => {
  const events: Array<LoggedEvent> = [];
  for (const change of changeSet.changes) {
    addEvents(events, change);
    if (change.type !== "erase_events") continue;
    for (const one of change.events) if (one.feed !== null) erase(feed, one.feed);
  }
  for (const one of lineEvents) events.push(one);
  if (events.length === 0) return;
  const ordered = events.length === 1 ? events : EventFeed.inKindOrder(events);
  if (changeSet.feed === false) feed.leftOut.push(...ordered);
  else feed.commits.push(ordered);
};

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

const kindPosition = ({ kind }: LoggedEvent): number => EventFeed.KIND_ORDER.indexOf(kind);

const sortedByTime = (events: ReadonlyArray<LoggedEvent>): ReadonlyArray<LoggedEvent> =>
  events.toSorted(
    (a, b) =>
      a.at - b.at ||
      kindPosition(a) - kindPosition(b) ||
      compare(a.recordId, b.recordId) ||
      a.sequence - b.sequence,
  );

const findLoggedEvent = (
  { logs }: Partition,
  { kind, recordId, sequence }: LoggedEvent,
): EventFeed.LoggedEvent["event"] => {
  const entry = logs[kind].get(recordId)?.[sequence - 1];
  if (entry === undefined) throw new Error(`event ${sequence} of ${kind} ${recordId} is not logged`);
  return Event.withoutStored<{ readonly type: string; readonly stored?: unknown }>(entry.event);
};

const headOf = ({ entries }: Feed): EventFeed.Head => {
  const last = entries.at(-1);
  return last === undefined ? EventFeed.EMPTY : { position: entries.length, hash: last.hash };
};

/** The next events; the token repeats them, so that `append` can check what it appends. */
export const backlog = (partition: Partition, limit: number): Storage.FeedBacklog => {
  const { feed } = partition;
  const next: Array<LoggedEvent> = [];
  const head = headOf(feed);
  if (feed.leftOut.length > 0) next.push(...sortedByTime(feed.leftOut).slice(0, limit));
  else
    for (const commit of feed.commits) {
      if (next.length >= limit) break;
      next.push(...commit);
    }
  return {
    head,
    events: next.map((loggedEvent) => ({ ...loggedEvent, event: findLoggedEvent(partition, loggedEvent) })),
    token: next,
  };
};

const keyOf = ({ recordId, sequence }: Pick<LoggedEvent, "recordId" | "sequence">): string =>
  `${recordId} ${sequence}`;

/** Appends a backlog; returns false when the feed has grown since it was read. */
export const append = (feed: Feed, { head, token, entries }: Storage.FeedAppend): boolean => {
  if (headOf(feed).position !== head.position) return false;
  const appended = new Map(
    (token as ReadonlyArray<LoggedEvent>).map((loggedEvent) => [keyOf(loggedEvent), loggedEvent]),
  );
  const remaining = feed.leftOut.filter((loggedEvent) => !appended.has(keyOf(loggedEvent)));
  if (remaining.length < feed.leftOut.length) feed.leftOut.splice(0, feed.leftOut.length, ...remaining);
  else {
    const firstRemaining = feed.commits.findIndex((commit) =>
      commit.some((loggedEvent) => !appended.has(keyOf(loggedEvent))),
    );
    feed.commits.splice(0, firstRemaining < 0 ? feed.commits.length : firstRemaining);
  }
  for (const entry of entries) {
    const one = appended.get(keyOf(entry));
    if (one === undefined) throw new Error(`event ${keyOf(entry)} is not of the backlog`);
    feed.entries.push({ ...one, salt: entry.salt, hash: entry.hash, digest: null });
  }
  return true;
};

/** The entries after a position. */
export const page = (partition: Partition, after: number, limit: number): Storage.FeedPage => {
  const { entries } = partition.feed;
  return {
    head: headOf(partition.feed),
    previousHash: entries[after - 1]?.hash ?? EventFeed.GENESIS,
    entries: entries.slice(after, after + limit).map((entry, index) => ({
      ...entry,
      position: after + index + 1,
      event: entry.salt === null ? null : findLoggedEvent(partition, entry),
    })),
  };
};

/** The entries of these records in a part of the feed. */
export const part = (
  { entries }: Feed,
  recordIds: ReadonlyArray<string>,
  after: number,
  limit: number,
): Storage.FeedPart => {
  const wanted = new Set(recordIds);
  const scanned = entries.slice(after, after + limit);
  return {
    entries: scanned.flatMap(({ recordId, sequence, salt }, index) =>
      wanted.has(recordId) ? [{ position: after + index + 1, recordId, sequence, salt }] : [],
    ),
    reached: after + scanned.length,
  };
};
