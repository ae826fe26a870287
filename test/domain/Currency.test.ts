import { Schema } from "effect";
import { Currency } from "quittance";
import { describe, expect, it } from "vitest";

const currency = Schema.decodeSync(Currency.Currency);

describe("a currency", () => {
  it.each([
    ["EUR", -123450, "-1234.50"],
    ["JPY", 1234, "1234"],
    ["KWD", 5, "0.005"],
    ["CLF", 12_345, "1.2345"],
    ["EUR", 0, "0.00"],
    ["EUR", -5, "-0.05"],
    ["JPY", -5, "-5"],
    ["EUR", 10n ** 20n, "1000000000000000000.00"],
  ])("writes %s with its own decimals", (code, amount, expected) => {
    expect(Currency.formatAmount(amount, currency(code))).toBe(expected);
  });

  it.each(["eur", "XXX", "XAU", "EURO", ""])("cannot be %s", (code) => {
    expect(Schema.is(Currency.Currency)(code)).toBe(false);
    expect(() => Schema.decodeUnknownSync(Currency.Currency)(code)).toThrow(
      "must be an ISO 4217 currency code, such as EUR",
    );
  });

  it.each([
    ["EUR", 2],
    ["JPY", 0],
    ["KWD", 3],
    ["CLF", 4],
  ] as const)("%s has %i decimals", (code, decimals) => {
    expect(Currency.decimals(currency(code))).toBe(decimals);
  });
});
