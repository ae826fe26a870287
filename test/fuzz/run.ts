/** A long run: `npm run fuzz -- [requests] [seed]`; 1,000,000 requests of a seed of the day unless stated. */
import { fuzz } from "./Fuzz.ts";

const [requests = 1_000_000, seed = Math.floor(Date.now() / 86_400_000)] = process.argv.slice(2).map(Number);
/** Records pile up in memory and lists get long, so a long run starts anew now and then, with the next seed. */
const ROUND = 20_000;

const started = performance.now();
let faults = 0;
for (let done = 0, round = 0; done < requests; done += ROUND, round++) {
  const outcome = await fuzz(seed + round, Math.min(ROUND, requests - done));
  faults += outcome.faults.length;
  for (const fault of outcome.faults) console.log(fault);
  console.log(`seed ${seed + round}: ${outcome.requests} requests, ${outcome.faults.length} faults`);
}
const perSecond = Math.round(requests / ((performance.now() - started) / 1000));
console.log(`${requests} requests, ${faults} faults, ${perSecond} a second`);
process.exitCode = faults === 0 ? 0 : 1;
