/** One call for many: who asks while a call is under way is served, with all who asked meanwhile, by the next one. */
import { Deferred, Effect, Exit, FiberId } from "effect";

/** Who has waited this long for the call before is served beside it: that one may be held up by a lock. */
const PATIENCE_MILLISECONDS = 100;

/** What calls have in common. */
export interface Call<Key, Asked, Answer, Problem> {
  /** Those served at once at most. */
  readonly most: number;
  /** What a call waits for that has no other to wait for; others may join it until then. */
  readonly turn: Effect.Effect<void>;
  /** Answers in the order of what is asked, of which there is at least one, all of one key. Never interrupted. */
  readonly serve: (
    key: Key,
    asked: ReadonlyArray<Asked>,
  ) => Effect.Effect<ReadonlyArray<Exit.Exit<Answer, Problem>>, Problem>;
}

interface Waiting<Asked, Answer, Problem> {
  readonly asked: Asked;
  readonly answered: Deferred.Deferred<Answer, Problem>;
}

/** The calls of one key; there while any is waited for or about to begin. */
interface Lane<One> {
  /** The call that others wait for; one that was overtaken is no longer waited for. */
  current: ReadonlyArray<One> | null;
  /** Those who will be served by the call that is to begin last, as long as others may join them. */
  open: Array<One> | null;
  /** What lets the calls begin that wait for the current one, the first first. */
  readonly begin: Array<() => void>;
}

/** Waits for the current call, but no longer than one may be expected to take, and takes its place. */
const succession = <One>(lane: Lane<One>, round: ReadonlyArray<One>): Effect.Effect<void> =>
  Effect.async((resume) => {
    const begin = (): void => {
      clearTimeout(timer);
      lane.current = round;
      resume(Effect.void);
    };
    const overtake = (): void => {
      lane.begin.splice(lane.begin.indexOf(begin), 1);
      begin();
    };
    const timer = setTimeout(overtake, PATIENCE_MILLISECONDS);
    lane.begin.push(begin);
  });

/**
 * Asks through calls that are begun after it was asked. What is asked under one key is never served with that of
 * another, nor held up by it.
 */
export const make = <Key, Asked, Answer, Problem>({
  most,
  turn,
  serve,
}: Call<Key, Asked, Answer, Problem>): ((key: Key, asked: Asked) => Effect.Effect<Answer, Problem>) => {
  type One = Waiting<Asked, Answer, Problem>;
  const lanes = new Map<Key, Lane<One>>();

  /** Lets the next call of a lane begin, or ends a lane that has none. */
  const pass = (key: Key, lane: Lane<One>): void => {
    lane.current = null;
    const begin = lane.begin.shift();
    if (begin !== undefined) begin();
    else if (lane.open === null) lanes.delete(key);
  };

  const call = (key: Key, lane: Lane<One>, round: ReadonlyArray<One>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (lane.open === round) lane.open = null;
      const asked = round.map((one) => one.asked);
      return Effect.map(Effect.exit(Effect.suspend(() => serve(key, asked))), (exit) => {
        // Who waits comes first: the next call is under way while the answers of this one are told.
        if (lane.current === round) pass(key, lane);
        for (const [index, { answered }] of round.entries()) {
          const own = Exit.isFailure(exit) ? Exit.failCause(exit.cause) : exit.value[index];
          Deferred.unsafeDone(answered, own ?? Exit.die(new Error("a call left one who asked unanswered")));
        }
      });
    });

  const admission = (lane: Lane<One>, round: ReadonlyArray<One>): Effect.Effect<void> => {
    if (lane.current !== null) return succession(lane, round);
    lane.current = round;
    return turn;
  };

  // Nobody's interruption leaves the others without an answer: a call is begun by whoever opens it, and on its own.
  return (key, asked) =>
    Effect.uninterruptibleMask((restore) => {
      const answered = Deferred.unsafeMake<Answer, Problem>(FiberId.none);
      const lane = lanes.get(key) ?? { current: null, open: null, begin: [] };
      lanes.set(key, lane);
      if (lane.open !== null && lane.open.length < most) {
        lane.open.push({ asked, answered });
        return restore(Deferred.await(answered));
      }
      const round = [{ asked, answered }];
      lane.open = round;
      const begun = Effect.zipRight(admission(lane, round), call(key, lane, round));
      return Effect.zipRight(
        Effect.forkDaemon(Effect.interruptible(begun)),
        restore(Deferred.await(answered)),
      );
    });
};
