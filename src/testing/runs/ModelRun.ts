/** Runs random commands against engine and model, and shrinks a failing run. */
import { FastCheck, type Layer } from "effect";
import { type Intent, intents } from "../generation/Intent.ts";
import { resolve } from "../generation/Resolve.ts";
import type { Ports } from "../Law.ts";
import type { Command } from "../model/Command.ts";
import {
  compare,
  describeCommand,
  FindingsError,
  labelOf,
  type ModelSession,
  noStatistics,
  type Statistics,
  step,
} from "../session/ModelSession.ts";
import { owner } from "../session/Principals.ts";
import {
  openStores,
  type Options as SessionOptions,
  type StoreSource,
  withSession,
} from "../session/SessionScope.ts";
import { settleEverything } from "./SettleEverything.ts";

/** Options of a model run. */
export interface Options<E = never> {
  /** The layer of the store's ports. */
  readonly layer: Layer.Layer<Ports, E>;
  /** The seed; the same seed gives the same transcript. */
  readonly seed: number;
  /** The least number of commands. */
  readonly commands: number;
  /** Commands of one run before everything is settled; 120 by default. */
  readonly length?: number;
  /** Number of commands between two full comparisons; 120 by default. */
  readonly compareEvery?: number;
  /** True if all runs share one store, each with customers of its own; each run has a new store by default. */
  readonly shared?: boolean;
  /** True if a failing run is shrunk to fewer commands; true by default. */
  readonly shrinking?: boolean;
}

/** A failed run, shrunk if possible: the findings, the seed and the commands. */
export class RunFailed extends Error {
  readonly error: FindingsError;

  constructor(error: FindingsError, seed: number, steps: ReadonlyArray<string>) {
    super(
      [
        `seed ${seed}: ${error.message}`,
        "after:",
        ...steps.map((line, index) => `${index + 1}. ${line}`),
      ].join("\n"),
    );
    this.error = error;
  }
}

/** Shrinks a failing list by removing ever smaller parts as long as it still fails. */
const shrink = async <Item>(
  items: ReadonlyArray<Item>,
  breaks: (items: ReadonlyArray<Item>) => Promise<boolean>,
): Promise<ReadonlyArray<Item>> => {
  let remaining = items;
  for (let part = Math.ceil(items.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < remaining.length; ) {
      const fewer = [...remaining.slice(0, from), ...remaining.slice(from + part)];
      if (await breaks(fewer)) remaining = fewer;
      else from += part;
    }
  }
  return remaining;
};

/** Performs the intents with regular comparisons, and settles everything in the middle and at the end. */
const runIntents = async (
  session: ModelSession,
  tries: ReadonlyArray<Intent>,
  compareEvery: number,
): Promise<void> => {
  const middle = Math.floor(tries.length / 2);
  for (const [index, intent] of tries.entries()) {
    // After everything was paid, later changes lead to claims back.
    if (index === middle) await settleEverything(session);
    const command = resolve({
      principals: session.principals,
      world: session.world,
      history: session.history,
      intent,
    });
    if (command !== null) await step(session, command);
    if ((index + 1) % compareEvery === 0 && index + 1 < tries.length) await compare(session);
  }
  await compare(session);
  await settleEverything(session);
  await endCadences(session);
  await compare(session);
};

/** Ends every cadence, so that later runs on the same store do not start its settlement runs. */
const endCadences = async (session: ModelSession): Promise<void> => {
  for (const { customerId, workspaceId, partnerId, next } of session.world.settlementPolicies) {
    if (next === null) continue;
    const by = { principal: owner(customerId), idempotency: null };
    await step(session, { type: "write_policy", ...by, workspaceId, partnerId, terms: {} });
  }
};

/** The commands of a run, and its error if it failed. */
interface RunResult {
  readonly performed: ReadonlyArray<Command>;
  readonly error: FindingsError | null;
}

/** The seed of a run, from the seed of all runs and its number. */
export const runSeedOf = (seed: number, number: number): number => (seed * 1_000_003 + number) >>> 0;

