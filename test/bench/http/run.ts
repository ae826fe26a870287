/**
 * `npm run bench:http -- [seconds] [rounds]`: requests per second of the engine, of fastify 5 and of bare node:http, each on
 * a store in memory, the server on one core and the load on the other. Rounds alternate, each with a new process; prints
 * medians. The engine is measured as published: built, since the loader of TypeScript slows every function down.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { median } from "../median.ts";
import type { Ready } from "./Setting.ts";

const [seconds = 4, rounds = 3] = process.argv.slice(2).map(Number);
const CONNECTIONS = 16;
/** Requests before the measurement, enough for the just-in-time compiler to have optimised hot code. */
const WARM_UP = 12_000;

const isPinned = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;
if (isPinned) spawnSync("taskset", ["-pc", "1", String(process.pid)]);

interface Started {
  readonly child: ChildProcess;
  readonly ready: Ready;
}

const start = (name: string): Promise<Started> =>
  new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
    const node = [process.execPath, "--import", "tsx", file];
    const [command = "", ...rest] = isPinned ? ["taskset", "-c", "0", ...node] : node;
    const child = spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.once("message", (ready: Ready) => resolve({ child, ready }));
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
  });

/** CPU seconds of a server since its start. */
const computed = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once("message", (seconds: number) => resolve(seconds));
    child.send("computed");
  });

/** Requests per second of the clock, and per CPU second of the server, which other processes disturb less. */
interface Rate {
  readonly perSecond: number;
  readonly perComputedSecond: number;
}

const load = async (
  { child, ready: { port, token, sales } }: Started,
  operation: Operation,
  extent: { readonly amount: number } | { readonly duration: number },
): Promise<Rate> => {
  const before = await computed(child);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/api/v1/attributions${operation.query}`,
    connections: CONNECTIONS,
    ...extent,
    method: operation.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(operation.method === "POST"
      ? { body: JSON.stringify(sales[operation.sale] ?? sales["no formula"]) }
      : {}),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  const used = (await computed(child)) - before;
  return { perSecond: result.requests.average, perComputedSecond: result.requests.total / used };
};

interface Operation {
  readonly name: string;
  readonly method: "POST" | "GET";
  readonly query: string;
  readonly sale: string;
}

const OPERATIONS: ReadonlyArray<Operation> = [
  { name: "POST an attribution", method: "POST", query: "", sale: "no formula" },
  { name: "POST one that earns a commission", method: "POST", query: "", sale: "one formula" },
  { name: "GET a page of 100", method: "GET", query: "?per_page=100", sale: "" },
];

console.log(`node ${process.version}, ${isPinned ? "server and load on a core each" : "not pinned"}`);
for (const operation of OPERATIONS) {
  const measured: Record<string, Array<Rate>> = { node: [], fastify: [], engine: [] };
  for (let round = 1; round <= rounds; round++) {
    for (const [name, rates] of Object.entries(measured)) {
      const server = await start(name);
      server.child.removeAllListeners("exit");
      await load(server, operation, { amount: WARM_UP });
      const rate = await load(server, operation, { duration: seconds });
      rates.push(rate);
      server.child.kill();
      console.error(
        `${operation.name}, round ${round}/${rounds}, ${name}: ${Math.round(rate.perSecond)} per second`,
      );
    }
  }
  for (const by of ["perSecond", "perComputedSecond"] as const) {
    const of = (name: string): number => median((measured[name] ?? []).map((rate) => rate[by]));
    const rates = Object.keys(measured).map((name) => `${name} ${Math.round(of(name))}`);
    const ratios = ["fastify", "node"].map(
      (name) => `engine/${name} ${(of("engine") / of(name)).toFixed(2)}`,
    );
    console.log(`${operation.name}, ${by}: ${[...rates, ...ratios].join(", ")}`);
  }
}
