/** Checks whether some sequential order of concurrent commands explains their outcomes and the state after them. */
import type { PartnerId } from "../../domain/Ids.ts";
import type { Command } from "../model/Command.ts";
import { type FollowUp, followUpsOf, predict, withCommissionIds } from "../model/Model.ts";
import { NOTHING_GENERATED } from "../model/prediction/Prediction.ts";
import { isCurrent } from "../model/settlements/RunSteps.ts";
import type { World } from "../model/world/World.ts";
import type { Harness } from "../session/Harness.ts";
import { outcomeMismatch } from "../session/ModelSession.ts";
import { generatedBy, type Outcome } from "../session/Outcome.ts";

export interface CommandWithOutcome {
  readonly command: Command;
  readonly outcome: Outcome;
}

/** What the engine generated in a group of commands. */
interface Made {
  readonly commits: Harness["recorded"]["commits"];
  /** The commissions whose ids the model has to know at once, since a settlement run may settle them. */
  readonly commissions: Parameters<typeof withCommissionIds>[1];
}

const SUCCEEDED: Outcome = { type: "succeeded", id: null, replayed: false, body: undefined };

/** A refusal for contention fits any order, because it stored nothing. */
const isBusy = ({ outcome }: CommandWithOutcome): boolean =>
  outcome.type === "refused" && outcome.token === "busy";

/** The first step of a run that was started, unless the outcome is that of an earlier one. */
const firstSteps = (outcome: Outcome): ReadonlyArray<FollowUp> =>
  outcome.type === "succeeded" && outcome.id !== null && !outcome.replayed
    ? [{ type: "read_due", runId: outcome.id }]
    : [];

/** The ways in which a step may have been performed. */
const alternatives = (world: World, command: Command): ReadonlyArray<Command> =>
  command.type !== "store_draft"
    ? [command]
    : [...(isCurrent(world, command) ? [command] : []), { ...command, readsAgain: true }];

/** The follow-ups of a command that concern other partners, done at once: no command of the group sees them. */
const followUpElsewhere = (
  before: World,
  after: World,
  partnerIds: ReadonlyArray<PartnerId>,
): { readonly world: World; readonly later: ReadonlyArray<FollowUp> } => {
  let world = after;
  const later: Array<FollowUp> = [];
  for (const command of followUpsOf(before, after)) {
    const isElsewhere =
      (command.type === "recompute" &&
        after.formulas.some(({ id, partnerId }) => id === command.id && !partnerIds.includes(partnerId))) ||
      (command.type === "recompute_after" &&
        after.attributions.some(({ id, partnerId }) => id === command.id && !partnerIds.includes(partnerId)));
    if (isElsewhere) world = predict(world, command).next(NOTHING_GENERATED);
    else later.push(command);
  }
  return { world, later };
};

/**
 * A text that is the same for equal worlds that follow from one: rows that have not changed stand for themselves by their
 * place, so that only what a group has changed is written out.
 */
const changesOf = (base: World, world: World): string =>
  JSON.stringify(
    Object.entries(world).map(([name, value]) => {
      const before: unknown = base[name as keyof World];
      if (value === before) return 0;
      if (!Array.isArray(value) || !Array.isArray(before)) return value;
      return value.map((row, index) => (row === before[index] ? index : [row]));
    }),
    (_, value) => (typeof value === "bigint" ? `${value}n` : value),
  );

/**
 * Tries every order of concurrent commands on some partners, what follows from a command being commands of their own, and
 * returns the first world that fits every outcome and that `fits` accepts; null when there is none. A state that two orders
 * lead to is tried once: the follow-ups of two plans with many formulas have millions of orders and few states.
 */
export const linearise = (
  base: World,
  partnerIds: ReadonlyArray<PartnerId>,
  group: ReadonlyArray<CommandWithOutcome>,
  { commits, commissions }: Made,
  fits: (world: World) => boolean,
): World | null => {
  const tried = new Set<string>();
  const stateOf = (world: World, remaining: ReadonlyArray<CommandWithOutcome>): string =>
    `${changesOf(base, world)} ${remaining
      .map((one) => (group.includes(one) ? group.indexOf(one) : JSON.stringify(one.command)))
      .sort()}`;
  const search = (world: World, remaining: ReadonlyArray<CommandWithOutcome>): World | null => {
    const state = stateOf(world, remaining);
    if (tried.has(state)) return null;
    tried.add(state);
    if (remaining.length === 0) return fits(world) ? world : null;
    for (const [index, { command: one, outcome }] of remaining.entries()) {
      const rest = remaining.filter((_, other) => other !== index);
      for (const command of alternatives(world, one)) {
        const prediction = predict(world, command);
        if (outcomeMismatch(prediction, outcome) !== null) continue;
        const { world: after, later } = followUpElsewhere(
          world,
          withCommissionIds(prediction.next(generatedBy(outcome, commits)), commissions),
          partnerIds,
        );
        const follow = [...(command.type === "settle_by_run" ? firstSteps(outcome) : []), ...later];
        const next = follow.map((step): CommandWithOutcome => ({ command: step, outcome: SUCCEEDED }));
        const found = search(after, [...rest, ...next]);
        if (found !== null) return found;
      }
    }
    return null;
  };
  return search(
    base,
    group.filter((commandWithOutcome) => !isBusy(commandWithOutcome)),
  );
};
