/** What was settled elsewhere: commissions say it as their sales do. */
import type { Rule } from "./Rule.ts";

/** Commissions that were settled elsewhere; their first two events have one moment. */
export const settledElsewhere: Rule = {
  name: "S16",
  statement:
    "A commission is settled elsewhere only as it is created, with its whole amount then, at the moment and under the reference that its sale states.",
  query: `
  select 'commission ' || c.id as record,
    case when e.sequence <> 2 or e.at <> f.at then 'it was settled elsewhere after it was created'
      when e.event->>'amount' is distinct from f.event->>'amount' then 'its amount was ' || coalesce(f.event->>'amount', 'none')
        || ', and ' || (e.event->>'amount') || ' of it was settled elsewhere'
      else 'it was settled elsewhere otherwise than its sale ' || a.id end as problem
  from quittance.events e
  join quittance.commissions c on c.customer_id = $1::uuid and c.id = e.record_id
  join quittance.attributions a on a.customer_id = $1::uuid and a.id = c.attribution_id
  join quittance.events f on f.customer_id = $1::uuid and f.kind = 'commission' and f.record_id = c.id and f.sequence = 1
  where e.customer_id = $1::uuid and e.kind = 'commission' and e.event->>'type' = 'settle_elsewhere'
    and (e.sequence <> 2 or e.at <> f.at or e.event->>'amount' is distinct from f.event->>'amount'
      or (e.event->>'at')::timestamptz is distinct from to_timestamp((a.settled_elsewhere->>'at')::numeric / 1000)
      or e.event->>'reference' is distinct from a.settled_elsewhere->>'reference')`,
};
