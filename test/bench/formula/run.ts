import { type Contender, contenders, type Input } from "./contenders.ts";
import { type Plan, plans } from "./plans.ts";

/**
 * Times every contender on every plan in one process, taking turns so that all meet the same machine, and counts
 * the amounts that differ from exact arithmetic. Prints a Markdown table; `--json` prints the figures instead.
 */
const inputsCount = 1_000;
const rounds = 15;
const nanosecondsPerRound = 12_000_000n;
const categories = ["electronics", "books", "fashion", "garden", "toys"];

/** Amounts with two decimals: small, medium and large orders, refunds, and zero. */
const inputs: ReadonlyArray<Input> = Array.from({ length: inputsCount }, (_, index) => {
  const spread = (index * 7_919) % 100_003;
  const magnitude = [1, 10, 100, 0.1][index % 4] ?? 1;
  const amount = Math.round(spread * magnitude) / (index % 50 === 7 ? -100 : 100);
  const cost = Math.round(spread * magnitude * (0.5 + (index % 11) / 22)) / 100;
  const sale = {
    amount,
    cost,
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
    properties: sale,
  };
  return { sale, facts };
});

type Subject = {
  readonly contender: Contender;
  readonly plan: Plan;
  readonly run: (input: Input) => number;
  readonly samples: Array<number>;
  readonly wrong: number;
};

const wrongCents = (plan: Plan, run: (input: Input) => number): number =>
  inputs.filter((input) => !Object.is(run(input) + 0, plan.bigint(input.sale) + 0)).length;

const subjects: ReadonlyArray<Subject> = plans.flatMap((plan) =>
  contenders.map((contender) => {
    const run = contender.compile(plan);
    return { contender, plan, run, samples: [], wrong: wrongCents(plan, run) };
  }),
);

/** Keeps results alive, so that no call is optimised away. */
let sink = 0;

/** Nanoseconds per evaluation over whole passes through the inputs. */
const time = (run: (input: Input) => number): number => {
  const start = process.hrtime.bigint();
  let passes = 0;
  let elapsed = 0n;
  while (elapsed < nanosecondsPerRound) {
    for (const input of inputs) sink += run(input);
    passes += 1;
    elapsed = process.hrtime.bigint() - start;
  }
  return Number(elapsed) / (passes * inputs.length);
};

for (let round = -2; round < rounds; round++) {
  for (const { run, samples } of subjects) {
    const nanoseconds = time(run);
    if (round >= 0) samples.push(nanoseconds);
  }
}

const median = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const geometricMean = (numbers: ReadonlyArray<number>): number =>
  Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);

const results = contenders
  .map((contender) => {
    const own = subjects.filter((subject) => subject.contender === contender);
    const nanoseconds = own.map(({ samples }) => median(samples));
    return {
      name: contender.name,
      generatesCode: contender.generatesCode,
      nanoseconds,
      mean: geometricMean(nanoseconds),
      wrong: own.reduce((sum, { wrong }) => sum + wrong, 0),
    };
  })
  .sort((a, b) => a.mean - b.mean);

const reference = results.find(({ name }) => name === "hand-written BigInt")?.mean ?? Number.NaN;
const heads = [...plans.map(({ name }) => name), "geometric mean", "ratio to BigInt", "wrong cents"];

console.log(
  `Node ${process.version}, ${inputs.length} inputs, median of ${rounds} rounds, ns per evaluation`,
);
console.log(`| | ${heads.join(" | ")} |`);
console.log(`|---|${heads.map(() => "---:").join("|")}|`);
for (const { name, generatesCode, nanoseconds, mean, wrong } of results) {
  const cells = [...nanoseconds, mean].map((figure) => figure.toFixed(0));
  const label = generatesCode ? `${name} (generates code)` : name;
  console.log(
    `| ${label} | ${cells.join(" | ")} | ${(mean / reference).toFixed(2)} | ${wrong} of ${inputs.length * plans.length} |`,
  );
}
if (!Number.isFinite(sink)) console.log("");
