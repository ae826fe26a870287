/** The long version: `tsx --conditions quittance-source test/payouts/verify.ts [payments] [kills] [seed]`. */
import { postgres } from "../crash/Database.ts";
import { build } from "../crash/Server.ts";
import { doubles } from "./Doubles.ts";

const [payments = 10_000, kills = 40, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);

build();
console.log(`seed ${seed}`);
const cluster = await postgres();
try {
  const report = await doubles(cluster, { payments, kills, seed });
  console.log(report);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} finally {
  await cluster.remove();
}
