/** Laws of what is removed by its age: nothing too early, nothing twice, and nothing told that is not known any more. */
import { Clock, Effect, Either } from "effect";
import type { CustomerId } from "../../../domain/Ids.ts";
import {
  ABSENCE_TELLS_MILLISECONDS,
  COMMAND_KEPT_MILLISECONDS,
  type IdempotencyRecord,
  Storage,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const REMOVES =
  "Removes idempotency records that are older than what is kept, and the ids of stored commands older than a day, of every customer, by the store's clock.";
const LIMIT =
  "No more than `limit` of both together go; it tells how many went, so that the caller goes on while the limit was reached.";
const FREE = "A key whose record was removed may be used anew.";
const UNKNOWN =
  "It fails as `unknown` for a command that is not found and older than 12 hours by the store's clock, since that one may have been removed.";

const KEPT = 3 * Build.DAY;
/** Longer than a law takes, and than two clocks are apart. */
const MARGIN = 300_000;
const BATCH = 500;

const prune = (idempotencyMilliseconds: number) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.repeat(storage.prune({ idempotencyMilliseconds, limit: BATCH }), {
      while: (count) => count >= BATCH,
    }),
  );

/** Stores a command that was given so long ago, with a key of its own. */
const give = (customerId: CustomerId, agoMilliseconds: number, key = Build.freshUuid()) =>
  Effect.gen(function* () {
    const command = yield* Scene.createCommand(agoMilliseconds);
    const remember: IdempotencyRecord = {
      principalId: Build.ACTOR,
      key,
      requestSha256: "ab".repeat(32),
      result: { key },
      at: command.at,
    };
    yield* Scene.commit(customerId, [], { command, idempotencyRecord: remember });
    return { customerId, command, remember };
  });

type Given = Effect.Effect.Success<ReturnType<typeof give>>;

/** Whether the store still has a record of the key. */
const remembers = ({ customerId, remember }: Given) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.findIdempotencyRecord(customerId, Build.ACTOR, remember.key),
      (found) => found !== null,
    ),
  );

/** Whether the store still has the command: asked as of one that was given just now. */
const knows = ({ customerId, command }: Given) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    return yield* storage.isCommitted(customerId, { ...command, at: yield* Clock.currentTimeMillis });
  });

const bothSides = Effect.gen(function* () {
  const storage = yield* Storage;
  const one = Build.fresh.customer();
  const other = Build.fresh.customer();
  const ages = [
    KEPT + MARGIN,
    KEPT - MARGIN,
    COMMAND_KEPT_MILLISECONDS + MARGIN,
    COMMAND_KEPT_MILLISECONDS - MARGIN,
    0,
    -Build.DAY,
  ];
  const given = yield* Effect.forEach([one, other], (customerId) =>
    Effect.forEach(ages, (age) => give(customerId, age)),
  );
  yield* prune(KEPT);
  for (const each of given) {
    yield* expectSame("the records kept", yield* Effect.forEach(each, remembers), [
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    yield* expectSame("the commands kept", yield* Effect.forEach(each, knows), [
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  }
  const [, oldest] = given[1] ?? [];
  if (oldest === undefined) return;
  const found = yield* storage.findIdempotencyRecord(other, Build.ACTOR, oldest.remember.key);
  yield* expectSame("a record that is kept", found, oldest.remember);
  const again = yield* Effect.either(give(other, 0, oldest.remember.key));
  yield* expectSame("its key", Either.isLeft(again) && again.left._tag, "IdempotencyKeyUsed");
  yield* prune(2 * KEPT);
  yield* expectSame("where more is kept", yield* remembers(oldest), true);
  yield* prune(KEPT / 2);
  yield* expectSame("where less is kept", yield* remembers(oldest), false);
});

const batches = Effect.gen(function* () {
  const storage = yield* Storage;
  yield* prune(KEPT);
  const limit = 5;
  for (let number = 0; number < 7; number++) yield* give(Build.fresh.customer(), KEPT + MARGIN);
  const removed: Array<number> = [];
  for (let round = 0; round < 4; round++)
    removed.push(yield* storage.prune({ idempotencyMilliseconds: KEPT, limit }));
  yield* expectSame("seven records and seven commands, five at a time", removed, [5, 5, 4, 0]);
});

const free = Effect.gen(function* () {
  const storage = yield* Storage;
  const customerId = Build.fresh.customer();
  const { remember } = yield* give(customerId, KEPT + MARGIN);
  yield* prune(KEPT);
  const again = yield* give(customerId, 0, remember.key);
  const found = yield* storage.findIdempotencyRecord(customerId, Build.ACTOR, remember.key);
  yield* expectSame("what is stored under it", found, again.remember);
});

const forgotten = Effect.gen(function* () {
  const storage = yield* Storage;
  const customerId = Build.fresh.customer();
  const answer = (agoMilliseconds: number) =>
    Effect.map(
      Effect.either(
        Effect.flatMap(Scene.createCommand(agoMilliseconds), (command) =>
          storage.isCommitted(customerId, command),
        ),
      ),
      (asked) => (Either.isRight(asked) ? asked.right : asked.left.reason),
    );
  yield* expectSame("of 12 hours ago, nearly", yield* answer(ABSENCE_TELLS_MILLISECONDS - MARGIN), false);
  yield* expectSame(
    "of more than 12 hours ago",
    yield* answer(ABSENCE_TELLS_MILLISECONDS + MARGIN),
    "unknown",
  );
  const { command } = yield* give(customerId, COMMAND_KEPT_MILLISECONDS + MARGIN);
  yield* expectSame("one that is found", yield* storage.isCommitted(customerId, command), true);
  yield* prune(KEPT);
  const asked = yield* Effect.flip(storage.isCommitted(customerId, command)).pipe(
    Effect.map(({ reason }) => reason),
    Effect.catchAll(() => Effect.succeed("answered")),
  );
  yield* expectSame("the same one, once removed", asked, "unknown");
});

/** Laws of what is removed by its age. */
export const pruning: ReadonlyArray<Law> = [
  law(REMOVES, "two customers, on both sides of each age", bothSides),
  law(LIMIT, "five at a time", batches),
  law(FREE, "with another answer", free),
  law(UNKNOWN, "young, old, stored, removed", forgotten),
];
