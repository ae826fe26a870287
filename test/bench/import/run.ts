/**
 * `npm run bench:import`: `quittance import` of a file of sales as an operator runs it, including its start and the check of
 * the file, compared with bare `unnest` statements of 1,000 rows that store the same rows in the same tables, from a
 * process that is already connected. Both are durable. On the embedded store with a smaller file.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect } from "effect";
import { inFolder as openStore } from "../../../adapters/pglite/Database.ts";
import { type Prepared, prepare, writeSales } from "../../server/commands/Store.ts";
import { MAIN } from "../../server/running.ts";
import { median } from "../median.ts";
import { connection, server } from "../settle/measure.ts";

const ROWS = Number(process.env.BENCH_ROWS ?? 50_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** The rows of the file for the embedded store. */
const SMALL = 2_240;
const BATCH = 1_000;

/** The seconds that a run takes. */
const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1_000;
};

/** Runs a command of `quittance` in a folder; rejects when its exit status is not 0. */
const command = (folder: string, database: string, ...args: ReadonlyArray<string>) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATABASE_URL: database },
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`)),
    );
  });

const IMPORT = ["import", "sales.csv", "--mapping", "mapping.json"];

/** Stores attributions, commissions and their events; partners, formulas and amounts are parameters. */
const BARE = `with given as (
  select * from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::bigint[], $10::bigint[], $11::text[])
    as g(attribution, commission, partner, formula, reference, occurred_at, amount, properties)),
a as (
  insert into quittance.attributions (customer_id, id, workspace_id, partner_id, schema_id, external_reference, status,
    properties, created_at, occurred_at, occurred_at_given, version, last_at)
  select $1::uuid, g.attribution, $2::uuid, g.partner, $3::uuid, g.reference, 'confirmed', g.properties::json,
    $12::bigint, g.occurred_at, g.occurred_at, 1, $12 from given g),
c as (
  insert into quittance.commissions (customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency,
    computed_amount, paid_amount, paid_negative, written_off_positive, written_off_negative, pending_amount,
    settled_line_count, formula_version, created_at, occurred_at, version, last_at)
  select $1, g.commission, $2, g.partner, g.attribution, g.formula, 'USD', g.amount, 0, 0, 0, 0, 0, 0, 1, $12,
    g.occurred_at, 1, $12 from given g)
insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
select $1, g.attribution, 1, 'attribution', $12, 'bare',
  json_build_object('type', 'create_attribution', 'properties', g.properties::json) from given g
union all
select $1, g.commission, 1, 'commission', $12, 'bare',
  json_build_object('type', 'create_commission', 'amount', g.amount, 'formula_version', 1) from given g`;

type Query = (text: string, values: ReadonlyArray<unknown>) => Promise<unknown>;

/** Stores the rows of the file with bare statements. */
const bare = async (
  query: Query,
  folder: string,
  { customerId, workspaceId, schemaId }: Prepared,
  formulas: ReadonlyMap<string, { readonly partnerId: string; readonly formulaId: string }>,
): Promise<void> => {
  const lines = readFileSync(join(folder, "sales.csv"), "utf8").trimEnd().split("\r\n").slice(1);
  for (let from = 0; from < lines.length; from += BATCH) {
    const rows = lines.slice(from, from + BATCH).map((line) => {
      const [, number = "", date = "", agent = "", genre = "", price = "", quantity = ""] =
        /^(\d+),([^,]+),([^,]+),(".*"|[^,]*),([^,]+),([^,]+)$/.exec(line) ?? [];
      const one = formulas.get(agent);
      if (one === undefined) throw new Error(`no partner and formula for the line: ${line}`);
      const properties = { line: number, genre, unit_price: Number(price), quantity: Number(quantity) };
      const amount = Math.round(12 * Number(price) * Number(quantity));
      return { ...one, number, at: Date.parse(`${date}Z`), amount, properties: JSON.stringify(properties) };
    });
    const ids = () => rows.map(() => randomUUID());
    await query(BARE, [
      ...[customerId, workspaceId, schemaId, ids(), ids()],
      ...[rows.map((row) => row.partnerId), rows.map((row) => row.formulaId)],
      ...[rows.map((row) => `bare-${row.number}`), rows.map((row) => row.at)],
      ...[rows.map((row) => row.amount), rows.map((row) => row.properties), Date.now()],
    ]);
  }
};

const FORMULAS = `select p.name, f.partner_id as "partnerId", f.id as "formulaId"
from quittance.formulas f join quittance.partners p on p.customer_id = f.customer_id and p.id = f.partner_id
where f.customer_id = $1`;

interface Named {
  readonly name: string;
  readonly partnerId: string;
  readonly formulaId: string;
}

const byName = (rows: ReadonlyArray<Named>) => new Map(rows.map((row) => [row.name, row]));

const show = (what: string, rows: number, times: ReadonlyArray<number>): number => {
  const seconds = median(times);
  console.log(
    `${what.padEnd(46)} ${seconds.toFixed(2).padStart(7)} s ${Math.round(rows / seconds)
      .toString()
      .padStart(8)} rows a second   (${times.map((time) => time.toFixed(2)).join(", ")})`,
  );
  return seconds;
};

const inFolder = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "quittance-import-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const onPostgres = Effect.gen(function* () {
  const url = yield* server;
  const client = yield* connection(url);
  const query: Query = (text, values) => client.query({ name: text.slice(0, 20), text, values: [...values] });
  const [ours, others, again]: [Array<number>, Array<number>, Array<number>] = [[], [], []];
  yield* Effect.promise(() =>
    inFolder(async (folder) => {
      for (let round = 0; round < ROUNDS; round++) {
        const prepared = await prepare(url);
        writeSales(folder, prepared, ROWS);
        const args = [...IMPORT, "--customer", prepared.customerId];
        ours.push(await timed(() => command(folder, url, ...args)));
        again.push(await timed(() => command(folder, url, ...args)));
        const { rows } = await client.query<Named>(FORMULAS, [prepared.customerId]);
        others.push(await timed(() => bare(query, folder, prepared, byName(rows))));
      }
    }),
  );
  const taken = show("PostgreSQL, quittance import", ROWS, ours);
  show("PostgreSQL, the same file again", ROWS, again);
  const floor = show("PostgreSQL, bare statements", ROWS, others);
  console.log(`ratio ${(taken / floor).toFixed(2)}`);
});

const onPglite = Effect.promise(async () => {
  const [ours, others, starts]: [Array<number>, Array<number>, Array<number>] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    await inFolder(async (folder) => {
      const store = join(folder, "store");
      const prepared = await prepare(`pglite://${store}`);
      writeSales(folder, prepared, SMALL);
      ours.push(await timed(() => command(folder, `pglite://${store}`, ...IMPORT)));
      starts.push(await timed(() => command(folder, `pglite://${store}`, ...IMPORT, "--dry-run")));
      others.push(
        await timed(async () => {
          const stored = Effect.flatMap(openStore(store), (database) =>
            Effect.promise(async () => {
              const { rows } = await database.query<Named>(FORMULAS, [prepared.customerId]);
              await bare((text, values) => database.query(text, [...values]), folder, prepared, byName(rows));
            }),
          );
          await Effect.runPromise(Effect.scoped(stored));
        }),
      );
    });
  }
  const taken = show("embedded, quittance import", SMALL, ours);
  show("embedded, --dry-run", SMALL, starts);
  const floor = show("embedded, bare statements and opening", SMALL, others);
  console.log(`ratio ${(taken / floor).toFixed(2)}`);
});

await Effect.runPromise(Effect.scoped(onPostgres));
await Effect.runPromise(onPglite);
