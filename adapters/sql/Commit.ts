/** The write door: one call of `quittance.commit`, and the question what became of it when the reply is lost. */
import { Effect, Schedule } from "effect";
import { type Ids, Storage } from "quittance";
import { body } from "./ChangeSet.ts";
import * as Credit from "./Credit.ts";
import { isAnswered, isUnsent, refusal } from "./Failure.ts";
import type { Parameter, Runner } from "./Statement.ts";

const COMMIT = "select quittance.commit($1::uuid, $2::jsonb)";
const CONCLUDE = "select quittance.conclude($1::uuid, $2::uuid) as landed";

/** How often and how long the outcome of a lost commit is asked for before it is given up as unknown. */
const INQUIRY_TRIES = 5;
const INQUIRY_PAUSE = "200 millis";
const INQUIRY_LIMIT = "10 seconds";

/**
 * Whether a commit whose reply was lost has landed. The question itself keeps a commit that is still under way from
 * landing later, so that "not stored" stays true.
 */
const inquire = (sql: Runner, customerId: Ids.CustomerId, commandId: Ids.CommandId) =>
  Effect.map(
    sql.run<{ readonly landed: boolean }>(CONCLUDE, [customerId, commandId]),
    ([answer]) => answer?.landed === true,
  ).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced(INQUIRY_PAUSE), Schedule.recurs(INQUIRY_TRIES - 1))),
    Effect.timeout(INQUIRY_LIMIT),
  );

const conclude = (
  sql: Runner,
  customerId: Ids.CustomerId,
  commandId: Ids.CommandId,
  cause: unknown,
): Effect.Effect<void, Storage.StorageFailed> =>
  Effect.matchEffect(inquire(sql, customerId, commandId), {
    onFailure: () => Effect.fail(new Storage.StorageFailed({ reason: "unknown", cause })),
    onSuccess: (landed) =>
      landed ? Effect.void : Effect.fail(new Storage.StorageFailed({ reason: "unavailable", cause })),
  });

/** The call that stores a change set. Throws on one that cannot be meant. */
const statement = (
  customerId: Ids.CustomerId,
  changeSet: Storage.ChangeSet,
): { readonly text: string; readonly given: ReadonlyArray<Parameter> } => {
  const creation = Credit.parameters(customerId, changeSet);
  return creation === null
    ? { text: COMMIT, given: [customerId, body(customerId, changeSet)] }
    : { text: Credit.CREDIT, given: creation };
};

/** Stores a change set. Once sent it is seen through: interrupting the caller does not leave the outcome open. */
export const commit = (
  sql: Runner,
  customerId: Ids.CustomerId,
  changeSet: Storage.ChangeSet,
): Effect.Effect<void, Storage.Stale | Storage.Repeated | Storage.StorageFailed> =>
  Effect.try({
    try: () => statement(customerId, changeSet),
    catch: (cause) => new Storage.StorageFailed({ reason: "broken", cause }),
  }).pipe(
    Effect.flatMap(({ text, given }) =>
      Effect.catchAll(sql.run(text, given), (error) =>
        isAnswered(error) || isUnsent(error)
          ? Effect.fail(refusal(error))
          : conclude(sql, customerId, changeSet.command.id, error),
      ),
    ),
    Effect.asVoid,
    Effect.uninterruptible,
  );
