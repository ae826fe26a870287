/**
 * `quittance.commit_command(customer, change set)` stores a command in one call, all or nothing. It locks rows in one global
 * order: formula sets, then kind by kind in the order of `lock_records`, each kind by id, commissions last. Returns null, or
 * the conflict because of which nothing is stored.
 */
import { Storage } from "quittance";
import { feedFunctions } from "../../feed/feedFunctions.ts";
import { createAttributions } from "../../groupCommit/createAttributions.ts";
import { byKey } from "../../planning.ts";
import { rollupFunctions } from "../../rollups/rollupFunctions.ts";
import { CONFLICT_DECLARATIONS, returnConflict } from "./conflicts.ts";
import { lines } from "./lines.ts";
import { requirements } from "./requirements.ts";
import { saves } from "./saves.ts";

const commitFunctions = `
-- The clock of the store, the same for all servers.
create function quittance.now_milliseconds() returns bigint volatile language sql as $body$
  select (extract(epoch from clock_timestamp()) * 1000)::bigint
$body$;

create function quittance.allocate_numbers(customer uuid, numbers jsonb) returns void language plpgsql as $body$
declare
  wanted record;
begin
  for wanted in
    select * from jsonb_to_recordset(numbers) as s(series text, last_number integer, last_date date)
    order by series collate "C"
  loop
    if wanted.last_number = 1 then
      insert into quittance.document_series (customer_id, series, last_number, last_date)
      values (customer, wanted.series, 1, wanted.last_date) on conflict do nothing;
    else
      update quittance.document_series t set last_number = wanted.last_number, last_date = wanted.last_date
      where t.customer_id = customer and t.series = wanted.series
        and t.last_number = wanted.last_number - 1;
    end if;
    if not found then
      perform quittance.raise_version_conflict('allocate_number');
    end if;
  end loop;
end
$body$;

-- Replaces events by what is left of them, and the salts of their entries of the feed by digests.
create function quittance.erase_events(customer uuid, erased jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  one record;
begin
  perform set_config('app.erasing', 'on', true);
  for one in
    select * from jsonb_to_recordset(erased) as r(
      record_id uuid, kind text, sequence integer, person text, event text, stored text, position bigint, digest text)
  loop
    if one.event is not null then
      update quittance.events e set event = one.event::json, stored = one.stored::json, person = one.person
      where e.customer_id = customer and e.record_id = one.record_id and e.sequence = one.sequence
        and e.kind = one.kind and e.event->>'type' = one.event::json->>'type';
      if not found then
        raise exception 'event % of % % is another one', one.sequence, one.kind, one.record_id using errcode = '23503';
      end if;
    end if;
    update quittance.feed f set salt = null, digest = decode(one.digest, 'hex')
    where f.customer_id = customer and f.position = one.position and f.salt is not null;
  end loop;
  perform set_config('app.erasing', '', true);
end
$body$;

create function quittance.commit_command(customer uuid, given jsonb) returns json language plpgsql as $body$
declare
  command constant jsonb := given->'command';
  feeds constant boolean := (command->>'feed')::boolean;
  change jsonb;
  changed record;
  -- The events of the commit.
  records uuid[] := '{}';
  sequences integer[] := '{}';
  line_records uuid[] := '{}';
  line_sequences integer[] := '{}';
  ${CONFLICT_DECLARATIONS}
begin
  perform set_config('app.customer_id', customer::text, true);
  perform quittance.require_open_period(customer, (command->>'earliest')::bigint, (command->>'is_of_books')::boolean);
  insert into quittance.commands (customer_id, id, actor, at)
  values (customer, (command->>'id')::uuid, command->>'actor', (command->>'at')::bigint);
  if given ? 'idempotency_record' then perform quittance.store_idempotency_record(customer, given->'idempotency_record'); end if;
  if given ? 'formula_sets' then perform quittance.lock_formula_sets(customer, given->'formula_sets'); end if;
  if given ? 'locks' then perform quittance.lock_records(customer, given->'locks'); end if;
  if given ? 'requirements' then perform quittance.check_requirements(customer, given->'requirements'); end if;
  if given ? 'settlements' then perform quittance.save_settlements(customer, given->'settlements'); end if;
  if given ? 'revisions' then perform quittance.revise_commissions(customer, given->'revisions'); end if;
  for change in select jsonb_array_elements(given->'lines') loop
    select * into changed from quittance.change_lines(customer, change, command);
    line_records := line_records || changed.records;
    line_sequences := line_sequences || changed.sequences;
  end loop;
  for change in select jsonb_array_elements(given->'reversals') loop
    perform quittance.store_reversals(customer, (change->>'settlement_id')::uuid, change->'parts');
  end loop;
  -- A replaced attribution loses its external reference before the new one has it.
  if given->'update' ? 'attribution' then
    perform quittance.update_attributions(customer, given->'update'->'attribution');
  end if;
  if given ? 'insert' then perform quittance.insert_rows(customer, given->'insert'); end if;
  if given ? 'update' then
    perform quittance.update_rows(customer, given->'update');
  end if;
  if given ? 'erasures' then perform quittance.erase_events(customer, given->'erasures'); end if;
  if given ? 'events' then
    with logged as (
      insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, person, event, stored, in_feed)
      select customer, e.record_id, e.sequence, e.kind, e.at, e.actor, e.person, e.event::json, e.stored::json, feeds
      from jsonb_to_recordset(given->'events') as e(
        record_id uuid, sequence integer, kind text, at bigint, actor text, person text, event text, stored text)
      returning record_id, sequence
    )
    select array_agg(l.record_id), array_agg(l.sequence) into records, sequences from logged l;
  end if;
  if given ? 'numbers' then perform quittance.allocate_numbers(customer, given->'numbers'); end if;
  if given ? 'outbox' then
    insert into quittance.outbox (id, customer_id, topic, record_id, reference, available_at)
    select m.id, customer, m.topic, m.record_id, m.reference, quittance.now_milliseconds() + m.delay
    from jsonb_to_recordset(given->'outbox') as m(
      id uuid, topic text, record_id uuid, reference text, delay bigint);
  end if;
  if feeds and cardinality(records) + cardinality(line_records) > 0 then
    perform quittance.note_feed(
      customer, (command->>'id')::uuid, records || line_records, sequences || line_sequences);
  end if;
  return null;
${returnConflict()}
end
$body$;

-- Whether a command is stored. When it is not, its id is taken, so that it cannot be stored later. Null when the id may
-- have been removed since.
create function quittance.resolve_command(customer uuid, command_id uuid, command_at bigint)
returns boolean language plpgsql as $body$
begin
  perform set_config('app.customer_id', customer::text, true);
  if command_at < quittance.now_milliseconds() - ${Storage.ABSENCE_IS_CONCLUSIVE_MILLISECONDS} then
    return (select c.landed from quittance.commands c where c.customer_id = customer and c.id = command_id);
  end if;
  insert into quittance.commands (customer_id, id, actor, at, landed)
  values (customer, command_id, '', 0, false) on conflict do nothing;
  if found then
    return false;
  end if;
  return (select c.landed from quittance.commands c where c.customer_id = customer and c.id = command_id);
end
$body$;
`;

/** Every function that commits call. */
export const commit = [
  rollupFunctions,
  feedFunctions,
  requirements,
  lines,
  saves,
  commitFunctions,
  createAttributions,
].join("\n");
