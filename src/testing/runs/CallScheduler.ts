/** Runs concurrent commands in a chosen order: every call of the store waits until the scheduler lets it proceed. */
import { Effect, Exit, FiberRef, Runtime, type Scheduler } from "effect";
import type { StorageService } from "../../ports/Storage.ts";
import * as TimeSlice from "../../services/process/TimeSlice.ts";
import type { Harness } from "../session/Harness.ts";

/** A scheduler that runs tasks only when `drain` is called, so that nothing runs between two turns. */
class ManualScheduler implements Scheduler.Scheduler {
  #tasks: Array<() => void> = [];

  shouldYield(): false {
    return false;
  }

  scheduleTask(task: () => void): void {
    this.#tasks.push(task);
  }

  /** Runs every task, and those that they schedule. */
  drain(): void {
    while (this.#tasks.length > 0) {
      const tasks = this.#tasks;
      this.#tasks = [];
      for (const task of tasks) task();
    }
  }
}

const NO_CALLER = -1;

/** How often a command that does nothing is looked at, about a millisecond apart, before it counts as waiting for another. */
const LOOKS = 8;

/**
 * Chooses which waiting command proceeds. The commands are given by number, in the order in which they began to wait; the
 * result is a position in that list.
 */
export type Choose = (waiting: ReadonlyArray<number>) => number;

/** Schedules the calls of a store; outside of `runInterleaved` they pass through. */
export interface CallScheduler {
  readonly wrap: (storage: StorageService) => StorageService;
  /**
   * Runs effects concurrently until all have ended. They wait before every call of the store and every pause between
   * attempts; when all wait, the chosen one proceeds.
   */
  readonly runInterleaved: <A, E>(
    harness: Harness,
    choose: Choose,
    effects: ReadonlyArray<Effect.Effect<A, E>>,
  ) => Promise<ReadonlyArray<Exit.Exit<A, E>>>;
}

/** The store with a turn before each call. */
const wrapCalls = (turn: Effect.Effect<void>, storage: StorageService): StorageService => {
  const awaitTurn =
    <Arguments extends ReadonlyArray<unknown>, A, E>(method: (...all: Arguments) => Effect.Effect<A, E>) =>
    (...all: Arguments): Effect.Effect<A, E> =>
      Effect.zipRight(
        turn,
        Effect.suspend(() => method(...all)),
      );

  return {
    ...storage,
    commit: awaitTurn(storage.commit),
    find: (tenant, kind, ids) => Effect.zipRight(turn, storage.find(tenant, kind, ids)),
    list: (tenant, kind, query) => Effect.zipRight(turn, storage.list(tenant, kind, query)),
    log: (tenant, kind, id) => Effect.zipRight(turn, storage.log(tenant, kind, id)),
    formulaSet: awaitTurn(storage.formulaSet),
    formulaSets: awaitTurn(storage.formulaSets),
    formulasBehindPlan: awaitTurn(storage.formulasBehindPlan),
    findByExternalReferences: awaitTurn(storage.findByExternalReferences),
    creditedAttributions: awaitTurn(storage.creditedAttributions),
    linksOf: awaitTurn(storage.linksOf),
    salesOf: awaitTurn(storage.salesOf),
    attributionsForFormula: awaitTurn(storage.attributionsForFormula),
    arrivalsForFormula: awaitTurn(storage.arrivalsForFormula),
    lastArrival: awaitTurn(storage.lastArrival),
    commissionsWithAttributions: awaitTurn(storage.commissionsWithAttributions),
    commissionsOf: awaitTurn(storage.commissionsOf),
    heldByOtherSettlements: awaitTurn(storage.heldByOtherSettlements),
    isStale: awaitTurn(storage.isStale),
    documentsOf: awaitTurn(storage.documentsOf),
    settlementLogs: awaitTurn(storage.settlementLogs),
    numberSeries: awaitTurn(storage.numberSeries),
    findIdempotencyRecord: awaitTurn(storage.findIdempotencyRecord),
  };
};

/** What the calls of one scheduler share. */
interface Turns {
  readonly isSynchronous: boolean;
  /** The number of the command that runs, on its own fiber. */
  readonly caller: FiberRef.FiberRef<number>;
  readonly waiting: Array<{ readonly who: number; readonly proceed: () => void }>;
  /** Waits until the command that runs may proceed. */
  readonly turn: Effect.Effect<void>;
}

const interleave = async <A, E>(
  { isSynchronous, caller, waiting, turn }: Turns,
  harness: Harness,
  choose: Choose,
  effects: ReadonlyArray<Effect.Effect<A, E>>,
): Promise<ReadonlyArray<Exit.Exit<A, E>>> => {
  const looksMax = isSynchronous ? 0 : LOOKS;
  const tasks = new ManualScheduler();
  const exits = new Map<number, Exit.Exit<A, E>>();
  harness.clock.pause = () => turn;
  const fork = Runtime.runFork(harness.runtime);
  for (const [who, effect] of effects.entries()) {
    const fiber = fork(Effect.locally(effect, caller, who), { scheduler: tasks });
    fiber.addObserver((exit) => exits.set(who, exit));
  }
  /** Commands that wait for another one, such as creations in the order of one partner and schema. */
  const queued = new Set<number>();
  let looks = 0;
  let ended = 0;
  while (exits.size < effects.length) {
    tasks.drain();
    if (exits.size > ended) queued.clear();
    ended = exits.size;
    const idle = new Set([...exits.keys(), ...waiting.map(({ who }) => who), ...queued]);
    if (waiting.length === 0 || (idle.size < effects.length && looks < looksMax)) {
      // A command waits for something asynchronous, a digest for example; the order must not depend on how long that takes.
      looks += 1;
      if (waiting.length === 0) queued.clear();
      await Effect.runPromise(isSynchronous ? TimeSlice.pause : Effect.sleep(0));
      continue;
    }
    for (const who of effects.keys()) if (!idle.has(who)) queued.add(who);
    looks = 0;
    waiting.splice(choose(waiting.map(({ who }) => who)), 1)[0]?.proceed();
  }
  harness.clock.pause = () => Effect.void;
  return effects.map((_, who) => exits.get(who) ?? Exit.die(`command ${who} has not ended`));
};

/**
 * Creates a scheduler. When nothing in the store is asynchronous, a command that does nothing waits for another one, and
 * needs no looks.
 */
export const make = ({ isSynchronous = false }: { readonly isSynchronous?: boolean } = {}): CallScheduler => {
  const caller = FiberRef.unsafeMake(NO_CALLER);
  const waiting: Turns["waiting"] = [];
  const turn: Turns["turn"] = Effect.flatMap(FiberRef.get(caller), (who) =>
    who === NO_CALLER
      ? Effect.void
      : Effect.async<void>((resume) => {
          waiting.push({ who, proceed: () => resume(Effect.void) });
        }),
  );
  return {
    wrap: (storage) => wrapCalls(turn, storage),
    runInterleaved: (harness, choose, effects) =>
      TimeSlice.withoutPauses(() =>
        interleave({ isSynchronous, caller, waiting, turn }, harness, choose, effects),
      ),
  };
};
