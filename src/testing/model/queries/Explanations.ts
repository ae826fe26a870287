/** The model of explanations of commissions and of simulations of formulas. */

import type { CommandOf } from "../Command.ts";
import { arePropertyValues } from "../prediction/Bounds.ts";
import { applyRules, baseRules, type Prediction, queryResult, refuse } from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { conforms } from "../records/Creation.ts";
import { explainAmount } from "../world/Earnings.ts";
import { amountOf, isValidPlan, readsSellers } from "../world/Plan.ts";
import type { World } from "../world/World.ts";

/** Explain commission: the rule that decides its amount; a derivation only where the formula does. */
export const explain = (world: World, command: CommandOf<"explain">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: true,
    decide: () => {
      const commission = world.commissions.find(({ id }) => id === command.id);
      const attribution = world.attributions.find(({ id }) => id === commission?.attributionId);
      const formula = world.formulas.find(({ id }) => id === commission?.formulaId);
      if (commission === undefined || attribution === undefined || formula === undefined)
        return refuse("Missing");
      return canSee(command.principal, attribution)
        ? queryResult({ commissionId: command.id, ...explainAmount(world, commission, attribution, formula) })
        : refuse("Missing");
    },
  });

const SAMPLES_MAX = 100;

/** Simulate: the amount of an expression for each sample, or OVERFLOW beyond the largest amount. */
export const simulate = (world: World, command: CommandOf<"simulate">): Prediction => {
  const { principal, input } = command;
  const { schemaId, plan, samples } = input;
  return applyRules(world, {
    ...baseRules(command),
    valid:
      plan.type !== "malformed" &&
      samples.length >= 1 &&
      samples.length <= SAMPLES_MAX &&
      samples.every(({ properties }) => arePropertyValues(properties)),
    decide: () => {
      const schema = world.schemas.find(
        (attributionSchema) =>
          attributionSchema.id === schemaId && canSee(principal, { ...attributionSchema, partnerId: null }),
      );
      if (schema === undefined || !isValidPlan(plan)) return refuse("Invalid");
      if (samples.some(({ properties }) => !conforms(properties, schema.properties)))
        return refuse("Invalid");
      if (readsSellers(plan) && samples.some(({ sellersCommission }) => sellersCommission === undefined))
        return refuse("Invalid");
      return queryResult(
        samples.map(({ properties, sellersCommission = 0 }) => {
          const facts = { occurredAt: world.now, occurredOn: null, credit: null };
          const earned = { sellersCommission: BigInt(sellersCommission) };
          const amount = amountOf(plan, { properties, ...facts, ...earned }, []);
          return amount === null ? { failed: "OVERFLOW" } : { amount };
        }),
      );
    },
  });
};
