import { Either, Schema } from "effect";
import { EffectiveDate } from "quittance";
import { describe, expect, it } from "vitest";

describe("the date from which a statement holds", () => {
  it.each([
    ["2026-07-01", "UTC", "2026-07-01T00:00:00.000Z"],
    ["2026-07-01", "Europe/Berlin", "2026-06-30T22:00:00.000Z"],
    ["2026-01-01", "America/New_York", "2026-01-01T05:00:00.000Z"],
    // The clock skips midnight, and in Samoa a whole day.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["1970-01-01", "Pacific/Kiritimati", "1970-01-01T10:40:00.000Z"],
  ])("of %s in %s is its first instant", (date, zone, moment) => {
    expect(new Date(EffectiveDate.startOfDate(zone, date)).toISOString()).toBe(moment);
  });

  it("is a moment or a day, from 1970 on", () => {
    const problem = (request: EffectiveDate.EffectiveDate) =>
      Either.match(EffectiveDate.checkEffectiveDate(request), {
        onLeft: ({ message }) => message,
        onRight: () => null,
      });
    expect(problem({})).toBe(null);
    expect(problem({ effectiveDatetime: -1 })).toBe(null);
    expect(problem({ effectiveDatetime: null, effectiveOn: "1970-01-01" })).toBe(null);
    expect(problem({ effectiveDatetime: 0, effectiveOn: null })).toBe(null);
    expect(problem({ effectiveOn: "1969-12-31" })).toBe("effective_on: must be 1970-01-01 or later");
    expect(problem({ effectiveDatetime: 0, effectiveOn: "2026-01-01" })).toBe(
      "effective_on: must not be given together with effective_datetime",
    );
  });

  it("has a day in the form of a calendar date", () => {
    const decode = Schema.decodeUnknownEither(Schema.Struct(EffectiveDate.effectiveDate("from then on")));
    expect(decode({ effective_on: "2026-02-28" })).toEqual(Either.right({ effectiveOn: "2026-02-28" }));
    for (const wrong of ["2026-02-30", "2026-2-3", "2026-02-28T00:00:00Z", 5])
      expect(Either.isLeft(decode({ effective_on: wrong }))).toBe(true);
  });
});
