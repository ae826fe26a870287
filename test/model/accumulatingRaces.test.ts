/** Each race, stopped at every call of the store: the answers and what is left fit some order. */
import { expect, it } from "vitest";
import { RACES, run } from "./accumulatingRaces.ts";

it.each(RACES)("finds a sequential order for $name, wherever one of them is interrupted", async (race) => {
  expect(await run(race)).toBeGreaterThan(10);
});
