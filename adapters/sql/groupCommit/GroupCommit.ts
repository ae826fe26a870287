/**
 * Group commit for small creates: commands of one customer that create attributions while a call is under way are stored
 * together by the next call. `test/postgres/commits/attributionCreation.test.ts` holds the law that this path and
 * `quittance.commit` store the same rows.
 */
import { Effect, Exit } from "effect";
import { type Ids, Storage, TimeSlice } from "quittance";
import { isAnswered, isUnsent, refusal } from "../Failure.ts";
import { type Parameter, type Runner, type Statement, sized } from "../Statement.ts";
import { type Refused, resolveOutcome, send } from "../writing/SendCommit.ts";
import * as Batcher from "./Batcher.ts";
import type { Creation } from "./Creation.ts";
import { CREATE_ATTRIBUTIONS, CREATE_ORDERED_ATTRIBUTIONS } from "./createAttributions.ts";
import { parameters } from "./creationArguments.ts";
import { isOrdered, orderedArgument } from "./orderedArgument.ts";

/** The most attributions of a command that joins a group; a larger batch is faster by itself. */
const SMALL_MAX = 10;
/** The most commands of one group. */
const GROUP_MAX = 64;

/** The statement that stores creations, and its arguments. */
interface Call {
  readonly statement: Statement;
  readonly given: ReadonlyArray<Parameter>;
}

/** The call, its arguments computed in time slices; fails when a value cannot be written as JSON. */
const callOf = (
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<Call, Storage.StorageError> =>
  Effect.suspend(() =>
    Effect.map(
      TimeSlice.map(parameters(customerId, creations), (compute) => compute()),
      (given): Call =>
        creations.some(isOrdered)
          ? {
              statement: CREATE_ORDERED_ATTRIBUTIONS,
              given: [...given, JSON.stringify(orderedArgument(creations))],
            }
          : { statement: CREATE_ATTRIBUTIONS, given },
    ),
  ).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new Storage.StorageError({ reason: "broken", cause }))),
  );

/** Stores one creation in a transaction of its own. */
const storeAlone = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creation: Creation,
): Effect.Effect<void, Refused> =>
  Effect.flatMap(callOf(customerId, [creation]), ({ statement, given }) =>
    send(
      sized(sql, creation.attributions.length + creation.commissions.length),
      customerId,
      creation.command,
      statement,
      given,
    ),
  );

type Stored = Exit.Exit<void, Refused>;

/**
 * Stores each creation alone. Those that join an order of arrival are stored in their order; after one that another process
 * was faster than, the others of its order are refused unsent, since each was decided on the one before it.
 */
const storeEach = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Stored>> =>
  Effect.gen(function* () {
    const refused = new Set<string>();
    const orderOf = ({ ordered }: Creation) => ordered.find(({ kind }) => kind === "arrivalOrder")?.row.id;
    const store = (creation: Creation): Effect.Effect<Stored> =>
      Effect.suspend(() => {
        const order = orderOf(creation);
        if (order !== undefined && refused.has(order))
          return Effect.succeed(Exit.fail(new Storage.VersionConflict({ what: "arrivalOrder" })));
        return Effect.tap(Effect.exit(storeAlone(sql, customerId, creation)), (exit) => {
          if (order !== undefined && Exit.isFailure(exit)) refused.add(order);
        });
      });
    const concurrency = creations.some(isOrdered) ? 1 : "unbounded";
    return yield* Effect.forEach(creations, store, { concurrency });
  });

/**
 * Stores creations in one transaction. When they cannot be encoded or the database refuses them, nothing is stored and
 * each is stored alone, so that none fails because of another. When the reply is lost, each resolves its own outcome.
 */
const storeGroup = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Stored>> => {
  const each = (one: (creation: Creation) => Effect.Effect<void, Refused>) =>
    Effect.forEach(creations, (creation) => Effect.exit(one(creation)), { concurrency: "unbounded" });
  if (creations.length === 1 || (creations.some(isOrdered) && orderedArgument(creations) === null))
    return storeEach(sql, customerId, creations);
  const call = Effect.flatMap(callOf(customerId, creations), ({ statement, given }) =>
    sql.run(statement, given),
  );
  return Effect.matchEffect(call, {
    onSuccess: () => Effect.succeed(creations.map(() => Exit.void)),
    onFailure: (error) =>
      isUnsent(error)
        ? each(() => Effect.fail(refusal(error)))
        : error._tag === "StorageError" || isAnswered(error)
          ? storeEach(sql, customerId, creations)
          : each(({ command }) => resolveOutcome(sql, customerId, command, error)),
  });
};

/** Stores creations: small ones in groups, a large one alone. */
export const make = (
  sql: Runner,
): ((customerId: Ids.CustomerId, creation: Creation) => Effect.Effect<void, Refused>) => {
  const storeInGroup = Batcher.make<Ids.CustomerId, Creation, void, Refused>({
    most: GROUP_MAX,
    turn: sql.turn,
    serve: (customerId, creations) => storeGroup(sql, customerId, creations),
  });
  return (customerId, creation) =>
    creation.attributions.length > SMALL_MAX
      ? storeAlone(sql, customerId, creation)
      : storeInGroup(customerId, creation);
};
