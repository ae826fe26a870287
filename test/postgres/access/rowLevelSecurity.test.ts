import { Effect, Exit, Layer, Scope as Lifetime, ManagedRuntime, Redacted } from "effect";
import pg from "pg";
import { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { Build, Scene, storageContract } from "quittance/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import { type Statement, Statements } from "../../../adapters/sql/index.ts";
import {
  forCustomer,
  forOutbox,
  forPlatform,
  forPruning,
  withoutScope,
} from "../../../adapters/sql/TenantScope.ts";
import { type Guarded, guarded } from "../../support/postgres.ts";
import { longOr } from "../../support/profile.ts";

const NO_POLICY_ALLOWS = "violates row-level security policy";

let scope: Lifetime.CloseableScope;
let database: Guarded;
/** A connection as superuser. */
let all: pg.Client;
/** A connection with the server's role. */
let own: pg.Client;

const connected = async (url: Redacted.Redacted): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: Redacted.value(url) });
  await client.connect();
  return client;
};

beforeAll(async () => {
  scope = await Effect.runPromise(Lifetime.make());
  database = await Effect.runPromise(Lifetime.extend(guarded, scope));
  await Effect.runPromise(Postgres.migrate({ url: database.own }));
  all = await connected(database.all);
  own = await connected(database.own);
});
afterAll(async () => {
  await all.end();
  await own.end();
  await Effect.runPromise(Lifetime.close(scope, Exit.void));
});

/** In `npm run verify` also without named statements, as behind a pooler that shares server connections. */
describe.each([
  ["named statements", true],
  ...longOr([["no named statements", false]] as const, []),
] as const)("the storage contract behind the policies, with %s", (_, prepare) => {
  const runtime = ManagedRuntime.make(
    Layer.unwrapEffect(
      Effect.sync(() => Postgres.layer({ url: database.own, prepare, maxConnections: prepare ? 10 : 2 })),
    ),
  );
  afterAll(() => runtime.dispose());
  it.each(storageContract)("$name", ({ check }) => runtime.runPromise(check));
});

interface Table {
  readonly name: string;
  /** The columns that an insert may set. */
  readonly columns: string;
  readonly isGuarded: boolean;
}

/** Every table with rows of customers, from the system catalogue. */
const tables = async (): Promise<ReadonlyArray<Table>> => {
  const { rows } = await all.query<Table>(`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isGuarded",
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c
    where c.relnamespace = 'quittance'::regnamespace and c.relkind in ('r', 'p')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id')
    order by 1`);
  return rows;
};

/** The row count or error of a statement that ran as the server's role under settings, and was rolled back. */
const attempt = async (
  settings: Readonly<Record<string, string>>,
  text: string,
  values: ReadonlyArray<unknown> = [],
): Promise<number | string> => {
  await own.query("begin");
  try {
    for (const [name, value] of Object.entries(settings))
      await own.query("select set_config($1, $2, true)", [name, value]);
    const { rowCount } = await own.query(text, [...values]);
    return rowCount ?? 0;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await own.query("rollback");
  }
};

/** Expects that a statement under other settings can neither read, change, delete nor insert a row of a customer. */
const expectNothing = async (table: Table, settings: Readonly<Record<string, string>>): Promise<void> => {
  const { rows } = await all.query<{ customer_id: string; row: unknown }>(
    `select t.customer_id, to_json(t) as row from quittance.${table.name} t limit 1`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`no row in ${table.name}: let a law of the contract write one`);
  const nothing = [0, `${table.name} is append-only`];
  expect(await attempt(settings, `select * from quittance.${table.name}`), table.name).toBe(0);
  const update = `update quittance.${table.name} set customer_id = customer_id`;
  expect(nothing, table.name).toContain(await attempt(settings, update));
  expect(nothing, table.name).toContain(await attempt(settings, `delete from quittance.${table.name}`));
  const insert = `insert into quittance.${table.name} (${table.columns})
    select ${table.columns} from json_populate_record(null::quittance.${table.name}, $1)`;
  const refused = await attempt(settings, insert, [JSON.stringify(found.row)]);
  expect(refused, table.name).toContain(NO_POLICY_ALLOWS);
};

const guardedTables = async () => (await tables()).filter(({ isGuarded }) => isGuarded);

/** Settings of another customer, and settings that an earlier transaction may have left. */
const STRANGERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { "app.customer_id": "" },
  { "app.customer_id": crypto.randomUUID() },
];

