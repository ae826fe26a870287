/** Whether the answers of concurrent commands, and what they left, are those of the commands one after another. */
import type { Command } from "../model/Command.ts";
import { formulaToRecompute, predict } from "../model/Model.ts";
import type { World } from "../model/World.ts";
import { type Answer, madeOf } from "./Call.ts";
import { answerProblem } from "./ModelSession.ts";

/** A command and how it was answered. */
export interface Answered {
  readonly command: Command;
  readonly answer: Answer;
}

/** A refusal for contention is right in any order: it says that nothing was done. */
const isBusy = ({ answer }: Answered): boolean => answer.type === "refused" && answer.token === "busy";

/**
 * Tries every order, what a formula command recomputes being a command of its own, and answers the first world that
 * fits every answer and that `fits` accepts; null when there is none.
 */
export const linearised = (
  world: World,
  group: ReadonlyArray<Answered>,
  fits: (world: World) => boolean,
): World | null => {
  const remaining = group.filter((one) => !isBusy(one));
  if (remaining.length === 0) return fits(world) ? world : null;
  for (const [index, { command, answer }] of remaining.entries()) {
    const prediction = predict(world, command);
    if (answerProblem(prediction, answer) !== null) continue;
    const id = answer.type === "answered" ? answer.id : null;
    const formulaId = prediction.stores ? formulaToRecompute(command, id) : null;
    const later: ReadonlyArray<Answered> =
      formulaId === null
        ? []
        : [
            {
              // The id was answered by the engine or named by the command.
              command: { type: "recompute", id: formulaId as Extract<Command, { type: "recompute" }>["id"] },
              answer: { type: "answered", id: null, replayed: false, body: undefined },
            },
          ];
    const rest = remaining.filter((_, other) => other !== index);
    const found = linearised(prediction.next(madeOf(answer)), [...rest, ...later], fits);
    if (found !== null) return found;
  }
  return null;
};
