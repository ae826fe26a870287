import { readFileSync } from "node:fs";
import { median } from "../median.ts";
import { type Contender, contenders, type Input } from "./contenders.ts";
import { type Plan, plans } from "./plans.ts";

/**
 * Times every contender on every plan in one process, in alternating rounds so that changes of the machine affect all of
 * them, counts the amounts that differ from exact arithmetic, and prints both as Markdown.
 */
const timedInputs = 1_000;
const countedInputs = 20_000;
const warmUpRounds = 4;
const rounds = 24;
const nanosecondsPerTurn = 10_000_000;

const categories = ["electronics", "books", "fashion", "garden", "toys"];

/** A sale with two decimals: small, medium and large orders, refunds, and a few of zero. */
const inputOf = (_: unknown, index: number): Input => {
  const spread = (index * 7_919) % 100_003;
  const magnitude = [1, 10, 100, 0.1][index % 4] ?? 1;
  const sign = index % 50 === 7 ? -1 : 1;
  const sale = {
    amount: (sign * Math.round(spread * magnitude)) / 100,
    cost: Math.round(spread * magnitude * (0.5 + (index % 11) / 22)) / 100,
    category: categories[index % categories.length] ?? "toys",
    new_customer: index % 3 === 0,
  };
  const facts = {
    id: "a1",
    partnerId: "p1",
    customerId: "c1",
    workspaceId: "w1",
    schemaId: "s1",
    agentId: null,
    createdAt: 1_790_000_000_000,
    occurredAt: 1_790_000_000_000,
    properties: sale,
  };
  return { sale, facts };
};

const inputs: ReadonlyArray<Input> = Array.from({ length: countedInputs }, inputOf);
const timed = inputs.slice(0, timedInputs);

type Subject = {
  readonly contender: Contender;
  readonly plan: Plan;
  readonly run: (input: Input) => number;
  readonly samples: Array<number>;
  readonly wrong: number;
};

/** The number of amounts that differ from the exact ones; -0 equals 0. */
const wrongAmounts = (plan: Plan, run: (input: Input) => number): number =>
  inputs.filter((input) => run(input) !== plan.bigint(input.sale)).length;

const subjects: ReadonlyArray<Subject> = plans.flatMap((plan) =>
  contenders.map((contender) => {
    const run = contender.compile(plan);
    return { contender, plan, run, samples: [], wrong: wrongAmounts(plan, run) };
  }),
);

/** The sum of all results, so that the compiler cannot remove a call. */
let sink = 0;

/** CPU time of this process in nanoseconds, which other processes disturb less than the clock. */
const cpuTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
};

/** Nanoseconds per evaluation, over complete passes through the inputs. */
const time = (run: (input: Input) => number): number => {
  const start = cpuTime();
  let passes = 0;
  let elapsed = 0;
  while (elapsed < nanosecondsPerTurn) {
    for (const input of timed) sink += run(input);
    passes += 1;
    elapsed = cpuTime() - start;
  }
  return elapsed / (passes * timed.length);
};

for (let round = -warmUpRounds; round < rounds; round++) {
  for (const { run, samples } of subjects) {
    const nanoseconds = time(run);
    if (round >= 0) samples.push(nanoseconds);
  }
}

const geometricMean = (numbers: ReadonlyArray<number>): number =>
  Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);

const versionOf = ({ package: name }: Contender): string => {
  if (name === undefined) return "";
  const manifest = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
  const parsed: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return typeof parsed === "object" && parsed !== null && "version" in parsed ? ` ${parsed.version}` : "";
};

const results = contenders
  .map((contender) => {
    const own = subjects.filter((subject) => subject.contender === contender);
    const nanoseconds = own.map(({ samples }) => median(samples));
    return {
      contender,
      nanoseconds,
      mean: geometricMean(nanoseconds),
      wrong: own.reduce((sum, { wrong }) => sum + wrong, 0),
    };
  })
  .sort((a, b) => a.mean - b.mean);

const yardstick =
  results.find(({ contender }) => contender.name === "hand-written BigInt")?.mean ?? Number.NaN;
const heads = [...plans.map(({ name }) => name), "geometric mean", "ratio", "wrong amounts"];

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}: nanoseconds of CPU time per evaluation,`,
);
console.log(
  `median of ${rounds} rounds over ${timed.length} sales; wrong amounts of ${inputs.length * plans.length}.\n`,
);
console.log(`| | ${heads.join(" | ")} |`);
console.log(`|---|${heads.map(() => "---:").join("|")}|`);
for (const { contender, nanoseconds, mean, wrong } of results) {
  const label = `${contender.name}${versionOf(contender)}${contender.generatesCode ? " (generates code)" : ""}`;
  const times = [...nanoseconds, mean].map((figure) => figure.toFixed(0));
  console.log(`| ${label} | ${times.join(" | ")} | ${(mean / yardstick).toFixed(2)} | ${wrong} |`);
}
if (!Number.isFinite(sink)) process.exitCode = 1;
