/** The periods of cadences: when they begin in a time zone, what they are called, and which one is next. */
import { Either, Schema } from "effect";
import { Cadence, TimeZone } from "quittance";
import { describe, expect, it } from "vitest";

const at = Date.parse;
const shown = ({ label, at }: Cadence.Period) => `${label} ${new Date(at).toISOString()}`;
const monthly = (day: number, timeZone = "Europe/Copenhagen") =>
  ({ type: "monthly", day, timeZone }) as const;

describe("the first instant of a local day", () => {
  const day = (text: string) => at(`${text}T00:00:00Z`) / 86_400_000;
  it.each([
    ["UTC", "2026-02-01", "2026-02-01T00:00:00.000Z"],
    ["Europe/Copenhagen", "2026-02-01", "2026-01-31T23:00:00.000Z"],
    ["Europe/Copenhagen", "2026-07-01", "2026-06-30T22:00:00.000Z"],
    ["Asia/Kathmandu", "2026-02-01", "2026-01-31T18:15:00.000Z"],
    ["Pacific/Kiritimati", "2026-02-01", "2026-01-31T10:00:00.000Z"],
    ["Pacific/Pago_Pago", "2026-02-01", "2026-02-01T11:00:00.000Z"],
    // The clock goes forward at midnight: the day begins at 01:00.
    ["Asia/Beirut", "2024-03-31", "2024-03-30T22:00:00.000Z"],
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    // The clock is set back at midnight, so that the hour before midnight occurs twice.
    ["America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00.000Z"],
    // The clock goes back one minute after midnight, into the day before.
    ["America/St_Johns", "2010-11-07", "2010-11-07T02:30:00.000Z"],
    // Samoa left the day out.
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
  ])("%s: %s begins at %s", (zone, text, expected) =>
    expect(new Date(TimeZone.startOfDay(zone, day(text))).toISOString()).toBe(expected),
  );
});

