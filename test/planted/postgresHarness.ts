/** The findings of one check on PostgreSQL, in a database of its own on the runner's server; `worker.ts` calls it. */
import { Cause, Effect, Either, Exit, type Layer, Redacted } from "effect";
import pg from "pg";
import { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { Build, Scene, storageContract } from "quittance/testing";
import { copy } from "../../adapters/server/copying/CopyStore.ts";
import { closeBesideEndless, closeUnderWay, UNDER_WAY } from "../postgres/commits/closingUnderWay.ts";
import { DISCREPANCIES } from "../postgres/commits/discrepancies.ts";
import { lockedLines } from "../postgres/commits/lockedLines.ts";
import type { Finding, Harness } from "./worker.ts";

/** The database of one check. */
interface Database {
  readonly check: string;
  /** Its name, which is also free as the name of a role. */
  readonly name: string;
  readonly url: string;
  /** Opens a connection that the run closes. */
  readonly connect: () => Promise<pg.Client>;
  /** An empty database, dropped at the end. */
  readonly target: string;
}

/** The laws of the storage contract whose names contain the text. */
const laws = ({ check }: Database) =>
  Effect.forEach(
    storageContract.filter((law) => law.name.includes(check)),
    (law) =>
      Effect.map(
        Effect.exit(law.check),
        (exit): ReadonlyArray<Finding> =>
          Exit.isSuccess(exit) ? [] : [{ name: check, detail: `${law.name}: ${Cause.pretty(exit.cause)}` }],
      ),
  ).pipe(Effect.map((found) => found.flat()));

/** Performs every change that rollups count, with compactions in between; after each, rollups and deltas must equal the records. */
const rollups = Effect.fn(function* ({ check, connect }: Database) {
  const client = yield* Effect.promise(connect);
  const found: Array<Finding> = [];
  const compare = (after: string) =>
    Effect.promise(async () => {
      const { rows } = await client.query(DISCREPANCIES);
      for (const row of rows) found.push({ name: check, detail: `after ${after}: ${JSON.stringify(row)}` });
    });
  const first = yield* Scene.create();
  const { customerId, workspaceId } = first;
  for (const [index, scene] of [first, yield* Scene.create({ customerId, workspaceId })].entries()) {
    yield* Scene.earn(
      scene,
      [5, 6],
      () => Build.EPOCH,
      (place) => (place === 0 ? null : Build.EPOCH - 3 * Build.DAY),
    );
    yield* compare("creations of one moment");
    yield* Scene.earn(
      scene,
      [7],
      () => Build.EPOCH,
      () => Build.EPOCH - 5 * Build.DAY,
    );
    yield* compare("one creation");
    const earned = yield* Scene.earn(
      scene,
      [100, -40, 0, null],
      (place) => Build.EPOCH + place * Build.DAY,
      (place) => (place % 2 === 0 ? null : Build.EPOCH - 40 * Build.DAY),
    );
    yield* compare("creations");
    const commissions = earned.map(({ commission }) => commission);
    const draft = yield* Scene.draft(scene, commissions);
    yield* compare("a reservation");
    yield* Effect.promise(() =>
      client.query("select quittance.compact_rollups($1, $2)", [customerId, index === 0 ? 2 : 1_000]),
    );
    yield* compare("a compaction");
    yield* Scene.pay(draft);
    yield* compare("a payment");
    const storage = yield* Storage.Storage;
    for (const row of yield* storage.find(
      customerId,
      "commission",
      commissions.map(({ id }) => id),
    ))
      yield* Scene.revise(row, 30);
    yield* compare("revisions");
    yield* Scene.commit(
      customerId,
      earned
        .slice(0, 2)
        .map(({ attribution }) =>
          Build.next("attribution", attribution, [{ type: "cancel_attribution", reason: "returned" }]),
        ),
    );
    yield* compare("cancelled attributions");
    yield* Effect.promise(() => client.query("select quittance.compact_rollups($1, 1000)", [customerId]));
    yield* compare("a compaction of everything");
  }
  return found;
});

/** Changes lines while their commissions are revised. */
const locks = ({ check, connect }: Database) =>
  Effect.forEach(["settle", "release", "reopen"] as const, (type) =>
    Effect.map(lockedLines(type, connect), (problems) =>
      problems.map((detail): Finding => ({ name: check, detail: `${type}: ${detail}` })),
    ),
  ).pipe(Effect.map((found) => found.flat()));

/** Closes a month while commits of it are under way, and beside one that does not end. */
const closing = Effect.fn(function* ({ check, connect }: Database) {
  const found: Array<Finding> = [];
  for (const underWay of UNDER_WAY) {
    const { atClosing, after } = yield* closeUnderWay(underWay, connect);
    if (atClosing !== after)
      found.push({ name: check, detail: `${underWay}: ${atClosing} sales at the closing, ${after} later` });
  }
  const problem = yield* closeBesideEndless(connect);
  if (problem._tag !== "VersionConflict")
    found.push({ name: check, detail: `it waits for a commit that does not end: ${problem._tag}` });
  return found;
});

/** Reads another customer's rows as a role that is subject to row-level security. */
const rowLevelSecurity = Effect.fn(function* ({ check, name, connect }: Database) {
  const scene = yield* Scene.create();
  yield* Scene.earn(scene, [1]);
  return yield* Effect.promise(async (): Promise<ReadonlyArray<Finding>> => {
    const client = await connect();
    await client.query(`create role ${name}; grant usage on schema quittance to ${name};
      grant select on all tables in schema quittance to ${name}; set role ${name}`);
    const found: Array<Finding> = [];
    for (const customer of ["", crypto.randomUUID()]) {
      await client.query("select set_config('app.customer_id', $1, false)", [customer]);
      for (const table of ["partners", "attributions", "commissions", "events"]) {
        const { rows } = await client.query(`select from quittance.${table}`);
        if (rows.length > 0)
          found.push({ name: check, detail: `${rows.length} ${table} of another customer` });
      }
    }
    await client.query(`reset role; drop owned by ${name}; drop role ${name}`);
    return found;
  });
});

/** The number of rows of every table. */
const rowCounts = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`select relname as name,
      (xpath('//n/text()', query_to_xml(format('select count(*) as n from quittance.%I', relname), false, true, '')))[1]::text as rows
    from pg_class where relnamespace = 'quittance'::regnamespace and relkind = 'r' and relname <> 'migrations'`);
  await client.end();
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
};

