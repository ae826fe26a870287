/**
 * Group commit for small creates: commands of one customer that create attributions while a call is under way are stored
 * together by the next call. `test/postgres/commits/attributionCreation.test.ts` holds the law that this path and
 * `quittance.commit` store the same rows.
 */
import { Cause, Effect, Exit } from "effect";
import { type Ids, Storage, TimeSlice } from "quittance";
import { conflictingOrder, isAnswered, isUnsent, refusal } from "../Failure.ts";
import { type Parameter, type Runner, runnerForRows, type Statement } from "../Statement.ts";
import { type Refused, resolveOutcome, send } from "../writing/SendCommit.ts";
import * as Batcher from "./Batcher.ts";
import type { Creation } from "./Creation.ts";
import { CREATE_ATTRIBUTIONS, CREATE_ORDERED_ATTRIBUTIONS } from "./createAttributions.ts";
import { parameters } from "./creationArguments.ts";
import { isOrdered, type OrderedGroup, orderedGroup, orderedParameters } from "./orderedArguments.ts";

/** The most attributions of a command that joins a group; a larger batch is faster by itself. */
const SMALL_MAX = 10;
/** The most commands of one group. */
const GROUP_MAX = 64;

/** The statement that stores creations, and its arguments. */
interface Call {
  readonly statement: Statement;
  readonly parameters: ReadonlyArray<Parameter>;
}

/**
 * The call, its arguments computed in time slices; fails when a value cannot be written as JSON. `ordered` returns
 * the orders of arrival that the creations save, or null if none of them joins one.
 */
const callOf = (
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
  ordered: () => OrderedGroup | null,
): Effect.Effect<Call, Storage.StorageError> =>
  Effect.suspend(() =>
    Effect.map(
      TimeSlice.map(parameters(customerId, creations), (compute) => compute()),
      (parameters): Call => {
        const group = ordered();
        return group === null
          ? { statement: CREATE_ATTRIBUTIONS, parameters }
          : {
              statement: CREATE_ORDERED_ATTRIBUTIONS,
              parameters: [...parameters, ...orderedParameters(group)],
            };
      },
    ),
  ).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new Storage.StorageError({ reason: "broken", cause }))),
  );

/** The orders of arrival that one creation saves; null if it joins none. */
const orderedAlone = (creation: Creation): OrderedGroup | null => {
  if (!isOrdered(creation)) return null;
  const group = orderedGroup([creation]);
  if (group === null) throw new Error("a creation saves one record twice");
  return group;
};

/** Stores one creation in a transaction of its own. */
const storeAlone = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creation: Creation,
): Effect.Effect<void, Refused> =>
  Effect.flatMap(
    callOf(customerId, [creation], () => orderedAlone(creation)),
    ({ statement, parameters }) =>
      send(
        runnerForRows(sql, creation.attributions.length + creation.commissions.length),
        customerId,
        creation.command,
        statement,
        parameters,
      ),
  );

type Stored = Exit.Exit<void, Refused>;

/** The orders that a creation joins. */
const ordersOf = ({ ordered }: Creation): ReadonlyArray<string> =>
  ordered.filter(({ kind }) => kind === "arrivalOrder").map(({ row }) => row.id);

/** Stores each creation alone; those that join an order of arrival in their order, up to the first that is refused. */
const storeEach = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Stored>> => {
  /** Why the rest of an order is refused unsent: each creation was decided on the one before it. */
  const refused = new Map<string, Storage.VersionConflict>();
  const store = (creation: Creation): Effect.Effect<Stored> =>
    Effect.suspend(() => {
      const orders = ordersOf(creation);
      const reason = orders.map((order) => refused.get(order)).find((found) => found !== undefined);
      const stored = reason === undefined ? storeAlone(sql, customerId, creation) : Effect.fail(reason);
      return Effect.tap(Effect.exit(stored), (exit) => {
        if (Exit.isSuccess(exit)) return;
        const problem = Cause.squash(exit.cause);
        // Formulas that have changed have changed for all of them.
        const isOfFormulas = problem instanceof Storage.VersionConflict && problem.what === "formula_set";
        const what = isOfFormulas ? "formula_set" : "arrivalOrder";
        for (const order of orders) refused.set(order, new Storage.VersionConflict({ what }));
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
  const forEachCreation = (one: (creation: Creation) => Effect.Effect<void, Refused>) =>
    Effect.forEach(creations, (creation) => Effect.exit(one(creation)), { concurrency: "unbounded" });
  if (creations.length === 1) return storeEach(sql, customerId, creations);
  const isPlain = !creations.some(isOrdered);
  const ordered = isPlain ? null : orderedGroup(creations);
  if (ordered === null && !isPlain) return storeEach(sql, customerId, creations);
  const call = Effect.flatMap(
    callOf(customerId, creations, () => ordered),
    ({ statement, parameters }) => sql.run(statement, parameters),
  );
  return Effect.matchEffect(call, {
    onSuccess: () => Effect.succeed(creations.map(() => Exit.void)),
    onFailure: (error) => {
      if (isUnsent(error)) return forEachCreation(() => Effect.fail(refusal(error)));
      const order = conflictingOrder(error);
      if (order !== null) return storeOthers(sql, customerId, creations, order);
      return error._tag === "StorageError" || isAnswered(error)
        ? storeEach(sql, customerId, creations)
        : forEachCreation(({ command }) => resolveOutcome(sql, customerId, command, error));
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
  const refused = new Set([order]);
  const others = creations.filter((creation) => {
    const orders = ordersOf(creation);
    const isRefused = orders.some((one) => refused.has(one));
    if (isRefused) for (const one of orders) refused.add(one);
    return !isRefused;
  });
  const conflict = new Storage.VersionConflict({ what: "arrivalOrder" });
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
    batchSizeMax: GROUP_MAX,
    turn: sql.turn,
    serve: (customerId, creations) => storeGroup(sql, customerId, creations),
  });
  return (customerId, creation) =>
    creation.attributions.length > SMALL_MAX
      ? storeAlone(sql, customerId, creation)
      : storeInGroup(customerId, creation);
};
