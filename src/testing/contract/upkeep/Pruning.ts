/** Laws of pruning: what is removed by its age, in what batches, and what a look-up returns afterwards. */
import { Clock, Effect, Either } from "effect";
import type { CustomerId } from "../../../domain/Ids.ts";
import {
  ABSENCE_IS_CONCLUSIVE_MILLISECONDS,
  COMMAND_RETENTION_MILLISECONDS,
  type IdempotencyRecord,
  Storage,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const REMOVES =
  "Removes idempotency records that are older than what is kept, and the ids of stored commands older than a day, of every customer, by the store's clock.";
const ENDED =
  "Removes webhook deliveries, and trials of plans and dry recredit runs with their results, that ended longer ago than what is kept.";
const LIMIT =
  "Removes at most `limit` of all together and returns how many, so that the caller repeats it while the limit is reached.";
const FREE = "A key whose record was removed may be used anew.";
const UNKNOWN =
  "It fails as `unknown` for a command that is not found and older than 12 hours by the store's clock, since that one may have been removed.";

const KEPT_MILLISECONDS = 3 * Build.DAY;
/** Longer than a law runs, and longer than any difference between two clocks. */
const MARGIN = 300_000;
const BATCH = 500;

/** Older than every delivery and every trial. */
const ALL_KEPT = 100_000 * Build.DAY;
const ENDED_KEPT = { deliveryMilliseconds: ALL_KEPT, trialMilliseconds: ALL_KEPT };

const prune = (idempotencyMilliseconds: number, ended: Partial<typeof ENDED_KEPT> = {}) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.repeat(storage.prune({ idempotencyMilliseconds, ...ENDED_KEPT, ...ended, limit: BATCH }), {
      while: (count) => count >= BATCH,
    }),
  );

/** Stores a command of an age, in milliseconds, with an idempotency key of its own. */
const storeCommand = (customerId: CustomerId, agoMilliseconds: number, key = Build.freshUuid()) =>
  Effect.gen(function* () {
    const command = yield* Scene.createCommand(agoMilliseconds);
    const idempotencyRecord: IdempotencyRecord = {
      principalId: Build.ACTOR,
      key,
      requestSha256: "ab".repeat(32),
      result: { key },
      at: command.at,
    };
    yield* Scene.commit(customerId, [], { command, idempotencyRecord });
    return { customerId, command, idempotencyRecord };
  });

type StoredCommand = Effect.Effect.Success<ReturnType<typeof storeCommand>>;

/** True if the store still has a record of the key. */
const hasRecord = ({ customerId, idempotencyRecord }: StoredCommand) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.findIdempotencyRecord(customerId, Build.ACTOR, idempotencyRecord.key),
      (found) => found !== null,
    ),
  );

/** True if the store still has the command; the look-up names a young command, so that absence is certain. */
const hasCommand = ({ customerId, command }: StoredCommand) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    return yield* storage.isCommitted(customerId, { ...command, at: yield* Clock.currentTimeMillis });
  });