/** Copies the store into another database, which must have as many rows in every table. */
const copies = Effect.fn(function* ({ check, url, target, connect }: Database) {
  const scene = yield* Scene.create();
  yield* Scene.earn(scene, [1, 2, 3, 4, 5, 6, 7]);
  // The background would do so between the copy and the comparison.
  const client = yield* Effect.promise(connect);
  yield* Effect.promise(() => client.query("select quittance.compact_rollups($1, 1000)", [scene.customerId]));
  const copied = yield* Effect.either(copy({ type: "postgres", url }, { type: "postgres", url: target }));
  if (Either.isLeft(copied)) return [{ name: check, detail: String(copied.left) }];
  return yield* Effect.promise(async (): Promise<ReadonlyArray<Finding>> => {
    const [theirs, ours] = [await rowCounts(url), await rowCounts(target)];
    return [...theirs].flatMap(([table, rows]) =>
      ours.get(table) === rows
        ? []
        : [{ name: check, detail: `${ours.get(table)} of ${rows} rows of ${table}` }],
    );
  });
});

type Ports = Layer.Layer.Success<ReturnType<typeof Postgres.layer>>;

const CHECKS: Readonly<
  Record<string, (database: Database) => Effect.Effect<ReadonlyArray<Finding>, unknown, Ports>>
> = {
  rollups,
  locks,
  copies,
  closing,
  "row-level security": rowLevelSecurity,
};

/** The findings of the check that the bug names. */
export const findings: Harness = async ({ check, server }) => {
  if (server === null) throw new Error("a bug on PostgreSQL needs a server");
  const name = `planted_${crypto.randomUUID().replaceAll("-", "")}`;
  const [url, target] = [name, `${name}_copy`].map(
    (database) => Object.assign(new URL(server), { pathname: `/${database}` }).href,
  ) as [string, string];
  const clients: Array<pg.Client> = [];
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  };
  const administrator = new pg.Client({ connectionString: server });
  await administrator.connect();
  await administrator.query(`create database ${name}`);
  if (check === "copies") await administrator.query(`create database ${name}_copy`);
  const layer = Postgres.layer({ url: Redacted.make(url), maxConnections: 12 });
  const exit = await Effect.runPromiseExit(
    Effect.provide((CHECKS[check] ?? laws)({ check, name, url, target, connect }), layer),
  );
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  for (const database of [name, `${name}_copy`])
    await administrator.query(`drop database if exists ${database} with (force)`);
  await administrator.end();
  if (Exit.isSuccess(exit)) return exit.value;
  return [{ name: check in CHECKS ? check : "crash", detail: Cause.pretty(exit.cause) }];
};
