/** Runs bundled harnesses one after the other in a worker, which loads packages once and keeps their compiled code. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { WORKER } from "./Bundle.ts";
import type { Finding, Run } from "./worker.ts";

/** The time limit for finding one bug. */
const LIMIT_MILLISECONDS = 600_000;

/** A worker keeps every bundle that it has imported; after so many, a new one takes its place. */
const RUNS_PER_WORKER = 30;

/** A runner of bundles. */
export interface Runner {
  /** The findings of a bundle; fails when the harness does, or when it exceeds the time limit. */
  readonly findings: (outfile: string, run: Run) => Promise<ReadonlyArray<Finding>>;
  readonly close: () => Promise<void>;
}

/** Opens a runner; its worker starts with the first run. */
export const openRunner = (): Runner => {
  let worker: Worker | null = null;
  let runs = 0;
  const close = async (): Promise<void> => {
    const former = worker;
    worker = null;
    await former?.terminate();
  };
  const open = (): Worker => {
    // Most objects are short-lived; a larger young generation avoids copying them.
    const opened = new Worker(WORKER, { resourceLimits: { maxYoungGenerationSizeMb: 128 } });
    runs = 0;
    // What a harness left behind may fail after its run; the next run has a worker of its own then.
    opened.on("error", () => {});
    opened.once("exit", () => {
      if (worker === opened) worker = null;
    });
    return opened;
  };
  const findings = async (outfile: string, run: Run): Promise<ReadonlyArray<Finding>> => {
    if (runs === RUNS_PER_WORKER) await close();
    worker ??= open();
    const current = worker;
    runs++;
    current.postMessage({ outfile, run });
    try {
      const [found] = await once(current, "message", { signal: AbortSignal.timeout(LIMIT_MILLISECONDS) });
      return found;
    } catch (failure) {
      await close();
      throw failure;
    }
  };
  return { findings, close };
};
