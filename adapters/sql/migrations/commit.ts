/**
 * The write door: `quittance.commit(customer, change set)` stores a command in one call, all or nothing.
 * Rows are locked in one global order (programs, then kind by kind as `hold` lists them, each by id; commissions last).
 */
const requirements = `
create function quittance.stale(what text) returns void language plpgsql as $body$
begin
  raise exception 'stale: %', what using errcode = 'QT001', detail = json_build_object('what', what)::text;
end
$body$;

create function quittance.is_stale(customer uuid, settlement uuid) returns boolean stable language sql as $body$
  select exists (
    select from quittance.settlements s
    join quittance.settlement_lines l on l.customer_id = s.customer_id and l.settlement_id = s.id
    join quittance.commissions c on c.customer_id = l.customer_id and c.id = l.commission_id
    where s.customer_id = customer and s.id = settlement and s.status = 'draft'
      and l.amount <> coalesce(c.computed_amount, 0) - c.settled_amount
  )
$body$;

create function quittance.remember(customer uuid, given jsonb) returns void language plpgsql as $body$
begin
  insert into quittance.remembered (customer_id, principal_id, key, request_sha256, answer, at)
  values (customer, given->>'principal_id', given->>'key', given->>'request_sha256',
    (given->>'answer')::json, (given->>'at')::bigint)
  on conflict (customer_id, principal_id, key) do nothing;
  if not found then
    raise exception 'repeated' using errcode = 'QT002';
  end if;
end
$body$;

-- A creation holds its program shared, a formula command holds it alone; both to the end of the transaction.
create function quittance.hold_programs(customer uuid, given jsonb) returns void language plpgsql as $body$
declare
  wanted record;
  present integer;
begin
  for wanted in
    select * from jsonb_to_recordset(given)
      as w(partner_id uuid, schema_id uuid, version integer, raised integer)
    order by partner_id, schema_id
  loop
    for attempt in 1..2 loop
      if wanted.raised > 0 then
        select p.version into present from quittance.programs p
        where p.customer_id = customer and p.partner_id = wanted.partner_id and p.schema_id = wanted.schema_id
        for no key update;
      else
        select p.version into present from quittance.programs p
        where p.customer_id = customer and p.partner_id = wanted.partner_id and p.schema_id = wanted.schema_id
        for share;
      end if;
      exit when found;
      insert into quittance.programs (customer_id, partner_id, schema_id, version)
      values (customer, wanted.partner_id, wanted.schema_id, 0) on conflict do nothing;
    end loop;
    if wanted.version <> present then
      perform quittance.stale('program');
    end if;
    if wanted.raised > 0 then
      update quittance.programs p set version = p.version + wanted.raised
      where p.customer_id = customer and p.partner_id = wanted.partner_id and p.schema_id = wanted.schema_id;
    end if;
  end loop;
end
$body$;

-- Locks the rows that are going to change, then shares the lock of those that are only relied on.
create function quittance.hold(customer uuid, held jsonb) returns void language plpgsql as $body$
declare
  kinds constant text[] := array[
    'schema', 'partner', 'attribution', 'formula', 'recomputation',
    'document', 'apiKey', 'billingProfile', 'settlement', 'commission'];
  tables constant text[] := array[
    'schemas', 'partners', 'attributions', 'formulas', 'recomputations',
    'documents', 'api_keys', 'billing_profiles', 'settlements', 'commissions'];
  part jsonb;
  ids uuid[];
  matching integer;
begin
  for place in 1..array_length(kinds, 1) loop
    part := held->kinds[place];
    continue when part is null;
    ids := array(select jsonb_array_elements_text(part->'ids')::uuid);
    if part ? 'lines_of' then
      ids := ids || array(
        select l.commission_id from quittance.settlement_lines l
        where l.customer_id = customer
          and l.settlement_id = any (array(select jsonb_array_elements_text(part->'lines_of')::uuid)));
    end if;
    if cardinality(ids) > 0 then
      execute format(
        'select 1 from quittance.%I t where t.customer_id = $1 and t.id = any ($2) order by t.id for no key update',
        tables[place]) using customer, ids;
    end if;
    if part ? 'versions' then
      execute format(
        'select count(*) from (
          select 1 from quittance.%I t
          join jsonb_to_recordset($2) as w(id uuid, version integer) on w.id = t.id and w.version = t.version
          where t.customer_id = $1 and t.id = any ($3) order by t.id for share of t) held', tables[place])
      into matching using customer, part->'versions',
        array(select (w->>'id')::uuid from jsonb_array_elements(part->'versions') w);
      if matching <> jsonb_array_length(part->'versions') then
        perform quittance.stale(kinds[place]);
      end if;
    end if;
    if part ? 'absent' then
      execute format('select count(*) from quittance.%I t where t.customer_id = $1 and t.id = any ($2)', tables[place])
      into matching using customer, array(select jsonb_array_elements_text(part->'absent')::uuid);
      if matching > 0 then
        perform quittance.stale(kinds[place]);
      end if;
    end if;
  end loop;
end
$body$;

-- What is counted and compared once everything it rests on is locked.
create function quittance.check_facts(customer uuid, given jsonb) returns void language plpgsql as $body$
begin
  if exists (
    select from jsonb_to_recordset(given->'counts') as w(attribution_id uuid, count bigint)
    where w.count <> (
      select count(*) from quittance.commissions c
      where c.customer_id = customer and c.attribution_id = w.attribution_id)
  ) then
    perform quittance.stale('commissions');
  end if;
  if exists (
    select from jsonb_to_recordset(given->'freshness') as w(settlement_id uuid, stale boolean)
    where quittance.is_stale(customer, w.settlement_id) <> w.stale
  ) then
    perform quittance.stale('freshness');
  end if;
end
$body$;
`;

