/** Inserts millions of attributions by SQL, spread evenly over a year; one customer has 40 % of them. */
import { randomUUID } from "node:crypto";
import type pg from "pg";

/** The start of the year, and its number of days. */
export const START = Date.parse("2025-01-01T00:00:00.000Z");
export const DAYS = 365;
export const DAY_MILLISECONDS = 86_400_000;

const CUSTOMERS = 40;
const PARTNERS = 50;

/** Every customer has its partners in two workspaces; SQL derives their ids from names. */
const ATTRIBUTIONS = `
insert into quittance.attributions (
  customer_id, id, workspace_id, partner_id, schema_id, status, cancel_reason, properties, created_at, occurred_at, version, last_at)
select w.customer_id, gen_random_uuid(), md5(w.customer_id::text || 'workspace' || w.partner % 2)::uuid,
  md5(w.customer_id::text || 'partner' || w.partner)::uuid, md5(w.customer_id::text || 'schema')::uuid,
  case when w.n % 20 = 0 then 'cancelled' else 'confirmed' end, case when w.n % 20 = 0 then 'returned' end,
  '{"order_value":12345}', w.moment, w.moment, 1, w.moment
from (
  select n, n % ${PARTNERS} as partner, $1::bigint + (random() * $2::bigint)::bigint as moment,
    case when n % 5 < 2 then $3::uuid else md5('customer' || n % ${CUSTOMERS})::uuid end as customer_id
  from generate_series($4::bigint, $5::bigint) n) w`;

const EVENTS = `
insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
select a.customer_id, a.id, 1, 'attribution', a.created_at, 'bench',
  '{"type":"create_attribution","properties":{"order_value":12345}}'
from quittance.attributions a
where not exists (select from quittance.events e where e.customer_id = a.customer_id and e.record_id = a.id)`;

/** The rollup deltas that commits would have appended; no commits inserted these rows. */
const DELTAS = `
insert into quittance.rollup_deltas (
  customer_id, kind, partner_id, day, workspace_id, status, count, settled, due)
select customer_id, 'attribution', partner_id, quittance.day_of(occurred_at), workspace_id, status, count(*), 0, 0
from quittance.attributions group by 1, 3, 4, 5, 6`;

const COMPACT = `select quittance.compact_rollups(customer_id, 100000) from (
  select distinct customer_id from quittance.rollup_deltas) t`;

/** The customer with the most attributions. */
export const LARGEST = randomUUID();

/** Inserts the attributions numbered `from` to `to` (inclusive) and recomputes all rollups. */
export const grow = async (client: pg.Client, from: number, to: number): Promise<void> => {
  // Inserts without checks of foreign keys and without triggers, as a restore does.
  await client.query("set session_replication_role = replica");
  await client.query(ATTRIBUTIONS, [START, DAYS * DAY_MILLISECONDS - 1, LARGEST, from, to]);
  await client.query(EVENTS);
  await client.query("delete from quittance.rollups");
  await client.query(DELTAS);
  await client.query(COMPACT);
  await client.query("set session_replication_role = origin");
  await client.query("vacuum (analyze) quittance.attributions");
  await client.query("vacuum (analyze) quittance.events");
  await client.query("vacuum (analyze) quittance.rollups");
  await client.query("vacuum (analyze) quittance.rollup_deltas");
  // Writes the pages to disk now, so that no checkpoint runs during the measurement.
  await client.query("checkpoint");
};
