/**
 * Changes the pure modules in every small way that Stryker knows, one at a time, and counts the changes that a test finds.
 * `npm run mutate`, or `npm run mutate -- formula` for one of the parts; the survivors are listed in `reports/mutation`.
 */
import { cpus } from "node:os";
import type { PartialStrykerOptions } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";

/** The modules whose mistakes cost money or open another customer's records. */
const PARTS: Record<string, ReadonlyArray<string>> = {
  formula: ["src/formula/**/*.ts"],
  domain: [
    "src/domain/{Attribution,Calendar,Commission,Document,Formula,Ledger,Money,Partner,Principal,Properties}.ts",
    "src/domain/{Settlement,SettlementMachine,SettlementTable,Tax*}.ts",
    "src/services/Access.ts",
  ],
};

/** Below this share of killed mutants the run fails, in percent. */
const LEAST = 90;

interface Score {
  readonly killed: number;
  readonly others: Map<string, number>;
}

const options = (part: string): PartialStrykerOptions => ({
  mutate: [...(PARTS[part] ?? [])],
  testRunner: "vitest",
  vitest: { configFile: `test/mutation/vitest.${part}.config.ts`, related: false },
  coverageAnalysis: "all",
  ignorePatterns: ["dist", "docs", "reports", "test/bench", "test/crash", "*.tsbuildinfo"],
  concurrency: Math.max(1, Math.min(2, cpus().length)),
  // A mutant that loops is not "killed" here, so it need not be waited for long.
  timeoutMS: 10_000,
  timeoutFactor: 2,
  tempDirName: ".stryker-tmp",
  reporters: ["progress-append-only", "html", "json"],
  htmlReporter: { fileName: `reports/mutation/${part}.html` },
  jsonReporter: { fileName: `reports/mutation/${part}.json` },
  allowConsoleColors: false,
});

const measure = async (part: string): Promise<Score> => {
  const mutants = await new Stryker(options(part)).runMutationTest();
  const others = new Map<string, number>();
  let killed = 0;
  for (const { status } of mutants)
    if (status === "Killed") killed += 1;
    else if (status !== "Ignored") others.set(status, (others.get(status) ?? 0) + 1);
  return { killed, others };
};

const asked = process.argv.slice(2);
const parts = asked.length === 0 ? Object.keys(PARTS) : asked;
const unknown = parts.find((part) => !(part in PARTS));
if (unknown !== undefined) {
  process.stderr.write(`no part is called ${unknown}: choose from ${Object.keys(PARTS).join(", ")}\n`);
  process.exit(2);
}
let killed = 0;
let all = 0;
for (const part of parts) {
  const score = await measure(part);
  const total = score.killed + [...score.others.values()].reduce((sum, count) => sum + count, 0);
  killed += score.killed;
  all += total;
  const rest = [...score.others].map(([status, count]) => `${count} ${status}`).join(", ");
  console.log(
    `${part}: ${score.killed} of ${total} killed (${((100 * score.killed) / total).toFixed(1)} %); ${rest}`,
  );
}
const percent = (100 * killed) / all;
console.log(`all: ${killed} of ${all} killed: ${percent.toFixed(1)} %`);
process.exit(percent >= LEAST ? 0 : 1);
