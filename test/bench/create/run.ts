/**
 * `npm run bench:create`: attributions created per second end to end (HTTP, credential, validation, formula, one attribution
 * and one commission durable), compared with a hand-written server on the same PostgreSQL and with its bare statement.
 * The servers are pinned to one core where the machine has `taskset`. Rounds alternate; ratios compare medians.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { ask, MAIN } from "../../server/running.ts";
import { startServer } from "../../support/postgresServer.ts";
import { median } from "../median.ts";
import { ADMIN, database, settings, start } from "../processes.ts";
import { perSecond, type Target } from "./load.ts";

const root = new URL("../../..", import.meta.url).pathname;
/** Connections of the load, and the hand-written server's limit to the database; each number is measured separately. */
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? "8,16,32").split(",").map(Number);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Requests before the measurement, enough for the just-in-time compiler to have optimised hot code. */
const WARM_UP = 12_000;
const ROUND_MILLISECONDS = Number(process.env.BENCH_MILLISECONDS ?? 4_000);

const pinned = (command: ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    execFileSync("taskset", ["-c", "0", "true"]);
    return ["taskset", "-c", "0", ...command];
  } catch {
    return command;
  }
};

const customer_id = randomUUID();
const workspace_id = randomUUID();

const post = (url: string, key: string, path: string, body: object) =>
  ask(url, key, "POST", path, body) as Promise<Record<string, string>>;

const expression = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

const prepared = async (url: string) => {
  const { key = "" } = await post(url, ADMIN, "api-keys", { customer_id });
  const { id: partner_id = "" } = await post(url, key, "partners", { name: "Partner", workspace_id });
  const properties = [{ name: "order_value", type: "number", required: true }];
  const { id: schema_id = "" } = await post(url, key, "attribution-schemas", {
    name: "Sale",
    workspace_id,
    properties,
  });
  const formula = { name: "10 %", currency: "EUR", start_datetime: "2020-01-01T00:00:00Z", expression };
  await post(url, key, "commission-formulas", { partner_id, workspace_id, schema_id, ...formula });
  return { key, partner_id, schema_id };
};

const target = (url: string, key: string, partner_id: string, schema_id: string): Target => ({
  url: `${url}/api/v1/attributions`,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({ partner_id, schema_id, workspace_id, properties: { order_value: 12_345 } }),
  status: 201,
});

/** Rows per second of the hand-written server's statement without a server, at the same number of connections. */
const bare = async (url: string, connections: number): Promise<number> => {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  // PostgreSQL may stop before the pool has closed its last connection.
  pool.on("error", () => {});
  const text = `with a as (insert into attributions values ($1,$2,$3,$4,$5,$6,'confirmed',$7)),
    e as (insert into events values ($1,$2,1,$7,$8), ($1,$9,1,$7,$10))
    insert into commissions values ($1,$9,$3,$4,$2,$11,'EUR',$12,$7)`;
  const event = { type: "create_attribution", properties: { order_value: 12_345 } };
  const ids = Array.from({ length: 4 }, () => randomUUID());
  const started = performance.now();
  let done = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() - started < ROUND_MILLISECONDS) {
      const values = [
        ids[0],
        randomUUID(),
        ids[1],
        ids[2],
        ids[3],
        event.properties,
        Date.now(),
        event,
        randomUUID(),
        event,
        ids[3],
        1235,
      ];
      await pool.query({ name: "bare", text, values });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const rate = (done * 1000) / (performance.now() - started);
  await pool.end();
  return rate;
};

/** Measures all contenders in alternating rounds; prints each median and our rate divided by it. */
const compare = async (postgresUrl: string, connections: number, folder: string): Promise<void> => {
  const stops: Array<() => void> = [];
  try {
    const oursUrl = await database(postgresUrl, `ours_${connections}`);
    const ours = await start(pinned([process.execPath, MAIN, "serve"]), folder, settings(oursUrl));
    stops.push(ours.stop);
    const { key, partner_id, schema_id } = await prepared(ours.url);
    const theirUrl = await database(postgresUrl, `handwritten_${connections}`);
    const script = join(root, "test/bench/create/handwritten.ts");
    const given = [theirUrl, key, partner_id, schema_id, workspace_id, String(connections)];
    const theirs = await start(pinned([process.execPath, "--import", "tsx", script, ...given]), root);
    stops.push(theirs.stop);

    const asking = (url: string) => () =>
      perSecond(target(url, key, partner_id, schema_id), connections, ROUND_MILLISECONDS);
    const contenders = [
      { name: "quittance", round: asking(ours.url) },
      { name: "hand-written fastify + pg", round: asking(theirs.url) },
      { name: "the bare statement", round: () => bare(theirUrl, connections) },
    ];
    const rates = new Map<string, Array<number>>(contenders.map(({ name }) => [name, []]));
    for (const { round } of contenders) {
      let sent = 0;
      while (sent < WARM_UP) sent += ((await round()) * ROUND_MILLISECONDS) / 1000;
    }
    for (let round = 1; round <= ROUNDS; round++) {
      for (const { name, round: run } of contenders) {
        const rate = await run();
        rates.get(name)?.push(rate);
        console.error(
          `${connections} connections, round ${round}/${ROUNDS}, ${name}: ${rate.toFixed(0)} per second`,
        );
      }
    }
    const ourMedian = median(rates.get("quittance") ?? []);
    console.log(
      `${cpus().length} cores, ${connections} connections, ${ROUNDS} rounds of ${ROUND_MILLISECONDS} ms, medians`,
    );
    for (const [name, values] of rates) {
      const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));
      console.log(
        `${name.padEnd(28)} ${median(values).toFixed(0).padStart(7)} per second (${low} to ${high})   quittance / this: ${(ourMedian / median(values)).toFixed(2)}`,
      );
    }
  } finally {
    for (const stop of stops) stop();
  }
};

const postgres = await startServer({ durable: true });
const folder = mkdtempSync(join(tmpdir(), "quittance-bench-"));
try {
  for (const connections of CONNECTIONS) await compare(postgres.url, connections, folder);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
