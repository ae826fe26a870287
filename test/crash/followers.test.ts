/** The audit of the feed must report an event that is missing, doubled or out of order, and one that only a reader received. */
import { expect, it } from "vitest";
import { feedProblems } from "./Followers.ts";

const entry = (recordId: string, sequence: number) => ({ id: `${recordId}${sequence}`, recordId, sequence });
const FEED = [entry("a", 1), entry("b", 1), entry("a", 2)];
const LOGGED = new Set(["a 1", "a 2", "b 1"]);
const reader = (...seen: ReadonlyArray<string>) => [{ limit: 7, seen: [...seen] }];

it("reports nothing for a complete feed, also when readers have not reached its end", () => {
  expect(feedProblems(FEED, LOGGED, [...reader("a1", "b1", "a2"), ...reader("a1"), ...reader()])).toEqual([]);
});

it.each([
  ["a missing event", FEED.slice(0, 2), reader(), "feed: 2 entries for 3 events"],
  ["an event twice", [...FEED, entry("a", 2)], reader(), "feed: event 2 of a follows event 2"],
  [
    "another order",
    [entry("a", 2), entry("b", 1), entry("a", 1)],
    reader(),
    "feed: event 2 of a follows event 0",
  ],
  ["an unknown event", [...FEED, entry("c", 1)], reader(), "feed: event 1 of c is in no log"],
  [
    "a reader that missed one",
    FEED,
    reader("a1", "a2"),
    "feed: a reader of 7 at once saw another event at place 2",
  ],
  [
    "a reader that saw one twice",
    FEED,
    reader("a1", "b1", "b1"),
    "feed: a reader of 7 at once saw another event at place 3",
  ],
  [
    "a reader of more",
    FEED,
    reader("a1", "b1", "a2", "c1"),
    "feed: a reader of 7 at once saw another event at place 4",
  ],
])("reports %s", (_, entries, readers, problem) => {
  expect(feedProblems(entries, LOGGED, readers)).toContain(problem);
});
