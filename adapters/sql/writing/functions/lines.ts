/** The functions that change many commissions at once: new amounts, and the lines of a settlement. */
import { byCtid, byKey, lookUpByKey } from "../../planning.ts";
import { APPEND_DELTAS } from "../../rollups/rollupFunctions.ts";

/** The columns of a changed row that rollups count. */
const COUNTABLE = `c.partner_id, c.occurred_at, c.workspace_id, c.settlement_status, c.currency, c.settled_amount,
        c.computed_amount, c.waiting_amount, c.pending_amount, c.last_at`;

/** Counts the rows of `c` by the day of the event that changes them, before the change with sign -1. */
const countRows = (sign: "" | "-", moment: string, from: string): string => `(select json_agg(d) from (
      select 'commission' as kind, c.partner_id, quittance.day_of(c.occurred_at) as day, c.workspace_id, c.settlement_status as status, c.currency,
        quittance.day_of(${moment}) as moved_day, ${sign}count(*) as count, ${sign}sum(c.settled_amount) as settled,
        ${sign}sum(coalesce(c.computed_amount, 0) - c.settled_amount) as due, ${sign}sum(c.pending_amount) as pending,
        ${sign}sum(c.waiting_amount) as waiting
      from ${from} group by 2, 3, 4, 5, 6, 7) d)`;

const ADDED = countRows("", "c.last_at", "changed c");

const MOVED = `insert into quittance.movements (
    customer_id, partner_id, at, record_id, sequence, type, currency, earned, settled, pending, waiting)`;

