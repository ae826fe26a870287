import type { Checked } from "./Check.ts";
import { creditOf, rowRole } from "./Credit.ts";
import type { AggregateFunction } from "./Expression.ts";
import { type Facts, FactsMismatch } from "./Property.ts";
import * as Rational from "./Rational.ts";
import * as Reference from "./Reference.ts";
import type { RunningTotal } from "./RunningTotal.ts";
import * as Window from "./Window.ts";

/**
 * The past of an attribution: one total for each aggregate of the formula, in their order; or the confirmed attributions of the
 * same partner, workspace and schema that arrived before it.
 */
export type Before = ReadonlyArray<RunningTotal> | { readonly history: ReadonlyArray<Facts> };

const total = (
  name: AggregateFunction,
  values: ReadonlyArray<Rational.Rational>,
): Reference.Found["total"] => {
  const sum = values.reduce(Rational.add, Rational.ZERO);
  if (name === "sum" || name === "count") return sum;
  const wanted = name === "min" ? -1 : 1;
  return values.reduce<Reference.Found["total"]>(
    (best, value) => (best === undefined || Rational.compare(value, best) === wanted ? value : best),
    undefined,
  );
};

/** Counts the rows of an aggregate in a history, one by one. */
const recount =
  (checked: Checked, facts: Facts, history: ReadonlyArray<Facts>): Reference.Find =>
  (node) => {
    const { properties } = checked;
    const span = Window.spanOf(Window.fixedWindow(node.window, facts), Window.calendarDay(facts));
    const group = Reference.groupOf(node, properties, facts);
    const role = rowRole(node, facts);
    const values = history
      .filter((row) => creditOf(row).role === role)
      .filter((row) => Window.contains(span, Window.calendarDay(row)))
      .filter((row) =>
        Reference.groupOf(node, properties, row).every(({ value }, index) => value === group[index]?.value),
      )
      .flatMap((row) => Reference.rowValue(node, properties, row) ?? []);
    return { rows: values.length, total: total(node.function, values) };
  };

/** Reads the running totals of the aggregates. */
const readTotals =
  (checked: Checked, totals: ReadonlyArray<RunningTotal>): Reference.Find =>
  (node) => {
    const index = checked.aggregates.findIndex((checkedAggregate) => checkedAggregate.node === node);
    const [aggregate, total] = [checked.aggregates[index], totals[index]];
    if (aggregate === undefined || total === undefined)
      throw new FactsMismatch(`expected ${checked.aggregates.length} totals of earlier attributions`);
    const { rows, numerator } = total;
    return { rows, total: numerator === null ? undefined : Rational.make(numerator, aggregate.denominator) };
  };

/** How the reference interpreter finds the rows of aggregates for an attribution. */
export const find = (checked: Checked, facts: Facts, before: Before): Reference.Find =>
  "history" in before ? recount(checked, facts, before.history) : readTotals(checked, before);
