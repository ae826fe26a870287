/** How many sessions of a database wait for a lock. */
import { Effect } from "effect";
import type pg from "pg";

const WAITING =
  "select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Waits until so many wait. The observer is in no transaction: within one the statistics of activity do not change. */
export const untilWaiting = (observer: pg.Client, count: number): Effect.Effect<unknown> =>
  Effect.repeat(
    Effect.zipRight(
      Effect.sleep(10),
      Effect.promise(() => observer.query<{ readonly count: number }>(WAITING)),
    ),
    { until: ({ rows: [found] }) => found?.count === count },
  );
