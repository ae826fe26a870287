import * as Calendar from "./Calendar.ts";
import { MILLISECONDS_PER_DAY } from "./Calendar.ts";
import type { AnniversaryWindow, CalendarWindow, Window } from "./Expression.ts";
import { type Facts, FactsMismatch } from "./Property.ts";

/** Days from `from` (inclusive) to `to` (exclusive), both midnight UTC; null where there is no limit on that side. */
export type Span = {
  readonly from: Calendar.EpochMilliseconds | null;
  readonly to: Calendar.EpochMilliseconds | null;
};

/** The window of one attribution: an anniversary has a day, as its midnight in UTC, instead of the name of a parameter. */
export type FixedWindow =
  | Exclude<Window, AnniversaryWindow>
  | { readonly type: "anniversary"; readonly since: Calendar.EpochMilliseconds };

const UNLIMITED: Span = { from: null, to: null };

const MONTHS_OF = { month: 1, quarter: 3, year: 12 } as const;

const dayOf = (moment: Calendar.EpochMilliseconds): Calendar.EpochMilliseconds =>
  Math.floor(moment / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY;

/** The calendar day that an attribution counts for, as its midnight in UTC. Windows are of calendar days. */
export const calendarDay = ({
  occurredAt,
  occurredOn = null,
}: Pick<Facts, "occurredAt" | "occurredOn">): Calendar.EpochMilliseconds => {
  if (occurredOn === null) return dayOf(occurredAt);
  const day = Calendar.parse(occurredOn);
  if (day === undefined) throw new FactsMismatch(`expected ${occurredOn} to be a day`);
  return day;
};

const calendarSpan = (
  { unit, starts_in_month = 1 }: CalendarWindow,
  moment: Calendar.EpochMilliseconds,
): { readonly from: Calendar.EpochMilliseconds; readonly to: Calendar.EpochMilliseconds } => {
  const date = new Date(moment);
  const months = MONTHS_OF[unit];
  const month = date.getUTCMonth();
  const monthsIn = (month - (starts_in_month - 1) + 12) % months;
  const from = new Date(0).setUTCFullYear(date.getUTCFullYear(), month - monthsIn, 1);
  return { from, to: Calendar.addMonths(from, months) };
};

/** The window of an attribution with these values of parameters. A date with a time counts as its day in UTC. */
export const fixedWindow = (window: Window, { parameters }: Pick<Facts, "parameters">): FixedWindow => {
  if (window.type !== "anniversary") return window;
  const value = parameters?.get(window.of)?.value;
  const date = typeof value === "string" ? Calendar.parse(value) : undefined;
  if (date === undefined)
    throw new FactsMismatch(`expected a date as the value of the parameter ${window.of}`);
  return { type: "anniversary", since: dayOf(date) };
};

/** The year that begins on an anniversary of a day and contains another one. */
const anniversarySpan = (since: Calendar.EpochMilliseconds, day: Calendar.EpochMilliseconds) => {
  const years = new Date(day).getUTCFullYear() - new Date(since).getUTCFullYear();
  const beginning = (year: number) => Calendar.addMonths(since, 12 * year);
  const first = beginning(years) > day ? years - 1 : years;
  return { from: beginning(first), to: beginning(first + 1) };
};

/**
 * The days that belong to the window of an attribution whose calendar day is that of `moment`, in UTC: the calendar month,
 * quarter or year around it, the year that begins on an anniversary, its day and the `days - 1` days before it, or all of time.
 */
export const spanOf = (window: FixedWindow, moment: Calendar.EpochMilliseconds): Span => {
  switch (window.type) {
    case "calendar":
      return calendarSpan(window, moment);
    case "rolling": {
      const day = dayOf(moment);
      return { from: day - (window.days - 1) * MILLISECONDS_PER_DAY, to: day + MILLISECONDS_PER_DAY };
    }
    case "lifetime":
      return UNLIMITED;
    case "anniversary":
      return anniversarySpan(window.since, dayOf(moment));
  }
};

/** The greatest distance of two days of one year between anniversaries, in days. */
const ANNIVERSARY_DAYS = 365;

/**
 * The days that the window of an attribution of the day of `moment` can hold, whatever its parameters are: those of
 * {@link spanOf}, but of an anniversary all days less than a year before and after.
 */
export const coverOf = (window: Window, moment: Calendar.EpochMilliseconds): Span => {
  if (window.type !== "anniversary") return spanOf(window, moment);
  const day = dayOf(moment);
  return {
    from: day - ANNIVERSARY_DAYS * MILLISECONDS_PER_DAY,
    to: day + (ANNIVERSARY_DAYS + 1) * MILLISECONDS_PER_DAY,
  };
};

/** The days whose window can contain the day of `moment`: what a change of an attribution of that day can reach. */
export const reachOf = (window: Window, moment: Calendar.EpochMilliseconds): Span => {
  if (window.type !== "rolling") return coverOf(window, moment);
  const day = dayOf(moment);
  return { from: day, to: day + window.days * MILLISECONDS_PER_DAY };
};

/** True if a moment is in a span. */
export const contains = ({ from, to }: Span, moment: Calendar.EpochMilliseconds): boolean =>
  (from === null || moment >= from) && (to === null || moment < to);

/** The day whose text was computed last: consecutive sales are mostly of one day. */
let latest = { day: Number.NaN, text: "" };

/** The UTC day as `2026-01-31`. */
const dayText = (moment: Calendar.EpochMilliseconds): string => {
  const day = dayOf(moment);
  if (day !== latest.day) latest = { day, text: new Date(day).toISOString().slice(0, 10) };
  return latest.text;
};

const calendarBucket = (window: CalendarWindow, moment: Calendar.EpochMilliseconds): string => {
  // A quarter or year from another month is named by its first month.
  if (window.starts_in_month !== undefined) return dayText(calendarSpan(window, moment).from).slice(0, 7);
  const day = dayText(moment);
  if (window.unit === "quarter") return `${day.slice(0, 4)}-Q${Calendar.part("quarter", moment)}`;
  return day.slice(0, window.unit === "year" ? 4 : 7);
};

/**
 * The bucket in which the running total of a window keeps an attribution of the day of `moment`: `2026-01`, `2026-Q1`,
 * `2026`, the first month of a period that starts in a stated one, `lifetime`, or for a rolling window and an anniversary
 * the day, `2026-01-31`: so the totals stay when the date of an anniversary changes. The buckets of one window sort as texts by time.
 */
export const bucketOf = (window: Window, moment: Calendar.EpochMilliseconds): string => {
  switch (window.type) {
    case "calendar":
      return calendarBucket(window, moment);
    case "rolling":
    case "anniversary":
      return dayText(moment);
    case "lifetime":
      return "lifetime";
  }
};

/** The texts of that many days, oldest first. */
const dayTexts = (from: Calendar.EpochMilliseconds, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => dayText(from + index * MILLISECONDS_PER_DAY));

/**
 * The buckets that the window of an attribution of the day of `moment` adds up: one, or the days of a rolling window or of an
 * anniversary, oldest first.
 */
export const bucketsOf = (window: FixedWindow, moment: Calendar.EpochMilliseconds): ReadonlyArray<string> => {
  switch (window.type) {
    case "rolling":
      return dayTexts(moment - (window.days - 1) * MILLISECONDS_PER_DAY, window.days);
    case "anniversary": {
      const { from, to } = anniversarySpan(window.since, dayOf(moment));
      return dayTexts(from, (to - from) / MILLISECONDS_PER_DAY);
    }
    default:
      return [bucketOf(window, moment)];
  }
};
