/**
 * The most frequent commits have a function of their own: new attributions with the commissions that they earn immediately,
 * of one command or of several that are stored together or not at all. It stores what `quittance.commit_command` would store for
 * the same rows. Its arguments are arrays with one element for each row, so that nothing is unpacked and one statement
 * stores every row. A row names its command by the command's position in `commands`, from 1. It returns null, or the conflict
 * because of which nothing is stored.
 */
import { tableName } from "../records/Tables.ts";
import { attributionKind } from "../rollups/Rollup.ts";
import { withoutScope } from "../TenantScope.ts";
import { CONFLICT_DECLARATIONS, returnConflict } from "../writing/functions/conflicts.ts";
import { COUNT, DECLARATIONS, insertion, PLACEHOLDERS, rowInsertion } from "./creationArguments.ts";
import {
  ORDERED_DECLARATIONS,
  ORDERED_NAMES,
  orderedPlaceholders,
  saveArrivals,
} from "./orderedArguments.ts";

/** Calls the function. */
export const CREATE_ATTRIBUTIONS = withoutScope(
  `select quittance.create_attributions(${PLACEHOLDERS}) as conflict`,
);

/** Calls the function for attributions that join an order of arrival: it also saves the order and the running totals. */
export const CREATE_ORDERED_ATTRIBUTIONS = withoutScope(
  `select quittance.create_ordered_attributions(${PLACEHOLDERS}, ${orderedPlaceholders(COUNT)}) as conflict`,
);

/** Inserts the commands. */
const SAVE_COMMANDS = `if is_single then
    insert into quittance.commands (customer_id, id, actor, at) values (customer, commands[1], principals[1], moments[1]);
  else
    insert into quittance.commands (customer_id, id, actor, at)
    select customer, c.id, c.actor, c.at from unnest(commands, principals, moments) as c(id, actor, at);
  end if;`;

/** Inserts the results under their idempotency keys; fails when one of the keys is used. */
const SAVE_RESULTS = `if json_array_length(keys) > 0 and is_single then
    insert into quittance.idempotency_records (customer_id, principal_id, key, request_sha256, result, at)
    values (customer, principals[1], keys->>0, requests->>0, (results->>0)::json, moments[1])
    on conflict (customer_id, principal_id, key) do nothing;
    if not found then
      raise exception 'idempotency key used' using errcode = 'QT002';
    end if;
  elsif json_array_length(keys) > 0 then
    -- Rows that are returned are counted: on Citus, row_count also counts those that were not inserted.
    with stored as (
      insert into quittance.idempotency_records (customer_id, principal_id, key, request_sha256, result, at)
      select customer, r.principal, r.key, r.request, r.result::json, r.at
      from rows from (
        unnest(principals, moments), json_array_elements_text(keys), json_array_elements_text(requests),
        json_array_elements_text(results)
      ) as r(principal, at, key, request, result)
      where r.key is not null
      on conflict (customer_id, principal_id, key) do nothing
      returning key
    )
    select count(*) into kept from stored;
    if kept <> (select count(*) from json_array_elements_text(keys) as k(key) where k.key is not null) then
      raise exception 'idempotency key used' using errcode = 'QT002';
    end if;
  end if;`;

/** The commands whose idempotency keys are used. The handler runs it when what the group itself stored is undone. */
const USED_KEYS = `(
        select json_agg(k.place) from json_array_elements_text(keys) with ordinality as k(key, place)
        join quittance.idempotency_records r on r.principal_id = principals[k.place] and r.key = k.key
        where sqlstate = 'QT002' and r.customer_id = customer)`;

/** Locks the formula sets that the creations rely on, and fails when one has another version. */
const LOCK_FORMULA_SETS = `-- Held shared to the end of the transaction, as in lock_formula_sets.
  for place in 1..cardinality(formula_set_partners) loop
    select p.version into present from quittance.formula_sets p
    where p.customer_id = customer and p.partner_id = formula_set_partners[place]
      and p.schema_id = formula_set_schemas[place]
    for share;
    if not found then
      perform quittance.lock_formula_sets(customer, jsonb_build_array(jsonb_build_object(
        'partner_id', formula_set_partners[place], 'schema_id', formula_set_schemas[place],
        'version', formula_set_versions[place], 'bumps', 0)));
    elsif present <> formula_set_versions[place] then
      perform quittance.raise_version_conflict('formula_set');
    end if;
  end loop;`;

/** Locks the API keys that the creations rely on, and fails when one has another version. */
const LOCK_API_KEYS = `if cardinality(api_keys) > 0 then
    select count(*) into present from (
      select from quittance.api_keys t
      join unnest(api_keys, api_key_versions) as w(id, version) on w.id = t.id and w.version = t.version
      where t.customer_id = customer and t.id = any (api_keys) order by t.id for share of t) held;
    if present <> cardinality(api_keys) then
      perform quittance.raise_version_conflict('apiKey');
    end if;
  end if;`;

/** Locks records that the creations rely on, and fails when one has another version; 0 is one that was never written. */
const lockRecords = (
  kind: "workspace" | "linkSet",
  [ids, versions]: readonly [string, string],
): string => `for place in 1..cardinality(${ids}) loop
    select t.version into present from ${tableName(kind)} t
    where t.customer_id = customer and t.id = ${ids}[place]
    for share;
    if coalesce(present, 0) <> ${versions}[place] then
      perform quittance.raise_version_conflict('${kind}');
    end if;
  end loop;`;

