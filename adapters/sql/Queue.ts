/** The outbox port over SQL: rows are claimed with SKIP LOCKED, so workers never wait for each other. */
import { Effect } from "effect";
import type { Outbox } from "quittance";
import { forOutbox } from "./Behalf.ts";
import { type Runner, row, rows } from "./Statement.ts";

const CLAIM = forOutbox(`
with due as materialized (
  select t.id from quittance.outbox t
  where not t.buried and t.available_at <= $1::bigint and t.leased_until <= $1::bigint
  order by t.available_at, t.id limit $2::bigint for no key update skip locked
), claimed as (
  update quittance.outbox t set attempt = t.attempt + 1, leased_until = $1::bigint + $3::bigint
  from due where t.id = due.id returning t.*
)
select coalesce(json_agg(json_build_object(
  'id', c.id, 'topic', c.topic, 'customerId', c.customer_id, 'recordId', c.record_id, 'reference', c.reference,
  'availableAt', c.available_at, 'attempt', c.attempt) order by c.available_at, c.id), '[]') as messages
from claimed c`);

const POSTPONE =
  forOutbox(`update quittance.outbox t set available_at = $2::bigint, leased_until = 0, problem = $3
where t.id = $1`);

const BURY = forOutbox("update quittance.outbox t set buried = true, problem = $2 where t.id = $1");

const COMPLETE = forOutbox("delete from quittance.outbox t where t.id = $1");

const DEPTH =
  forOutbox(`select count(*) filter (where not t.buried) as waiting, count(*) filter (where t.buried) as buried,
  min(t.available_at) filter (where not t.buried) as oldest_at
from quittance.outbox t`);

interface Depth {
  readonly waiting: number | string;
  readonly buried: number | string;
  readonly oldest_at: number | string | null;
}

/** A problem may quote anything; U+0000 alone cannot be kept. */
const storable = (problem: string): string => problem.replaceAll("\u0000", "\uFFFD");

/** The outbox over a database that has been migrated. */
export const make = (sql: Runner): Outbox.OutboxService => ({
  claim: (now, limit, lease) =>
    Effect.map(
      row<{ readonly messages: ReadonlyArray<Outbox.Claimed> }>(sql, CLAIM, [now, limit, lease]),
      (found) => found?.messages ?? [],
    ),
  complete: (id) => Effect.asVoid(rows(sql, COMPLETE, [id])),
  postpone: (id, availableAt, problem) =>
    Effect.asVoid(rows(sql, POSTPONE, [id, availableAt, storable(problem)])),
  bury: (id, problem) => Effect.asVoid(rows(sql, BURY, [id, storable(problem)])),
  depth: Effect.map(row<Depth>(sql, DEPTH, []), (found) => ({
    waiting: Number(found?.waiting ?? 0),
    buried: Number(found?.buried ?? 0),
    oldestAt: typeof found?.oldest_at === "string" ? Number(found.oldest_at) : (found?.oldest_at ?? null),
  })),
});
