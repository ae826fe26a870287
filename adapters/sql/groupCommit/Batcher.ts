/** Batches requests: requests that arrive while a call is under way share the next call. */
import { Deferred, Effect, Exit, FiberId } from "effect";

/** A batch that has waited this long for the call before it is sent without waiting: that call may wait for a lock. */
const PATIENCE_MILLISECONDS = 100;

/** How requests are served. */
interface Call<Key, Request, Result, Problem> {
  /** The most requests of one call. */
  readonly batchSizeMax: number;
  /** A call with no call before it begins after this; other requests join it until then. */
  readonly turn: Effect.Effect<void>;
  /** The outcomes in the order of the requests, of which there is at least one, all of one key. Never interrupted. */
  readonly serve: (
    key: Key,
    requests: ReadonlyArray<Request>,
  ) => Effect.Effect<ReadonlyArray<Exit.Exit<Result, Problem>>, Problem>;
}

interface Waiting<Request, Result, Problem> {
  readonly request: Request;
  readonly result: Deferred.Deferred<Result, Problem>;
}

/** The calls of one key; exists while a call is under way or about to begin. */
interface Lane<One> {
  /** The call that the next one waits for; null when there is none. */
  current: ReadonlyArray<One> | null;
  /** The batch that new requests join. */
  open: Array<One> | null;
  /** Starts the batches that wait for the current call, in their order. */
  readonly waitingStarts: Array<() => void>;
}

/** Waits for the current call, at most {@link PATIENCE_MILLISECONDS}, and becomes the current call. */
const awaitTurn = <One>(lane: Lane<One>, round: ReadonlyArray<One>): Effect.Effect<void> =>
  Effect.async((resume) => {
    const start = (): void => {
      clearTimeout(timer);
      lane.current = round;
      resume(Effect.void);
    };
    const startEarly = (): void => {
      lane.waitingStarts.splice(lane.waitingStarts.indexOf(start), 1);
      start();
    };
    const timer = setTimeout(startEarly, PATIENCE_MILLISECONDS);
    lane.waitingStarts.push(start);
  });

/**
 * A function that serves a request by a call that begins after the request. Requests of different keys never share a call
 * and never wait for each other.
 */
export const make = <Key, Request, Result, Problem>({
  batchSizeMax,
  turn,
  serve,
}: Call<Key, Request, Result, Problem>): ((key: Key, request: Request) => Effect.Effect<Result, Problem>) => {
  type One = Waiting<Request, Result, Problem>;
  const lanes = new Map<Key, Lane<One>>();

  /** Starts the next call of a lane, or removes a lane that has none. */
  const startNext = (key: Key, lane: Lane<One>): void => {
    lane.current = null;
    const start = lane.waitingStarts.shift();
    if (start !== undefined) start();
    else if (lane.open === null) lanes.delete(key);
  };

  const call = (key: Key, lane: Lane<One>, round: ReadonlyArray<One>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (lane.open === round) lane.open = null;
      const requests = round.map((item) => item.request);
      return Effect.map(Effect.exit(Effect.suspend(() => serve(key, requests))), (exit) => {
        // The next call starts first, so that it is under way while the outcomes of this one are delivered.
        if (lane.current === round) startNext(key, lane);
        for (const [index, { result }] of round.entries()) {
          const outcome = Exit.isFailure(exit) ? Exit.failCause(exit.cause) : exit.value[index];
          Deferred.unsafeDone(
            result,
            outcome ?? Exit.die(new Error("a call returned no outcome for a request")),
          );
        }
      });
    });

  const admit = (lane: Lane<One>, round: ReadonlyArray<One>): Effect.Effect<void> => {
    if (lane.current !== null) return awaitTurn(lane, round);
    lane.current = round;
    return turn;
  };

  // The call runs on a fiber of its own, so that the interruption of one request does not interrupt the others.
  return (key, request) =>
    Effect.uninterruptibleMask((restore) => {
      const result = Deferred.unsafeMake<Result, Problem>(FiberId.none);
      const lane = lanes.get(key) ?? { current: null, open: null, waitingStarts: [] };
      lanes.set(key, lane);
      if (lane.open !== null && lane.open.length < batchSizeMax) {
        lane.open.push({ request, result });
        return restore(Deferred.await(result));
      }
      const round = [{ request, result }];
      lane.open = round;
      const begun = Effect.zipRight(admit(lane, round), call(key, lane, round));
      return Effect.zipRight(Effect.forkDaemon(Effect.interruptible(begun)), restore(Deferred.await(result)));
    });
};
