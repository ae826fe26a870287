/**
 * The commonest commit as a function of its own: new attributions with the commissions that arise at once. It does what
 * `quittance.commit` would do for the same rows; its arguments are arrays, one element a row, so that nothing is
 * unpacked, and one statement stores every row.
 */
export const credit = `
create function quittance.credit(
  customer uuid, command uuid, who text, moment bigint,
  program_partners uuid[], program_schemas uuid[], program_versions integer[],
  ids uuid[], workspaces uuid[], partners uuid[], schemas uuid[], agents uuid[], refs json, properties json,
  commission_ids uuid[], commission_workspaces uuid[], commission_partners uuid[], attributions uuid[],
  formulas uuid[], currencies text[], amounts bigint[], formula_versions integer[], errors json, logged json)
returns void language plpgsql as $body$
declare
  today constant integer := quittance.day_of(moment);
  present integer;
begin
  perform set_config('app.customer_id', customer::text, true);
  insert into quittance.commands (customer_id, id, actor, at) values (customer, command, who, moment);
  -- Held shared to the end of the transaction, as in hold_programs.
  for place in 1..cardinality(program_partners) loop
    select p.version into present from quittance.programs p
    where p.customer_id = customer and p.partner_id = program_partners[place]
      and p.schema_id = program_schemas[place]
    for share;
    if not found then
      perform quittance.hold_programs(customer, jsonb_build_array(jsonb_build_object(
        'partner_id', program_partners[place], 'schema_id', program_schemas[place],
        'version', program_versions[place], 'raised', 0)));
    elsif present <> program_versions[place] then
      perform quittance.stale('program');
    end if;
  end loop;
  with added as (
    insert into quittance.attributions (
      customer_id, id, workspace_id, partner_id, schema_id, agent_id, external_reference, status, properties,
      created_at, version, last_at)
    select customer, r.id, r.workspace_id, r.partner_id, r.schema_id, r.agent_id, r.reference, 'confirmed',
      r.properties::json, moment, 1, moment
    from rows from (
      unnest(ids, workspaces, partners, schemas, agents), json_array_elements_text(refs),
      json_array_elements_text(properties)
    ) as r(id, workspace_id, partner_id, schema_id, agent_id, reference, properties)
  ), earned as (
    insert into quittance.commissions (
      customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency, computed_amount, paid_amount,
      written_off_amount, pending_amount, settled_line_count, formula_version, computation_error, created_at, version,
      last_at)
    select customer, r.id, r.workspace_id, r.partner_id, r.attribution_id, r.formula_id, r.currency, r.amount, 0, 0, 0, 0,
      r.formula_version, r.error::jsonb, moment, 1, moment
    from rows from (
      unnest(commission_ids, commission_workspaces, commission_partners, attributions, formulas, currencies, amounts,
        formula_versions), json_array_elements_text(errors)
    ) as r(id, workspace_id, partner_id, attribution_id, formula_id, currency, amount, formula_version, error)
  ), noted as (
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
    select customer, e.id, 1, case when e.place <= cardinality(ids) then 'attribution' else 'commission' end, moment,
      who, e.event::json
    from rows from (unnest(ids || commission_ids), json_array_elements_text(logged))
      with ordinality as e(id, event, place)
  )
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
  select customer, 'attribution', r.partner_id, today, r.workspace_id, 'confirmed', null, count(*), 0, 0
  from unnest(partners, workspaces) as r(partner_id, workspace_id)
  group by r.partner_id, r.workspace_id
  union all
  select customer, 'commission', r.partner_id, today, r.workspace_id, 'unsettled', r.currency, count(*), 0,
    coalesce(sum(r.amount), 0)
  from unnest(commission_partners, commission_workspaces, currencies, amounts)
    as r(partner_id, workspace_id, currency, amount)
  group by r.partner_id, r.workspace_id, r.currency;
end
$body$;
`;
