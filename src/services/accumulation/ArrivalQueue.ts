/**
 * Puts the commands of one partner and schema in order, within this process: creations under accumulating formulas, and what
 * changes the totals that they build on. Creations that wait are decided together, each on what the one before it leaves, and
 * stored together where the store can. Other processes are kept in order by the versions of the records; partners and schemas
 * do not wait for each other.
 */
import { Context, Deferred, Effect, Either, Exit, FiberId, Layer, Random } from "effect";
import type { Refusal } from "../../domain/Refusal.ts";
import { type Earnings, type Records, Storage, type StorageError } from "../../ports/Storage.ts";
import type { Decision, Replayed } from "../commands/Pipeline.ts";
import { ArrivalState, type OrderKey } from "./ArrivalState.ts";
import type { Wanted } from "./RunningTotals.ts";

/** A command that creates attributions of one partner and schema. */
export interface Creation<Result> {
  /** Places its attributions in the order; returns the totals that it builds on or changes. */
  readonly place: (state: ArrivalState) => Either.Either<ReadonlyArray<Wanted>, Refusal>;
  /** Decides, and updates the state for the next command. */
  readonly decide: (state: ArrivalState) => Decision<Result>;
}

type Problem = StorageError | Refusal;

/** A command in a queue. One without a creation has its turn alone, and decides for itself. */
interface Waiting {
  readonly creation: Creation<unknown> | null;
  readonly turn: Deferred.Deferred<Decision<unknown> | null, Problem>;
  dispatched: boolean;
  /** Whether it has left the state as it was. */
  refused: boolean;
}

interface Queue {
  readonly key: OrderKey;
  waiting: Array<Waiting>;
  /** Whether commands are dispatched and not all of them have ended, or are about to be. */
  isRunning: boolean;
  /** How many commands were dispatched last, and how many of them have not ended. */
  dispatched: number;
  active: number;
  /** As the dispatched commands leave it; null where it must be read. */
  state: ArrivalState | null;
  /** Whether one of the dispatched commands was not stored. */
  failed: boolean;
  /** When the dispatched commands began, and when one was not stored for the last time. */
  startedAt: number;
  contendedAt: number;
}

/** The most creations that are decided together. */
const ROUND_MAX = 64;
/** The most totals that stay cached between rounds. */
const TOTALS_MAX = 20_000;
/** The most queues that stay cached while nothing waits in them. */
const IDLE_MAX = 1_000;
/** For how long a process pauses between rounds after another process was faster. */
const CONTENTION_MILLISECONDS = 5_000;

/** Runs the commands of one partner and schema in order. */
export interface ArrivalQueueService {
  /** Decides a creation in its turn and stores the decision; the next ones build on it before it is stored. */
  readonly create: <Result, Failure>(
    key: OrderKey,
    creation: Creation<Result>,
    store: (decision: Decision<Result>) => Effect.Effect<Result & Replayed, Failure>,
  ) => Effect.Effect<Result & Replayed, Failure | Problem>;
  /** Runs an effect while no other command of these partners and schemas runs in this process. */
  readonly runExclusively: <A, E>(
    keys: ReadonlyArray<OrderKey>,
    effect: Effect.Effect<A, E>,
  ) => Effect.Effect<A, E | Problem>;
}

/** The queues of this process. */
export class ArrivalQueue extends Context.Tag("quittance/services/ArrivalQueue")<
  ArrivalQueue,
  ArrivalQueueService
>() {}

const textOf = ({ customerId, partnerId, schemaId }: OrderKey): string =>
  `${customerId} ${partnerId} ${schemaId}`;

const newQueue = (key: OrderKey): Queue => ({
  key,
  waiting: [],
  isRunning: false,
  dispatched: 0,
  active: 0,
  state: null,
  failed: false,
  startedAt: 0,
  contendedAt: Number.NEGATIVE_INFINITY,
});

/** Whether another process was faster lately. */
const isContended = ({ contendedAt }: Queue, now: number): boolean =>
  now - contendedAt <= CONTENTION_MILLISECONDS;

