import { Either } from "effect";
import fc from "fast-check";
import { decimalOf, isPropertyNumber } from "quittance/formula";
import { describe, expect, it } from "vitest";
import * as Decimal from "../../src/formula/Decimal.ts";

const reason = (value: Either.Either<Decimal.Decimal, string>): string =>
  Either.match(value, { onLeft: (message) => message, onRight: () => "accepted" });

describe("Decimal", () => {
  it("reads a double as the shortest decimal that parses to the same double", () => {
    expect(Decimal.fromNumber(0.1)).toEqual({ coefficient: 1n, decimals: 1 });
    expect(Decimal.fromNumber(1.005)).toEqual({ coefficient: 1005n, decimals: 3 });
    expect(Decimal.fromNumber(-12.5)).toEqual({ coefficient: -125n, decimals: 1 });
    expect(Decimal.fromNumber(1e15)).toEqual({ coefficient: 10n ** 15n, decimals: 0 });
    expect(Decimal.fromNumber(1.5e-9)).toEqual({ coefficient: 15n, decimals: 10 });
    expect(Decimal.fromNumber(1e21)).toEqual({ coefficient: 10n ** 21n, decimals: 0 });
    expect(Decimal.fromNumber(2 ** 53)).toStrictEqual({ coefficient: 2n ** 53n, decimals: 0 });
    expect(Decimal.fromNumber(1.5e21)).toStrictEqual({ coefficient: 15n * 10n ** 20n, decimals: 0 });
    expect(Decimal.fromNumber(-0)).toEqual({ coefficient: 0n, decimals: 0 });
    expect(Decimal.fromNumber(0.1 + 0.2)).toEqual({ coefficient: 30000000000000004n, decimals: 17 });
  });

  it("is lossless: the decimal parses to the double it was read from", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        const { coefficient, decimals } = Decimal.fromNumber(value);
        expect(Number(`${coefficient}e-${decimals}`) + 0).toBe(value + 0);
      }),
    );
  });

  it("counts the digits between the first and the last that is not zero", () => {
    expect(Decimal.significantDigits({ coefficient: 1200n, decimals: 0 })).toBe(2);
    expect(Decimal.significantDigits({ coefficient: -305n, decimals: 4 })).toBe(3);
  });

  it("accepts the numbers a property may hold", () => {
    for (const value of [0, -0, 12000, 0.1 + 0.2, 1e15, -1e15, 1e-20, 123456789.1234567])
      expect(isPropertyNumber(value), String(value)).toBe(true);
    expect(Either.getOrThrow(decimalOf(12.34))).toEqual({ coefficient: 1234n, decimals: 2 });
  });

  it("refuses all other numbers and states the reason", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number("1e400")])
      expect(reason(decimalOf(value))).toBe("must be a finite number");
    for (const value of [1e15 + 1, -1e16])
      expect(reason(decimalOf(value))).toContain("between -10^15 and 10^15");
    for (const value of [1e-21, 1.5e-20, 1 / 81_000])
      expect(reason(decimalOf(value))).toBe("must have at most 20 decimals");
  });

  it("accepts literals of 15 significant digits and 12 decimals, and no more", () => {
    for (const value of [123456789012345, 0.123456789012, 1e15, 1e-12, -999.999999999999])
      expect(reason(Decimal.fromLiteral(value)), String(value)).toBe("accepted");
    expect(reason(Decimal.fromLiteral(12_345.6789 + 1e-11))).toContain("15 significant digits");
    expect(reason(Decimal.fromLiteral(1234567890123456 / 10))).toContain("15 significant digits");
    expect(reason(Decimal.fromLiteral(1e-13))).toBe("must have at most 12 decimals");
    expect(reason(Decimal.fromLiteral(1.1e15))).toContain("10^15");
  });
});
