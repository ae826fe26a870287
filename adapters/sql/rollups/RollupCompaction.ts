/** Folds what commits have appended to the rollups, behind their backs: reads are exact whether or not it has run. */
import { Effect, Schedule, type Scope } from "effect";
import type { Ids, Storage } from "quittance";
import { type Runner, row, rows } from "../Statement.ts";
import { forPlatform, withoutScope } from "../TenantScope.ts";

/** How long deltas of this process wait at most, and how often those that an ended process has left are looked for. */
const PAUSE = "1 second";
const SWEEP = "1 minute";

/** Deltas taken at a time, so that no fold holds its rows for long. */
const MOST = 5_000;
const CUSTOMERS_PER_SWEEP = 1_000;

const FOLD = withoutScope("select quittance.compact_rollups($1::uuid, $2::integer) as folded");

/** Customers with deltas, found by skipping through the index from one to the next. */
const LEFT = forPlatform(`
with recursive waiting as (
  select (select t.customer_id from quittance.rollup_deltas t order by t.customer_id limit 1) as customer_id
  union all
  select (select t.customer_id from quittance.rollup_deltas t where t.customer_id > w.customer_id
    order by t.customer_id limit 1)
  from waiting w where w.customer_id is not null
)
select w.customer_id as "customerId" from waiting w where w.customer_id is not null limit $1::bigint`);

/** Folds everything that a customer's commits have left so far. */
export const fold = (sql: Runner, customerId: Ids.CustomerId): Effect.Effect<void, Storage.StorageError> =>
  row<{ readonly folded: number | string }>(sql, FOLD, [customerId, MOST]).pipe(
    Effect.uninterruptible,
    Effect.repeat({ while: (found) => Number(found?.folded ?? 0) === MOST }),
    Effect.asVoid,
  );

const left = (sql: Runner) => rows<{ readonly customerId: Ids.CustomerId }>(sql, LEFT, [CUSTOMERS_PER_SWEEP]);

/**
 * Folds in the background for as long as the scope. Answers what is to be told of each commit. A fold that fails is
 * tried again with the next one: nobody waits for it.
 */
export const start = (sql: Runner): Effect.Effect<(customerId: Ids.CustomerId) => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const touched = new Set<Ids.CustomerId>();
    const round = Effect.suspend(() => {
      const customers = [...touched];
      touched.clear();
      return Effect.forEach(
        customers,
        (customerId) =>
          Effect.catchAll(fold(sql, customerId), () => Effect.sync(() => touched.add(customerId))),
        { discard: true },
      );
    });
    const sweep = Effect.map(left(sql), (found) => {
      for (const { customerId } of found) touched.add(customerId);
    });
    yield* Effect.forkScoped(Effect.schedule(round, Schedule.spaced(PAUSE)));
    yield* Effect.forkScoped(Effect.schedule(Effect.ignore(sweep), Schedule.spaced(SWEEP)));
    return (customerId) => {
      touched.add(customerId);
    };
  });
