/** Rules for the moments of records. */
import { type Event, Timestamp } from "quittance";
import { keepingLast } from "./Encoding.ts";

/** The text of a moment; most records are made, with their first event, when they occurred. */
export const textOf = keepingLast(Timestamp.format);

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
