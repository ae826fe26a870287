/** Commands at once on shared records, in seeded interleavings or for real, checked for an order that explains them. */
import { Effect, FastCheck } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { Command } from "../model/Command.ts";
import type { World } from "../model/World.ts";
import { type Answer, answerOf, call } from "./Call.ts";
import * as Gate from "./Gate.ts";
import { type Class, type Intent, intents } from "./Intent.ts";
import { type Answered, linearised } from "./Linearisation.ts";
import { difference, sightOf } from "./ModelComparison.ts";
import { cutDown, identities, type Options as ModelOptions, RunFailed, turn } from "./ModelRun.ts";
import {
  Broken,
  brokenInvariants,
  commitsOf,
  compare,
  labelOf,
  learn,
  type ModelSession,
  nameOf,
  noStatistics,
  type Statistics,
  step,
  succeed,
  told,
} from "./ModelSession.ts";
import { resolve } from "./Resolve.ts";
import { digest, type SeededRandom, seededRandom } from "./SeededRandom.ts";
import { stores } from "./Session.ts";

/** How to run. */
export interface Options<E = never> extends Pick<ModelOptions<E>, "layer" | "seed" | "shared" | "cutsDown"> {
  /** How many groups of concurrent commands. */
  readonly interleavings: number;
  /** Groups of one run; 20 by default. */
  readonly length?: number;
  /** Whether the store's calls are interleaved by the seed; otherwise they race as they may. */
  readonly seeded?: boolean;
}

/** Classes that meet on one record; a group is one of these with up to three more of the second kind. */
const MEETINGS: ReadonlyArray<ReadonlyArray<Class>> = [
  ["create_attribution", "create_formula"],
  ["create_settlement", "create_settlement"],
  ["approve", "cancel"],
  ["cancel_attribution", "create_settlement"],
  ["mark_as_paid", "dispute"],
  ["mark_as_paid", "report_payment"],
  ["create_attribution", "update_formula", "create_settlement"],
  ["update_formula", "cancel_attribution"],
  ["create_formula", "cancel_attribution"],
  ["create_attribution", "cancel_formula", "create_settlement"],
  ["update_partner", "approve"],
  ["return_payment", "reconcile", "create_settlement"],
  ["report_payment", "report_payment", "create_settlement"],
  ["update_formula", "update_formula", "create_attribution"],
  ["write_off", "resolve_dispute"],
  ["upload", "dispute"],
  ["review", "write_off"],
  ["initiate_payment", "initiate_payment", "mark_as_paid"],
  ["cancel", "create_settlement"],
  ["repeat", "repeat", "create_attribution"],
  ["create_batch", "create_formula"],
  ["create_batch", "create_batch"],
  ["create_batch", "create_attribution", "update_formula"],
  ["create_batch", "cancel_formula", "create_batch"],
  ["explain", "update_formula", "cancel_attribution"],
  ["explain", "update_formula", "cancel_formula"],
];

/** Classes that may join any group. */
const ANY: ReadonlyArray<Class> = [
  "create_attribution",
  "cancel_attribution",
  "update_formula",
  "create_settlement",
  "advance",
  "approve",
  "write_off",
  "dispute",
];

/** Classes that are several commands at once, or read what the model cannot name yet. */
const APART: ReadonlySet<Command["type"]> = new Set([
  "work",
  "list",
  "statistics",
  "move_clock",
  "preview_settlement",
]);

/** The world with one partner, its records, and one settlement: what the commands of a group choose from. */
const narrowed = (world: World, { below }: SeededRandom): World => {
  const settlement =
    world.settlements[world.settlements.length - 1 - below(Math.min(4, world.settlements.length || 1))];
  const partner =
    world.partners.find(({ id }) => id === settlement?.partnerId) ??
    world.partners[below(world.partners.length)];
  if (partner === undefined) return world;
  const own = <Row extends { readonly partnerId: string }>(rows: ReadonlyArray<Row>) =>
    rows.filter(({ partnerId }) => partnerId === partner.id);
  const attributions = own(world.attributions).slice(-4);
  const ids = new Set<string>(attributions.map(({ id }) => id));
  return {
    ...world,
    partners: [partner],
    attributions,
    formulas: own(world.formulas).slice(-2),
    commissions: world.commissions.filter(({ attributionId }) => ids.has(attributionId)),
    settlements: settlement === undefined ? [] : [settlement],
  };
};

