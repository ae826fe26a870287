import { Schema } from "effect";
import { CalendarDate } from "quittance";
import { expect, it } from "vitest";

it.each(["2026-01-31", "2024-02-29", "0001-01-01", "9999-12-31"])("%s is a date", (text) => {
  expect(Schema.is(CalendarDate.CalendarDate)(text)).toBe(true);
});

it.each(["2026-02-29", "2026-13-01", "2026-1-1", "2026-01-31T00:00:00Z", "x2026-01-31", "", "0000-01-01"])(
  "%j is not a date",
  (text) => {
    expect(() => Schema.decodeUnknownSync(CalendarDate.CalendarDate)(text)).toThrow(
      "must be a date as YYYY-MM-DD",
    );
  },
);

it("is the UTC day of a moment, or a number of days later", () => {
  const moment = Date.parse("2026-02-28T23:59:59.999Z");
  expect(CalendarDate.dateOf(moment)).toBe("2026-02-28");
  expect(CalendarDate.dateOf(moment, 1)).toBe("2026-03-01");
  expect(CalendarDate.dateOf(moment, 365)).toBe("2027-02-28");
});

it("is followed by the dates of the days after it, leap days included", () => {
  expect(CalendarDate.daysLater("2028-02-28", 1)).toBe("2028-02-29");
  expect(CalendarDate.daysLater("2026-03-28", 2)).toBe("2026-03-30");
  expect(CalendarDate.daysLater("2026-12-31", 30)).toBe("2027-01-30");
  expect(CalendarDate.daysLater("2026-01-31", 0)).toBe("2026-01-31");
});
