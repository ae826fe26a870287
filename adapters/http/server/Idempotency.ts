/** The Idempotency-Key header, and the digest that tells a repeated request from another one. */
import { Effect, Either } from "effect";
import { Limits, type Pipeline, Refusal } from "quittance";
import { isUploadedFile } from "../api/SettlementDocuments.ts";
import type { Request } from "../transport/HttpMessage.ts";
import { canonical } from "../wire/JsonBody.ts";

const VISIBLE_ASCII = /^[!-~]+$/;

const NONE: Either.Either<null, never> = Either.right(null);

/** The key of a request, or null when it carries none. */
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

const sha256 = async (bytes: Uint8Array): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** A file by its name and digest: a repetition of a form brings the same parts under another boundary. */
const described = async (payload: unknown): Promise<unknown> => {
  if (typeof payload !== "object" || payload === null || !("file" in payload)) return payload;
  const file = payload.file;
  return isUploadedFile(file)
    ? { ...payload, file: { fileName: file.fileName, sha256: await sha256(file.bytes) } }
    : payload;
};

/** The options of a command that repeats under a key when its method, path and decoded body are the same. */
export const options = (
  key: string,
  method: string,
  template: string,
  decoded: { readonly path: unknown; readonly payload: unknown },
): Effect.Effect<Pipeline.CommandOptions> =>
  Effect.promise(async () => {
    const text = canonical([method, template, decoded.path, await described(decoded.payload)]);
    return { idempotency: { key, requestSha256: await sha256(new TextEncoder().encode(text)) } };
  });
