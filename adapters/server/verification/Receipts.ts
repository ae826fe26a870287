/** What buyers have paid: every commission that waits for its buyer knows the last statement of its sale. */
import type { Rule } from "./Rule.ts";

/** Commissions and the statements of their sales; a statement belongs to the origin of a sale. */
export const receipts: Rule = {
  name: "S15",
  statement:
    "A commission waits for its buyer if its formula says so, and knows the last statement of its sale.",
  query: `
  select 'commission ' || c.id as record,
    case when (c.receipt is null) is distinct from (f.release is null)
      then 'it ' || case when c.receipt is null then 'does not wait' else 'waits' end || ' for the buyer, unlike its formula'
      else 'it knows that the buyer has paid ' || (c.receipt->>'received') || ' of ' || coalesce(c.receipt->>'of', 'an unknown sum')
        || ', its sale ' || o.id || coalesce(' has ' || (o.receipt->>'received') || ' of ' || (o.receipt->>'of'), ' has no statement') end as problem
  from quittance.commissions c
  join quittance.formulas f on f.customer_id = $1::uuid and f.id = c.formula_id
  join quittance.attributions a on a.customer_id = $1::uuid and a.id = c.attribution_id
  join quittance.attributions o on o.customer_id = $1::uuid and o.id = coalesce(a.origin_id, a.id)
  where c.customer_id = $1::uuid and ((c.receipt is null) is distinct from (f.release is null)
    or (c.receipt is not null and (
      (c.receipt->>'received')::numeric is distinct from coalesce((o.receipt->>'received')::numeric, 0)
      or (c.receipt->>'of')::numeric is distinct from (o.receipt->>'of')::numeric)))`,
};
