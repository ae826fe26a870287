/** Takes connections of a pool for statements, and waits while the server has none left. */
import type pg from "pg";

/** How long connections are taken only as others are released, before another one is tried, in milliseconds; jittered. */
const PAUSE_MILLISECONDS = 200;

/** The SQLSTATE of a server, a role or a database that has as many connections as it may. */
const TOO_MANY_CONNECTIONS = "53300";

/** Receives a connection, or the reason why there is none. */
type Taker = (problem: unknown, connection: pg.PoolClient | null) => void;

/** The connections of one pool. */
interface Connections {
  /**
   * Takes a connection. While the server refuses further ones, waits in order of arrival for one that is released, and
   * tries a further one several times a second. Fails with the refusal when the time limit has passed.
   */
  readonly take: (taker: Taker) => void;
  /** Releases a connection that was taken. A broken one is closed. */
  readonly release: (connection: pg.PoolClient, broken?: Error) => void;
}

const isRefused = (problem: unknown): boolean =>
  typeof problem === "object" && problem !== null && Reflect.get(problem, "code") === TOO_MANY_CONNECTIONS;

/** The connections of a pool; the time limit counts from the first refusal. */
export const make = (pool: pg.Pool, waitMillisecondsMax: number): Connections => {
  const waiting: Array<() => void> = [];
  /** `used` counts attempts that are under way or have a connection, `taken` those that have one; `allowed` limits `used`. */
  let used = 0;
  let taken = 0;
  let allowed = Number.POSITIVE_INFINITY;

  const startWaiting = (): void => {
    while (used < allowed) {
      const attempt = waiting.shift();
      if (attempt === undefined) return;
      used += 1;
      attempt();
    }
  };

  const raiseLimit = (): void => {
    allowed = waiting.length === 0 ? Number.POSITIVE_INFINITY : allowed + 1;
    startWaiting();
    if (allowed !== Number.POSITIVE_INFINITY) raiseLimitLater();
  };

  const raiseLimitLater = (): void => {
    setTimeout(raiseLimit, PAUSE_MILLISECONDS * (0.5 + Math.random()));
  };

  const endAttempt = (): void => {
    used -= 1;
    startWaiting();
  };

  const take = (taker: Taker): void => {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const finish: Taker = (problem, connection) => {
      isOver = true;
      clearTimeout(timer);
      taker(problem, connection);
    };
    const attempt = (): void => {
      if (isOver) {
        // The loop that called this starts the next attempt.
        used -= 1;
        return;
      }
      pool.connect((problem, connection) => {
        if (connection !== undefined) {
          taken += 1;
          if (isOver) release(connection);
          else finish(null, connection);
          return;
        }
        if (isOver || !isRefused(problem)) {
          endAttempt();
          if (!isOver) finish(problem, null);
          return;
        }
        timer ??= setTimeout(() => finish(problem, null), waitMillisecondsMax);
        if (allowed === Number.POSITIVE_INFINITY) raiseLimitLater();
        allowed = taken + pool.idleCount;
        waiting.push(attempt);
        endAttempt();
      });
    };
    waiting.push(attempt);
    startWaiting();
  };

  const release = (connection: pg.PoolClient, broken?: Error): void => {
    connection.release(broken);
    taken -= 1;
    endAttempt();
  };

  return { take, release };
};
