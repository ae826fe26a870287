/** Laws of the directory and of the document store. */

import { Effect } from "effect";
import { MINUTE } from "../../domain/Timestamp.ts";
import { Directory } from "../../ports/Directory.ts";
import { DocumentStore } from "../../ports/Documents.ts";
import { AllCustomers, Storage } from "../../ports/Storage.ts";
import * as Build from "../Build.ts";
import { expectSame, type Law, law } from "../Law.ts";
import * as Scene from "../Scene.ts";

const apiKey = Effect.gen(function* () {
  const directory = yield* Directory;
  const customerId = Build.fresh.customer();
  const key = Build.apiKey(customerId, {
    kind: "partner",
    partnerIds: [Build.fresh.partner()],
    workspaceIds: [Build.fresh.workspace(), Build.fresh.workspace()],
    scopes: ["attributions:read"],
    name: "A key",
    expiresAt: Build.EPOCH + Build.DAY,
  });
  const { version: _, lastAt: __, ...due } = key.row;
  yield* expectSame("a key that is not stored yet", yield* directory.apiKey(key.row.keyId), null);
  yield* Scene.commit(customerId, [key]);
  const found = yield* directory.apiKey(key.row.keyId);
  const fields = Object.entries(found ?? {}).filter(([name]) => Object.hasOwn(due, name));
  yield* expectSame("the stored key", Object.fromEntries(fields), due);
  const revoked = Build.revokedKey(key.row);
  yield* Scene.commit(customerId, [revoked]);
  yield* expectSame(
    "the key after its revocation",
    (yield* directory.apiKey(key.row.keyId))?.revokedAt,
    Build.EPOCH,
  );
});

const keyUse = Effect.gen(function* () {
  const directory = yield* Directory;
  const customerId = Build.fresh.customer();
  const key = Build.apiKey(customerId);
  const { keyId } = key.row;
  const lastUsed = Effect.map(directory.apiKey(keyId), (found) => found?.lastUsedAt);
  yield* Scene.commit(customerId, [key]);
  yield* expectSame("a key that was never used", yield* lastUsed, null);
  yield* directory.touch(keyId, Build.EPOCH + 5 * MINUTE);
  yield* expectSame("a key after its first use", yield* lastUsed, Build.EPOCH + 5 * MINUTE);
  yield* directory.touch(keyId, Build.EPOCH + 4 * MINUTE);
  yield* expectSame("a key after an earlier use was recorded", yield* lastUsed, Build.EPOCH + 5 * MINUTE);
  yield* Scene.commit(customerId, [Build.revokedKey(key.row)]);
  yield* expectSame(
    "a key saved from a row that was read before its use",
    yield* lastUsed,
    Build.EPOCH + 5 * MINUTE,
  );
  yield* directory.touch("0".repeat(16), Build.EPOCH);
});

const anyApiKey = Effect.gen(function* () {
  const storage = yield* Storage;
  const directory = yield* Directory;
  const query = Build.query({ perPage: 1 });
  const { total } = yield* storage.list(AllCustomers, "apiKey", query);
  yield* expectSame(`whether any of ${total} keys exists`, yield* directory.anyApiKey, total > 0);
  const customerId = Build.fresh.customer();
  yield* Scene.commit(customerId, [Build.apiKey(customerId)]);
  yield* expectSame("whether any key exists after one was stored", yield* directory.anyApiKey, true);
});

const paymentReference = Effect.gen(function* () {
  const directory = yield* Directory;
  yield* expectSame(
    "an unknown payment reference",
    yield* directory.paymentReference(Build.freshUuid()),
    null,
  );
});

const documentBytes = Effect.gen(function* () {
  const store = yield* DocumentStore;
  const customerId = Build.fresh.customer();
  const id = Build.fresh.document();
  const content = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);
  const due = [...content];
  const read = Effect.map(store.get(customerId, id), (found) => (found === null ? null : [...found]));
  yield* expectSame("bytes that are not stored yet", yield* read, null);
  yield* store.put(customerId, id, content);
  content.fill(0);
  yield* expectSame("the stored bytes after the caller overwrote its own array", yield* read, due);
  (yield* store.get(customerId, id))?.fill(0);
  yield* expectSame("the stored bytes after a reader overwrote its result", yield* read, due);
  yield* store.put(customerId, id, new Uint8Array([9]));
  yield* expectSame("the stored bytes after a second put under the same id", yield* read, due);
  yield* store.remove(customerId, id);
  yield* expectSame("bytes after their removal", yield* read, null);
  yield* store.remove(customerId, id);
  const empty = Build.fresh.document();
  yield* store.put(customerId, empty, new Uint8Array());
  yield* expectSame("an empty document", (yield* store.get(customerId, empty))?.length, 0);
});

/** Every law of look-ups before the tenant is known, and of document bytes. */
export const directory: ReadonlyArray<Law> = [
  law("The key whose public part this is, or null.", "absent, stored and revoked", apiKey),
  law(
    "Records that a key was used at a minute; never moves back.",
    "an earlier use recorded late, and a save in between",
    keyUse,
  ),
  law("True if any key exists at all.", "compared with the list of keys", anyApiKey),
  law(
    "The settlement for which a payment reference was ever issued, or null.",
    "an unknown payment reference",
    paymentReference,
  ),
  law(
    "Stores the bytes durably; storing the same id again keeps the first bytes.",
    "later changes of the caller's arrays change nothing",
    documentBytes,
  ),
  law("The bytes, or null.", "before and after storing, and empty", documentBytes),
  law("Forgets bytes that nothing refers to; absent ids are fine.", "removed twice", documentBytes),
];
