/** Runs inside a worker, bundled from patched sources: tells which findings the random runs come upon. */
import { parentPort, workerData } from "node:worker_threads";
import { layer } from "quittance/memory";
import { RunFailed, runConcurrent, runModel, runPermutations } from "quittance/testing";
import { cancelling, settling } from "../model/raceRegressions.ts";

/** Enough for every planted bug to show; most show within a hundredth. */
const COMMANDS = 30_000;
/** Often enough that what is wrong is found where it came about, not where it has led to. */
const COMPARE_EVERY = 15;
const INTERLEAVINGS = 3_000;
const PERMUTATIONS = 100;
const ORDERS = 150;

const { by, seed }: { readonly by: string; readonly seed: number } = workerData;

try {
  if (by === "commands") {
    await runModel({ layer, seed, commands: COMMANDS, compareEvery: COMPARE_EVERY, cutsDown: false });
  } else if (by === "permutations") await runPermutations({ layer, seed, permutations: PERMUTATIONS });
  else if (by === "meeting") await cancelling({ orders: ORDERS });
  else if (by === "settling") await settling({ orders: ORDERS });
  else await runConcurrent({ layer, seed, interleavings: INTERLEAVINGS, cutsDown: false });
  parentPort?.postMessage([]);
} catch (failure) {
  parentPort?.postMessage(
    failure instanceof RunFailed
      ? failure.broken.findings.map(({ name, detail }) => ({ name, detail }))
      : [
          {
            name: "crash",
            detail: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure),
          },
        ],
  );
}
