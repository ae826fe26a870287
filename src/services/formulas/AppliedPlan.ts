/** Formulas of plans with every event of their plan applied. */
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import type { Entry } from "../../domain/Event.ts";
import type { Formula, FormulaEvent } from "../../domain/Formula.ts";
import type { SaveLogged, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";

/** A formula with every event of its plan applied. */
interface AppliedPlan {
  readonly formula: Versioned<Formula>;
  /** The entries of its plan that the formula had not applied. */
  readonly applied: ReadonlyArray<Entry<FormulaEvent>>;
  /** Saves the formula as it was read, with the events of its plan that it had not applied, and then with these. */
  readonly save: (execution: Execution, events: ReadonlyArray<FormulaEvent>) => SaveLogged<"formula">;
}

/** Applies to a formula the events of its plan, whose whole log is given; stores nothing. */
export const applyPlan = (
  stored: Versioned<Formula>,
  log: ReadonlyArray<Entry<CommissionPlan.PlanEvent>>,
): AppliedPlan => {
  const applied = CommissionPlan.unappliedEntries(stored, stored.lastAt, log);
  const formula = applied.length === 0 ? stored : Save.appendEntries("formula", stored, applied).row;
  return {
    formula,
    applied,
    save: (execution, events) =>
      Save.appendEntries("formula", stored, [
        ...applied,
        ...Save.appendEvents("formula", execution, formula, events).entries,
      ]),
  };
};
