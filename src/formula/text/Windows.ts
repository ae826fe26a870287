/** The windows of aggregates as text, read and written. */
import type { Window } from "../Expression.ts";
import type { Cursor } from "./Cursor.ts";
import { CALENDAR_UNITS } from "./Words.ts";

/** A window as text. */
export const writeWindow = (span: Window): string => {
  switch (span.type) {
    case "calendar":
      return `this ${CALENDAR_UNITS[span.unit]}`;
    case "rolling":
      return `in the last ${span.days} ${span.days === 1 ? "day" : "days"}`;
    case "lifetime":
      return "ever";
  }
};

/** A window; undefined if something else is next. */
export const readWindow = (cursor: Cursor): Window | undefined => {
  if (cursor.accept("ever")) return { type: "lifetime" };
  if (cursor.accept("this")) {
    const unit = cursor.acceptPhrase(CALENDAR_UNITS);
    if (unit !== undefined) return { type: "calendar", unit };
    cursor.fail(`one of ${Object.values(CALENDAR_UNITS).join(", ")}`);
    return undefined;
  }
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
