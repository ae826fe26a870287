/** The outbox port over SQL. Rows are claimed with SKIP LOCKED, so that workers never wait for each other. */
import { Effect } from "effect";
import type { Outbox, Storage } from "quittance";
import { integers, type Runner, row, rows, uuids } from "./Statement.ts";
import { forOutbox } from "./TenantScope.ts";

/** The columns of a claimed message as the port names them; the column `attempt` holds the number of the claim. */
const CLAIMED = `'id', t.id, 'topic', t.topic, 'customerId', t.customer_id, 'recordId', t.record_id, 'reference', t.reference,
  'claim', t.attempt, 'failures', t.failures, 'lostLeases', t.lost_leases`;

/** The clock of the database, read once a statement. */
const CLOCK = "clock as materialized (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now)";
const NOW = "(select c.now from clock c)";

/** The messages that the list shows and an operator may put back into the queue. */
const TROUBLED = "(t.dead_lettered or t.parked or t.failures > 0 or t.lost_leases > 0)";

const CLAIM = forOutbox(`
with ${CLOCK}, due as materialized (
  select t.id from quittance.outbox t
  where not t.dead_lettered and t.available_at <= ${NOW} and t.leased_until <= ${NOW}
    and t.topic = any ($1::text[]) and t.customer_id <> all ($4::uuid[])
  order by t.available_at, t.id limit $2::bigint for no key update of t skip locked
), claimed as (
  update quittance.outbox t set attempt = t.attempt + 1, leased_until = ${NOW} + $3::bigint, parked = false,
    lost_leases = t.lost_leases + case when t.leased_until > 0 then 1 else 0 end
  from due where t.id = due.id returning t.*
)
select coalesce(json_agg(json_build_object(${CLAIMED}) order by t.available_at, t.id), '[]') as messages
from claimed t`);

const RENEW = forOutbox(`
with ${CLOCK}
update quittance.outbox t set leased_until = greatest(t.leased_until, ${NOW} + $3::bigint)
from unnest($1::uuid[], $2::integer[]) as held(id, claim) where t.id = held.id and t.attempt = held.claim`);

const RELEASE = forOutbox(`
with ${CLOCK}
update quittance.outbox t set available_at = least(t.available_at, ${NOW}), leased_until = 0
where t.id = $1 and t.attempt = $2`);

const POSTPONE = forOutbox(`
with ${CLOCK}
update quittance.outbox t set available_at = ${NOW} + $3::bigint, leased_until = 0, failures = $4, lost_leases = 0,
  problem = $5, parked = $6
where t.id = $1 and t.attempt = $2`);

const UNPARK = forOutbox(`
with ${CLOCK}
update quittance.outbox t set available_at = ${NOW}, parked = false
where t.parked and not t.dead_lettered and t.topic = any ($1::text[])`);

const DEAD_LETTER =
  forOutbox(`update quittance.outbox t set dead_lettered = true, leased_until = 0, problem = $3
where t.id = $1 and t.attempt = $2`);

const COMPLETE = forOutbox("delete from quittance.outbox t where t.id = $1 and t.attempt = $2");

const LIST = forOutbox(`
with ${CLOCK}, listed as (
  select t.* from quittance.outbox t
  where ${TROUBLED} and ($1::uuid is null or t.id > $1::uuid) order by t.id limit $2::bigint
)
select coalesce(json_agg(json_build_object(${CLAIMED},
  'state', case when t.dead_lettered then 'dead' when t.leased_until > ${NOW} then 'claimed'
    when t.parked then 'parked' else 'waiting' end,
  'availableAt', t.available_at, 'problem', t.problem) order by t.id), '[]') as messages
from listed t`);

const REQUEUE = forOutbox(`
with ${CLOCK}, requeued as (
  update quittance.outbox t set available_at = least(t.available_at, ${NOW}), failures = 0, lost_leases = 0,
    dead_lettered = false, parked = false
  where t.id = any ($1::uuid[]) and ${TROUBLED} returning t.id
)
select count(*) as count from requeued`);

const DEPTH = forOutbox(`
with ${CLOCK}
select t.topic, count(*) filter (where not t.dead_lettered) as waiting, count(*) filter (where t.dead_lettered) as dead_lettered,
  greatest(0, ${NOW} - min(t.available_at) filter (where not t.dead_lettered)) as overdue
from quittance.outbox t group by t.topic`);

interface Depth {
  readonly topic: Storage.Topic;
  readonly waiting: number | string;
  readonly dead_lettered: number | string;
  readonly overdue: number | string;
}

/** A problem without U+0000, which PostgreSQL cannot store. */
const storable = (problem: string | null): string | null => problem?.replaceAll("\u0000", "\uFFFD") ?? null;

/** An array of topics, which are words that an array literal need not quote. */
const topicsOf = (topics: ReadonlyArray<Storage.Topic>): string => `{${topics.join(",")}}`;

/** The outbox over a database that has been migrated. */
export const make = (sql: Runner): Outbox.OutboxService => ({
  claim: ({ topics, limit, leaseMilliseconds, exceptCustomers = [] }) =>
    Effect.map(
      row<{ readonly messages: ReadonlyArray<Outbox.Claimed> }>(sql, CLAIM, [
        topicsOf(topics),
        limit,
        leaseMilliseconds,
        uuids(exceptCustomers),
      ]),
      (found) => found?.messages ?? [],
    ),
  renew: (claims, leaseMilliseconds) =>
    Effect.asVoid(
      rows(sql, RENEW, [
        uuids(claims.map(({ id }) => id)),
        integers(claims.map(({ claim }) => claim)),
        leaseMilliseconds,
      ]),
    ),
  complete: ({ id, claim }) => Effect.asVoid(rows(sql, COMPLETE, [id, claim])),
  release: ({ id, claim }) => Effect.asVoid(rows(sql, RELEASE, [id, claim])),
  postpone: ({ id, claim }, { delayMilliseconds, failures, problem, parked = false }) =>
    Effect.asVoid(rows(sql, POSTPONE, [id, claim, delayMilliseconds, failures, storable(problem), parked])),
  unpark: (topics) => Effect.asVoid(rows(sql, UNPARK, [topicsOf(topics)])),
  deadLetter: ({ id, claim }, problem) =>
    Effect.asVoid(rows(sql, DEAD_LETTER, [id, claim, storable(problem)])),
  list: (after, limit) =>
    Effect.map(
      row<{ readonly messages: ReadonlyArray<Outbox.Listed> }>(sql, LIST, [after, limit]),
      (found) => found?.messages ?? [],
    ),
  requeue: (ids) =>
    Effect.map(row<{ readonly count: number | string }>(sql, REQUEUE, [uuids(ids)]), (found) =>
      Number(found?.count ?? 0),
    ),
  depth: Effect.map(rows<Depth>(sql, DEPTH, []), (found) =>
    found.map(({ topic, waiting, dead_lettered, overdue }) => ({
      topic,
      waiting: Number(waiting),
      deadLettered: Number(dead_lettered),
      overdueMilliseconds: Number(overdue),
    })),
  ),
});
