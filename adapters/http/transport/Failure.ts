/** The responses of requests that are refused or fail. */
import { Data, Effect } from "effect";
import { Refusal, type Storage, type TokenVerifier } from "quittance";
import {
  type Failure as Body,
  bodyOf,
  FAILURE_OF,
  FAILURES,
  type FailureName,
} from "../api/shared/Failure.ts";
import type { Response } from "./HttpMessage.ts";

/** The server refuses the request before its operation runs. */
export class Rejected extends Data.TaggedError("Rejected")<{ readonly response: Response }> {}

/** Refuses a request with a response. */
export const reject = (response: Response): Effect.Effect<never, Rejected> =>
  Effect.fail(new Rejected({ response }));

/** Everything that a request may fail with. */
export type Failure = Refusal.Refusal | Storage.StorageError | TokenVerifier.Unauthorized | Rejected;

const RETRY_AFTER_SECONDS = "1";

const responseWith = (
  name: FailureName,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  status: FAILURES[name].status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(body),
});

const response = (
  name: FailureName,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => responseWith(name, { error_code: FAILURES[name].code, message }, headers);

/** The path does not exist. */
export const unknownRoute = response("NotFound", "There is no such path");

/** The path exists, but not for this method. */
export const methodNotAllowed = (allow: string): Response =>
  response("MethodNotAllowed", `The path allows ${allow}`, { allow });

export const requestTimeout = response("RequestTimeout", "The request took too long to arrive");

export const contentTooLarge = (limitBytes: number): Response =>
  response("ContentTooLarge", `The body exceeds ${limitBytes} bytes`);

export const targetTooLong = (limit: number): Response =>
  response("UriTooLong", `The path and query exceed ${limit} characters`);

export const unsupportedMediaType = (required: string): Response =>
  response("UnsupportedMediaType", `The body must be ${required}`);

export const headersTooLarge = (limit: number): Response =>
  response("HeadersTooLarge", `The path, query and headers exceed ${limit} characters`);

/** The data is not HTTP, or the request ended early. */
export const badRequest = (message: string): Response => response("BadRequest", message);

/** No valid credential; the response contains no reason, so that it reveals nothing. */
const unauthorized = response(
  "Unauthorized",
  "Authentication credentials were not provided or are invalid.",
  { "www-authenticate": "Bearer" },
);

/** A webhook without a valid and recent signature of the provider. */
export const unsigned: Response = {
  ...unauthorized,
  headers: { ...unauthorized.headers, "www-authenticate": "HMAC-SHA256" },
};

export const tooManyRequests = (retryAfterSeconds: number): Response =>
  response("TooManyRequests", "The credential has made too many requests", {
    "retry-after": String(retryAfterSeconds),
  });

/** An unexpected error; the log has the details. */
export const unexpected = response("InternalError", "An unexpected error occurred.");

/** The store is unreachable, or the response took too long. */
export const unavailable = response(
  "Unavailable",
  "The service is temporarily unavailable; repeat the request with its Idempotency-Key to find out whether a change was made.",
  { "retry-after": RETRY_AFTER_SECONDS },
);

/** Bodies of other requests use all memory for bodies; the request had no effect. */
export const overloaded = response(
  "Unavailable",
  "The service is reading too many large requests at once; nothing was changed, retry.",
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
      return responseWith(
        FAILURE_OF[failure._tag],
        bodyOf(failure._tag, failure.message, Refusal.facts(failure)),
      );
    case "StorageError":
      return failure.reason === "broken" ? unexpected : unavailable;
  }
};
