/** Laws of repetition: an idempotency key can be used once, and a stored command can be looked up by its id. */
import { Effect } from "effect";
import { type IdempotencyRecord, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const CONFLICTS =
  "`VersionConflict` when a requirement, an expected version or a unique key no longer holds, `IdempotencyKeyUsed` when the idempotency key is taken.";

const record = (overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  principalId: "principal 1",
  key: "~!key of 'visible' \\ASCII%_\"",
  requestSha256: "ab".repeat(32),
  result: { id: Build.freshUuid(), nested: { list: [1, "två", null, true], empty: {} } },
  at: Build.EPOCH + 5,
  ...overrides,
});

const commitOutcome = (scene: Scene.Scene, idempotencyRecord: IdempotencyRecord) =>
  Scene.commit(scene.customerId, [Build.partner(scene)], { idempotencyRecord }).pipe(
    Effect.as("stored"),
    Effect.catchTag("IdempotencyKeyUsed", () => Effect.succeed("IdempotencyKeyUsed")),
  );

const repeated = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const stored = record();
  const { principalId, key } = stored;
  yield* expectSame(
    "an unused key",
    yield* storage.findIdempotencyRecord(customerId, principalId, key),
    null,
  );
  yield* expectSame("the first use of a key", yield* commitOutcome(scene, stored), "stored");
  yield* expectSame(
    "the stored record",
    yield* storage.findIdempotencyRecord(customerId, principalId, key),
    stored,
  );
  yield* expectSame("the second use of a key", yield* commitOutcome(scene, record()), "IdempotencyKeyUsed");
  yield* expectSame(
    "the second use of a key with another request",
    yield* commitOutcome(scene, record({ requestSha256: "cd".repeat(32) })),
    "IdempotencyKeyUsed",
  );
  yield* expectSame(
    "the record after the second use",
    yield* storage.findIdempotencyRecord(customerId, principalId, key),
    stored,
  );
  yield* expectSame(
    "the key used by another principal",
    yield* commitOutcome(scene, record({ principalId: "principal 2" })),
    "stored",
  );
  yield* expectSame(
    "another key of the same principal",
    yield* commitOutcome(scene, record({ key: "other" })),
    "stored",
  );
  const partners = yield* listAll(customerId, "partner");
  yield* expectSame("the number of stored partners", partners.length, 4);
});

const beforeRequirements = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const idempotencyRecord = record();
  const requires = [{ type: "record", kind: "partner", id: scene.partnerId, version: 1 }] as const;
  const rename = Scene.commit(scene.customerId, [Build.renamedPartner(scene.partner, "Once")], {
    requires,
    idempotencyRecord,
  });
  yield* rename;
  const again = yield* Effect.either(rename);
  const found = again._tag === "Left" ? again.left._tag : "stored";
  yield* expectSame("a repeated command whose required versions no longer hold", found, "IdempotencyKeyUsed");
});

const refusedIsFree = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const idempotencyRecord = record();
  const requires = [{ type: "record", kind: "partner", id: scene.partnerId, version: 9 }] as const;
  yield* expectVersionConflict(
    "a commit whose requirement does not hold",
    Scene.commit(scene.customerId, [Build.partner(scene)], { idempotencyRecord, requires }),
  );
  yield* expectSame(
    "the key after the refused commit",
    yield* storage.findIdempotencyRecord(
      scene.customerId,
      idempotencyRecord.principalId,
      idempotencyRecord.key,
    ),
    null,
  );
  yield* expectSame("the next use of the key", yield* commitOutcome(scene, idempotencyRecord), "stored");
});

const racing = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const records = Array.from({ length: 6 }, () => record());
  const outcomes = yield* Effect.all(
    records.map((each) => commitOutcome(scene, each)),
    { concurrency: "unbounded" },
  );
  yield* expectSame("six concurrent uses of one key", outcomes.toSorted(), [
    ...Array.from({ length: 5 }, () => "IdempotencyKeyUsed"),
    "stored",
  ]);
  const winner = records[outcomes.indexOf("stored")];
  const found = yield* storage.findIdempotencyRecord(scene.customerId, "principal 1", record().key);
  yield* expectSame("the stored record", found, winner);
});

const recordWithoutChanges = Effect.gen(function* () {
  const storage = yield* Storage;
  const customerId = Build.fresh.customer();
  const idempotencyRecord = record({ result: null });
  yield* Scene.commit(customerId, [], { idempotencyRecord });
  yield* expectSame(
    "a record stored without any change",
    yield* storage.findIdempotencyRecord(customerId, idempotencyRecord.principalId, idempotencyRecord.key),
    idempotencyRecord,
  );
});

const committedCommands = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const command = yield* Scene.createCommand();
  const isCommitted = storage.isCommitted(scene.customerId, command);
  yield* expect(!(yield* isCommitted), "a command that was never sent is not stored");
  const requires = [{ type: "record", kind: "partner", id: scene.partnerId, version: 9 }] as const;
  yield* expectVersionConflict(
    "a commit whose requirement does not hold",
    Scene.commit(scene.customerId, [Build.partner(scene)], { command, requires }),
  );
  yield* expect(!(yield* isCommitted), "a refused command is not stored");
  yield* Scene.commit(scene.customerId, [Build.partner(scene)], { command });
  yield* expect(yield* isCommitted, "a stored command is not found");
});

export const repetition: ReadonlyArray<Law> = [
  law(CONFLICTS, "keys are separate per customer and principal", repeated),
  law(CONFLICTS, "checked before any version", beforeRequirements),
  law(CONFLICTS, "a refused commit leaves the key free", refusedIsFree),
  law(CONFLICTS, "six concurrent uses", racing),
  law(
    "What was stored under an idempotency key, or null.",
    "stored without any change",
    recordWithoutChanges,
  ),
  law(
    "True if the command is stored: the question after a lost reply.",
    "unknown, refused and stored commands",
    committedCommands,
  ),
];
