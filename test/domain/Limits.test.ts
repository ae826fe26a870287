import { Limits } from "quittance";
import { expect, it } from "vitest";

it("amounts are limited to what JSON clients read exactly", () => {
  expect(Limits.MAX_AMOUNT).toBe(9_007_199_254_740_991);
});
