/** Changes of many commissions at once: new amounts, and the lines of a settlement. */
import { byKey } from "./planning.ts";

/** The functions that change commissions and append their events. */
export const lines = `
create function quittance.revise(customer uuid, revisions jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  ids constant uuid[] := array(select (r->>'id')::uuid from jsonb_array_elements(revisions) r);
  expected constant integer[] := array(select (r->>'expected')::integer from jsonb_array_elements(revisions) r);
  amounts constant bigint[] := array(
    select (r->>'computed_amount')::bigint from jsonb_array_elements(revisions) r);
  versions constant integer[] := array(
    select (r->>'formula_version')::integer from jsonb_array_elements(revisions) r);
  errors constant jsonb[] := array(
    select nullif(r->'computation_error', 'null') from jsonb_array_elements(revisions) r);
  moments constant bigint[] := array(select (r->>'last_at')::bigint from jsonb_array_elements(revisions) r);
  touched integer;
begin
  perform quittance.count_commissions(customer, ids, -1);
  execute '
    update quittance.commissions c
    set computed_amount = r.amount, formula_version = r.formula_version, computation_error = r.error,
      version = c.version + 1, last_at = r.moment
    from unnest($2, $3, $4, $5, $6, $7) as r(id, expected, amount, formula_version, error, moment)
    where c.customer_id = $1 and c.id = r.id and c.version = r.expected'
  using customer, ids, expected, amounts, versions, errors, moments;
  get diagnostics touched = row_count;
  if touched <> cardinality(ids) then perform quittance.stale('commission'); end if;
  perform quittance.count_commissions(customer, ids, 1);
end
$body$;

create function quittance.make_lines(customer uuid, settlement uuid, given jsonb) returns void
language plpgsql
  ${byKey}
as $body$
declare
  ids constant uuid[] := array(select (l->>'commission_id')::uuid from jsonb_array_elements(given) l);
  amounts constant bigint[] := array(select (l->>'amount')::bigint from jsonb_array_elements(given) l);
  expected constant integer[] := array(select (l->>'expected')::integer from jsonb_array_elements(given) l);
  matching integer;
begin
  execute '
    select count(*) from unnest($2, $3) as l(id, expected)
    join quittance.commissions c on c.customer_id = $1 and c.id = l.id and c.version = l.expected'
  into matching using customer, ids, expected;
  if matching <> cardinality(ids) then perform quittance.stale('commission'); end if;
  insert into quittance.settlement_lines (customer_id, settlement_id, position, commission_id, amount)
  select customer, settlement, l.place - 1, l.id, l.amount
  from unnest(ids, amounts) with ordinality as l(id, amount, place);
end
$body$;

-- Reserve, settle, release and reopen: the commissions of a settlement change, each with one event.
create function quittance.change_lines(customer uuid, change jsonb, command jsonb) returns void
language plpgsql
  ${byKey}
as $body$
declare
  change_type constant text := change->>'type';
  settlement constant uuid := change->>'settlement_id';
  command_at constant bigint := command->>'at';
  frees constant boolean := change_type in ('settle', 'release');
  counted constant integer := case change_type when 'settle' then 1 when 'reopen' then -1 else 0 end;
  is_paid constant boolean := change_type = 'reopen' or change->>'as' is not distinct from 'paid';
  -- What an event says beside its settlement and amount.
  detail constant text := case change_type when 'settle' then 'kind' when 'release' then 'cause' end;
  detail_value constant text := coalesce(change->>'as', change->>'cause');
  ids uuid[];
  amounts bigint[];
  touched integer;
begin
  if change_type = 'reserve' then
    perform quittance.make_lines(customer, settlement, change->'lines');
  end if;
  select array_agg(l.commission_id), array_agg(l.amount) into ids, amounts
  from quittance.settlement_lines l where l.customer_id = customer and l.settlement_id = settlement;
  if ids is null then return; end if;
  if frees then
    delete from quittance.reservations r where r.customer_id = customer and r.settlement_id = settlement;
  else
    insert into quittance.reservations (customer_id, commission_id, settlement_id)
    select customer, l.id, settlement from unnest(ids) as l(id);
  end if;
  perform quittance.count_commissions(customer, ids, -1);
  execute '
    with changed as (
      update quittance.commissions c
      set pending_amount = case when $4 then 0 else l.amount end,
        open_settlement_id = case when $4 then null else $5 end,
        settled_line_count = c.settled_line_count + $6,
        paid_amount = c.paid_amount + case when $7 then $6 * l.amount else 0 end,
        written_off_amount = c.written_off_amount + case when $7 then 0 else $6 * l.amount end,
        version = c.version + 1,
        last_at = greatest(c.last_at, $8)
      from unnest($2, $3) as l(id, amount)
      where c.customer_id = $1 and c.id = l.id
        and c.open_settlement_id is not distinct from case when $4 then $5 end
      returning c.id, c.version, c.last_at, l.amount
    )
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
    select $1, id, version, ''commission'', last_at, $9,
      case when $11 is null
        then json_build_object(''type'', $10, ''settlement_id'', $5, ''amount'', amount)
        else json_build_object(''type'', $10, ''settlement_id'', $5, ''amount'', amount, $11, $12)
      end
    from changed'
  using customer, ids, amounts, frees, settlement, counted, is_paid, command_at, command->>'actor',
    change_type || '_commission', detail, detail_value;
  get diagnostics touched = row_count;
  if touched <> cardinality(ids) then perform quittance.stale('reservation'); end if;
  perform quittance.count_commissions(customer, ids, 1);
end
$body$;
`;
