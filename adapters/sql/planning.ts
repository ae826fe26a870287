/**
 * How statements get a good plan when the planner's estimates are wrong. Its statistics about a customer may be missing, or
 * older than the customer's last million rows, and a cached plan may be older still. Therefore:
 *
 * - Few rows are read one by one, by their key ({@link byKey}).
 * - Many rows are looked up by {@link lookUpByKey}, each in the order of its key: no other index has a lower cost for that,
 *   whatever the planner estimates.
 * - Many rows are changed by the locations (`ctid`) at which they were found, in a function whose settings allow no other
 *   plan ({@link byCtid}).
 *
 * An equality alone is not enough: every index of a table begins with the customer and contains the id. When the planner
 * expects one row of the customer it may take any of them, and then reads all rows of the customer for each row it looks
 * up. In the same way `id = any (…)` may scan all rows of the customer, and a join may take them as its outer side.
 */

/** For functions that read few rows by their keys. Small tables are not scanned either, since plans outlive their size. */
export const byKey = "set enable_seqscan = off";

/** For functions that change rows by their locations (`ctid`) alone: every other access path is switched off. */
export const byCtid = [
  "set enable_seqscan = off",
  "set enable_indexscan = off",
  "set enable_indexonlyscan = off",
  "set enable_bitmapscan = off",
  "set enable_hashjoin = off",
  "set enable_mergejoin = off",
].join("\n  ");

/**
 * A subquery that finds at most one row by its key. Join it laterally or use it as a scalar; `id` is an expression over
 * the outer query and is looked up once for each outer row, in their order.
 */
export const lookUpByKey = (lookup: {
  /** With its schema. */
  readonly table: string;
  /** The columns selected from the row, aliased `t`; none by default. */
  readonly columns?: string;
  readonly customer: string;
  readonly id: string;
  /** The column of the key that follows the customer; `id` by default. */
  readonly key?: string;
  /** A further condition on the row. */
  readonly condition?: string;
  /** `for share` or `for no key update`. */
  readonly lock?: string;
}): string => {
  const { table, columns = "", customer, id, key = "id", condition, lock = "" } = lookup;
  // Not a condition for the index: behind two bounds PostgreSQL 18 expects it to search the index once for each value between.
  const also = condition === undefined ? "" : `and (${condition}) is true`;
  // Both bounds and the order, not an equality: only the key has this order.
  return `(select ${columns} from ${table} t
    where t.customer_id = ${customer} and t.${key} >= ${id} and t.${key} <= ${id} ${also}
    order by t.${key} limit 1 ${lock})`;
};