/** Commands to perform at once, all of one partner. */
export interface Group {
  readonly customerId: CustomerId;
  readonly partnerId: PartnerId;
  readonly commands: ReadonlyArray<Command>;
}

/** Two to five commands on shared records; null when there is nothing to share. */
const groupOf = (play: ModelSession, intent: Intent, order: SeededRandom): Group | null => {
  const world = narrowed(play.world, order);
  const [partner] = world.partners;
  if (partner === undefined) return null;
  const meeting = MEETINGS[order.below(MEETINGS.length)] ?? [];
  const joining = order.below(6) === 0 ? order.below(4) : 0;
  const more = Array.from({ length: joining }, () => ANY[order.below(ANY.length)] ?? "advance");
  const commands = [...meeting, ...more].slice(0, 5).flatMap((name, index) => {
    const [first, ...others] = intent.picks;
    const [second = 0, third = 0, fourth = 0] = others.map((pick) => pick + index * order.below(3));
    const own: Intent = {
      ...intent,
      class: name,
      picks: [first, second, third, fourth],
      eligible: intent.eligible || order.below(3) > 0,
    };
    const memory = { ...play.memory, count: play.memory.count + index };
    const command = resolve({ cast: play.cast, world, memory, intent: own });
    return command === null || APART.has(command.type) ? [] : [command];
  });
  return commands.length < 2 ? null : { customerId: partner.customerId, partnerId: partner.id, commands };
};

const performed = async (
  play: ModelSession,
  gate: Gate.Gate | null,
  seeded: SeededRandom,
  commands: ReadonlyArray<Command>,
): Promise<ReadonlyArray<Answer>> => {
  const calls = commands.map((command) => call(play.harness, command));
  const exits =
    gate === null
      ? await succeed(
          play,
          Effect.forEach(calls, (one) => Effect.exit(one), { concurrency: "unbounded" }),
        )
      : await gate.together(play.harness, seeded, calls);
  return exits.map(answerOf);
};

/** Performs a group at once; fails with {@link Broken} when no order explains what came of it. */
const meet = async (
  play: ModelSession,
  gate: Gate.Gate | null,
  seeded: SeededRandom,
  meeting: Group,
): Promise<void> => {
  const { harness, statistics, trace } = play;
  const { commands } = meeting;
  play.done.push(...commands);
  harness.watched.commits.length = 0;
  const answers = await performed(play, gate, seeded, commands);
  const traced = commitsOf(play).flatMap((changeSet) => [...trace.follow(changeSet)]);
  if (answers.some((answer) => answer.type === "refused" && answer.token === "busy")) {
    // What a busy recomputation has left is a worker's to finish.
    await succeed(play, harness.services.worker.settle);
  }
  const { customerId, partnerId } = meeting;
  const seen = await succeed(play, sightOf(customerId, partnerId));
  const group = commands.map(
    (command, index): Answered => ({ command, answer: answers[index] ?? { type: "broken", detail: "" } }),
  );
  const summary = group.map(({ command, answer }) => `${told(command)} → ${labelOf(answer)}`);
  let nearest: string | null = null;
  const after = linearised(play.world, group, (world) => {
    const different = difference(world, customerId, seen, partnerId);
    nearest ??= different;
    return different === null;
  });
  if (after === null || traced.length > 0) {
    const detail = `no order explains ${summary.join(" ∥ ")}: ${nearest ?? "none fits the answers"}`;
    const unexplained = after === null ? [{ name: "C1", detail }] : [];
    throw new Broken([...unexplained, ...traced, ...(await brokenInvariants(play))]);
  }
  play.world = { ...after, now: harness.clock.now };
  await learn(play);
  play.memory = {
    ...play.memory,
    count: play.memory.count + commands.length,
  };
  statistics.commands += commands.length;
  for (const { command, answer } of group) {
    const name = `${nameOf(command)}: ${labelOf(answer)}`;
    statistics.answers.set(name, (statistics.answers.get(name) ?? 0) + 1);
  }
  statistics.transcript = digest(summary.join("\n"), statistics.transcript);
};

