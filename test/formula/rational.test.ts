import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Rational from "../../src/formula/Rational.ts";

const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const rational = fc
  .tuple(integer, fc.bigInt({ min: 1n, max: 10n ** 20n }))
  .map(([numerator, denominator]) => Rational.make(numerator, denominator));

const same = (left: Rational.Rational, right: Rational.Rational): boolean =>
  left.numerator * right.denominator === right.numerator * left.denominator;

describe("Rational", () => {
  it("adds, multiplies and divides as fractions do", () => {
    fc.assert(
      fc.property(rational, rational, rational, (a, b, c) => {
        expect(same(Rational.add(a, b), Rational.add(b, a))).toBe(true);
        expect(same(Rational.add(Rational.add(a, b), c), Rational.add(a, Rational.add(b, c)))).toBe(true);
        expect(same(Rational.subtract(Rational.add(a, b), b), a)).toBe(true);
        const distributed = Rational.add(Rational.multiply(a, b), Rational.multiply(a, c));
        expect(same(Rational.multiply(a, Rational.add(b, c)), distributed)).toBe(true);
        const quotient = Rational.divide(a, b);
        if (b.numerator === 0n) expect(quotient).toBeUndefined();
        else expect(quotient !== undefined && same(Rational.multiply(quotient, b), a)).toBe(true);
        if (quotient !== undefined) expect(quotient.denominator > 0n).toBe(true);
      }),
    );
  });

  it("orders numbers by the sign of their difference", () => {
    fc.assert(
      fc.property(rational, rational, (a, b) => {
        expect(Rational.compare(a, b)).toBe(Rational.sign(Rational.subtract(a, b)));
        expect(Rational.compare(a, b) + Rational.compare(b, a)).toBe(0);
      }),
    );
  });

  it("formats integers, finite decimals and fractions exactly", () => {
    const written = (numerator: bigint, denominator: bigint): string =>
      Rational.format(Rational.make(numerator, denominator));
    expect(written(42n, 1n)).toBe("42");
    expect(written(-84n, 2n)).toBe("-42");
    expect(written(0n, 7n)).toBe("0");
    expect(written(1896n, 100n)).toBe("18.96");
    expect(written(-3n, 40n)).toBe("-0.075");
    expect(written(1n, 3n)).toBe("1/3");
    expect(written(12000010n, 6n)).toBe("6000005/3");
    expect(written(-1n, 1024n)).toBe("-0.0009765625");
  });

  it("parses what it formats", () => {
    fc.assert(
      fc.property(rational, (value) => {
        const back = Rational.parse(Rational.format(value));
        expect(back !== null && same(back, value)).toBe(true);
      }),
    );
  });

  it.each(["", "-", "1.", ".5", "1/", "1/0", "a", "1e3", " 1", "1/2/3"])(
    "parses no other text: %j",
    (text) => {
      expect(Rational.parse(text)).toBeNull();
    },
  );

  it("formats a finite decimal without zeros at its end", () => {
    fc.assert(
      fc.property(integer, fc.integer({ min: 0, max: 20 }), (numerator, decimals) => {
        const text = Rational.format(Rational.make(numerator, 10n ** BigInt(decimals)));
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
      }),
    );
  });

  it("finds common divisors and multiples", () => {
    expect(Rational.greatestCommonDivisor(-12n, 18n)).toBe(6n);
    expect(Rational.greatestCommonDivisor(0n, 5n)).toBe(5n);
    expect(Rational.leastCommonMultiple(4n, 6n)).toBe(12n);
    expect(Rational.leastCommonMultiple(100n, 100n)).toBe(100n);
  });
});
