/** The API key that the first start on an empty embedded store creates, so that a new user can call the server at once. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Effect } from "effect";
import { type ApiKey, ApiKeys, Directory, IdSource, Ids, Principal } from "quittance";
import { createFolder } from "../pglite/StoreFolder.ts";
import { DEFAULT_FOLDER } from "./Value.ts";

/** An embedded store, which has a development key: a folder, or the memory of the server on a port. */
type EmbeddedStore =
  | { readonly type: "pglite"; readonly folder: string }
  | { readonly type: "memory"; readonly port: number };

/** The key of the default store, relative to the working folder; where there is none, that of the store started last. */
const FILE = ".quittance/dev-key";

/** The file that holds a store's own key: in its folder, or next to {@link FILE} under the port of a store in memory. */
const fileOf = (store: EmbeddedStore): string =>
  store.type === "pglite" ? join(store.folder, "dev-key") : `${FILE}-memory-${store.port}`;

const isDefault = (store: EmbeddedStore): boolean =>
  store.type === "pglite" && resolve(store.folder) === resolve(DEFAULT_FOLDER);

const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, "utf8") : null);

/** Writes a file, atomically, that only its owner may read. */
const write = (file: string, text: string): void => {
  createFolder(dirname(file));
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
};

/** Copies a store's key to {@link FILE}, unless the key there belongs to the default store; returns where to find it. */
const publish = (store: EmbeddedStore): string => {
  const file = fileOf(store);
  if (!isDefault(store) && existsSync(DEFAULT_FOLDER)) return file;
  const key = textOf(file);
  if (key !== null && key !== textOf(FILE)) write(FILE, key);
  return isDefault(store) ? FILE : file;
};

/** Removes the key of a store, and its copy. */
const remove = (store: EmbeddedStore): void => {
  const key = textOf(fileOf(store));
  rmSync(fileOf(store), { force: true });
  if (key !== null && key === textOf(FILE)) rmSync(FILE, { force: true });
};

/** Stores a new key; returns its file, or why it could not be stored. */
const storeKey = (store: EmbeddedStore, key: string): string => {
  try {
    write(fileOf(store), `${key}\n`);
    return `stored in ${publish(store)}`;
  } catch (error) {
    return `not stored: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const PLATFORM = Principal.platform("platform:first-start");

/** Creates one customer and one key with every scope. */
export const createKey = (name: string) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys.ApiKeys;
    const { next } = yield* IdSource.IdSource;
    const customerId = yield* next(Ids.CustomerId);
    const input: ApiKey.Create = { customerId, name, scopes: Principal.ALL_SCOPES };
    const { key } = yield* keys.create(PLATFORM, input);
    return { key, customerId };
  });

/** The result of {@link ensure}. */
interface EnsuredKey {
  readonly lines: ReadonlyArray<string>;
  /** Null where the store held a key already. */
  readonly customerId: Ids.CustomerId | null;
}

const NOTHING_NEW: EnsuredKey = { lines: [], customerId: null };

/**
 * Creates a development key where the store holds no key; returns the lines to print, and the new customer. The file of
 * a store in memory is removed with the scope, like the store.
 */
export const ensure = (store: EmbeddedStore) =>
  Effect.gen(function* () {
    const directory = yield* Directory.Directory;
    if (yield* directory.anyApiKey) {
      yield* Effect.ignoreLogged(Effect.try(() => publish(store)));
      return NOTHING_NEW;
    }
    const { key, customerId } = yield* createKey("development");
    const outcome = yield* Effect.sync(() => storeKey(store, key));
    if (store.type === "memory") {
      yield* Effect.addFinalizer(() => Effect.ignoreLogged(Effect.try(() => remove(store))));
    }
    const ensuredKey: EnsuredKey = {
      lines: [`development key, ${outcome}: ${key}`, `its customer_id: ${customerId}`],
      customerId,
    };
    return ensuredKey;
  });
