/** Dates of files: what is written in a form is read as the same moment, and what could be two moments is refused. */
import { Either } from "effect";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asDateTime, asDay, type MomentFormat } from "../../../adapters/server/importing/Dates.ts";

const HOUR = 3_600_000;

/** Whole milliseconds from March 1973 to the year 2100, which every form can state. */
const MOMENT = fc.integer({ min: 100_000_000_000, max: Date.UTC(2100, 0) });

const two = (value: number): string => String(value).padStart(2, "0");
const isoOf = (moment: number): string => new Date(moment).toISOString();

/** An offset in minutes with a sign, and with a colon or without. */
const offsetText = (minutes: number, colon: string): string =>
  `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}${colon}${two(Math.abs(minutes) % 60)}`;

/** The day of a moment, with its numbers in an order. */
const orderedDay = (moment: number, form: string, sign: string, isPadded: boolean): string => {
  const date = new Date(moment);
  const [day, month] = [date.getUTCDate(), date.getUTCMonth() + 1].map((part) =>
    isPadded ? two(part) : String(part),
  );
  return [...(form === "day_first" ? [day, month] : [month, day]), date.getUTCFullYear()].join(sign);
};

const read = (text: string, format: MomentFormat = {}) => asDateTime(text, format);
const problemOf = (text: string, format: MomentFormat = {}): string => {
  const found = read(text, format);
  return Either.isLeft(found) ? found.left : `read as ${found.right}`;
};

describe("a date of a file", () => {
  it("in ISO form is the same moment with T or a blank, and with any way to write its offset", () => {
    fc.assert(
      fc.property(
        MOMENT,
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        fc.constantFrom("T", " "),
        fc.constantFrom("", " "),
        (moment, minutes, between, blank) => {
          const local = (offset: number) =>
            isoOf(moment + offset * 60_000)
              .replace("T", between)
              .slice(0, -1);
          const whole = minutes - (minutes % 60);
          const texts = [
            local(0),
            ...["Z", "UTC"].map((zone) => `${local(0)}${blank}${zone}`),
            ...[":", ""].map((colon) => `${local(minutes)}${blank}${offsetText(minutes, colon)}`),
            `${local(whole)}${blank}${offsetText(whole, "").slice(0, 3)}`,
          ];
          for (const text of texts) expect(read(text), text).toEqual(Either.right(isoOf(moment)));
        },
      ),
    );
  });

  it("in seconds or milliseconds since 1970 is the same moment, and is never read in the other unit", () => {
    fc.assert(
      fc.property(MOMENT, (moment) => {
        const seconds = Math.floor(moment / 1_000);
        expect(read(String(moment), { form: "epoch_milliseconds" })).toEqual(Either.right(isoOf(moment)));
        expect(read(String(seconds), { form: "epoch_seconds" })).toEqual(
          Either.right(isoOf(seconds * 1_000)),
        );
        expect(problemOf(String(seconds), { form: "epoch_milliseconds" })).toMatch(/^must be milliseconds/);
        expect(problemOf(String(moment), { form: "epoch_seconds" })).toMatch(/^must be seconds/);
      }),
    );
  });

  it("with its day or month first is read in the order that is stated, and in no other form", () => {
    fc.assert(
      fc.property(
        MOMENT,
        fc.constantFrom("day_first" as const, "month_first" as const),
        fc.constantFrom("/", ".", "-"),
        fc.boolean(),
        (moment, form, sign, isPadded) => {
          const day = orderedDay(moment, form, sign, isPadded);
          const date = isoOf(moment).slice(0, 10);
          expect(read(day, { form })).toEqual(Either.right(`${date}T00:00:00.000Z`));
          expect(asDay(day, { form })).toEqual(Either.right(date));
          const time = isoOf(moment).slice(11, 19);
          expect(read(`${day} ${time}`, { form })).toEqual(Either.right(`${date}T${time}.000Z`));
          expect(problemOf(day)).toMatch(/^must be a date like/);
          expect(problemOf(date, { form })).toMatch(/^must be a date with the/);
          const other = form === "day_first" ? "month_first" : "day_first";
          const exchanged = Either.map(read(day, { form: other }), (text) => text.slice(0, 10));
          const [year, month = "", dayOfMonth = ""] = date.split("-");
          if (Number(dayOfMonth) > 12) expect(Either.isLeft(exchanged)).toBe(true);
          else expect(exchanged).toEqual(Either.right(`${year}-${dayOfMonth}-${month}`));
        },
      ),
    );
  });
});

const ZONES = [
  ...["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"],
  ...["Antarctica/Troll", "Africa/Casablanca", "Pacific/Apia", "America/Sao_Paulo", "UTC"],
];

/** Every offset from UTC that a zone has had since 1973: multiples of a quarter of an hour. */
const OFFSETS = Array.from({ length: 4 * 28 + 1 }, (_, quarter) => (quarter / 4 - 14) * HOUR);

