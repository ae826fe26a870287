/** A store that lives as long as the process: for tests, examples and evaluations. It keeps nothing on disk. */
import { Context, Effect, Layer } from "effect";
import { Directory, Documents, Outbox, Storage } from "quittance";
import * as Queue from "./Outbox.ts";
import * as Records from "./Storage.ts";
import { empty, join, type Store, view } from "./Store.ts";

const directory = (store: Store): Directory.DirectoryService => ({
  apiKey: (keyId) =>
    Effect.sync(() => {
      const route = store.apiKeys.get(keyId);
      return route === undefined ? null : (view(store, route.customerId).rows.apiKey.get(route.id) ?? null);
    }),
  touch: (keyId, minute) =>
    Effect.sync(() => {
      const route = store.apiKeys.get(keyId);
      if (route === undefined) return;
      const keys = view(store, route.customerId).rows.apiKey;
      const key = keys.get(route.id);
      if (key === undefined || (key.lastUsedAt !== null && key.lastUsedAt >= minute)) return;
      keys.set(route.id, Object.freeze({ ...key, lastUsedAt: minute }));
    }),
  anyApiKey: Effect.sync(() => store.apiKeys.size > 0),
  paymentReference: (reference) => Effect.sync(() => store.payments.get(reference) ?? null),
});

const documents = (store: Store): Documents.DocumentStoreService => ({
  put: (customerId, documentId, bytes) =>
    Effect.sync(() => {
      const key = join(customerId, documentId);
      if (!store.documents.has(key)) store.documents.set(key, bytes.slice());
    }),
  get: (customerId, documentId) =>
    Effect.sync(() => store.documents.get(join(customerId, documentId))?.slice() ?? null),
  remove: (customerId, documentId) =>
    Effect.sync(() => void store.documents.delete(join(customerId, documentId))),
});

/**
 * Every port that keeps something, over one store that begins empty; each build of the layer is a store of its own. The
 * store's clock is the one in force where the layer is built.
 */
export const layer: Layer.Layer<
  Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore
> = Layer.effectContext(
  Effect.map(Effect.clock, (clock) => {
    const store = empty();
    return Context.make(Storage.Storage, Records.make(store, clock)).pipe(
      Context.add(Directory.Directory, directory(store)),
      Context.add(Outbox.Outbox, Queue.make(store, clock)),
      Context.add(Documents.DocumentStore, documents(store)),
    );
  }),
);
