import { Either, Schema } from "effect";
import { Currency, TaxCurrency } from "quittance";
import { describe, expect, it } from "vitest";

const currency = (code: string) => Currency.Currency.make(code);
const [EUR, DKK] = [currency("EUR"), currency("DKK")];
const rateOf = (date: string, rate = "7.4604", code = "EUR") => ({
  ...{ currency: currency(code), date, rate, source: "Danmarks Nationalbank" },
});
const into = (code: string, rate: string): TaxCurrency.Conversion => ({
  ...{ currency: currency(code), rate, date: "2026-02-02", source: "Central bank" },
});

describe("tax in the national currency", () => {
  it.each([
    // 0.05 × 7.1 = 0.355, 0.05 × 7.3 = 0.365: rounded once, half away from zero, with either sign.
    [5n, "EUR", "DKK", "7.1", 36n],
    [5n, "EUR", "DKK", "7.3", 37n],
    [-5n, "EUR", "DKK", "7.1", -36n],
    [2_500n, "EUR", "DKK", "7.4604", 18_651n],
    // To a rate of four decimals first, 0.00525 would be 0.0053.
    [100_000n, "JPY", "GBP", "0.00525", 52_500n],
    [2_988n, "EUR", "CLP", "1012", 30_239n],
    [12_345n, "KWD", "EUR", "2.9", 3_580n],
    [0n, "EUR", "DKK", "7.4604", 0n],
    [9_007_199_254_740_991n, "EUR", "DKK", "1.000000001", 9_007_199_263_748_190n],
  ])("of %s in %s is in %s at %s: %s", (tax, from, to, rate, expected) => {
    expect(TaxCurrency.convert(tax, currency(from), into(to, rate))).toBe(expected);
  });

  it("is described by its rate, who published it, and the date", () => {
    expect(TaxCurrency.describe(EUR, into("DKK", "7.4604"))).toBe(
      "1 EUR = 7.4604 DKK (Central bank, 2026-02-02)",
    );
  });
});

describe("the rate for a document", () => {
  const rates = [
    rateOf("2026-02-02", "7.2"),
    rateOf("2026-01-05", "7.1"),
    rateOf("2026-02-02", "1.1", "USD"),
  ];
  const on = (day: string, code = "EUR", taxCurrency: Currency.Currency | null = DKK) =>
    TaxCurrency.conversionOn(
      { ...(taxCurrency === null ? {} : { taxCurrency }), exchangeRates: rates },
      currency(code),
      day,
    );

  it("is the latest that is not after its day and at most 31 days old", () => {
    const rateOn = (day: string, code?: string) =>
      Either.map(on(day, code), (found) => found && [found.currency, found.rate, found.date]);
    expect(rateOn("2026-01-05")).toEqual(Either.right(["DKK", "7.1", "2026-01-05"]));
    expect(rateOn("2026-02-01")).toEqual(Either.right(["DKK", "7.1", "2026-01-05"]));
    expect(rateOn("2026-02-02")).toEqual(Either.right(["DKK", "7.2", "2026-02-02"]));
    expect(rateOn("2026-02-02", "USD")).toEqual(Either.right(["DKK", "1.1", "2026-02-02"]));
    expect(rateOn("2026-03-05")).toEqual(Either.right(["DKK", "7.2", "2026-02-02"]));
  });

  it("is missing before the first and 32 days after the last: the message names the currencies and the days", () => {
    expect(on("2026-01-04")).toEqual(
      Either.left(
        "billing_profile.exchange_rates has no rate of EUR dated 2025-12-04 to 2026-01-04, which the VAT in DKK needs",
      ),
    );
    expect(Either.isLeft(on("2026-03-06"))).toBe(true);
    expect(Either.isLeft(on("2026-02-02", "SEK"))).toBe(true);
  });

  it("is not needed in the national currency, and where none is stated", () => {
    expect(on("2020-01-01", "DKK")).toEqual(Either.right(null));
    expect(on("2020-01-01", "EUR", null)).toEqual(Either.right(null));
  });
});

describe("a table of rates", () => {
  const stated = (...exchangeRates: ReadonlyArray<TaxCurrency.ExchangeRate>) => ({
    ...{ taxCurrency: DKK, exchangeRates },
  });

  it("has one rate for each currency and date, none of the tax currency, and none without one", () => {
    expect(TaxCurrency.ratesProblem({})).toBeNull();
    expect(TaxCurrency.ratesProblem(stated(rateOf("2026-02-02"), rateOf("2026-02-03")))).toBeNull();
    expect(TaxCurrency.ratesProblem(stated(rateOf("2026-02-02"), rateOf("2026-02-02", "7.5")))).toEqual({
      ...{ path: ["exchange_rates", 1, "currency"], message: "must not have two rates for 2026-02-02" },
    });
    expect(TaxCurrency.ratesProblem(stated(rateOf("2026-02-02", "1", "DKK")))).toEqual({
      ...{ path: ["exchange_rates", 0, "currency"], message: "must not be DKK, the tax_currency" },
    });
    expect(TaxCurrency.ratesProblem({ exchangeRates: [rateOf("2026-02-02")] })).toEqual({
      ...{ path: ["tax_currency"], message: "is required with exchange_rates" },
    });
  });

  it("has rates above 0 as text, and a tax currency that e-invoices can state", () => {
    const isRate = (rate: unknown) =>
      Schema.is(TaxCurrency.ExchangeRate)({ ...rateOf("2026-02-02"), rate: rate as string });
    for (const rate of ["7.4604", "1", "0.000000001", "999999999.999999999"]) expect(isRate(rate)).toBe(true);
    for (const rate of ["0", "0.0", "-1", "1.", ".5", "1e3", "1,5", "", "1.0000000001", "1234567890", 7.46])
      expect(isRate(rate), String(rate)).toBe(false);
    const isTaxCurrency = Schema.is(TaxCurrency.TaxCurrency);
    expect(["DKK", "HUF", "JPY"].map((code) => isTaxCurrency(code))).toEqual([true, true, true]);
    expect(["KWD", "BGN", "STN", "XXX"].map((code) => isTaxCurrency(code))).toEqual([
      ...[false, false, false, false],
    ]);
  });
});
