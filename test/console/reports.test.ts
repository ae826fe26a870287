/** The reports that did not fit, searched in an event feed of pages that may be empty. */
import { expect, it } from "vitest";
import type { Client } from "../../adapters/console/api/Client.ts";
import { readReports } from "../../adapters/console/settling/Reports.ts";

const NOW = Date.parse("2026-11-30T00:00:00Z");
const DAY = 86_400_000;

interface Entry {
  readonly recordId: string;
  readonly datetime: string;
  readonly isReport: boolean;
}

/** The most entries that a page with types looks through, as the server has such a limit. */
const SCANNED_MAX = 5;

/** A feed, the newest entry first; a cursor is the number of entries before it. */
const feedOf = (entries: ReadonlyArray<Entry>) => {
  const requests: Array<object> = [];
  const list = async (query: {
    readonly after?: string;
    readonly types?: ReadonlyArray<string>;
    readonly limit: number;
  }) => {
    requests.push(query);
    const from = Number(query.after ?? "0");
    const scanned = entries.slice(from, from + (query.types === undefined ? query.limit : SCANNED_MAX));
    const items = query.types === undefined ? scanned : scanned.filter(({ isReport }) => isReport);
    return { items, nextCursor: String(from + scanned.length) };
  };
  return { client: { remote: { events: { list } } } as unknown as Client, requests };
};

const entry = (daysAgo: number, report: string | null = null): Entry => ({
  ...{ recordId: report ?? "sale", isReport: report !== null },
  datetime: new Date(NOW - daysAgo * DAY).toISOString(),
});

const sales = (count: number, daysAgo: number): ReadonlyArray<Entry> =>
  Array.from({ length: count }, () => entry(daysAgo));

const read = (entries: ReadonlyArray<Entry>) =>
  readReports(feedOf(entries).client, NOW, new AbortController().signal);

it("finds a report behind pages without any, each once, and none older than a month", async () => {
  const entries = [
    ...[entry(0, "a"), ...sales(30, 1), entry(2, "b"), entry(3, "a"), ...sales(12, 29)],
    ...[entry(29.9, "c"), entry(30.1, "d"), ...sales(40, 31), entry(32, "e")],
  ];
  expect(await read(entries)).toEqual({ ids: ["a", "b", "c"], searchedFrom: null });
});

it("ends at the beginning of the feed", async () => {
  expect(await read([])).toEqual({ ids: [], searchedFrom: null });
  expect(await read([...sales(11, 1), entry(2, "a")])).toEqual({ ids: ["a"], searchedFrom: null });
});

it("reads no further than a month, and says how far it has come where there are too many events", async () => {
  const old = feedOf([entry(1, "a"), ...sales(500, 31)]);
  await readReports(old.client, NOW, new AbortController().signal);
  expect(old.requests).toHaveLength(2);
  const many = await read([...sales(200, 1), entry(2, "a")]);
  expect(many).toEqual({ ids: [], searchedFrom: entry(1).datetime });
});
