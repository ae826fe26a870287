/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z, in the years 0001 to 9999, without leap seconds. */
export type EpochMilliseconds = number;

/** The parts of a date that a formula can read; `day_of_week` is 1 for Monday to 7 for Sunday (ISO 8601). */
export const PARTS = ["year", "quarter", "month", "day", "day_of_week"] as const;

/** One of {@link PARTS}. */
export type Part = (typeof PARTS)[number];

/** The units in which a difference of two dates is counted. */
export const UNITS = ["days", "months", "years"] as const;

/** One of {@link UNITS}. */
export type Unit = (typeof UNITS)[number];

const MILLISECONDS_PER_MINUTE = 60_000;
/** One day of UTC, in milliseconds. */
export const MILLISECONDS_PER_DAY = 86_400_000;

/** 0001-01-01T00:00:00.000Z, the first moment a formula can name. */
export const EARLIEST: EpochMilliseconds = -62_135_596_800_000;

/** 9999-12-31T23:59:59.999Z, the last moment a formula can name. */
export const LATEST: EpochMilliseconds = 253_402_300_799_999;

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2})))?$/;

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** The number of days of a month, 1 for January; 0 if there is no such month. */
const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);

/** Midnight UTC of a calendar day; the month counts from 1. (`Date.UTC` alone reads years below 100 as 19xx.) */
const midnight = (year: number, month: number, day: number): EpochMilliseconds =>
  new Date(0).setUTCFullYear(year, month - 1, day);

/**
 * The moment that a text names, or `undefined` when it names none: `YYYY-MM-DD` (midnight UTC) or a date and time
 * with `Z` or an offset (RFC 3339, capital letters). Digits beyond milliseconds are dropped; a leap second, an
 * impossible day and a year outside 0001 to 9999 name nothing.
 */
export const parse = (text: string): EpochMilliseconds | undefined => {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const number = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  if (year < 1 || day < 1 || day > daysInMonth(year, month)) return undefined;
  const [hour, minute, second] = [number(4), number(5), number(6)];
  const [offsetHours, offsetMinutes] = [number(9), number(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const offset = (match[8] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const moment =
    midnight(year, month, day) +
    (hour * 60 + minute - offset) * MILLISECONDS_PER_MINUTE +
    second * 1000 +
    millisecond;
  return moment < EARLIEST || moment > LATEST ? undefined : moment;
};

/** The moment in UTC, as `2026-01-31` at midnight and as `2026-01-31T10:00:00.000Z` otherwise. */
export const format = (moment: EpochMilliseconds): string => {
  const text = new Date(moment).toISOString();
  return moment % MILLISECONDS_PER_DAY === 0 ? text.slice(0, 10) : text;
};

/** A part of the date in UTC, an integer. */
export const part = (which: Part, moment: EpochMilliseconds): number => {
  const date = new Date(moment);
  switch (which) {
    case "year":
      return date.getUTCFullYear();
    case "quarter":
      return Math.floor(date.getUTCMonth() / 3) + 1;
    case "month":
      return date.getUTCMonth() + 1;
    case "day":
      return date.getUTCDate();
    case "day_of_week":
      return date.getUTCDay() === 0 ? 7 : date.getUTCDay();
  }
};

/**
 * The moment `months` calendar months later, at the same time of day; a day that the month does not have becomes
 * its last one (31 January plus one month is 28 or 29 February).
 */
export const addMonths = (moment: EpochMilliseconds, months: number): EpochMilliseconds => {
  const date = new Date(moment);
  const index = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  const timeOfDay = moment - Math.floor(moment / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY;
  return midnight(year, month, Math.min(date.getUTCDate(), daysInMonth(year, month))) + timeOfDay;
};

/** Complete calendar months from the earlier moment to the later one. */
const completeMonths = (earlier: EpochMilliseconds, later: EpochMilliseconds): number => {
  const from = new Date(earlier);
  const to = new Date(later);
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return addMonths(earlier, months) > later ? months - 1 : months;
};

/**
 * Complete units from one moment to another, counted from the earlier one and negative when `to` is the earlier:
 * swapping the two changes the sign and nothing else. A day has 24 hours; months and years follow {@link addMonths}.
 */
export const difference = (unit: Unit, from: EpochMilliseconds, to: EpochMilliseconds): number => {
  if (unit === "days") return Math.trunc((to - from) / MILLISECONDS_PER_DAY) + 0;
  const months = to >= from ? completeMonths(from, to) : -completeMonths(to, from);
  return unit === "months" ? months + 0 : Math.trunc(months / 12) + 0;
};
