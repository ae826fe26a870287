import { expect, it } from "vitest";
import * as Figures from "../../../src/domain/sentences/Figures.ts";

it.each([
  ["1234567", "smallest", 2, "12,345.67"],
  ["5", "smallest", 2, "0.05"],
  ["0", "smallest", 2, "0.00"],
  ["-599", "smallest", 2, "−5.99"],
  ["598.5", "smallest", 2, "5.985"],
  ["1551000", "smallest", 0, "1,551,000"],
  ["15390", "smallest", 3, "15.390"],
  ["10000/3", "smallest", 2, "about 33.3333"],
  ["-1/3", "number", 2, "about −0.3333"],
  ["0.075", "rate", 2, "7.5 %"],
  ["0", "rate", 2, "0 %"],
  ["1.25", "rate", 2, "125 %"],
  ["12.50", "number", 2, "12.5"],
] as const)("writes %s as %s with %d decimals as %s", (text, unit, decimals, written) => {
  expect(Figures.writer(decimals)(text, unit)).toBe(written);
});

it.each([
  ["2026-03-05", "5 March 2026"],
  ["2026-03-05T00:00:00.000Z", "5 March 2026"],
  ["2026-03-05T14:30:00.000Z", "5 March 2026, 14:30 UTC"],
])("writes the date %s as %s", (text, written) => {
  expect(Figures.date(text)).toBe(written);
});

it("writes a range of one day as that day, and a longer one with both ends", () => {
  expect(Figures.days("2026-01-31", "2026-01-31")).toBe("on 31 January 2026");
  expect(Figures.days("2026-01-01", "2026-01-31")).toBe("from 1 January 2026 to 31 January 2026");
});

it.each([
  [null, "nothing"],
  [true, "yes"],
  [false, "no"],
  ["DE", "“DE”"],
])("writes the value %s as %s", (value, written) => {
  expect(Figures.plain(value)).toBe(written);
});

it.each([
  ["order_value", "order value"],
  ["net-price", "net price"],
  ["a.b", "a b"],
  ["_", "_"],
])("writes the name %s as %s", (name, written) => {
  expect(Figures.words(name)).toBe(written);
});
