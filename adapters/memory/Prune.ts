/** Removes expired idempotency records, command ids and webhook deliveries, and finds whether a command is stored. */
import { Storage } from "quittance";
import type { Partition, Store } from "./Store.ts";

/** Whether a command is stored; null where its id may have been removed. */
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

/** Removes deliveries that ended before a moment; they are listed by their creation. */
const removeDeliveries = ({ rows, order }: Partition, moment: number, limit: number): number => {
  const count = removeBefore(rows.webhookDelivery, ({ endedAt }) => endedAt ?? OPEN, moment, limit);
  if (count === 0) return 0;
  const listed = order.get("webhookDelivery") ?? [];
  order.set(
    "webhookDelivery",
    listed.filter(({ id }) => rows.webhookDelivery.has(id)),
  );
  return count;
};

/** One batch, customer by customer. */
export const prune = (
  store: Store,
  { idempotencyMilliseconds, deliveryMilliseconds, limit }: Storage.Pruning,
  now: number,
): number => {
  let count = 0;
  for (const partition of store.partitions.values()) {
    const { idempotencyRecords, commands } = partition;
    count += removeBefore(idempotencyRecords, ({ at }) => at, now - idempotencyMilliseconds, limit - count);
    count += removeBefore(commands, (at) => at, now - Storage.COMMAND_RETENTION_MILLISECONDS, limit - count);
    count += removeDeliveries(partition, now - deliveryMilliseconds, limit - count);
  }
  return count;
};
