/**
 * Formats dates in the browser's language. A sale has the calendar day that is stored with it; other days are UTC days, as in
 * statements and filters; moments with a time are in the browser's time zone.
 */
import { lazily, locale } from "../words/Language.ts";

const moments = lazily(() => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }));
const clocks = lazily(() => new Intl.DateTimeFormat(locale(), { timeStyle: "medium" }));
const months = lazily(
  () => new Intl.DateTimeFormat(locale(), { month: "short", year: "numeric", timeZone: "UTC" }),
);
const longMonths = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const days = lazily(() => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }));
const utcMoments = lazily(
  () => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
);

/** The day of a moment in UTC. */
export const day = (datetime: string): string => days().format(new Date(datetime));

/** A moment in UTC, to the minute, labelled UTC. */
export const utcMoment = (datetime: string): string => `${utcMoments().format(new Date(datetime))} UTC`;

/** The day of a moment in a time zone. */
export const dayIn = (datetime: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone }).format(new Date(datetime));

/** A month of the books in words, from its label `2026-02`. */
export const period = (label: string): string => longMonths.format(new Date(`${label}-01T00:00:00Z`));

/** A moment in the browser's time zone, to the minute. */
export const moment = (datetime: string): string => moments().format(new Date(datetime));

/** The time of day, to the second. */
export const clock = (at: number): string => clocks().format(at);

/** The month of a bucket, which begins in UTC. */
export const month = (datetime: string): string => months().format(new Date(datetime));

/** A calendar day without a zone, written `2026-01-31`. */
export const calendarDay = (date: string): string => days().format(new Date(`${date}T00:00:00Z`));

/** The day of a moment in UTC, as `2026-01-31`. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** The first instant of a day in UTC. */
export const dayStart = (date: string): string => `${date}T00:00:00.000Z`;

/** The first instant after a day in UTC. */
export const dayEnd = (date: string): string => new Date(Date.parse(dayStart(date)) + DAY).toISOString();

/** The first instant after a day in UTC; null without a day, or while it has not ended. */
export const pastEnd = (date: string | null): string | null => {
  if (!date) return null;
  const end = dayEnd(date);
  return end <= new Date().toISOString() ? end : null;
};

/** How many days a calendar day is past; 0 for the present one and those ahead. */
export const overdueDays = (date: string, today: string): number =>
  Math.max(0, Math.round((Date.parse(dayStart(today)) - Date.parse(dayStart(date))) / DAY));

/** The first instant of the month that lies `back` months before that of `at`, in UTC. */
export const monthStart = (at: number, back = 0): Date => {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1));
};

/** The first moment of the day of a filter; undefined where it has none. */
export const filterStart = (date: string | null): string | undefined => (date ? dayStart(date) : undefined);

/** The first moment after the last day of a filter; undefined where it has none. */
export const filterEnd = (date: string | null): string | undefined => (date ? dayEnd(date) : undefined);
