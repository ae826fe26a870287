/** What formulas pay for the sales of the cookbook's plans, whose amounts were worked out by hand. */
import { Either } from "effect";
import { type Checked, compile, evaluate, totalsBefore } from "quittance/formula";
import { expect } from "vitest";
import {
  type AccumulatingPlan,
  arrivals,
  facts,
  type Plan,
  readAccumulating,
  readAll,
} from "../../examples/formulas/Plan.ts";

const plans: ReadonlyMap<string, Plan | AccumulatingPlan> = new Map<string, Plan | AccumulatingPlan>([
  ...readAll(),
  ...readAccumulating(),
]);

/** The plan of a file, by the name of the file. */
export const findPlan = (name: string): Plan | AccumulatingPlan => {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`the cookbook has no plan ${name}`);
  return plan;
};

/** Expects that a formula pays for every sale of a plan what was worked out by hand. */
export const paysAsWorkedOut = (plan: Plan | AccumulatingPlan, checked: Checked): void => {
  const compiled = compile(checked);
  if ("cases" in plan) {
    for (const sale of plan.cases)
      expect(evaluate(compiled, facts(sale)), sale.working).toEqual(Either.right(sale.expected));
    return;
  }
  for (const sequence of plan.sequences)
    for (const { step, facts: sale, history } of arrivals(sequence)) {
      const totals = totalsBefore(compiled.aggregates, history, sale);
      expect(evaluate(compiled, sale, totals), step.working).toEqual(Either.right(step.expected));
    }
};
