/**
 * Group commit for small creates: commands of one customer that create attributions while a call is under way are stored
 * together by the next call. `test/postgres/commits/attributionCreation.test.ts` holds the law that this path and
 * `quittance.commit_command` store the same rows.
 */
import { Cause, Effect, Exit } from "effect";
import { type Ids, Storage, TimeSlice } from "quittance";
import { conflictingOrder, isAnswered, isUnsent, refusal, usedKeys } from "../Failure.ts";
import { type Parameter, type Runner, runnerForRows, type Statement } from "../Statement.ts";
import { type Refused, resolveOutcome, runCommit, send } from "../writing/SendCommit.ts";
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
 * Stores creations in one transaction. Where another process was first in an order, or has used an idempotency key, the
 * creations concerned are refused and the others are stored together. When they cannot be encoded or the database refuses them for another reason, each is
 * stored alone, so that none fails because of another. When the reply is lost, each resolves its own outcome.
 */
const storeGroup = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Stored>> => {
  const forEachCreation = (item: (creation: Creation) => Effect.Effect<void, Refused>) =>
    Effect.forEach(creations, (creation) => Effect.exit(item(creation)), { concurrency: "unbounded" });
  if (creations.length === 1) return storeEach(sql, customerId, creations);
  const isPlain = !creations.some(isOrdered);
  const ordered = isPlain ? null : orderedGroup(creations);
  if (ordered === null && !isPlain) return storeEach(sql, customerId, creations);
  const call = Effect.flatMap(
    callOf(customerId, creations, () => ordered),
    ({ statement, parameters }) => runCommit(sql, statement, parameters),
  );
  return Effect.matchEffect(call, {
    onSuccess: () => Effect.succeed(creations.map(() => Exit.void)),
    onFailure: (error) => {
      if (isUnsent(error)) return forEachCreation(() => Effect.fail(refusal(error)));
      const [order, used] = [conflictingOrder(error), usedKeys(error)];
      if (order !== null || used.size > 0) return storeOthers(sql, customerId, creations, { order, used });
      return error._tag === "StorageError" || isAnswered(error)
        ? storeEach(sql, customerId, creations)
        : forEachCreation(({ command }) => resolveOutcome(sql, customerId, command, error));
    },
  });
};

/**
 * Refuses the creations at places with a used key, and those that join an order or build on a refused one that does; stores
 * the others.
 */
const storeOthers = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
  { order, used }: { readonly order: string | null; readonly used: ReadonlySet<number> },
): Effect.Effect<ReadonlyArray<Stored>> => {
  const refusedOrders = new Set(order === null ? [] : [order]);
  const refused = new Map<Creation, Refused>();
  for (const [index, creation] of creations.entries()) {
    const orders = ordersOf(creation);
    if (used.has(index + 1)) refused.set(creation, new Storage.IdempotencyKeyUsed());
    else if (orders.some((candidate) => refusedOrders.has(candidate)))
      refused.set(creation, new Storage.VersionConflict({ what: "arrivalOrder" }));
    else continue;
    for (const one of orders) refusedOrders.add(one);
  }
  const others = creations.filter((creation) => !refused.has(creation));
  if (others.length === creations.length) return storeEach(sql, customerId, creations);
  const rest = others.length === 0 ? Effect.succeed([]) : storeGroup(sql, customerId, others);
  return Effect.map(rest, (stored) => {
    const outcomes = new Map(others.map((creation, index) => [creation, stored[index]]));
    return creations.map((creation) => {
      const reason = refused.get(creation);
      if (reason !== undefined) return Exit.fail(reason);
      return outcomes.get(creation) ?? Exit.die(new Error("a call returned no outcome for a creation"));
    });
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
