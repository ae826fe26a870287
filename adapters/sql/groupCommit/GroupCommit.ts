/**
 * Group commit for small creates: commands of one customer that create attributions while a call is under way are stored
 * together by the next call. `test/postgres/commits/attributionCreation.test.ts` holds the law that this path and
 * `quittance.commit` store the same rows.
 */
import { Effect, Exit } from "effect";
import { type Ids, Storage, TimeSlice } from "quittance";
import { isAnswered, isUnsent, refusal } from "../Failure.ts";
import { type Parameter, type Runner, sized } from "../Statement.ts";
import { type Refused, resolveOutcome, send } from "../writing/SendCommit.ts";
import * as Batcher from "./Batcher.ts";
import type { Creation } from "./Creation.ts";
import { CREATE_ATTRIBUTIONS } from "./createAttributions.ts";
import { parameters } from "./creationArguments.ts";

/** The most attributions of a command that joins a group; a larger batch is faster by itself. */
const SMALL_MAX = 10;
/** The most commands of one group. */
const GROUP_MAX = 64;

/** The arguments that store creations, computed in time slices; fails when a value cannot be written as JSON. */
const encode = (
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Parameter>, Storage.StorageError> =>
  Effect.suspend(() => TimeSlice.map(parameters(customerId, creations), (compute) => compute())).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new Storage.StorageError({ reason: "broken", cause }))),
  );

/** Stores one creation in a transaction of its own. */
const storeAlone = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creation: Creation,
): Effect.Effect<void, Refused> =>
  Effect.flatMap(encode(customerId, [creation]), (given) =>
    send(
      sized(sql, creation.attributions.length + creation.commissions.length),
      customerId,
      creation.command,
      CREATE_ATTRIBUTIONS,
      given,
    ),
  );

/**
 * Stores creations in one transaction. When they cannot be encoded or the database refuses them, nothing is stored and
 * each is stored alone, so that none fails because of another. When the reply is lost, each resolves its own outcome.
 */
const storeGroup = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): Effect.Effect<ReadonlyArray<Exit.Exit<void, Refused>>> => {
  const [only] = creations;
  const each = (one: (creation: Creation) => Effect.Effect<void, Refused>) =>
    Effect.forEach(creations, (creation) => Effect.exit(one(creation)), { concurrency: "unbounded" });
  if (creations.length === 1 && only !== undefined) return each(() => storeAlone(sql, customerId, only));
  const call = Effect.flatMap(encode(customerId, creations), (given) => sql.run(CREATE_ATTRIBUTIONS, given));
  return Effect.matchEffect(call, {
    onSuccess: () => Effect.succeed(creations.map(() => Exit.void)),
    onFailure: (error) =>
      isUnsent(error)
        ? each(() => Effect.fail(refusal(error)))
        : error._tag === "StorageError" || isAnswered(error)
          ? each((creation) => storeAlone(sql, customerId, creation))
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