/** What the clocks of a zone show at moments. */
const clocksOf = (zone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", {
    ...({ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" } as const),
    ...({ hour: "2-digit", minute: "2-digit", second: "2-digit" } as const),
  });
  return (moment: number): string => format.format(moment).replace(",", "");
};

/** Moments within four hours of each change of the clocks of a zone from 2010 to 2026, and others. */
const momentsOf = (zone: string): fc.Arbitrary<number> => {
  const shown = clocksOf(zone);
  const offset = (moment: number) => Date.parse(`${shown(moment).replace(" ", "T")}Z`) - moment;
  const [from, to] = [Date.UTC(2010, 0), Date.UTC(2026, 0)];
  const changes: Array<number> = [];
  for (let moment = from; moment < to; moment += HOUR * 6)
    if (offset(moment) !== offset(moment + HOUR * 6)) changes.push(moment);
  const any = fc.integer({ min: from / 1_000, max: to / 1_000 }).map((seconds) => seconds * 1_000);
  if (changes.length === 0) return any;
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -4 * 3_600, max: 10 * 3_600 }))
    .map(([change, seconds]) => change + seconds * 1_000);
  return fc.oneof(any, near, near);
};

describe("a date without an offset in a stated time zone", () => {
  it.each(ZONES)(
    "is the one moment at which the clocks of %s show it, and is refused where they show it twice or never",
    (zone) => {
      const shown = clocksOf(zone);
      fc.assert(
        fc.property(momentsOf(zone), fc.integer({ min: -2, max: 2 }), (near, hours) => {
          const local = Date.parse(`${shown(near).replace(" ", "T")}Z`) + hours * HOUR;
          const text = isoOf(local).slice(0, 19).replace("T", " ");
          const moments = OFFSETS.map((offset) => local - offset).filter((moment) => shown(moment) === text);
          const [moment = 0] = moments;
          if (moments.length === 1)
            expect(read(text, { time_zone: zone })).toEqual(Either.right(isoOf(moment)));
          else expect(problemOf(text, { time_zone: zone })).toMatch(/show ".+" twice or never$/);
        }),
        { numRuns: 200 },
      );
    },
  );

  it.each(ZONES)("and without a time is the first moment of its day in %s", (zone) => {
    const shown = clocksOf(zone);
    fc.assert(
      fc.property(momentsOf(zone), (moment) => {
        const day = shown(moment).slice(0, 10);
        const begin = Date.parse(Either.getOrThrow(read(day, { time_zone: zone })));
        expect([shown(begin).slice(0, 10), shown(begin - 1_000).slice(0, 10) < day]).toEqual([day, true]);
      }),
      { numRuns: 50 },
    );
  });

  it("is refused where the clocks skip it or show it twice, and keeps an offset that it states", () => {
    const format = { time_zone: "Europe/Berlin" } as const;
    expect(problemOf("2026-03-29 02:30", format)).toBe(
      'must state its offset from UTC: the clocks of Europe/Berlin show "2026-03-29 02:30" twice or never',
    );
    expect(problemOf("2026-10-25 02:30:00", format)).toMatch(/twice or never/);
    expect(read("2026-10-25 02:30 +01:00", format)).toEqual(Either.right("2026-10-25T01:30:00.000Z"));
    expect(read("25.10.2026 14:05", { ...format, form: "day_first" })).toEqual(
      Either.right("2026-10-25T13:05:00.000Z"),
    );
  });
});

it.each<readonly [string, MomentFormat]>([
  ["2026-02-29", {}],
  ["2025-11-02 24:00:00", {}],
  ["2025-11-02 10:11:12 CET", {}],
  ["2025-11-02-05", {}],
  ["2025/11/02", {}],
  ["1762078272", {}],
  ["31/02/2026", { form: "day_first" }],
  ["02/11/25", { form: "day_first" }],
  ["2/11.2025", { form: "day_first" }],
  ["13/31/2026", { form: "month_first" }],
  ["1.76208E+12", { form: "epoch_milliseconds" }],
  ["1762078272.5", { form: "epoch_seconds" }],
  ["-100000000000", { form: "epoch_milliseconds" }],
])("%s is no date in the format %j", (text, format) => {
  expect(problemOf(text, format)).toBe(`${problemOf("", format).slice(0, -1)}${text}"`);
  expect(problemOf("", format)).toMatch(/^must be .+, not ""$/);
});

it("a day that has a time or an offset is no day alone", () => {
  for (const text of ["2026-01-31 10:00", "2026-01-31Z", "2026-02-30", "01/31/2026"])
    expect(asDay(text, {})).toEqual(Either.left(expect.stringContaining(`not "${text}"`)));
  expect(asDay("2026-01-31", {})).toEqual(Either.right("2026-01-31"));
});
