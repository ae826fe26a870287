/**
 * `npm run bench:isolation`: the CPU time that row-level security adds. Runs the same calls of the storage port as the same
 * role on a database with policies, and on a copy without policies with statements that set no tenant scope. Measures
 * backend and client in alternating rounds. Requires Linux for `/proc`.
 */
import { readFileSync } from "node:fs";
import { Effect, ManagedRuntime, Redacted } from "effect";
import pg from "pg";
import type { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { client } from "../../../adapters/postgres/Connection.ts";
import { type Runner, Statements } from "../../../adapters/sql/index.ts";
import * as Records from "../../../adapters/sql/Storage.ts";
import { withoutScope } from "../../../adapters/sql/TenantScope.ts";
import * as Commit from "../../../adapters/sql/writing/Commit.ts";
import { startServer } from "../../support/postgresServer.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const ATTRIBUTIONS = 2_000;

const PREPARE = `
create role shop login noinherit;
create role quittance_platform nologin;
grant quittance_platform to shop;`;

const DROP_POLICIES = `do $body$
declare guarded record;
begin
  for guarded in select * from pg_policies where schemaname = 'quittance' loop
    execute format('drop policy %I on quittance.%I', guarded.policyname, guarded.tablename);
    execute format('alter table quittance.%I disable row level security, no force row level security', guarded.tablename);
  end loop;
end $body$`;

const server = await startServer();
const at = (database: string, user = "shop"): string =>
  Object.assign(new URL(server.url), { pathname: `/${database}`, username: user }).href;

const query = async <Row extends pg.QueryResultRow>(
  database: string,
  text: string,
): Promise<ReadonlyArray<Row>> => {
  const connection = new pg.Client({ connectionString: at(database, "postgres") });
  await connection.connect();
  return connection
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => connection.end());
};

await query("postgres", PREPARE);
await query("postgres", "create database with_policies owner shop");
const made = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const amounts = Array.from({ length: ATTRIBUTIONS }, (_, index) => index);
  const earned = yield* Scene.earn(scene, amounts, (index) => Build.EPOCH + index * 60_000);
  return { scene, ids: earned.map(({ attribution }) => attribution.id) };
});
const { scene, ids } = await Effect.runPromise(
  Effect.provide(made, Postgres.layer({ url: Redacted.make(at("with_policies")) })),
);
await query("with_policies", `select quittance.compact_rollups('${scene.customerId}', 100000)`);
await query("postgres", "create database without_policies owner shop template with_policies");
await query("without_policies", DROP_POLICIES);
for (const database of ["with_policies", "without_policies"]) await query(database, "vacuum analyze");

const LIST: Storage.Query = { where: {}, page: 1, perPage: 10, order: "asc" };
const SPAN = { from: Build.EPOCH, to: Build.EPOCH + 7 * Build.DAY };
const STARTS = Array.from({ length: 7 }, (_, day) => Build.EPOCH + day * Build.DAY);

type Call = (storage: Storage.StorageService, round: number) => Effect.Effect<unknown, unknown>;

const CALLS: Readonly<Record<string, { readonly times: number; readonly call: Call }>> = {
  "find one": {
    times: 300,
    call: (storage, round) =>
      storage.find(scene.customerId, "attribution", [ids[round % ATTRIBUTIONS] ?? ""]),
  },
  "formula set": {
    times: 300,
    call: (storage) => storage.formulaSet(scene.customerId, scene.partnerId, scene.schemaId),
  },
  "list 10 attributions": {
    times: 100,
    call: (storage) => storage.list(scene.customerId, "attribution", LIST),
  },
  "list 100 commissions": {
    times: 25,
    call: (storage) => storage.list(scene.customerId, "commission", { ...LIST, perPage: 100 }),
  },
  "statistics of a week": {
    times: 150,
    call: (storage) =>
      storage.commissionStatistics(scene.customerId, { ...SPAN, where: {}, bucketStarts: STARTS }),
  },
  "create (commit)": {
    times: 100,
    call: (storage) => {
      const attribution = Build.attribution(scene);
      const changes = [attribution, Build.commission(attribution.row, scene.formula, 5)];
      return storage.commit(scene.customerId, Build.changeSet({ changes }));
    },
  },
};

/** CPU milliseconds of a process, in steps of ten. */
const computed = (process: number): number => {
  const fields = readFileSync(`/proc/${process}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const variant = async (database: string, withoutTenant: boolean) => {
  const runtime = ManagedRuntime.make(client({ url: Redacted.make(at(database)), maxConnections: 1 }));
  const statements = await runtime.runPromise(Statements);
  const unscoped: Runner = {
    turn: statements.turn,
    run: ({ text }, parameters) => statements.run(withoutScope(text), parameters),
  };
  const runner = withoutTenant ? unscoped : statements;
  const storage = Records.make(
    runner,
    Commit.make(runner, () => {}),
  );
  const readPid = statements.run<{ readonly pid: number }>(
    withoutScope("select pg_backend_pid() as pid"),
    [],
  );
  const [backend] = await runtime.runPromise(readPid);
  const run = async ({ call, times }: (typeof CALLS)[string]) => {
    const before = { server: computed(backend?.pid ?? 0), client: process.cpuUsage() };
    await runtime.runPromise(
      Effect.forEach(
        Array.from({ length: times }, (_, round) => round),
        (round) => call(storage, round),
        { discard: true },
      ),
    );
    const { user, system } = process.cpuUsage(before.client);
    return { server: (computed(backend?.pid ?? 0) - before.server) * 1_000, client: user + system };
  };
  return { run, sum: { server: 0, client: 0 }, end: () => runtime.dispose() };
};

const without = await variant("without_policies", true);
const within = await variant("with_policies", false);
for (const [name, wanted] of Object.entries(CALLS)) {
  for (const one of [without, within]) {
    await one.run(wanted);
    one.sum = { server: 0, client: 0 };
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of round % 2 === 0 ? [without, within] : [within, without]) {
      const { server, client } = await one.run(wanted);
      one.sum = { server: one.sum.server + server, client: one.sum.client + client };
    }
  }
  const each = ({ sum }: typeof without) => {
    const per = ROUNDS * wanted.times;
    return `${(sum.server / per).toFixed(0)} + ${(sum.client / per).toFixed(0)} µs`;
  };
  const all = ({ sum }: typeof without) => sum.server + sum.client;
  console.log(
    `${name.padEnd(22)} without ${each(without).padEnd(14)} with ${each(within).padEnd(14)} server × ${(within.sum.server / without.sum.server).toFixed(2)}, both × ${(all(within) / all(without)).toFixed(2)}`,
  );
}
await without.end();
await within.end();
await server.stop();
