/** Laws of the directory and of documents. */
import { Effect } from "effect";
import { Directory } from "../../ports/Directory.ts";
import { DocumentStore } from "../../ports/Documents.ts";
import { AllCustomers, Storage } from "../../ports/Storage.ts";
import * as Build from "../Build.ts";
import { expectSame, type Law, law } from "../Law.ts";
import * as Scene from "../Scene.ts";

const MINUTE = 60_000;

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
  yield* expectSame("before it is made", yield* directory.apiKey(key.row.keyId), null);
  yield* Scene.commit(customerId, [key]);
  const found = yield* directory.apiKey(key.row.keyId);
  const fields = Object.entries(found ?? {}).filter(([name]) => Object.hasOwn(due, name));
  yield* expectSame("the key", Object.fromEntries(fields), due);
  const revoked = Build.flat("apiKey", { ...key.row, revokedAt: Build.EPOCH });
  yield* Scene.commit(customerId, [revoked]);
  yield* expectSame("once revoked", (yield* directory.apiKey(key.row.keyId))?.revokedAt, Build.EPOCH);
});

const touched = Effect.gen(function* () {
  const directory = yield* Directory;
  const customerId = Build.fresh.customer();
  const key = Build.apiKey(customerId);
  const { keyId } = key.row;
  const lastUsed = Effect.map(directory.apiKey(keyId), (found) => found?.lastUsedAt);
  yield* Scene.commit(customerId, [key]);
  yield* expectSame("never used", yield* lastUsed, null);
  yield* directory.touch(keyId, Build.EPOCH + 5 * MINUTE);
  yield* expectSame("used", yield* lastUsed, Build.EPOCH + 5 * MINUTE);
  yield* directory.touch(keyId, Build.EPOCH + 4 * MINUTE);
  yield* expectSame("used, told late", yield* lastUsed, Build.EPOCH + 5 * MINUTE);
  yield* Scene.commit(customerId, [Build.flat("apiKey", { ...key.row, name: "Read before it was used" })]);
  yield* expectSame("saved by who had read it unused", yield* lastUsed, Build.EPOCH + 5 * MINUTE);
  yield* directory.touch("0".repeat(16), Build.EPOCH);
});

const anyApiKey = Effect.gen(function* () {
  const storage = yield* Storage;
  const directory = yield* Directory;
  const query = { where: {}, page: 1, perPage: 1, order: "asc" } as const;
  const { total } = yield* storage.list(AllCustomers, "apiKey", query);
  yield* expectSame(`of ${total} keys`, yield* directory.anyApiKey, total > 0);
  const customerId = Build.fresh.customer();
  yield* Scene.commit(customerId, [Build.apiKey(customerId)]);
  yield* expectSame("after one more", yield* directory.anyApiKey, true);
});

const paymentReference = Effect.gen(function* () {
  const directory = yield* Directory;
  yield* expectSame("never given", yield* directory.paymentReference(Build.freshUuid()), null);
});

const bytes = Effect.gen(function* () {
  const store = yield* DocumentStore;
  const customerId = Build.fresh.customer();
  const id = Build.fresh.document();
  const content = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);
  const due = [...content];
  const read = Effect.map(store.get(customerId, id), (found) => (found === null ? null : [...found]));
  yield* expectSame("before", yield* read, null);
  yield* store.put(customerId, id, content);
  content.fill(0);
  yield* expectSame("every byte, whatever becomes of the caller's own", yield* read, due);
  (yield* store.get(customerId, id))?.fill(0);
  yield* expectSame("whatever becomes of what was read", yield* read, due);
  yield* store.put(customerId, id, new Uint8Array([9]));
  yield* expectSame("after a second storing", yield* read, due);
  yield* store.remove(customerId, id);
  yield* expectSame("after it is forgotten", yield* read, null);
  yield* store.remove(customerId, id);
  const empty = Build.fresh.document();
  yield* store.put(customerId, empty, new Uint8Array());
  yield* expectSame("no bytes", (yield* store.get(customerId, empty))?.length, 0);
});

/** Laws of look-ups before the tenant is known, and of documents. */
export const directory: ReadonlyArray<Law> = [
  law("The key whose public part this is, or null.", "absent, made, revoked", apiKey),
  law("Notes that a key was used at a minute; never moves back.", "told late, and across a save", touched),
  law("Whether any key exists at all.", "as the list of keys says", anyApiKey),
  law("The settlement that a payment reference was ever given to, or null.", "never given", paymentReference),
  law(
    "Stores the bytes durably; storing the same id again keeps the first bytes.",
    "copies on both sides",
    bytes,
  ),
  law("The bytes, or null.", "before, after, empty", bytes),
  law("Forgets bytes that nothing refers to; absent ids are fine.", "twice", bytes),
];
