/**
 * The rows and blocks that commands on a settlement of 10,000 lines read and write do not grow with the customer's
 * commissions, whatever statistics the planner has. Measured by the counters of PostgreSQL, not by time.
 */
import { Effect, Exit, Layer, type Redacted, Scope } from "effect";
import type pg from "pg";
import { Movement, Quittance, Storage } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build } from "quittance/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LargeCustomer, make } from "../../support/largeCustomer.ts";
import { connected, copyOf, database } from "../../support/postgres.ts";
import { longOr } from "../../support/profile.ts";
import { COMMANDS, type Command, repeat } from "../../support/settlementCommands.ts";

const LINES = 10_000;
const SMALL = 10_000;
const LARGE = 100_000;
const NEIGHBOUR = 100_000;

/**
 * The limits of larger divided by smaller customer, which differ by a factor of 10. Blocks are those of the whole database, so that
 * work in the background adds some.
 */
const ROWS_RATIO = 1.3;
const BLOCKS_RATIO = 2;

interface Touched {
  readonly rows: number;
  readonly blocks: number;
}

/**
 * Without rollups, which the background compacts, and without settlements: the foreign-key check of each line may scan their
 * dozen rows, and the larger customer, stored later, has more of them.
 */
const TOUCHED = `
select sum(coalesce(t.seq_tup_read, 0) + coalesce(t.idx_tup_fetch, 0))::float8 as rows,
  sum(coalesce(b.heap_blks_hit, 0) + coalesce(b.heap_blks_read, 0) + coalesce(b.idx_blks_hit, 0)
    + coalesce(b.idx_blks_read, 0))::float8 as blocks
from pg_stat_user_tables t join pg_statio_user_tables b using (relid)
where t.schemaname = 'quittance' and t.relname not in ('rollups', 'rollup_deltas', 'daily_balances', 'settlements')`;

/** Ends the other sessions, because a session reports its statistics when it ends. */
const END = `select count(pg_terminate_backend(t.pid))::integer as sessions from pg_stat_activity t
where t.datname = current_database() and t.pid <> pg_backend_pid() and t.backend_type = 'client backend'`;

const touched = async (client: pg.Client): Promise<Touched> => {
  for (;;) {
    const { rows } = await client.query<{ readonly sessions: number }>(END);
    if (rows[0]?.sessions === 0) break;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  const { rows } = await client.query<Touched>(TOUCHED);
  return rows[0] ?? { rows: 0, blocks: 0 };
};

/** The commands, and the read of a statement. */
type Profiled = Command | "statement";
const PROFILED: ReadonlyArray<Profiled> = [...COMMANDS, "statement"];

/** Rows and blocks of each command that succeeded. */
type Profile = ReadonlyMap<Profiled, Touched>;

/** Reads the first page of the last day's statement with opening and closing balance, and the balance after the last sale of that day. */
const readStatement = ({ customerId, partnerId }: LargeCustomer) =>
  Effect.flatMap(Storage.Storage, (storage) =>
    Effect.gen(function* () {
      const span = {
        currency: "EUR",
        from: Build.EPOCH - Build.DAY,
        to: Build.EPOCH,
        after: null,
        limit: 1_000,
      };
      const { movements, due } = yield* storage.partnerMovements(customerId, partnerId, span);
      const [balance] = yield* storage.partnerBalances(customerId, [partnerId], Build.EPOCH);
      const [within] = yield* storage.partnerBalances(customerId, [partnerId], Build.EPOCH - 1);
      if (movements.length !== 1_000 || balance === undefined || due?.closing !== Movement.amountOf(balance))
        return yield* Effect.dieMessage("the statement is not that of the customer");
      if (within?.earned !== balance.earned)
        return yield* Effect.dieMessage("the balance after the last sale of the day leaves some out");
    }),
  );

/** Runs every command on a customer, each in a separate session. */
const profiled = (
  { url, client }: World,
  customer: LargeCustomer,
  percent: number,
  limit = LIMIT_MILLISECONDS,
) =>
  Effect.gen(function* () {
    const profile = new Map<Profiled, Touched>();
    const around = <A, E, R>(command: Profiled, effect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const before = yield* Effect.promise(() => touched(client));
        const answer = yield* effect;
        const after = yield* Effect.promise(() => touched(client));
        profile.set(command, { rows: after.rows - before.rows, blocks: after.blocks - before.blocks });
        return answer;
      });
    const engine = Quittance.layer().pipe(
      Layer.provide(Pdf.layer),
      Layer.provideMerge(Postgres.layer({ url, maxConnections: 1, statementTimeoutMilliseconds: limit })),
    );
    const all = Effect.zipRight(
      around("statement", readStatement(customer)),
      repeat(customer, percent, around),
    );
    yield* Effect.exit(Effect.provide(all, engine));
    return profile;
  });

