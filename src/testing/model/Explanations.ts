/** What the model says of how amounts come about: of a commission that is there, and of a formula that is only tried. */
import { conforms } from "./Attributions.ts";
import { arePropertyValues } from "./Bounds.ts";
import type { Command } from "./Command.ts";
import { explained } from "./Earnings.ts";
import { amountOf, isSound } from "./Plan.ts";
import { asking, judge, type Prediction, refused, told } from "./Prediction.ts";
import { sees } from "./Rights.ts";
import type { World } from "./World.ts";

type Of<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;

/** Explain commission: the rule that decides its amount; a derivation only where the formula does. */
export const explain = (world: World, command: Of<"explain">): Prediction =>
  judge(world, {
    ...asking(command),
    sound: true,
    verdict: () => {
      const commission = world.commissions.find(({ id }) => id === command.id);
      const attribution = world.attributions.find(({ id }) => id === commission?.attributionId);
      const formula = world.formulas.find(({ id }) => id === commission?.formulaId);
      if (commission === undefined || attribution === undefined || formula === undefined)
        return refused("Missing");
      return sees(command.principal, attribution)
        ? told({ commissionId: command.id, ...explained(commission, attribution, formula) })
        : refused("Missing");
    },
  });

const MOST = 100;

/** Simulate: what an expression would earn on each sample, or that it goes beyond the largest amount. */
export const simulate = (world: World, command: Of<"simulate">): Prediction => {
  const { principal, input } = command;
  const { schemaId, plan, samples } = input;
  return judge(world, {
    ...asking(command),
    sound:
      plan.type !== "malformed" &&
      samples.length >= 1 &&
      samples.length <= MOST &&
      samples.every(({ properties }) => arePropertyValues(properties)),
    verdict: () => {
      const schema = world.schemas.find(
        (one) => one.id === schemaId && sees(principal, { ...one, partnerId: null }),
      );
      if (schema === undefined || !isSound(plan)) return refused("Invalid");
      if (samples.some(({ properties }) => !conforms(properties, schema.properties)))
        return refused("Invalid");
      return told(
        samples.map(({ properties }) => {
          const amount = amountOf(plan, properties);
          return amount === null ? { failed: "OVERFLOW" } : { amount };
        }),
      );
    },
  });
};
