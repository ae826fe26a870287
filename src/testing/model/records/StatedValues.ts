/** The model of stating values of parameters: for a formula of its own, and for the partners of a plan. */
import type { SetValues } from "../../../domain/Parameter.ts";
import type { CommandOf } from "../Command.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { withFormulas } from "../world/Earnings.ts";
import { appendEntry, nextMoment } from "../world/Log.ts";
import { areValuesOf, storedValues, valueAt, valueFor } from "../world/Values.ts";
import type { Formula, World } from "../world/World.ts";
import { applyPlan, findPlan } from "./Plans.ts";
import { replaceFormula } from "./Records.ts";

/**
 * A formula after values were stated at a moment, which is their date unless the request has one. The same object when they are
 * stated already; null when the request is invalid.
 */
const withStatement = (
  formula: Formula,
  { values, effectiveDatetime = null }: SetValues,
  moment: number,
): Formula | null => {
  const withdraws = Object.values(values).includes(null);
  if ((withdraws && effectiveDatetime === null) || !areValuesOf(formula.parameters, values)) return null;
  const date = effectiveDatetime ?? moment;
  const before = effectiveDatetime === null ? valueAt : valueFor;
  const changed = Object.fromEntries(
    Object.entries(storedValues(values)).filter(([name, value]) => before(formula, name, date) !== value),
  );
  if (Object.keys(changed).length === 0) return formula;
  return {
    ...formula,
    parameterValues: [...formula.parameterValues, { values: changed, effectiveDatetime: date }],
    log: appendEntry(formula.log, moment, "set_parameter_values", {
      values: changed,
      effective_datetime: new Date(date).toISOString(),
    }),
  };
};

export const setFormulaValues = (world: World, command: CommandOf<"set_formula_values">): Prediction => {
  const decide = (): Decision => {
    const formula = world.formulas.find(
      (candidate) => candidate.id === command.id && canSee(command.principal, candidate),
    );
    if (formula === undefined) return refuse("Missing");
    if (formula.assignment !== null) return conflict("formula_of_plan");
    if (formula.cancelReason !== null) return conflict("formula_cancelled");
    const stated = withStatement(formula, command.input, nextMoment(formula.log, world.now));
    if (stated === null) return refuse("Invalid");
    return accept(stated === formula ? null : () => replaceFormula(world, formula, stated));
  };
  return applyRules(world, { ...baseRules(command), valid: true, decide });
};

export const setPlanValues = (world: World, command: CommandOf<"set_plan_values">): Prediction => {
  const { partners, single } = command;
  const decide = (): Decision => {
    const plan = findPlan(world, command);
    if (plan === undefined) return refuse("Missing");
    if (plan.cancelReason !== null) return conflict("plan_cancelled");
    const reached = new Map(world.formulas.map((formula) => [formula, applyPlan(plan, formula)]));
    const after = new Map(reached);
    for (const { partnerId, ...request } of partners) {
      const own = world.formulas.filter(
        (formula) => formula.partnerId === partnerId && formula.assignment?.planId === plan.id,
      );
      if (own.length === 0) return refuse(single ? "Missing" : "Invalid");
      // All formulas of a partner state the same, with the same date.
      const moment = own.reduce(
        (latest, formula) => nextMoment((after.get(formula) ?? formula).log, latest),
        world.now,
      );
      for (const one of own) {
        const stated = withStatement(after.get(one) ?? one, request, moment);
        if (stated === null) return refuse("Invalid");
        after.set(one, stated);
      }
    }
    const formulas = world.formulas.map((formula) =>
      after.get(formula) === reached.get(formula) ? formula : (after.get(formula) ?? formula),
    );
    const isSame = formulas.every((formula, index) => formula === world.formulas[index]);
    return accept(isSame ? null : () => withFormulas(world, formulas));
  };
  return applyRules(world, { ...baseRules(command), valid: partners.length > 0, decide });
};
