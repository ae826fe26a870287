/** Records as they are saved: new ones all at once, changed ones by their version. */
import { byKey, keyed } from "./planning.ts";

/** Where the row of a large table lies that `r` names. */
const place = (table: string): string =>
  keyed({ table: `quittance.${table}`, columns: "t.ctid", customer: "customer", id: "r.id" });

/** The functions that insert rows, and those of settlements. */
export const saves = `
-- By name, because the generated columns cannot be given.
create function quittance.insert_commissions(rows jsonb) returns void language plpgsql as $body$
begin
  with added as (
    insert into quittance.commissions (
      customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency, computed_amount, paid_amount,
      paid_negative, written_off_positive, written_off_negative, pending_amount, open_settlement_id, settled_line_count,
      formula_version, computation_error, created_at, version, last_at)
    select
      customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency, computed_amount, paid_amount,
      paid_negative, written_off_positive, written_off_negative, pending_amount, open_settlement_id, settled_line_count,
      formula_version, computation_error, created_at, version, last_at
    from jsonb_populate_recordset(null::quittance.commissions, rows)
    returning *
  )
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
  select a.customer_id, 'commission', a.partner_id, quittance.day_of(a.created_at), a.workspace_id,
    a.settlement_status, a.currency, count(*), sum(a.settled_amount),
    sum(coalesce(a.computed_amount, 0) - a.settled_amount)
  from added a group by 1, 3, 4, 5, 6, 7;
end
$body$;

create function quittance.insert_rows(given jsonb) returns void language plpgsql as $body$
begin
  if given ? 'schema' then
    insert into quittance.schemas (
      customer_id, id, workspace_id, name, name_searchable, properties, created_at, version, last_at)
    select
      customer_id, id, workspace_id, name, name_searchable, properties::json, created_at, version, last_at
    from jsonb_to_recordset(given->'schema') as r(
      customer_id uuid, id uuid, workspace_id uuid, name text, name_searchable text, properties text,
      created_at bigint, version integer, last_at bigint);
  end if;
  if given ? 'partner' then
    insert into quittance.partners
    select * from jsonb_populate_recordset(null::quittance.partners, given->'partner');
  end if;
  if given ? 'attribution' then
    with added as (
      insert into quittance.attributions (
        customer_id, id, workspace_id, partner_id, schema_id, agent_id, external_reference, status, cancel_reason,
        properties, created_at, version, last_at)
      select
        customer_id, id, workspace_id, partner_id, schema_id, agent_id, external_reference, status, cancel_reason,
        properties::json, created_at, version, last_at
      from jsonb_to_recordset(given->'attribution') as r(
        customer_id uuid, id uuid, workspace_id uuid, partner_id uuid, schema_id uuid, agent_id uuid,
        external_reference text, status text, cancel_reason text, properties text, created_at bigint,
        version integer, last_at bigint)
      returning *
    )
    insert into quittance.rollup_deltas (
      customer_id, kind, partner_id, day, workspace_id, status, count, settled, due)
    select a.customer_id, 'attribution', a.partner_id, quittance.day_of(a.created_at), a.workspace_id, a.status,
      count(*), 0, 0
    from added a group by 1, 3, 4, 5, 6;
  end if;
  if given ? 'formula' then
    insert into quittance.formulas (
      customer_id, id, workspace_id, partner_id, schema_id, currency, name, description, start_datetime,
      end_datetime, versions, status, cancel_reason, created_at, version, last_at)
    select
      customer_id, id, workspace_id, partner_id, schema_id, currency, name, description, start_datetime,
      end_datetime, versions::json, status, cancel_reason, created_at, version, last_at
    from jsonb_to_recordset(given->'formula') as r(
      customer_id uuid, id uuid, workspace_id uuid, partner_id uuid, schema_id uuid, currency text, name text,
      description text, start_datetime bigint, end_datetime bigint, versions text, status text,
      cancel_reason text, created_at bigint, version integer, last_at bigint);
  end if;
  if given ? 'commission' then
    perform quittance.insert_commissions(given->'commission');
  end if;
  if given ? 'recomputation' then
    insert into quittance.recomputations
    select * from jsonb_populate_recordset(null::quittance.recomputations, given->'recomputation');
  end if;
  if given ? 'document' then
    insert into quittance.documents
    select * from jsonb_populate_recordset(null::quittance.documents, given->'document');
  end if;
  if given ? 'apiKey' then
    insert into quittance.api_keys
    select * from jsonb_populate_recordset(null::quittance.api_keys, given->'apiKey');
  end if;
  if given ? 'billingProfile' then
    insert into quittance.billing_profiles
    select * from jsonb_populate_recordset(null::quittance.billing_profiles, given->'billingProfile');
  end if;
  if given ? 'taxOrigin' then
    insert into quittance.tax_origins
    select * from jsonb_populate_recordset(null::quittance.tax_origins, given->'taxOrigin');
  end if;
end
$body$;

create function quittance.save_settlements(customer uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  r record;
begin
  if given ? 'insert' then
    insert into quittance.settlements
    select * from jsonb_populate_recordset(null::quittance.settlements, given->'insert');
  end if;
  if given ? 'update' then
    for r in
      select * from jsonb_to_recordset(given->'update') as r(
        id uuid, expected integer, status text, total bigint, view jsonb, version integer, last_at bigint)
    loop
      update quittance.settlements t
      set status = r.status, total = r.total, view = r.view, version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.ctid = ${place("settlements")} and t.version = r.expected;
      if not found then perform quittance.stale('settlement'); end if;
    end loop;
  end if;
  if given ? 'payment_references' then
    insert into quittance.payment_references (reference, customer_id, settlement_id)
    select p.reference, customer, p.settlement_id
    from jsonb_to_recordset(given->'payment_references') as p(reference uuid, settlement_id uuid);
  end if;
end
$body$;
`;

