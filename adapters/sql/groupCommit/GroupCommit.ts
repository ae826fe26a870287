/**
 * Group commit for small creates: commands of one customer that create attributions while a call is under way are stored
 * together by the next call. `test/postgres/commits/attributionCreation.test.ts` holds the law that this path and
 * `quittance.commit` store the same rows.
 */
import { Cause, Effect, Exit } from "effect";
import { type Ids, Storage, TimeSlice } from "quittance";
import { conflictingOrder, isAnswered, isUnsent, refusal } from "../Failure.ts";
import { type Parameter, type Runner, type Statement, sized } from "../Statement.ts";
import { type Refused, resolveOutcome, send } from "../writing/SendCommit.ts";
import * as Batcher from "./Batcher.ts";
import type { Creation } from "./Creation.ts";
import { CREATE_ATTRIBUTIONS, CREATE_ORDERED_ATTRIBUTIONS } from "./createAttributions.ts";
import { parameters } from "./creationArguments.ts";
import { isOrdered, orderedGroup, orderedParameters } from "./orderedArguments.ts";

/** The most attributions of a command that joins a group; a larger batch is faster by itself. */
const SMALL_MAX = 10;
/** The most commands of one group. */
const GROUP_MAX = 64;

/** The statement that stores creations, and its arguments. */
interface Call {
  readonly statement: Statement;
  readonly given: ReadonlyArray<Parameter>;
}

/** The arguments of the orders that creations join, or of one creation, which is always possible. */
const orderedOf = (creations: ReadonlyArray<Creation>): ReadonlyArray<Parameter> => {
  const group = orderedGroup(creations);
  if (group === null) throw new Error("creations that do not follow each other are stored together");
  return orderedParameters(group);
};

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
              given: [...given, ...orderedOf(creations)],
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

/** The orders that a creation joins. */
const ordersOf = ({ ordered }: Creation): ReadonlyArray<string> =>
  ordered.filter(({ kind }) => kind === "arrivalOrder").map(({ row }) => row.id);

/** Refuses creations unsent, each of which was decided on one that is refused. */
const refusing = () => {
  const reasons = new Map<string, Storage.VersionConflict>();
  return {
    /** The creations after this one that join its orders are refused. */
    refuse: (creation: Creation, problem: unknown): void => {
      // Formulas that have changed have changed for all of them.
      const isOfFormulas = problem instanceof Storage.VersionConflict && problem.what === "formula_set";
      const what = isOfFormulas ? "formula_set" : "arrivalOrder";
      for (const order of ordersOf(creation)) reasons.set(order, new Storage.VersionConflict({ what }));
    },
    reasonOf: (creation: Creation): Storage.VersionConflict | undefined =>
      ordersOf(creation)
        .map((order) => reasons.get(order))
        .find((reason) => reason !== undefined),
  };
};

/** Stores each creation alone; those that join an order of arrival in their order, up to the first that is refused. */
const storeEach = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Stored>> => {
  const { refuse, reasonOf } = refusing();
  const store = (creation: Creation): Effect.Effect<Stored> =>
    Effect.suspend(() => {
      const reason = reasonOf(creation);
      const stored = reason === undefined ? storeAlone(sql, customerId, creation) : Effect.fail(reason);
      return Effect.tap(Effect.exit(stored), (exit) => {
        if (Exit.isFailure(exit)) refuse(creation, Cause.squash(exit.cause));
      });
    });
  return Effect.forEach(creations, store, { concurrency: creations.some(isOrdered) ? 1 : "unbounded" });
};

/**
 * Stores creations in one transaction. Where another process was first in an order, the creations that join it are refused
 * and the others are stored together. When they cannot be encoded or the database refuses them for another reason, each is
 * stored alone, so that none fails because of another. When the reply is lost, each resolves its own outcome.
 */
const storeGroup = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Stored>> => {
  const each = (one: (creation: Creation) => Effect.Effect<void, Refused>) =>
    Effect.forEach(creations, (creation) => Effect.exit(one(creation)), { concurrency: "unbounded" });
  if (creations.length === 1 || (creations.some(isOrdered) && orderedGroup(creations) === null))
    return storeEach(sql, customerId, creations);
  const call = Effect.flatMap(callOf(customerId, creations), ({ statement, given }) =>
    sql.run(statement, given),
  );
  return Effect.matchEffect(call, {
    onSuccess: () => Effect.succeed(creations.map(() => Exit.void)),
    onFailure: (error) => {
      if (isUnsent(error)) return each(() => Effect.fail(refusal(error)));
      const order = conflictingOrder(error);
      if (order !== null) return storeOthers(sql, customerId, creations, order);
      return error._tag === "StorageError" || isAnswered(error)
        ? storeEach(sql, customerId, creations)
        : each(({ command }) => resolveOutcome(sql, customerId, command, error));
    },
  });
};

/** Refuses the creations that join an order or build on one that does, and stores the others. */
const storeOthers = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
  order: string,
): Effect.Effect<ReadonlyArray<Stored>> => {
  const { refuse, reasonOf } = refusing();
  const conflict = new Storage.VersionConflict({ what: "arrivalOrder" });
  const others = creations.filter((creation) => {
    const reason = ordersOf(creation).includes(order) ? conflict : reasonOf(creation);
    if (reason !== undefined) refuse(creation, reason);
    return reason === undefined;
  });
  if (others.length === creations.length) return storeEach(sql, customerId, creations);
  const rest = others.length === 0 ? Effect.succeed([]) : storeGroup(sql, customerId, others);
  return Effect.map(rest, (stored) => {
    const outcomes = new Map(others.map((creation, index) => [creation, stored[index]]));
    return creations.map((creation) => outcomes.get(creation) ?? Exit.fail(conflict));
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
