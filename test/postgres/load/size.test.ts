/**
 * What commands on a settlement of 10,000 lines touch does not depend on how many commissions its customer has, nor on
 * what the planner knows of them: not by the clock, but by the rows and blocks that PostgreSQL counts.
 */
import { Effect, Layer, type Redacted, type Scope } from "effect";
import type pg from "pg";
import { Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { expect, it } from "vitest";
import { type LargeCustomer, make } from "../../support/largeCustomer.ts";
import { connected, database } from "../../support/postgres.ts";
import { COMMANDS, type Command, repeat } from "../../support/settlementCommands.ts";

const LINES = 10_000;
const SMALL = 10_000;
const LARGE = 100_000;
const NEIGHBOUR = 100_000;

/** What a command on the larger customer touches, at most, of what it touches on the smaller one. */
const RATIO = 1.3;

interface Touched {
  readonly rows: number;
  readonly blocks: number;
}

/** Without rollups, which are compacted in the background. */
const TOUCHED = `
select sum(coalesce(t.seq_tup_read, 0) + coalesce(t.idx_tup_fetch, 0))::float8 as rows,
  sum(coalesce(b.heap_blks_hit, 0) + coalesce(b.heap_blks_read, 0) + coalesce(b.idx_blks_hit, 0)
    + coalesce(b.idx_blks_read, 0))::float8 as blocks
from pg_stat_user_tables t join pg_statio_user_tables b using (relid)
where t.schemaname = 'quittance' and t.relname not in ('rollups', 'rollup_deltas')`;

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

/** What each command touched; those that failed are missing. */
type Profile = ReadonlyMap<Command, Touched>;

/** Runs every command on a customer, each in a session of its own. */
const profiled = (
  { url, client }: World,
  customer: LargeCustomer,
  percent: number,
  limit = LIMIT_MILLISECONDS,
) =>
  Effect.gen(function* () {
    const profile = new Map<Command, Touched>();
    const around = <A, E, R>(command: Command, effect: Effect.Effect<A, E, R>) =>
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
    yield* Effect.exit(Effect.provide(repeat(customer, percent, around), engine));
    return profile;
  });

/** The default of the store. */
const LIMIT_MILLISECONDS = 30_000;
/** Long for what commands take, and short for what a wrong plan does. */
const SHORT_LIMIT_MILLISECONDS = 10_000;

/** The commands that touch more rows or blocks on the larger customer, or fail there. */
const grown = (small: Profile, large: Profile): ReadonlyArray<string> =>
  COMMANDS.flatMap((command) => {
    const [one, other] = [small.get(command), large.get(command)];
    if (one === undefined || other === undefined) return [`${command}: failed`];
    const [rows, blocks] = [other.rows / one.rows, other.blocks / one.blocks];
    return rows <= RATIO && blocks <= RATIO
      ? []
      : [`${command}: ${rows.toFixed(2)} times the rows, ${blocks.toFixed(2)} times the blocks`];
  });

interface World {
  readonly url: Redacted.Redacted;
  readonly client: pg.Client;
  readonly customer: (size: number) => Effect.Effect<LargeCustomer, unknown>;
}

/** A database that is never analysed by itself. */
const world: Effect.Effect<World, never, Scope.Scope> = Effect.gen(function* () {
  const url = yield* database();
  const client = yield* connected(url);
  yield* Effect.promise(() => client.query(WITHOUT_AUTOVACUUM));
  const customer = (size: number) =>
    Effect.provide(make(client, { size, due: LINES }), Postgres.layer({ url, maxConnections: 1 }));
  return { url, client, customer };
});

const WITHOUT_AUTOVACUUM = `do $$
declare name text;
begin
  for name in select t.relname from pg_class t where t.relnamespace = 'quittance'::regnamespace and t.relkind = 'r' loop
    execute format('alter table quittance.%I set (autovacuum_enabled = false)', name);
  end loop;
end $$`;

const run = <A>(effect: Effect.Effect<A, unknown, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(effect));

/** A neighbour, a small and a large customer; analysed before these two came, after it, or never. */
const populate = ({ client, customer }: World, analyse: "never" | "before" | "after") =>
  Effect.gen(function* () {
    const analysed = Effect.promise(() => client.query("analyze"));
    yield* customer(NEIGHBOUR);
    if (analyse === "before") yield* analysed;
    const [small, large] = [yield* customer(SMALL), yield* customer(LARGE)];
    if (analyse === "after") yield* analysed;
    return { small, large };
  });

it.each(["never", "before", "after"] as const)(
  "commands on 10,000 lines touch as much for a customer of 100,000 commissions as for one of 10,000: ANALYZE %s they came",
  (analyse) =>
    run(
      Effect.gen(function* () {
        const here = yield* world;
        const { small, large } = yield* populate(here, analyse);
        expect(grown(yield* profiled(here, small, 11), yield* profiled(here, large, 11))).toEqual([]);
      }),
    ),
  300_000,
);

/** The update as it was before commissions were changed by their places: a join that is estimated at one row. */
const JOINED = `
create or replace function quittance.change_commissions_at(
  customer uuid, places tid[], amounts bigint[], settlement uuid, change jsonb, command jsonb,
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

/** Lookups by equality, for which every index of the table will do where one row of the customer is expected. */
const EQUAL = `
create or replace function quittance.uncount_commissions(customer uuid, ids uuid[], versions integer[]) returns tid[]
language plpgsql set enable_seqscan = off as $body$
declare
  places tid[];
begin
  execute 'select array_agg(c.ctid order by w.place) from unnest($2) with ordinality as w(id, place)
    cross join lateral (select t.ctid from quittance.commissions t where t.customer_id = $1 and t.id = w.id limit 1) c'
  into places using customer, ids;
  return places;
end
$body$`;

it.each([
  { mistake: "a join that is estimated at one row", analyse: "after", planted: JOINED },
  { mistake: "a lookup that any index seems to answer", analyse: "before", planted: EQUAL },
] as const)(
  "catches $mistake",
  ({ analyse, planted }) =>
    run(
      Effect.gen(function* () {
        const here = yield* world;
        const { small, large } = yield* populate(here, analyse);
        const before = yield* profiled(here, small, 11);
        yield* Effect.promise(() => here.client.query(planted));
        const found = grown(before, yield* profiled(here, large, 11, SHORT_LIMIT_MILLISECONDS));
        expect(found.join()).toContain("create");
      }),
    ),
  300_000,
);
