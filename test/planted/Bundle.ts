/** Bundles a harness from sources with a bug planted, and runs it in a worker. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import type { Bug } from "./Bug.ts";
import type { Patched } from "./rules.ts";

/** The folder of the project. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Inside the project, so that the bundles find its packages; ignored by git with the rest of the folder. */
const FOLDER = join(ROOT, "node_modules/.planted");

const SOURCES = new Map([
  ["quittance", "src/index.ts"],
  ["quittance/formula", "src/formula/index.ts"],
  ["quittance/testing", "src/testing/index.ts"],
  ["quittance/memory", "adapters/memory/index.ts"],
  ["quittance/payouts", "adapters/payouts/index.ts"],
  ["quittance/postgres", "adapters/postgres/index.ts"],
]);

/** The finding of a harness. */
export interface Finding {
  readonly name: string;
  readonly detail: string;
}

/** The patched text of every file that a bug changes; fails when the text of an edit is not there exactly once. */
export const patched = ({ name, edits }: Bug): Patched => {
  const files = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const path = join(ROOT, file);
    const text = files.get(path) ?? readFileSync(path, "utf8");
    const times = text.split(find).length - 1;
    if (times !== 1) throw new Error(`${name}: ${JSON.stringify(find)} occurs ${times} times in ${file}`);
    files.set(
      path,
      text.replace(find, () => replace),
    );
  }
  return files;
};

/** Effect in one file for all bundles: a worker loads it in half the time of the package's hundreds of files. */
const LIBRARY = join(FOLDER, "effect.mjs");

const OPTIONS = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "silent",
} as const;

/** Creates the folder of the bundles, with what they share. */
export const openFolder = async (): Promise<void> => {
  removeFolder();
  mkdirSync(FOLDER, { recursive: true });
  await build({
    ...OPTIONS,
    stdin: { contents: 'export * from "effect"', resolveDir: ROOT },
    outfile: LIBRARY,
  });
};

/** Removes the folder of the bundles. */
export const removeFolder = (): void => rmSync(FOLDER, { recursive: true, force: true });

/** Bundles the harness of a bug; returns the file, whose name has the number. */
export const bundle = async (bug: Bug, number: number): Promise<string> => {
  const files = patched(bug);
  const outfile = join(FOLDER, `${number}.mjs`);
  await build({
    entryPoints: [join(ROOT, "test/planted", bug.by === "postgres" ? "postgresHarness.ts" : "harness.ts")],
    outfile,
    ...OPTIONS,
    // The clients of the database need the packages as they are installed, and their effect with them.
    ...(bug.by === "postgres" ? { packages: "external" } : {}),
    plugins: [
      {
        name: "planted",
        setup: ({ onLoad, onResolve }) => {
          if (bug.by !== "postgres")
            onResolve({ filter: /^effect$/ }, () => ({ path: LIBRARY, external: true }));
          onResolve({ filter: /^quittance/ }, ({ path }) => {
            const source = SOURCES.get(path);
            return source === undefined ? undefined : { path: join(ROOT, source) };
          });
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = files.get(path);
            return contents === undefined ? undefined : { contents, loader: "ts" };
          });
        },
      },
    ],
  });
  return outfile;
};

/** The time limit for finding one bug. */
const LIMIT_MILLISECONDS = 180_000;

/** How a harness is run. */
export interface Run {
  readonly seed: number;
  /** The URL of a PostgreSQL server; null when no bug needs it. */
  readonly server: string | null;
  /** The most random commands; those of the harness by default. */
  readonly commands?: number;
}

/** Runs a bundled harness in a worker and returns its findings. */
export const runBundle = (
  outfile: string,
  { by, caughtBy }: Bug,
  run: Run,
): Promise<ReadonlyArray<Finding>> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(outfile, {
      workerData: { by, check: caughtBy, ...run },
      // Most objects are short-lived; a larger young generation avoids copying them.
      resourceLimits: { maxYoungGenerationSizeMb: 128 },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
      void worker.terminate();
    };
    const timer = setTimeout(() => end(() => reject(new Error("took too long"))), LIMIT_MILLISECONDS);
    worker.once("message", (findings: ReadonlyArray<Finding>) => end(() => resolve(findings)));
    worker.once("error", (error) => end(() => reject(error)));
  });
