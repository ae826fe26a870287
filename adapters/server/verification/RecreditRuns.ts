/** Recredit runs: what they count is what their results have, and every sale of their spans is done once. */
import type { Rule } from "./Rule.ts";

/** Runs with the fields that are compared; those that are being removed with their results, thirty days after a trial, are left out. */
const RUNS = `
  select t.id, t.workspace_id, t.created_at, (t.view->>'from')::bigint as first, (t.view->>'to')::bigint as last,
    t.view->>'state' as state, (t.view->>'dryRun')::boolean as dry, t.view->>'reason' as reason,
    (t.view->>'finishedAt')::bigint as finished_at, (t.view->'after'->>'occurredAt')::bigint as reached_at,
    (t.view->'after'->>'id')::uuid as reached_id, (t.view->>'salesDone')::bigint as done,
    array(select p.id::uuid from jsonb_array_elements_text(
      case jsonb_typeof(t.view->'partnerIds') when 'array' then t.view->'partnerIds' else '[]' end) p(id)) as partner_ids,
    jsonb_build_object('changed', t.view->'changedCount', 'attribution_cancelled', t.view->'cancelledCount',
      'too_many_credits', t.view->'tooManyCreditsCount', 'failed', t.view->'failedCount',
      'added', t.view->'creditsAdded', 'cancelled', t.view->'creditsCancelled', 'totals', t.view->'totals') as counts
  from quittance.recredit_runs t
  where t.customer_id = $1::uuid and (t.view->>'dryRun' = 'true' and (t.view->>'finishedAt')::bigint
    < (extract(epoch from now()) * 1000)::bigint - 2592000000) is not true`;

/** Results with the sale that they are of. */
const RESULTS = `
  select r.id, r.run_id, r.attribution_id, r.outcome, r.view, r.created_at, a.workspace_id, a.occurred_at
  from quittance.recredit_run_results r
  left join quittance.attributions a on a.customer_id = $1::uuid and a.id = r.attribution_id and a.origin_id is null
  where r.customer_id = $1::uuid`;

/** The counts that the results of a run \`t\` give, as the run states them. */
const COUNTED = `
  select jsonb_build_object('changed', count(*) filter (where r.outcome = 'changed'),
      'attribution_cancelled', count(*) filter (where r.outcome = 'attribution_cancelled'),
      'too_many_credits', count(*) filter (where r.outcome = 'too_many_credits'),
      'failed', count(*) filter (where r.outcome = 'failed'), 'added', coalesce(sum(c.added), 0),
      'cancelled', coalesce(sum(c.cancelled), 0), 'totals', (
        select coalesce(jsonb_object_agg(s.currency, jsonb_build_object('before', s.before::text, 'after', s.after::text)), '{}')
        from (
          select e.change->>'currency' as currency, sum(coalesce((e.change->>'amountBefore')::numeric, 0)) as before,
            sum(coalesce((e.change->>'amountAfter')::numeric, 0)) as after
          from results o cross join lateral jsonb_array_elements(o.view->'commissions') e(change)
          where o.run_id = t.id group by 1) s)) as counts, count(*) as named
  from results r
  cross join lateral (
    select count(*) filter (where e.change->>'shareAfter' is not null) as added,
      count(*) filter (where e.change->>'shareBefore' is not null) as cancelled
    from jsonb_array_elements(r.view->'credits') e(change)) c
  where r.run_id = t.id`;

/**
 * The sales of the span of a run `t`: those that exist now, and those that certainly did when it began. Clocks differ and may be set
 * back, so that the latter are those that are older by thirty days.
 */
const SALES = `
  select count(distinct coalesce(a.origin_id, a.id)) as now,
    count(distinct coalesce(a.origin_id, a.id)) filter (where a.created_at < t.created_at - 2592000000) as before
  from quittance.attributions a
  where a.customer_id = $1::uuid and a.workspace_id = t.workspace_id and a.occurred_at >= t.first and a.occurred_at < t.last
    and (cardinality(t.partner_ids) = 0 or a.partner_id = any (t.partner_ids))`;

/** Recredit runs and their results. */
export const recreditRuns: Rule = {
  name: "recredit runs",
  statement:
    "A recredit run has one result at most for each sale of its span, counts what its results have, and has changed what they say; one that is done has reached every sale, and one that is not has a message.",
  query: `
  with runs as materialized (${RUNS}), results as materialized (${RESULTS})
  select 'recredit result ' || r.id as record, 'its sale ' || r.attribution_id || ' is none of the span of run ' || t.id as problem
  from results r join runs t on t.id = r.run_id
  where (r.workspace_id = t.workspace_id and r.occurred_at >= t.first and r.occurred_at < t.last) is not true
  union all
  select 'recredit result ' || r.id, 'result ' || o.id || ' is of the same run and sale'
  from results r join results o on o.run_id = r.run_id and o.attribution_id = r.attribution_id and o.id < r.id
  union all
  select 'recredit result ' || r.id, 'its sale is later than the last one that run ' || t.id || ' has done'
  from results r join runs t on t.id = r.run_id
  where r.occurred_at is not null and ((r.occurred_at, r.attribution_id) <= (t.reached_at, t.reached_id)) is not true
  union all
  select 'recredit result ' || r.id, 'its sale ' || r.attribution_id || ' was not recredited by run ' || t.id
  from results r join runs t on t.id = r.run_id
  where r.outcome = 'changed' and not t.dry and not exists (
    select from quittance.events e
    where e.customer_id = $1::uuid and e.record_id = r.attribution_id and e.kind = 'attribution'
      and e.event->>'type' = 'recredit_attribution' and e.event->>'reason' = t.reason and e.at >= r.created_at)
  union all
  select 'recredit run ' || t.id, 'it counts ' || t.counts::text || '; its results have ' || c.counts::text
  from runs t cross join lateral (${COUNTED}) c
  where c.counts <> t.counts
  union all
  select 'recredit run ' || t.id, 'it has done ' || t.done || ' sales; its results name ' || c.named || ', and its span has '
    || s.now || case when t.state = 'done' then ', ' || s.before || ' of them from long before the run' else '' end
  from runs t
  cross join lateral (select count(*) as named from results r where r.run_id = t.id) c
  cross join lateral (${SALES}) s
  where t.done < c.named or t.done > s.now or (t.state = 'done' and t.done < s.before)
  union all
  select 'recredit run ' || t.id, 'it is ' || t.state || ', and ' || coalesce('ended at ' || t.finished_at, 'has not ended')
  from runs t where (t.state = 'done') is distinct from (t.finished_at is not null)
  union all
  select 'recredit run ' || t.id, 'it is not done, and no message of the outbox asks for it'
  from runs t where t.state <> 'done' and not exists (
    select from quittance.outbox o where o.customer_id = $1::uuid and o.topic = 'recredit_run' and o.record_id = t.id)`,
};
