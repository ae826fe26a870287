import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Chunk, Effect, Stream } from "effect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "../../../adapters/server/importing/Rows.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "quittance-csv-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The item and the amount of each row, or its problem. */
const read = async (lines: ReadonlyArray<string>) => {
  const file = join(folder, "sales.csv");
  writeFileSync(file, lines.join("\n"));
  const rows = await Effect.runPromise(Stream.runCollect(rowsOf(file, "csv")));
  return Chunk.toReadonlyArray(rows).map(
    ({ line, problem, cell }) => problem ?? [line, cell("item"), cell("cents")],
  );
};

const MISQUOTED = expect.stringContaining("quotes inside a cell");

it("a quote inside a cell makes its row invalid, and never joins the lines up to the next quote", async () => {
  expect(await read(["id,item,cents", '1,5" nail,100', "2,glue,50", '3,7" nail,30', "4,saw,20"])).toEqual([
    MISQUOTED,
    [3, "glue", "50"],
    MISQUOTED,
    [5, "saw", "20"],
  ]);
});

it("text after the quotes of a cell makes its row invalid", async () => {
  expect(await read(["id,item,cents", '1,"nail"s,100', '2,"nail" "s",100', "3,saw,20"])).toEqual([
    MISQUOTED,
    MISQUOTED,
    [4, "saw", "20"],
  ]);
});

it("quotes around a cell may hold delimiters, ends of lines and doubled quotes, with spaces around them", async () => {
  expect(
    await read([
      "id;item;cents",
      '1;"5"" nail; long\r\nand thin";100\r',
      '2; "glue" ;50',
      '3;"";20',
      "4;;10",
    ]),
  ).toEqual([
    [2, '5" nail; long\r\nand thin', "100"],
    [4, " glue ", "50"],
    [5, "", "20"],
    [6, "", "10"],
  ]);
});

it.each([",", ";", "\t"])(
  "cells of any text are read wherever a chunk of the file ends; delimiter %j",
  async (delimiter) => {
    const texts = ["nail", '5" nail', `a${delimiter}b`, "two\nlines", "übergröße €", '"', "", "\r\n"];
    const cells = Array.from(
      { length: 20_000 },
      (_, index) => texts[(index * 7 + (index >> 3)) % texts.length] ?? "",
    );
    const quoted = cells.map((text, index) =>
      [index, `"${text.replaceAll('"', '""')}"`, index * 3].join(delimiter),
    );
    const found = await read([`\ufeff${["id", "item", "cents"].join(delimiter)}`, ...quoted]);
    expect(found.map((row) => (Array.isArray(row) ? row.slice(1) : row))).toEqual(
      cells.map((text, index) => [text, `${index * 3}`]),
    );
  },
);
