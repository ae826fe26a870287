/** The long version: `tsx --conditions quittance-source test/payouts/verify.ts [payments] [kills] [seed]`. */
import { Effect } from "effect";
import { postgres } from "../crash/Database.ts";
import { build } from "../crash/Server.ts";
import { BANKS, payBy } from "./banks/TenBanks.ts";
import { doubles } from "./Doubles.ts";

const [payments = 10_000, kills = 40, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);

// So many payments in the style of each country: more than one file has.
const perBank = Math.ceil(payments / 9);
for (const bank of BANKS) {
  const { problems } = await Effect.runPromise(payBy(bank, perBank));
  console.log(`${bank.name}: ${perBank} payments, ${problems.length} problems`, problems.slice(0, 5));
  if (problems.length > 0) process.exitCode = 1;
}

build();
console.log(`seed ${seed}`);
const cluster = await postgres();
try {
  const report = await doubles(cluster, { payments, kills, seed });
  console.log(report);
  if (report.problems.length > 0) process.exitCode = 1;
} finally {
  await cluster.remove();
}
