/**
 * Rollups: the counts of lists and statistics, kept up to date by commits. A commit appends its changes as deltas, without
 * waiting for another commit; `compact_rollups` adds them up later. Rollups plus the remaining deltas are exact in every
 * snapshot, because one transaction deletes a delta and adds it. `day` is the day that a record counts for; `moved_day` is
 * the day of the event that changed a commission, by which `daily_balances` sums the same deltas for the partner's balance.
 */
import { byCtid, byKey, lookUpByKey } from "../planning.ts";
import { KIND_OF_ROW } from "./Rollup.ts";

const DELTA_COLUMNS = [
  ["kind", "text"],
  ["partner_id", "uuid"],
  ["day", "integer"],
  ["workspace_id", "uuid"],
  ["status", "text"],
  ["currency", "text"],
  ["moved_day", "integer"],
  ["count", "bigint"],
  ["settled", "numeric"],
  ["due", "numeric"],
  ["pending", "numeric"],
  ["waiting", "numeric"],
  ["elsewhere", "numeric"],
] as const;

/**
 * Appends the deltas that a statement has summed up in the variable `deltas`, as JSON with the columns that
 * {@link DELTA_COLUMNS} names. The statement that sums them up cannot insert them itself: on a distributed database the rows
 * that an insert takes from a CTE are sent to every node, and a node that is down would stop every customer.
 */
export const APPEND_DELTAS = `
  insert into quittance.rollup_deltas (customer_id, ${DELTA_COLUMNS.map(([name]) => name).join(", ")})
  select customer, ${DELTA_COLUMNS.map(([name]) => `d.${name}`).join(", ")}
  from json_to_recordset(deltas) as d(${DELTA_COLUMNS.map((column) => column.join(" ")).join(", ")})`;

/** The functions that append deltas and compact them. */
export const rollupFunctions = `
-- Days since 1 January of the year 1, the first that a moment can lie in; never negative, so that division rounds down.
create function quittance.day_of(moment bigint) returns integer immutable language sql as $body$
  select ((moment + 62135596800000) / 86400000)::integer
$body$;

create function quittance.start_of(day integer) returns bigint immutable language sql as $body$
  select day::bigint * 86400000 - 62135596800000
$body$;

-- Counts attributions as they are now: called with sign -1 before they change and with sign 1 afterwards.
create function quittance.count_attributions(customer uuid, ids uuid[], sign integer) returns void
language plpgsql
  ${byKey}
as $body$
begin
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, count, settled, due)
  select customer, ${KIND_OF_ROW}, a.partner_id, quittance.day_of(a.occurred_at), a.workspace_id, a.status,
    sign * count(*), 0, 0
  from unnest(ids) as w(id)
  cross join lateral ${lookUpByKey({ table: "quittance.attributions", columns: "t.*", customer: "customer", id: "w.id" })} a
  group by 2, 3, 4, 5, 6;
end
$body$;

-- Adds up the deltas at these places, which the caller has locked; returns their number. On a distributed database the rows
-- that an insert takes from a CTE are sent to every node, so each statement reads the deltas.
create function quittance.compact_deltas_at(customer uuid, places tid[]) returns bigint language plpgsql
  ${byCtid}
as $body$
declare
  compacted bigint;
begin
  insert into quittance.rollups as r (
    customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
  select customer, t.kind, t.partner_id, t.day, t.workspace_id, t.status, t.currency, sum(t.count), sum(t.settled), sum(t.due)
  from unnest(places) as l(place) join quittance.rollup_deltas t on t.customer_id = customer and t.ctid = l.place
  group by t.kind, t.workspace_id, t.status, t.currency,
    grouping sets ((), (t.day), (t.partner_id), (t.partner_id, t.day))
  -- One order for all, so that two compactions wait for each other and do not deadlock.
  order by t.kind, t.partner_id, t.day, t.workspace_id, t.status, t.currency
  on conflict on constraint rollups_key do update
  set count = r.count + excluded.count, settled = r.settled + excluded.settled, due = r.due + excluded.due;
  insert into quittance.daily_balances as b (customer_id, partner_id, day, currency, earned, settled, pending, waiting, elsewhere)
  select customer, t.partner_id, t.moved_day, t.currency, sum(t.settled + t.due), sum(t.settled),
    coalesce(sum(t.pending), 0), sum(t.waiting), sum(t.elsewhere)
  from unnest(places) as l(place) join quittance.rollup_deltas t on t.customer_id = customer and t.ctid = l.place
  where t.moved_day is not null group by t.partner_id, t.moved_day, t.currency
  order by t.partner_id, t.moved_day, t.currency
  on conflict (customer_id, partner_id, day, currency) do update
  set earned = b.earned + excluded.earned, settled = b.settled + excluded.settled, pending = b.pending + excluded.pending,
    waiting = coalesce(b.waiting + excluded.waiting, b.waiting, excluded.waiting),
    elsewhere = coalesce(b.elsewhere + excluded.elsewhere, b.elsewhere, excluded.elsewhere);
  with taken as (
    delete from quittance.rollup_deltas d using unnest(places) as l(place)
    where d.customer_id = customer and d.ctid = l.place
    returning d.ctid
  )
  select count(*) into compacted from taken;
  return compacted;
end
$body$;

-- Adds at most so many deltas of a customer to its rollups; returns their number. Any number of processes may call it at once.
create function quittance.compact_rollups(customer uuid, most integer) returns bigint language plpgsql
  ${byKey}
as $body$
declare
  places tid[];
begin
  perform set_config('app.customer_id', customer::text, true);
  places := array(
    select d.ctid from quittance.rollup_deltas d where d.customer_id = customer limit most for update skip locked);
  return quittance.compact_deltas_at(customer, places);
end
$body$;
`;
