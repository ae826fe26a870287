/** Entries of a record's log on the wire: when and what, not who. */
import { type Event, Timestamp } from "quittance";

/** The entries as they are shown. */
export const entries = <Happened, Shown>(
  log: ReadonlyArray<Event.Entry<Happened>>,
  shown: (event: Happened) => Shown,
): ReadonlyArray<{ readonly datetime: string; readonly event: Shown }> =>
  log.map(({ at, event }) => ({ datetime: Timestamp.format(at), event: shown(event) }));

/** Events that the wire shows as they are. */
export const same = <Happened>(event: Happened): Happened => event;

/** A moment, or null. */
export const moment = (timestamp: Timestamp.Timestamp | null): string | null =>
  timestamp === null ? null : Timestamp.format(timestamp);