/** Tables whose old rows are removed. */
const AGEING = [
  "commands",
  "idempotency_records",
  "plan_trial_results",
  "plan_trials",
  "recredit_run_results",
  "recredit_runs",
  "webhook_deliveries",
];

describe("a statement under the policies", () => {
  it("finds policies on every table with rows of customers but the routing tables", async () => {
    const open = (await tables()).filter(({ isGuarded }) => !isGuarded);
    expect(open.map(({ name }) => name)).toEqual(["api_key_routes", "payment_references"]);
    expect((await guardedTables()).length).toBeGreaterThan(18);
  });

  it("sees and writes nothing in any table without a customer or as another one", async () => {
    for (const table of await guardedTables())
      for (const settings of STRANGERS) await expectNothing(table, settings);
  });

  it("sees all rows of its own customer, and no others, without a filter", async () => {
    for (const { name } of await guardedTables()) {
      const { rows } = await all.query<{ customer_id: string; count: string }>(
        `select t.customer_id, count(*) from quittance.${name} t group by 1 order by 2 desc limit 1`,
      );
      const [most] = rows;
      const seen = await attempt(
        { "app.customer_id": most?.customer_id ?? "" },
        `select * from quittance.${name}`,
      );
      expect(seen, name).toBe(Number(most?.count));
    }
  });

  it("sees the whole outbox in the scope `outbox`, changes nothing in it, and sees no other table", async () => {
    const settings = { "app.every_customer": "outbox" };
    const { rows } = await all.query<{ count: string }>("select count(*) from quittance.outbox");
    expect(await attempt(settings, "select * from quittance.outbox")).toBe(Number(rows[0]?.count));
    expect(await attempt(settings, "update quittance.outbox set attempt = attempt + 1")).toBe(0);
    expect(await attempt(settings, "delete from quittance.outbox")).toBe(0);
    for (const { name } of await guardedTables())
      if (name !== "outbox") expect(await attempt(settings, `select * from quittance.${name}`), name).toBe(0);
  });

  it("sees and deletes old rows of every customer in the scope `prune`, and nothing else", async () => {
    const settings = { "app.every_customer": "prune" };
    for (const { name, columns } of await guardedTables()) {
      const { rows } = await all.query<{ count: string }>(`select count(*) from quittance.${name}`);
      const due = AGEING.includes(name) ? Number(rows[0]?.count) : 0;
      expect(await attempt(settings, `select * from quittance.${name}`), name).toBe(due);
      const nothing = [0, `${name} is append-only`];
      const update = `update quittance.${name} set customer_id = customer_id`;
      expect(nothing, name).toContain(await attempt(settings, update));
      const removed = await attempt(settings, `delete from quittance.${name}`);
      // Trials and recredit runs are removed after their results.
      if (name === "plan_trials" || name === "recredit_runs")
        expect(removed).toContain("violates foreign key constraint");
      else expect(due > 0 ? [due] : nothing, name).toContain(removed);
      if (due === 0) continue;
      const { rows: found } = await all.query<{ row: unknown }>(
        `select to_json(t) as row from quittance.${name} t limit 1`,
      );
      const insert = `insert into quittance.${name} (${columns})
        select ${columns} from json_populate_record(null::quittance.${name}, $1)`;
      expect(await attempt(settings, insert, [JSON.stringify(found[0]?.row)]), name).toContain(
        NO_POLICY_ALLOWS,
      );
    }
  });

  it("reads across customers as the role of the platform, and writes nothing", async () => {
    const settings = { role: "quittance_platform" };
    const { rows } = await all.query<{ count: string }>("select count(*) from quittance.attributions");
    expect(await attempt(settings, "select * from quittance.attributions")).toBe(Number(rows[0]?.count));
    for (const { name, columns } of await tables()) {
      const denied = `permission denied for table ${name}`;
      for (const text of [
        `insert into quittance.${name} (${columns}) select ${columns} from quittance.${name}`,
        `update quittance.${name} set customer_id = customer_id`,
        `delete from quittance.${name}`,
        `truncate quittance.${name}`,
      ])
        expect(await attempt(settings, text), text).toBe(denied);
    }
    for (const name of ["commands", "idempotency_records", "outbox", "document_bytes"])
      expect(await attempt(settings, `select * from quittance.${name}`)).toContain("permission denied");
  });

  it("fails these checks when a policy is missing or too wide", async () => {
    const owner = "customer_id = nullif(current_setting('app.customer_id', true), '')::uuid";
    const plants = [
      ["alter table quittance.events no force row level security", "force row level security"],
      ["alter table quittance.events disable row level security", "enable row level security"],
    ] as const;
    const [events] = (await tables()).filter(({ name }) => name === "events");
    if (events === undefined) throw new Error("no table of events");
    for (const [plant, cure] of plants) {
      await all.query(plant);
      await expect(expectNothing(events, {})).rejects.toThrow();
      expect((await guardedTables()).map(({ name }) => name)).not.toContain("events");
      await all.query(`alter table quittance.events ${cure}`);
      await expectNothing(events, {});
    }
    await all.query(`alter policy customer on quittance.events using (true) with check (${owner})`);
    await expect(expectNothing(events, {})).rejects.toThrow();
    await all.query(`alter policy customer on quittance.events using (${owner}) with check (true)`);
    await expect(expectNothing(events, {})).rejects.toThrow();
    await all.query(`alter policy customer on quittance.events using (${owner}) with check (${owner})`);
    await expectNothing(events, {});
  });
});

