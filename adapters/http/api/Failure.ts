/** What every refusal and failure looks like on the wire: a code, and a message in plain words. */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import { Schema } from "effect";
import type { Refusal } from "quittance";

/** The codes of failure that a caller may branch on. */
export const ErrorCode = Schema.Literal(
  "UNAUTHORIZED",
  "NOT_FOUND",
  "INTERNAL_ERROR",
  "BAD_REQUEST",
  "FORBIDDEN",
  "CONFLICT",
);
export type ErrorCode = typeof ErrorCode.Type;

/** The code of each kind of refusal. */
export const CODES = {
  Invalid: "BAD_REQUEST",
  Forbidden: "FORBIDDEN",
  Missing: "NOT_FOUND",
  Conflict: "CONFLICT",
} as const satisfies { readonly [Tag in Refusal.Refusal["_tag"]]: ErrorCode };

/** The body of every failure. A conflict's message starts with a stable token and a colon. */
export interface Failure {
  readonly error_code: ErrorCode;
  readonly message: string;
}

const failure = <Code extends ErrorCode>(
  code: Code,
  status: number,
  identifier: string,
  description: string,
) =>
  Schema.Struct({ error_code: Schema.Literal(code), message: Schema.String }).annotations(
    HttpApiSchema.annotations({ status, identifier, description }),
  );

/** The request can never succeed as written. */
export const BadRequest = failure(
  "BAD_REQUEST",
  400,
  "BadRequest",
  "The request can never succeed as written; the message names the field.",
);

/** The credential is missing, malformed, unknown, expired or revoked. */
export const Unauthorized = failure(
  "UNAUTHORIZED",
  401,
  "Unauthorized",
  "No credential, or not a valid one; nothing tells the cases apart.",
);

/** The credential does not allow this request. */
export const Forbidden = failure(
  "FORBIDDEN",
  403,
  "Forbidden",
  "The credential does not allow this request, whatever is stored.",
);

/** The record is not among what the caller can see. */
export const NotFound = failure(
  "NOT_FOUND",
  404,
  "NotFound",
  "Not among what the caller can see; absent and foreign look alike.",
);

/** The present state refuses the request. */
export const Conflict = failure(
  "CONFLICT",
  409,
  "Conflict",
  "The present state refuses the request; the message starts with a stable token and a colon: settlement_not_draft, settlement_state, settlement_terminal, settlement_stale, amount_too_large, four_eyes, commission_in_open_settlement, commission_not_computable, billing_mode, payout_unavailable, formula_cancelled, external_reference_reuse, idempotency_key_reuse or busy.",
);

/** The body exceeds its limit. */
export const ContentTooLarge = failure("BAD_REQUEST", 413, "ContentTooLarge", "The body exceeds its limit.");

/** The body is not of the media type the operation takes. */
export const UnsupportedMediaType = failure(
  "BAD_REQUEST",
  415,
  "UnsupportedMediaType",
  "The body is not of the media type that the operation takes.",
);

/** Something unexpected; the log holds the detail under the answer's X-Request-Id. */
export const InternalError = failure(
  "INTERNAL_ERROR",
  500,
  "InternalError",
  "Unexpected; the log holds the detail under the X-Request-Id.",
);

/** The store cannot be reached, or the answer took too long. */
export const Unavailable = failure(
  "INTERNAL_ERROR",
  503,
  "Unavailable",
  "The store cannot be reached or did not answer in time; try again after Retry-After seconds.",
);

/** The request did not arrive in time. */
export const RequestTimeout = failure(
  "BAD_REQUEST",
  408,
  "RequestTimeout",
  "The request took too long to arrive.",
);

/** The path and query exceed their limit. */
export const UriTooLong = failure("BAD_REQUEST", 414, "UriTooLong", "The path and query exceed their limit.");

/** The caller asks more often than it may. */
export const TooManyRequests = failure(
  "BAD_REQUEST",
  429,
  "TooManyRequests",
  "More requests than the credential may make; try again after Retry-After seconds.",
);

/** The path, query and headers exceed their limit. */
export const HeadersTooLarge = failure(
  "BAD_REQUEST",
  431,
  "HeadersTooLarge",
  "The path, query and headers exceed their limit.",
);

/** What any operation that takes a body and stores nothing may answer. */
export const ContentFailure = Schema.Union(ContentTooLarge, UnsupportedMediaType);

/** What any operation that takes a body may answer. */
export const BodyFailure = Schema.Union(Conflict, ContentTooLarge, UnsupportedMediaType);

/** What any operation on one record that takes no body may answer. */
export const RecordFailure = Schema.Union(NotFound, Conflict);

/** What any operation on one record that takes a body may answer. */
export const RecordBodyFailure = Schema.Union(NotFound, Conflict, ContentTooLarge, UnsupportedMediaType);
