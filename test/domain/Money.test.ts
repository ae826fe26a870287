import * as fc from "fast-check";
import { Limits, Money } from "quittance";
import { describe, expect, it } from "vitest";

describe("an amount", () => {
  it("adds exactly beyond what a double holds", () => {
    const amounts = fc.array(fc.maxSafeInteger(), { maxLength: 50 });
    fc.assert(
      fc.property(
        amounts,
        (list) => Money.sum(list) === list.reduce((total, amount) => total + BigInt(amount), 0n),
      ),
    );
  });

  it("divides half away from zero", () => {
    const expected = (n: bigint, d: bigint): bigint => {
      const [quotient, remainder] = [n / d, n % d];
      const away = 2n * (remainder < 0n ? -remainder : remainder) >= d ? 1n : 0n;
      return quotient + (n < 0n ? -away : away);
    };
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (n, d) => Money.divideHalfAwayFromZero(n, d) === expected(n, d),
      ),
    );
    expect(Money.divideHalfAwayFromZero(5n, 10n)).toBe(1n);
    expect(Money.divideHalfAwayFromZero(-5n, 10n)).toBe(-1n);
    expect(Money.divideHalfAwayFromZero(-4n, 10n)).toBe(0n);
  });

  it("refuses what is beyond the largest amount", () => {
    expect(Money.fromBigInt(BigInt(Limits.MAX_AMOUNT))).toBe(Limits.MAX_AMOUNT);
    expect(Money.fromBigInt(BigInt(Limits.MAX_AMOUNT) + 1n)).toBe(null);
    expect(Money.fromBigInt(-BigInt(Limits.MAX_AMOUNT))).toBe(-Limits.MAX_AMOUNT);
    expect(Money.fromBigInt(-BigInt(Limits.MAX_AMOUNT) - 1n)).toBe(null);
  });

  it("is a whole number that a double holds exactly", () => {
    expect([0, -1, Limits.MAX_AMOUNT, -Limits.MAX_AMOUNT].every(Money.isAmount)).toBe(true);
    expect([0.5, Number.NaN, Limits.MAX_AMOUNT + 1, Number.POSITIVE_INFINITY].some(Money.isAmount)).toBe(
      false,
    );
  });

  it("has a share in basis points, rounded once, half away from zero", () => {
    expect(Money.basisPoints(1_000, 2_500)).toBe(250n);
    expect(Money.basisPoints(1_002, 2_500)).toBe(251n);
    expect(Money.basisPoints(-1_002, 2_500)).toBe(-251n);
    expect(Money.basisPoints(Limits.MAX_AMOUNT, 10_000)).toBe(BigInt(Limits.MAX_AMOUNT));
  });
});