const lines = `
create function quittance.revise(customer uuid, revisions jsonb) returns void language plpgsql as $body$
declare
  touched integer;
begin
  update quittance.commissions c
  set computed_amount = r.computed_amount, formula_version = r.formula_version,
    computation_error = r.computation_error, version = c.version + 1, last_at = r.last_at
  from jsonb_to_recordset(revisions) as r(
    id uuid, expected integer, computed_amount bigint, formula_version integer, computation_error jsonb,
    last_at bigint)
  where c.customer_id = customer and c.id = r.id and c.version = r.expected;
  get diagnostics touched = row_count;
  if touched <> jsonb_array_length(revisions) then
    perform quittance.stale('commission');
  end if;
end
$body$;

create function quittance.make_lines(customer uuid, settlement uuid, given jsonb) returns void
language plpgsql as $body$
declare
  matching integer;
begin
  select count(*) into matching
  from jsonb_to_recordset(given) as l(commission_id uuid, expected integer)
  join quittance.commissions c
    on c.customer_id = customer and c.id = l.commission_id and c.version = l.expected;
  if matching <> jsonb_array_length(given) then
    perform quittance.stale('commission');
  end if;
  insert into quittance.settlement_lines (customer_id, settlement_id, position, commission_id, amount)
  select customer, settlement, l.position, l.commission_id, l.amount
  from jsonb_to_recordset(given) as l(position integer, commission_id uuid, amount bigint);
end
$body$;

-- Reserve, settle, release and reopen: one update of the commissions of a settlement, one event for each.
-- The locked ids are gathered first, so that no wrong estimate can make the update read every commission.
create function quittance.change_lines(customer uuid, change jsonb, command jsonb) returns void
language plpgsql as $body$
declare
  kind constant text := change->>'type';
  settlement constant uuid := change->>'settlement_id';
  command_at constant bigint := command->>'at';
  paid constant boolean := change->>'as' is not distinct from 'paid';
  frees constant boolean := kind in ('settle', 'release');
  details constant jsonb := case kind
    when 'settle' then jsonb_build_object('kind', change->'as')
    when 'release' then jsonb_build_object('cause', change->'cause')
    else '{}' end;
  ids uuid[];
  amounts bigint[];
  touched integer;
begin
  if kind = 'reserve' then
    perform quittance.make_lines(customer, settlement, change->'lines');
  end if;
  select array_agg(l.commission_id), array_agg(l.amount) into ids, amounts
  from quittance.settlement_lines l where l.customer_id = customer and l.settlement_id = settlement;
  if ids is null then
    return;
  end if;
  if frees then
    delete from quittance.reservations r where r.customer_id = customer and r.settlement_id = settlement;
  else
    insert into quittance.reservations (customer_id, commission_id, settlement_id)
    select customer, id, settlement from unnest(ids) id;
  end if;
  with changed as (
    update quittance.commissions c
    set pending_amount = case when frees then 0 else l.amount end,
      open_settlement_id = case when frees then null else settlement end,
      settled_line_count = c.settled_line_count + case kind when 'settle' then 1 when 'reopen' then -1 else 0 end,
      paid_amount = c.paid_amount
        + case when kind = 'settle' and paid then l.amount when kind = 'reopen' then -l.amount else 0 end,
      written_off_amount = c.written_off_amount + case when kind = 'settle' and not paid then l.amount else 0 end,
      version = c.version + 1,
      last_at = greatest(c.last_at, command_at)
    from unnest(ids, amounts) as l(id, amount)
    where c.customer_id = customer and c.id = l.id
      and c.open_settlement_id is not distinct from case when frees then settlement end
    returning c.id, c.version, c.last_at, l.amount
  )
  insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
  select customer, id, version, 'commission', last_at, command->>'actor',
    jsonb_build_object('type', kind || '_commission', 'settlement_id', settlement, 'amount', amount) || details
  from changed;
  get diagnostics touched = row_count;
  if touched <> cardinality(ids) then
    perform quittance.stale('reservation');
  end if;
end
$body$;
`;

