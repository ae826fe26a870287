/**
 * Long computations in slices. After half a millisecond a computation waits until the event loop has turned, so that
 * sockets and timers are served, and every request whose work fits into one slice is served in between. All computations of the
 * process share one queue: in each turn one of them continues, however many there are.
 *
 * A slice ends by the time it has taken, not by a number of items: an item may take a microsecond or a millisecond. One
 * item is never divided. What fits into a slice costs one look at the clock per item.
 */
import { Effect, Either } from "effect";

/** How long computations may continue in one turn of the event loop. */
const SLICE_MILLISECONDS = 0.5;

/** From here on, what follows in the same turn is counted to the same slice; below it is not worth a timer. */
const NOTED_MILLISECONDS = 0.5;

/** Arrays up to this length are written as JSON at once. */
const WHOLE_LENGTH_MAX = 100;

/** How deep JSON is searched for long arrays. */
const SEARCH_DEPTH_MAX = 5;

/** What every host of JavaScript has, and the queue that servers have beside it. */
interface Host {
  readonly performance: { readonly now: () => number };
  readonly setTimeout: (run: () => void, delayMilliseconds: number) => unknown;
  readonly setImmediate?: (run: () => void) => unknown;
}

const host = globalThis as unknown as Host;

/**
 * Runs after sockets and timers have been served. A microtask or a yield of the Effect scheduler would not do: both
 * run before them. Where there is no such queue (a browser), a timer without delay is the closest.
 */
const afterTurn = (run: () => void): void => {
  if (host.setImmediate === undefined) host.setTimeout(run, 0);
  else host.setImmediate(run);
};

/** Computations that have used up a slice, the first first. */
const waiting: Array<() => void> = [];

/** When the computing of this turn began; null as long as none has taken long enough to be measured. */
let beganAt: number | null = null;

let isArmed = false;

/** Runs in progress that must not pause. */
let unpausedRuns = 0;

const arm = (): void => {
  if (isArmed) return;
  isArmed = true;
  afterTurn(turn);
};

/** A new turn of the event loop: one computation continues, and the others wait for the next turn. */
const turn = (): void => {
  isArmed = false;
  beganAt = null;
  const next = waiting.shift();
  if (next === undefined) return;
  beganAt = host.performance.now();
  arm();
  next();
};

/**
 * Runs without pauses in the whole process: where a slice ends depends on the speed of the machine, and a run that must
 * repeat exactly may not.
 */
export const withoutPauses = async <A>(run: () => Promise<A>): Promise<A> => {
  unpausedRuns += 1;
  try {
    return await run();
  } finally {
    unpausedRuns -= 1;
  }
};

/** Waits for a turn of the event loop, and then for those that have waited longer. */
export const pause: Effect.Effect<void> = Effect.async((resume) => {
  const proceed = (): void => resume(Effect.void);
  waiting.push(proceed);
  arm();
  return Effect.sync(() => {
    const index = waiting.indexOf(proceed);
    if (index >= 0) waiting.splice(index, 1);
  });
});

/** Begins a slice; the function that it returns tests whether the slice is used up. */
const slice = (): (() => boolean) => {
  if (unpausedRuns > 0) return () => false;
  const startedAt = beganAt ?? host.performance.now();
  return () => {
    const now = host.performance.now();
    if (beganAt === null && now - startedAt >= NOTED_MILLISECONDS) {
      beganAt = startedAt;
      arm();
    }
    return now - startedAt >= SLICE_MILLISECONDS;
  };
};

/** Repeats a step as long as it returns null. */
export const until = <A, E>(step: () => Either.Either<A, E> | null): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const advance = (): Effect.Effect<A, E> => {
      const isOver = slice();
      for (;;) {
        const result = step();
        if (result !== null) return result;
        if (isOver()) return Effect.flatMap(pause, advance);
      }
    };
    return advance();
  });

/** Maps each item, in order; fails with the first item that is refused. */
export const mapEither = <A, B, E>(
  items: ReadonlyArray<A>,
  of: (item: A, index: number) => Either.Either<B, E>,
): Effect.Effect<ReadonlyArray<B>, E> =>
  Effect.suspend(() => {
    const results: Array<B> = [];
    return until((): Either.Either<ReadonlyArray<B>, E> | null => {
      const index = results.length;
      if (index >= items.length) return Either.right(results);
      // In range, so never undefined but where A is.
      const one = of(items[index] as A, index);
      if (Either.isLeft(one)) return Either.left(one.left);
      results.push(one.right);
      return results.length < items.length ? null : Either.right(results);
    });
  });

/** Maps each item, in order. */
export const map = <A, B>(
  items: ReadonlyArray<A>,
  of: (item: A, index: number) => B,
): Effect.Effect<ReadonlyArray<B>> =>
  Effect.suspend(() => {
    const results: Array<B> = [];
    return until((): Either.Either<ReadonlyArray<B>> | null => {
      // In range, so never undefined but where A is.
      if (results.length < items.length) results.push(of(items[results.length] as A, results.length));
      return results.length < items.length ? null : Either.right(results);
    });
  });

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** True if there is an array in a value that is too long to be written at once. */
const holdsLong = (value: unknown, depth: number): boolean => {
  if (!isObject(value) || depth === SEARCH_DEPTH_MAX) return false;
  if (Array.isArray(value) && value.length > WHOLE_LENGTH_MAX) return true;
  return Object.values(value).some((child) => holdsLong(child, depth + 1));
};

const stringify = (value: unknown, depth: number): Effect.Effect<string | undefined> => {
  if (!isObject(value) || !holdsLong(value, depth)) return Effect.sync(() => JSON.stringify(value));
  if (Array.isArray(value)) {
    const isFlat = value.length > WHOLE_LENGTH_MAX;
    const items = isFlat
      ? map(value, (item) => JSON.stringify(item) ?? "null")
      : Effect.forEach(value, (item) => Effect.map(stringify(item, depth + 1), (text) => text ?? "null"));
    return Effect.map(items, (texts) => `[${texts.join(",")}]`);
  }
  return Effect.map(
    Effect.forEach(Object.entries(value), ([name, child]) =>
      Effect.map(stringify(child, depth + 1), (text) =>
        text === undefined ? [] : [`${JSON.stringify(name)}:${text}`],
      ),
    ),
    (members) => `{${members.flat().join(",")}}`,
  );
};

/** The JSON text of a plain value, as `JSON.stringify` writes it: long arrays item by item, the rest at once. */
export const json = (value: unknown): Effect.Effect<string> =>
  Effect.map(stringify(value, 0), (text) => text ?? "null");
