/** Rules for the moments of records. */
import { type Event, Timestamp } from "quittance";

let last = Number.NaN;
let lastText = "";

/** The text of a moment. The last one is kept: most records are made, with their first event, when they occurred. */
export const textOf = (timestamp: Timestamp.Timestamp): string => {
  if (timestamp !== last) {
    lastText = Timestamp.format(timestamp);
    last = timestamp;
  }
  return lastText;
};

/** When an entry of a log was made. */
export const datetime = ({ at }: Pick<Event.Entry<unknown>, "at">): string => textOf(at);

/** When a record was created. */
export const createdAt = ({ createdAt: at }: { readonly createdAt: Timestamp.Timestamp }): string =>
  textOf(at);

export const moment = (timestamp: Timestamp.Timestamp | null): string | null =>
  timestamp === null ? null : Timestamp.format(timestamp);

/** Where a bucket of a statistic begins. */
export const bucketStart = ({ timestamp }: { readonly timestamp: Timestamp.Timestamp }): string =>
  Timestamp.format(timestamp);
