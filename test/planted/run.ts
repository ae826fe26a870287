/**
 * Plants each bug in a copy of the sources, bundled on the fly, and checks that the harness reports the expected finding.
 * Exits with an error when a bug is missed, or when its text is no longer in the sources. Names on the command line
 * select some of the bugs. Bugs in files that differ from `origin/main`, or from the last commit where
 * there is no such branch, come first.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { startServer } from "../support/postgresServer.ts";
import type { Bug } from "./Bug.ts";
import { moneyBugs } from "./moneyBugs.ts";
import { recordBugs } from "./recordBugs.ts";
import { requestBugs } from "./requestBugs.ts";
import { ruleBugs } from "./ruleBugs.ts";
import { failedRules } from "./rules.ts";
import { settlementBugs } from "./settlementBugs.ts";
import { soundChecks, sqlBugs } from "./sqlBugs.ts";
import { totalBugs } from "./totalBugs.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Inside the project, so that the bundles find its packages; ignored by git with the rest of the folder. */
const FOLDER = join(ROOT, "node_modules/.planted");
const SEED = 7;

/** Seeds that find some bugs sooner than the common seed; they only save time. */
const SOONER: ReadonlyMap<string, number> = new Map([
  ["an unchanged billing profile is stored again", 2],
  ["a total beyond the largest amount is accepted", 1],
  ["a settlement accepts commissions of several currencies", 1],
  ["an explanation uses the latest version of the formula", 1],
  ["a second revocation stores a change", 1],
  ["a later end of a window creates no commissions", 2],
  ["a payment in flight can be disputed", 2],
  ["% is ignored in a name search", 2],
  ["a formula is active at the end of its window", 2],
  ["a key can have scopes that its creator lacks", 2],
  ["write-offs of both signs are one sum", 3],
  ["a disputed settlement can be marked as paid", 2],
  ["created_to includes its moment", 1],
]);

const SOURCES = new Map([
  ["quittance", "src/index.ts"],
  ["quittance/formula", "src/formula/index.ts"],
  ["quittance/testing", "src/testing/index.ts"],
  ["quittance/memory", "adapters/memory/index.ts"],
  ["quittance/postgres", "adapters/postgres/index.ts"],
]);

interface Finding {
  readonly name: string;
  readonly detail: string;
}

/** The patched text of every file that a bug changes. */
const patched = ({ name, edits }: Bug): ReadonlyMap<string, string> => {
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

const bundleLibrary = (): Promise<unknown> =>
  build({
    ...OPTIONS,
    stdin: { contents: 'export * from "effect"', resolveDir: ROOT },
    outfile: LIBRARY,
  });

const bundle = async (bug: Bug, outfile: string): Promise<void> => {
  const files = patched(bug);
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
};

/** The time limit for finding one bug. */
const LIMIT_MILLISECONDS = 180_000;

const workerFindings = (
  outfile: string,
  { by, name, caughtBy }: Bug,
  server: string | null,
): Promise<ReadonlyArray<Finding>> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("took too long")), LIMIT_MILLISECONDS);
    const worker = new Worker(outfile, {
      workerData: { by, seed: SOONER.get(name) ?? SEED, check: caughtBy, server },
      // Most garbage dies young; a larger young generation saves copying it.
      resourceLimits: { maxYoungGenerationSizeMb: 128 },
    });
    worker.once("message", (findings: ReadonlyArray<Finding>) => {
      clearTimeout(timer);
      resolve(findings);
      void worker.terminate();
    });
    worker.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });

const findingsOf = async (bug: Bug, outfile: string): Promise<ReadonlyArray<Finding>> => {
  if (bug.by === "rules") return failedRules(ROOT, patched(bug), bug.caughtBy);
  await bundle(bug, outfile);
  return workerFindings(outfile, bug, server?.url ?? null);
};

const chosen = process.argv.slice(2);
const bugs = [
  ...soundChecks,
  ...sqlBugs,
  ...totalBugs,
  ...moneyBugs,
  ...settlementBugs,
  ...recordBugs,
  ...requestBugs,
  ...ruleBugs,
].filter(({ name }) => chosen.length === 0 || chosen.some((part) => name.includes(part)));

const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    const output = execFileSync("git", args, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
};

/** The files that differ from `origin/main`, or from the last commit; none where there is no git. */
const changedFiles = (): ReadonlySet<string> => {
  const [base = "HEAD"] = git("merge-base", "origin/main", "HEAD");
  return new Set(git("diff", "--name-only", base));
};

/** Those in changed files first, else in the order given. */
const changedFirst = (all: ReadonlyArray<Bug>): ReadonlyArray<Bug> => {
  const changed = changedFiles();
  const isChanged = ({ edits }: Bug): boolean => edits.some(({ file }) => changed.has(file));
  const first = all.filter(isChanged);
  if (first.length > 0)
    console.log(`${first.length} of ${all.length} planted bugs are in changed files; they come first`);
  return [...first, ...all.filter((bug) => !isChanged(bug))];
};

const problems: Array<string> = [];

const tryOut = async (bug: Bug, index: number): Promise<void> => {
  const began = Date.now();
  const outfile = join(FOLDER, `${index}.mjs`);
  try {
    const findings = await findingsOf(bug, outfile);
    const names = [...new Set(findings.map(({ name }) => name))];
    const due = bug.caughtBy === "model" ? ["outcome", "state", "L4"] : [bug.caughtBy];
    const caught = bug.edits.length === 0 ? names.length === 0 : due.some((name) => names.includes(name));
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    console.log(
      `${caught ? (bug.edits.length === 0 ? "sound " : "caught") : "MISSED"}  ${bug.name}: ${names.join(", ") || "nothing found"} (${seconds} s)`,
    );
    if (!caught) {
      problems.push(`${bug.name}: ${bug.caughtBy} was due, found ${names.join(", ") || "nothing"}`);
      for (const { name, detail } of findings.slice(0, 2))
        console.log(`        ${name}: ${detail.slice(0, 400)}`);
    }
  } catch (failure) {
    problems.push(`${bug.name}: ${failure instanceof Error ? failure.message : String(failure)}`);
    console.log(`FAILED  ${problems.at(-1)}`);
  }
};

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await bundleLibrary();
const given = process.env.TEST_DATABASE_URL;
const started = given === undefined && bugs.some(({ by }) => by === "postgres") ? await startServer() : null;
const server = started ?? (given === undefined ? null : { url: given });
const queue = [...changedFirst(bugs).entries()];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await tryOut(next[1], next[0]);
  }),
);
rmSync(FOLDER, { recursive: true, force: true });
await started?.stop();
console.log(
  `${bugs.length - problems.length} of ${bugs.length} planted bugs caught (seed ${SEED}, a few by others)`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 || bugs.length === 0 ? 1 : 0;
