/** The write door: one call of `quittance.commit` or `quittance.credit`, and the question what became of it when the reply is lost. */
import { Effect, Exit, Schedule } from "effect";
import { type Ids, Storage, TimeSlice } from "quittance";
import * as Credit from "./AttributionCreation.ts";
import * as Gathering from "./Batcher.ts";
import { body } from "./ChangeSet.ts";
import { isAnswered, isUnsent, refusal } from "./Failure.ts";
import { type Parameter, type Runner, sized } from "./Statement.ts";

const COMMIT = "select quittance.commit($1::uuid, $2::jsonb)";
const CONCLUDE = "select quittance.conclude($1::uuid, $2::uuid, $3::bigint) as landed";

/** Attributions of a command that is stored with others at most; a batch is better sent by itself. */
const SMALL_MAX = 10;
/** Commands stored together at most. */
const TOGETHER_MAX = 64;

/** How often and how long the outcome of a lost commit is asked for before it is given up as unknown. */
const INQUIRY_TRIES = 5;
const INQUIRY_PAUSE = "200 millis";
const INQUIRY_LIMIT = "10 seconds";

/** About how many rows a change set stores: those of its lists, and the lines of the settlements that it moves. */
const rowsOf = ({ changes }: Storage.ChangeSet): number => {
  let count = changes.length;
  for (const change of changes) {
    if (change.type === "revise") count += change.revisions.length;
    else if (change.type === "save" && change.kind === "settlement") count += change.row.lineCount;
  }
  return count;
};

type Command = Storage.ChangeSet["command"];
type Refused = Storage.VersionConflict | Storage.IdempotencyKeyUsed | Storage.StorageError;

/**
 * Whether a commit whose reply was lost has landed; null where nobody can tell any more. The question itself keeps a
 * commit that is still under way from landing later, so that "not stored" stays true.
 */
const inquire = (sql: Runner, customerId: Ids.CustomerId, { id, at }: Command) =>
  Effect.map(
    sql.run<{ readonly landed: boolean | null }>(CONCLUDE, [customerId, id, at]),
    ([answer]) => answer?.landed ?? null,
  ).pipe(
    Effect.retry(Schedule.intersect(Schedule.spaced(INQUIRY_PAUSE), Schedule.recurs(INQUIRY_TRIES - 1))),
    Effect.timeout(INQUIRY_LIMIT),
  );

const conclude = (
  sql: Runner,
  customerId: Ids.CustomerId,
  command: Command,
  cause: unknown,
): Effect.Effect<void, Storage.StorageError> => {
  const failed = (reason: "unknown" | "unavailable") =>
    Effect.fail(new Storage.StorageError({ reason, cause }));
  return Effect.matchEffect(inquire(sql, customerId, command), {
    onFailure: () => failed("unknown"),
    onSuccess: (landed) =>
      landed === true ? Effect.void : failed(landed === null ? "unknown" : "unavailable"),
  });
};

/** Runs one statement that commits, and learns what became of it when the reply is lost. */
const sent = (
  sql: Runner,
  customerId: Ids.CustomerId,
  command: Command,
  text: string,
  given: ReadonlyArray<Parameter>,
): Effect.Effect<void, Refused> =>
  Effect.catchAll(Effect.asVoid(sql.run(text, given)), (error) =>
    isAnswered(error) || isUnsent(error)
      ? Effect.fail(refusal(error))
      : conclude(sql, customerId, command, error),
  );

/** The arguments that store creations, those of a batch in slices; what is no JSON cannot be written. */
const written = (
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Credit.Creation>,
): Effect.Effect<ReadonlyArray<Parameter>, Storage.StorageError> =>
  Effect.suspend(() => TimeSlice.map(Credit.parameters(customerId, creations), (make) => make())).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new Storage.StorageError({ reason: "broken", cause }))),
  );

const alone = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creation: Credit.Creation,
): Effect.Effect<void, Refused> =>
  Effect.flatMap(written(customerId, [creation]), (given) =>
    sent(
      sized(sql, creation.attributions.length + creation.commissions.length),
      customerId,
      creation.command,
      Credit.CREDIT,
      given,
    ),
  );

/**
 * Stores creations in one transaction. Where they cannot be written or the database refuses them nothing is stored, and
 * each is tried alone, so that none is refused for another's fault; where the reply is lost, each asks whether it has
 * landed.
 */
const together = (
  sql: Runner,
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Credit.Creation>,
): Effect.Effect<ReadonlyArray<Exit.Exit<void, Refused>>> => {
  const [only] = creations;
  const each = (one: (creation: Credit.Creation) => Effect.Effect<void, Refused>) =>
    Effect.forEach(creations, (creation) => Effect.exit(one(creation)), { concurrency: "unbounded" });
  if (creations.length === 1 && only !== undefined) return each(() => alone(sql, customerId, only));
  const call = Effect.flatMap(written(customerId, creations), (given) => sql.run(Credit.CREDIT, given));
  return Effect.matchEffect(call, {
    onSuccess: () => Effect.succeed(creations.map(() => Exit.void)),
    onFailure: (error) =>
      isUnsent(error)
        ? each(() => Effect.fail(refusal(error)))
        : error._tag === "StorageError" || isAnswered(error)
          ? each((creation) => alone(sql, customerId, creation))
          : each(({ command }) => conclude(sql, customerId, command, error)),
  });
};

/**
 * Stores change sets. Once sent one is seen through: interrupting the caller does not leave the outcome open. Small
 * creations that meet are stored together. `committed` is told whose records have changed.
 */
export const make = (
  sql: Runner,
  committed: (customerId: Ids.CustomerId) => void,
): Storage.StorageService["commit"] => {
  const credit = Gathering.make<Ids.CustomerId, Credit.Creation, void, Refused>({
    most: TOGETHER_MAX,
    turn: sql.turn,
    serve: (customerId, creations) => together(sql, customerId, creations),
  });
  const stored = (customerId: Ids.CustomerId, changeSet: Storage.ChangeSet): Effect.Effect<void, Refused> => {
    const creation = Credit.creation(customerId, changeSet);
    if (creation === null) {
      return Effect.flatMap(body(customerId, changeSet), (text) =>
        sent(sized(sql, rowsOf(changeSet)), customerId, changeSet.command, COMMIT, [customerId, text]),
      );
    }
    return creation.attributions.length > SMALL_MAX
      ? alone(sql, customerId, creation)
      : credit(customerId, creation);
  };
  return (customerId, changeSet) =>
    Effect.try({
      try: () => stored(customerId, changeSet),
      catch: (cause) => new Storage.StorageError({ reason: "broken", cause }),
    }).pipe(
      Effect.flatten,
      Effect.map(() => committed(customerId)),
      Effect.uninterruptible,
    );
};
