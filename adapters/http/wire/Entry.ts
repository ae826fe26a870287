/** Rules for the moments of records. */
import { type Event, Timestamp } from "quittance";

/** When an entry of a log was made. */
export const datetime = ({ at }: Pick<Event.Entry<unknown>, "at">): string => Timestamp.format(at);

/** When a record was created. */
export const createdAt = ({ createdAt: at }: { readonly createdAt: Timestamp.Timestamp }): string =>
  Timestamp.format(at);

export const moment = (timestamp: Timestamp.Timestamp | null): string | null =>
  timestamp === null ? null : Timestamp.format(timestamp);

/** Where a bucket of a statistic begins. */
export const bucketStart = ({ timestamp }: { readonly timestamp: Timestamp.Timestamp }): string =>
  Timestamp.format(timestamp);