/** The store's default statement timeout. */
const LIMIT_MILLISECONDS = 30_000;
/** Longer than any command takes with a right plan, and shorter than with a wrong one. */
const SHORT_LIMIT_MILLISECONDS = 2_000;

/** The commands that exceed the limit on the larger customer, or fail there. */
const grown = (small: Profile, large: Profile): ReadonlyArray<string> =>
  PROFILED.flatMap((command) => {
    const [one, other] = [small.get(command), large.get(command)];
    if (one === undefined || other === undefined) return [`${command}: failed`];
    const [rows, blocks] = [other.rows / one.rows, other.blocks / one.blocks];
    return rows <= ROWS_RATIO && blocks <= BLOCKS_RATIO
      ? []
      : [`${command}: ${rows.toFixed(2)} times the rows, ${blocks.toFixed(2)} times the blocks`];
  });

interface World {
  readonly url: Redacted.Redacted;
  readonly client: pg.Client;
}

/** Both customers, in a database with a third one. */
interface Populated {
  readonly url: Redacted.Redacted;
  readonly small: LargeCustomer;
  readonly large: LargeCustomer;
}

const WITHOUT_AUTOVACUUM = `do $$
declare name text;
begin
  for name in select t.relname from pg_class t where t.relnamespace = 'quittance'::regnamespace and t.relkind = 'r' loop
    execute format('alter table quittance.%I set (autovacuum_enabled = false)', name);
  end loop;
end $$`;

const run = <A>(effect: Effect.Effect<A, unknown, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(effect));

/** Runs statements on a database over a connection of its own, so that the database can be copied afterwards. */
const on = (url: Redacted.Redacted, ...statements: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.flatMap(connected(url), (client) =>
      Effect.forEach(statements, (statement) => Effect.promise(() => client.query(statement))),
    ),
  );

/** Stores a customer over separate connections. */
const addCustomer = (url: Redacted.Redacted, size: number) =>
  Effect.scoped(
    Effect.flatMap(connected(url), (client) =>
      Effect.provide(make(client, { size, due: LINES }), Postgres.layer({ url, maxConnections: 1 })),
    ),
  );

const populate = (url: Redacted.Redacted): Effect.Effect<Populated, unknown> =>
  Effect.gen(function* () {
    return { url, small: yield* addCustomer(url, SMALL), large: yield* addCustomer(url, LARGE) };
  });

/** When the tables were analysed: never, before both customers were stored, or after it. */
type Analysed = "never" | "before" | "after";

/** One database for each state. Two are copies, which is faster than storing the customers again. */
const databases: Effect.Effect<Readonly<Record<Analysed, Populated>>, unknown, Scope.Scope> = Effect.gen(
  function* () {
    const neighbour = yield* database();
    yield* on(neighbour, WITHOUT_AUTOVACUUM);
    yield* addCustomer(neighbour, NEIGHBOUR);
    const analysed = yield* copyOf(neighbour);
    yield* on(analysed, "analyze");
    const before = yield* populate(analysed);
    const never = yield* populate(neighbour);
    const after = { ...never, url: yield* copyOf(never.url) };
    yield* on(after.url, "analyze");
    return { never, before, after };
  },
);

