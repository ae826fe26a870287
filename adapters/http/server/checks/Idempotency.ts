/** Reads the header Idempotency-Key, and computes the digest by which a repeated request is recognised. */
import { Effect, Either } from "effect";
import { Digest, Json, Limits, type Pipeline, Refusal } from "quittance";
import { isUploadedFile } from "../../api/SettlementDocuments.ts";
import type { Request } from "../../transport/HttpMessage.ts";

const VISIBLE_ASCII = /^[!-~]+$/;

const NONE: Either.Either<null, never> = Either.right(null);

/** Returns the key of a request; null without one. */
export const keyOf = (request: Request): Either.Either<string | null, Refusal.Invalid> => {
  const key = request.header("idempotency-key");
  if (key === undefined) return NONE;
  return key.length <= Limits.IDEMPOTENCY_KEY_MAX && VISIBLE_ASCII.test(key)
    ? Either.right(key)
    : Either.left(
        Refusal.invalid(
          "Idempotency-Key",
          `must be 1 to ${Limits.IDEMPOTENCY_KEY_MAX} visible ASCII characters`,
        ),
      );
};

/** Represents a file by its name and digest, because a repeated form has the same parts with another boundary. */
const describe = (digest: Digest.DigestService, payload: unknown): Effect.Effect<unknown> => {
  if (typeof payload !== "object" || payload === null || !("file" in payload)) return Effect.succeed(payload);
  const { file } = payload;
  return isUploadedFile(file)
    ? Effect.map(digest.sha256Hex(file.bytes), (sha256) => ({
        ...payload,
        file: { fileName: file.fileName, sha256 },
      }))
    : Effect.succeed(payload);
};

/** Returns the options of a command with a key. A request with the same key, method, path and decoded body is a repetition. */
export const options = (
  key: string,
  method: string,
  template: string,
  decoded: { readonly path: unknown; readonly payload: unknown },
): Effect.Effect<Pipeline.CommandOptions> =>
  Effect.gen(function* () {
    const digest = yield* Digest.Digest;
    const payload = yield* describe(digest, decoded.payload);
    const requestSha256 = yield* digest.sha256Hex(
      Json.canonicalJson([method, template, decoded.path, payload]),
    );
    return { idempotency: { key, requestSha256 } };
  });
