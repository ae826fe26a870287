/** Checks whether some sequential order of concurrent commands explains their outcomes and the state after them. */
import type { Command } from "../model/Command.ts";
import { predict, recomputationOf } from "../model/Model.ts";
import type { World } from "../model/world/World.ts";
import { generatedBy, type Outcome } from "../session/Call.ts";
import { outcomeMismatch } from "../session/ModelSession.ts";

export interface CommandWithOutcome {
  readonly command: Command;
  readonly outcome: Outcome;
}

/** A refusal for contention fits any order, because it stored nothing. */
const isBusy = ({ outcome }: CommandWithOutcome): boolean =>
  outcome.type === "refused" && outcome.token === "busy";

/**
 * Tries every order, what a command recomputes being a command of its own, and outcomes the first world that
 * fits every outcome and that `fits` accepts; null when there is none.
 */
export const linearise = (
  world: World,
  group: ReadonlyArray<CommandWithOutcome>,
  fits: (world: World) => boolean,
): World | null => {
  const remaining = group.filter((one) => !isBusy(one));
  if (remaining.length === 0) return fits(world) ? world : null;
  for (const [index, { command, outcome }] of remaining.entries()) {
    const prediction = predict(world, command);
    if (outcomeMismatch(prediction, outcome) !== null) continue;
    const id = outcome.type === "succeeded" ? outcome.id : null;
    const recomputation = prediction.stores ? recomputationOf(command, id) : null;
    const later: ReadonlyArray<CommandWithOutcome> =
      recomputation === null
        ? []
        : [
            {
              command: recomputation,
              outcome: { type: "succeeded", id: null, replayed: false, body: undefined },
            },
          ];
    const rest = remaining.filter((_, other) => other !== index);
    const found = linearise(prediction.next(generatedBy(outcome)), [...rest, ...later], fits);
    if (found !== null) return found;
  }
  return null;
};
