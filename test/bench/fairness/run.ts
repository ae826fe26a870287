/**
 * `npm run bench:fairness -- [seconds] [--profile] [flags of Node for the server]`: how long small requests take while other
 * customers send large ones.
 *
 * The bundled server with its threads has one core; PostgreSQL, the load and this process share another. The same samples
 * are taken first without and then under load. They start at fixed times, whether or not earlier ones have a response, so
 * that a blocked server does not get fewer requests.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Effect, ManagedRuntime, Redacted } from "effect";
import * as Postgres from "quittance/postgres";
import { type Build, Scene } from "quittance/testing";
import { SELF_BILLING } from "../../http/Scene.ts";
import { type Server, startServer } from "../../support/postgresServer.ts";
import { median } from "../median.ts";
import * as Computing from "./Computing.ts";
import { type Ask, client, expected } from "./client.ts";
import type { Done, Work } from "./load.ts";
import { report } from "./profile.ts";
import type { Measurements, Stall } from "./serving.ts";

const args = process.argv.slice(2);
const hasProfile = args.includes("--profile");
/** Flags of Node for the server, such as `--max-semi-space-size=64`. */
const flags = args.filter((arg) => arg.startsWith("--") && arg !== "--profile");
const [seconds = 60] = args.filter((arg) => !arg.startsWith("-")).map(Number);
const idleSeconds = Math.max(10, Math.round(seconds / 3));

const ADMIN_TOKEN = "admin-token-of-the-fairness-bench-0123456789";
const LINES = 10_000;
/** The number of customers with large requests of each kind; each sends one after the other. */
const SETTLING = 1;
const SIMULATING = 1;
const BATCHING = 1;
/** The least seconds of a settlement from draft to payment; decides how many settlements are prepared. */
const SECONDS_PER_SETTLEMENT = 6;

/** The intervals of health requests, and of settlements of one line that are drafted and approved. */
const HEALTH_EVERY_MILLISECONDS = 12;
const SETTLEMENT_EVERY_MILLISECONDS = 100;
const SETTLEMENTS_PER_SECOND = 1_000 / SETTLEMENT_EVERY_MILLISECONDS;

const MEASURING_PRIORITY = -10;
const AUTOGROUP = "/proc/self/autogroup";

const HEALTH_GOAL_MILLISECONDS = 50;
const SETTLEMENT_GOAL_MILLISECONDS = 100;
const SETTLEMENT_GOAL_FACTOR = 3;

const pin = (pid: number | undefined, core: number): boolean => {
  try {
    execFileSync("taskset", ["-a", "-c", "-p", String(core), String(pid)], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
};

/**
 * Raises the priority of the measuring process where the system allows it, so that it does not measure its own waiting.
 * Where Linux schedules sessions as groups (autogroup), this raises the whole session, including the server, which has a
 * core of its own. Returns whether it succeeded.
 */
const takePrecedence = (): boolean => {
  try {
    setPriority(MEASURING_PRIORITY);
    if (existsSync(AUTOGROUP)) writeFileSync(AUTOGROUP, String(MEASURING_PRIORITY));
    return true;
  } catch {
    return false;
  }
};

interface Serving {
  readonly process: ChildProcess;
  readonly url: string;
  readonly measurements: () => Promise<Measurements>;
}

const serve = (databaseUrl: string, folder: string): Promise<Serving> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL("serving.ts", import.meta.url)), [], {
      cwd: folder,
      execArgv: [
        "--import",
        import.meta.resolve("tsx"),
        ...flags,
        ...(hasProfile ? ["--cpu-prof", "--cpu-prof-interval", "500"] : []),
      ],
      env: {
        PATH: process.env.PATH,
        PORT: "0",
        DATABASE_URL: databaseUrl,
        QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN,
      },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const [, url] = /^listening on (\S+)$/m.exec(output) ?? [];
      if (url === undefined) return;
      const measurements = (): Promise<Measurements> =>
        new Promise((receive) => {
          child.once("message", receive as (message: unknown) => void);
          child.send("measurements");
        });
      resolve({ process: child, url, measurements });
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });

/** A formula with the greatest number of nodes and nearly the greatest size in bytes. */
const LARGEST = {
  type: "round",
  mode: "half_up",
  operand: {
    type: "add",
    operands: Array.from({ length: 99 }, (_, group) => ({
      type: "add",
      operands: Array.from({ length: 9 }, (_, index) =>
        index % 2 === 0
          ? { type: "property", name: "order_value" }
          : { type: "literal", value: { type: "number", value: group * 10 + index } },
      ),
    })),
  },
};

/** Creates a customer's API key. */
const tenant = async (ask: Ask) => {
  const customerId = crypto.randomUUID();
  const made = await expected(ask("POST", "/api/v1/api-keys", ADMIN_TOKEN, { customer_id: customerId }), 201);
  return { customerId, token: JSON.parse(made.text).key as string };
};