describe("reads of the store behind the policies", () => {
  /** Plants the bug that row-level security protects from: no statement filters by its customer. */
  const forgetful = async <A>(run: () => Promise<A>): Promise<A> => {
    const { query } = pg.Client.prototype;
    const forget = (text: string): string =>
      text.replace(/\b[a-z]\.customer_id = (\$\d+)(?:::uuid)?/g, "$1::uuid is not null");
    Object.assign(pg.Client.prototype, {
      query(this: pg.Client, config: unknown, ...rest: ReadonlyArray<unknown>) {
        if (typeof config === "object" && config !== null && "text" in config)
          Object.assign(config, { text: forget(String(config.text)) });
        return Reflect.apply(query, this, [config, ...rest]);
      },
    });
    try {
      return await run();
    } finally {
      Object.assign(pg.Client.prototype, { query });
    }
  };

  const LIST: Storage.Query = { where: {}, page: 1, perPage: 100, order: "asc" };

  /** The results of three reads of another customer's attributions. */
  const strangersView = (url: Redacted.Redacted, victim: string, id: string) =>
    Effect.gen(function* () {
      const storage = yield* Storage.Storage;
      const stranger = Build.fresh.customer();
      const found = yield* storage.find(stranger, "attribution", [id]);
      const { items, total } = yield* storage.list(stranger, "attribution", LIST);
      const span = { from: Build.EPOCH - Build.DAY, to: Build.EPOCH + Build.DAY };
      const tally = yield* storage.attributionStatistics(stranger, {
        ...span,
        where: {},
        bucketStarts: [span.from],
      });
      const others = items.filter(({ customerId }) => customerId === victim);
      return { found: found.length, listed: others.length > 0 || total > 0, tallied: tally.length > 0 };
    }).pipe(Effect.provide(Postgres.layer({ url, migrate: false })));

  it("return nothing to another customer even when every statement lacks its filter", async () => {
    const made = Effect.flatMap(Scene.create(), (scene) => Scene.earn(scene, [100]));
    const [earned] = await Effect.runPromise(Effect.provide(made, Postgres.layer({ url: database.own })));
    const { customerId = "", id = "" } = earned?.attribution ?? {};
    const view = (url: Redacted.Redacted) => () => Effect.runPromise(strangersView(url, customerId, id));
    expect(await view(database.all)()).toEqual({ found: 0, listed: false, tallied: false });
    // A superuser sees the other customer's rows, so the planted bug is effective.
    expect(await forgetful(view(database.all))).toEqual({ found: 1, listed: true, tallied: true });
    expect(await forgetful(view(database.own))).toEqual({ found: 0, listed: false, tallied: false });
  });

  it("stay separate for a role that inherits the rights of the platform's role", async () => {
    const { rows } = await all.query<{ now: boolean }>(
      "select current_setting('server_version_num')::integer >= 160000 as now",
    );
    const inherits = (yes: boolean) =>
      all.query(
        rows[0]?.now === true
          ? `grant quittance_platform to ${database.role} with inherit ${yes}`
          : `alter role ${database.role} ${yes ? "inherit" : "noinherit"}`,
      );
    await inherits(true);
    try {
      const { rows: granted } = await all.query(
        "select pg_has_role($1::name, 'quittance_platform', 'usage') as inherits",
        [database.role],
      );
      expect(granted).toEqual([{ inherits: true }]);
      for (const table of await guardedTables()) await expectNothing(table, {});
    } finally {
      await inherits(false);
    }
  });

  it("fail across customers, and only there, when the role may not set the role of the platform", async () => {
    const options = { url: database.own, maxConnections: 1 };
    const read = Effect.flatMap(Storage.Storage, (storage) =>
      storage.list(Storage.AllCustomers, "partner", LIST),
    );
    const ownRead = Effect.flatMap(Storage.Storage, (storage) =>
      storage.list(Build.fresh.customer(), "partner", LIST),
    );
    const story = Effect.gen(function* () {
      yield* Scene.create();
      yield* Effect.promise(() => all.query(`revoke quittance_platform from ${database.role}`));
      yield* Postgres.migrate(options);
      expect(yield* Postgres.isolationGaps(options)).toEqual([
        `reads across customers will fail: the role ${database.role} cannot set the role quittance_platform`,
      ]);
      const refused = yield* Effect.flip(read);
      expect(refused.reason).toBe("broken");
      expect(refused.cause).toMatchObject({
        cause: { message: 'permission denied to set role "quittance_platform"' },
      });
      expect((yield* ownRead).total).toBe(0);
      yield* Effect.promise(() => all.query(`grant quittance_platform to ${database.role}`));
      expect(yield* Postgres.isolationGaps(options)).toEqual([]);
      // On the same connection, where the statement failed before it was prepared.
      expect((yield* read).total).toBeGreaterThan(0);
    });
    await Effect.runPromise(Effect.provide(story, Postgres.layer(options)));
  });
});

