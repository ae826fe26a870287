/** Invariant S7 on the memory store: amounts do not depend on the order of independent commands. */

import { runPermutations } from "quittance/testing";
import { expect, it } from "vitest";
import { layer } from "./memoryStore.ts";

const PERMUTATIONS = 40;

it("computes the same amounts in every order of commands on different records", async () => {
  expect(await runPermutations({ layer, seed: 1, permutations: PERMUTATIONS })).toBe(PERMUTATIONS);
});
