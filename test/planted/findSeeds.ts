/**
 * Prints the seed that finds each planted bug soonest, for `seeds.ts`; names on the command line select some of the bugs:
 * `tsx --conditions quittance-source test/planted/findSeeds.ts [--seeds <number>] [--slow <seconds>] [name] …`.
 * Bugs that their present seed finds in less than the given time are left as they are.
 */
import { parseArgs } from "node:util";
import type { Bug } from "./Bug.ts";
import { bundle, openFolder, removeFolder, runBundle } from "./Bundle.ts";
import { bugsNamed, reveals } from "./bugs.ts";
import { COMMON_SEED, SOONER } from "./seeds.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "20" }, slow: { type: "string", default: "3" } },
});
const SEEDS = Number(values.seeds);
const SLOW_MILLISECONDS = Number(values.slow) * 1_000;
/** A seed that needs more commands than these saves nothing. */
const COMMANDS = 2_000;
/** The harnesses whose runs depend on the seed. */
const SEEDED: ReadonlySet<Bug["by"]> = new Set(["commands", "concurrent", "permutations"]);

/** The time in which a seed finds a bug; null when it does not. */
const millisecondsToFind = async (
  outfile: string,
  bug: Bug,
  seed: number,
  commands?: number,
): Promise<number | null> => {
  const began = performance.now();
  const size = commands === undefined ? {} : { commands };
  const findings = await runBundle(outfile, bug, { seed, server: null, ...size });
  return findings.some(({ name }) => reveals(bug, name)) ? performance.now() - began : null;
};

await openFolder();
for (const [number, bug] of bugsNamed(positionals).entries()) {
  if (!SEEDED.has(bug.by) || bug.edits.length === 0) continue;
  const outfile = await bundle(bug, number);
  const present = SOONER.get(bug.name) ?? COMMON_SEED;
  const milliseconds = await millisecondsToFind(outfile, bug, present);
  if (milliseconds !== null && milliseconds < SLOW_MILLISECONDS) continue;
  let best = { seed: present, milliseconds: milliseconds ?? Number.POSITIVE_INFINITY };
  for (let seed = 1; seed <= SEEDS && best.milliseconds > SLOW_MILLISECONDS / 2; seed++) {
    const found = await millisecondsToFind(outfile, bug, seed, COMMANDS);
    if (found !== null && found < best.milliseconds) best = { seed, milliseconds: found };
  }
  const seconds = (one: number | null) => (one === null ? "not found" : `${(one / 1_000).toFixed(1)} s`);
  console.log(
    `  [${JSON.stringify(bug.name)}, ${best.seed}], // ${seconds(best.milliseconds)}, seed ${present}: ${seconds(milliseconds)}`,
  );
}
removeFolder();
