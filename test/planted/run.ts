/**
 * Plants each bug in a copy of the sources, bundled on the fly, and checks that the harness reports the expected finding.
 * Exits with an error when a bug is missed, or when its text is no longer in the sources. Names on the command line
 * select some of the bugs; `--each-check` selects one for each check, and those in changed files. Bugs in files that differ
 * from `origin/main`, or from the last commit where there is no such branch, come first.
 */
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { startServer } from "../support/postgresServer.ts";
import type { Bug } from "./Bug.ts";
import { bundle, openFolder, ROOT, removeFolder } from "./Bundle.ts";
import { bugsNamed, oneForEachCheck, reveals } from "./bugs.ts";
import { openRunner } from "./Runner.ts";
import { COMMON_SEED, SOONER } from "./seeds.ts";
import type { Finding } from "./worker.ts";

/** Finds what a bug breaks; one bug after the other. */
const openLane = () => {
  const runner = openRunner();
  return {
    findings: async (bug: Bug, number: number): Promise<ReadonlyArray<Finding>> => {
      const seed = SOONER.get(bug.name) ?? COMMON_SEED;
      const { by, caughtBy: check } = bug;
      return runner.findings(await bundle(bug, number), { by, check, seed, server: server?.url ?? null });
    },
    close: runner.close,
  };
};

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

/** Those in changed files first, then the others that are selected, in the order given. */
const changedFirst = (all: ReadonlyArray<Bug>, selected: ReadonlyArray<Bug>): ReadonlyArray<Bug> => {
  const changed = changedFiles();
  const first = all.filter(({ edits }) => edits.some(({ file }) => changed.has(file)));
  if (first.length > 0)
    console.log(`${first.length} of ${all.length} planted bugs are in changed files; they come first`);
  return [...first, ...selected.filter((bug) => !first.includes(bug))];
};

const problems: Array<string> = [];

const tryOut = async (bug: Bug, number: number, lane: ReturnType<typeof openLane>): Promise<void> => {
  const began = Date.now();
  try {
    const findings = await lane.findings(bug, number);
    const names = [...new Set(findings.map(({ name }) => name))];
    const caught =
      bug.edits.length === 0 ? names.length === 0 : names.some((finding) => reveals(bug, finding));
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    console.log(
      `${caught ? (bug.edits.length === 0 ? "sound " : "caught") : "MISSED"}  ${bug.name}: ${names.join(", ") || "nothing found"} (${seconds} s)`,
    );
    if (!caught) {
      problems.push(`${bug.name}: expected ${bug.caughtBy}, found ${names.join(", ") || "nothing"}`);
      for (const { name, detail } of findings.slice(0, 2))
        console.log(`        ${name}: ${detail.slice(0, 400)}`);
    }
  } catch (failure) {
    problems.push(`${bug.name}: ${failure instanceof Error ? failure.message : String(failure)}`);
    console.log(`FAILED  ${problems.at(-1)}`);
  }
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "each-check": { type: "boolean", default: false } },
});
const known = bugsNamed(positionals);
const bugs = changedFirst(known, values["each-check"] ? oneForEachCheck(known) : known);
await openFolder(bugs);
const given = process.env.TEST_DATABASE_URL;
const started = given === undefined && bugs.some(({ by }) => by === "postgres") ? await startServer() : null;
const server = started ?? (given === undefined ? null : { url: given });
const queue = [...bugs.entries()];

/** Tries out one bug after the other. */
const work = async (): Promise<void> => {
  const lane = openLane();
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    await tryOut(next[1], next[0], lane);
  await lane.close();
};

await Promise.all(Array.from({ length: availableParallelism() }, work));
removeFolder();
await started?.stop();
console.log(
  `${bugs.length - problems.length} of ${bugs.length} planted bugs caught (seed ${COMMON_SEED}, some bugs have other seeds)`,
);
if (bugs.length < known.length) console.log(`npm run planted plants all ${known.length}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 || bugs.length === 0 ? 1 : 0;
