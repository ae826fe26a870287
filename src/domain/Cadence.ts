/**
 * Cadences: the periods of a calendar in which settlement runs begin. A period begins at the first instant of a local day and is
 * named by its local label: `2026-02`, `2026-W06`, `2026-Q1`.
 */
import { Schema } from "effect";
import { key, means } from "./Field.ts";
import { DAY, HOUR, MINUTE, type Timestamp } from "./Timestamp.ts";

const QUARTER_HOUR = 15 * MINUTE;

/** The formatter of a zone's local dates; throws a `RangeError` for a name that is no zone. */
const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  const parts = { year: "numeric", month: "numeric", day: "numeric" } as const;
  return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone, ...parts });
};

/** A name of the IANA database, such as Europe/Copenhagen or UTC; a platform may accept offsets such as +01:00 as well. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** Whether the runtime supports the time zone. */
export const isTimeZone = (name: string): boolean => {
  if (name.length > 64 || !NAME.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
};

/** The name of a time zone of the IANA database. */
export const TimeZone = Schema.String.pipe(
  Schema.filter((name) => isTimeZone(name) || "must be an IANA time zone, such as Europe/Copenhagen", {
    arbitrary: () => (fc) => fc.constantFrom("UTC", "Europe/Copenhagen", "America/New_York", "Asia/Tokyo"),
    jsonSchema: { description: "An IANA time zone, such as Europe/Copenhagen.", maxLength: 64 },
  }),
);

const Scheduled = Schema.Struct({
  type: Schema.Literal("weekly", "monthly", "quarterly").pipe(means("The length of a period.")),
  day: Schema.Int.pipe(Schema.between(1, 31)).annotations({
    jsonSchema: {
      type: "integer",
      minimum: 1,
      maximum: 31,
      description:
        "weekly: 1 (Monday) to 7. monthly: the day of the month; quarterly: of the quarter's first month; 29 to 31 mean at most its last day.",
    },
  }),
  timeZone: key(TimeZone, "time_zone", "The time zone in which periods begin."),
}).pipe(
  Schema.filter(
    ({ type, day }) =>
      type !== "weekly" ||
      day <= 7 || { path: ["day"], message: "must be 1 (Monday) to 7 in a weekly cadence" },
    { arbitrary: (from) => (fc) => from(fc).map((cadence) => ({ ...cadence, day: 1 + (cadence.day % 7) })) },
  ),
);

/** A cadence that starts runs by itself. */
export type Scheduled = typeof Scheduled.Type;

/** When runs begin: by request only, or also once in each period. */
export const Cadence = Schema.Union(Schema.Literal("manual"), Scheduled);
export type Cadence = typeof Cadence.Type;

/** One period of a cadence. */
export interface Period {
  /** Its local name, by which a run is started once. */
  readonly label: string;
  /** Its first instant; what occurred before belongs to the run. */
  readonly at: Timestamp;
}

/** The local date at a moment, counted in days from 1970-01-01. */
const localDay = (formatter: Intl.DateTimeFormat, moment: Timestamp): number => {
  const part = { year: 1970, month: 1, day: 1 };
  for (const { type, value } of formatter.formatToParts(moment)) {
    if (type === "year" || type === "month" || type === "day") part[type] = Number(value);
  }
  return Math.floor(Date.UTC(part.year, part.month - 1, part.day) / DAY);
};

/**
 * The first instant of a local day. Where the clock skips midnight that is later than 00:00; where it skips the whole day, the
 * first instant of the next one. Searched in steps: offsets from UTC are multiples of 15 minutes, but a clock may be set at
 * any minute.
 */
export const startOfLocalDay = (timeZone: string, day: number): Timestamp => {
  const formatter = formatterOf(timeZone);
  let moment = day * DAY - 15 * HOUR;
  while (localDay(formatter, moment) < day) moment += QUARTER_HOUR;
  for (let earlier = moment - QUARTER_HOUR + MINUTE; earlier < moment; earlier += MINUTE) {
    if (localDay(formatter, earlier) >= day) return earlier;
  }
  return moment;
};

/** The Monday of the week 0, counted in days from 1970-01-01. */
const FIRST_MONDAY = 4;

const MONTHS: Readonly<Record<"monthly" | "quarterly", number>> = { monthly: 1, quarterly: 3 };

const two = (value: number): string => String(value).padStart(2, "0");

/** The month of a day, counted from January of year 0. */
const monthOf = (day: number): number => {
  const date = new Date(day * DAY);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

const firstDayOfMonth = (month: number): number =>
  Math.floor(Date.UTC(Math.floor(month / 12), month % 12) / DAY);

/** The day on which a period begins; periods are counted, each from the one before. */
const dayOf = ({ type, day }: Scheduled, index: number): number => {
  if (type === "weekly") return FIRST_MONDAY + index * 7 + day - 1;
  const first = firstDayOfMonth(index * MONTHS[type]);
  const next = firstDayOfMonth(index * MONTHS[type] + 1);
  return Math.min(first + day, next) - 1;
};

/** The number of the period that a day is in, where each began on its first day. */
const indexOf = ({ type }: Scheduled, day: number): number =>
  type === "weekly" ? Math.floor((day - FIRST_MONDAY) / 7) : Math.floor(monthOf(day) / MONTHS[type]);

/** The name of a period; a week has the number and the year of its Thursday (ISO 8601). */
const labelOf = ({ type }: Scheduled, index: number): string => {
  if (type === "weekly") {
    const thursday = FIRST_MONDAY + index * 7 + 3;
    const year = new Date(thursday * DAY).getUTCFullYear();
    return `${year}-W${two(Math.floor((thursday - firstDayOfMonth(year * 12)) / 7) + 1)}`;
  }
  const perYear = 12 / MONTHS[type];
  const year = Math.floor(index / perYear);
  const number = (index % perYear) + 1;
  return type === "monthly" ? `${year}-${two(number)}` : `${year}-Q${number}`;
};

const periodOf = (cadence: Scheduled, index: number): Period => ({
  label: labelOf(cadence, index),
  at: startOfLocalDay(cadence.timeZone, dayOf(cadence, index)),
});

/** The number of the last period that has started at a moment. */
const newestIndex = (cadence: Scheduled, now: Timestamp): number => {
  const index = indexOf(cadence, localDay(formatterOf(cadence.timeZone), now));
  return periodOf(cadence, index).at <= now ? index : index - 1;
};

/** The last period that has started at a moment. */
export const newestPeriod = (cadence: Scheduled, now: Timestamp): Period =>
  periodOf(cadence, newestIndex(cadence, now));

/** The first period that begins after a moment and is not the one of the label, which was run before; null is none. */
export const nextPeriod = (cadence: Scheduled, now: Timestamp, run: string | null = null): Period => {
  const index = newestIndex(cadence, now) + 1;
  const next = periodOf(cadence, index);
  return next.label === run ? periodOf(cadence, index + 1) : next;
};
