/**
 * The commonest commits as a function of its own: new attributions with the commissions that arise at once, of one
 * command or of several that are stored together or not at all. It does what `quittance.commit` would do for the same
 * rows; its arguments are arrays, one element a row, so that nothing is unpacked, and one statement stores every row.
 * Rows tell their command by its place in `commands`, from 1.
 */
export const credit = `
create function quittance.credit(
  customer uuid, commands uuid[], actors json, moments bigint[], keys json, requests json, answers json,
  program_partners uuid[], program_schemas uuid[], program_versions integer[], api_keys uuid[], api_key_versions integer[],
  makers integer[], ids uuid[], workspaces uuid[], partners uuid[], schemas uuid[], agents uuid[], refs json, properties json,
  commission_makers integer[], commission_ids uuid[], commission_workspaces uuid[], commission_partners uuid[], attributions uuid[],
  formulas uuid[], currencies text[], amounts bigint[], formula_versions integer[], errors json, logged json)
returns void language plpgsql as $body$
declare
  whos constant text[] := array(select json_array_elements_text(actors));
  present integer;
  kept bigint;
begin
  perform set_config('app.customer_id', customer::text, true);
  insert into quittance.commands (customer_id, id, actor, at)
  select customer, c.id, c.actor, c.at from unnest(commands, whos, moments) as c(id, actor, at);
  if json_array_length(keys) > 0 then
    insert into quittance.remembered (customer_id, principal_id, key, request_sha256, answer, at)
    select customer, r.actor, r.key, r.request, r.answer::json, r.at
    from rows from (
      unnest(whos, moments), json_array_elements_text(keys), json_array_elements_text(requests),
      json_array_elements_text(answers)
    ) as r(actor, at, key, request, answer)
    where r.key is not null
    on conflict (customer_id, principal_id, key) do nothing;
    get diagnostics kept = row_count;
    if kept <> (select count(*) from json_array_elements_text(keys) as k(key) where k.key is not null) then
      raise exception 'repeated' using errcode = 'QT002';
    end if;
  end if;
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
      perform quittance.stale('formula_set');
    end if;
  end loop;
  if cardinality(api_keys) > 0 then
    select count(*) into present from (
      select from quittance.api_keys t
      join unnest(api_keys, api_key_versions) as w(id, version) on w.id = t.id and w.version = t.version
      where t.customer_id = customer and t.id = any (api_keys) order by t.id for share of t) held;
    if present <> cardinality(api_keys) then
      perform quittance.stale('apiKey');
    end if;
  end if;
  with added as (
    insert into quittance.attributions (
      customer_id, id, workspace_id, partner_id, schema_id, agent_id, external_reference, status, properties,
      created_at, version, last_at)
    select customer, r.id, r.workspace_id, r.partner_id, r.schema_id, r.agent_id, r.reference, 'confirmed',
      r.properties::json, moments[r.maker], 1, moments[r.maker]
    from rows from (
      unnest(makers, ids, workspaces, partners, schemas, agents), json_array_elements_text(refs),
      json_array_elements_text(properties)
    ) as r(maker, id, workspace_id, partner_id, schema_id, agent_id, reference, properties)
  ), earned as (
    insert into quittance.commissions (
      customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency, computed_amount, paid_amount,
      paid_negative, written_off_positive, written_off_negative, pending_amount, settled_line_count, formula_version,
      computation_error, created_at, version, last_at)
    select customer, r.id, r.workspace_id, r.partner_id, r.attribution_id, r.formula_id, r.currency, r.amount,
      0, 0, 0, 0, 0, 0, r.formula_version, r.error::jsonb, moments[r.maker], 1, moments[r.maker]
    from rows from (
      unnest(commission_makers, commission_ids, commission_workspaces, commission_partners, attributions, formulas, currencies, amounts,
        formula_versions), json_array_elements_text(errors)
    ) as r(maker, id, workspace_id, partner_id, attribution_id, formula_id, currency, amount, formula_version, error)
  ), noted as (
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
    select customer, e.id, 1, case when e.place <= cardinality(ids) then 'attribution' else 'commission' end,
      moments[e.maker], whos[e.maker], e.event::json
    from rows from (unnest(makers || commission_makers, ids || commission_ids), json_array_elements_text(logged))
      with ordinality as e(maker, id, event, place)
  )
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
  select customer, 'attribution', r.partner_id, quittance.day_of(moments[r.maker]) as day, r.workspace_id, 'confirmed',
    null, count(*), 0, 0
  from unnest(makers, partners, workspaces) as r(maker, partner_id, workspace_id)
  group by r.partner_id, day, r.workspace_id
  union all
  select customer, 'commission', r.partner_id, quittance.day_of(moments[r.maker]) as day, r.workspace_id, 'unsettled',
    r.currency, count(*), 0, coalesce(sum(r.amount), 0)
  from unnest(commission_makers, commission_partners, commission_workspaces, currencies, amounts)
    as r(maker, partner_id, workspace_id, currency, amount)
  group by r.partner_id, day, r.workspace_id, r.currency;
end
$body$;
`;
