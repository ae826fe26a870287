/** The calendar days of time zones, compared with another implementation of the IANA database. */
import { PGlite } from "@electric-sql/pglite";
import { TimeZone } from "quittance";
import { afterAll, describe, expect, it } from "vitest";
import { sized } from "../support/profile.ts";

const DAY = 86_400_000;

/** Zones with offsets of all sizes, a day that was left out, days that begin late, and changes just after midnight. */
const ZONES = [
  ...["UTC", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Kwajalein"],
  ...["America/Sao_Paulo", "America/St_Johns", "Asia/Beirut", "Africa/Monrovia", "Australia/Lord_Howe"],
  ...["America/Havana", "Asia/Pyongyang", "Antarctica/Troll", "Atlantic/Azores", "Asia/Gaza"],
];

const database = new PGlite();
afterAll(() => database.close());

/** The days of moments in a zone, by PostgreSQL, which has the database of time zones from elsewhere. */
const daysByPostgres = async (
  zone: string,
  moments: ReadonlyArray<number>,
): Promise<ReadonlyArray<number>> => {
  const { rows } = await database.query<{ readonly day: number }>(
    `select (to_timestamp(m / 1000.0) at time zone $1)::date - date '1970-01-01' as day
     from unnest($2::bigint[]) with ordinality as r(m, place) order by place`,
    [zone, moments],
  );
  return rows.map(({ day }) => day);
};

describe.each(ZONES)("the days of %s", (zone) => {
  const start = Date.UTC(1970, 0, 3);
  const end = Date.UTC(2037, 11, 31);

  it("are those of PostgreSQL, for moments of 67 years", async () => {
    const step = sized(10, 4, 1) * 423_737_000;
    const moments = Array.from(
      { length: Math.ceil((end - start) / step) },
      (_, index) => start + index * step,
    );
    expect(moments.map((at) => TimeZone.dayIn(zone, at))).toEqual(await daysByPostgres(zone, moments));
  });

  it("begin at their first second, and at no earlier one", async () => {
    const step = sized(270, 108, 27);
    const days = Array.from({ length: Math.floor(24_300 / step) }, (_, index) => start / DAY + step * index);
    const known = [
      ...["2011-12-29", "2011-12-30", "2011-12-31", "1993-08-21", "2018-11-04", "2018-02-18", "2024-03-31"],
      ...["2010-11-07", "2006-10-29", "1972-01-07", "1994-12-31", "2012-03-30"],
    ].map((text) => Date.parse(text) / DAY);
    const all = [...days, ...known];
    const starts = all.map((day) => TimeZone.startOfDay(zone, day));
    const [at, before] = await Promise.all([
      daysByPostgres(zone, starts),
      daysByPostgres(
        zone,
        starts.map((moment) => moment - 1_000),
      ),
    ]);
    for (const [index, day] of all.entries()) {
      // A day that was left out begins with the next one.
      expect(at[index], new Date(day * DAY).toISOString()).toBeGreaterThanOrEqual(day);
      expect(before[index], new Date(day * DAY).toISOString()).toBeLessThan(day);
    }
    const leftOut = new Set(all.filter((day, index) => at[index] !== day));
    expect(leftOut.size).toBeLessThanOrEqual(1);
  });
});

it("the day that Samoa left out begins with the day after it", () => {
  const day = (text: string) => Date.parse(text) / DAY;
  const [left, next] = ["2011-12-30", "2011-12-31"].map((text) =>
    TimeZone.startOfDay("Pacific/Apia", day(text)),
  );
  expect(left).toBe(next);
  expect(TimeZone.dayIn("Pacific/Apia", (left ?? 0) - 1)).toBe(day("2011-12-29"));
});
