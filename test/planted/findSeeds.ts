/**
 * Prints a seed that finds each planted bug soon, for `seeds.ts`; names on the command line select some of the bugs:
 * `tsx --conditions quittance-source test/planted/findSeeds.ts [--seeds <number>] [--soon <commands>] [name] …`.
 * Bugs that their present seed finds within so many commands are left as they are.
 */
import { parseArgs } from "node:util";
import type { Bug } from "./Bug.ts";
import { bundle, openFolder, removeFolder } from "./Bundle.ts";
import { bugsNamed, reveals } from "./bugs.ts";
import { openRunner } from "./Runner.ts";
import { COMMON_SEED, SOONER } from "./seeds.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "24" }, soon: { type: "string", default: "1500" } },
});
const SEEDS = Number(values.seeds);
const SOON = Number(values.soon);
/** The numbers of commands that are tried per seed, in order. */
const TRIES = [SOON / 6, SOON / 2, SOON * 2];
/** The harnesses whose runs depend on the seed. */
const SEEDED: ReadonlySet<Bug["by"]> = new Set(["commands", "concurrent"]);

/** The first seed that finds a bug, with the commands it was given; null when none does. */
const search = async (
  finds: (seed: number, commands: number) => Promise<boolean>,
): Promise<{ readonly seed: number; readonly commands: number } | null> => {
  for (const commands of TRIES)
    for (let seed = 1; seed <= SEEDS; seed++) if (await finds(seed, commands)) return { seed, commands };
  return null;
};

const bugs = bugsNamed(positionals);
await openFolder(bugs);
const runner = openRunner();
for (const [number, bug] of bugs.entries()) {
  if (!SEEDED.has(bug.by) || bug.edits.length === 0) continue;
  const outfile = await bundle(bug, number);
  const finds = async (seed: number, commands: number): Promise<boolean> =>
    (await runner.findings(outfile, { by: bug.by, check: bug.caughtBy, seed, server: null, commands })).some(
      ({ name }) => reveals(bug, name),
    );
  if (await finds(SOONER.get(bug.name) ?? COMMON_SEED, SOON)) continue;
  const found = await search(finds);
  console.log(
    found === null
      ? `  // ${bug.name}: none of ${SEEDS} seeds`
      : `  [${JSON.stringify(bug.name)}, ${found.seed}], // at most ${found.commands} commands`,
  );
}
await runner.close();
removeFolder();
