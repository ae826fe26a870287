/** Millions of attributions, made in the database: 40 % of them one customer's, created evenly over a year. */
import { randomUUID } from "node:crypto";
import type pg from "pg";

/** The first moment of the year of creation, and its days. */
export const START = Date.parse("2025-01-01T00:00:00.000Z");
export const DAYS = 365;
export const DAY_MILLISECONDS = 86_400_000;

const CUSTOMERS = 40;
const PARTNERS = 50;

/** Every customer has its partners in two workspaces; ids are derived so that SQL can name them. */
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

/** What commits would have appended; written whole, since the rows were not made by commits. */
const DELTAS = `
insert into quittance.rollup_deltas (
  customer_id, kind, partner_id, day, workspace_id, status, count, settled, due)
select customer_id, 'attribution', partner_id, quittance.day_of(occurred_at), workspace_id, status, count(*), 0, 0
from quittance.attributions group by 1, 3, 4, 5, 6`;

const FOLD = `select quittance.compact_rollups(customer_id, 100000) from (
  select distinct customer_id from quittance.rollup_deltas) t`;

/** The customer with the most attributions. */
export const LARGEST = randomUUID();

/** Makes attributions number `from` to `to` (inclusive) and counts all there are. */
export const grow = async (client: pg.Client, from: number, to: number): Promise<void> => {
  // Keys are left unchecked while rows are made, as a restore does.
  await client.query("set session_replication_role = replica");
  await client.query(ATTRIBUTIONS, [START, DAYS * DAY_MILLISECONDS - 1, LARGEST, from, to]);
  await client.query(EVENTS);
  await client.query("delete from quittance.rollups");
  await client.query(DELTAS);
  await client.query(FOLD);
  await client.query("set session_replication_role = origin");
  await client.query("vacuum (analyze) quittance.attributions");
  await client.query("vacuum (analyze) quittance.events");
  await client.query("vacuum (analyze) quittance.rollups");
  await client.query("vacuum (analyze) quittance.rollup_deltas");
  // What was made is written out before anything is measured, and not beside it.
  await client.query("checkpoint");
};