const saves = `
create function quittance.expect(what text, touched integer, rows jsonb) returns void language plpgsql as $body$
begin
  if touched <> jsonb_array_length(rows) then
    perform quittance.stale(what);
  end if;
end
$body$;

-- By name, because the generated columns cannot be given.
create function quittance.insert_commissions(rows jsonb) returns void language plpgsql as $body$
begin
  insert into quittance.commissions (
    customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency, computed_amount, paid_amount,
    written_off_amount, pending_amount, open_settlement_id, settled_line_count, formula_version, computation_error,
    created_at, version, last_at)
  select
    customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency, computed_amount, paid_amount,
    written_off_amount, pending_amount, open_settlement_id, settled_line_count, formula_version, computation_error,
    created_at, version, last_at
  from jsonb_populate_recordset(null::quittance.commissions, rows);
end
$body$;

create function quittance.insert_rows(given jsonb) returns void language plpgsql as $body$
begin
  if given ? 'schema' then
    insert into quittance.schemas
    select r.* from jsonb_populate_recordset(null::quittance.schemas, given->'schema') r;
  end if;
  if given ? 'partner' then
    insert into quittance.partners
    select r.* from jsonb_populate_recordset(null::quittance.partners, given->'partner') r;
  end if;
  if given ? 'attribution' then
    insert into quittance.attributions
    select r.* from jsonb_populate_recordset(null::quittance.attributions, given->'attribution') r;
  end if;
  if given ? 'formula' then
    insert into quittance.formulas
    select r.* from jsonb_populate_recordset(null::quittance.formulas, given->'formula') r;
  end if;
  if given ? 'commission' then
    perform quittance.insert_commissions(given->'commission');
  end if;
  if given ? 'recomputation' then
    insert into quittance.recomputations
    select r.* from jsonb_populate_recordset(null::quittance.recomputations, given->'recomputation') r;
  end if;
  if given ? 'document' then
    insert into quittance.documents
    select r.* from jsonb_populate_recordset(null::quittance.documents, given->'document') r;
  end if;
  if given ? 'apiKey' then
    insert into quittance.api_keys
    select r.* from jsonb_populate_recordset(null::quittance.api_keys, given->'apiKey') r;
  end if;
  if given ? 'billingProfile' then
    insert into quittance.billing_profiles
    select r.* from jsonb_populate_recordset(null::quittance.billing_profiles, given->'billingProfile') r;
  end if;
end
$body$;

create function quittance.save_settlements(customer uuid, given jsonb) returns void language plpgsql as $body$
declare
  touched integer;
begin
  if given ? 'insert' then
    insert into quittance.settlements
    select r.* from jsonb_populate_recordset(null::quittance.settlements, given->'insert') r;
  end if;
  if given ? 'update' then
    update quittance.settlements t
    set status = r.status, total = r.total, view = r.view, version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'update') as r(
      id uuid, expected integer, status text, total bigint, view jsonb, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('settlement', touched, given->'update');
  end if;
  if given ? 'payment_references' then
    insert into quittance.payment_references (reference, customer_id, settlement_id)
    select r.reference, customer, r.settlement_id
    from jsonb_to_recordset(given->'payment_references') as r(reference uuid, settlement_id uuid);
  end if;
end
$body$;
`;

