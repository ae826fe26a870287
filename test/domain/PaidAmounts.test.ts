/** What payments report: amounts of any currency, never negative, or nothing. */
import { Either, Schema } from "effect";
import { Currency, PaidAmounts } from "quittance";
import { describe, expect, it } from "vitest";

const decode = Schema.decodeUnknownEither(PaidAmounts.PaidAmount);

describe("an amount that a payment reports", () => {
  it.each([[{ amount: 0, currency: "JPY" }], [{ amount: Number.MAX_SAFE_INTEGER, currency: "EUR" }]])(
    "%j is taken as it is",
    (given) => {
      expect(decode(given)).toEqual(Either.right(given));
    },
  );

  it.each([
    [{ amount: -1, currency: "EUR" }, "must be a whole number from 0 to 9007199254740991"],
    [{ amount: 0.5, currency: "EUR" }, "must be a whole number from 0 to 9007199254740991"],
    [{ amount: 2 ** 53, currency: "EUR" }, "must be a whole number from 0 to 9007199254740991"],
    [{ amount: 1, currency: "XAU" }, "must be an ISO 4217 currency code, such as EUR"],
    [{ amount: 1 }, "is missing"],
  ])("%j is refused", (given, problem) => {
    expect(Either.isLeft(decode(given)) && String(decode(given))).toContain(problem);
  });
});

describe("what is reported", () => {
  it("has a field for what was stated, and none for null", () => {
    const fee = { amount: 3, currency: Currency.Currency.make("EUR") };
    expect(PaidAmounts.amountsOf({ fee, received: null })).toEqual({ fee });
    expect(PaidAmounts.amountsOf({})).toEqual({});
  });
});
