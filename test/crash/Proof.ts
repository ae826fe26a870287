/** What every test of this folder that kills something does: run, print the seed and what was seen, expect no problem. */
import { expect } from "vitest";
import { campaign, type Size, type Variant } from "./Campaign.ts";

/** The seed of the kills; `CRASH_SEED` repeats another one. */
export const SEED = Number(process.env.CRASH_SEED ?? 20_260_101);

const CYCLES = Number(process.env.CRASH_CYCLES ?? 10);

/** That many tenths of all cycles; `CRASH_CYCLES` sets another number than ten. */
export const tenths = (count: number): number => Math.max(1, Math.round((CYCLES * count) / 10));

/** More than any share of the cycles takes, on a machine that is busy with other tests. */
export const LIMIT_MILLISECONDS = 18_000 * Math.max(10, CYCLES);

/** So many cycles of the load that every commit can afford. */
export const size = (cycles: number): Size => ({ cycles, seed: SEED, users: 6, answers: [30, 110] });

/** Passes when so many cycles find no problem. */
export const proven = async (variant: Variant, cycles: number): Promise<void> => {
  const report = await campaign(variant, size(cycles));
  console.log(`seed ${SEED}, killed: ${variant.name}`, report);
  expect(report.problems).toEqual([]);
  expect(report.cycles).toBe(cycles);
  expect(report.followed).toBeGreaterThan(0);
};
