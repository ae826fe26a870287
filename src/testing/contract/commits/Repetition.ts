/** Laws of repetition: an idempotency key is taken once, and a command that is stored can be found again. */
import { Effect } from "effect";
import { type IdempotencyRecord, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const REPEATED =
  "`VersionConflict` when a requirement, an expected version or a unique key no longer holds, `IdempotencyKeyUsed` when the idempotency key is taken.";

const record = (given: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  principalId: "principal 1",
  key: "~!key of 'visible' \\ASCII%_\"",
  requestSha256: "ab".repeat(32),
  result: { id: Build.freshUuid(), nested: { list: [1, "två", null, true], empty: {} } },
  at: Build.EPOCH + 5,
  ...given,
});

const outcome = (scene: Scene.Scene, remember: IdempotencyRecord) =>
  Scene.commit(scene.customerId, [Build.partner(scene)], { idempotencyRecord: remember }).pipe(
    Effect.as("stored"),
    Effect.catchTag("IdempotencyKeyUsed", () => Effect.succeed("IdempotencyKeyUsed")),
  );

const repeated = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const stored = record();
  const { principalId, key } = stored;
  yield* expectSame("before", yield* storage.findIdempotencyRecord(customerId, principalId, key), null);
  yield* expectSame("the first use", yield* outcome(scene, stored), "stored");
  yield* expectSame(
    "what was stored",
    yield* storage.findIdempotencyRecord(customerId, principalId, key),
    stored,
  );
  yield* expectSame("the same key again", yield* outcome(scene, record()), "IdempotencyKeyUsed");
  yield* expectSame(
    "with another request",
    yield* outcome(scene, record({ requestSha256: "cd".repeat(32) })),
    "IdempotencyKeyUsed",
  );
  yield* expectSame(
    "still what was stored first",
    yield* storage.findIdempotencyRecord(customerId, principalId, key),
    stored,
  );
  yield* expectSame(
    "by another principal",
    yield* outcome(scene, record({ principalId: "principal 2" })),
    "stored",
  );
  yield* expectSame("another key", yield* outcome(scene, record({ key: "other" })), "stored");
  const partners = yield* listAll(customerId, "partner");
  yield* expectSame("partners made", partners.length, 4);
});

const beforeRequirements = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const remember = record();
  const requires = [{ type: "record", kind: "partner", id: scene.partnerId, version: 1 }] as const;
  const rename = Scene.commit(scene.customerId, [Build.flat("partner", { ...scene.partner, name: "Once" })], {
    requires,
    idempotencyRecord: remember,
  });
  yield* rename;
  const again = yield* Effect.either(rename);
  const found = again._tag === "Left" ? again.left._tag : "stored";
  yield* expectSame("a repetition whose versions have moved too", found, "IdempotencyKeyUsed");
});

const refusedIsFree = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const remember = record();
  const requires = [{ type: "record", kind: "partner", id: scene.partnerId, version: 9 }] as const;
  yield* expectVersionConflict(
    "a refused use",
    Scene.commit(scene.customerId, [Build.partner(scene)], { idempotencyRecord: remember, requires }),
  );
  yield* expectSame(
    "after it",
    yield* storage.findIdempotencyRecord(scene.customerId, remember.principalId, remember.key),
    null,
  );
  yield* expectSame("the key's next use", yield* outcome(scene, remember), "stored");
});

const racing = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const records = Array.from({ length: 6 }, () => record());
  const outcomes = yield* Effect.all(
    records.map((each) => outcome(scene, each)),
    { concurrency: "unbounded" },
  );
  yield* expectSame("uses of one key at once", outcomes.toSorted(), [
    ...Array.from({ length: 5 }, () => "IdempotencyKeyUsed"),
    "stored",
  ]);
  const winner = records[outcomes.indexOf("stored")];
  const found = yield* storage.findIdempotencyRecord(scene.customerId, "principal 1", record().key);
  yield* expectSame("the answer kept", found, winner);
});

const alone = Effect.gen(function* () {
  const storage = yield* Storage;
  const customerId = Build.fresh.customer();
  const remember = record({ result: null });
  yield* Scene.commit(customerId, [], { idempotencyRecord: remember });
  yield* expectSame(
    "an answer without changes",
    yield* storage.findIdempotencyRecord(customerId, remember.principalId, remember.key),
    remember,
  );
});

const happened = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const command = yield* Scene.createCommand();
  const asked = storage.isCommitted(scene.customerId, command);
  yield* expect(!(yield* asked), "a command that was never sent has not happened");
  const requires = [{ type: "record", kind: "partner", id: scene.partnerId, version: 9 }] as const;
  yield* expectVersionConflict(
    "refused",
    Scene.commit(scene.customerId, [Build.partner(scene)], { command, requires }),
  );
  yield* expect(!(yield* asked), "a refused command has not happened");
  yield* Scene.commit(scene.customerId, [Build.partner(scene)], { command });
  yield* expect(yield* asked, "a stored command has happened");
});

/** Laws of repetition. */
export const repetition: ReadonlyArray<Law> = [
  law(REPEATED, "per customer and principal", repeated),
  law(REPEATED, "told before versions are looked at", beforeRequirements),
  law(REPEATED, "a refused commit leaves the key free", refusedIsFree),
  law(REPEATED, "six uses at once", racing),
  law("What was stored under an idempotency key, or null.", "an answer without any change", alone),
  law("Whether the command is stored: the question after a lost reply.", "before, refused, stored", happened),
];
