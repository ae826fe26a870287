import { expect, it } from "vitest";
import { cell } from "../../adapters/http/wire/Csv.ts";

it.each(["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠SUM(1)"])(
  "the free text %j begins with an apostrophe, because a spreadsheet would take it for a formula",
  (text) => {
    expect(cell(text).replace(/^"/, "").startsWith("'")).toBe(true);
  },
);

it("other free text is unchanged, and quoted where it must be", () => {
  expect([cell("order-1"), cell("1-2"), cell('5" nail'), cell("a,b")]).toEqual([
    "order-1",
    "1-2",
    '"5"" nail"',
    '"a,b"',
  ]);
});
