/**
 * Puts the commands of one partner and schema in turn, within this process: creations under accumulating formulas, and what
 * changes the totals that they build on. Creations that wait are one round: they are decided together, each on what the one
 * before it leaves, and stored together where the store can. Other processes are kept in order by the versions of the
 * records; partners and schemas do not wait for each other.
 */
import { Context, Effect, Either, Exit, Layer, Random } from "effect";
import type { Refusal } from "../../domain/Refusal.ts";
import { IdSource } from "../../ports/IdSource.ts";
import { type Earnings, type Records, Storage, type StorageError } from "../../ports/Storage.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import type { Decision, InTurn } from "../commands/Pipeline.ts";
import { type ArrivalState, type OrderKey, readState } from "./ArrivalState.ts";
import { type Created, decideRound, type OrderedCreation, type Outcome } from "./OrderedCreation.ts";
import type { OrderTools } from "./Placement.ts";

/** What the turn of a command begins with: the outcome of a creation; null for a command that has its turn alone. */
type Turn = Effect.Effect<Outcome | null, StorageError>;

/** A command in a queue. */
interface Waiting {
  /** Null for a command that has its turn alone, and decides for itself. */
  readonly creation: OrderedCreation | null;
  isDispatched: boolean;
  /** Null until it begins. */
  turn: Turn | null;
  /** Continues the command where it waits for its turn. */
  resume: ((turn: Turn) => void) | null;
}

interface Queue {
  readonly key: OrderKey;
  waiting: Array<Waiting>;
  /** True if a round is under way, or is about to be. */
  isRunning: boolean;
  /** The number of rounds so far, of commands in the last one, and of those that have not ended. */
  rounds: number;
  size: number;
  active: number;
  /** As the last round leaves it; null where it must be read. */
  state: ArrivalState | null;
  /** True if a command of the last round was not stored. */
  failed: boolean;
  /** When the last round began, and when a command was not stored for the last time. */
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

/** Runs the commands of one partner and schema in turn. */
export interface ArrivalQueueService {
  /** A creation that is decided in its turn; the next ones build on its decision before it is stored. */
  readonly create: (key: OrderKey, creation: OrderedCreation) => InTurn<Created>;
  /** A command that is decided and stored while no other one of these partners and schemas runs in this process. */
  readonly alone: <Result>(
    keys: ReadonlyArray<OrderKey>,
    decide: Effect.Effect<Decision<Result>, Refusal | StorageError>,
  ) => InTurn<Result>;
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
  rounds: 0,
  size: 0,
  active: 0,
  state: null,
  failed: false,
  startedAt: 0,
  contendedAt: Number.NEGATIVE_INFINITY,
});

/** True if another process was faster lately. */
const isContended = ({ contendedAt }: Queue, now: number): boolean =>
  now - contendedAt <= CONTENTION_MILLISECONDS;

/** The pause for other processes after one of them was faster: once to twice as long as the round took. */
const pauseForOthers = (queue: Queue, now: number): Effect.Effect<number> =>
  queue.failed || !isContended(queue, now)
    ? Effect.succeed(0)
    : Effect.map(Random.next, (random) => (now - queue.startedAt) * (1 + random));

/** Takes the next round: the creations before the next command that has its turn alone, or that command. */
const takeRound = (queue: Queue, now: number): ReadonlyArray<Waiting> => {
  const alone = queue.waiting.findIndex(({ creation }) => creation === null);
  const round = queue.waiting.splice(
    0,
    alone === 0 ? 1 : Math.min(alone === -1 ? ROUND_MAX : alone, ROUND_MAX),
  );
  for (const one of round) one.isDispatched = true;
  // All that waited may have been interrupted.
  queue.isRunning = round.length > 0;
  queue.rounds += 1;
  queue.size = round.length;
  queue.active = round.length;
  queue.failed = false;
  queue.startedAt = now;
  return round;
};

const beginTurn = (waiting: Waiting, turn: Turn): void => {
  waiting.turn = turn;
  waiting.resume?.(turn);
};