/** The functions. They also append the events of the commissions. */
export const lines = `
-- Stores the reversals of a settlement, once; foreign keys require the lines.
create function quittance.store_reversals(customer uuid, settlement uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
begin
  if exists (select from quittance.reversals t where t.customer_id = customer and t.settlement_id = settlement) then
    perform quittance.raise_version_conflict('reversal');
  end if;
  insert into quittance.reversals (customer_id, settlement_id, commission_id, origin_id, amount)
  select customer, settlement, p.commission_id, p.origin_id, p.amount
  from jsonb_to_recordset(given) as p(commission_id uuid, origin_id uuid, amount bigint);
end
$body$;

-- Subtracts commissions that are about to change from the rollups, by the day of the event that changes them: the moments
-- that are given, or else the command's. Returns their places, their amounts and the settled and the waiting part of these, in the
-- order of the ids: null for a commission that is absent or, when versions are given, has another version.
create function quittance.uncount_commissions(
  customer uuid, ids uuid[], versions integer[], moments bigint[], command_at bigint,
  out places tid[], out earned bigint[], out settled bigint[], out waiting bigint[])
language plpgsql
  ${byKey}
as $body$
declare
  deltas json;
begin
  with found as (
    select w.place, coalesce(w.moment, greatest(c.last_at, command_at)) as moved_at, c.*
    from unnest(ids, versions, moments) with ordinality as w(id, version, moment, place)
    left join lateral ${lookUpByKey({
      table: "quittance.commissions",
      columns: "t.ctid, t.*",
      customer: "customer",
      id: "w.id",
      condition: "(w.version is null or t.version = w.version)",
    })} c on true
  )
  select array_agg(c.ctid order by c.place), array_agg(c.computed_amount::bigint order by c.place),
    array_agg(c.settled_amount order by c.place), array_agg(c.waiting_amount::bigint order by c.place),
    ${countRows("-", "c.moved_at", "found c where c.ctid is not null")}
  into places, earned, settled, waiting, deltas from found c;
  ${APPEND_DELTAS};
end
$body$;

-- A revision that computes an amount is a movement: the first one earns it, the others adjust it. So is one by a receipt.
create function quittance.revise_commissions_at(
  customer uuid, places tid[], earned bigint[], settled bigint[], waiting bigint[], amounts bigint[], waits bigint[],
  receipts jsonb[], received boolean[], versions integer[], stated integer[], errors jsonb[], moments bigint[])
returns bigint language plpgsql
  ${byCtid}
as $body$
declare
  touched bigint;
  deltas json;
  moved record;
begin
  with changed as (
    update quittance.commissions c
    set computed_amount = r.amount, waiting_amount = r.waits, receipt = r.receipt, formula_version = r.formula_version, parameters_version = r.parameters_version,
      computation_error = r.error,
      version = c.version + 1, last_at = r.moment
    from unnest(
        places, earned, settled, waiting, amounts, waits, receipts, received, versions, stated, errors, moments)
      as r(place, earned, settled, waiting, amount, waits, receipt, received, formula_version, parameters_version, error,
        moment)
    where c.customer_id = customer and c.ctid = r.place
    returning c.id, c.version, r.earned, r.settled, r.waiting, r.received, r.error is null or r.received as moves,
      ${COUNTABLE}
  )
  select count(*) as touched, ${ADDED} as deltas,
    array_agg(c.partner_id) filter (where c.moves) as partners,
    array_agg(c.last_at::bigint) filter (where c.moves) as moments,
    array_agg(c.id) filter (where c.moves) as ids,
    array_agg(c.version) filter (where c.moves) as versions,
    array_agg(c.currency) filter (where c.moves) as currencies,
    array_agg(c.earned) filter (where c.moves) as earned,
    array_agg(coalesce(c.computed_amount, 0)::numeric - coalesce(c.earned, 0)) filter (where c.moves) as amounts,
    array_agg(c.settled_amount::numeric - c.settled) filter (where c.moves) as settled,
    array_agg(c.waiting_amount::numeric - coalesce(c.waiting, 0)) filter (where c.moves) as waiting,
    array_agg(c.received) filter (where c.moves) as received
  into moved from changed c;
  touched := moved.touched;
  deltas := moved.deltas;
  ${APPEND_DELTAS};
  ${MOVED}
  select customer, m.partner_id, m.at, m.id, m.version,
    case when m.received then 'received' when m.earned is null then 'earned' else 'adjusted' end,
    m.currency, m.amount, m.settled, 0, m.waiting
  from unnest(
    moved.partners, moved.moments, moved.ids, moved.versions, moved.currencies, moved.earned, moved.amounts, moved.settled,
    moved.waiting, moved.received
  ) as m(partner_id, at, id, version, currency, earned, amount, settled, waiting, received);
  return touched;
end
$body$;

create function quittance.revise_commissions(customer uuid, revisions jsonb) returns void language plpgsql as $body$
declare
  ids uuid[];
  expected integer[];
  amounts bigint[];
  waits bigint[];
  receipts jsonb[];
  received boolean[];
  versions integer[];
  stated integer[];
  errors jsonb[];
  moments bigint[];
  found record;
begin
  select array_agg(r.id), array_agg(r.expected), array_agg(r.computed_amount), array_agg(r.waiting_amount),
    array_agg(r.receipt), array_agg(coalesce(r.is_receipt, false)), array_agg(r.formula_version),
    array_agg(r.parameters_version), array_agg(nullif(r.computation_error, 'null')), array_agg(r.last_at)
  into ids, expected, amounts, waits, receipts, received, versions, stated, errors, moments
  from jsonb_to_recordset(revisions) as r(
    id uuid, expected integer, computed_amount bigint, waiting_amount bigint, receipt jsonb, is_receipt boolean,
    formula_version integer, parameters_version integer, computation_error jsonb, last_at bigint);
  select * into found from quittance.uncount_commissions(customer, ids, expected, moments, null);
  if quittance.revise_commissions_at(
    customer, found.places, found.earned, found.settled, found.waiting, amounts, waits, receipts, received, versions, stated, errors, moments
  ) <> cardinality(ids) then
    perform quittance.raise_version_conflict('commission');
  end if;
end
$body$;

-- Changes the commissions at these places, each with one event; returns the events of those in the required state. The
-- events of one moment are one movement of the settlement.
create function quittance.change_commissions_at(
  customer uuid, places tid[], settled bigint[], amounts bigint[], settlement uuid, change jsonb, command jsonb,
  out records uuid[], out sequences integer[])
language plpgsql
  ${byCtid}
as $body$
declare
  change_type constant text := change->>'type';
  command_at constant bigint := command->>'at';
  command_actor constant text := command->>'actor';
  command_person constant text := command->>'person';
  event_type constant text := change_type || '_commission';
  frees constant boolean := change_type in ('settle', 'release');
  counted constant integer := case change_type when 'settle' then 1 when 'reopen' then -1 else 0 end;
  is_paid constant boolean := change_type = 'reopen' or change->>'as' is not distinct from 'paid';
  -- The field of an event in addition to its settlement and amount.
  detail constant text := case change_type when 'settle' then 'kind' when 'release' then 'cause' end;
  detail_value constant text := coalesce(change->>'as', change->>'cause');
  movement_type constant text := case change_type
    when 'reserve' then 'reserved' when 'release' then 'released' when 'reopen' then 'payment_returned'
    else change->>'as' end;
  feeds constant boolean := command->>'feed';
  deltas json;
  moved json;
  moments bigint[];
  changed_amounts bigint[];
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
    from unnest(places, settled, amounts) as l(place, settled, amount)
    where c.customer_id = customer and c.ctid = l.place
      and c.open_settlement_id is not distinct from case when frees then settlement end
    returning c.id, c.version, l.amount, l.settled, ${COUNTABLE}
  )
  select coalesce(array_agg(c.id), '{}'), coalesce(array_agg(c.version), '{}'), array_agg(c.last_at::bigint),
    array_agg(c.amount), ${ADDED},
    (select json_agg(m) from (
      select c.partner_id, c.last_at as at, max(c.version) as version, c.currency,
        sum(c.settled_amount - c.settled) as settled, sum(case when frees then -c.amount else c.amount end) as pending
      from changed c group by c.partner_id, c.last_at, c.currency) m)
  into records, sequences, moments, changed_amounts, deltas, moved from changed c;
  insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, person, in_feed, event)
  select customer, e.id, e.version, 'commission', e.at, command_actor, command_person, feeds,
    case when detail is null
      then json_build_object('type', event_type, 'settlement_id', settlement, 'amount', e.amount)
      else json_build_object('type', event_type, 'settlement_id', settlement, 'amount', e.amount, detail, detail_value)
    end
  from unnest(records, sequences, moments, changed_amounts) as e(id, version, at, amount);
  ${APPEND_DELTAS};
  ${MOVED}
  select customer, m.partner_id, m.at, settlement, m.version, movement_type, m.currency, 0, m.settled, m.pending, null
  from json_to_recordset(moved) as m(
    partner_id uuid, at bigint, version integer, currency text, settled numeric, pending numeric);
end
$body$;

create function quittance.delete_reservations_at(customer uuid, places tid[]) returns void language plpgsql
  ${byCtid}
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
  found record;
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
  select * into found from quittance.uncount_commissions(customer, ids, expected, null, (command->>'at')::bigint);
  if array_position(found.places, null) is not null then perform quittance.raise_version_conflict('commission'); end if;
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
  from quittance.change_commissions_at(
    customer, found.places, found.settled, amounts, settlement, change, command) c;
  if cardinality(records) <> cardinality(ids) then
    perform quittance.raise_version_conflict('reservation');
  end if;
end
$body$;
`;