type World = ReturnType<typeof worldOf>;

/** A customer's commissions to settle, and the schema of its attributions. */
type Settling = Work["settlements"][number] & { readonly schemaId: string };

/** Creates a customer with sets of commissions of one partner in self-billing mode. */
const settling = async (
  ask: Ask,
  run: (world: World) => Promise<Effect.Effect.Success<World>>,
  sets: number,
  lines: number,
): Promise<Settling> => {
  const { customerId, token } = await tenant(ask);
  const world = await run(worldOf(customerId, sets, lines));
  await expected(
    ask("PATCH", `/api/v1/partners/${world.partnerId}`, token, {
      billing_mode: "self_billing",
      self_billing_data: SELF_BILLING,
    }),
    200,
  );
  return { customerId, token, ...world };
};

const worldOf = (customerId: string, sets: number, lines: number) =>
  Effect.gen(function* () {
    const scene = yield* Scene.create({ customerId: customerId as ReturnType<typeof Build.fresh.customer> });
    const made: Array<ReadonlyArray<string>> = [];
    for (let set = 0; set < sets; set++) {
      const earned = yield* Scene.earn(
        scene,
        Array.from({ length: lines }, () => 1_200),
      );
      made.push(earned.map(({ commission }) => commission.id));
    }
    const { workspaceId, partnerId, schemaId } = scene;
    return { workspaceId, partnerId, schemaId, sets: made };
  });

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * part) - 1)] ??
  Number.NaN;

interface Samples {
  readonly health: ReadonlyArray<number>;
  /** The sum of both requests: create the draft, approve it. */
  readonly settlement: ReadonlyArray<number>;
}

/** Starts a task at fixed times, and waits until all tasks have ended. */
const regularly = async (
  everyMilliseconds: number,
  until: number,
  begin: () => Promise<void>,
): Promise<void> => {
  const running: Array<Promise<void>> = [];
  for (let due = performance.now(); due < until; due += everyMilliseconds) {
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    running.push(begin());
  }
  await Promise.all(running);
};

const sample = async (
  ask: Ask,
  {
    token,
    customerId: customer_id,
    workspaceId: workspace_id,
    partnerId: partner_id,
  }: Work["settlements"][number],
  commissions: Iterator<string>,
  lasting: number,
): Promise<Samples> => {
  const health: Array<number> = [];
  const settlement: Array<number> = [];
  const until = performance.now() + lasting * 1_000;
  await Promise.all([
    regularly(HEALTH_EVERY_MILLISECONDS, until, async () => {
      health.push((await expected(ask("GET", "/healthz", null), 200)).milliseconds);
    }),
    regularly(SETTLEMENT_EVERY_MILLISECONDS, until, async () => {
      const body = { customer_id, workspace_id, partner_id, commission_ids: [commissions.next().value] };
      const created = await expected(ask("POST", "/api/v1/settlements", token, body), 201);
      const { id } = JSON.parse(created.text);
      const approved = await expected(ask("POST", `/api/v1/settlements/${id}/approve`, token), 200);
      settlement.push(created.milliseconds + approved.milliseconds);
    }),
  ]);
  return { health, settlement };
};

const show = (name: string, idle: ReadonlyArray<number>, loaded: ReadonlyArray<number>): void => {
  const row = (values: ReadonlyArray<number>) =>
    [0.5, 0.95, 0.99]
      .map((part) => percentile(values, part).toFixed(1))
      .concat(String(values.length))
      .join(" | ");
  console.log(`| ${name}, idle | ${row(idle)} |\n| ${name}, under load | ${row(loaded)} |`);
};

const verdict = (goal: string, value: number, limit: number): void =>
  console.log(
    `${value <= limit ? "met" : "MISSED"}: ${goal}: ${value.toFixed(1)} ms, at most ${limit.toFixed(1)} ms`,
  );

/** The number and length of stalls of the event loop, and how much of them was CPU time rather than waiting for a core. */
const stallsOf = (stalls: ReadonlyArray<Stall>): string => {
  const milliseconds = (of: (stall: Stall) => number) =>
    (stalls.reduce((sum, stall) => sum + of(stall), 0) / 1_000).toFixed(0);
  return `${stalls.length} stalls of more than 20 ms, ${milliseconds(({ from, to }) => to - from)} ms in all, ${milliseconds(({ computed }) => computed)} ms of them CPU time`;
};

const phasesOf = ({ phases }: Done): string =>
  Object.entries(phases)
    .map(([phase, times]) => `${phase} ${times.length === 0 ? "–" : `${median(times).toFixed(0)} ms`}`)
    .join(", ");

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });

