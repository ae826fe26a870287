/** The key that a first start on an empty embedded store makes, so that a new user can call the server at once. */
import { chmodSync, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Effect, Schema } from "effect";
import { type ApiKey, ApiKeys, Directory, IdSource, Ids, Principal } from "quittance";

/** Where the key is kept, relative to the working folder. */
export const FILE = ".quittance/dev-key";

/** Only its owner may read the file. A key of another store that lies there is moved aside, not lost. */
const keep = (key: string): void => {
  mkdirSync(dirname(FILE), { recursive: true });
  if (existsSync(FILE)) renameSync(FILE, `${FILE}.${Math.trunc(statSync(FILE).mtimeMs)}`);
  writeFileSync(FILE, `${key}\n`, { mode: 0o600 });
  chmodSync(FILE, 0o600);
};

const PLATFORM: Principal.Principal = {
  principalId: "platform:first-start",
  kind: "platform",
  customerId: null,
  workspaceIds: "*",
  partnerIds: "*",
  agentId: null,
  scopes: Principal.ALL_SCOPES,
};

/** Makes one customer and one key with every scope when the store holds no key; answers what to tell the user. */
export const ensure = Effect.gen(function* () {
  const directory = yield* Directory.Directory;
  if (yield* directory.anyApiKey) return null;
  const keys = yield* ApiKeys.ApiKeys;
  const { next } = yield* IdSource.IdSource;
  const customerId = yield* Schema.decode(Ids.CustomerId)(yield* next).pipe(Effect.orDie);
  const input: ApiKey.Create = { customerId, name: "development", scopes: Principal.ALL_SCOPES };
  const { key } = yield* keys.create(PLATFORM, input);
  yield* Effect.sync(() => keep(key));
  return { key, customerId };
});