const updates = `
create function quittance.update_logged(customer uuid, given jsonb) returns void language plpgsql as $body$
declare
  touched integer;
begin
  if given ? 'attribution' then
    update quittance.attributions t
    set status = r.status, cancel_reason = r.cancel_reason, version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'attribution') as r(
      id uuid, expected integer, status text, cancel_reason text, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('attribution', touched, given->'attribution');
  end if;
  if given ? 'formula' then
    update quittance.formulas t
    set name = r.name, description = r.description, start_datetime = r.start_datetime,
      end_datetime = r.end_datetime, versions = r.versions, status = r.status, cancel_reason = r.cancel_reason,
      version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'formula') as r(
      id uuid, expected integer, name text, description text, start_datetime bigint, end_datetime bigint,
      versions jsonb, status text, cancel_reason text, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('formula', touched, given->'formula');
  end if;
  if given ? 'commission' then
    update quittance.commissions t
    set computed_amount = r.computed_amount, paid_amount = r.paid_amount,
      written_off_amount = r.written_off_amount, pending_amount = r.pending_amount,
      open_settlement_id = r.open_settlement_id, settled_line_count = r.settled_line_count,
      formula_version = r.formula_version, computation_error = r.computation_error,
      version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'commission') as r(
      id uuid, expected integer, computed_amount bigint, paid_amount bigint, written_off_amount bigint,
      pending_amount bigint, open_settlement_id uuid, settled_line_count integer, formula_version integer,
      computation_error jsonb, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('commission', touched, given->'commission');
  end if;
end
$body$;

create function quittance.update_named(customer uuid, given jsonb) returns void language plpgsql as $body$
declare
  touched integer;
begin
  if given ? 'schema' then
    update quittance.schemas t
    set name = r.name, name_searchable = r.name_searchable, properties = r.properties,
      version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'schema') as r(
      id uuid, expected integer, name text, name_searchable text, properties jsonb, version integer,
      last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('schema', touched, given->'schema');
  end if;
  if given ? 'partner' then
    update quittance.partners t
    set name = r.name, name_searchable = r.name_searchable, billing_mode = r.billing_mode,
      self_billing_data = r.self_billing_data, version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'partner') as r(
      id uuid, expected integer, name text, name_searchable text, billing_mode text, self_billing_data jsonb,
      version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('partner', touched, given->'partner');
  end if;
  if given ? 'apiKey' then
    update quittance.api_keys t
    set view = r.view, last_used_at = greatest(t.last_used_at, r.last_used_at),
      version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'apiKey') as r(
      id uuid, expected integer, view jsonb, last_used_at bigint, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('apiKey', touched, given->'apiKey');
  end if;
end
$body$;

create function quittance.update_rest(customer uuid, given jsonb) returns void language plpgsql as $body$
declare
  touched integer;
begin
  if given ? 'recomputation' then
    update quittance.recomputations t
    set pending = r.pending, view = r.view, version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'recomputation') as r(
      id uuid, expected integer, pending boolean, view jsonb, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('recomputation', touched, given->'recomputation');
  end if;
  if given ? 'document' then
    update quittance.documents t
    set view = r.view, version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'document') as r(
      id uuid, expected integer, view jsonb, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('document', touched, given->'document');
  end if;
  if given ? 'billingProfile' then
    update quittance.billing_profiles t
    set view = r.view, version = r.version, last_at = r.last_at
    from jsonb_to_recordset(given->'billingProfile') as r(
      id uuid, expected integer, view jsonb, version integer, last_at bigint)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    get diagnostics touched = row_count;
    perform quittance.expect('billingProfile', touched, given->'billingProfile');
  end if;
end
$body$;
`;

