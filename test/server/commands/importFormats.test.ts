/** `quittance import` with formats of columns and a filter: what it prints, and which mappings it refuses. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Effect, Redacted } from "effect";
import { afterEach, describe, expect, it } from "vitest";
import { database } from "../../support/postgres.ts";
import { folder, run } from "../running.ts";
import { prepare, writeSales } from "./Store.ts";

let here = folder();
afterEach(() => {
  here.remove();
  here = folder();
});

const IMPORT = ["import", "sales.csv", "--mapping", "mapping.json"];

const ended = async (args: ReadonlyArray<string>, url: string) => {
  const { ended: code, output, errors } = run(here.path, args, { DATABASE_URL: url });
  return { code: await code, output: output(), errors: errors() };
};

const write = (name: string, text: string) => writeFileSync(join(here.path, name), text);

const HEADER = "line_id;invoice_date;agent;genre;unit_price;quantity;status";
const line = (number: number, date: string, price: string, status = "paid") =>
  [number, date, "Ada Lind", "Rock", price, "1", status].join(";");

/** Writes a file, and a mapping that states how its columns are written. */
const writeFormatted = (prepared: Parameters<typeof writeSales>[1], lines: ReadonlyArray<string>) => {
  writeSales(here.path, prepared, 0);
  write("sales.csv", [HEADER, ...lines].join("\n"));
  const mapping = JSON.parse(readFileSync(join(here.path, "mapping.json"), "utf8"));
  const formatted = {
    ...mapping,
    only: { status: ["paid"] },
    occurred_at: { column: "invoice_date", date: { form: "day_first", time_zone: "Europe/Berlin" } },
    properties: {
      ...mapping.properties,
      unit_price: { column: "unit_price", number: { decimal: ",", currency: "€", factor: "0.01" } },
    },
  };
  write("mapping.json", JSON.stringify(formatted));
  return formatted;
};

/** Runs with a database that has the two agents. */
const withStore = (test: (url: string, prepared: Awaited<ReturnType<typeof prepare>>) => Promise<void>) =>
  Effect.gen(function* () {
    const url = Redacted.value(yield* database());
    const prepared = yield* Effect.promise(() => prepare(url));
    yield* Effect.promise(() => test(url, prepared));
  }).pipe(Effect.scoped, Effect.runPromise);

describe("an import with formats", () => {
  it("names each wrong row with its line, column and value, and stores nothing; then says what it left out", () =>
    withStore(async (url, prepared) => {
      const good = [line(1, "31.01.2026", "1.999,00 €"), line(2, "1/2/2026 10:30", "(50)")];
      const left = [line(3, "never", "free", "refunded"), line(4, "31.01.2026", "5", "")];
      const bad = [
        line(5, "01/31/2026", "5"),
        line(6, "2026-01-31", "5"),
        line(7, "26.10.2025 02:30", "5"),
        line(8, "31.01.2026", "5.00"),
        line(9, "31.01.2026", "$5"),
        `${line(10, "31.01.2026", "5", "refunded")};surplus`,
      ];
      writeFormatted(prepared, [...good, ...left, ...bad]);
      const refused = await ended(IMPORT, url);
      const dayFirst = "must be a date with the day first, like 31/01/2026 or 31.01.2026 12:00";
      const number = 'must be a number with the decimal sign ",", with € or no currency';
      expect(refused.errors.trimEnd().split("\n")).toEqual([
        `row 5 (line 6): column invoice_date ${dayFirst}, not "01/31/2026"`,
        `row 6 (line 7): column invoice_date ${dayFirst}, not "2026-01-31"`,
        'row 7 (line 8): column invoice_date must state its offset from UTC: the clocks of Europe/Berlin show "26.10.2025 02:30" twice or never',
        `row 8 (line 9): column unit_price ${number}, not "5.00"`,
        `row 9 (line 10): column unit_price ${number}, not "$5"`,
        "row 10 (line 11): it has 8 cells, the header has 7",
        "quittance: nothing was stored: 6 of 8 rows cannot be imported; correct them, or pass --skip-bad-rows",
      ]);
      expect([refused.code, refused.output]).toEqual([1, ""]);
      expect((await ended(["export", "attributions"], url)).output.trimEnd().split("\r\n")).toHaveLength(1);

      writeFormatted(prepared, [...good, ...left]);
      expect((await ended([...IMPORT, "--dry-run"], url)).output).toBe(
        "2 rows can be imported, 2 left out; nothing was stored\n",
      );
      expect((await ended(IMPORT, url)).output).toMatch(/^2 rows stored, 0 not stored, 2 left out \(.+\)\n$/);
      expect(JSON.parse((await ended([...IMPORT, "--json"], url)).output)).toEqual({
        ...{ rows: 2, bad: 0, left_out: 2, stored: 2, refused: 0 },
      });
      const { output } = await ended(["export", "attributions", "--format", "ndjson"], url);
      const stored = output
        .trimEnd()
        .split("\n")
        .map((text) => JSON.parse(text));
      expect(stored.map(({ occurred_at, properties }) => [occurred_at, properties.unit_price])).toEqual([
        ["2026-01-30T23:00:00.000Z", 19.99],
        ["2026-02-01T09:30:00.000Z", -0.5],
      ]);
    }));

  it("refuses a mapping whose filter has no column in the file", () =>
    withStore(async (url, prepared) => {
      const mapping = writeFormatted(prepared, []);
      write("mapping.json", JSON.stringify({ ...mapping, only: { state: "not_empty" } }));
      const { code, errors } = await ended(IMPORT, url);
      expect([code, errors]).toEqual([
        2,
        expect.stringContaining('mapping.json: sales.csv has no column "state"; it has line_id, '),
      ]);
    }));
});
