/** Each race, interrupted at every call of the store: responses and stored records equal those of some sequential order. */
import { expect, it } from "vitest";
import { RACES, run } from "./accumulatingRaces.ts";

it.each(RACES)("finds a sequential order for $name, wherever one of them is interrupted", async (race) => {
  expect(await run(race)).toBeGreaterThan(10);
});
