/**
 * Rollups: what lists and statistics count, counted beforehand. A commit appends what it changes as deltas, which wait
 * for nobody; {@link rollups}' `fold` adds them up behind it. Rollups plus the deltas not yet folded are exact in every
 * snapshot, because folding takes a delta and adds it in one transaction.
 */
import { byKey, byPlace, keyed } from "../planning.ts";

/** What a commit appends, and the fold. */
export const rollups = `
-- Days since 1 January of the year 1, the first that a moment can lie in; never negative, so that division rounds down.
create function quittance.day_of(moment bigint) returns integer immutable language sql as $body$
  select ((moment + 62135596800000) / 86400000)::integer
$body$;

create function quittance.start_of(day integer) returns bigint immutable language sql as $body$
  select day::bigint * 86400000 - 62135596800000
$body$;

-- Counts commissions as they are now: once with sign -1 before they change, once with sign 1 after.
create function quittance.count_commissions(customer uuid, ids uuid[], sign integer) returns void
language plpgsql
  ${byKey}
as $body$
begin
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
  select customer, 'commission', c.partner_id, quittance.day_of(c.created_at), c.workspace_id, c.settlement_status,
    c.currency, sign * count(*), sign * sum(c.settled_amount),
    sign * sum(coalesce(c.computed_amount, 0) - c.settled_amount)
  from unnest(ids) as w(id)
  cross join lateral ${keyed({ table: "quittance.commissions", columns: "t.*", customer: "customer", id: "w.id" })} c
  group by 3, 4, 5, 6, 7;
end
$body$;

-- The same for attributions.
create function quittance.count_attributions(customer uuid, ids uuid[], sign integer) returns void
language plpgsql
  ${byKey}
as $body$
begin
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, count, settled, due)
  select customer, 'attribution', a.partner_id, quittance.day_of(a.created_at), a.workspace_id, a.status,
    sign * count(*), 0, 0
  from unnest(ids) as w(id)
  cross join lateral ${keyed({ table: "quittance.attributions", columns: "t.*", customer: "customer", id: "w.id" })} a
  group by 3, 4, 5, 6;
end
$body$;

-- Adds up the deltas at these places.
create function quittance.compact_deltas_at(customer uuid, places tid[]) returns bigint language plpgsql
  ${byPlace}
as $body$
declare
  folded bigint;
begin
  with taken as (
    delete from quittance.rollup_deltas d using unnest(places) as l(place)
    where d.customer_id = customer and d.ctid = l.place
    returning d.*
  ), summed as (
    select t.kind, t.partner_id, t.day, t.workspace_id, t.status, t.currency,
      sum(t.count) as count, sum(t.settled) as settled, sum(t.due) as due
    from taken t
    group by t.kind, t.workspace_id, t.status, t.currency,
      grouping sets ((), (t.day), (t.partner_id), (t.partner_id, t.day))
  ), added as (
    insert into quittance.rollups as r (
      customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
    select customer, s.kind, s.partner_id, s.day, s.workspace_id, s.status, s.currency, s.count, s.settled, s.due
    from summed s
    -- One order for all, so that two folds wait for each other and do not deadlock.
    order by s.kind, s.partner_id, s.day, s.workspace_id, s.status, s.currency
    on conflict on constraint rollups_key do update
    set count = r.count + excluded.count, settled = r.settled + excluded.settled, due = r.due + excluded.due
  )
  select count(*) into folded from taken;
  return folded;
end
$body$;

-- Adds up to so many deltas of a customer into its rollups; answers how many. Any number of processes may fold at once.
create function quittance.compact_rollups(customer uuid, most integer) returns bigint language plpgsql
  ${byKey}
as $body$
begin
  perform set_config('app.customer_id', customer::text, true);
  return quittance.compact_deltas_at(customer, array(
    select d.ctid from quittance.rollup_deltas d where d.customer_id = customer limit most for update skip locked));
end
$body$;
`;
