/** Calendar dates without a time of day: `2026-01-31`. Unless a time zone is stated, days are those of UTC. */
import { Schema } from "effect";
import { DAY, format, parse, type Timestamp } from "./Timestamp.ts";

/** A date as `YYYY-MM-DD`, years 0001 to 9999; dates in this form compare as text. */
export type CalendarDate = string;

const FORM = /^\d{4}-\d{2}-\d{2}$/;

/** The first moment of a date in UTC, or null when there is no such date. */
const startOf = (text: string): Timestamp | null => (FORM.test(text) ? parse(`${text}T00:00:00Z`) : null);

/** The UTC date of a moment, a number of whole days later. */
export const dateOf = (timestamp: Timestamp, daysLater = 0): CalendarDate =>
  format(timestamp + daysLater * DAY).slice(0, 10);

/** The date a number of days later. */
export const daysLater = (date: CalendarDate, days: number): CalendarDate =>
  dateOf(Date.parse(`${date}T00:00:00Z`), days);

/** How many days the second date is after the first; negative where it is before. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY;

/** The date itself where it is at most one day from the UTC date of a moment, else the nearest date that is. */
export const withinOneDay = (date: CalendarDate, moment: Timestamp): CalendarDate => {
  const [earliest, latest] = [dateOf(moment, -1), dateOf(moment, 1)];
  if (date < earliest) return earliest;
  return date > latest ? latest : date;
};

/** A date on the wire. */
export const CalendarDate = Schema.String.pipe(
  Schema.filter((text) => startOf(text) !== null || "must be a date as YYYY-MM-DD", {
    arbitrary: () => (fc) => fc.stringMatching(/^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$/),
    jsonSchema: { format: "date", description: "A calendar date, YYYY-MM-DD." },
  }),
);