/** How to play a given group. */
export interface TogetherOptions<E = never> extends Pick<ModelOptions<E>, "layer" | "seed"> {
  /** How many interleavings, each on a new store. */
  readonly orders: number;
  /** Commands one after another, each chosen when its turn comes. */
  readonly before: ReadonlyArray<(play: ModelSession) => Command>;
  /** Then these at once, all on records of one partner. */
  readonly together: (play: ModelSession) => Group;
}

/** Plays a given group in so many seeded interleavings; fails with {@link RunFailed} when some order explains none. */
export const playTogether = async <E>({
  layer,
  seed,
  orders,
  before,
  together,
}: TogetherOptions<E>): Promise<void> => {
  const open = stores(layer, false);
  try {
    for (let number = 0; number < orders; number++) {
      const gate = Gate.make();
      const options = { seed, identity: seed, statistics: noStatistics(), gate: gate.before };
      const { broken, done } = await turn(open, options, async (play) => {
        for (const command of before) await step(play, command(play));
        await meet(play, gate, seededRandom(number), together(play));
        await compare(play);
      });
      if (broken !== null) throw new RunFailed(broken, seed, done.map(told));
    }
  } finally {
    await open.close();
  }
};

/** Single commands before the first group, so that there is something to meet on. */
const BEFORE = 12;
/** Single commands before each group. */
const BETWEEN = 1;

/** What to try next: a command alone, or a group at once. */
interface Try {
  readonly intent: Intent;
  readonly together: boolean;
}

const triesOf = (seed: number, groups: number): ReadonlyArray<Try> => {
  const length = BEFORE + groups * (BETWEEN + 1);
  const [all = []] = FastCheck.sample(intents(length), { seed, numRuns: 1 });
  return all.map((intent, index) => ({
    intent,
    together: index >= BEFORE && (index - BEFORE) % (BETWEEN + 1) === BETWEEN,
  }));
};

/** Plays the tries in order; answers how many groups met. */
const playTries = async (
  play: ModelSession,
  gate: Gate.Gate | null,
  seed: number,
  tries: ReadonlyArray<Try>,
): Promise<number> => {
  let met = 0;
  for (const { intent, together } of tries) {
    if (together) {
      const order = seededRandom(digest(JSON.stringify(intent), seed));
      const group = groupOf(play, intent, order);
      if (group === null) continue;
      await meet(play, gate, order, group);
      met += 1;
    } else {
      const { cast, world, memory } = play;
      const command = resolve({ cast, world, memory, intent });
      if (command !== null) await step(play, command);
    }
  }
  await compare(play);
  return met;
};

/**
 * Runs groups of concurrent commands until there have been enough.
 * Fails with {@link RunFailed} when some group has no order that explains every answer and what is left.
 */
export const runConcurrent = async <E>({
  layer,
  seed,
  interleavings,
  length = 20,
  shared = false,
  seeded = !shared,
  cutsDown = seeded,
}: Options<E>): Promise<Statistics & { readonly interleavings: number }> => {
  const statistics = noStatistics();
  const open = stores(layer, shared);
  const identityOf = identities(shared);
  let count = 0;
  const attempt = (runSeed: number, tries: ReadonlyArray<Try>, into: Statistics) => {
    const gate = seeded ? Gate.make() : null;
    const through = gate === null ? {} : { gate: gate.before };
    const options = { seed: runSeed, identity: identityOf(runSeed), statistics: into, ...through };
    return turn(open, options, async (play) => {
      const met = await playTries(play, gate, runSeed, tries);
      if (into === statistics) count += met;
    });
  };
  try {
    for (let number = 0; count < interleavings; number++) {
      const runSeed = (seed * 1_000_003 + number) >>> 0;
      const tries = triesOf(runSeed, length);
      const { broken, done } = await attempt(runSeed, tries, statistics);
      if (broken === null) continue;
      if (!cutsDown) throw new RunFailed(broken, runSeed, done.map(told));
      const least = await cutDown(
        tries,
        async (fewer) => (await attempt(runSeed, fewer, noStatistics())).broken !== null,
      );
      const last = await attempt(runSeed, least, noStatistics());
      throw new RunFailed(last.broken ?? broken, runSeed, last.done.map(told));
    }
    return { ...statistics, interleavings: count };
  } finally {
    await open.close();
  }
};
