/** Entries of the event feed on the wire. */
import { EventFeed, type Events } from "quittance";
import * as Contract from "../api/Events.ts";
import { GAP, recordWriter, textAround, type Writable } from "./Encoding.ts";
import { datetime } from "./Entry.ts";

type WireEvent = Writable<(typeof Contract.FeedEntry.Type)["event"]>;

/** An entry. Its event is one of its record's kind, as the log has it. */
export const feedEntry = recordWriter<Events.FeedEntry>()(Contract.FeedEntry, {
  datetime,
  record_type: (row) => EventFeed.RECORD_TYPES[row.kind],
  event: (row) => row.event as unknown as WireEvent,
});

/** The text before and after the entries of a page. */
export const aroundEntries = textAround(
  recordWriter<Pick<Events.FeedPage, "nextCursor">>()(Contract.FeedPage, { events: GAP }),
);
