/** Checks whether some sequential order of concurrent commands explains their outcomes and the state after them. */
import type { PartnerId } from "../../domain/Ids.ts";
import type { Command } from "../model/Command.ts";
import { type FollowUp, followUpsOf, NOTHING_MADE, predict } from "../model/Model.ts";
import type { World } from "../model/world/World.ts";
import { generatedBy, type Outcome } from "../session/Call.ts";
import { outcomeMismatch } from "../session/ModelSession.ts";

export interface CommandWithOutcome {
  readonly command: Command;
  readonly outcome: Outcome;
}

const SUCCEEDED: Outcome = { type: "succeeded", id: null, replayed: false, body: undefined };

/** A refusal for contention fits any order, because it stored nothing. */
const isBusy = ({ outcome }: CommandWithOutcome): boolean =>
  outcome.type === "refused" && outcome.token === "busy";

/** The follow-ups of a command that concern other partners, done at once: no command of the group sees them. */
const followUpElsewhere = (
  before: World,
  after: World,
  partnerId: PartnerId,
): { readonly world: World; readonly later: ReadonlyArray<FollowUp> } => {
  let world = after;
  const later: Array<FollowUp> = [];
  for (const command of followUpsOf(before, after)) {
    const isElsewhere =
      command.type === "recompute" &&
      after.formulas.some((formula) => formula.id === command.id && formula.partnerId !== partnerId);
    if (isElsewhere) world = predict(world, command).next(NOTHING_MADE);
    else later.push(command);
  }
  return { world, later };
};

/**
 * Tries every order of concurrent commands on one partner, what follows from a command being commands of their own, and
 * returns the first world that fits every outcome and that `fits` accepts; null when there is none.
 */
export const linearise = (
  world: World,
  partnerId: PartnerId,
  group: ReadonlyArray<CommandWithOutcome>,
  fits: (world: World) => boolean,
): World | null => {
  const remaining = group.filter((one) => !isBusy(one));
  if (remaining.length === 0) return fits(world) ? world : null;
  for (const [index, { command, outcome }] of remaining.entries()) {
    const prediction = predict(world, command);
    if (outcomeMismatch(prediction, outcome) !== null) continue;
    const rest = remaining.filter((_, other) => other !== index);
    const { world: after, later } = followUpElsewhere(
      world,
      prediction.next(generatedBy(outcome)),
      partnerId,
    );
    const follow = later.map((one): CommandWithOutcome => ({ command: one, outcome: SUCCEEDED }));
    const found = linearise(after, partnerId, [...rest, ...follow], fits);
    if (found !== null) return found;
  }
  return null;
};
