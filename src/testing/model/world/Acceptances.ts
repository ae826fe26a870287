/** Terms of plans and their acceptances in the model: which rule pays a sale, and whether its partner has accepted it. */
import { versionAt } from "./Joins.ts";
import { readsOf } from "./Plan.ts";
import { expressionOf, statedShare } from "./PlanExpression.ts";
import { valueAt } from "./Values.ts";
import type { Acceptance, Formula, World } from "./World.ts";

/** What decides the amounts of sales of a moment: the currency, the schema, the expression and the values that it reads. */
const ruleAt = (formula: Formula, moment: number) => {
  const version = versionAt(formula, moment);
  const plan = formula.versions[version - 1]?.plan;
  if (plan === undefined) throw new Error("a formula has a first version");
  const values = readsOf(plan)
    .toSorted()
    .map((name) => [name, valueAt(formula, name, moment)]);
  const { currency, schemaId } = formula;
  return {
    rule: JSON.stringify([currency, schemaId, expressionOf(plan), statedShare(plan), values]),
    key: JSON.stringify([version, values]),
  };
};

/** The terms of one span of an assignment. */
type Span = Pick<Acceptance, "terms" | "rule" | "fromDatetime" | "endDatetime"> & {
  readonly until: number | null;
};

const spansOfFormula = (formula: Formula): ReadonlyArray<Span> => {
  const { start, end, assignment, cancelReason } = formula;
  const isWithdrawn = assignment?.from != null && assignment.from === assignment.to;
  if (cancelReason !== null || isWithdrawn || (end !== null && end <= start)) return [];
  const dates = [
    ...formula.versions.map(({ effective }) => effective),
    ...formula.parameterValues.map(({ effectiveDatetime }) => effectiveDatetime),
  ].flatMap((at) => (at !== null && at > start && (end === null || at < end) ? [at] : []));
  const begins = [start, ...new Set(dates)]
    .toSorted((a, b) => a - b)
    .map((from) => ({ from, ...ruleAt(formula, from) }))
    .filter(({ key }, index, all) => key !== all[index - 1]?.key);
  return begins.map(({ from, rule }, index) => ({
    ...{ rule, fromDatetime: from, endDatetime: end, until: begins[index + 1]?.from ?? end },
    terms: JSON.stringify([rule, start, end, from]),
  }));
};

/** The terms in force at a moment under formulas of one plan and partner, else the next ones; undefined after the last. */
export const termsAt = (formulas: ReadonlyArray<Formula>, moment: number): Span | undefined =>
  formulas
    .flatMap(spansOfFormula)
    .toSorted((a, b) => a.fromDatetime - b.fromDatetime)
    .find(({ until }) => until === null || moment < until);

/** True if the partner of a formula has accepted by which rule it pays the sales of a moment; without a plan nothing is asked. */
export const isAccepted = ({ acceptances }: World, formula: Formula, moment: number): boolean => {
  const { assignment, partnerId } = formula;
  if (assignment === null) return true;
  const { rule } = ruleAt(formula, moment);
  return acceptances.some(
    (acceptance) =>
      acceptance.planId === assignment.planId &&
      acceptance.partnerId === partnerId &&
      acceptance.rule === rule &&
      acceptance.fromDatetime <= moment &&
      (acceptance.endDatetime === null || moment < acceptance.endDatetime),
  );
};
