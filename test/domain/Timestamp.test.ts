import { Schema } from "effect";
import * as fc from "fast-check";
import { Timestamp } from "quittance";
import { describe, expect, it } from "vitest";

describe("a moment", () => {
  it.each([
    ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00:00.123456+02:00", "2026-01-31T08:00:00.123Z"],
    ["2024-02-29t23:59:59.9-00:30", "2024-03-01T00:29:59.900Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("reads %s", (text, expected) => {
    const parsed = Timestamp.parse(text);
    expect(parsed === null ? null : Timestamp.format(parsed)).toBe(expected);
  });

  it.each([
    "2026-01-31",
    "2026-01-31T10:00:00",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-06-30T23:59:60Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "10000-01-01T00:00:00Z",
    "2026-01-31 10:00:00Z",
    "2026-01-31T10:00Z",
    "2026-04-31T00:00:00Z",
    "2026-06-00T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-01-31T10:60:00Z",
    "2026-01-31T10:00:00+24:00",
    "2026-01-31T10:00:00+10:60",
    "9999-12-31T23:59:59-00:01",
    "",
  ])("refuses %s", (text) => expect(Timestamp.parse(text)).toBe(null));

  it("is read from the text that it is written as", () => {
    const range = { min: -62135596800000, max: 253402300799999 };
    fc.assert(
      fc.property(fc.integer(range), (moment) => Timestamp.parse(Timestamp.format(moment)) === moment),
    );
  });
});

describe("a moment as text", () => {
  it("is the date and time of the calendar in UTC, on every day that can be written", () => {
    const day = 86_400_000;
    const wrong: Array<number> = [];
    for (
      let moment = Date.parse("0001-01-01T00:00:00Z");
      moment <= Date.parse("9999-12-31T00:00:00Z");
      moment += 7 * day
    ) {
      if (Timestamp.format(moment) !== new Date(moment).toISOString()) wrong.push(moment);
    }
    for (const year of [1, 4, 100, 400, 1600, 1900, 1999, 2000, 2024, 2100, 9999]) {
      const start = new Date(0).setUTCFullYear(year, 0, 1);
      for (let moment = start + 5 * 3_600_000 + 61_234; moment < start + 366 * day; moment += day) {
        if (
          moment <= Date.parse("9999-12-31T23:59:59.999Z") &&
          Timestamp.format(moment) !== new Date(moment).toISOString()
        ) {
          wrong.push(moment);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is decoded and encoded by the schema of the wire", () => {
    expect(Schema.decodeUnknownSync(Timestamp.DateTime)("1970-01-01T01:00:00+01:00")).toBe(0);
    expect(Schema.encodeSync(Timestamp.DateTime)(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(() => Schema.decodeUnknownSync(Timestamp.DateTime)("1970-01-01")).toThrow(
      "must be an RFC 3339 date-time with an offset or Z",
    );
  });
});