describe("the newest and the next period", () => {
  it.each([
    // Keyed by the local label: in UTC it is still January.
    [
      monthly(1),
      "2026-01-31T23:30:00Z",
      "2026-02 2026-01-31T23:00:00.000Z",
      "2026-03 2026-02-28T23:00:00.000Z",
    ],
    [
      monthly(1),
      "2026-01-31T22:59:59.999Z",
      "2026-01 2025-12-31T23:00:00.000Z",
      "2026-02 2026-01-31T23:00:00.000Z",
    ],
    [
      monthly(1),
      "2026-01-31T23:00:00Z",
      "2026-02 2026-01-31T23:00:00.000Z",
      "2026-03 2026-02-28T23:00:00.000Z",
    ],
    [
      monthly(1, "America/New_York"),
      "2026-02-01T01:00:00Z",
      "2026-01 2026-01-01T05:00:00.000Z",
      "2026-02 2026-02-01T05:00:00.000Z",
    ],
    [
      monthly(31, "UTC"),
      "2026-02-28T12:00:00Z",
      "2026-02 2026-02-28T00:00:00.000Z",
      "2026-03 2026-03-31T00:00:00.000Z",
    ],
    [
      monthly(29, "UTC"),
      "2028-02-29T00:00:00Z",
      "2028-02 2028-02-29T00:00:00.000Z",
      "2028-03 2028-03-29T00:00:00.000Z",
    ],
    [
      monthly(30, "UTC"),
      "2026-04-29T00:00:00Z",
      "2026-03 2026-03-30T00:00:00.000Z",
      "2026-04 2026-04-30T00:00:00.000Z",
    ],
    [
      monthly(15, "UTC"),
      "2026-01-02T00:00:00Z",
      "2025-12 2025-12-15T00:00:00.000Z",
      "2026-01 2026-01-15T00:00:00.000Z",
    ],
    [
      { type: "weekly", day: 1, timeZone: "UTC" },
      "2026-01-01T00:00:00Z",
      "2026-W01 2025-12-29T00:00:00.000Z",
      "2026-W02 2026-01-05T00:00:00.000Z",
    ],
    [
      { type: "weekly", day: 7, timeZone: "UTC" },
      "2027-01-03T00:00:00Z",
      "2026-W53 2027-01-03T00:00:00.000Z",
      "2027-W01 2027-01-10T00:00:00.000Z",
    ],
    [
      { type: "weekly", day: 7, timeZone: "UTC" },
      "2021-01-02T23:59:59Z",
      "2020-W52 2020-12-27T00:00:00.000Z",
      "2020-W53 2021-01-03T00:00:00.000Z",
    ],
    [
      { type: "quarterly", day: 1, timeZone: "UTC" },
      "2026-03-31T00:00:00Z",
      "2026-Q1 2026-01-01T00:00:00.000Z",
      "2026-Q2 2026-04-01T00:00:00.000Z",
    ],
    [
      { type: "quarterly", day: 31, timeZone: "UTC" },
      "2026-04-30T00:00:00Z",
      "2026-Q2 2026-04-30T00:00:00.000Z",
      "2026-Q3 2026-07-31T00:00:00.000Z",
    ],
    [
      { type: "quarterly", day: 15, timeZone: "UTC" },
      "2026-01-10T00:00:00Z",
      "2025-Q4 2025-10-15T00:00:00.000Z",
      "2026-Q1 2026-01-15T00:00:00.000Z",
    ],
  ] as ReadonlyArray<readonly [Cadence.Scheduled, string, string, string]>)(
    "%j at %s: %s, then %s",
    (cadence, now, newest, next) => {
      expect(shown(Cadence.newestPeriod(cadence, at(now)))).toBe(newest);
      expect(shown(Cadence.nextPeriod(cadence, at(now)))).toBe(next);
    },
  );

  it("skips a period that was run before", () => {
    const now = at("2026-03-03T00:00:00Z");
    expect(shown(Cadence.nextPeriod(monthly(15, "UTC"), now, "2026-03"))).toBe(
      "2026-04 2026-04-15T00:00:00.000Z",
    );
    expect(shown(Cadence.nextPeriod(monthly(15, "UTC"), now, "2026-02"))).toBe(
      "2026-03 2026-03-15T00:00:00.000Z",
    );
  });

  it("follows without gaps for years in a zone with summer time", () => {
    for (const type of ["weekly", "monthly", "quarterly"] as const) {
      const cadence = { type, day: 7, timeZone: "Europe/Copenhagen" };
      let period = Cadence.newestPeriod(cadence, at("2024-12-31T00:00:00Z"));
      const labels = new Set<string>();
      while (period.at < at("2028-01-01T00:00:00Z")) {
        labels.add(period.label);
        const next = Cadence.nextPeriod(cadence, period.at);
        expect(Cadence.newestPeriod(cadence, next.at)).toEqual(next);
        expect(Cadence.newestPeriod(cadence, next.at - 1)).toEqual(period);
        period = next;
      }
      expect(labels.size).toBe({ weekly: 157, monthly: 37, quarterly: 13 }[type]);
    }
  });
});

describe("a cadence on the wire", () => {
  const decode = Schema.decodeUnknownEither(Cadence.Cadence);
  it.each([
    "manual",
    { type: "weekly", day: 7, time_zone: "Europe/Copenhagen" },
    { type: "monthly", day: 31, time_zone: "UTC" },
    { type: "quarterly", day: 1, time_zone: "America/Argentina/Buenos_Aires" },
  ])("accepts %j", (given) => expect(Either.isRight(decode(given))).toBe(true));
  it.each([
    ["daily", "manual"],
    [{ type: "weekly", day: 8, time_zone: "UTC" }, "must be 1 (Monday) to 7"],
    [{ type: "monthly", day: 0, time_zone: "UTC" }, "day"],
    [{ type: "monthly", day: 1.5, time_zone: "UTC" }, "day"],
    [{ type: "monthly", day: 1 }, "time_zone"],
    [{ type: "monthly", day: 1, time_zone: "Europe/Kopenhagen" }, "must be an IANA time zone"],
    [{ type: "monthly", day: 1, time_zone: "+01:00" }, "must be an IANA time zone"],
    [{ type: "monthly", day: 1, time_zone: "" }, "must be an IANA time zone"],
    [{ type: "monthly", day: 1, time_zone: "x".repeat(65) }, "must be an IANA time zone"],
  ])("refuses %j", (given, message) => {
    const decoded = decode(given);
    expect(Either.isLeft(decoded) ? decoded.left.message : "").toContain(message);
  });
});
