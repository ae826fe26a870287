/**
 * Removes old idempotency records, ids of commands, webhook deliveries, trials and dry recredit runs, of every customer, by the
 * clock of the database.
 */
import { Effect } from "effect";
import { Storage } from "quittance";
import { type Runner, rows } from "../Statement.ts";
import { forPruning } from "../TenantScope.ts";

/** Stable within a statement, so that the indexes by age can be used. */
const NOW = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

const IDEMPOTENCY_RECORDS = forPruning(`delete from quittance.idempotency_records t using (
  select o.customer_id, o.principal_id, o.key from quittance.idempotency_records o
  where o.at < ${NOW} - $1::bigint order by o.at limit $2::bigint
) aged
where t.customer_id = aged.customer_id and t.principal_id = aged.principal_id and t.key = aged.key
returning t.at`);

const COMMANDS = forPruning(`delete from quittance.commands t using (
  select o.customer_id, o.id from quittance.commands o
  where o.landed and o.at < ${NOW} - $1::bigint order by o.at limit $2::bigint
) aged
where t.customer_id = aged.customer_id and t.id = aged.id
returning t.at`);

const DELIVERIES = forPruning(`delete from quittance.webhook_deliveries t using (
  select o.customer_id, o.id from quittance.webhook_deliveries o
  where o.ended_at < ${NOW} - $1::bigint order by o.ended_at limit $2::bigint
) aged
where t.customer_id = aged.customer_id and t.id = aged.id
returning t.ended_at`);

const TRIAL_RESULTS = forPruning(`delete from quittance.plan_trial_results t using (
  select o.customer_id, o.id from quittance.plan_trials a
  join quittance.plan_trial_results o on o.customer_id = a.customer_id and o.trial_id = a.id
  where a.finished_at < ${NOW} - $1::bigint order by a.finished_at limit $2::bigint
) aged
where t.customer_id = aged.customer_id and t.id = aged.id
returning t.created_at`);

/** Trials without results, which are removed before. */
const TRIALS = forPruning(`delete from quittance.plan_trials t using (
  select o.customer_id, o.id from quittance.plan_trials o
  where o.finished_at < ${NOW} - $1::bigint and not exists (
    select from quittance.plan_trial_results r where r.customer_id = o.customer_id and r.trial_id = o.id
  ) order by o.finished_at limit $2::bigint
) aged
where t.customer_id = aged.customer_id and t.id = aged.id
returning t.finished_at`);

/** The end of a dry run; as the index of it has it. */
const ENDED = "(a.view->>'finishedAt')::bigint";
const DRY = "a.view->>'dryRun' = 'true'";

const RECREDIT_RESULTS = forPruning(`delete from quittance.recredit_run_results t using (
  select o.customer_id, o.id from quittance.recredit_runs a
  join quittance.recredit_run_results o on o.customer_id = a.customer_id and o.run_id = a.id
  where ${DRY} and ${ENDED} < ${NOW} - $1::bigint order by ${ENDED} limit $2::bigint
) aged
where t.customer_id = aged.customer_id and t.id = aged.id
returning t.created_at`);

/** Dry runs without results, which are removed before. */
const RECREDITS = forPruning(`delete from quittance.recredit_runs t using (
  select a.customer_id, a.id from quittance.recredit_runs a
  where ${DRY} and ${ENDED} < ${NOW} - $1::bigint and not exists (
    select from quittance.recredit_run_results r where r.customer_id = a.customer_id and r.run_id = a.id
  ) order by ${ENDED} limit $2::bigint
) aged
where t.customer_id = aged.customer_id and t.id = aged.id
returning t.created_at`);

/** One batch: each kind takes what those before it have left of the limit. */
export const prune = (
  sql: Runner,
  { idempotencyMilliseconds, deliveryMilliseconds, trialMilliseconds, limit }: Storage.Pruning,
): Effect.Effect<number, Storage.StorageError> =>
  Effect.gen(function* () {
    let count = 0;
    for (const [statement, age] of [
      [IDEMPOTENCY_RECORDS, idempotencyMilliseconds],
      [COMMANDS, Storage.COMMAND_RETENTION_MILLISECONDS],
      [DELIVERIES, deliveryMilliseconds],
      [TRIAL_RESULTS, trialMilliseconds],
      [TRIALS, trialMilliseconds],
      [RECREDIT_RESULTS, trialMilliseconds],
      [RECREDITS, trialMilliseconds],
    ] as const) {
      if (count < limit) count += (yield* rows(sql, statement, [age, limit - count])).length;
    }
    return count;
  });
