/** Random commands against the engine and the model at once; a failure is cut down before it is told. */
import { FastCheck, type Layer } from "effect";
import type { Ports } from "../Law.ts";
import type { Command } from "../model/Command.ts";
import { converge } from "./Convergence.ts";
import { type Intent, intents } from "./Intent.ts";
import {
  Broken,
  compare,
  labelOf,
  type ModelSession,
  noStatistics,
  type Statistics,
  step,
  told,
} from "./ModelSession.ts";
import { resolve } from "./Resolve.ts";
import { type Stores, session, stores } from "./Session.ts";

/** How to run. */
export interface Options<E = never> {
  /** The store: every port that keeps something. */
  readonly layer: Layer.Layer<Ports, E>;
  /** Decides everything: the same seed gives the same transcript. */
  readonly seed: number;
  /** How many commands at least. */
  readonly commands: number;
  /** Commands of one run before it is brought to its end; 120 by default. */
  readonly length?: number;
  /** How many commands lie between two comparisons of everything before the end; 120 by default. */
  readonly compareEvery?: number;
  /** One store for all runs, each with customers of its own; a new one for each by default. */
  readonly shared?: boolean;
  /** Whether a failure is cut down to fewer commands before it is told; true by default. */
  readonly cutsDown?: boolean;
}

/** A run that went wrong, cut down to what it takes. */
export class RunFailed extends Error {
  readonly broken: Broken;

  constructor(broken: Broken, seed: number, steps: ReadonlyArray<string>) {
    super(
      [
        `seed ${seed}: ${broken.message}`,
        "after:",
        ...steps.map((line, index) => `${index + 1}. ${line}`),
      ].join("\n"),
    );
    this.broken = broken;
  }
}

/** The shortest list that still breaks something, found by leaving out ever smaller parts. */
export const cutDown = async <Item>(
  items: ReadonlyArray<Item>,
  breaks: (items: ReadonlyArray<Item>) => Promise<boolean>,
): Promise<ReadonlyArray<Item>> => {
  let kept = items;
  for (let part = Math.ceil(items.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < kept.length; ) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + part)];
      if (await breaks(fewer)) kept = fewer;
      else from += part;
    }
  }
  return kept;
};

/** Plays the intents, compares at times, and brings everything to its end, once in the middle too. */
const playIntents = async (
  play: ModelSession,
  tries: ReadonlyArray<Intent>,
  compareEvery: number,
): Promise<void> => {
  const middle = Math.floor(tries.length / 2);
  for (const [index, intent] of tries.entries()) {
    // Once everything is paid, what changes afterwards is to be claimed back.
    if (index === middle) await converge(play);
    const command = resolve({ cast: play.cast, world: play.world, memory: play.memory, intent });
    if (command !== null) await step(play, command);
    if ((index + 1) % compareEvery === 0 && index + 1 < tries.length) await compare(play);
  }
  await compare(play);
  await converge(play);
  await compare(play);
};

/** What a turn has done, and what it broke, if anything. */
interface Turn {
  readonly done: ReadonlyArray<Command>;
  readonly broken: Broken | null;
}

/** Plays one turn on the next store. */
export const turn = async (
  { next }: Stores,
  options: { readonly seed: number; readonly identity: number; readonly statistics: Statistics },
  body: (play: ModelSession) => Promise<void>,
): Promise<Turn> => {
  const done: Array<Command> = [];
  try {
    await session({ ...options, ports: await next(), done }, body);
    return { done, broken: null };
  } catch (broken) {
    if (broken instanceof Broken) return { done, broken };
    throw broken;
  }
};

/** The identity of each turn: the seed itself, or never the same twice where one store sees them all. */
export const identities = (shared: boolean): ((seed: number) => number) => {
  let count = 0;
  return (seed) => (shared ? (seed ^ Math.imul(++count, 0x9e3779b1)) >>> 0 : seed);
};

/**
 * Runs random commands until there have been enough, and tells what they came to.
 * Fails with {@link RunFailed}: the findings, the seed, and the shortest list of commands found that leads to them.
 */
export const runModel = async <E>({
  layer,
  seed,
  commands,
  length = 120,
  compareEvery = 120,
  shared = false,
  cutsDown = true,
}: Options<E>): Promise<Statistics> => {
  const statistics = noStatistics();
  const open = stores(layer, shared);
  const identityOf = identities(shared);
  const attempt = (runSeed: number, tries: ReadonlyArray<Intent>, into: Statistics) =>
    turn(open, { seed: runSeed, identity: identityOf(runSeed), statistics: into }, (play) =>
      playIntents(play, tries, compareEvery),
    );
  try {
    for (let number = 0; statistics.commands < commands; number++) {
      const runSeed = (seed * 1_000_003 + number) >>> 0;
      const [tries = []] = FastCheck.sample(intents(length), { seed: runSeed, numRuns: 1 });
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
    return statistics;
  } finally {
    await open.close();
  }
};

/** Plays the given commands after the opening, compares everything, and answers how each was answered. */
export const playCommands = async <E>({
  layer,
  seed,
  commands,
}: Pick<Options<E>, "layer" | "seed"> & {
  readonly commands: (play: ModelSession) => ReadonlyArray<Command>;
}): Promise<ReadonlyArray<string>> => {
  const open = stores(layer, false);
  try {
    const options = { ports: await open.next(), seed, identity: seed, statistics: noStatistics() };
    return await session({ ...options, done: [] }, async (play) => {
      const labels: Array<string> = [];
      for (const command of commands(play)) labels.push(labelOf(await step(play, command)));
      await compare(play);
      return labels;
    });
  } finally {
    await open.close();
  }
};
