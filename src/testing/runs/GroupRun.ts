/** Runs a given group of concurrent commands, each time on a new store: in seeded interleavings, or with one preemption. */
import type { Command } from "../model/Command.ts";
import { compare, describeCommand, type ModelSession, noStatistics, step } from "../session/ModelSession.ts";
import { seededRandom } from "../session/SeededRandom.ts";
import { openStores, type StoreSource } from "../session/SessionScope.ts";
import * as CallScheduler from "./CallScheduler.ts";
import { type Group, runGroup } from "./ConcurrentRun.ts";
import { type Options as ModelOptions, RunFailed, type RunOptions, runOnNextStore } from "./ModelRun.ts";

/** A group, and the commands before it. */
export interface GroupOptions<E = never> extends Pick<ModelOptions<E>, "layer" | "seed"> {
  /** Sequential commands before the group, each created from the session at its turn. */
  readonly before: ReadonlyArray<(session: ModelSession) => Command>;
  /** The group of concurrent commands. */
  readonly group: (session: ModelSession) => Group;
  /** As in the options of concurrent runs. */
  readonly isSynchronous?: boolean;
}

/** Options of interleavings of a given group. */
export interface InterleavingOptions<E = never> extends GroupOptions<E> {
  /** The number of interleavings, each on a new store. */
  readonly interleavings: number;
}

/** Performs the group once; throws {@link RunFailed} when no order explains it. */
const runOnce = async <E>(
  open: StoreSource,
  { seed, before, group, isSynchronous = false }: GroupOptions<E>,
  choose: CallScheduler.Choose,
): Promise<void> => {
  const scheduler = CallScheduler.make({ isSynchronous });
  const options: RunOptions = {
    seed,
    identity: seed,
    statistics: noStatistics(),
    wrap: scheduler.wrap,
  };
  const { error, performed } = await runOnNextStore(open, options, async (session) => {
    for (const command of before) await step(session, command(session));
    await runGroup(session, scheduler, choose, group(session));
    await compare(session);
  });
  if (error !== null) throw new RunFailed(error, seed, performed.map(describeCommand));
};

/** Performs a given group in seeded interleavings; throws {@link RunFailed} when no order explains one of them. */
export const runInterleavings = async <E>(options: InterleavingOptions<E>): Promise<void> => {
  const open = openStores(options.layer, false);
  try {
    for (let number = 0; number < options.interleavings; number++) {
      const random = seededRandom(number);
      await runOnce(open, options, ({ length }) => random.below(length));
    }
  } finally {
    await open.close();
  }
};

/** One preemption of a command: it proceeds for so many calls, and continues when no other command can proceed. */
const preempt = (
  first: number,
  calls: number,
): { readonly choose: CallScheduler.Choose; readonly goesOn: () => boolean } => {
  let count = 0;
  const choose: CallScheduler.Choose = (waiting) => {
    const own = waiting.indexOf(first);
    const other = waiting.indexOf(Math.min(...waiting.filter((who) => who !== first)));
    if (own !== -1 && (count < calls || other === -1)) {
      count += 1;
      return own;
    }
    return other;
  };
  return { choose, goesOn: () => count > calls };
};

/**
 * Performs a given group once for every call that a command of it makes, or for every `stride`th: the command is stopped before
 * that call until the others have ended, or wait for it. Returns the number of orders; throws {@link RunFailed} when no
 * sequential order explains one of them.
 */
export const runPreemptions = async <E>(options: GroupOptions<E>, stride = 1): Promise<number> => {
  const open = openStores(options.layer, false);
  let orders = 0;
  let size = 1;
  const group: typeof options.group = (session) => {
    const chosen = options.group(session);
    size = chosen.commands.length;
    return chosen;
  };
  try {
    for (let first = 0; first < size; first++) {
      for (let calls = 0, goesOn = true; goesOn; calls += stride, orders++) {
        const preemption = preempt(first, calls);
        await runOnce(open, { ...options, group }, preemption.choose);
        goesOn = preemption.goesOn();
      }
    }
    return orders;
  } finally {
    await open.close();
  }
};
