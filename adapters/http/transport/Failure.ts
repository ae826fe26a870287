/** The responses of requests that are refused or fail. */
import { Data, Effect } from "effect";
import type { Refusal, Storage, TokenVerifier } from "quittance";
import { type Failure as Body, FAILURE_OF, FAILURES, type FailureName } from "../api/shared/Failure.ts";
import type { Response } from "./HttpMessage.ts";

/** The request is refused before any operation sees it. */
export class Rejected extends Data.TaggedError("Rejected")<{ readonly response: Response }> {}

/** Refuses a request with a response. */
export const reject = (response: Response): Effect.Effect<never, Rejected> =>
  Effect.fail(new Rejected({ response }));

/** Everything that a request may fail with. */
export type Failure = Refusal.Refusal | Storage.StorageError | TokenVerifier.Unauthorized | Rejected;

const RETRY_AFTER_SECONDS = "1";

const response = (
  name: FailureName,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  status: FAILURES[name].status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify({ error_code: FAILURES[name].code, message } satisfies Body),
});

/** Nothing answers under this path. */
export const unknownRoute = response("NotFound", "There is no such path");

/** The path answers, but not to this method. */
export const methodNotAllowed = (allow: string): Response =>
  response("MethodNotAllowed", `The path answers to ${allow}`, { allow });

/** The sender took too long to say what it wants. */
export const requestTimeout = response("RequestTimeout", "The request took too long to arrive");

/** The body exceeds its limit. */
export const contentTooLarge = (limitBytes: number): Response =>
  response("ContentTooLarge", `The body exceeds ${limitBytes} bytes`);

/** The target exceeds its limit. */
export const targetTooLong = (limit: number): Response =>
  response("UriTooLong", `The path and query exceed ${limit} characters`);

/** The body is of another media type than the operation takes. */
export const unsupportedMediaType = (wanted: string): Response =>
  response("UnsupportedMediaType", `The body must be ${wanted}`);

/** Target and headers together exceed their limit. */
export const headersTooLarge = (limit: number): Response =>
  response("HeadersTooLarge", `The path, query and headers exceed ${limit} characters`);

/** What arrived is no HTTP, or ended early. */
export const malformed = (message: string): Response => response("BadRequest", message);

/** No valid credential; says nothing more, so that nothing can be learned from it. */
export const unauthorized = response(
  "Unauthorized",
  "Authentication credentials were not provided or are invalid.",
  { "www-authenticate": "Bearer" },
);

/** A webhook whose signature does not prove that the provider sent it, and just now. */
export const unsigned: Response = {
  ...unauthorized,
  headers: { ...unauthorized.headers, "www-authenticate": "HMAC-SHA256" },
};

/** The caller asks more often than it may. */
export const tooManyRequests = (retryAfterSeconds: number): Response =>
  response("TooManyRequests", "The credential has made too many requests", {
    "retry-after": String(retryAfterSeconds),
  });

/** Something nobody foresaw; the log tells what. */
export const unexpected = response("InternalError", "An unexpected error occurred.");

/** The store cannot be reached, or an answer took too long. */
export const unavailable = response(
  "Unavailable",
  "The service is temporarily unavailable; whether a change was made can be learned by repeating it under its Idempotency-Key.",
  { "retry-after": RETRY_AFTER_SECONDS },
);

/** The bodies of other requests take up the memory that there is for them; nothing was done. */
export const overloaded = response(
  "Unavailable",
  "The service is reading too many large requests at once; nothing was changed, try again.",
  { "retry-after": RETRY_AFTER_SECONDS },
);

/** The response to a failure. */
export const respond = (failure: Failure): Response => {
  switch (failure._tag) {
    case "Rejected":
      return failure.response;
    case "Unauthorized":
      return unauthorized;
    case "Invalid":
    case "Forbidden":
    case "Missing":
    case "Conflict":
      return response(FAILURE_OF[failure._tag], failure.message);
    case "StorageError":
      return failure.reason === "broken" ? unexpected : unavailable;
  }
};
