/** Planted bugs of the event feed. */
import { Effect } from "effect";
import type { EventFeed, Storage } from "quittance";
import { type Bug, storageBug } from "./Bug.ts";

const STEPS = "in steps of one and of three, down to none";
const LEFT_OUT = "two commits without the feed, the later one of an earlier moment";
const KINDS = "a formula, attributions, a draft and its approval";
const COMMITS = "ten commits one after the other, and ten at once";
const RECORD = "five events of one commission, and a commit of eight kinds";
const RELAYS = "four relays beside commits";
const TWICE = "the same backlog twice";
const PAGES = "whole, in part, beyond the end, and of another customer";
const CUSTOMERS = "three customers, one of which is up to date";
const ERASED = "one entry, twice";
const LEFT = "one event, in the log and in a list";
const WHOLE = "erasures that conflict, of other events, and by another customer";
const PART = "whole, in part, of another record, and at the end";

type Events = ReadonlyArray<EventFeed.LoggedEvent>;

/** A store that alters the events of a backlog but not its token, so that an omitted event never enters the feed. */
const alteringBacklogs = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (events: Events) => Events,
): Bug =>
  storageBug(bug, breaks, ({ feedBacklog }) => ({
    feedBacklog: (customerId, limit) =>
      Effect.map(feedBacklog(customerId, limit), (found) => ({ ...found, events: alter(found.events) })),
  }));

const alteringPages = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (page: Storage.FeedPage) => Storage.FeedPage,
): Bug =>
  storageBug(bug, breaks, ({ feedPage }) => ({
    feedPage: (...given) => Effect.map(feedPage(...given), alter),
  }));

type ErasedEvents = Extract<Storage.Change, { readonly type: "erase_events" }>["events"];

const alteringErasures = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (event: ErasedEvents[number]) => object,
): Bug =>
  storageBug(bug, breaks, ({ commit }) => ({
    commit: (customerId, changeSet) =>
      commit(customerId, {
        ...changeSet,
        changes: changeSet.changes.map((change) =>
          change.type === "erase_events"
            ? ({ ...change, events: change.events.map(alter) } as Storage.Change)
            : change,
        ),
      }),
  }));

export const feedBugs: ReadonlyArray<Bug> = [
  storageBug("the limit of a backlog is ignored", [STEPS], ({ feedBacklog }) => ({
    feedBacklog: (customerId) => feedBacklog(customerId, 1_000_000),
  })),
  alteringBacklogs("a backlog is in reverse order", [KINDS, COMMITS, RECORD, LEFT_OUT], (events) =>
    events.toReversed(),
  ),
  storageBug("events that were left out follow the others", [LEFT_OUT], ({ commit }) => ({
    commit: (customerId, { feed: _, ...changeSet }) => commit(customerId, changeSet),
  })),
  storageBug("events are ordered by their moments", [COMMITS], ({ commit }) => ({
    commit: (customerId, changeSet) => commit(customerId, { ...changeSet, feed: false }),
  })),
  storageBug(
    "a feed is appended to wherever it ends",
    [TWICE],
    ({ feedBacklog, feedPage, appendToFeed }) => ({
      appendToFeed: (customerId, append) =>
        Effect.gen(function* () {
          const { head } = yield* feedPage(customerId, 0, 1);
          const { token } = append;
          yield* feedBacklog(customerId, 1);
          return yield* appendToFeed(customerId, { ...append, head, token });
        }),
    }),
  ),
  alteringPages("an entry has no event", [PAGES], (page) => ({
    ...page,
    entries: page.entries.map((entry) => ({ ...entry, event: null })),
  })),
  alteringPages("an entry is shown twice", [RELAYS, STEPS], (page) => ({
    ...page,
    entries: page.entries.flatMap((entry) => (entry.position === 2 ? [entry, entry] : [entry])),
  })),
  alteringPages("the hash before a page is forgotten", [PAGES], (page) => ({
    ...page,
    previousHash: "0".repeat(64),
  })),
  storageBug("customers that are up to date are behind", [CUSTOMERS], (storage) => {
    const seen = new Set<Parameters<typeof storage.commit>[0]>();
    return {
      commit: (customerId, changeSet) => {
        seen.add(customerId);
        return storage.commit(customerId, changeSet);
      },
      customersWithFeedBacklog: (after, limit) =>
        Effect.succeed(
          [...seen]
            .filter((id) => after === null || id > after)
            .sort()
            .slice(0, limit),
        ),
    };
  }),
  alteringErasures("an erased event stays in the feed", [ERASED], (event) => ({ ...event, feed: null })),
  alteringErasures("an erased event stays in its log", [LEFT, WHOLE], (event) => ({ ...event, left: null })),
  storageBug("a part of a feed has other records as well", [PART], ({ feedPart, feedPage }) => ({
    feedPart: (customerId, recordIds, after, limit) =>
      Effect.gen(function* () {
        const { reached } = yield* feedPart(customerId, recordIds, after, limit);
        const { entries } = yield* feedPage(customerId, after, limit);
        return {
          entries: entries.map(({ position, recordId, sequence, salt }) => ({
            ...{ position, recordId, sequence, salt },
          })),
          reached,
        };
      }),
  })),
];