describe.each([
  ["named statements", true],
  ["no named statements", false],
] as const)("one connection with %s", (_, prepare) => {
  const told = `select current_setting('app.customer_id', true) as customer,
    current_setting('app.every_customer', true) as every, current_user::text as role where $1::text is not null`;

  interface Told {
    readonly customer: string | null;
    readonly every: string | null;
    readonly role: string;
  }

  const test = (story: Effect.Effect<void, unknown, Statements>) =>
    Effect.runPromise(
      Effect.provide(story, client({ url: database.own, prepare, maxConnections: 1 })) as Effect.Effect<void>,
    );

  it("sets the scope of each statement, and leaves nothing of it to the next one", () =>
    test(
      Effect.gen(function* () {
        const sql = yield* Statements;
        const ask = (statement: Statement) =>
          Effect.map(sql.run<Told>(statement, [crypto.randomUUID()]), ([row]) => row);
        const nobody = { role: database.role, customer: expect.toBeOneOf([null, ""]) };
        const alone = async () => {
          const found = await Effect.runPromise(ask(withoutScope(told)));
          expect(found).toMatchObject(nobody);
          expect(["", null]).toContain(found?.every);
        };
        for (let round = 0; round < 7; round++) {
          const one = crypto.randomUUID();
          const [mine] = yield* sql.run<Told>(forCustomer(told), [one]);
          expect(mine).toMatchObject({ role: database.role, customer: one });
          yield* Effect.promise(alone);
          expect(yield* ask(forPlatform(told))).toMatchObject({ role: "quittance_platform" });
          yield* Effect.promise(alone);
          expect(yield* ask(forOutbox(told))).toMatchObject({ role: database.role, every: "outbox" });
          yield* Effect.promise(alone);
          expect(yield* ask(forPruning(told))).toMatchObject({ role: database.role, every: "prune" });
          yield* Effect.promise(alone);
        }
      }),
    ));

  it("leaves nothing of a statement that failed, and runs the next ones", () =>
    test(
      Effect.gen(function* () {
        const sql = yield* Statements;
        const customer = crypto.randomUUID();
        const halved = forCustomer("select 1 / $2::integer as half, $1::text as customer");
        const unknown = forCustomer("select $1::text as customer from quittance.no_such_table");
        const misplaced = forCustomer("select count(*) from quittance.partners where $1::text <> ''", 2);
        for (let round = 0; round < 3; round++) {
          for (const [statement, parameters] of [
            [halved, [customer, 0]],
            [unknown, [customer]],
            [halved, [customer]],
            [misplaced, [customer]],
          ] as const) {
            yield* Effect.flip(sql.run(statement, parameters));
            const [left] = yield* sql.run<Told>(withoutScope(told), [customer]);
            expect(left?.customer).not.toBe(customer);
            expect(left?.role).toBe(database.role);
          }
          expect(yield* sql.run(halved, [customer, 1])).toEqual([{ half: 1, customer }]);
        }
      }),
    ));
});
