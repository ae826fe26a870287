/**
 * The long version of the model runs, for the given time:
 * `tsx --conditions quittance-source test/model/verify.ts [minutes] [seed]`.
 */
import { Redacted } from "effect";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import { RunFailed, runConcurrent, runModel, runPermutations } from "quittance/testing";
import { startServer } from "../support/postgresServer.ts";
import { layer as memory } from "./memoryStore.ts";

const [minutesAsked = "120", seedAsked = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const minutes = Number(minutesAsked);
const firstSeed = Number(seedAsked);

/** One line of the table: what runs, its greatest count, and its share of the time. */
interface Part {
  readonly name: string;
  readonly goal: number;
  readonly share: number;
  /** Runs a piece; returns its count and the transitions taken. */
  readonly run: (
    seed: number,
    count: number,
  ) => Promise<{ readonly count: number; readonly rows: Iterable<string> }>;
  readonly piece: number;
}

const server = await startServer();
const postgres = Postgres.layer({ url: Redacted.make(server.url) });
const pglite = Pglite.layer("memory");

const commands =
  (
    options: Pick<Parameters<typeof runModel>[0], "shared"> & {
      readonly layer: Parameters<typeof runModel>[0]["layer"];
    },
  ) =>
  async (seed: number, count: number) => {
    const report = await runModel({ ...options, seed, commands: count });
    return { count: report.commands, rows: report.rows.keys() };
  };
/** Added to the seeds of the races, so that their customers differ from those of the commands in the same database. */
const RACES = 500_000;
const interleavings = async (seed: number, count: number) => {
  const report = await runConcurrent({ layer: memory, isSynchronous: true, seed, interleavings: count });
  return { count: report.interleavings, rows: report.rows.keys() };
};
const races = async (seed: number, count: number) => {
  const options = { layer: postgres, shared: true, seed: seed + RACES };
  const report = await runConcurrent({ ...options, interleavings: count });
  return { count: report.interleavings, rows: report.rows.keys() };
};

const parts: ReadonlyArray<Part> = [
  { name: "commands, memory", goal: 20_000_000, share: 0.4, piece: 20_000, run: commands({ layer: memory }) },
  {
    name: "commands, PostgreSQL",
    goal: 1_000_000,
    share: 0.2,
    piece: 2_000,
    run: commands({ layer: postgres, shared: true }),
  },
  {
    name: "commands, PGlite",
    goal: 200_000,
    share: 0.1,
    piece: 1_000,
    run: commands({ layer: pglite, shared: true }),
  },
  { name: "interleavings, memory", goal: 5_000_000, share: 0.2, piece: 2_000, run: interleavings },
  { name: "races, PostgreSQL", goal: 100_000, share: 0.08, piece: 200, run: races },
  {
    name: "permutations, memory",
    goal: 50_000,
    share: 0.02,
    piece: 100,
    run: async (seed, count) => ({
      count: await runPermutations({ layer: memory, seed, permutations: count }),
      rows: [],
    }),
  },
];

const MINUTE = 60_000;
let violations = 0;

console.log("| run | done | goal | rows of the table | violations | seeds | seconds |");
console.log("|---|---|---|---|---|---|---|");
for (const { name, goal, share, piece, run } of parts) {
  const began = Date.now();
  const rows = new Set<string>();
  let done = 0;
  let broken = 0;
  let seed = firstSeed;
  for (; done < goal && Date.now() - began < minutes * share * MINUTE; seed++) {
    try {
      const report = await run(seed, piece);
      done += report.count;
      for (const row of report.rows) rows.add(row);
    } catch (failure) {
      if (!(failure instanceof RunFailed)) throw failure;
      broken += 1;
      done += piece;
      console.error(`${name}, seed ${seed}: ${failure.message}`);
    }
  }
  violations += broken;
  const seconds = Math.round((Date.now() - began) / 1_000);
  const seeds = `${firstSeed}–${seed - 1}`;
  console.log(`| ${name} | ${done} | ${goal} | ${rows.size || "–"} | ${broken} | ${seeds} | ${seconds} |`);
}
await server.stop();
process.exitCode = violations > 0 ? 1 : 0;
