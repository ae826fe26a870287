/** The periods of cadences, found by going through the days around a moment. */
import type { Cadence } from "../../../domain/Cadence.ts";
import type { Period } from "./Settlements.ts";
import { DAY, HOUR } from "./Time.ts";

type Scheduled = Exclude<Cadence, "manual">;

const lastSundayOf = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getTime() - last.getUTCDay() * DAY;
};

/** Summer time of the European Union: from the last Sunday of March to that of October, both at 01:00 UTC. */
const isSummerTime = (moment: number): boolean => {
  const year = new Date(moment).getUTCFullYear();
  return moment >= lastSundayOf(year, 2) + HOUR && moment < lastSundayOf(year, 9) + HOUR;
};

/** What a local clock is ahead of UTC, in milliseconds, for the zones that commands choose from. */
const AHEAD: { readonly [zone: string]: (moment: number) => number } = {
  UTC: () => 0,
  "Europe/Copenhagen": (moment) => (isSummerTime(moment) ? 2 : 1) * HOUR,
  "Asia/Kolkata": () => 5.5 * HOUR,
};

/** What the clock of a zone is ahead of UTC at a moment, in milliseconds. */
export const aheadOf = (zone: string, moment: number): number => AHEAD[zone]?.(moment) ?? 0;

/** True if a zone is one of those that the model knows. */
export const isZone = (zone: string): boolean => Object.hasOwn(AHEAD, zone);

const two = (value: number): string => `${value}`.padStart(2, "0");

/** The label of the period that begins on a local day, given as midnight UTC; null when none does. */
const labelOf = ({ type, day }: Scheduled, midnight: number): string | null => {
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (type === "weekly") {
    if ((date.getUTCDay() + 6) % 7 !== day - 1) return null;
    // ISO 8601: a week is numbered in the year of its Thursday.
    const thursday = midnight + (4 - day) * DAY;
    const yearOfWeek = new Date(thursday).getUTCFullYear();
    const number = Math.floor((thursday - Date.UTC(yearOfWeek, 0, 1)) / DAY / 7) + 1;
    return `${yearOfWeek}-W${two(number)}`;
  }
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  if (date.getUTCDate() !== Math.min(day, lastDay)) return null;
  if (type === "monthly") return `${year}-${two(month + 1)}`;
  return month % 3 === 0 ? `${year}-Q${month / 3 + 1}` : null;
};

/** More days than a period lasts. */
const SPAN = 95;

/** The periods that begin around a moment, in order. */
const periodsAround = (cadence: Scheduled, now: number): ReadonlyArray<Period> => {
  const today = Math.floor(now / DAY) * DAY;
  return Array.from({ length: 4 * SPAN }, (_, index) => today + (index - SPAN) * DAY).flatMap((midnight) => {
    const label = labelOf(cadence, midnight);
    // No clock changes at midnight in the zones that the model knows.
    return label === null ? [] : [{ label, at: midnight - aheadOf(cadence.timeZone, midnight - 3 * HOUR) }];
  });
};

/** The last period that has started. */
export const newestPeriod = (cadence: Scheduled, now: number): Period | null =>
  periodsAround(cadence, now).findLast(({ at }) => at <= now) ?? null;

/** The first period that begins later, other than one that has a run. */
export const nextPeriod = (cadence: Cadence | null, now: number, run: string | null): Period | null =>
  cadence === null || cadence === "manual"
    ? null
    : (periodsAround(cadence, now).find(({ at, label }) => at > now && label !== run) ?? null);
