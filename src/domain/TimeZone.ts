/** Time zones of the IANA database, and the calendar days of a zone. Days are counted from 1970-01-01. */
import { Schema } from "effect";
import { DAY, HOUR, MINUTE, type Timestamp } from "./Timestamp.ts";

const QUARTER_HOUR = 15 * MINUTE;

/** The zone of a workspace that has none. */
export const UTC = "UTC";

/** The zones whose formatters are kept; there are about 600. Creating one takes a hundred times as long as using it. */
const FORMATTERS_MAX = 1_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The formatter of a zone's dates; throws a `RangeError` for a name that is no zone. */
const formatterOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const parts = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const made = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone, ...parts });
  if (formatters.size >= FORMATTERS_MAX) formatters.clear();
  formatters.set(timeZone, made);
  return made;
};

/** A name of the IANA database, such as Europe/Copenhagen or UTC; a platform may accept offsets such as +01:00 as well. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** True if the runtime supports the time zone. */
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

/** The calendar day of a zone at a moment. */
export const dayIn = (timeZone: string, moment: Timestamp): number => {
  if (timeZone === UTC) return Math.floor(moment / DAY);
  const part = { year: 1970, month: 1, day: 1 };
  for (const { type, value } of formatterOf(timeZone).formatToParts(moment)) {
    if (type === "year" || type === "month" || type === "day") part[type] = Number(value);
  }
  return Math.floor(Date.UTC(part.year, part.month - 1, part.day) / DAY);
};

/**
 * The first instant of a day of a zone. Where the clock skips midnight that is later than 00:00; where it skips the whole day,
 * the first instant of the next one. Searched in steps: most offsets from UTC are multiples of 15 minutes, but a clock may
 * be set at any minute, and before 1972 at any second.
 */
export const startOfDay = (timeZone: string, day: number): Timestamp => {
  if (timeZone === UTC) return day * DAY;
  let moment = day * DAY - 16 * HOUR;
  while (dayIn(timeZone, moment) < day) moment += QUARTER_HOUR;
  for (const step of [MINUTE, 1_000]) {
    const before = step === MINUTE ? QUARTER_HOUR : MINUTE;
    let earlier = moment - before + step;
    while (earlier < moment && dayIn(timeZone, earlier) < day) earlier += step;
    moment = earlier;
  }
  return moment;
};
