/**
 * Changes the pure modules in every small way that Stryker knows, one change at a time, and counts the changes that a test finds.
 *
 * `npm run mutate` measures every part, `npm run mutate -- formula` one part, `npm run mutate -- src/formula/Rational.ts` one
 * file (globs are fine). `--concurrency 1` leaves a core free. `--tests test/domain/Partner.test.ts` runs these test files alone
 * (globs, separated by commas), which is quicker and can only find fewer mutants. `reports/mutation` lists those that no test finds.
 */
import { parseArgs } from "node:util";
import type { MutantResult, PartialStrykerOptions } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";

interface Run {
  readonly name: string;
  /** The vitest configuration that lists the tests. */
  readonly tests: string;
  readonly mutate: ReadonlyArray<string>;
}

/** The modules whose mistakes cost money or open another customer's records. */
const PARTS: Record<string, ReadonlyArray<string>> = {
  formula: ["src/formula/**/*.ts"],
  domain: [
    "src/domain/{Attribution,Calendar,Commission,Document,Formula,Ledger,Money,Partner,Principal,Properties}.ts",
    "src/domain/{Settlement*,Tax*}.ts",
    "src/services/commands/Access.ts",
  ],
};

/** The run fails if a smaller share of the mutants is killed, in percent. */
const LEAST = 90;

const runOf = (argument: string): Run => {
  const part = PARTS[argument];
  if (part !== undefined) return { name: argument, tests: argument, mutate: part };
  const tests = argument.startsWith("src/formula/") ? "formula" : "domain";
  return { name: argument.replaceAll(/[^A-Za-z0-9]+/g, "-"), tests, mutate: [argument] };
};

const options = ({ name, tests, mutate }: Run, concurrency: number): PartialStrykerOptions => ({
  mutate: [...mutate],
  plugins: ["@stryker-mutator/vitest-runner", "./test/mutation/runner.mjs"],
  testRunner: "vitest-warm",
  vitest: { configFile: `test/mutation/vitest.${tests}.config.ts`, related: false },
  coverageAnalysis: "perTest",
  ignorePatterns: ["dist", "reports", "test/bench", "test/crash", "*.tsbuildinfo"],
  concurrency,
  // Generous, because a timed-out mutant is not "killed" here and a busy machine must not cause one.
  timeoutMS: 8_000,
  timeoutFactor: 3,
  tempDirName: ".stryker-tmp",
  reporters: ["progress-append-only", "survivors", "html", "json"],
  htmlReporter: { fileName: `reports/mutation/${name}.html` },
  jsonReporter: { fileName: `reports/mutation/${name}.json` },
  allowConsoleColors: false,
});

const count = (mutants: ReadonlyArray<MutantResult>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { status } of mutants)
    if (status !== "Ignored") counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
};

const { values, positionals } = parseArgs({
  options: { concurrency: { type: "string", default: "2" }, tests: { type: "string" } },
  allowPositionals: true,
});
if (values.tests !== undefined) process.env.MUTATION_TESTS = values.tests;
const runs = (positionals.length === 0 ? Object.keys(PARTS) : positionals).map(runOf);
let killed = 0;
let all = 0;
for (const run of runs) {
  const began = performance.now();
  const mutants = await new Stryker(options(run, Number(values.concurrency))).runMutationTest();
  const counts = count(mutants);
  const total = [...counts.values()].reduce((sum, number) => sum + number, 0);
  killed += counts.get("Killed") ?? 0;
  all += total;
  const each = [...counts].map(([status, number]) => `${number} ${status}`).join(", ");
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${run.name}: ${total} mutants in ${seconds} s: ${each}`);
}
if (all === 0) {
  console.error(
    `nothing to mutate: name a file, a glob or one of the parts ${Object.keys(PARTS).join(", ")}`,
  );
  process.exit(2);
}
const percent = (100 * killed) / all;
console.log(`${killed} of ${all} killed: ${percent.toFixed(1)} %`);
process.exit(percent >= LEAST ? 0 : 1);