const scope = Effect.runSync(Scope.make());
let populated: Readonly<Record<Analysed, Populated>>;
beforeAll(async () => {
  populated = await Effect.runPromise(Scope.extend(databases, scope));
});
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

/** A populated database with a connection to it. */
const world = (analysed: Analysed): Effect.Effect<World & Populated, never, Scope.Scope> =>
  Effect.map(connected(populated[analysed].url), (client) => ({ ...populated[analysed], client }));

/** Of the smaller customer of each database, which the later tests compare with as well. */
const smallProfiles = new Map<Analysed, Profile>();
const profileSmall = (analysed: Analysed, here: World & Populated) =>
  Effect.gen(function* () {
    const profile = smallProfiles.get(analysed) ?? (yield* profiled(here, here.small, 11));
    smallProfiles.set(analysed, profile);
    return profile;
  });

/** In `npm run verify` also with statistics of the empty tables, which the planted mistakes below are checked with. */
it.each([...longOr<ReadonlyArray<Analysed>>(["before"], []), "never", "after"] as const)(
  "commands on 10,000 lines read as many blocks for a customer of 100,000 commissions as for one of 10,000: ANALYZE ran %s the inserts",
  (analyse) =>
    run(
      Effect.gen(function* () {
        const here = yield* world(analyse);
        const small = yield* profileSmall(analyse, here);
        expect(grown(small, yield* profiled(here, here.large, 11)).join("; ")).toBe("");
      }),
    ),
);

/** An earlier form of the update: a join that the planner estimates at one row. */
const JOINED = `
create or replace function quittance.change_commissions_at(
  customer uuid, places tid[], settled bigint[], amounts bigint[], settlement uuid, change jsonb, command jsonb,
  out records uuid[], out sequences integer[])
language plpgsql set enable_seqscan = off as $body$
declare
  ids uuid[];
begin
  select array_agg(l.commission_id order by l.position) into ids from quittance.settlement_lines l
  where l.customer_id = customer and l.settlement_id = settlement;
  execute 'with changed as (
      update quittance.commissions c
      set pending_amount = l.amount, open_settlement_id = $4, version = c.version + 1
      from unnest($2, $3) as l(id, amount)
      where c.customer_id = $1 and c.id = l.id and c.open_settlement_id is not distinct from null
      returning c.id, c.version)
    select array_agg(id), array_agg(version) from changed'
  into records, sequences using customer, ids, amounts, settlement;
end
$body$`;

/** Look-ups by equality. Where the planner expects one row of the customer, it may use any index of the table. */
const EQUAL = `
create or replace function quittance.uncount_commissions(
  customer uuid, ids uuid[], versions integer[], moments bigint[], command_at bigint,
  out places tid[], out earned bigint[], out settled bigint[], out waiting bigint[])
language plpgsql set enable_seqscan = off as $body$
begin
  execute 'select array_agg(c.ctid order by w.place), array_agg(c.computed_amount::bigint order by w.place),
      array_agg(c.settled_amount order by w.place), array_agg(c.waiting_amount::bigint order by w.place)
    from unnest($2) with ordinality as w(id, place)
    cross join lateral (
      select t.ctid, t.computed_amount, t.settled_amount, t.waiting_amount
      from quittance.commissions t where t.customer_id = $1 and t.id = w.id limit 1) c'
  into places, earned, settled, waiting using customer, ids;
end
$body$`;

it.each([
  { mistake: "a join that is estimated at one row", analyse: "after", planted: JOINED },
  { mistake: "a lookup that any index seems to answer", analyse: "before", planted: EQUAL },
] as const)("the check finds $mistake", ({ analyse, planted }) =>
  run(
    Effect.gen(function* () {
      const here = yield* world(analyse);
      const small = yield* profileSmall(analyse, here);
      yield* Effect.promise(() => here.client.query(planted));
      const found = grown(small, yield* profiled(here, here.large, 21, SHORT_LIMIT_MILLISECONDS));
      expect(found.join()).toContain("create");
    }),
  ),
);
