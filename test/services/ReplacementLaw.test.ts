/** Replacing a sale is cancelling it and recording the new one, in everything that is owed, counted and added up. */
import { layer } from "quittance/memory";
import { runReplacements } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { sized } from "../support/profile.ts";

const COMPARISONS = Number(process.env.REPLACEMENT_COMPARISONS ?? sized(10, 25, 400));
const SEED = Number(process.env.MODEL_SEED ?? 20_261_128);

describe("a replacement", () => {
  it("leaves every amount, total, statistic and balance as a cancellation and a later creation do", {
    timeout: 3_600_000,
  }, async () => {
    const replaced = await runReplacements({ layer, seed: SEED, comparisons: COMPARISONS });
    expect(replaced).toBeGreaterThan(COMPARISONS);
  });
});
