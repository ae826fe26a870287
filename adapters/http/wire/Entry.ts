/** Rules for the logs of records. */
import type { Event, Timestamp } from "quittance";

/** When an entry of a log was appended. */
export const datetime = ({ at }: Pick<Event.Entry<unknown>, "at">): Timestamp.Timestamp => at;
