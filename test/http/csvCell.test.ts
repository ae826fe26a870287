import { expect, it } from "vitest";
import * as Console from "../../adapters/console/data/Csv.ts";
import { cell } from "../../adapters/http/wire/Csv.ts";

const FORMULAS = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠SUM(1)"];

it.each(FORMULAS)(
  "the free text %j begins with an apostrophe, because a spreadsheet would take it for a formula",
  (text) => {
    expect(cell(text).replace(/^"/, "").startsWith("'")).toBe(true);
  },
);

it.each([
  ["INV;=1+1", `"INV;'=1+1"`],
  ["INV;-1", `"INV;'-1"`],
  ["INV\t@SUM(1)", `"INV\t'@SUM(1)"`],
  ["INV\n+1", `"INV\n'+1"`],
  ["INV\r\n+1", `"INV\r'\n'+1"`],
  ["INV; =1+1", `"INV;' =1+1"`],
  ['INV;"=1+1"', `"INV;'""=1+1"""`],
  ["a;b;=c;=d", `"a;b;'=c;'=d"`],
])(
  "the free text %j is no formula for a program that splits at semicolons, tabs or lines",
  (text, written) => {
    expect(cell(text)).toBe(written);
  },
);

it("other free text is unchanged, and quoted where it must be", () => {
  expect(["order-1", "1-2", '5" nail', "a,b", "a; b-c"].map(cell)).toEqual([
    "order-1",
    "1-2",
    '"5"" nail"',
    '"a,b"',
    '"a; b-c"',
  ]);
});

it("the console writes text as the server does, and numbers as numbers", () => {
  const texts = [...FORMULAS, "INV;=1+1", 'INV;"=1+1"', "INV\n+1", "order-1", '5" nail', "a,b"];
  expect(texts.map(Console.cell)).toEqual(texts.map(cell));
  expect([-10_094, { decimal: "-100.94" }].map(Console.cell)).toEqual(["-10094", "-100.94"]);
});

it("the console's files begin with a byte order mark", () => {
  expect(Console.csv([["Net"], [{ decimal: "-100.94" }]])).toBe("\ufeffNet\r\n-100.94\r\n");
});
