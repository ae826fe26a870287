/** The findings of the random runs, bundled from patched sources; `worker.ts` calls it. */
import { RunFailed, runConcurrent, runModel, runPermutations } from "quittance/testing";
import { findings as eInvoiceFindings } from "../einvoice/findings.ts";
import { compareSeed, nothingFound } from "../formula/RandomHistory.ts";
import { RACES } from "../model/accumulatingRaces.ts";
import { layer } from "../model/memoryStore.ts";
import {
  raceCancellationAgainstFormula,
  raceCancellationAgainstSettlement,
} from "../model/raceRegressions.ts";
import { run } from "../model/races.ts";
import { RECEIPT_RACES } from "../model/receiptRaces.ts";
import { campaign } from "../payouts/BankCampaign.ts";
import { COMMON_SEED } from "./seeds.ts";
import type { Finding, Harness, Run } from "./worker.ts";

/** Enough to find every planted bug; most are found within a hundredth of it. */
const COMMANDS_MAX = 30_000;
/** Often enough to find a defect near its cause. */
const COMPARE_EVERY = 15;
const INTERLEAVINGS_MAX = 3_000;
const PERMUTATIONS = 100;
const RACE_INTERLEAVINGS = 150;
const CAMPAIGNS = 12;
const EVALUATIONS = 20_000;
const EVALUATIONS_PER_FORMULA = 100;

/** The first differences between running totals and a recount; none when they are equal. */
const compareTotals = (first: number): ReadonlyArray<Finding> => {
  const found = nothingFound();
  for (let seed = first; found.evaluations < EVALUATIONS && found.differences.length === 0; seed++)
    compareSeed(seed, EVALUATIONS_PER_FORMULA, found);
  return found.differences.map((detail) => ({ name: "totals", detail }));
};

/** The findings of the first campaign that has one. */
const campaigns = async (first: number) => {
  for (let seed = first; seed < first + CAMPAIGNS; seed++) {
    const found = await campaign(seed);
    if (found.length > 0) return found;
  }
  return [];
};

/** Runs every race. The first one is as many places after the start as the seed is above the common one. */
const races = async (seed: number): Promise<void> => {
  const first = Math.max(0, seed - COMMON_SEED) % RACES.length;
  for (const race of [...RACES.slice(first), ...RACES.slice(0, first)]) await run(race);
};

/** The findings of what only compares; a run that fails throws its own. */
const compare = async ({ by, seed, commands = COMMANDS_MAX }: Run): Promise<ReadonlyArray<Finding>> => {
  switch (by) {
    case "totals":
      return compareTotals(seed);
    case "e-invoices":
      return eInvoiceFindings(seed);
    case "payment files":
      return campaigns(seed);
    case "commands":
      await runModel({ layer, seed, commands, compareEvery: COMPARE_EVERY, shrinking: false });
      return [];
    case "permutations":
      await runPermutations({ layer, seed, permutations: PERMUTATIONS });
      return [];
    case "cancel race":
      await raceCancellationAgainstFormula({ interleavings: RACE_INTERLEAVINGS });
      return [];
    case "settle race":
      await raceCancellationAgainstSettlement({ interleavings: RACE_INTERLEAVINGS });
      return [];
    case "receipt races":
      for (const race of RECEIPT_RACES) await run(race);
      return [];
    case "accumulating races":
      await races(seed);
      return [];
    default:
      await runConcurrent({
        layer,
        isSynchronous: true,
        seed,
        interleavings: Math.min(commands, INTERLEAVINGS_MAX),
        shrinking: false,
      });
      return [];
  }
};

/** The findings of the harness that the bug names. */
export const findings: Harness = async (run) => {
  try {
    return await compare(run);
  } catch (failure) {
    if (failure instanceof RunFailed)
      return failure.error.findings.map(({ name, detail }) => ({ name, detail }));
    return [
      {
        name: "crash",
        detail: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure),
      },
    ];
  }
};