const bench = async (postgres: Server, folder: string): Promise<void> => {
  // Pins PostgreSQL with its later children, the load and this process to core 1, the server to core 0.
  const isPinned = pin(postgres.process.pid, 1) && pin(process.pid, 1);
  const server = await serve(postgres.url, folder);
  if (isPinned) pin(server.process.pid, 0);
  const hasPrecedence = takePrecedence();
  const ask = client(server.url);
  const store = ManagedRuntime.make(Postgres.layer({ url: Redacted.make(postgres.url), migrate: false }));
  const run = (world: World) => store.runPromise(world);
  const sets = Math.ceil(seconds / SECONDS_PER_SETTLEMENT);
  const small = await settling(
    ask,
    run,
    1,
    Math.ceil((seconds + idleSeconds + 5) * SETTLEMENTS_PER_SECOND) + 100,
  );
  const commissions = (small.sets[0] ?? [])[Symbol.iterator]();
  const settlements: Array<Settling> = [];
  for (let made = 0; made < SETTLING; made++) settlements.push(await settling(ask, run, sets, LINES));
  const others: Array<Settling> = [];
  for (let made = 0; made < SIMULATING + BATCHING; made++) others.push(await settling(ask, run, 1, 1));
  await store.dispose();
  const work: Work = {
    url: server.url,
    settlements,
    simulations: others.slice(0, SIMULATING).map(({ token, schemaId }) => ({
      token,
      body: JSON.stringify({
        schema_id: schemaId,
        currency: "EUR",
        expression: LARGEST,
        samples: Array.from({ length: 100 }, (_, order_value) => ({ properties: { order_value } })),
      }),
    })),
    batches: others
      .slice(SIMULATING)
      .map(({ token, workspaceId: workspace_id, partnerId: partner_id, schemaId: schema_id }) => ({
        token,
        body: JSON.stringify({
          attributions: Array.from({ length: 1_000 }, (_, order_value) => ({
            workspace_id,
            partner_id,
            schema_id,
            properties: { order_value },
          })),
        }),
      })),
  };
  await sample(ask, small, commissions, 4);
  const idle = await sample(ask, small, commissions, idleSeconds);
  await server.measurements();
  // The load gets a session of its own, without the raised priority.
  const load = fork(fileURLToPath(new URL("load.ts", import.meta.url)), {
    execArgv: process.execArgv,
    detached: true,
  });
  if (hasPrecedence) setPriority(load.pid ?? 0, 0);
  const computedBefore = Computing.of(server.process.pid, postgres.process.pid, load.pid);
  load.send(work);
  const failed = new Promise<never>((_, reject) =>
    load.once("exit", () => reject(new Error("the load process ended early"))),
  );
  const loaded = await Promise.race([sample(ask, small, commissions, seconds), failed]);
  const computed = Computing.of(server.process.pid, postgres.process.pid, load.pid);
  const measurements = await server.measurements();
  const done = await new Promise<Done>((resolve) => {
    load.removeAllListeners("exit");
    load.once("message", (message) => resolve(message as Done));
    load.send("stop");
  });
  load.kill();
  await stop(server.process);
  console.log(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${isPinned ? "the server pinned to its own core" : "not pinned"}, the measuring process with ${hasPrecedence ? "raised" : "normal"} priority`,
  );
  console.log(
    `${seconds} s under load: ${done.settlements} settlements of ${LINES} lines paid, ${done.simulations} simulations, ${done.batches} batches`,
  );
  console.log(`CPU seconds under load: ${Computing.show(computedBefore, computed)}`);
  console.log(`phases of a settlement of ${LINES} lines: ${phasesOf(done)}`);
  console.log("| ms | p50 | p95 | p99 | samples |\n|---|---|---|---|---|");
  show("GET /healthz", idle.health, loaded.health);
  show("a settlement of one line, drafted and approved", idle.settlement, loaded.settlement);
  const { p50, p99, max } = measurements.delay;
  console.log(
    `delay of the event loop under load: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)} ms; ${stallsOf(measurements.stalls)}`,
  );
  verdict("p99 of GET /healthz under load", percentile(loaded.health, 0.99), HEALTH_GOAL_MILLISECONDS);
  verdict(
    "p95 of a settlement of one line under load",
    percentile(loaded.settlement, 0.95),
    Math.max(SETTLEMENT_GOAL_FACTOR * percentile(idle.settlement, 0.95), SETTLEMENT_GOAL_MILLISECONDS),
  );
  if (hasProfile) for (const line of report(folder, measurements.stalls)) console.log(line);
};

const postgres = await startServer({ durable: true });
const folder = mkdtempSync(join(tmpdir(), "quittance-fairness-"));
try {
  await bench(postgres, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await postgres.stop();
}
process.exit(0);
