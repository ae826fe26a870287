/** Formulas of plans as they are once they have passed every event of their plan. */
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import type { Entry } from "../../domain/Event.ts";
import type { Formula, FormulaEvent } from "../../domain/Formula.ts";
import type { SaveLogged, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";

/** A formula that is up to its plan. */
export interface UpToPlan {
  readonly formula: Versioned<Formula>;
  /** Saves the formula as it was read, with the events of its plan that it had not passed, and then with these. */
  readonly save: (execution: Execution, events: ReadonlyArray<FormulaEvent>) => SaveLogged<"formula">;
}

/** Brings a formula up to its plan, whose whole log is given; stores nothing. */
export const upToPlan = (
  stored: Versioned<Formula>,
  log: ReadonlyArray<Entry<CommissionPlan.PlanEvent>>,
): UpToPlan => {
  const passed = CommissionPlan.pass(stored, stored.lastAt, log);
  const formula = passed.length === 0 ? stored : Save.entered("formula", stored, passed).row;
  return {
    formula,
    save: (execution, events) =>
      Save.entered("formula", stored, [
        ...passed,
        ...Save.logged("formula", execution, formula, events).entries,
      ]),
  };
};
