/**
 * `npm run bench:memory -- [requests]`: the memory of the bundled server during a million requests that add no record: pages,
 * single records, refusals, replays and an unknown API key. Each has a new request id, so that a leak by request, id or
 * name shows.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import type { MemoryUse } from "./serving.ts";

const [requests = 1_000_000] = process.argv.slice(2).map(Number);
const STEPS = 10;
const CONNECTIONS = 16;
const STORED = 200;
/** Requests before the first measurement, enough to fill caches and to compile hot code. */
const WARM_UP = 20_000;
const MIB = 1024 * 1024;
const WORKSPACE = "6f1c2d4e-0000-4000-8000-000000000002";

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

const start = (cwd: string): Promise<Started> =>
  new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL("serving.ts", import.meta.url));
    const tsx = import.meta.resolve("tsx");
    const child = spawn(process.execPath, ["--expose-gc", "--import", tsx, file], {
      cwd,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const [, url] = /^listening on (\S+)$/m.exec(output) ?? [];
      const [, token] = /(qk_\S+)/.exec(output) ?? [];
      if (url !== undefined && token !== undefined) resolve({ child, url, token });
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });

const memoryUse = (child: ChildProcess): Promise<MemoryUse> =>
  new Promise((resolve) => {
    child.once("message", (memoryUse: MemoryUse) => resolve(memoryUse));
    child.send("memoryUse");
  });

/** Creates the records; returns requests of every kind with the expected status of each. */
const createRecords = async ({ url, token }: Started): Promise<ReadonlyArray<Kind>> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = async (path: string, body: object, key?: string): Promise<string> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: "POST",
      headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { readonly id: string }).id;
  };
  const common = { name: "x", workspace_id: WORKSPACE };
  const partner_id = await post("partners", common);
  const properties = [{ name: "order_value", type: "number", required: true }];
  const schema_id = await post("attribution-schemas", { ...common, properties });
  const expression = { type: "property", name: "order_value" };
  const start_datetime = "2020-01-01T00:00:00Z";
  const formula = { ...common, partner_id, schema_id, currency: "EUR", start_datetime, expression };
  await post("commission-formulas", formula);
  const place = { workspace_id: WORKSPACE, partner_id, schema_id };
  const sale = { ...place, properties: { order_value: 1200 } };
  const key = "the-same-again";
  const id = await post("attributions", sale, key);
  for (let made = 1; made < STORED; made++) await post("attributions", sale);
  const api = (path: string) => `/api/v1/${path}`;
  const get = (path: () => string, status = 200, given: Kind["headers"] = headers): Kind => ({
    method: "GET",
    path: () => api(path()),
    headers: given,
    status,
  });
  const create = (body: object, status: number, given: Kind["headers"] = headers): Kind => ({
    method: "POST",
    path: () => api("attributions"),
    headers: given,
    body: JSON.stringify(body),
    status,
  });
  return [
    get(() => "attributions?per_page=10"),
    get(() => `attributions?ids=${id}`),
    get(() => `commissions?partner_ids=${partner_id}&per_page=10&page=7`),
    get(() => `partners?ids=${crypto.randomUUID()}`),
    get(() => `partners?name=${crypto.randomUUID()}`),
    get(() => "settlements?per_page=101", 400),
    get(() => `nothing/${crypto.randomUUID()}`, 404),
    get(() => "partners", 401, { authorization: `Bearer qk_0123456789abcdef_${"A".repeat(43)}` }),
    create({ ...place, properties: { order_value: "much" } }, 400),
    create({ ...sale, partner_id: "0190a6e1-5b1e-7c33-9d0e-2f8a61b7d401" }, 404),
    create(sale, 201, { ...headers, "idempotency-key": key }),
    create({ ...sale, properties: {} }, 400),
  ];
};

/** A request; `path` is evaluated each time it is sent. */
interface Kind {
  readonly method: "GET" | "POST";
  readonly path: () => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

const load = async (url: string, kinds: ReadonlyArray<Kind>, amount: number): Promise<number> => {
  const wrong: Array<string> = [];
  const startedAt = performance.now();
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    amount,
    requests: kinds.map(({ method, path, headers, body, status }) => ({
      method,
      path: "/",
      ...(body === undefined ? {} : { body }),
      setupRequest: (request: object) => ({
        ...request,
        path: path(),
        headers: { ...headers, "x-request-id": crypto.randomUUID() },
      }),
      onResponse: (got: number, text: string) => {
        if (got !== status) wrong.push(`${method} ${path()}: ${got} ${text}`);
      },
    })),
  });
  if (wrong.length > 0 || result.errors > 0) throw new Error(`${result.errors} failed; ${wrong[0] ?? ""}`);
  return (amount / (performance.now() - startedAt)) * 1000;
};

/** The slope of the least-squares line. */
const slope = (points: ReadonlyArray<readonly [x: number, y: number]>): number => {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(([at]) => at), mean(([, value]) => value)];
  const along = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return along / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
};

const folder = mkdtempSync(join(tmpdir(), "quittance-memory-"));
const server = await start(folder);
server.child.removeAllListeners("exit");
const kinds = await createRecords(server);
await load(server.url, kinds, WARM_UP);
const measured: Array<readonly [number, MemoryUse]> = [[0, await memoryUse(server.child)]];
console.log(`node ${process.version}; ${kinds.length} kinds of requests, ${CONNECTIONS} connections`);
console.log("| Requests | RSS, MiB | Heap after a collection, MiB | Requests a second |\n|---|---|---|---|");
const show = (sent: number, { rss, heapUsed }: MemoryUse, rate: string) =>
  console.log(`| ${sent} | ${(rss / MIB).toFixed(1)} | ${(heapUsed / MIB).toFixed(2)} | ${rate} |`);
for (const [sent, found] of measured) show(sent, found, "–");
for (let step = 1; step <= STEPS; step++) {
  const rate = await load(server.url, kinds, requests / STEPS);
  const found = await memoryUse(server.child);
  measured.push([(step * requests) / STEPS, found]);
  show((step * requests) / STEPS, found, rate.toFixed(0));
}
const second = measured.filter(([sent]) => sent >= requests / 2);
const growth = (of: (memoryUse: MemoryUse) => number): string =>
  slope(second.map(([sent, found]) => [sent, of(found)])).toFixed(2);
console.log(
  `second half, bytes a request: RSS ${growth(({ rss }) => rss)}, heap ${growth(({ heapUsed }) => heapUsed)}`,
);
server.child.kill("SIGTERM");
rmSync(folder, { recursive: true, force: true });
