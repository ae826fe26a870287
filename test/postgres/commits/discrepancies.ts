/** Queries that compare rollups and partners' balances with the records that they sum. */

const MEASURES = "sum(count) as count, sum(settled) as settled, sum(due) as due";
const SETS = "grouping sets ((), (day), (partner_id), (partner_id, day))";

/** The query for rollups and deltas minus the counts of the records, of one snapshot; no row when they agree. */
export const DISCREPANCIES = `
with naive as (
  select customer_id, case when origin_id is null then 'attribution' when credit ? 'further' then 'further_credit' else 'credit' end
    as kind, partner_id, quittance.day_of(occurred_at) as day, workspace_id, status,
    null as currency, 1 as count, 0 as settled, 0 as due from quittance.attributions
  union all
  select customer_id, 'commission', partner_id, quittance.day_of(occurred_at), workspace_id, settlement_status,
    currency, 1, settled_amount, coalesce(computed_amount, 0) - settled_amount from quittance.commissions
), counted as (
  select customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due
  from quittance.rollups
  union all
  select customer_id, kind, partner_id, day, workspace_id, status, currency, ${MEASURES}
  from quittance.rollup_deltas group by customer_id, kind, workspace_id, status, currency, ${SETS}
  union all
  select customer_id, kind, partner_id, day, workspace_id, status, currency, -sum(count), -sum(settled), -sum(due)
  from naive group by customer_id, kind, workspace_id, status, currency, ${SETS}
  union all
  -- What is pending stands in the place of the count.
  select customer_id, 'balance', partner_id, null, null, null, currency, pending, settled, earned - settled
  from quittance.daily_balances
  union all
  select customer_id, 'balance', partner_id, null, null, null, currency, coalesce(pending, 0), settled, due
  from quittance.rollup_deltas where moved_day is not null
  union all
  select customer_id, 'balance', partner_id, null, null, null, currency, -pending_amount, -settled_amount,
    settled_amount - coalesce(computed_amount, 0)
  from quittance.commissions
)
select kind, partner_id, day, status, currency, ${MEASURES} from counted
group by customer_id, kind, partner_id, day, workspace_id, status, currency
having sum(count) <> 0 or sum(settled) <> 0 or sum(due) <> 0`;
