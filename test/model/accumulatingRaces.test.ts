/**
 * Each race, interrupted at every sixth call of the store, and in `npm run verify` at every call: responses and stored records equal
 * those of some sequential order.
 */
import { expect, it } from "vitest";
import { sized } from "../support/profile.ts";
import { RACES } from "./accumulatingRaces.ts";
import { run } from "./races.ts";

const STRIDE = sized(8, 8, 1);

it.each(RACES)("finds a sequential order for $name, wherever one of them is interrupted", async (race) => {
  expect(await run(race, STRIDE)).toBeGreaterThan(10 / STRIDE);
});
