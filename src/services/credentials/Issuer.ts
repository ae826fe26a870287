/** Creates the secret of a key and the change that stores the key. */
import { Effect, Encoding } from "effect";
import * as ApiKey from "../../domain/ApiKey.ts";
import { Uuid } from "../../domain/Ids.ts";
import { Digest } from "../../ports/Digest.ts";
import { IdSource } from "../../ports/IdSource.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";

/** Returns a function that makes a key with a grant: its id, the key itself, which nothing stores, and the change to save. */
export const issuer = Effect.gen(function* () {
  const ids = yield* IdSource;
  const digest = yield* Digest;
  return ({ customerId, ...grant }: ApiKey.Grant, execution: Execution) =>
    Effect.gen(function* () {
      const id = yield* ids.next(Uuid);
      const keyId = Encoding.encodeHex(yield* ids.randomBytes(8));
      const secret = Encoding.encodeBase64Url(yield* ids.randomBytes(32));
      const credential = { keyId, secretSha256: yield* digest.sha256Hex(secret) };
      const created = ApiKey.create(grant, credential, execution);
      const saved = Save.appendEvents("apiKey", execution, { id, customerId, lastUsedAt: null }, [created]);
      return { id, key: `qk_${keyId}_${secret}`, saved };
    });
});
