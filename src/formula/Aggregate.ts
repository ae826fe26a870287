import type { Checked } from "./Check.ts";
import { creditOf, rowRole, SELLER } from "./Credit.ts";
import type { Aggregate, AggregateFunction, Window } from "./Expression.ts";
import type { Facts, PropertyDefinition } from "./Property.ts";
import * as Reference from "./Reference.ts";
import { addToTotal, emptyTotal, type RunningTotal } from "./RunningTotal.ts";
import { calendarDay, contains, fixedWindow, spanOf } from "./Window.ts";

/**
 * An aggregate of a formula, and what is needed to keep its running total: the sum, number, least or greatest of the
 * attributions of one window and one group, as they arrive.
 */
export type RunningAggregate = {
  /** Its path in the expression, such as `$.operands.0`; unique in the formula. */
  readonly path: string;
  readonly function: AggregateFunction;
  readonly window: Window;
  /** The properties whose values form the group; none when all attributions are one group. */
  readonly groupBy: ReadonlyArray<string>;
  /** The denominator of every contribution and total; 1 for a count. */
  readonly denominator: bigint;
  /** The role of its rows; null where it is that of the attribution that is evaluated. */
  readonly role: string | null;
  /** @internal */
  readonly node: Aggregate;
  /** @internal */
  readonly properties: ReadonlyMap<string, PropertyDefinition>;
};

/** The aggregates of a checked formula, in the order of the checker, which depends on the expression alone. */
export const fromChecked = ({ aggregates, properties }: Checked): ReadonlyArray<RunningAggregate> =>
  aggregates.map(({ path, node, denominator }) => ({
    path,
    function: node.function,
    window: node.window,
    groupBy: node.group_by ?? [],
    denominator,
    role: node.role ?? null,
    node,
    properties,
  }));

/**
 * What an attribution adds to the total of an aggregate, as the numerator over the aggregate's denominator; 1 for a count;
 * null when `where` excludes the attribution, or its role is another than the aggregate's own.
 */
export const contribution = (
  { node, denominator, role, properties }: RunningAggregate,
  facts: Facts,
): bigint | null => {
  if (role !== null && role !== creditOf(facts).role) return null;
  const value = Reference.rowValue(node, properties, facts);
  // The checker has proved that every value is a multiple of 1 / denominator.
  return value === undefined ? null : (value.numerator * denominator) / value.denominator;
};

/**
 * The group of an attribution as text: the values of the properties that group, defaults included, as a JSON list, and after
 * them the role in a list where it is another than `seller`. Two attributions belong to one group exactly when their texts are
 * equal; without grouping the text is `[]`.
 */
export const groupKey = ({ node, properties }: RunningAggregate, facts: Facts): string => {
  const role = rowRole(node, facts);
  const values = Reference.groupOf(node, properties, facts).map(({ value }) => value);
  return JSON.stringify(role === SELLER ? values : [...values, [role]]);
};

/** The totals of no attribution, one for each aggregate. */
export const emptyTotals = (aggregates: ReadonlyArray<RunningAggregate>): ReadonlyArray<RunningTotal> =>
  aggregates.map(emptyTotal);

/** The totals before an attribution, with one earlier attribution more if that is in its window and group. */
export const addArrival = (
  aggregates: ReadonlyArray<RunningAggregate>,
  facts: Facts,
  totals: ReadonlyArray<RunningTotal>,
  earlier: Facts,
): ReadonlyArray<RunningTotal> =>
  aggregates.map((aggregate, index) => {
    const total = totals[index] ?? emptyTotal(aggregate);
    const span = spanOf(fixedWindow(aggregate.window, facts), calendarDay(facts));
    return contains(span, calendarDay(earlier)) && groupKey(aggregate, earlier) === groupKey(aggregate, facts)
      ? addToTotal(aggregate, total, contribution(aggregate, earlier))
      : total;
  });

/**
 * The totals before an attribution, one for each aggregate: of the attributions of `history` that lie in its window and
 * group. `history` holds the confirmed attributions of its partner, workspace and schema that arrived before it.
 */
export const totalsBefore = (
  aggregates: ReadonlyArray<RunningAggregate>,
  history: ReadonlyArray<Facts>,
  facts: Facts,
): ReadonlyArray<RunningTotal> =>
  history.reduce(
    (totals, earlier) => addArrival(aggregates, facts, totals, earlier),
    emptyTotals(aggregates),
  );