/** Performs one run; if it fails, shrinks its steps and throws {@link RunFailed}. */
export const runOrShrink = async <Step>({
  runSeed,
  tries,
  statistics,
  attempt,
  shrinking,
}: {
  readonly runSeed: number;
  readonly tries: ReadonlyArray<Step>;
  readonly statistics: Statistics;
  readonly attempt: (runSeed: number, tries: ReadonlyArray<Step>, into: Statistics) => Promise<RunResult>;
  readonly shrinking: boolean;
}): Promise<void> => {
  const { error, performed } = await attempt(runSeed, tries, statistics);
  if (error === null) return;
  if (!shrinking) throw new RunFailed(error, runSeed, performed.map(describeCommand));
  const breaks = async (fewer: ReadonlyArray<Step>) =>
    (await attempt(runSeed, fewer, noStatistics())).error !== null;
  const last = await attempt(runSeed, await shrink(tries, breaks), noStatistics());
  throw new RunFailed(last.error ?? error, runSeed, last.performed.map(describeCommand));
};

/** Options of one run; typed, so that a session never loses one that was misnamed. */
export type RunOptions = Omit<SessionOptions, "ports" | "performed">;

/** Performs one run on the next store. */
export const runOnNextStore = async (
  { next }: StoreSource,
  options: RunOptions,
  body: (session: ModelSession) => Promise<void>,
): Promise<RunResult> => {
  const done: Array<Command> = [];
  try {
    await withSession({ ...options, ports: await next(), performed: done }, body);
    return { performed: done, error: null };
  } catch (error) {
    if (error instanceof FindingsError) return { performed: done, error: error };
    throw error;
  }
};

/** The identity of each run: the seed itself, or a different one for each run when they share a store. */
export const createIdentities = (shared: boolean): ((seed: number) => number) => {
  let count = 0;
  return (seed) => (shared ? (seed ^ Math.imul(++count, 0x9e3779b1)) >>> 0 : seed);
};

/**
 * Runs random commands until there are enough, and returns their statistics.
 * Throws {@link RunFailed} with the findings, the seed, and the shortest failing list of commands that was found.
 */
export const runModel = async <E>({
  layer,
  seed,
  commands,
  length = 120,
  compareEvery = 120,
  shared = false,
  shrinking = true,
}: Options<E>): Promise<Statistics> => {
  const statistics = noStatistics();
  const open = openStores(layer, shared);
  const identityOf = createIdentities(shared);
  const attempt = (runSeed: number, tries: ReadonlyArray<Intent>, into: Statistics) =>
    runOnNextStore(
      open,
      { seed: runSeed, identity: identityOf(runSeed), statistics: into, withFiles: true },
      (session) => runIntents(session, tries, compareEvery),
    );
  try {
    for (let number = 0; statistics.commands < commands; number++) {
      const runSeed = runSeedOf(seed, number);
      const [tries = []] = FastCheck.sample(intents(length), { seed: runSeed, numRuns: 1 });
      await runOrShrink({ runSeed, tries, statistics, attempt, shrinking });
    }
    return statistics;
  } finally {
    await open.close();
  }
};

/** Performs the given commands after the setup commands, compares everything, and returns the label of each outcome. */
export const runCommands = async <E>({
  layer,
  seed,
  commands,
}: Pick<Options<E>, "layer" | "seed"> & {
  readonly commands: (session: ModelSession) => ReadonlyArray<Command>;
}): Promise<ReadonlyArray<string>> => {
  const open = openStores(layer, false);
  try {
    const options = { ports: await open.next(), seed, identity: seed, statistics: noStatistics() };
    return await withSession({ ...options, performed: [] }, async (session) => {
      const labels: Array<string> = [];
      for (const command of commands(session)) labels.push(labelOf(await step(session, command)));
      await compare(session);
      return labels;
    });
  } finally {
    await open.close();
  }
};
