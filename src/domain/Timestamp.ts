/** Moments in time: whole milliseconds since the Unix epoch, in UTC, years 0001 to 9999. */
import { Either, ParseResult, Schema } from "effect";
import { parseDateTime } from "../formula/index.ts";
import { DAY } from "./Durations.ts";

export { DAY, HOUR, MINUTE, SECOND } from "./Durations.ts";

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;

/** The earliest moment: the first of year 1. */
export const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");
const DATE_ALONE = /^\d{4}-\d\d-\d\d$/;

/**
 * The moment an RFC 3339 date-time with offset names, or null.
 * Fractions beyond milliseconds are cut off. Leap seconds, dates alone and date-times without offset are refused.
 */
export const parse = (text: string): Timestamp | null =>
  DATE_ALONE.test(text)
    ? null
    : (parseDateTime(text.replace(/[tz]/g, (letter) => letter.toUpperCase())) ?? null);

const DIGITS: ReadonlyArray<string> = Array.from({ length: 100 }, (_, value) =>
  String(value).padStart(2, "0"),
);

/** Days from 0000-03-01 to 1970-01-01, and the days of 400, 100, 4 and 1 years of the Gregorian calendar. */
const EPOCH_DAY = 719_468;
const ERA = 146_097;
const CENTURY = 36_524;
const LEAP_CYCLE = 1_461;
const YEAR = 365;

/**
 * The date of a day counted from the epoch, by integer arithmetic: lists write hundreds of moments, and a `Date` for each is
 * four times as slow. Years are counted from March, so that the leap day is the last of its year.
 */
const dateText = (day: number): string => {
  const shifted = day + EPOCH_DAY;
  const era = Math.floor(shifted / ERA);
  const dayOfEra = shifted - era * ERA;
  const leapDays =
    ((dayOfEra / (LEAP_CYCLE - 1)) | 0) - ((dayOfEra / CENTURY) | 0) + ((dayOfEra / (ERA - 1)) | 0);
  const yearOfEra = ((dayOfEra - leapDays) / YEAR) | 0;
  const dayOfYear = dayOfEra - (YEAR * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const marchMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const dayOfMonth = dayOfYear - (((153 * marchMonth + 2) / 5) | 0) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${DIGITS[(year / 100) | 0]}${DIGITS[year % 100]}-${DIGITS[month]}-${DIGITS[dayOfMonth]}`;
};

/** The moment as the interface writes it: `2026-01-31T10:00:00.000Z`. */
export const format = (timestamp: Timestamp): string => {
  const day = Math.floor(timestamp / DAY);
  const rest = timestamp - day * DAY;
  const seconds = (rest / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const milliseconds = rest % 1000;
  return `${dateText(day)}T${DIGITS[(minutes / 60) | 0]}:${DIGITS[minutes % 60]}:${DIGITS[seconds % 60]}.${(milliseconds / 100) | 0}${DIGITS[milliseconds % 100]}Z`;
};

const dateTime = (
  earliest: Timestamp,
  description: string,
  bounds: { readonly message?: () => string } = {},
) =>
  Schema.transformOrFail(
    Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time", description } }),
    Schema.Int.pipe(Schema.between(earliest, LATEST, { description, ...bounds })),
    {
      strict: true,
      decode: (text, _options, ast) =>
        Either.fromNullable(
          parse(text),
          () => new ParseResult.Type(ast, text, "must be an RFC 3339 date-time with an offset or Z"),
        ),
      encode: (timestamp) => ParseResult.succeed(format(timestamp)),
    },
  );

/** A date-time on the wire (RFC 3339 with offset), read as a moment. */
export const DateTime = dateTime(EARLIEST, "RFC 3339 with an offset or Z.");

/** A date-time on the wire that is not before 1970. */
export const DateTimeSince1970 = dateTime(0, "RFC 3339 with an offset or Z, not before 1970.", {
  message: () => "must not be before 1970-01-01T00:00:00Z",
});
