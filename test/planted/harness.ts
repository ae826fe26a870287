/** Runs in a worker, bundled from patched sources, and posts the findings of the random runs. */
import { parentPort, workerData } from "node:worker_threads";
import { RunFailed, runConcurrent, runModel, runPermutations } from "quittance/testing";
import { findings as eInvoiceFindings } from "../einvoice/findings.ts";
import { compareSeed, nothingFound } from "../formula/RandomHistory.ts";
import { RACES, run } from "../model/accumulatingRaces.ts";
import { layer } from "../model/memoryStore.ts";
import {
  raceCancellationAgainstFormula,
  raceCancellationAgainstSettlement,
} from "../model/raceRegressions.ts";
import { campaign } from "../payouts/BankCampaign.ts";

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
const compareTotals = (first: number): ReadonlyArray<{ readonly name: string; readonly detail: string }> => {
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

const {
  by,
  seed,
  commands = COMMANDS_MAX,
}: { readonly by: string; readonly seed: number; readonly commands?: number } = workerData;

/** The findings of what only compares; a run that fails throws its own. */
const findings = async (): Promise<ReadonlyArray<{ readonly name: string; readonly detail: string }>> => {
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
    case "accumulating races":
      for (const race of RACES) await run(race);
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

try {
  parentPort?.postMessage(await findings());
} catch (failure) {
  parentPort?.postMessage(
    failure instanceof RunFailed
      ? failure.error.findings.map(({ name, detail }) => ({ name, detail }))
      : [
          {
            name: "crash",
            detail: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure),
          },
        ],
  );
}
