/** Runs in a worker, bundled from patched sources, and posts the findings of the random runs. */
import { parentPort, workerData } from "node:worker_threads";
import { layer } from "quittance/memory";
import { RunFailed, runConcurrent, runModel, runPermutations } from "quittance/testing";
import {
  raceCancellationAgainstFormula,
  raceCancellationAgainstSettlement,
} from "../model/raceRegressions.ts";

/** Enough to find every planted bug; most are found within a hundredth of it. */
const COMMANDS = 30_000;
/** Often enough to find a defect near its cause. */
const COMPARE_EVERY = 15;
const INTERLEAVINGS = 3_000;
const PERMUTATIONS = 100;
const RACE_INTERLEAVINGS = 150;

const { by, seed }: { readonly by: string; readonly seed: number } = workerData;

try {
  if (by === "commands") {
    await runModel({ layer, seed, commands: COMMANDS, compareEvery: COMPARE_EVERY, shrinking: false });
  } else if (by === "permutations") await runPermutations({ layer, seed, permutations: PERMUTATIONS });
  else if (by === "cancel race") await raceCancellationAgainstFormula({ interleavings: RACE_INTERLEAVINGS });
  else if (by === "settle race")
    await raceCancellationAgainstSettlement({ interleavings: RACE_INTERLEAVINGS });
  else await runConcurrent({ layer, seed, interleavings: INTERLEAVINGS, shrinking: false });
  parentPort?.postMessage([]);
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
