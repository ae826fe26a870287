/**
 * Readers that follow the event feed under load while processes are killed. Each must receive every event once, in the order
 * of the feed, and the feed must contain every event of every log once.
 */
import { Effect } from "effect";
import { Events, Principal, Storage } from "quittance";
import type { LedgerSnapshot } from "quittance/testing";
import { engineOver } from "./Engine.ts";
import { send } from "./Wire.ts";
import type { World } from "./World.ts";

/** One reader: its cursor, and the ids of the events that it has received. */
export interface Follower {
  /** Entries per page. */
  readonly limit: number;
  cursor: string | null;
  readonly seen: Array<string>;
}

/** Three readers at the beginning of the feed. */
export const followers = (): ReadonlyArray<Follower> =>
  [1_000, 50, 7].map((limit) => ({ limit, cursor: null, seen: [] }));

interface Page {
  readonly events: ReadonlyArray<{ readonly id: string }>;
  readonly next_cursor: string;
}

/** Reads one page. When the response is lost the cursor stays, so that the next call reads the page again. */
export const read = async (url: string, token: string, follower: Follower): Promise<void> => {
  const after = follower.cursor === null ? "" : `&after=${follower.cursor}`;
  const response = await send(url, token, { method: "GET", path: `events?limit=${follower.limit}${after}` });
  if (response.type !== "response" || response.status !== 200) return;
  const { events, next_cursor } = response.body as Page;
  follower.seen.push(...events.map(({ id }) => id));
  follower.cursor = next_cursor;
};

const keyOf = (recordId: string, sequence: number): string => `${recordId} ${sequence}`;

const LOGGED = ["attributions", "formulas", "plans", "commissions", "settlements", "controls"] as const;

/** Every event of every log. */
const logged = (books: LedgerSnapshot.LedgerSnapshot): ReadonlySet<string> =>
  new Set(
    LOGGED.flatMap((kind) =>
      books[kind].flatMap(({ row, log }) => log.map((_, index) => keyOf(Storage.recordIdOf(row), index + 1))),
    ),
  );

/** Reads and verifies the whole feed; `list` relays waiting events first. */
const wholeFeed = (world: World) =>
  Effect.gen(function* () {
    const { list, verify } = yield* Events.Events;
    const owner = Principal.customer(world.customerId);
    const entries: Array<Events.FeedEntry> = [];
    for (let after: string | undefined; ; ) {
      const page = yield* list(owner, { limit: 1_000, ...(after === undefined ? {} : { after }) });
      entries.push(...page.items);
      if (page.nextCursor === after) return { entries, verified: yield* verify(owner) };
      after = page.nextCursor;
    }
  });

/** Compares a feed with the logs' events, and with the ids that its readers received; returns the differences. */
export const feedProblems = (
  entries: ReadonlyArray<Pick<Events.FeedEntry, "id" | "recordId" | "sequence">>,
  expected: ReadonlySet<string>,
  readers: ReadonlyArray<Pick<Follower, "limit" | "seen">>,
): ReadonlyArray<string> => {
  const problems: Array<string> = [];
  const last = new Map<string, number>();
  for (const { recordId, sequence } of entries) {
    const before = last.get(recordId) ?? 0;
    if (sequence !== before + 1)
      problems.push(`feed: event ${sequence} of ${recordId} follows event ${before}`);
    if (!expected.has(keyOf(recordId, sequence)))
      problems.push(`feed: event ${sequence} of ${recordId} is in no log`);
    last.set(recordId, sequence);
  }
  if (entries.length !== expected.size)
    problems.push(`feed: ${entries.length} entries for ${expected.size} events`);
  for (const { limit, seen } of readers) {
    const place = seen.findIndex((id, index) => id !== entries[index]?.id);
    if (place >= 0)
      problems.push(`feed: a reader of ${limit} at once saw another event at place ${place + 1}`);
  }
  return problems;
};

/** The problems of a customer's feed while nothing runs. */
export const auditFeed = (
  world: World,
  books: LedgerSnapshot.LedgerSnapshot,
  readers: ReadonlyArray<Follower>,
) =>
  Effect.map(engineOver(wholeFeed(world)), ({ entries, verified }) => [
    ...feedProblems(entries, logged(books), readers),
    ...(verified.broken === null ? [] : [`feed: ${verified.broken.problem} at ${verified.broken.position}`]),
  ]);
