/**
 * `npm run bench:accumulate`: attributions created per second over HTTP on PostgreSQL under formulas with aggregates, compared
 * with a formula without, in alternating rounds. Contenders: one partner, one partner through two processes, 50 partners;
 * windows of all time, the calendar month and 90 days. `BENCH_PART=one` measures only one partner, `BENCH_PART=many` only 50.
 * `BENCH_ROWS=1000000` compares one client on a partner with that many attributions and on a partner with none.
 * `BENCH_CANCEL=10000` measures the cancellation of the first of that many attributions.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, MAIN } from "../../server/running.ts";
import { startServer } from "../../support/postgresServer.ts";
import { perSecond, type Target } from "../create/load.ts";
import { median } from "../median.ts";
import { ADMIN, database, settings, start } from "../processes.ts";

const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 32);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const ROUND_MILLISECONDS = Number(process.env.BENCH_MILLISECONDS ?? 2_000);
const ROWS = Number(process.env.BENCH_ROWS ?? 0);
const CANCEL = Number(process.env.BENCH_CANCEL ?? 0);
/** `one` or `many`; both by default. */
const PART = process.env.BENCH_PART ?? "";
const PARTNERS = 50;
const workspace_id = randomUUID();

const serve = (databaseUrl: string, cwd: string) =>
  start([process.execPath, MAIN, "serve"], cwd, settings(databaseUrl));

const property = { type: "property", name: "order_value" };
const tenPercent = { type: "literal", value: { type: "percent", value: 10 } };
const before = (window: object) => ({
  type: "graduated",
  amount: property,
  offset: { type: "aggregate", function: "sum", value: property, window },
  tiers: [{ up_to: { type: "number", value: 1_000_000 }, rate: tenPercent }, { rate: tenPercent }],
});

const EXPRESSIONS = {
  plain: { type: "multiply", operands: [property, tenPercent] },
  lifetime: before({ type: "lifetime" }),
  month: before({ type: "calendar", unit: "month" }),
  rolling: before({ type: "rolling", days: 90 }),
};

/** Creates a customer with partners and formulas, so that contenders share only the server. */
const prepare = async (url: string, expression: object, partners: number, terms: object = {}) => {
  const { key } = (await ask(url, ADMIN, "POST", "api-keys", { customer_id: randomUUID() })) as {
    key: string;
  };
  const properties = [{ name: "order_value", type: "number", required: true }];
  const schema = await ask(url, key, "POST", "attribution-schemas", {
    name: "Sale",
    workspace_id,
    properties,
  });
  const ids: Array<unknown> = [];
  for (let index = 0; index < partners; index++) {
    const { id } = await ask(url, key, "POST", "partners", { name: `Partner ${index}`, workspace_id });
    ids.push(id);
    const formula = { name: "Plan", currency: "EUR", start_datetime: "2020-01-01T00:00:00Z", expression };
    await ask(url, key, "POST", "commission-formulas", {
      ...{ partner_id: id, workspace_id, schema_id: schema.id },
      ...formula,
      ...terms,
    });
  }
  return { key, schema_id: schema.id, partners: ids };
};

type Prepared = Awaited<ReturnType<typeof prepare>>;

const sale = ({ schema_id, partners }: Prepared, index: number) => ({
  ...{ partner_id: partners[index % partners.length], schema_id, workspace_id },
  properties: { order_value: 12_345 },
});

const targetOf = (url: string, prepared: Prepared, index = 0): Target => ({
  url: `${url}/api/v1/attributions`,
  headers: { authorization: `Bearer ${prepared.key}`, "content-type": "application/json" },
  body: JSON.stringify(sale(prepared, index)),
  status: 201,
});

/** Creates that many attributions, in batches of 1,000. */
const fill = async (url: string, prepared: Prepared, rows: number): Promise<void> => {
  for (let stored = 0; stored < rows; stored += 1_000) {
    const attributions = Array.from({ length: Math.min(1_000, rows - stored) }, (_, index) =>
      sale(prepared, index),
    );
    await ask(url, prepared.key, "POST", "attributions/batch", { attributions });
    if (stored % 100_000 === 0) console.error(`${stored} of ${rows} attributions`);
  }
};

interface Contender {
  readonly name: string;
  readonly round: () => Promise<number>;
}

