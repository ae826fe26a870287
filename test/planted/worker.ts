/** Imports one bundled harness after the other, and posts its findings. */
import { parentPort } from "node:worker_threads";
import type { Bug } from "./Bug.ts";

/** The finding of a harness. */
export interface Finding {
  readonly name: string;
  readonly detail: string;
}

/** How a harness is run. */
export interface Run {
  readonly by: Bug["by"];
  /** What must find the bug: `caughtBy` of the bug. */
  readonly check: string;
  readonly seed: number;
  /** The URL of a PostgreSQL server; null when no bug needs it. */
  readonly server: string | null;
  /** The most random commands; those of the harness by default. */
  readonly commands?: number | undefined;
}

/** What a bundle exports as `findings`. */
export type Harness = (run: Run) => Promise<ReadonlyArray<Finding>>;

parentPort?.on("message", async ({ outfile, run }: { readonly outfile: string; readonly run: Run }) => {
  const { findings }: { readonly findings: Harness } = await import(outfile);
  parentPort?.postMessage(await findings(run));
});
