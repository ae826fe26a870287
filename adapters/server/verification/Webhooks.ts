/** Webhook endpoints and deliveries: each is an event of the feed that its endpoint has read, and is delivered once. */
import type { Rule } from "./Rule.ts";

/** Webhook endpoints and their deliveries. */
export const webhooks: Rule = {
  name: "webhooks",
  statement:
    "An enabled endpoint has the message that delivers to it and has read no further than the feed goes; a delivery is an event of the feed that its endpoint has read.",
  query: `
  select 'webhook endpoint ' || e.id as record, 'it is enabled, and no message of the outbox delivers to it' as problem
  from quittance.webhook_endpoints e
  where e.customer_id = $1::uuid and e.status = 'enabled' and not exists (
    select from quittance.outbox o
    where o.customer_id = $1::uuid and o.topic = 'deliver_webhooks' and o.id = (e.view->>'run')::uuid)
  union all
  select 'webhook endpoint ' || e.id, 'it has read up to entry ' || (e.view->>'position') || ' of the feed, which ends with '
    || coalesce(h.position, 0)
  from quittance.webhook_endpoints e
  left join quittance.feed_heads h on h.customer_id = $1::uuid
  where e.customer_id = $1::uuid and (e.view->>'position')::bigint > coalesce(h.position, 0)
  union all
  select 'webhook delivery ' || d.id, case
      when e.id is null then 'its endpoint ' || d.endpoint_id || ' does not exist'
      when f.position is null then 'entry ' || d.position || ' of the feed does not exist'
      when d.position > (e.view->>'position')::bigint then 'its endpoint has not read entry ' || d.position
      else 'entry ' || d.position || ' of the feed is another event' end
  from quittance.webhook_deliveries d
  left join quittance.webhook_endpoints e on e.customer_id = $1::uuid and e.id = d.endpoint_id
  left join quittance.feed f on f.customer_id = $1::uuid and f.position = d.position
  where d.customer_id = $1::uuid and (e.id is null or f.position is null or d.position > (e.view->>'position')::bigint
    or (f.record_id, f.sequence) is distinct from ((d.view->>'recordId')::uuid, (d.view->>'sequence')::integer))
  union all
  select 'webhook delivery ' || d.id, 'delivery ' || o.id || ' is of the same event and endpoint'
  from quittance.webhook_deliveries d
  join quittance.webhook_deliveries o on o.customer_id = $1::uuid and o.endpoint_id = d.endpoint_id
    and o.position = d.position and o.id < d.id
  where d.customer_id = $1::uuid
  union all
  select 'webhook delivery ' || d.id, 'it is ' || d.status || ', and '
    || case when d.ended_at is null then 'has no end' else 'has ended' end
  from quittance.webhook_deliveries d
  where d.customer_id = $1::uuid and (d.ended_at is null) is distinct from (d.status in ('pending', 'held'))`,
};
