/** Concurrent commands in a seeded order: every call of the store waits for its turn, and chance says whose turn it is. */
import { Effect, Exit, FiberRef, Runtime, type Scheduler } from "effect";
import type { StorageService } from "../../ports/Storage.ts";
import type { Harness } from "../session/Harness.ts";
import type { SeededRandom } from "../session/SeededRandom.ts";

/** Runs what fibers have scheduled only when asked to, so that nothing happens between two turns. */
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

/** A gate before a store; open until commands are let in together. */
export interface CallScheduler {
  readonly wrap: (storage: StorageService) => StorageService;
  /**
   * Runs effects together until all have ended. With every call of the store, and every pause between attempts, they
   * wait; once all wait, chance lets one go on.
   */
  readonly runInterleaved: <A, E>(
    harness: Harness,
    chance: SeededRandom,
    effects: ReadonlyArray<Effect.Effect<A, E>>,
  ) => Promise<ReadonlyArray<Exit.Exit<A, E>>>;
}

/** A new gate. */
export const make = (): CallScheduler => {
  const caller = FiberRef.unsafeMake(NO_CALLER);
  const waiting: Array<{ readonly who: number; readonly proceed: () => void }> = [];
  const turn: Effect.Effect<void> = Effect.flatMap(FiberRef.get(caller), (who) =>
    who === NO_CALLER
      ? Effect.void
      : Effect.async<void>((resume) => {
          waiting.push({ who, proceed: () => resume(Effect.void) });
        }),
  );
  const gated =
    <Arguments extends ReadonlyArray<unknown>, A, E>(method: (...all: Arguments) => Effect.Effect<A, E>) =>
    (...all: Arguments): Effect.Effect<A, E> =>
      Effect.zipRight(
        turn,
        Effect.suspend(() => method(...all)),
      );

  const before: CallScheduler["wrap"] = (storage) => ({
    ...storage,
    commit: gated(storage.commit),
    find: (tenant, kind, ids) => Effect.zipRight(turn, storage.find(tenant, kind, ids)),
    formulaSet: gated(storage.formulaSet),
    findByExternalReference: gated(storage.findByExternalReference),
    attributionsForFormula: gated(storage.attributionsForFormula),
    commissionsWithAttributions: gated(storage.commissionsWithAttributions),
    commissionsOf: gated(storage.commissionsOf),
    heldByOtherSettlements: gated(storage.heldByOtherSettlements),
    isStale: gated(storage.isStale),
    latestDocument: gated(storage.latestDocument),
    lastNumber: gated(storage.lastNumber),
    findIdempotencyRecord: gated(storage.findIdempotencyRecord),
  });

  const together: CallScheduler["runInterleaved"] = async <A, E>(
    harness: Harness,
    chance: SeededRandom,
    effects: ReadonlyArray<Effect.Effect<A, E>>,
  ) => {
    const turns = new ManualScheduler();
    const exits = new Map<number, Exit.Exit<A, E>>();
    harness.clock.pause = () => turn;
    const fork = Runtime.runFork(harness.runtime);
    for (const [who, effect] of effects.entries()) {
      const fiber = fork(Effect.locally(effect, caller, who), { scheduler: turns });
      fiber.addObserver((exit) => exits.set(who, exit));
    }
    while (exits.size < effects.length) {
      turns.drain();
      const idle = new Set([...exits.keys(), ...waiting.map(({ who }) => who)]);
      if (idle.size < effects.length) {
        // Somebody waits for the outside, a digest for example; who goes on next must not depend on how long it takes.
        await Effect.runPromise(Effect.sleep(0));
        continue;
      }
      if (waiting.length > 0) waiting.splice(chance.below(waiting.length), 1)[0]?.proceed();
    }
    harness.clock.pause = () => Effect.void;
    return effects.map((_, who) => exits.get(who) ?? Exit.die(`command ${who} has not ended`));
  };

  return { wrap: before, runInterleaved: together };
};
