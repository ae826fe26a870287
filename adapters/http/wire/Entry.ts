/** Rules for the times of records. */
import { type Event, Timestamp } from "quittance";
import { cacheLast } from "./Encoding.ts";

/** The text of a time. The last one is cached, because a new record and its first event usually have the same time. */
export const textOf = cacheLast(Timestamp.format);

/** When an entry of a log was appended. */
export const datetime = ({ at }: Pick<Event.Entry<unknown>, "at">): string => textOf(at);

/** When a record was created. */
export const createdAt = ({ createdAt: at }: { readonly createdAt: Timestamp.Timestamp }): string =>
  textOf(at);

export const formatOrNull = (timestamp: Timestamp.Timestamp | null): string | null =>
  timestamp === null ? null : Timestamp.format(timestamp);

/** Where a bucket of a statistic begins. */
export const bucketStart = ({ timestamp }: { readonly timestamp: Timestamp.Timestamp }): string =>
  Timestamp.format(timestamp);
