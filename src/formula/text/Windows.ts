/** The windows of aggregates as text, read and written. */
import type { AnniversaryWindow, CalendarWindow, Window } from "../Expression.ts";
import type { Cursor } from "./Cursor.ts";
import { nearest } from "./TextProblem.ts";
import { CALENDAR_UNITS, MONTHS, PLAN } from "./Words.ts";

const writeCalendar = ({ unit, starts_in_month }: CalendarWindow): string => {
  const from = starts_in_month === undefined ? "" : ` from ${MONTHS[starts_in_month - 1]}`;
  return `this ${CALENDAR_UNITS[unit]}${from}`;
};

/** A window as text. */
export const writeWindow = (span: Window): string => {
  switch (span.type) {
    case "calendar":
      return writeCalendar(span);
    case "rolling":
      return `in the last ${span.days} ${span.days === 1 ? "day" : "days"}`;
    case "lifetime":
      return "ever";
    case "anniversary":
      return `this ${CALENDAR_UNITS.year} since ${PLAN}.${span.of}`;
  }
};

/** The month in which a quarter or a year starts, after `from`; undefined if something else is next. */
const readStart = (cursor: Cursor): number | undefined => {
  const { text } = cursor.peek();
  const index = MONTHS.findIndex((month) => month.toLowerCase() === text.toLowerCase());
  if (index >= 0) {
    cursor.advance();
    return index + 1;
  }
  const meant = nearest(text, MONTHS);
  cursor.fail(`the name of a month${meant === undefined ? "" : `, such as ${meant}`}`);
  return undefined;
};

/** The name of a parameter, after `plan.`; undefined if something else is next. */
export const readParameter = (cursor: Cursor): string | undefined => {
  const parameter = cursor.peek();
  if (parameter.kind !== "name" && parameter.kind !== "word") {
    cursor.fail("the name of a parameter");
    return undefined;
  }
  cursor.advance();
  cursor.checkParameter(parameter);
  return parameter.text;
};

/** The date of an anniversary, after `since`. */
const readAnniversary = (cursor: Cursor): AnniversaryWindow | undefined => {
  if (!cursor.accept(PLAN)) {
    cursor.fail(`the name of a parameter, such as ${PLAN}.start_date`);
    return undefined;
  }
  cursor.expect(".", " and the name of a parameter");
  const of = readParameter(cursor);
  return of === undefined ? undefined : { type: "anniversary", of };
};

const readCalendar = (cursor: Cursor): CalendarWindow | AnniversaryWindow | undefined => {
  const unit = cursor.acceptPhrase(CALENDAR_UNITS);
  if (unit === undefined) {
    cursor.fail(`one of ${Object.values(CALENDAR_UNITS).join(", ")}`);
    return undefined;
  }
  if (unit !== "year" && cursor.is("since")) cursor.fail('another span; "since" stands after "this year"');
  if (cursor.accept("since")) return readAnniversary(cursor);
  if (!cursor.accept("from")) return { type: "calendar", unit };
  const month = readStart(cursor);
  return month === undefined ? undefined : { type: "calendar", unit, starts_in_month: month };
};

/** A window; undefined if something else is next. */
export const readWindow = (cursor: Cursor): Window | undefined => {
  if (cursor.accept("ever")) return { type: "lifetime" };
  if (cursor.accept("this")) return readCalendar(cursor);
  if (cursor.acceptPhrase({ rolling: "in the last" }) !== undefined) {
    const days = cursor.peek();
    const isWhole = days.kind === "number" && /^\d{1,9}$/.test(days.text);
    if (!isWhole) {
      cursor.fail("a whole number of days");
      return undefined;
    }
    cursor.advance();
    if (!cursor.accept("day")) cursor.expect("days");
    return { type: "rolling", days: Number(days.text) };
  }
  cursor.fail('"this month", "this quarter", "this year", "in the last 30 days" or "ever"');
  return undefined;
};
