/** Compacts rollup deltas in the background; reads include deltas that are not compacted yet. */
import { Effect, Schedule, type Scope } from "effect";
import type { Ids, Storage } from "quittance";
import * as Shards from "../distribution/Shards.ts";
import { type Runner, row } from "../Statement.ts";
import { forPlatform, withoutScope } from "../TenantScope.ts";

/** The interval between compactions of this process, and between searches for deltas that an ended process has left. */
const PAUSE = "1 second";
const SWEEP = "1 minute";

/** Deltas compacted at a time, so that no compaction holds its rows for long. */
const MOST = 5_000;
const CUSTOMERS_PER_SWEEP = 1_000;

const COMPACT = withoutScope("select quittance.compact_rollups($1::uuid, $2::integer) as compacted");

/** Customers with deltas. Each node of a distributed database groups its own rows. */
const LEFT = Shards.onePart(
  forPlatform,
  "rollup_deltas",
  `select t.customer_id as "customerId" from quittance.rollup_deltas t group by t.customer_id limit $1::bigint`,
);

/** Compacts all deltas of a customer. */
const compact = (sql: Runner, customerId: Ids.CustomerId): Effect.Effect<void, Storage.StorageError> =>
  row<{ readonly compacted: number | string }>(sql, COMPACT, [customerId, MOST]).pipe(
    Effect.uninterruptible,
    Effect.repeat({ while: (found) => Number(found?.compacted ?? 0) === MOST }),
    Effect.asVoid,
  );

/** Customers with deltas, at most a thousand. While a node cannot be reached, those of the other nodes. */
export const customersWithDeltas = (
  sql: Runner,
): Effect.Effect<ReadonlyArray<Ids.CustomerId>, Storage.StorageError> =>
  Effect.map(
    Shards.readReachable<{ readonly customerId: Ids.CustomerId }>(sql, LEFT, [CUSTOMERS_PER_SWEEP]),
    ({ found }) => found.map(({ customerId }) => customerId),
  );

/**
 * Compacts in the background until the scope closes. Returns the function to call with the customer of each commit. A
 * compaction that fails is retried with the next round.
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
          Effect.catchAll(compact(sql, customerId), () => Effect.sync(() => touched.add(customerId))),
        { discard: true },
      );
    });
    const sweep = Effect.map(customersWithDeltas(sql), (found) => {
      for (const customerId of found) touched.add(customerId);
    });
    yield* Effect.forkScoped(Effect.schedule(round, Schedule.spaced(PAUSE)));
    const loggedSweep = Effect.catchAll(sweep, (failure) =>
      failure.isLogged === true
        ? Effect.void
        : Effect.logWarning("rollup deltas of ended processes were not looked for", failure),
    );
    yield* Effect.forkScoped(Effect.schedule(loggedSweep, Schedule.spaced(SWEEP)));
    return (customerId) => {
      touched.add(customerId);
    };
  });
