/** The long version of the crash tests: `tsx --conditions quittance-source test/crash/verify.ts [cycles] [seed]`. */
import { campaign, type Variant } from "./Campaign.ts";
import { type Database, pglite, postgres } from "./Database.ts";
import { payments } from "./PaymentCampaign.ts";
import { recredits } from "./RecreditCampaign.ts";
import { build } from "./Server.ts";

const [cyclesText = "500", seedText = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const cycles = Number(cyclesText);
const seed = Number(seedText);

/** Cycles per customer; with more, each audit would read more records and take longer. */
const CYCLES_PER_CAMPAIGN = 5;
const FIELDS = ["cycles", "acknowledged", "lost", "settlements", "paid", "documents"] as const;

type Row = Record<(typeof FIELDS)[number] | "problems" | "seconds", number>;

const runShare = async (name: string, variant: Variant, wanted: number, firstSeed: number): Promise<Row> => {
  const row: Row = {
    cycles: 0,
    acknowledged: 0,
    lost: 0,
    settlements: 0,
    paid: 0,
    documents: 0,
    problems: 0,
    seconds: 0,
  };
  for (let left = wanted; left > 0; left -= CYCLES_PER_CAMPAIGN) {
    const own = firstSeed + row.cycles;
    const report = await campaign(variant, {
      cycles: Math.min(left, CYCLES_PER_CAMPAIGN),
      seed: own,
      users: 6,
      responses: [40, 160],
    });
    for (const field of FIELDS) row[field] += report[field];
    row.problems += report.problems.length;
    row.seconds += Math.round(report.milliseconds / 1_000);
    if (report.problems.length > 0) console.error(`${name}, seed ${own}:`, report.problems);
  }
  console.log(`| ${name} | ${Object.values(row).join(" | ")} |`);
  return row;
};

const using = async <Kind extends Database, A>(
  database: Kind,
  use: (database: Kind) => Promise<A>,
): Promise<A> => {
  try {
    return await use(database);
  } finally {
    await database.remove();
  }
};

build();
console.log(`seed ${seed}`);
console.log(`| killed | ${[...FIELDS, "problems", "seconds"].join(" | ")} |`);
console.log(`|---|${"---|".repeat(FIELDS.length + 2)}`);
const part = (fraction: number): number => Math.ceil(cycles * fraction);
const rows = await using(await postgres(), async (database) => [
  await runShare("one server on PostgreSQL", { name: "one server", database }, part(0.3), seed),
  await runShare(
    "of two servers and a worker",
    { name: "two servers and a worker", database },
    part(0.2),
    seed,
  ),
  await runShare("PostgreSQL itself", { name: "the database", database }, part(0.2), seed),
  await runShare("connections to PostgreSQL", { name: "the connections", database }, part(0.1), seed),
]);
rows.push(
  await using(pglite(), (database) =>
    runShare("one server on the embedded store", { name: "one server", database }, part(0.2), seed),
  ),
);
/** A paying host is killed four times per twenty cycles; after twelve kills begins a new customer with a new bank. */
const KILLS_PER_CAMPAIGN = 12;
const paying = await using(await postgres(), async (cluster) => {
  const sum = { kills: 0, references: 0, orders: 0, transfers: 0, problems: 0 };
  for (let left = Math.ceil(cycles / 20) * 4; left > 0; left -= KILLS_PER_CAMPAIGN) {
    const own = seed + sum.kills;
    const report = await payments(cluster, Math.min(left, KILLS_PER_CAMPAIGN), own);
    sum.kills += report.kills.length;
    sum.references += report.references;
    sum.orders += report.orders;
    sum.transfers += report.transfers;
    sum.problems += report.problems.length;
    if (report.problems.length > 0) console.error(`a host that pays, seed ${own}:`, report.problems);
  }
  return sum;
});
console.log("a host that pays:", paying);
const recrediting = await using(await postgres(), (cluster) =>
  recredits(cluster, Math.ceil(cycles / 20), seed),
);
console.log("a worker that recredits:", recrediting);
const problems = rows.reduce((sum, row) => sum + row.problems, paying.problems + recrediting.problems.length);
process.exit(problems === 0 ? 0 : 1);
