/** Moments in time: whole milliseconds since the Unix epoch, in UTC, years 0001 to 9999. */
import { Either, ParseResult, Schema } from "effect";

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;

const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const daysInMonth = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;

/**
 * The moment an RFC 3339 date-time with offset names, or null.
 * Fractions beyond milliseconds are cut off. Leap seconds, dates alone and date-times without offset are refused.
 */
export const parse = (text: string): Timestamp | null => {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return null;
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second, Number((match[7] ?? "").slice(0, 3).padEnd(3, "0")));
  const offset = (part(9) * 60 + part(10)) * 60_000;
  const timestamp = moment.getTime() - (match[8] === "-" ? -offset : offset);
  return timestamp < EARLIEST || timestamp > LATEST ? null : timestamp;
};

const DAY = 86_400_000;

/** The day written last: lists write hundreds of moments, mostly of one day, and its calendar is the costly part. */
let latestDay = Number.NaN;
let latestText = "";

const DIGITS: ReadonlyArray<string> = Array.from({ length: 100 }, (_, value) =>
  String(value).padStart(2, "0"),
);

/** The moment as the interface writes it: `2026-01-31T10:00:00.000Z`. */
export const format = (timestamp: Timestamp): string => {
  const day = Math.floor(timestamp / DAY);
  if (day !== latestDay) {
    latestText = new Date(day * DAY).toISOString().slice(0, 11);
    latestDay = day;
  }
  const rest = timestamp - day * DAY;
  const seconds = (rest / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const milliseconds = rest % 1000;
  return `${latestText}${DIGITS[(minutes / 60) | 0]}:${DIGITS[minutes % 60]}:${DIGITS[seconds % 60]}.${(milliseconds / 100) | 0}${DIGITS[milliseconds % 100]}Z`;
};

/** A date-time on the wire (RFC 3339 with offset), read as a moment. */
export const DateTime = Schema.transformOrFail(
  Schema.String.annotations({
    jsonSchema: { type: "string", format: "date-time", description: "RFC 3339 with an offset or Z." },
  }),
  Schema.Int.pipe(Schema.between(EARLIEST, LATEST, { description: "RFC 3339 with an offset or Z." })),
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