/** The functions that update rows; `VersionConflict` names the kind whose version has moved. */
export const updates = `
create function quittance.update_logged(customer uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  r record;
  ids uuid[];
begin
  if given ? 'attribution' then
    ids := array(select (e->>'id')::uuid from jsonb_array_elements(given->'attribution') e);
    perform quittance.count_attributions(customer, ids, -1);
    for r in
      select * from jsonb_to_recordset(given->'attribution') as r(
        id uuid, expected integer, status text, cancel_reason text, version integer, last_at bigint)
    loop
      update quittance.attributions t
      set status = r.status, cancel_reason = r.cancel_reason, version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.ctid = ${place("attributions")} and t.version = r.expected;
      if not found then perform quittance.stale('attribution'); end if;
    end loop;
    perform quittance.count_attributions(customer, ids, 1);
  end if;
  if given ? 'formula' then
    for r in
      select * from jsonb_to_recordset(given->'formula') as r(
        id uuid, expected integer, name text, description text, start_datetime bigint, end_datetime bigint,
        versions text, status text, cancel_reason text, version integer, last_at bigint)
    loop
      update quittance.formulas t
      set name = r.name, description = r.description, start_datetime = r.start_datetime,
        end_datetime = r.end_datetime, versions = r.versions::json, status = r.status, cancel_reason = r.cancel_reason,
        version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('formula'); end if;
    end loop;
  end if;
  if given ? 'commission' then
    ids := array(select (e->>'id')::uuid from jsonb_array_elements(given->'commission') e);
    perform quittance.count_commissions(customer, ids, -1);
    for r in
      select * from jsonb_to_recordset(given->'commission') as r(
        id uuid, expected integer, computed_amount bigint, paid_amount bigint, paid_negative bigint,
        written_off_positive bigint, written_off_negative bigint, pending_amount bigint, open_settlement_id uuid,
        settled_line_count integer, formula_version integer, computation_error jsonb, version integer, last_at bigint)
    loop
      update quittance.commissions t
      set computed_amount = r.computed_amount, paid_amount = r.paid_amount, paid_negative = r.paid_negative,
        written_off_positive = r.written_off_positive, written_off_negative = r.written_off_negative,
        pending_amount = r.pending_amount, open_settlement_id = r.open_settlement_id, settled_line_count = r.settled_line_count,
        formula_version = r.formula_version, computation_error = r.computation_error,
        version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.ctid = ${place("commissions")} and t.version = r.expected;
      if not found then perform quittance.stale('commission'); end if;
    end loop;
    perform quittance.count_commissions(customer, ids, 1);
  end if;
end
$body$;

create function quittance.update_named(customer uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  r record;
begin
  if given ? 'schema' then
    for r in
      select * from jsonb_to_recordset(given->'schema') as r(
        id uuid, expected integer, name text, name_searchable text, properties text, version integer,
        last_at bigint)
    loop
      update quittance.schemas t
      set name = r.name, name_searchable = r.name_searchable, properties = r.properties::json,
        version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('schema'); end if;
    end loop;
  end if;
  if given ? 'partner' then
    for r in
      select * from jsonb_to_recordset(given->'partner') as r(
        id uuid, expected integer, name text, name_searchable text, billing_mode text, self_billing_data jsonb,
        version integer, last_at bigint)
    loop
      update quittance.partners t
      set name = r.name, name_searchable = r.name_searchable, billing_mode = r.billing_mode,
        self_billing_data = r.self_billing_data, version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('partner'); end if;
    end loop;
  end if;
  if given ? 'apiKey' then
    for r in
      select * from jsonb_to_recordset(given->'apiKey') as r(
        id uuid, expected integer, view jsonb, last_used_at bigint, version integer, last_at bigint)
    loop
      update quittance.api_keys t
      set view = r.view, last_used_at = greatest(t.last_used_at, r.last_used_at),
        version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('apiKey'); end if;
    end loop;
  end if;
end
$body$;

create function quittance.update_rest(customer uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  r record;
begin
  if given ? 'recomputation' then
    for r in
      select * from jsonb_to_recordset(given->'recomputation') as r(
        id uuid, expected integer, pending boolean, view jsonb, version integer, last_at bigint)
    loop
      update quittance.recomputations t
      set pending = r.pending, view = r.view, version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('recomputation'); end if;
    end loop;
  end if;
  if given ? 'document' then
    for r in
      select * from jsonb_to_recordset(given->'document') as r(
        id uuid, expected integer, view jsonb, version integer, last_at bigint)
    loop
      update quittance.documents t
      set view = r.view, version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('document'); end if;
    end loop;
  end if;
  if given ? 'billingProfile' then
    for r in
      select * from jsonb_to_recordset(given->'billingProfile') as r(
        id uuid, expected integer, view jsonb, version integer, last_at bigint)
    loop
      update quittance.billing_profiles t
      set view = r.view, version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('billingProfile'); end if;
    end loop;
  end if;
  if given ? 'taxOrigin' then
    for r in
      select * from jsonb_to_recordset(given->'taxOrigin') as r(
        id uuid, expected integer, view jsonb, version integer, last_at bigint)
    loop
      update quittance.tax_origins t
      set view = r.view, version = r.version, last_at = r.last_at
      where t.customer_id = customer and t.id = r.id and t.version = r.expected;
      if not found then perform quittance.stale('taxOrigin'); end if;
    end loop;
  end if;
end
$body$;
`;
