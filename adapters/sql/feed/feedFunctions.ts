/**
 * The event feed in SQL. A commit inserts one row into `feed_pending` and waits for no other commit; afterwards a relay appends the
 * events of such rows to the feed. `place` orders the rows of a customer: it is greater than that of every commit that this
 * commit saw, because it is computed from the rows and the head that the commit sees. Commits that did not see each other
 * may share a place. So no clock and no sequence decides the order, and a distributed database needs no node but the
 * customer's.
 */
import { EventFeed } from "quittance";

/** The only index of `feed_pending` is always used: its statistics are of a moment when it was empty. */
const byPlace = ["set enable_seqscan = off", "set enable_bitmapscan = off", "set enable_sort = off"].join(
  "\n  ",
);

/** The number of a kind of record in the order of kinds. */
export const kindPlace = (kind: string): string =>
  `case ${kind} ${EventFeed.KIND_ORDER.map((name, index) => `when '${name}' then ${index}`).join(" ")} end`;

const BEFORE = `(e.at, ${kindPlace("e.kind")}, e.record_id, e.sequence)`;

const HAPPENED = `json_build_object('kind', e.kind, 'recordId', e.record_id, 'sequence', e.sequence, 'at', e.at, 'event', e.event)`;

/** The functions that commits and the relay call. */
export const feedFunctions = `
-- The place of the commit that calls it. It is called after every row that the commit relies on has been locked.
create function quittance.next_feed_place(customer uuid) returns bigint language plpgsql
  ${byPlace}
as $body$
declare
  reached constant bigint := coalesce((select h.place from quittance.feed_heads h where h.customer_id = customer), 0);
begin
  return 1 + coalesce(
    (select p.place from quittance.feed_pending p where p.customer_id = customer and p.place > reached
      order by p.place desc limit 1),
    reached);
end
$body$;

-- Records the events of a commit. Without sequences each is the first of its record.
create function quittance.note_feed(customer uuid, command uuid, records uuid[], sequences integer[]) returns void
language plpgsql as $body$
declare
  own_place constant bigint := quittance.next_feed_place(customer);
begin
  insert into quittance.feed_pending (customer_id, place, command_id, records, sequences)
  values (customer, own_place, command, records, sequences);
end
$body$;

-- The next events, of the snapshot of the statement that calls it: first those from before the feed.
create function quittance.feed_backlog(customer uuid, most integer) returns json stable language plpgsql
  ${byPlace}
as $body$
declare
  head record;
  events json;
  places json;
  commands json;
begin
  select h.position, h.hash, h.before_at, h.before_kind, h.before_record, h.before_sequence into head
  from quittance.feed_heads h where h.customer_id = customer;
  select json_agg(${HAPPENED} order by e.at, ${kindPlace("e.kind")}, e.record_id, e.sequence) into events
  from (
    select e.* from quittance.events e
    where e.customer_id = customer and not e.in_feed
      and ${BEFORE} > (coalesce(head.before_at, -62135596800001), coalesce(head.before_kind, 0),
        coalesce(head.before_record, '00000000-0000-0000-0000-000000000000'), coalesce(head.before_sequence, 0))
    order by e.at, ${kindPlace("e.kind")}, e.record_id, e.sequence limit most) e;
  if events is null then
    with commits as materialized (
      select p.place, p.command_id, p.records, p.sequences,
        sum(cardinality(p.records)) over (order by p.place, p.command_id) - cardinality(p.records) as before
      from (
        select * from quittance.feed_pending p where p.customer_id = customer
        order by p.place, p.command_id limit most) p
    ), taken as materialized (select * from commits c where c.before < most)
    select
      (select json_agg(t.place order by t.place, t.command_id) from taken t),
      (select json_agg(t.command_id order by t.place, t.command_id) from taken t),
      (select json_agg(${HAPPENED} order by t.place, t.command_id, r.ordinal)
        from taken t
        cross join lateral unnest(t.records, t.sequences) with ordinality as r(record_id, sequence, ordinal)
        cross join lateral (
          select e.* from quittance.events e
          where e.customer_id = customer and e.record_id = r.record_id and e.sequence = coalesce(r.sequence, 1)) e)
    into places, commands, events;
  end if;
  return json_build_object(
    'position', coalesce(head.position, 0), 'hash', head.hash, 'events', coalesce(events, '[]'::json),
    'places', places, 'commands', commands);
end
$body$;

-- Appends events at the end of the feed and removes the rows that recorded them; without places, moves on over those from
-- before the feed. False when the feed does not end at the position any more. The head is locked by a statement of its
-- own, so that the ones after it see what another relay has done. Then wakes the webhook endpoints of the customer.
create function quittance.append_to_feed(
  customer uuid, reached bigint, places bigint[], commands uuid[], records uuid[], sequences integer[], salts text[],
  hashes text[])
returns boolean language plpgsql
  ${byPlace}
as $body$
declare
  present bigint;
  removed bigint;
  moment bigint;
  total constant integer := cardinality(records);
  last_hash constant text := hashes[total];
begin
  perform set_config('app.customer_id', customer::text, true);
  insert into quittance.feed_heads (customer_id, position, hash, place, behind)
  values (customer, 0, '${EventFeed.GENESIS}', 0, false) on conflict do nothing;
  select h.position into present from quittance.feed_heads h where h.customer_id = customer for no key update;
  if present <> reached then return false; end if;
  if cardinality(places) > 0 then
    with taken as (
      delete from quittance.feed_pending p
      where p.customer_id = customer and p.place >= places[1] and p.place <= places[cardinality(places)]
        and (p.place, p.command_id) in (select w.place, w.command_id from unnest(places, commands) as w(place, command_id))
      returning p.place
    )
    select count(*) into removed from taken;
    if removed <> cardinality(places) then
      raise exception 'the feed of customer % lost % commits', customer, cardinality(places) - removed;
    end if;
    update quittance.feed_heads h set place = greatest(h.place, places[cardinality(places)])
    where h.customer_id = customer;
  else
    update quittance.feed_heads h
    set before_at = e.at, before_kind = ${kindPlace("e.kind")}, before_record = e.record_id, before_sequence = e.sequence
    from quittance.events e
    where h.customer_id = customer and e.customer_id = customer
      and e.record_id = records[total] and e.sequence = sequences[total];
  end if;
  insert into quittance.feed (customer_id, position, record_id, sequence, salt, hash)
  select customer, reached + r.ordinal, r.record_id, r.sequence, decode(r.salt, 'hex'), decode(r.hash, 'hex')
  from unnest(records, sequences, salts, hashes) with ordinality as r(record_id, sequence, salt, hash, ordinal);
  update quittance.feed_heads h set position = reached + total, hash = last_hash,
    behind = cardinality(places) = 0 and exists (
      select from quittance.events e where e.customer_id = customer and not e.in_feed
        and ${BEFORE} > (h.before_at, h.before_kind, h.before_record, h.before_sequence))
  where h.customer_id = customer;
  moment := quittance.now_milliseconds();
  update quittance.outbox t set available_at = moment
  where t.customer_id = customer and t.topic = 'deliver_webhooks' and not t.dead_lettered
    and t.available_at > moment;
  return true;
end
$body$;
`;