/** Waits for the turn of a command. */
const waitForTurn = (waiting: Waiting): Turn =>
  Effect.suspend(
    () =>
      waiting.turn ??
      Effect.async((resume) => {
        waiting.resume = resume;
      }),
  );

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const tools: OrderTools = { storage, ids: yield* IdSource, evaluator: yield* Evaluator };
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

  /** Decides the creations of a round; each then stores its decision. */
  const decide = (queue: Queue, round: ReadonlyArray<Waiting>): Effect.Effect<void> => {
    const creations = round.flatMap(({ creation }) => (creation === null ? [] : [creation]));
    const number = queue.rounds;
    const read = queue.state === null ? readState(storage, queue.key) : Effect.succeed(queue.state);
    return Effect.matchCause(
      Effect.interruptible(Effect.flatMap(read, (state) => decideRound(tools, state, creations))),
      {
        onFailure: (cause) => {
          for (const one of round) beginTurn(one, Effect.failCause(cause));
        },
        onSuccess: ({ outcomes, state }) => {
          // Where all have been interrupted meanwhile, the next round may have begun on what is stored.
          if (queue.rounds === number && !queue.failed) queue.state = state;
          for (const [index, one] of round.entries()) beginTurn(one, Effect.succeed(outcomes[index] ?? null));
        },
      },
    );
  };

  /** Begins the next round. */
  const dispatch = (queue: Queue): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const round = takeRound(queue, clock.unsafeCurrentTimeMillis());
      if (round.length === 0) return Effect.void;
      if (round[0]?.creation !== null) return decide(queue, round);
      queue.state = null;
      beginTurn(round[0], Effect.succeed(null));
      return Effect.void;
    });

  /** Begins the next round after a pause, on a fiber of its own: what arrives until then belongs to it. */
  const start = (queue: Queue, pause: number): Effect.Effect<void> => {
    queue.isRunning = true;
    return Effect.asVoid(
      Effect.forkDaemon(pause > 0 ? Effect.delay(dispatch(queue), pause) : dispatch(queue)),
    );
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

  /** Enters the queue and waits for the turn. Where it fails or is interrupted, the command has left the queue. */
  const enter = (queue: Queue, creation: OrderedCreation | null): Turn => {
    const one: Waiting = { creation, isDispatched: false, turn: null, resume: null };
    queue.waiting.push(one);
    // Where the last command was alone as well, probably no others are about to arrive, which would share the round.
    const isProbablyAlone = queue.size === 1 && queue.state !== null;
    const begun = queue.isRunning ? Effect.void : isProbablyAlone ? dispatch(queue) : start(queue, 0);
    return Effect.onError(Effect.zipRight(begun, Effect.interruptible(waitForTurn(one))), () => {
      if (one.isDispatched) return leave(queue, false);
      queue.waiting = queue.waiting.filter((other) => other !== one);
      return Effect.void;
    });
  };

  /** Runs an effect in turn. */
  const inTurn = <A, E>(
    key: OrderKey,
    creation: OrderedCreation | null,
    effect: (outcome: Outcome | null) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E | StorageError> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const queue = queueOf(key);
        return Effect.flatMap(enter(queue, creation), (outcome) =>
          Effect.onExit(restore(effect(outcome)), (exit) =>
            // A creation that is refused leaves the state as it was; a command that has its turn alone has dropped it before.
            leave(queue, Exit.isSuccess(exit) || outcome === null || Either.isLeft(outcome)),
          ),
        );
      }),
    );

  const create: ArrivalQueueService["create"] = (key, creation) => ({
    inTurn: (store) =>
      inTurn(key, creation, (outcome) =>
        outcome === null
          ? Effect.dieMessage("a creation has its turn without being decided")
          : Effect.flatMap(outcome, store),
      ),
  });

  const alone: ArrivalQueueService["alone"] = (keys, decide) => {
    const byText = new Map(keys.map((key) => [textOf(key), key]));
    // Every command enters several queues in the same order, so that no two commands wait for each other.
    const ordered = [...byText].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, key]) => key);
    return {
      inTurn: (store) => {
        const run = Effect.flatMap(decide, store);
        return ordered.reduce((inner, key) => inTurn(key, null, () => inner) as typeof run, run);
      },
    };
  };

  return ArrivalQueue.of({ create, alone });
});

/** Empty queues. */
export const layer: Layer.Layer<ArrivalQueue, never, Storage | IdSource | Evaluator> = Layer.effect(
  ArrivalQueue,
  make,
);
