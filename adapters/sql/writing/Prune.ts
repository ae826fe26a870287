/** Removes old idempotency records and ids of commands, of every customer, by the clock of the database. */
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

/** One batch: idempotency records first, and commands for what is left of the limit. */
export const prune = (
  sql: Runner,
  { idempotencyMilliseconds, limit }: Storage.Pruning,
): Effect.Effect<number, Storage.StorageError> =>
  Effect.gen(function* () {
    const records = yield* rows(sql, IDEMPOTENCY_RECORDS, [idempotencyMilliseconds, limit]);
    const left = limit - records.length;
    if (left <= 0) return records.length;
    const commands = yield* rows(sql, COMMANDS, [Storage.COMMAND_KEPT_MILLISECONDS, left]);
    return records.length + commands.length;
  });
