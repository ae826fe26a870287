/** The checks of a request before its operation: credential, rate limit, scope. */
import { Effect, Either } from "effect";
import { Principal, TokenVerifier } from "quittance";
import type { Sizes } from "../../api/shared/Limit.ts";
import type { BodyMemory } from "../../transport/BodyMemory.ts";
import * as Failure from "../../transport/Failure.ts";
import type { Request } from "../../transport/HttpMessage.ts";
import type * as RequestLog from "../observability/RequestLog.ts";
import type { Route } from "../routing/Route.ts";
import { BEARER_TOKEN } from "./BearerToken.ts";
import type { Next } from "./CachedCredential.ts";
import * as CachedCredential from "./CachedCredential.ts";
import type * as RateLimit from "./RateLimit.ts";
import { checkUndeclaredBody } from "./RequestBody.ts";
import { FOREIGN, isForeign, type SessionCookie, sessionTokenOf } from "./SessionCookie.ts";

const CREDENTIAL = new RegExp(`^bearer +(${BEARER_TOKEN})$`, "i");

const tokenOf = (request: Request): string | undefined =>
  CREDENTIAL.exec(request.header("authorization") ?? "")?.[1];

/** The cookie that counts; null where a header `Authorization` outranks it, also a malformed one. */
const cookieFor = (cookie: SessionCookie | null, request: Request): SessionCookie | null =>
  request.header("authorization") === undefined ? cookie : null;

/** The credential verifier, the cookie of sessions, the rate limit and the size limits of every request. */
export interface Guards {
  readonly sizes: Sizes;
  readonly bodyMemory: BodyMemory;
  readonly verifier: TokenVerifier.TokenVerifierService;
  readonly take: RateLimit.Take;
  /** Null where nobody signs in with a browser. */
  readonly sessionCookie: SessionCookie | null;
}

/** The token of a request, in the cookie if there is one that counts; else why it has none. */
const credentialOf = (
  cookie: SessionCookie | null,
  request: Request,
): string | TokenVerifier.Unauthorized | typeof FOREIGN => {
  const token = cookie === null ? tokenOf(request) : sessionTokenOf(cookie, request);
  if (token === undefined) return new TokenVerifier.Unauthorized();
  return cookie !== null && isForeign(cookie, request) ? FOREIGN : token;
};

/** A cookie is no place for the key of a program, which has no end and is in other places, too. */
const mayBeIn = (cookie: SessionCookie | null, { session }: Principal.Principal): boolean =>
  cookie === null || session === true;

/** The principal of a request to a route of the host's own, by the same credentials as that of an operation. */
export const authenticate = (
  { verifier, sessionCookie }: Pick<Guards, "verifier" | "sessionCookie">,
  request: Request,
): Effect.Effect<Principal.Principal, Failure.Failure> => {
  const cookie = cookieFor(sessionCookie, request);
  const token = credentialOf(cookie, request);
  if (typeof token !== "string") return Effect.fail(token);
  return Effect.filterOrFail(
    verifier.verify(token),
    (principal) => mayBeIn(cookie, principal),
    () => new TokenVerifier.Unauthorized(),
  );
};

/** No limit. */
export const UNLIMITED: RateLimit.Take = () => 0;

/** Verifies the credential, takes a request from its rate limit, checks its scope and kind, and continues with the principal. */
// Not an object of the five: every request would allocate it.
export const authorizeRequest = <Result>(
  { verifier, take, sessionCookie }: Guards,
  route: Route,
  request: Request,
  info: RequestLog.RequestInfo,
  next: Next<Result>,
): Effect.Effect<Result, Failure.Failure> => {
  const cookie = cookieFor(sessionCookie, request);
  const token = credentialOf(cookie, request);
  if (typeof token !== "string") return Effect.fail(token);
  const enter: Next<Result> = (principal, options) => {
    if (!mayBeIn(cookie, principal)) return Effect.fail(new TokenVerifier.Unauthorized());
    info.principalId = principal.principalId;
    const waitSeconds = take(`${principal.customerId}/${principal.principalId}`);
    if (waitSeconds > 0) return Failure.reject(Failure.tooManyRequests(waitSeconds));
    const authorized = Principal.authorize(principal, route.operation);
    return Either.isLeft(authorized) ? Effect.fail(authorized.left) : next(principal, options);
  };
  return route.acceptsCachedCredential
    ? CachedCredential.verify(verifier, token, request, info, enter)
    : Effect.flatMap(verifier.verify(token), (principal) => enter(principal));
};

/**
 * Authorizes a request whose body has not arrived; `next` reads it. Where authorization fails, a body without a declared
 * length is measured first: "too large" is reported before the credential.
 */
export const authorizeBeforeBody = <Result>(
  guards: Guards,
  route: Route,
  request: Request,
  info: RequestLog.RequestInfo,
  next: Next<Result>,
): Effect.Effect<Result, Failure.Failure> => {
  let isRead = request.header("content-length") !== undefined;
  const markReadAndContinue: Next<Result> = (principal, options) => {
    isRead = true;
    return next(principal, options);
  };
  return Effect.tapError(authorizeRequest(guards, route, request, info, markReadAndContinue), () =>
    isRead ? Effect.void : checkUndeclaredBody(request, route),
  );
};
