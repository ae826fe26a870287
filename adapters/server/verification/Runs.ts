/** Settlement policies and runs: the next run is the one that is shown, and every result has the drafts that it names. */
import type { Rule } from "./Rule.ts";

/** Settlement policies. */
export const policies: Rule = {
  name: "settlement policies",
  statement:
    "A workspace and a partner have one policy each, and the moment by which workers find the next run is the one that the policy shows.",
  query: `
  select 'settlement policy ' || p.id as record,
    'its next run is found at ' || coalesce(p.next_run_at::text, 'no moment') || ', and it shows '
      || coalesce(p.view->'next'->>'at', 'none') as problem
  from quittance.settlement_policies p
  where p.customer_id = $1::uuid and p.next_run_at is distinct from (p.view->'next'->>'at')::bigint
  union all
  select 'settlement policy ' || p.id, 'it has a cadence and no next run, or a next run without a cadence'
  from quittance.settlement_policies p
  where p.customer_id = $1::uuid
    and (jsonb_typeof(p.view->'terms'->'cadence') = 'object') is distinct from (jsonb_typeof(p.view->'next') = 'object')
  union all
  select 'settlement policy ' || p.id, 'policy ' || o.id || ' is of the same workspace and partner'
  from quittance.settlement_policies p
  join quittance.settlement_policies o on o.customer_id = $1::uuid and o.workspace_id = p.workspace_id
    and o.partner_id is not distinct from p.partner_id and o.id < p.id
  where p.customer_id = $1::uuid
  union all
  select 'settlement policy ' || p.id, 'it is of workspace ' || p.workspace_id || ', and its partner '
    || coalesce('of ' || r.workspace_id, 'does not exist')
  from quittance.settlement_policies p
  left join quittance.partners r on r.customer_id = $1::uuid and r.id = p.partner_id
  where p.customer_id = $1::uuid and p.partner_id is not null and r.workspace_id is distinct from p.workspace_id`,
};

/** The drafts of results, each with the settlement that it names. */
const DRAFTS = `
  select r.id, r.run_id, r.workspace_id, r.partner_id, r.view->>'currency' as currency, (d.draft->>'settlementId')::uuid as settlement_id,
    (d.draft->>'total')::numeric as total, (d.draft->>'lineCount')::bigint as lines, d.draft->>'approval' as approval
  from quittance.settlement_run_results r
  cross join lateral jsonb_array_elements(r.view->'drafts') as d(draft)
  where r.customer_id = $1::uuid`;

/** Settlement runs and their results. */
export const runs: Rule = {
  name: "settlement runs",
  statement:
    "A run has one result for each partner and currency, whose drafts are settlements as it states them; a run that is done counts them, and one that is not has a message.",
  query: `
  with drafts as materialized (${DRAFTS})
  select 'result ' || d.id as record,
    case when s.id is null then 'its draft ' || d.settlement_id || ' does not exist'
      else 'its draft ' || s.id || ' is stated as ' || d.total || ' with ' || d.lines || ' lines, and is ' || s.total || ' with '
        || (s.view->>'lineCount') || ', or it is of another partner or currency' end as problem
  from drafts d
  left join quittance.settlements s on s.customer_id = $1::uuid and s.id = d.settlement_id
  where (s.workspace_id, s.partner_id, s.currency, s.total::numeric, (s.view->>'lineCount')::bigint)
    is distinct from (d.workspace_id, d.partner_id, d.currency, d.total, d.lines)
  union all
  select 'settlement ' || d.settlement_id, 'it is a draft of ' || count(*) || ' results'
  from drafts d group by d.settlement_id having count(*) > 1
  union all
  select 'result ' || r.id, 'it has ' || jsonb_array_length(r.view->'drafts') || ' drafts and '
    || coalesce('the reason ' || (r.view->>'reason'), 'no reason')
  from quittance.settlement_run_results r
  where r.customer_id = $1::uuid and (r.view->>'reason' is null) is distinct from (jsonb_array_length(r.view->'drafts') > 0)
  union all
  select 'result ' || r.id, 'result ' || o.id || ' is of the same run, partner and currency'
  from quittance.settlement_run_results r
  join quittance.settlement_run_results o on o.customer_id = $1::uuid and o.run_id = r.run_id
    and o.partner_id = r.partner_id and o.view->>'currency' is not distinct from r.view->>'currency' and o.id < r.id
  where r.customer_id = $1::uuid
  union all
  select 'result ' || r.id, 'its run ' || r.run_id || ' does not exist'
  from quittance.settlement_run_results r
  where r.customer_id = $1::uuid
    and not exists (select from quittance.settlement_runs t where t.customer_id = $1::uuid and t.id = r.run_id)
  union all
  select 'run ' || t.id, 'it counts ' || (t.view->>'draftCount') || ' drafts with ' || (t.view->>'lineCount') || ' lines, '
    || (t.view->>'approvedCount') || ' of them approved, ' || (t.view->>'totals') || '; its results have ' || c.drafts || ' with '
    || c.lines || ' lines, ' || c.approved || ' approved, ' || c.totals
  from quittance.settlement_runs t
  cross join lateral (
    select coalesce(sum(b.drafts), 0) as drafts, coalesce(sum(b.lines), 0) as lines, coalesce(sum(b.approved), 0) as approved,
      coalesce(jsonb_object_agg(b.currency, b.total::text), '{}') as totals
    from (
      select d.currency, count(*) as drafts, sum(d.lines) as lines, count(*) filter (where d.approval = 'approved') as approved,
        sum(d.total) as total
      from drafts d where d.run_id = t.id group by d.currency) b) c
  where t.customer_id = $1::uuid and t.view->>'state' = 'done'
    and ((t.view->>'draftCount')::numeric, (t.view->>'lineCount')::numeric, (t.view->>'approvedCount')::numeric, t.view->'totals')
      is distinct from (c.drafts, c.lines, c.approved, c.totals)
  union all
  select 'result ' || r.id, 'its run ' || t.id || ' is done, and it waits for a further draft or an approval'
  from quittance.settlement_run_results r
  join quittance.settlement_runs t on t.customer_id = $1::uuid and t.id = r.run_id
  where r.customer_id = $1::uuid and t.view->>'state' = 'done'
    and (jsonb_typeof(r.view->'after') = 'object' or r.view->'drafts' @> '[{"approval": "pending"}]')
  union all
  select 'run ' || t.id, 'it is not done, and no message of the outbox asks for it'
  from quittance.settlement_runs t
  where t.customer_id = $1::uuid and t.view->>'state' <> 'done' and not exists (
    select from quittance.outbox o where o.customer_id = $1::uuid and o.topic = 'settlement_run' and o.record_id = t.id)`,
};
