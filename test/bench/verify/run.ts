/**
 * `npm run bench:verify`: the time and the memory of `quittance verify` on `BENCH_SIZE` commissions of one customer (1,000,000
 * by default), and on a tenth of them; a fifth of the commissions are in settlements of 10,000 lines.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Effect, Layer, Redacted } from "effect";
import { Principal, Quittance, Settlements } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { MAIN } from "../../server/running.ts";
import { make } from "../../support/largeCustomer.ts";
import { database } from "../processes.ts";
import { connection, server } from "../settle/measure.ts";

const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000);
const LINES = Math.min(10_000, SIZE / 50);
const LOOK_MILLISECONDS = 200;

/** The greatest memory size of a process so far, in MiB. */
const peakOf = (pid: number | undefined): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
};

/** Runs the command; prints its output, seconds and memory. */
const verify = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, [MAIN, "verify", "--json"], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let [peak, printed] = [0, ""];
    const timer = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid));
    }, LOOK_MILLISECONDS);
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    child.once("exit", (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1_000;
      console.log(`${printed.trimEnd()}\n${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MiB`);
      if (code === 0) resolve();
      else reject(new Error(`quittance verify ended with ${code}`));
    });
  });

/** Creates a database with one customer and runs the command on it. */
const verified = (admin: string, size: number) =>
  Effect.gen(function* () {
    const url = yield* Effect.promise(() => database(admin, `verify_${size}`));
    const engine = Quittance.layer({ documents: "manual" }).pipe(
      Layer.provide(Pdf.layer),
      Layer.provideMerge(Postgres.layer({ url: Redacted.make(url) })),
    );
    const populated = Effect.gen(function* () {
      const client = yield* connection(url);
      const { customerId, workspaceId, partnerId, due } = yield* make(client, { size, due: size });
      const { create } = yield* Settlements.Settlements;
      const owner = Principal.customer(customerId);
      for (let from = 0; from < size / 5; from += LINES) {
        const commissionIds = due.slice(from, from + LINES).map(({ id }) => id);
        yield* create(owner, { customerId, workspaceId, partnerId, commissionIds });
      }
      yield* Effect.promise(() => client.query("vacuum (analyze)"));
    });
    yield* Effect.provide(populated, engine);
    yield* Effect.promise(() => verify(url));
  });

const bench = Effect.gen(function* () {
  const url = yield* server;
  for (const size of [SIZE / 10, SIZE]) yield* verified(url, size);
});

await Effect.runPromise(Effect.scoped(bench));