/** Notes the records for the event feed. */
const NOTE_FEED = `if feeds then
    perform quittance.note_feed(customer, commands[1],
      case when cardinality(commands) = 1 then attributions_id || commissions_id else array(
        select e.id
        from unnest(attributions_command || commissions_command, attributions_id || commissions_id)
          with ordinality as e(command, id, place)
        order by e.command, e.place)
      end, null);
  end if;`;

/** Inserts one attribution with at most one commission, with their events and rollup deltas, and returns. */
const SAVE_SINGLE = `if is_single then
    ${rowInsertion("attribution")};
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, person, in_feed, event)
    values (customer, attributions_id[1], 1, 'attribution', moments[1], principals[1], people->>0, feeds, (events->>0)::json);
    insert into quittance.rollup_deltas (
      customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
    values (customer, ${attributionKind("attributions_origin_id[1]", "(attributions_credit->>0)::jsonb")}, attributions_partner_id[1], quittance.day_of(attributions_occurred_at[1]), attributions_workspace_id[1],
      'confirmed', null, 1, 0, 0);
    if cardinality(commissions_id) = 0 then return null; end if;
    ${rowInsertion("commission")};
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, person, in_feed, event)
    values (customer, commissions_id[1], 1, 'commission', moments[1], principals[1], people->>0, feeds, (events->>1)::json);
    insert into quittance.rollup_deltas (
      customer_id, kind, partner_id, day, workspace_id, status, currency, moved_day, count, settled, due, waiting)
    values (customer, 'commission', commissions_partner_id[1], quittance.day_of(commissions_occurred_at[1]), commissions_workspace_id[1],
      'unsettled', commissions_currency[1], quittance.day_of(moments[1]), 1, 0, coalesce(commissions_computed_amount[1], 0),
      commissions_waiting_amount[1]);
    return null;
  end if;`;

/** Inserts all attributions and commissions with their events and rollup deltas. */
const SAVE_ALL = `with added as (
    ${insertion("attribution")}
  ), earned as (
    ${insertion("commission")}
  ), logged as (
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, person, in_feed, event)
    select customer, e.id, 1,
      case when e.place <= cardinality(attributions_id) then 'attribution' else 'commission' end,
      moments[e.command], principals[e.command], people->>(e.command - 1), feeds, e.event::json
    from rows from (
      unnest(attributions_command || commissions_command, attributions_id || commissions_id),
      json_array_elements_text(events)
    ) with ordinality as e(command, id, event, place)
  )
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, currency, moved_day, count, settled, due, waiting)
  select customer, ${attributionKind("r.origin_id", "r.credit::jsonb")} as kind, r.partner_id, quittance.day_of(r.occurred_at) as day, r.workspace_id, 'confirmed',
    null, null, count(*), 0, 0, null
  from rows from (
    unnest(attributions_occurred_at, attributions_partner_id, attributions_workspace_id, attributions_origin_id),
    json_array_elements_text(attributions_credit)
  ) as r(occurred_at, partner_id, workspace_id, origin_id, credit)
  group by kind, r.partner_id, day, r.workspace_id
  union all
  select customer, 'commission', r.partner_id, quittance.day_of(r.occurred_at) as day, r.workspace_id, 'unsettled',
    r.currency, quittance.day_of(moments[r.command]) as moved_day, count(*), 0, coalesce(sum(r.amount), 0), sum(r.waiting)
  from unnest(commissions_occurred_at, commissions_partner_id, commissions_workspace_id, commissions_currency,
    commissions_computed_amount, commissions_waiting_amount, commissions_command)
    as r(occurred_at, partner_id, workspace_id, currency, amount, waiting, command)
  group by r.partner_id, day, r.workspace_id, r.currency, moved_day;`;

/** A function that stores creations; `save` is what it does once the rows that the commands rely on are locked. */
const creationFunction = (name: string, declarations: string, save: string): string => `
create function quittance.${name}(${declarations})
returns json language plpgsql as $body$
declare
  principals constant text[] := array(select json_array_elements_text(actors));
  present integer;
  kept bigint;
  is_single constant boolean := cardinality(commands) = 1 and cardinality(attributions_id) = 1
    and cardinality(commissions_id) <= 1;
  ${CONFLICT_DECLARATIONS}
begin
  perform set_config('app.customer_id', customer::text, true);
  perform quittance.require_open_period(customer, (select min(m.at) from unnest(moments) as m(at)), false);
  ${SAVE_COMMANDS}
  ${SAVE_RESULTS}
  ${LOCK_FORMULA_SETS}
  ${LOCK_API_KEYS}
  ${lockRecords("workspace", ["workspaces", "workspace_versions"])}
  ${lockRecords("linkSet", ["link_sets", "link_set_versions"])}
  ${save}-- Every row that the commands rely on is locked. The events of each command are contiguous.
  ${NOTE_FEED}
  ${SAVE_SINGLE}
  ${SAVE_ALL}
  return null;
${returnConflict(USED_KEYS)}
end
$body$;
`;

/** The functions. */
export const createAttributions = [
  saveArrivals,
  creationFunction("create_attributions", DECLARATIONS, ""),
  creationFunction(
    "create_ordered_attributions",
    `${DECLARATIONS}, ${ORDERED_DECLARATIONS}`,
    `perform quittance.save_arrivals(customer, ${ORDERED_NAMES});\n  `,
  ),
].join("");
