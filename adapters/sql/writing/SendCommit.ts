/** Sends a statement that commits, and finds out whether the command is stored when the reply is lost. */

import type * as SqlError from "@effect/sql/SqlError";
import { Effect, Schedule } from "effect";
import { type Ids, Storage } from "quittance";
import { type Committed, conflictError, isAnswered, isOfNode, isUnsent, refusal } from "../Failure.ts";
import type { Parameter, Runner, Statement } from "../Statement.ts";
import { withoutScope } from "../TenantScope.ts";

const RESOLVE_COMMAND = withoutScope(
  "select quittance.resolve_command($1::uuid, $2::uuid, $3::bigint) as is_stored",
);

/** How often and for how long the outcome of a lost commit is queried before it is reported as unknown. */
const QUERY_TRIES = 5;
const QUERY_PAUSE = "200 millis";
const QUERY_LIMIT = "10 seconds";

type Command = Storage.ChangeSet["command"];
export type Refused = Storage.VersionConflict | Storage.IdempotencyKeyUsed | Storage.StorageError;

/**
 * True if a commit whose reply was lost is stored; null when its id may have been removed since. The query itself keeps
 * a commit that is still under way from being stored later, so that "not stored" stays true.
 */
const isStored = (sql: Runner, customerId: Ids.CustomerId, { id, at }: Command) =>
  Effect.map(
    sql.run<{ readonly is_stored: boolean | null }>(RESOLVE_COMMAND, [customerId, id, at]),
    ([found]) => found?.is_stored ?? null,
  ).pipe(
    // The coordinator of a distributed database has waited for the node already, each time for seconds if it is silent.
    Effect.retry({
      schedule: Schedule.intersect(Schedule.spaced(QUERY_PAUSE), Schedule.recurs(QUERY_TRIES - 1)),
      while: (error) => !isOfNode(error),
    }),
    Effect.timeout(QUERY_LIMIT),
  );

/** Succeeds when a command whose reply was lost is stored; otherwise fails as `unavailable` or `unknown`. */
export const resolveOutcome = (
  sql: Runner,
  customerId: Ids.CustomerId,
  command: Command,
  cause: unknown,
): Effect.Effect<void, Storage.StorageError> => {
  const fail = (reason: "unknown" | "unavailable") =>
    Effect.fail(new Storage.StorageError({ reason, cause }));
  return Effect.matchEffect(isStored(sql, customerId, command), {
    onFailure: () => fail("unknown"),
    onSuccess: (isStored) =>
      isStored === true ? Effect.void : fail(isStored === null ? "unknown" : "unavailable"),
  });
};

/** Runs one statement that commits; a conflict that it returns is an error. */
export const runCommit = (
  sql: Runner,
  statement: Statement,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(sql.run<Committed>(statement, parameters), ([committed]) => {
    if (committed === undefined) return Effect.dieMessage("the commit returned no row");
    return committed.conflict === null ? Effect.void : Effect.fail(conflictError(committed.conflict));
  });

/** Runs one statement that commits, and resolves the outcome when the reply is lost. */
export const send = (
  sql: Runner,
  customerId: Ids.CustomerId,
  command: Command,
  statement: Statement,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<void, Refused> =>
  Effect.catchAll(runCommit(sql, statement, parameters), (error) =>
    isAnswered(error) || isUnsent(error)
      ? Effect.fail(refusal(error))
      : resolveOutcome(sql, customerId, command, error),
  );
