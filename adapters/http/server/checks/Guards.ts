/** What a request passes before its operation: credential, rate limit, scope. */
import { Effect, Either } from "effect";
import { type Pipeline, Principal, TokenVerifier } from "quittance";
import type { Sizes } from "../../api/shared/Limit.ts";
import type { BodyMemory } from "../../transport/BodyMemory.ts";
import * as Failure from "../../transport/Failure.ts";
import type { Request } from "../../transport/HttpMessage.ts";
import type * as RateLimit from "./RateLimit.ts";
import { checkUndeclaredBody } from "./RequestBody.ts";
import type * as RequestLog from "../observability/RequestLog.ts";
import type { Route } from "../routing/Route.ts";

const CREDENTIAL = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

const tokenOf = (request: Request): string | undefined =>
  CREDENTIAL.exec(request.header("authorization") ?? "")?.[1];

/** The credential verifier, the rate limit and the size limits that every request passes. */
export interface Guards {
  readonly sizes: Sizes;
  readonly bodyMemory: BodyMemory;
  readonly verifier: TokenVerifier.TokenVerifierService;
  readonly take: RateLimit.Take;
}

/** Refuses nothing. */
export const UNLIMITED: RateLimit.Take = () => 0;

/** Continues with the principal; `options` are passed on to its command. */
export type Next<Result> = (
  principal: Principal.Principal,
  options?: Pipeline.CommandOptions,
) => Effect.Effect<Result, Failure.Failure>;

/** Verifies the credential, takes a request from its rate limit, checks its scope and kind, and continues with the principal. */
export const authorizeRequest = <Result>(
  { verifier, take }: Guards,
  route: Route,
  request: Request,
  info: RequestLog.RequestInfo,
  next: Next<Result>,
): Effect.Effect<Result, Failure.Failure> => {
  const token = tokenOf(request);
  if (token === undefined) return Effect.fail(new TokenVerifier.Unauthorized());
  const enter: Next<Result> = (principal, options) => {
    info.principalId = principal.principalId;
    const waitSeconds = take(`${principal.customerId}/${principal.principalId}`);
    if (waitSeconds > 0) return Failure.reject(Failure.tooManyRequests(waitSeconds));
    const authorized = Principal.authorize(principal, route.operation);
    return Either.isLeft(authorized) ? Effect.fail(authorized.left) : next(principal, options);
  };
  const verified = (then: Next<Result>) =>
    Effect.flatMap(verifier.verify(token), (principal) => then(principal));
  // A replay commits nothing, so no commit would confirm a cached credential.
  if (
    !route.acceptsCachedCredential ||
    verifier.cachedCredential === undefined ||
    request.header("idempotency-key") !== undefined
  ) {
    return verified(enter);
  }
  return Effect.flatMap(verifier.cachedCredential(token), (cached) =>
    cached === null
      ? verified(enter)
      : Effect.catchAll(enter(cached.principal, { requires: cached.requires }), (failure) => {
          if (failure._tag === "StorageError") return Effect.fail(failure);
          // No commit has confirmed the credential: a revoked one must get 401 and no other refusal.
          info.principalId = null;
          return verified(({ principalId }) => {
            info.principalId = principalId;
            return Effect.fail(failure);
          });
        }),
  );
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
  const reading: Next<Result> = (principal, options) => {
    isRead = true;
    return next(principal, options);
  };
  return Effect.tapError(authorizeRequest(guards, route, request, info, reading), () =>
    isRead ? Effect.void : checkUndeclaredBody(request, route),
  );
};
