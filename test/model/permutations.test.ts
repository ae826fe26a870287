/** S7 on the store in memory. */
import { layer } from "quittance/memory";
import { runPermutations } from "quittance/testing";
import { expect, it } from "vitest";

const PERMUTATIONS = 60;

it("computes the same amounts in every order of commands on different records", async () => {
  expect(await runPermutations({ layer, seed: 1, permutations: PERMUTATIONS })).toBe(PERMUTATIONS);
});
