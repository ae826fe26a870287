import { Either } from "effect";
import { type Commission, type Credit, type Currency, Ids, Override } from "quittance";
import type { Expression } from "quittance/formula";
import { describe, expect, it } from "vitest";

const id = (number: number) =>
  Ids.PartnerId.make(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`);
const [A, B] = [id(1), id(2)];
const [EUR, USD] = ["EUR", "USD"] as unknown as [Currency.Currency, Currency.Currency];

const of = (
  partnerId: Ids.PartnerId,
  computedAmount: number | null,
  more: Partial<Override.OfSeller> = {},
): Override.OfSeller => ({ partnerId, currency: EUR, computedAmount, computationError: null, ...more });

const above = (sellers?: ReadonlyArray<Ids.PartnerId>): { readonly credit: Credit.Credit } => ({
  credit: { role: "manager", share: "0.5", depth: 1, ...(sellers === undefined ? {} : { sellers }) },
});

const ERROR: Commission.ComputationError = { code: "OVERFLOW", message: "too large" };

describe("what sellers earn", () => {
  it("is the exact sum of all their amounts in the currency", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const amounts = [of(A, largest), of(A, largest), of(B, -3), of(B, 1_000, { currency: USD })];
    expect(Override.sellersCommission(above(), EUR, amounts)).toEqual(
      Either.right(2n * BigInt(largest) - 3n),
    );
    expect(Override.sellersCommission(above(), USD, amounts)).toEqual(Either.right(1_000n));
    expect(Override.sellersCommission(above(), EUR, [])).toEqual(Either.right(0n));
  });

  it("counts those below the credit alone", () => {
    const amounts = [of(A, 5), of(B, 7)];
    expect(Override.sellersCommission(above([B]), EUR, amounts)).toEqual(Either.right(7n));
    expect(Override.sellersCommission(above([]), EUR, amounts)).toEqual(Either.right(0n));
  });

  it("is unknown where an amount that counts is, also behind a last good one", () => {
    const unknown = Either.left(Override.SELLER_NOT_COMPUTED);
    const failed = { computationError: ERROR };
    expect(Override.sellersCommission(above(), EUR, [of(A, 5), of(B, null, failed)])).toEqual(unknown);
    expect(Override.sellersCommission(above(), EUR, [of(A, 5, failed)])).toEqual(unknown);
    expect(Override.sellersCommission(above([A]), EUR, [of(A, 5), of(B, 1, failed)])).toEqual(
      Either.right(5n),
    );
    expect(Override.sellersCommission(above(), USD, [of(A, 5, failed)])).toEqual(Either.right(0n));
  });
});

describe("the roles of an expression that reads what sellers earn", () => {
  const reads: Expression = {
    type: "multiply",
    operands: [
      { type: "attribute", name: "sellers_commission" },
      { type: "literal", value: { type: "percent", value: 20 } },
    ],
  };
  const share: Expression = { type: "attribute", name: "credit_share" };

  it("are without seller", () => {
    expect(Either.isRight(Override.checkRoles(["manager", "recruiter"], reads))).toBe(true);
    for (const roles of [null, undefined, ["seller"], ["manager", "seller"]]) {
      expect(Either.getLeft(Override.checkRoles(roles, reads))).toMatchObject({
        value: { field: "expression" },
      });
      expect(Either.isRight(Override.checkRoles(roles, share))).toBe(true);
    }
  });
});

describe("credits of a sale", () => {
  it("are below others where they sell together with others, and overlays in other roles", () => {
    const credits = [
      null,
      { role: "seller", share: "1", depth: 0 },
      { role: "manager", share: "1", depth: 0 },
    ];
    expect(credits.map((credit) => Override.isBelowOthers({ credit }))).toEqual([false, true, false]);
    expect(credits.map((credit) => Override.isOverlay({ credit }))).toEqual([false, false, true]);
  });
});
