/** What erasing does to the log of a record, and to its entries of the feed. */
import { Effect } from "effect";
import { type Entry, withoutStored } from "../../domain/Event.ts";
import * as EventFeed from "../../domain/EventFeed.ts";
import { sameJson } from "../../domain/Json.ts";
import { leftOf, type Subject } from "../../domain/PersonalData.ts";
import { type Conflict, conflict } from "../../domain/Refusal.ts";
import type { DigestService } from "../../ports/Digest.ts";
import {
  type Change,
  type ErasedEvent,
  type EraseEvents,
  type Logged,
  recordIdOf,
  type Versioned,
} from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { Task, Tools } from "./Erasure.ts";
import type { FindPlace, Place } from "./FeedPlaces.ts";

/** The erasing of some records: for which task, and where the feed has their events. */
export interface Erasing {
  readonly tools: Tools;
  readonly task: Task;
  readonly find: FindPlace;
}

interface Happened {
  readonly type: EventFeed.EventType;
}

const shown = (event: Happened): object => withoutStored<Happened & { readonly stored?: unknown }>(event);

/** True if what is left of an event looks different where events are shown. */
const isShownDifferently = (before: Happened, after: Happened): boolean =>
  before !== after && !sameJson(shown(before), shown(after));

/** True if erasing takes something away of what events show. */
export const isShown = (log: ReadonlyArray<Entry<Happened>>, subject: Subject): boolean =>
  log.some((entry) => isShownDifferently(entry.event, leftOf(entry, subject).event));

/** The entry of an event in the feed with the digest to keep; null when the feed does not show it. */
export const feedEntryOf = (
  digest: DigestService,
  place: Place | undefined,
  event: object,
): Effect.Effect<ErasedEvent<never>["feed"]> => {
  if (place === undefined || place.salt === null) return Effect.succeed(null);
  const { position, salt } = place;
  const sha256 = digest.sha256Hex(EventFeed.digestInput(salt, shown(event as Happened)));
  return Effect.map(sha256, (text) => ({ position, digest: text }));
};

const NOT_IN_FEED = conflict("busy", "the feed does not have an event yet that is to be erased; try again");

/**
 * What becomes of the events of a log that lose something. One that looks different afterwards leaves the feed; where a feed is
 * kept, it must be in it by now, since its hash is computed from what it was.
 */
const redact = <Event extends Happened>(
  { tools: { digest, relay }, find }: Erasing,
  recordId: string,
  log: ReadonlyArray<Entry<Event>>,
  left: ReadonlyArray<Entry<Event>>,
): Effect.Effect<ReadonlyArray<ErasedEvent<Event>>, Conflict> =>
  Effect.gen(function* () {
    const events: Array<ErasedEvent<Event>> = [];
    for (const [index, entry] of log.entries()) {
      const after = left[index] ?? entry;
      if (sameJson(entry, after)) continue;
      const sequence = index + 1;
      const isGone = isShownDifferently(entry.event, after.event);
      const place = isGone ? find(recordId, sequence) : undefined;
      if (isGone && relay !== null && place === undefined) return yield* NOT_IN_FEED;
      events.push({ sequence, left: after, feed: yield* feedEntryOf(digest, place, entry.event) });
    }
    return events;
  });

/** A record and its log, as they were read. */
interface LoggedRow<Name extends keyof Logged> {
  readonly kind: Name;
  /** Without the data that is erased and that no event has. */
  readonly row: Versioned<Logged[Name]["record"]>;
  readonly log: ReadonlyArray<Entry<Logged[Name]["event"]>>;
}

/** Erases personal data from a record and its log; `more` are the events of data that no earlier event has. */
export const eraseRecord = <Name extends keyof Logged>(
  erasing: Erasing,
  execution: Execution,
  { kind, row, log }: LoggedRow<Name>,
  more: ReadonlyArray<Logged[Name]["event"]> = [],
): Effect.Effect<ReadonlyArray<Change>, Conflict> =>
  Effect.gen(function* () {
    const read = log.slice(0, row.version);
    const left = read.map((entry) => leftOf(entry, erasing.task.subject));
    const events = yield* redact(erasing, recordIdOf(row), read, left);
    const sequences = events.map(({ sequence }) => sequence);
    const erased = { type: "erase_personal_data", erased_from: "record", sequences } as const;
    const change: EraseEvents<Name> = { type: "erase_events", kind, id: recordIdOf(row), events };
    // A save and its erasure are of one kind, which TypeScript does not follow through a type parameter.
    return [
      change,
      Save.appendToErased(kind, execution, { before: row, left }, [erased as never, ...more]),
    ] as ReadonlyArray<unknown> as ReadonlyArray<Change>;
  });
