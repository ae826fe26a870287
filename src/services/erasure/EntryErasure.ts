/** Erases single entries of the event feed; the records keep their own logs. */
import { Effect } from "effect";
import type { Entry, Kind } from "../../domain/EventFeed.ts";
import { RECORD_TYPES } from "../../domain/EventFeed.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { invalid, type Refusal } from "../../domain/Refusal.ts";
import type { Change, StorageError } from "../../ports/Storage.ts";
import { type Caller, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { Tools } from "./Erasure.ts";
import { feedEntryOf } from "./Redaction.ts";

/** The kinds of records whose events may have personal data. */
const ERASABLE = [
  "attribution",
  "formula",
  "settlement",
  "partner",
  "apiKey",
] as const satisfies ReadonlyArray<Kind>;
type Erasable = (typeof ERASABLE)[number];

const isErasable = (kind: Kind): kind is Erasable => ERASABLE.some((candidate) => candidate === kind);

type ShownEntry = Entry & { readonly kind: Erasable };

/** Why an entry cannot be erased, or the entry. */
const erasableEntry = (entry: Entry | undefined, index: number) =>
  entry !== undefined && isErasable(entry.kind)
    ? Effect.succeed(entry as ShownEntry)
    : Effect.fail(
        invalid(
          `cursors.${index}`,
          entry === undefined
            ? "must be the cursor of an entry"
            : `is of an event of a ${RECORD_TYPES[entry.kind]}, which has no personal data`,
        ),
      );

const eraseOfRecord = (
  { storage, pipeline, digest }: Tools,
  customerId: CustomerId,
  caller: Caller,
  entries: readonly [ShownEntry, ...ReadonlyArray<ShownEntry>],
): Effect.Effect<unknown, Refusal | StorageError> =>
  pipeline.run(customerId, caller, {}, (execution) =>
    Effect.gen(function* () {
      const { kind, recordId } = entries[0];
      const [row] = yield* storage.find(customerId, kind, [recordId]);
      if (row === undefined) return noEffect({});
      const events = yield* Effect.forEach(entries, ({ position, sequence, salt, event }) =>
        Effect.map(feedEntryOf(digest, { position, salt }, event ?? {}), (feed) => ({
          sequence,
          left: null,
          feed,
        })),
      );
      const sequences = events.map(({ sequence }) => sequence);
      const erased = { type: "erase_personal_data", erased_from: "feed", sequences } as const;
      const changes = [
        { type: "erase_events", kind, id: recordId, events },
        Save.appendEvents(kind, execution, row, [erased]),
      ] as ReadonlyArray<unknown> as ReadonlyArray<Change>;
      return { result: {}, requires: [], changes };
    }),
  );

/** Erases the entries at these positions, and has their records say so; returns how many. Those erased before stay so. */
export const eraseEntries = (
  tools: Tools,
  customerId: CustomerId,
  caller: Caller,
  positions: ReadonlyArray<number>,
): Effect.Effect<number, Refusal | StorageError> =>
  Effect.gen(function* () {
    const byRecord = new Map<string, [ShownEntry, ...Array<ShownEntry>]>();
    for (const [index, position] of positions.entries()) {
      const [found] = (yield* tools.storage.feedPage(customerId, position - 1, 1)).entries;
      const entry = yield* erasableEntry(found, index);
      if (entry.salt === null) continue;
      const others = byRecord.get(entry.recordId);
      if (others === undefined) byRecord.set(entry.recordId, [entry]);
      else others.push(entry);
    }
    let count = 0;
    for (const entries of byRecord.values()) {
      yield* eraseOfRecord(tools, customerId, caller, entries);
      count += entries.length;
    }
    return count;
  });
