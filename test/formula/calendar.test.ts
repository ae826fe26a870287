import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Calendar from "../../src/formula/Calendar.ts";

const at = (text: string): number => {
  const moment = Calendar.parse(text);
  if (moment === undefined) throw new Error(`${text} names no date`);
  return moment;
};

const difference = (unit: Calendar.Unit, from: string, to: string): number =>
  Calendar.difference(unit, at(from), at(to));

const moment = fc.integer({ min: Calendar.EARLIEST, max: Calendar.LATEST });

describe("Calendar", () => {
  it("parses days and RFC 3339 date-times", () => {
    expect(at("1970-01-01")).toBe(0);
    expect(at("2026-01-31T10:00:00Z")).toBe(Date.UTC(2026, 0, 31, 10));
    expect(at("2026-01-31T10:00:00.5Z")).toBe(Date.UTC(2026, 0, 31, 10, 0, 0, 500));
    expect(at("2026-01-31T10:00:00.1239999Z")).toBe(Date.UTC(2026, 0, 31, 10, 0, 0, 123));
    expect(at("2026-01-31T00:30:00+02:00")).toBe(Date.UTC(2026, 0, 30, 22, 30));
    expect(at("2026-01-31T22:00:00-03:30")).toBe(Date.UTC(2026, 1, 1, 1, 30));
    expect(at("2026-01-31T10:00:00+23:00")).toBe(Date.UTC(2026, 0, 30, 11));
    expect(at("2026-01-31T10:00:00-00:59")).toBe(Date.UTC(2026, 0, 31, 10, 59));
    expect(at("0001-01-01")).toBe(Calendar.EARLIEST);
    expect(at("9999-12-31T23:59:59.999Z")).toBe(Calendar.LATEST);
    expect(at("2024-02-29")).toBe(Date.UTC(2024, 1, 29));
    expect(at("2000-02-29")).toBe(Date.UTC(2000, 1, 29));
  });

  it("refuses every other text", () => {
    const none = [
      "",
      "2026",
      "2026-1-31",
      "2026-13-01",
      "2026-00-10",
      "2026-01-00",
      "2026-01-32",
      "2026-02-29",
      "1900-02-29",
      "2026-04-31",
      "0000-01-01",
      "0000-12-31T23:30:00-01:00",
      "10000-01-01",
      "2026-01-31T10:00:00",
      "2026-01-31T10:00Z",
      "2026-01-31 10:00:00Z",
      "2026-01-31t10:00:00z",
      "2026-01-31T24:00:00Z",
      "2026-01-31T10:60:00Z",
      "2026-12-31T23:59:60Z",
      "2026-01-31T10:00:00.Z",
      "2026-01-31T10:00:00+24:00",
      "2026-01-31T10:00:00+01:60",
      "2026-01-31T10:00:00+01",
      "0001-01-01T00:00:00+01:00",
      "9999-12-31T23:59:59-01:00",
      " 2026-01-31",
      "2026-01-31\n",
      "２０２６-01-31",
    ];
    for (const text of none) expect(Calendar.parse(text), text).toBeUndefined();
  });

  it("formats a moment as text that parses to the same moment", () => {
    expect(Calendar.format(at("2026-01-31"))).toBe("2026-01-31");
    expect(Calendar.format(at("2026-01-31T10:00:00+01:00"))).toBe("2026-01-31T09:00:00.000Z");
    fc.assert(
      fc.property(moment, (value) => {
        expect(Calendar.parse(Calendar.format(value))).toBe(value);
      }),
    );
  });

  it("returns the parts of a date in UTC", () => {
    const parts = (text: string): ReadonlyArray<number> =>
      Calendar.PARTS.map((part) => Calendar.part(part, at(text)));
    expect(parts("2026-01-31")).toEqual([2026, 1, 1, 31, 6]);
    expect(parts("2026-03-31T23:59:59.999Z")).toEqual([2026, 1, 3, 31, 2]);
    expect(parts("2026-04-01")).toEqual([2026, 2, 4, 1, 3]);
    expect(parts("2025-12-28")).toEqual([2025, 4, 12, 28, 7]);
    expect(parts("2025-12-29T01:00:00+02:00")).toEqual([2025, 4, 12, 28, 7]);
    expect(parts("0050-06-15")).toEqual([50, 2, 6, 15, 3]);
  });

  it("counts complete days, months and years", () => {
    expect(difference("days", "2026-01-31", "2026-02-01")).toBe(1);
    expect(difference("days", "2026-01-31T12:00:00Z", "2026-02-01T11:59:59.999Z")).toBe(0);
    expect(difference("days", "2024-02-28", "2024-03-01")).toBe(2);
    expect(difference("months", "2026-01-31", "2026-02-28")).toBe(1);
    expect(difference("months", "2026-01-31", "2026-02-27")).toBe(0);
    expect(difference("months", "2026-01-31", "2026-03-30")).toBe(1);
    expect(difference("months", "2026-01-31", "2026-03-31")).toBe(2);
    expect(difference("months", "2024-01-31", "2024-02-29")).toBe(1);
    expect(difference("months", "2026-01-15T10:00:00Z", "2026-02-15T09:59:59Z")).toBe(0);
    expect(difference("months", "2025-12-31", "2027-01-01")).toBe(12);
    expect(difference("years", "2024-02-29", "2025-02-28")).toBe(1);
    expect(difference("years", "2024-02-29", "2025-02-27")).toBe(0);
    expect(difference("years", "2000-06-15", "2026-06-14")).toBe(25);
    expect(difference("years", "0001-01-01", "9999-12-31")).toBe(9998);
  });

  it("changes only the sign when the dates are swapped", () => {
    expect(difference("months", "2026-02-28", "2026-01-31")).toBe(-1);
    for (const unit of Calendar.UNITS) expect(difference(unit, "2026-02-27", "2026-02-26T12:00:00Z")).toBe(0);
    fc.assert(
      fc.property(moment, moment, fc.constantFrom(...Calendar.UNITS), (a, b, unit) => {
        expect(Calendar.difference(unit, a, b)).toBe(-Calendar.difference(unit, b, a) + 0);
      }),
    );
  });

  it("counts as many months as can be added without passing the later date", () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [earlier, later] = a < b ? [a, b] : [b, a];
        const months = Calendar.difference("months", earlier, later);
        expect(Calendar.addMonths(earlier, months)).toBeLessThanOrEqual(later);
        expect(Calendar.addMonths(earlier, months + 1)).toBeGreaterThan(later);
        expect(Calendar.difference("years", earlier, later)).toBe(Math.floor(months / 12));
      }),
    );
  });
});