const compare = async (title: string, contenders: ReadonlyArray<Contender>): Promise<void> => {
  const rates = new Map<string, Array<number>>(contenders.map(({ name }) => [name, []]));
  for (const { round } of contenders) await round();
  for (let count = 0; count < ROUNDS; count++)
    for (const { name, round } of contenders) rates.get(name)?.push(await round());
  const [first] = contenders;
  const baseline = median(rates.get(first?.name ?? "") ?? []);
  console.log(`${title}, ${ROUNDS} rounds of ${ROUND_MILLISECONDS} ms, medians`);
  for (const [name, values] of rates)
    console.log(
      `${name.padEnd(32)} ${median(values).toFixed(0).padStart(7)} per second   / ${first?.name}: ${(median(values) / baseline).toFixed(2)}`,
    );
};

const spread = (urls: ReadonlyArray<string>, prepared: Prepared, targets: number) => async () => {
  const each = Math.max(1, Math.floor(CONNECTIONS / targets));
  const rates = await Promise.all(
    Array.from({ length: targets }, (_, index) =>
      perSecond(targetOf(urls[index % urls.length] ?? "", prepared, index), each, ROUND_MILLISECONDS),
    ),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
};

const onePartner = async (urls: readonly [string, string]): Promise<void> => {
  const [url] = urls;
  const one = (expression: object, terms?: object) => prepare(url, expression, 1, terms);
  const [plain, lifetime, month, rolling, waiting] = [
    await one(EXPRESSIONS.plain),
    await one(EXPRESSIONS.lifetime),
    await one(EXPRESSIONS.month),
    await one(EXPRESSIONS.rolling),
    await one(EXPRESSIONS.month, { release: "on_receipt" }),
  ];
  const single = (prepared: Prepared) => () =>
    perSecond(targetOf(url, prepared), CONNECTIONS, ROUND_MILLISECONDS);
  await compare(`one partner, ${CONNECTIONS} clients`, [
    { name: "plain", round: single(plain) },
    { name: "all time", round: single(lifetime) },
    { name: "the month", round: single(month) },
    { name: "90 days", round: single(rolling) },
    { name: "the month, on receipt", round: single(waiting) },
    { name: "the month, two processes", round: spread(urls, month, 2) },
    { name: "the same, on receipt", round: spread(urls, waiting, 2) },
  ]);
};

const manyPartners = async (url: string): Promise<void> => {
  const [many, manyPlain] = [
    await prepare(url, EXPRESSIONS.month, PARTNERS),
    await prepare(url, EXPRESSIONS.plain, PARTNERS),
  ];
  await compare(`${CONNECTIONS} of ${PARTNERS} partners, a client each`, [
    { name: "plain", round: spread([url], manyPlain, CONNECTIONS) },
    { name: "the month", round: spread([url], many, CONNECTIONS) },
  ]);
};

const growth = async (url: string): Promise<void> => {
  for (const name of ["lifetime", "month", "rolling"] as const) {
    const [empty, full] = [
      await prepare(url, EXPRESSIONS[name], 1),
      await prepare(url, EXPRESSIONS[name], 1),
    ];
    await fill(url, full, ROWS);
    const round = (prepared: Prepared) => () => perSecond(targetOf(url, prepared), 1, ROUND_MILLISECONDS);
    await compare(`${name}, one client`, [
      { name: "no earlier row", round: round(empty) },
      { name: `${ROWS} earlier rows`, round: round(full) },
    ]);
  }
};

const cancellation = async (url: string): Promise<void> => {
  const prepared = await prepare(url, EXPRESSIONS.lifetime, 1);
  const { id } = await ask(url, prepared.key, "POST", "attributions", sale(prepared, 0));
  await fill(url, prepared, CANCEL - 1);
  const started = performance.now();
  await ask(url, prepared.key, "DELETE", `attributions/${id}`, { reason: "refunded" });
  const responded = performance.now() - started;
  for (;;) {
    const list = await ask(url, prepared.key, "GET", "commission-formulas");
    if (!JSON.stringify(list).includes('"recomputing":true')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const done = performance.now() - started;
  console.log(
    `the first of ${CANCEL} cancelled: response after ${responded.toFixed(0)} ms, recomputed after ${done.toFixed(0)} ms`,
  );
};

const postgres = await startServer({ durable: true });
const folder = mkdtempSync(join(tmpdir(), "quittance-bench-"));
const stops: Array<() => void> = [];
try {
  const databaseUrl = await database(postgres.url, "accumulate");
  const first = await serve(databaseUrl, folder);
  stops.push(first.stop);
  const second = await serve(databaseUrl, folder);
  stops.push(second.stop);
  const isThroughput = ROWS === 0 && CANCEL === 0;
  if (isThroughput && PART !== "many") await onePartner([first.url, second.url]);
  if (isThroughput && PART !== "one") await manyPartners(first.url);
  if (CANCEL > 0) await cancellation(first.url);
  if (ROWS > 0) await growth(first.url);
} finally {
  for (const stop of stops) stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
