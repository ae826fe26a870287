/** From when something holds that a request states: a moment, or a day in the time zone of the workspace. */
import { Either, Schema } from "effect";
import { CalendarDate, dateOf } from "./CalendarDate.ts";
import { optionalKey } from "./Field.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { DAY, DateTime, type Timestamp } from "./Timestamp.ts";
import { startOfDay } from "./TimeZone.ts";

/** The fields of a request, of which it may have one; null is as if absent. */
export const effectiveDate = (meaning: string) => ({
  effectiveDatetime: optionalKey(Schema.NullOr(DateTime), "effective_datetime", meaning),
  effectiveOn: optionalKey(
    Schema.NullOr(CalendarDate),
    "effective_on",
    "In place of effective_datetime: a day, from its first instant in the time zone that the workspace has now.",
  ),
});

/** A date in a request. */
export interface EffectiveDate {
  readonly effectiveDatetime?: Timestamp | null;
  readonly effectiveOn?: CalendarDate | null;
}

/** Accepts one date, or none; a day from 1970 on. */
export const checkEffectiveDate = ({
  effectiveDatetime,
  effectiveOn,
}: EffectiveDate): Either.Either<void, Invalid> => {
  if (effectiveOn == null) return Either.void;
  if (effectiveDatetime != null)
    return Either.left(invalid("effective_on", "must not be given together with effective_datetime"));
  return effectiveOn < dateOf(0)
    ? Either.left(invalid("effective_on", "must be 1970-01-01 or later"))
    : Either.void;
};

/** The first instant of a calendar day in a time zone. */
export const startOfDate = (timeZone: string, date: CalendarDate): Timestamp =>
  startOfDay(timeZone, Date.parse(`${date}T00:00:00Z`) / DAY);