const bothSidesOfEachAge = Effect.gen(function* () {
  const storage = yield* Storage;
  const one = Build.fresh.customer();
  const other = Build.fresh.customer();
  const ages = [
    KEPT_MILLISECONDS + MARGIN,
    KEPT_MILLISECONDS - MARGIN,
    COMMAND_RETENTION_MILLISECONDS + MARGIN,
    COMMAND_RETENTION_MILLISECONDS - MARGIN,
    0,
    -Build.DAY,
  ];
  const stored = yield* Effect.forEach([one, other], (customerId) =>
    Effect.forEach(ages, (age) => storeCommand(customerId, age)),
  );
  yield* prune(KEPT_MILLISECONDS);
  for (const each of stored) {
    yield* expectSame("whether the record of each age is kept", yield* Effect.forEach(each, hasRecord), [
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    yield* expectSame("whether the command of each age is kept", yield* Effect.forEach(each, hasCommand), [
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  }
  const [, oldest] = stored[1] ?? [];
  if (oldest === undefined) return;
  const found = yield* storage.findIdempotencyRecord(other, Build.ACTOR, oldest.idempotencyRecord.key);
  yield* expectSame("a record that is kept", found, oldest.idempotencyRecord);
  const again = yield* Effect.either(storeCommand(other, 0, oldest.idempotencyRecord.key));
  yield* expectSame(
    "the outcome of a commit under the kept key",
    Either.isLeft(again) && again.left._tag,
    "IdempotencyKeyUsed",
  );
  yield* prune(2 * KEPT_MILLISECONDS);
  yield* expectSame("whether the record is kept by a longer retention", yield* hasRecord(oldest), true);
  yield* prune(KEPT_MILLISECONDS / 2);
  yield* expectSame("whether the record is kept by a shorter retention", yield* hasRecord(oldest), false);
});

const batches = Effect.gen(function* () {
  const storage = yield* Storage;
  yield* prune(KEPT_MILLISECONDS);
  const limit = 5;
  for (let number = 0; number < 7; number++)
    yield* storeCommand(Build.fresh.customer(), KEPT_MILLISECONDS + MARGIN);
  const removed: Array<number> = [];
  const ages = { idempotencyMilliseconds: KEPT_MILLISECONDS, ...ENDED_KEPT };
  for (let round = 0; round < 4; round++) removed.push(yield* storage.prune({ ...ages, limit }));
  yield* expectSame("seven records and seven commands, five at a time", removed, [5, 5, 4, 0]);
});

const oldDeliveries = Effect.gen(function* () {
  const storage = yield* Storage;
  const now = yield* Clock.currentTimeMillis;
  const customerId = Build.fresh.customer();
  const endpoint = Build.webhookEndpoint(customerId);
  const endedDelivery = (status: "delivered" | "failed", agoMilliseconds: number) =>
    Build.webhookDelivery(endpoint.row, { status, nextAttemptAt: null, endedAt: now - agoMilliseconds });
  const old = [
    endedDelivery("delivered", KEPT_MILLISECONDS + MARGIN),
    endedDelivery("failed", KEPT_MILLISECONDS + MARGIN),
    endedDelivery("delivered", KEPT_MILLISECONDS + 2 * MARGIN),
  ];
  const remaining = [
    endedDelivery("delivered", KEPT_MILLISECONDS - MARGIN),
    endedDelivery("failed", 0),
    Build.webhookDelivery(endpoint.row),
  ];
  // What other laws left goes first, and then the command of this one, because the batch below counts.
  yield* prune(KEPT_MILLISECONDS, { deliveryMilliseconds: KEPT_MILLISECONDS });
  yield* Scene.commit(customerId, [endpoint, ...old, ...remaining]);
  yield* prune(KEPT_MILLISECONDS);
  const idsOf = (deliveries: ReadonlyArray<{ readonly row: { readonly id: string } }>) =>
    deliveries.map(({ row }) => row.id);
  const left = Effect.map(
    storage.find(customerId, "webhookDelivery", idsOf([...old, ...remaining])),
    (found) => found.map(({ id }) => id as string).sort(),
  );
  const removed = yield* storage.prune({
    idempotencyMilliseconds: KEPT_MILLISECONDS,
    ...ENDED_KEPT,
    deliveryMilliseconds: KEPT_MILLISECONDS,
    limit: 2,
  });
  yield* expectSame("how many were removed of two at most", removed, 2);
  yield* expectSame("how many are left", (yield* left).length, 4);
  yield* prune(KEPT_MILLISECONDS, { deliveryMilliseconds: KEPT_MILLISECONDS });
  yield* expectSame("the deliveries that are left", yield* left, idsOf(remaining).sort());
  const { items, total } = yield* storage.list(customerId, "webhookDelivery", Build.query());
  yield* expectSame(
    "the list of them",
    [items.map(({ id }) => id as string).sort(), total],
    [idsOf(remaining).sort(), 3],
  );
});

const oldTrials = Effect.gen(function* () {
  const storage = yield* Storage;
  const now = yield* Clock.currentTimeMillis;
  const scene = yield* Scene.create();
  const { customerId, partnerId } = scene;
  const endedTrial = (agoMilliseconds: number) => {
    const finishedAt = now - agoMilliseconds;
    return Build.planTrial(scene, { state: "done", createdAt: finishedAt - 1, finishedAt });
  };
  const old = [endedTrial(KEPT_MILLISECONDS + MARGIN), endedTrial(KEPT_MILLISECONDS + 2 * MARGIN)];
  const remaining = [endedTrial(KEPT_MILLISECONDS - MARGIN), Build.planTrial(scene)];
  const results = [...old, ...remaining].map(({ row }) => Build.planTrialResult(row, partnerId));
  const ended = { trialMilliseconds: KEPT_MILLISECONDS };
  // What other laws left goes first, and then the commands of this one, because the batch below counts.
  yield* Scene.commit(customerId, [...old, ...remaining]);
  yield* Scene.commit(customerId, results);
  yield* prune(KEPT_MILLISECONDS);
  const batch = { idempotencyMilliseconds: KEPT_MILLISECONDS, ...ENDED_KEPT, ...ended, limit: 1 };
  yield* expectSame("how many were removed of one at most", yield* storage.prune(batch), 1);
  yield* prune(KEPT_MILLISECONDS, ended);
  const left = remaining.map(({ row }) => row.id as string).sort();
  const query = { ...Build.query(), perPage: 100 };
  const trials = yield* storage.list(customerId, "planTrial", query);
  yield* expectSame(
    "the trials that are left",
    [trials.items.map(({ id }) => id as string).sort(), trials.total],
    [left, 2],
  );
  const kept = yield* storage.list(customerId, "planTrialResult", query);
  yield* expectSame(
    "the trials of the results that are left",
    kept.items.map(({ trialId }) => trialId as string).sort(),
    left,
  );
});

const oldRecredits = Effect.gen(function* () {
  const storage = yield* Storage;
  const now = yield* Clock.currentTimeMillis;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const sale = Build.attribution(scene);
  const ended = (agoMilliseconds: number, dryRun = true) => {
    const finishedAt = now - agoMilliseconds;
    return Build.recreditRun(scene, { dryRun, state: "done", createdAt: finishedAt - 1, finishedAt });
  };
  const tried = [ended(KEPT_MILLISECONDS + MARGIN), ended(KEPT_MILLISECONDS + 2 * MARGIN)];
  const remaining = [
    ended(KEPT_MILLISECONDS - MARGIN),
    ended(KEPT_MILLISECONDS + MARGIN, false),
    Build.recreditRun(scene, { dryRun: true }),
  ];
  const results = [...tried, ...remaining].map(({ row }) => Build.recreditRunResult(row, sale.row.id));
  // What other laws left goes first, and then the commands of this one, because the batch below counts.
  yield* prune(KEPT_MILLISECONDS, { trialMilliseconds: KEPT_MILLISECONDS });
  yield* Scene.commit(customerId, [sale, ...tried, ...remaining]);
  yield* Scene.commit(customerId, results);
  yield* prune(KEPT_MILLISECONDS);
  const batch = { idempotencyMilliseconds: KEPT_MILLISECONDS, ...ENDED_KEPT };
  const one = yield* storage.prune({ ...batch, trialMilliseconds: KEPT_MILLISECONDS, limit: 1 });
  yield* expectSame("how many were removed of one at most", one, 1);
  yield* prune(KEPT_MILLISECONDS, { trialMilliseconds: KEPT_MILLISECONDS });
  const left = remaining.map(({ row }) => row.id as string).sort();
  const query = { ...Build.query(), perPage: 100 };
  const runs = yield* storage.list(customerId, "recreditRun", query);
  const kept = yield* storage.list(customerId, "recreditRunResult", query);
  yield* expectSame(
    "the runs that are left, and those of the results",
    [runs.items.map(({ id }) => id as string).sort(), kept.items.map(({ runId }) => runId as string).sort()],
    [left, left],
  );
});

const reusableKeys = Effect.gen(function* () {
  const storage = yield* Storage;
  const customerId = Build.fresh.customer();
  const { idempotencyRecord } = yield* storeCommand(customerId, KEPT_MILLISECONDS + MARGIN);
  yield* prune(KEPT_MILLISECONDS);
  const again = yield* storeCommand(customerId, 0, idempotencyRecord.key);
  const found = yield* storage.findIdempotencyRecord(customerId, Build.ACTOR, idempotencyRecord.key);
  yield* expectSame("the record stored under the key afterwards", found, again.idempotencyRecord);
});

const absenceOfOldCommands = Effect.gen(function* () {
  const storage = yield* Storage;
  const customerId = Build.fresh.customer();
  const lookUp = (agoMilliseconds: number) =>
    Effect.map(
      Effect.either(
        Effect.flatMap(Scene.createCommand(agoMilliseconds), (command) =>
          storage.isCommitted(customerId, command),
        ),
      ),
      (committed) => (Either.isRight(committed) ? committed.right : committed.left.reason),
    );
  yield* expectSame(
    "an unknown command a little younger than 12 hours",
    yield* lookUp(ABSENCE_IS_CONCLUSIVE_MILLISECONDS - MARGIN),
    false,
  );
  yield* expectSame(
    "an unknown command older than 12 hours",
    yield* lookUp(ABSENCE_IS_CONCLUSIVE_MILLISECONDS + MARGIN),
    "unknown",
  );
  const { command } = yield* storeCommand(customerId, COMMAND_RETENTION_MILLISECONDS + MARGIN);
  yield* expectSame(
    "a stored command that is older than a day",
    yield* storage.isCommitted(customerId, command),
    true,
  );
  yield* prune(KEPT_MILLISECONDS);
  const reason = yield* Effect.flip(storage.isCommitted(customerId, command)).pipe(
    Effect.map(({ reason }) => reason),
    Effect.catchAll(() => Effect.succeed("no failure")),
  );
  yield* expectSame("the same command after it was removed", reason, "unknown");
});

export const pruning: ReadonlyArray<Law> = [
  law(REMOVES, "records and commands of two customers, on both sides of each age", bothSidesOfEachAge),
  law(
    ENDED,
    "deliveries received, given up and open, on both sides of the age, two at a time",
    oldDeliveries,
  ),
  law(ENDED, "trials on both sides of the age and one that runs, with their results", oldTrials),
  law(ENDED, "recredit runs, dry ones on both sides of the age, with their results", oldRecredits),
  law(LIMIT, "seven of each, five at a time", batches),
  law(FREE, "with another result", reusableKeys),
  law(UNKNOWN, "young, old, stored and removed commands", absenceOfOldCommands),
];
