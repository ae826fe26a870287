/** Finds the stored key of a token whose secret is right. */
import { Effect } from "effect";
import type { ApiKey } from "../../domain/ApiKey.ts";
import { Digest } from "../../ports/Digest.ts";
import { Directory } from "../../ports/Directory.ts";
import type { StorageError, Versioned } from "../../ports/Storage.ts";

/** The form of a key: its public part, then its secret. */
export const FORM = /^qk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** True if two digests are the same; takes the same time wherever they first differ. */
export const sameDigest = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
};

/** Compared with the digest of an unknown key, so that unknown and wrong keys take the same time. */
const DUMMY_SHA256 = "0".repeat(64);

/** The key of a token, valid or not; null where there is none or its secret is another. */
export const findKey = (token: string): Effect.Effect<Versioned<ApiKey> | null, StorageError, Directory> =>
  Effect.gen(function* () {
    const [, keyId = "", secret = ""] = FORM.exec(token) ?? [];
    const directory = yield* Directory;
    const digest = yield* Digest;
    const key = yield* directory.apiKey(keyId);
    const known = sameDigest(yield* digest.sha256Hex(secret), key?.secretSha256 ?? DUMMY_SHA256);
    return known ? key : null;
  });
