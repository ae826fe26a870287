/** Business days of payments: in euro every day but weekends and the six closing days of TARGET. */
import type { CalendarDate } from "./CalendarDate.ts";
import { dateOf } from "./CalendarDate.ts";
import type { Currency } from "./Currency.ts";
import { DAY, type Timestamp } from "./Timestamp.ts";

const startOf = (date: CalendarDate): Timestamp => Date.parse(`${date}T00:00:00Z`);

const SATURDAY = 6;

/** Easter Sunday of a year by the Gregorian computus, as the start of the day in UTC. */
const easter = (year: number): Timestamp => {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const skipped = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (skipped + 19 * golden + 15) % 30;
  const correction =
    Math.floor(epact / 28) *
    (1 - Math.floor(epact / 28) * Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const fullMoon = epact - correction;
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7;
  const offset = fullMoon - weekday;
  const month = 3 + Math.floor((offset + 40) / 44);
  const day = offset + 28 - 31 * Math.floor(month / 4);
  return Date.UTC(year, month - 1, day);
};

const FIXED: ReadonlyArray<string> = ["01-01", "05-01", "12-25", "12-26"];

const isWeekday = (date: CalendarDate): boolean => {
  const weekday = new Date(startOf(date)).getUTCDay();
  return weekday !== 0 && weekday !== SATURDAY;
};

/** True if payments in euro are executed on a date. */
export const isTargetDay = (date: CalendarDate): boolean => {
  if (!isWeekday(date) || FIXED.includes(date.slice(5))) return false;
  const fromEaster = (startOf(date) - easter(Number(date.slice(0, 4)))) / DAY;
  return fromEaster !== -2 && fromEaster !== 1;
};

/** True if payments in a currency may be executed on a date: in euro by the calendar of TARGET; for others only weekends are known. */
export const isBusinessDay = (currency: Currency, date: CalendarDate): boolean =>
  currency === "EUR" ? isTargetDay(date) : isWeekday(date);

const nearest = (isDay: (date: CalendarDate) => boolean, date: CalendarDate, step: 1 | -1): CalendarDate => {
  for (let days = step; ; days += step) {
    const candidate = dateOf(startOf(date), days);
    if (isDay(candidate)) return candidate;
  }
};

/** The first day after a date on which payments in a currency may be executed. */
export const nextBusinessDay = (currency: Currency, date: CalendarDate): CalendarDate =>
  nearest((day) => isBusinessDay(currency, day), date, 1);

/** The business day that is `count` business days before a date, from 1. */
export const targetDayBefore = (date: CalendarDate, count: number): CalendarDate =>
  Array.from({ length: count }).reduce((day: CalendarDate) => nearest(isTargetDay, day, -1), date);
