/**
 * Cadences: the periods of a calendar in which settlement runs begin. A period begins at the first instant of a local day and is
 * named by its local label: `2026-02`, `2026-W06`, `2026-Q1`.
 */
import { Schema } from "effect";
import { key, means, optionalKey } from "./Field.ts";
import { DAY, type Timestamp } from "./Timestamp.ts";
import { dayIn, startOfDay, TimeZone } from "./TimeZone.ts";

const type = Schema.Literal("weekly", "monthly", "quarterly").pipe(means("The length of a period."));
const day = Schema.Int.pipe(Schema.between(1, 31)).annotations({
  jsonSchema: {
    type: "integer",
    minimum: 1,
    maximum: 31,
    description:
      "weekly: 1 (Monday) to 7. monthly: the day of the month; quarterly: of the quarter's first month; 29 to 31 mean at most its last day.",
  },
});

type Dated = { readonly type: typeof type.Type; readonly day: number };

/** The day of a week is 1 to 7. */
const dayInPeriod = <A extends Dated, I>(schema: Schema.Schema<A, I>) =>
  schema.pipe(
    Schema.filter(
      (cadence) =>
        cadence.type !== "weekly" ||
        cadence.day <= 7 || { path: ["day"], message: "must be 1 (Monday) to 7 in a weekly cadence" },
      {
        arbitrary: (from) => (fc) => from(fc).map((cadence) => ({ ...cadence, day: 1 + (cadence.day % 7) })),
      },
    ),
  );

const Scheduled = dayInPeriod(
  Schema.Struct({ type, day, timeZone: key(TimeZone, "time_zone", "The time zone in which periods begin.") }),
);

/** A cadence that starts runs by itself. */
export type Scheduled = typeof Scheduled.Type;

/** When runs begin: by request only, or also once in each period. */
export const Cadence = Schema.Union(Schema.Literal("manual"), Scheduled);
export type Cadence = typeof Cadence.Type;

/** A cadence as a request states it: without a time zone it has that of the workspace. */
export const Stated = Schema.Union(
  Schema.Literal("manual"),
  dayInPeriod(
    Schema.Struct({
      type,
      day,
      timeZone: optionalKey(
        TimeZone,
        "time_zone",
        "The time zone in which periods begin; by default that of the workspace.",
      ),
    }),
  ),
);
export type Stated = typeof Stated.Type;

/** A stated cadence, in a zone where it states none. */
export const inZone = (stated: Stated, timeZone: string): Cadence =>
  stated === "manual" ? stated : { timeZone, ...stated };

/** One period of a cadence. */
export interface Period {
  /** Its local name, by which a run is started once. */
  readonly label: string;
  /** Its first instant; what occurred before belongs to the run. */
  readonly at: Timestamp;
}

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
  at: startOfDay(cadence.timeZone, dayOf(cadence, index)),
});

/** The number of the last period that has started at a moment. */
const newestIndex = (cadence: Scheduled, now: Timestamp): number => {
  const index = indexOf(cadence, dayIn(cadence.timeZone, now));
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
