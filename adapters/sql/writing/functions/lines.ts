/** The functions that change many commissions at once: new amounts, and the lines of a settlement. */
import { byKey, byPlace, keyed } from "../../planning.ts";

const COUNTED = `insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)`;

const MEASURES = "count(*), sum(c.settled_amount), sum(coalesce(c.computed_amount, 0) - c.settled_amount)";

/** The columns of a changed row that rollups count. */
const COUNTABLE = `c.partner_id, c.occurred_at, c.workspace_id, c.settlement_status, c.currency, c.settled_amount,
        c.computed_amount`;

const ADDED = `${COUNTED}
  select customer, 'commission', c.partner_id, quittance.day_of(c.occurred_at), c.workspace_id, c.settlement_status,
    c.currency, ${MEASURES}
  from changed c group by 3, 4, 5, 6, 7`;

/** The functions. They also append the events of the commissions. */
export const lines = `
-- Stores the parts of a settlement's lines that take back what was billed, once; foreign keys require the lines.
create function quittance.store_taken_back_parts(customer uuid, settlement uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
begin
  if exists (select from quittance.taken_back t where t.customer_id = customer and t.settlement_id = settlement) then
    perform quittance.raise_version_conflict('take_back');
  end if;
  insert into quittance.taken_back (customer_id, settlement_id, commission_id, origin_id, amount)
  select customer, settlement, p.commission_id, p.origin_id, p.amount
  from jsonb_to_recordset(given) as p(commission_id uuid, origin_id uuid, amount bigint);
end
$body$;

-- Subtracts commissions that are about to change from the rollups. Returns their places in the order of the ids: null for
-- a commission that is absent or, when versions are given, has another version.
create function quittance.uncount_commissions(customer uuid, ids uuid[], versions integer[]) returns tid[]
language plpgsql
  ${byKey}
as $body$
declare
  places tid[];
begin
  with found as (
    select w.place, c.*
    from unnest(ids, versions) with ordinality as w(id, version, place)
    left join lateral ${keyed({
      table: "quittance.commissions",
      columns: "t.ctid, t.*",
      customer: "customer",
      id: "w.id",
      condition: "(w.version is null or t.version = w.version)",
    })} c on true
  ), uncounted as (
    ${COUNTED}
    select customer, 'commission', c.partner_id, quittance.day_of(c.occurred_at), c.workspace_id, c.settlement_status,
      c.currency, -count(*), -sum(c.settled_amount), -sum(coalesce(c.computed_amount, 0) - c.settled_amount)
    from found c where c.ctid is not null group by 3, 4, 5, 6, 7
  )
  select array_agg(c.ctid order by c.place) into places from found c;
  return places;
end
$body$;

create function quittance.revise_commissions_at(
  customer uuid, places tid[], amounts bigint[], versions integer[], errors jsonb[], moments bigint[])
returns bigint language plpgsql
  ${byPlace}
as $body$
declare
  touched bigint;
begin
  with changed as (
    update quittance.commissions c
    set computed_amount = r.amount, formula_version = r.formula_version, computation_error = r.error,
      version = c.version + 1, last_at = r.moment
    from unnest(places, amounts, versions, errors, moments) as r(place, amount, formula_version, error, moment)
    where c.customer_id = customer and c.ctid = r.place
    returning ${COUNTABLE}
  ), added as (${ADDED})
  select count(*) into touched from changed;
  return touched;
end
$body$;

create function quittance.revise_commissions(customer uuid, revisions jsonb) returns void language plpgsql as $body$
declare
  ids uuid[];
  expected integer[];
  amounts bigint[];
  versions integer[];
  errors jsonb[];
  moments bigint[];
begin
  select array_agg(r.id), array_agg(r.expected), array_agg(r.computed_amount), array_agg(r.formula_version),
    array_agg(nullif(r.computation_error, 'null')), array_agg(r.last_at)
  into ids, expected, amounts, versions, errors, moments
  from jsonb_to_recordset(revisions) as r(
    id uuid, expected integer, computed_amount bigint, formula_version integer, computation_error jsonb, last_at bigint);
  if quittance.revise_commissions_at(
    customer, quittance.uncount_commissions(customer, ids, expected), amounts, versions, errors, moments
  ) <> cardinality(ids) then
    perform quittance.raise_version_conflict('commission');
  end if;
end
$body$;

-- Changes the commissions at these places, each with one event; returns the events of those in the required state.
create function quittance.change_commissions_at(
  customer uuid, places tid[], amounts bigint[], settlement uuid, change jsonb, command jsonb,
  out records uuid[], out sequences integer[])
language plpgsql
  ${byPlace}
as $body$
declare
  change_type constant text := change->>'type';
  command_at constant bigint := command->>'at';
  command_actor constant text := command->>'actor';
  event_type constant text := change_type || '_commission';
  frees constant boolean := change_type in ('settle', 'release');
  counted constant integer := case change_type when 'settle' then 1 when 'reopen' then -1 else 0 end;
  is_paid constant boolean := change_type = 'reopen' or change->>'as' is not distinct from 'paid';
  -- The field of an event beside its settlement and amount.
  detail constant text := case change_type when 'settle' then 'kind' when 'release' then 'cause' end;
  detail_value constant text := coalesce(change->>'as', change->>'cause');
  feeds constant boolean := command->>'feed';
begin
  with changed as (
    update quittance.commissions c
    set pending_amount = case when frees then 0 else l.amount end,
      open_settlement_id = case when frees then null else settlement end,
      settled_line_count = c.settled_line_count + counted,
      paid_amount = c.paid_amount + case when is_paid then counted * l.amount else 0 end,
      paid_negative = c.paid_negative + case when is_paid then counted * least(0, l.amount) else 0 end,
      written_off_positive = c.written_off_positive + case when is_paid then 0 else counted * greatest(0, l.amount) end,
      written_off_negative = c.written_off_negative + case when is_paid then 0 else counted * least(0, l.amount) end,
      version = c.version + 1,
      last_at = greatest(c.last_at, command_at)
    from unnest(places, amounts) as l(place, amount)
    where c.customer_id = customer and c.ctid = l.place
      and c.open_settlement_id is not distinct from case when frees then settlement end
    returning c.id, c.version, c.last_at, l.amount, ${COUNTABLE}
  ), noted as (
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, in_feed, event)
    select customer, id, version, 'commission', last_at, command_actor, feeds,
      case when detail is null
        then json_build_object('type', event_type, 'settlement_id', settlement, 'amount', amount)
        else json_build_object('type', event_type, 'settlement_id', settlement, 'amount', amount, detail, detail_value)
      end
    from changed
  ), added as (${ADDED})
  select coalesce(array_agg(c.id), '{}'), coalesce(array_agg(c.version), '{}') into records, sequences from changed c;
end
$body$;

create function quittance.delete_reservations_at(customer uuid, places tid[]) returns void language plpgsql
  ${byPlace}
as $body$
begin
  delete from quittance.reservations r using unnest(places) as l(place)
  where r.customer_id = customer and r.ctid = l.place;
end
$body$;

-- Reserves, settles, releases or reopens the lines of a settlement: each commission changes, with one event. Returns the
-- events.
create function quittance.change_lines(
  customer uuid, change jsonb, command jsonb, out records uuid[], out sequences integer[])
language plpgsql
  ${byKey}
as $body$
declare
  settlement constant uuid := change->>'settlement_id';
  reserves constant boolean := change->>'type' = 'reserve';
  frees constant boolean := change->>'type' in ('settle', 'release');
  ids uuid[];
  amounts bigint[];
  expected integer[];
  places tid[];
  reservations tid[];
begin
  if reserves then
    select array_agg(l.commission_id), array_agg(l.amount), array_agg(l.expected) into ids, amounts, expected
    from jsonb_to_recordset(change->'lines') as l(commission_id uuid, amount bigint, expected integer);
  else
    select array_agg(l.commission_id), array_agg(l.amount) into ids, amounts from (
      select l.commission_id, l.amount from quittance.settlement_lines l
      where l.customer_id = customer and l.settlement_id = settlement order by l.position) l;
  end if;
  if ids is null then return; end if;
  places := quittance.uncount_commissions(customer, ids, expected);
  if array_position(places, null) is not null then perform quittance.raise_version_conflict('commission'); end if;
  if reserves then
    insert into quittance.settlement_lines (customer_id, settlement_id, position, commission_id, amount)
    select customer, settlement, l.place - 1, l.id, l.amount
    from unnest(ids, amounts) with ordinality as l(id, amount, place);
  end if;
  if frees then
    reservations := array(
      select r.ctid from quittance.reservations r
      where r.customer_id = customer and r.settlement_id >= settlement and r.settlement_id <= settlement
      order by r.settlement_id);
    perform quittance.delete_reservations_at(customer, reservations);
  else
    insert into quittance.reservations (customer_id, commission_id, settlement_id)
    select customer, l.id, settlement from unnest(ids) as l(id);
  end if;
  select c.records, c.sequences into records, sequences
  from quittance.change_commissions_at(customer, places, amounts, settlement, change, command) c;
  if cardinality(records) <> cardinality(ids) then
    perform quittance.raise_version_conflict('reservation');
  end if;
end
$body$;
`;
