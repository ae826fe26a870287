import { expect, it } from "@effect/vitest";
import fc from "fast-check";
import { Currency } from "quittance";
import { describe } from "vitest";
import * as Wording from "../../adapters/pdf/Wording.ts";

const currency = fc.constantFrom("EUR", "JPY", "KWD", "CLF").map((code) => Currency.Currency.make(code));

describe("amounts", () => {
  it("are the exact amount with commas between thousands", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (smallestUnits, code) => {
        const written = Wording.amount(smallestUnits, code);
        expect(written).toMatch(/^-?\d{1,3}(,\d{3})*(\.\d+)?$/);
        expect(written.replaceAll(",", "")).toBe(Currency.formatAmount(smallestUnits, code));
      }),
    );
  });

  it("have no sign at zero", () => {
    expect(Wording.amount(-0, Currency.Currency.make("EUR"))).toBe("0.00");
  });
});

it("rates have no trailing zeros", () => {
  expect([0, 5, 50, 700, 775, 2_500, 10_000].map(Wording.rate)).toEqual([
    "0%",
    "0.05%",
    "0.5%",
    "7%",
    "7.75%",
    "25%",
    "100%",
  ]);
});

it("days are counted in UTC, over leap days and changes of clocks", () => {
  const due = (from: string, days: number) => Wording.date(Wording.daysLater(Date.parse(from), days));
  expect(due("2028-02-28T23:59:59.999Z", 1)).toBe("2028-02-29");
  expect(due("2026-03-28T23:30:00Z", 2)).toBe("2026-03-30");
  expect(due("2026-01-31T00:00:00Z", 0)).toBe("2026-01-31");
});

it("account numbers are grouped whatever spaces they have", () => {
  expect(Wording.iban("DK50 00400440116243")).toBe("DK50 0040 0440 1162 43");
  expect(Wording.iban("NO9386011117947")).toBe("NO93 8601 1117 947");
});

it("an unknown country is shown as its code", () => {
  expect([Wording.country("DK"), Wording.country("AQ"), Wording.country("QX")]).toEqual([
    "Denmark",
    "Antarctica",
    "QX",
  ]);
});
