/** Seed, size and expectations shared by the tests that run campaigns. */
import { expect } from "vitest";
import { campaign, type Size, type Variant } from "./Campaign.ts";

/** The seed of the kills; `CRASH_SEED` sets another. */
export const SEED = Number(process.env.CRASH_SEED ?? 20_260_101);

const CYCLES = Number(process.env.CRASH_CYCLES ?? 10);

/** The number of cycles in so many tenths of all cycles, at least 1. `CRASH_CYCLES` sets all cycles, 10 by default. */
export const tenths = (count: number): number => Math.max(1, Math.round((CYCLES * count) / 10));

/** The time limit of one test, for a machine that runs other tests as well. */
export const LIMIT_MILLISECONDS = 60_000 * Math.max(10, CYCLES);

/** Cycles of the load for `npm test`; `verify.ts` has a larger one. */
export const size = (cycles: number): Size => ({ cycles, seed: SEED, users: 6, responses: [30, 110] });

/** Runs the cycles, prints seed and report, and fails when the report has a problem. */
export const expectNoProblems = async (variant: Variant, cycles: number): Promise<void> => {
  const report = await campaign(variant, size(cycles));
  console.log(`seed ${SEED}, killed: ${variant.name}`, report);
  expect(report.problems).toEqual([]);
  expect(report.cycles).toBe(cycles);
  expect(report.followed).toBeGreaterThan(0);
};
