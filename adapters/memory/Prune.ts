/** Removes expired idempotency records, command ids, webhook deliveries, trials and dry recredit runs, and finds whether a command is stored. */
import { Ids, Storage } from "quittance";
import type { Partition, Store } from "./Store.ts";

/** True if a command is stored; null where its id may have been removed. */
export const isCommitted = (
  { commands }: Partition,
  { id, at }: Pick<Storage.ChangeSet["command"], "id" | "at">,
  now: number,
): boolean | null => {
  if (commands.has(id)) return true;
  return at < now - Storage.ABSENCE_IS_CONCLUSIVE_MILLISECONDS ? null : false;
};

/** Removes what is older than a moment, up to a number of entries; returns how many. */
const removeBefore = <Key, Value>(
  entries: Map<Key, Value>,
  atOf: (value: Value) => number,
  moment: number,
  limit: number,
): number => {
  let count = 0;
  for (const [key, value] of entries) {
    if (count >= limit) break;
    if (atOf(value) >= moment) continue;
    entries.delete(key);
    count++;
  }
  return count;
};

/** Never removed: later than every moment. */
const OPEN = Number.POSITIVE_INFINITY;

/** Takes records that were removed out of the list of their kind. */
const dropFromList = (
  { rows, order }: Partition,
  kind: "webhookDelivery" | "planTrial" | "planTrialResult" | "recreditRun" | "recreditRunResult",
): void => {
  const kept: ReadonlyMap<string, unknown> = rows[kind];
  const listed = order.get(kind) ?? [];
  order.set(
    kind,
    listed.filter(({ id }) => kept.has(id)),
  );
};

/** Removes deliveries that ended before a moment. */
const removeDeliveries = (partition: Partition, moment: number, limit: number): number => {
  const { webhookDelivery } = partition.rows;
  const count = removeBefore(webhookDelivery, ({ endedAt }) => endedAt ?? OPEN, moment, limit);
  if (count > 0) dropFromList(partition, "webhookDelivery");
  return count;
};

/** Removes trials that ended before a moment, each after its results. */
const removeTrials = (partition: Partition, moment: number, limit: number): number => {
  const { rows, trialResults } = partition;
  const { planTrial, planTrialResult } = rows;
  const finishedAt = (trialId: Ids.PlanTrialId): number => planTrial.get(trialId)?.finishedAt ?? OPEN;
  const results = removeBefore(planTrialResult, ({ trialId }) => finishedAt(trialId), moment, limit);
  if (results > 0) dropFromList(partition, "planTrialResult");
  if (results === limit) return results;
  const trials = removeBefore(planTrial, ({ id }) => finishedAt(id), moment, limit - results);
  if (trials === 0) return results;
  dropFromList(partition, "planTrial");
  for (const id of trialResults.keys()) if (!planTrial.has(Ids.PlanTrialId.make(id))) trialResults.delete(id);
  return results + trials;
};

/** Removes dry recredit runs that ended before a moment, each after its results. */
const removeRecredits = (partition: Partition, moment: number, limit: number): number => {
  const { rows, runResults } = partition;
  const { recreditRun, recreditRunResult } = rows;
  const finishedAt = (runId: Ids.RecreditRunId): number => {
    const run = recreditRun.get(runId);
    return run?.dryRun === true ? (run.finishedAt ?? OPEN) : OPEN;
  };
  const results = removeBefore(recreditRunResult, ({ runId }) => finishedAt(runId), moment, limit);
  if (results > 0) dropFromList(partition, "recreditRunResult");
  if (results === limit) return results;
  const runs = removeBefore(recreditRun, ({ id }) => finishedAt(id), moment, limit - results);
  if (runs === 0) return results;
  dropFromList(partition, "recreditRun");
  const kept: ReadonlySet<string> = new Set([...recreditRun.keys(), ...rows.settlementRun.keys()]);
  for (const id of runResults.keys()) if (!kept.has(id)) runResults.delete(id);
  return results + runs;
};

/** One batch, customer by customer. */
export const prune = (
  store: Store,
  { idempotencyMilliseconds, deliveryMilliseconds, trialMilliseconds, limit }: Storage.Pruning,
  now: number,
): number => {
  let count = 0;
  for (const partition of store.partitions.values()) {
    const { idempotencyRecords, commands } = partition;
    count += removeBefore(idempotencyRecords, ({ at }) => at, now - idempotencyMilliseconds, limit - count);
    count += removeBefore(commands, (at) => at, now - Storage.COMMAND_RETENTION_MILLISECONDS, limit - count);
    count += removeDeliveries(partition, now - deliveryMilliseconds, limit - count);
    count += removeTrials(partition, now - trialMilliseconds, limit - count);
    count += removeRecredits(partition, now - trialMilliseconds, limit - count);
  }
  return count;
};
