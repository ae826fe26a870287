import { CurrencyCodes } from "quittance";
import { expect, it } from "vitest";

it("the currencies are those of ISO 4217 with a smallest unit, each with its decimals", () => {
  const { DECIMALS } = CurrencyCodes;
  expect([...DECIMALS.keys()].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
  expect(["EUR", "JPY", "KWD", "CLF"].map((code) => DECIMALS.get(code))).toEqual([2, 0, 3, 4]);
  expect(["XAU", "XXX", "DEM"].filter((code) => DECIMALS.has(code))).toEqual([]);
});
