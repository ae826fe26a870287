/** Moments in time: whole milliseconds since the Unix epoch, in UTC, years 0001 to 9999. */
import { Either, ParseResult, Schema } from "effect";
import { parseDateTime } from "../formula/index.ts";
import { DAY } from "./Durations.ts";

export { DAY, HOUR, MINUTE, SECOND } from "./Durations.ts";

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;

/** The earliest moment: the first of year 1. */
export const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
export const LATEST = Date.parse("9999-12-31T23:59:59.999Z");
const DATE_ALONE = /^\d{4}-\d\d-\d\d$/;

/**
 * The moment an RFC 3339 date-time with offset names, or null.
 * Fractions beyond milliseconds are cut off. Leap seconds, dates alone and date-times without offset are refused.
 */
export const parse = (text: string): Timestamp | null =>
  DATE_ALONE.test(text)
    ? null
    : (parseDateTime(text.replace(/[tz]/g, (letter) => letter.toUpperCase())) ?? null);

/** Days from 0000-03-01 to 1970-01-01, and the days of 400, 100, 4 and 1 years of the Gregorian calendar. */
const EPOCH_DAY = 719_468;
const ERA = 146_097;
const CENTURY = 36_524;
const LEAP_CYCLE = 1_461;
const YEAR = 365;

/** The date of a day counted from the epoch. Years are counted from March, so that the leap day is the last of its year. */
const dateOf = (day: number): { readonly year: number; readonly month: number; readonly date: number } => {
  const shifted = day + EPOCH_DAY;
  const era = Math.floor(shifted / ERA);
  const dayOfEra = shifted - era * ERA;
  const leapDays =
    ((dayOfEra / (LEAP_CYCLE - 1)) | 0) - ((dayOfEra / CENTURY) | 0) + ((dayOfEra / (ERA - 1)) | 0);
  const yearOfEra = ((dayOfEra - leapDays) / YEAR) | 0;
  const dayOfYear = dayOfEra - (YEAR * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const marchMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: dayOfYear - (((153 * marchMonth + 2) / 5) | 0) + 1,
  };
};

const ZERO = 48;
const HYPHEN = 45;
const COLON = 58;
const POINT = 46;
const T = 84;
const Z = 90;

/** The codes of the two digits of a number below 100. */
const tens = (value: number): number => ZERO + ((value / 10) | 0);
const units = (value: number): number => ZERO + (value % 10);

/**
 * The moment as the interface writes it: `2026-01-31T10:00:00.000Z`.
 *
 * By integer arithmetic, from the codes of its characters: lists write hundreds of moments. A `Date` for each takes ten
 * times as long, and text joined from pieces stays a tree of them, which is walked each time the text is sent.
 */
export const format = (timestamp: Timestamp): string => {
  const day = Math.floor(timestamp / DAY);
  const { year, month, date } = dateOf(day);
  const century = (year / 100) | 0;
  const yearOfCentury = year % 100;
  const rest = timestamp - day * DAY;
  const milliseconds = rest % 1000;
  const tenths = (milliseconds / 100) | 0;
  const thousandths = milliseconds % 100;
  const second = ((rest / 1000) | 0) % 60;
  const minute = ((rest / 60_000) | 0) % 60;
  const hour = (rest / 3_600_000) | 0;
  // biome-ignore format: a line for each part
  return String.fromCharCode(
    tens(century), units(century), tens(yearOfCentury), units(yearOfCentury), HYPHEN,
    tens(month), units(month), HYPHEN, tens(date), units(date), T,
    tens(hour), units(hour), COLON, tens(minute), units(minute), COLON, tens(second), units(second), POINT,
    ZERO + tenths, tens(thousandths), units(thousandths), Z,
  );
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

/** A date-time as events state it: text in UTC with milliseconds. */
export const DateTimeText = Schema.encodedSchema(DateTime);
