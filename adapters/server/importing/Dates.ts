/** How dates are written in the columns of files. What could be read as two dates is refused. */
import { DateTime, Either, Option, Schema } from "effect";
import { Timestamp, TimeZone } from "quittance";

type Result<A> = Either.Either<A, string>;

const DayForm = Schema.Literal("iso", "day_first", "month_first");
const MomentForm = Schema.Literal(...DayForm.literals, "epoch_seconds", "epoch_milliseconds");
type Form = typeof MomentForm.Type;

const isEpoch = (form: Form): form is "epoch_seconds" | "epoch_milliseconds" => form.startsWith("epoch");

/** How the days of a column are written: `iso` by default. */
export const DayFormat = Schema.Struct({ form: Schema.optionalWith(DayForm, { exact: true }) });

/** How the moments of a column are written, and the time zone of those that state none: UTC by default. */
export const MomentFormat = Schema.Struct({
  form: Schema.optionalWith(MomentForm, { exact: true }),
  time_zone: Schema.optionalWith(TimeZone.TimeZone, { exact: true }),
}).pipe(
  Schema.filter(({ form = "iso", time_zone }) =>
    isEpoch(form) && time_zone !== undefined
      ? { path: ["time_zone"], message: `must be absent: ${form} has no time zone` }
      : true,
  ),
);
export type MomentFormat = typeof MomentFormat.Type;

/** After the day: the time and perhaps an offset, or an offset alone. */
const TIME =
  "(?:[T ](\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?) ?(Z|UTC|[+-]\\d{2}(?::?\\d{2})?)?|(Z|[+-]\\d{2}:\\d{2}))?$";
const ISO = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})${TIME}`);
/** The same sign between all three numbers. */
const ORDERED = new RegExp(`^(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4})${TIME}`);

/** Digits that can only be this unit: from March 1973 to the year 2286. */
const EPOCH = {
  epoch_seconds: { digits: /^\d{9,10}$/, milliseconds: 1_000, example: "seconds since 1970 like 1767225600" },
  epoch_milliseconds: {
    ...{ digits: /^\d{12,13}$/, milliseconds: 1 },
    example: "milliseconds since 1970 like 1767225600000",
  },
};

/** What a date should have been. */
const EXAMPLES: Readonly<Record<Form, string>> = {
  iso: "a date like 2026-01-31 or 2026-01-31T12:00:00Z",
  day_first: "a date with the day first, like 31/01/2026 or 31.01.2026 12:00",
  month_first: "a date with the month first, like 01/31/2026 or 01/31/2026 12:00",
  epoch_seconds: EPOCH.epoch_seconds.example,
  epoch_milliseconds: EPOCH.epoch_milliseconds.example,
};

interface Written {
  readonly day: string;
  readonly time: string | undefined;
  readonly zone: string | undefined;
}

const partsOf = (form: "iso" | "day_first" | "month_first", text: string): Written | null => {
  if (form === "iso") {
    const [found, year, month, day, time, zone, zoneOfDay] = ISO.exec(text) ?? [];
    return found === undefined ? null : { day: `${year}-${month}-${day}`, time, zone: zone ?? zoneOfDay };
  }
  const [found, first = "", , second = "", year, time, zone, zoneOfDay] = ORDERED.exec(text) ?? [];
  if (found === undefined) return null;
  const [day, month] = form === "day_first" ? [first, second] : [second, first];
  return { day: `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`, time, zone: zone ?? zoneOfDay };
};

/** An offset as the interface writes it: +0100 and +01 are +01:00. */
const offsetOf = (zone: string): string =>
  zone === "UTC"
    ? "Z"
    : zone.replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`);

/** The moment at which the clocks of a zone show a time; a time that they show twice or never is refused. */
const momentIn = (timeZone: string, local: Timestamp.Timestamp): Option.Option<Timestamp.Timestamp> =>
  Option.map(
    DateTime.makeZoned(local, { timeZone, adjustForTimeZone: true, disambiguation: "reject" }),
    DateTime.toEpochMillis,
  );

/** The moment that a text states. */
const read = (
  { form = "iso", time_zone: timeZone = TimeZone.UTC }: MomentFormat,
  text: string,
): Result<number> => {
  const wrong = Either.left(`must be ${EXAMPLES[form]}, not "${text}"`);
  if (isEpoch(form)) {
    const { digits, milliseconds } = EPOCH[form];
    return digits.test(text) ? Either.right(Number(text) * milliseconds) : wrong;
  }
  const written = partsOf(form, text);
  if (written === null) return wrong;
  const { day, time = "00:00", zone } = written;
  const stated = Timestamp.parse(
    `${day}T${time.length === 5 ? `${time}:00` : time}${zone === undefined ? "Z" : offsetOf(zone)}`,
  );
  if (stated === null) return wrong;
  if (zone !== undefined || timeZone === TimeZone.UTC) return Either.right(stated);
  if (written.time === undefined) return Either.right(TimeZone.startOfDay(timeZone, stated / Timestamp.DAY));
  return Either.fromOption(
    momentIn(timeZone, stated),
    () => `must state its offset from UTC: the clocks of ${timeZone} show "${text}" twice or never`,
  );
};

/** A date-time of the interface from a text in a format: a day stands for its beginning. */
export const asDateTime = (value: string | number | boolean, format: MomentFormat = {}): Result<string> =>
  Either.map(read(format, String(value).trim()), Timestamp.format);

/** A day of the interface from a text in a format, which has no time. */
export const asDay = (
  value: string | number | boolean,
  { form = "iso" }: typeof DayFormat.Type,
): Result<string> => {
  const text = String(value).trim();
  const written = partsOf(form, text);
  return written === null ||
    written.time !== undefined ||
    written.zone !== undefined ||
    Timestamp.parse(`${written.day}T00:00:00Z`) === null
    ? Either.left(`must be a day alone: ${EXAMPLES[form]}, not "${text}"`)
    : Either.right(written.day);
};
