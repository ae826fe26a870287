/** The formulas that accumulate: what each attribution adds to their totals, and which totals each one builds on. */

import type { TotalKey, TotalSeries } from "../../domain/Accumulation.ts";
import type { Attribution } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import { type Formula, versionAt } from "../../domain/Formula.ts";
import * as Language from "../../formula/index.ts";
import { type EvaluatorService, factsOf, factsUnder } from "./Evaluator.ts";

/** A formula that has aggregates in any version. */
export interface AccumulatingFormula {
  readonly formula: Formula;
  /** By number, from 1: the aggregates of each version that has any. */
  readonly versions: ReadonlyMap<number, ReadonlyArray<Language.RunningAggregate>>;
}

/** True if a part of an expression holds a node of this type. */
const holdsAggregate = (part: unknown): boolean =>
  typeof part === "object" &&
  part !== null &&
  (("type" in part && part.type === "aggregate") || Object.values(part).some(holdsAggregate));

/** True if any version of the formula has aggregates. */
export const hasAggregates = ({ versions }: Pick<Formula, "versions">): boolean =>
  versions.some(({ expression }) => holdsAggregate(expression));

/** True if attributions count for the formula: a cancelled one does not accumulate. */
export const accumulates = (formula: Formula): boolean =>
  formula.status === "active" && hasAggregates(formula);

/** The formula with the aggregates of its versions. */
export const accumulatingFormula = (
  evaluator: EvaluatorService,
  schema: AttributionSchema,
  formula: Formula,
): AccumulatingFormula => {
  const versions = new Map<number, ReadonlyArray<Language.RunningAggregate>>();
  for (const [index, { expression }] of formula.versions.entries()) {
    if (!holdsAggregate(expression)) continue;
    versions.set(index + 1, evaluator.compile(formula, index + 1, schema).aggregates);
  }
  return { formula, versions };
};

/** The formulas of a schema that accumulate. */
export const accumulatingAmong = (
  evaluator: EvaluatorService,
  schema: AttributionSchema,
  formulas: ReadonlyArray<Formula>,
): ReadonlyArray<AccumulatingFormula> =>
  formulas.filter(accumulates).map((formula) => accumulatingFormula(evaluator, schema, formula));

/** A total that an attribution is part of, and what it adds. */
export interface Contribution {
  readonly key: TotalKey;
  readonly aggregate: Language.RunningAggregate;
  readonly added: bigint;
}

const seriesOf = (
  { id }: Formula,
  formulaVersion: number,
  { path }: Language.RunningAggregate,
  group: string,
): TotalSeries => ({ formulaId: id, formulaVersion, aggregate: path, group });

/** Every total of the formula that the attribution is part of while it is confirmed. */
export const contributions = (
  { formula, versions }: AccumulatingFormula,
  attribution: Attribution,
): ReadonlyArray<Contribution> => {
  const facts = factsOf(attribution);
  const found: Array<Contribution> = [];
  for (const [version, aggregates] of versions) {
    for (const aggregate of aggregates) {
      const added = Language.contribution(aggregate, facts);
      if (added === null) continue;
      const bucket = Language.Windows.bucketOf(aggregate.window, Language.Windows.calendarDay(attribution));
      found.push({
        aggregate,
        added,
        key: { ...seriesOf(formula, version, aggregate, Language.groupKey(aggregate, facts)), bucket },
      });
    }
  }
  return found;
};

/** The totals that one aggregate adds up for an attribution. */
export interface WindowTotals {
  readonly aggregate: Language.RunningAggregate;
  readonly series: TotalSeries;
  readonly buckets: ReadonlyArray<string>;
}

/** The window of an attribution; only that of an anniversary depends on the values of parameters. */
const windowFor = (
  { window }: Language.RunningAggregate,
  formula: Formula,
  attribution: Attribution,
): Language.Windows.FixedWindow =>
  window.type === "anniversary"
    ? Language.Windows.fixedWindow(window, factsUnder(formula, attribution))
    : window;

/** The totals that the attribution's amount builds on, one list for each aggregate of the version that holds for it. */
export const windowTotals = (
  { formula, versions }: AccumulatingFormula,
  attribution: Attribution,
  bucketsOf = Language.Windows.bucketsOf,
): ReadonlyArray<WindowTotals> => {
  const version = versionAt(formula, attribution.occurredAt);
  const facts = factsOf(attribution);
  const day = Language.Windows.calendarDay(attribution);
  return (versions.get(version) ?? []).map((aggregate) => {
    const group = Language.groupKey(aggregate, facts);
    const buckets = bucketsOf(windowFor(aggregate, formula, attribution), day);
    return { aggregate, series: seriesOf(formula, version, aggregate, group), buckets };
  });
};

/** One text for each series. */
export const seriesText = ({ formulaId, formulaVersion, aggregate, group }: TotalSeries): string =>
  `${formulaId} ${formulaVersion} ${aggregate} ${group}`;

/** One text for each key. */
export const keyText = (key: TotalKey): string => `${key.bucket} ${seriesText(key)}`;