const door = `
create function quittance.count_on(customer uuid, series jsonb) returns void language plpgsql as $body$
declare
  wanted record;
begin
  for wanted in
    select * from jsonb_to_recordset(series) as s(partner_id uuid, kind text, last_number integer)
    order by partner_id, kind
  loop
    if wanted.last_number = 1 then
      insert into quittance.document_series (customer_id, partner_id, kind, last_number)
      values (customer, wanted.partner_id, wanted.kind, 1) on conflict do nothing;
    else
      update quittance.document_series t set last_number = wanted.last_number
      where t.customer_id = customer and t.partner_id = wanted.partner_id and t.kind = wanted.kind
        and t.last_number = wanted.last_number - 1;
    end if;
    if not found then
      perform quittance.stale('number');
    end if;
  end loop;
end
$body$;

create function quittance.commit(customer uuid, given jsonb) returns void language plpgsql as $body$
declare
  command constant jsonb := given->'command';
  change jsonb;
begin
  insert into quittance.commands (customer_id, id, actor, at)
  values (customer, (command->>'id')::uuid, command->>'actor', (command->>'at')::bigint);
  if given ? 'remember' then perform quittance.remember(customer, given->'remember'); end if;
  if given ? 'programs' then perform quittance.hold_programs(customer, given->'programs'); end if;
  if given ? 'hold' then perform quittance.hold(customer, given->'hold'); end if;
  if given ? 'facts' then perform quittance.check_facts(customer, given->'facts'); end if;
  if given ? 'settlements' then perform quittance.save_settlements(customer, given->'settlements'); end if;
  if given ? 'revisions' then perform quittance.revise(customer, given->'revisions'); end if;
  for change in select jsonb_array_elements(given->'lines') loop
    perform quittance.change_lines(customer, change, command);
  end loop;
  if given ? 'insert' then perform quittance.insert_rows(given->'insert'); end if;
  if given ? 'update' then
    perform quittance.update_logged(customer, given->'update');
    perform quittance.update_named(customer, given->'update');
    perform quittance.update_rest(customer, given->'update');
  end if;
  if given ? 'events' then
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event, stored)
    select customer, e.record_id, e.sequence, e.kind, e.at, e.actor, e.event, e.stored
    from jsonb_to_recordset(given->'events') as e(
      record_id uuid, sequence integer, kind text, at bigint, actor text, event jsonb, stored jsonb);
  end if;
  if given ? 'series' then perform quittance.count_on(customer, given->'series'); end if;
  if given ? 'outbox' then
    insert into quittance.outbox (id, customer_id, topic, record_id, reference, available_at)
    select m.id, customer, m.topic, m.record_id, m.reference, m.available_at
    from jsonb_to_recordset(given->'outbox') as m(
      id uuid, topic text, record_id uuid, reference text, available_at bigint);
  end if;
end
$body$;

-- Learns whether a command landed, and keeps it from landing later when it has not: its id is taken.
create function quittance.conclude(customer uuid, command_id uuid) returns boolean language plpgsql as $body$
begin
  insert into quittance.commands (customer_id, id, actor, at, landed)
  values (customer, command_id, '', 0, false) on conflict do nothing;
  if found then
    return false;
  end if;
  return (select c.landed from quittance.commands c where c.customer_id = customer and c.id = command_id);
end
$body$;
`;

export const commit = [requirements, lines, saves, updates, door].join("\n");
