/**
 * How statements are kept from plans that go by a wrong guess. What the planner knows of a customer may be nothing, or
 * what was true before its last million rows came; a plan may also outlive what it was made from. Therefore:
 *
 * - Few rows are taken one by one, by their key ({@link byKey}).
 * - Many rows are looked up by {@link keyed}, each in the order of its key: no other index can answer that more cheaply,
 *   whatever is estimated.
 * - Many rows are changed by the places at which they were found, in a function that knows no other way
 *   ({@link byPlace}).
 *
 * An equality alone does not do: every index of a table begins with the customer and holds the id, and where the planner
 * expects one row of the customer it takes any of them, and reads all that the customer has for each row it looks for.
 * `id = any (…)` becomes a walk through the customer's rows in the same way, and a join may take them as its outer side.
 */

/** For functions that take few rows by their keys: a small table is not read whole either, since plans outlive its size. */
export const byKey = "set enable_seqscan = off";

/** For functions that change rows by their places alone: every other way to them is closed. */
export const byPlace = [
  "set enable_seqscan = off",
  "set enable_indexscan = off",
  "set enable_indexonlyscan = off",
  "set enable_bitmapscan = off",
  "set enable_hashjoin = off",
  "set enable_mergejoin = off",
].join("\n  ");

/**
 * A subquery that finds at most one row by its key. To be joined laterally or used as a scalar, so that `id`, an
 * expression over what lies outside, is looked up once for each row there, in their order.
 */
export const keyed = (given: {
  /** With its schema. */
  readonly table: string;
  /** What is selected of the row, aliased `t`; nothing by default. */
  readonly columns?: string;
  readonly customer: string;
  readonly id: string;
  /** The column of the key that follows the customer; `id` by default. */
  readonly key?: string;
  /** A condition that the row must meet as well. */
  readonly condition?: string;
  /** `for share` or `for no key update`. */
  readonly lock?: string;
}): string => {
  const { table, columns = "", customer, id, key = "id", condition, lock = "" } = given;
  const also = condition === undefined ? "" : `and ${condition}`;
  // Both bounds and the order, not an equality: only the key comes in this order.
  return `(select ${columns} from ${table} t
    where t.customer_id = ${customer} and t.${key} >= ${id} and t.${key} <= ${id} ${also}
    order by t.${key} limit 1 ${lock})`;
};