/** The pause for other processes after one of them was faster: once to twice as long as the round took. */
const pauseForOthers = (queue: Queue, now: number): Effect.Effect<number> =>
  queue.failed || !isContended(queue, now)
    ? Effect.succeed(0)
    : Effect.map(Random.next, (random) => (now - queue.startedAt) * (1 + random));

/** Counts dispatched commands. */
const countDispatched = (queue: Queue, count: number, now: number): void => {
  queue.isRunning = count > 0;
  queue.dispatched = count;
  queue.active = count;
  queue.failed = false;
  queue.startedAt = now;
};

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const queues = new Map<string, Queue>();

  const queueOf = (key: OrderKey): Queue => {
    const text = textOf(key);
    const queue = queues.get(text) ?? newQueue(key);
    // The queue that was used last is the last of the map.
    queues.delete(text);
    queues.set(text, queue);
    return queue;
  };

  /** Removes the queues that have been idle longest. */
  const dropIdle = (): void => {
    if (queues.size <= IDLE_MAX) return;
    for (const [text, { isRunning }] of queues) {
      if (queues.size <= IDLE_MAX) return;
      if (!isRunning) queues.delete(text);
    }
  };

  const stateOf = (queue: Queue): Effect.Effect<ArrivalState, StorageError> =>
    queue.state !== null ? Effect.succeed(queue.state) : ArrivalState.require(storage, queue.key);

  /** Decides the creations of a round one after the other; each then stores its decision. */
  const decideRound = (queue: Queue, round: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const state = yield* stateOf(queue);
      queue.state = state;
      const placed: Array<readonly [Waiting, Creation<unknown>]> = [];
      const wanted: Array<Wanted> = [];
      for (const one of round) {
        if (one.creation === null) continue;
        const totals = one.creation.place(state);
        if (Either.isLeft(totals)) {
          one.refused = true;
          Deferred.unsafeDone(one.turn, Effect.fail(totals.left));
        } else {
          placed.push([one, one.creation]);
          wanted.push(...totals.right);
        }
      }
      yield* state.totals.load(storage, wanted);
      for (const [one, creation] of placed)
        Deferred.unsafeDone(one.turn, Effect.succeed(creation.decide(state)));
    }).pipe(
      Effect.catchAllCause((cause) =>
        Effect.sync(() => {
          for (const { turn } of round) Deferred.unsafeDone(turn, Effect.failCause(cause));
        }),
      ),
    );

  /** Dispatches the creations before the next command that runs alone, or that command. */
  const dispatch = (queue: Queue): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const alone = queue.waiting.findIndex(({ creation }) => creation === null);
      const size = alone === 0 ? 1 : Math.min(alone === -1 ? ROUND_MAX : alone, ROUND_MAX);
      const round = queue.waiting.splice(0, size);
      for (const one of round) one.dispatched = true;
      countDispatched(queue, round.length, clock.unsafeCurrentTimeMillis());
      // All that waited may have been interrupted.
      if (round.length === 0) return Effect.void;
      if (alone !== 0) return decideRound(queue, round);
      queue.state = null;
      for (const { turn } of round) Deferred.unsafeDone(turn, Effect.succeed(null));
      return Effect.void;
    });

  /** Dispatches what waits, after a pause, on a fiber of its own: what arrives until then is dispatched with it. */
  const start = (queue: Queue, pause: number): Effect.Effect<void> => {
    queue.isRunning = true;
    const dispatching = pause > 0 ? Effect.delay(dispatch(queue), pause) : dispatch(queue);
    return Effect.asVoid(Effect.forkDaemon(Effect.interruptible(dispatching)));
  };

  const leave = (queue: Queue, isStateValid: boolean): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const now = clock.unsafeCurrentTimeMillis();
      if (!isStateValid) {
        queue.failed = true;
        queue.contendedAt = now;
      }
      queue.active -= 1;
      if (queue.active > 0) return Effect.void;
      // Another process that was faster lately has probably changed the cached state.
      if (isContended(queue, now) || (queue.state?.totals.size ?? 0) > TOTALS_MAX) queue.state = null;
      // Nothing else dispatches the waiting commands meanwhile.
      queue.isRunning = queue.waiting.length > 0;
      if (queue.waiting.length > 0)
        return Effect.flatMap(pauseForOthers(queue, now), (pause) => start(queue, pause));
      dropIdle();
      return Effect.void;
    });

  /** Waits for the command's turn. Where it fails or is interrupted, the command has left the queue. */
  const turnOf = (
    queue: Queue,
    creation: Creation<unknown> | null,
  ): Effect.Effect<Decision<unknown> | null, Problem> =>
    Effect.suspend(() => {
      const one: Waiting = {
        creation,
        turn: Deferred.unsafeMake(FiberId.none),
        dispatched: false,
        refused: false,
      };
      queue.waiting.push(one);
      const started = queue.isRunning ? Effect.void : start(queue, 0);
      return Effect.onExit(
        Effect.zipRight(started, Effect.interruptible(Deferred.await(one.turn))),
        (exit) => {
          if (Exit.isSuccess(exit)) return Effect.void;
          if (one.dispatched) return leave(queue, one.refused);
          queue.waiting = queue.waiting.filter((other) => other !== one);
          return Effect.void;
        },
      );
    });

  /**
   * Decides a creation at once, where nothing runs or waits and the state is known. Commands that arrive meanwhile wait for
   * it. A queue whose last command was alone as well is probably not about to have others, which would be decided with it.
   */
  const decideAtOnce = <Result>(
    queue: Queue,
    state: ArrivalState,
    creation: Creation<Result>,
  ): Effect.Effect<Decision<Result>, Problem> =>
    Effect.clockWith((clock) => {
      countDispatched(queue, 1, clock.unsafeCurrentTimeMillis());
      let refused = false;
      const decided = Effect.suspend((): Effect.Effect<Decision<Result>, Problem> => {
        const wanted = creation.place(state);
        if (Either.isRight(wanted))
          return Effect.map(state.totals.load(storage, wanted.right), () => creation.decide(state));
        refused = true;
        return Effect.fail(wanted.left);
      });
      return Effect.onError(Effect.interruptible(decided), () => leave(queue, refused));
    });

  const create: ArrivalQueueService["create"] = (key, creation, store) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const queue = queueOf(key);
        const { isRunning, state, dispatched } = queue;
        // A turn of a creation is a decision of that creation.
        type Own = ReturnType<(typeof creation)["decide"]>;
        const turn =
          !isRunning && state !== null && dispatched === 1
            ? decideAtOnce(queue, state, creation)
            : turnOf(queue, creation);
        return Effect.flatMap(turn, (decision) =>
          Effect.onExit(restore(store(decision as Own)), (exit) => leave(queue, Exit.isSuccess(exit))),
        );
      }),
    );

  const runAlone = <A, E>(key: OrderKey, effect: Effect.Effect<A, E>): Effect.Effect<A, E | Problem> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const queue = queueOf(key);
        return Effect.flatMap(turnOf(queue, null), () =>
          // The state was dropped before, so that what the command has changed is read.
          Effect.ensuring(restore(effect), leave(queue, true)),
        );
      }),
    );

  const runExclusively: ArrivalQueueService["runExclusively"] = (keys, effect) => {
    const byText = new Map(keys.map((key) => [textOf(key), key]));
    // Every command enters several queues in the same order, so that no two commands wait for each other.
    const ordered = [...byText].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, key]) => key);
    type Run = typeof effect;
    return ordered.reduce((run, key) => runAlone(key, run) as Run, effect);
  };

  return ArrivalQueue.of({ create, runExclusively });
});

/** Empty queues. */
export const layer: Layer.Layer<ArrivalQueue, never, Storage> = Layer.effect(ArrivalQueue, make);
