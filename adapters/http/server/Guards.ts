/** What a request passes before its operation: credential, rate limit, scope. */
import { Effect, Either } from "effect";
import { type Pipeline, Principal, TokenVerifier } from "quittance";
import type { Sizes } from "../api/Limit.ts";
import type { BodyMemory } from "../transport/BodyMemory.ts";
import * as Failure from "../transport/Failure.ts";
import type { Request } from "../transport/HttpMessage.ts";
import type * as RateLimit from "./RateLimit.ts";
import { checkUndeclaredBody } from "./RequestBody.ts";
import type * as RequestLog from "./RequestLog.ts";
import type { Route } from "./Route.ts";

const CREDENTIAL = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

const tokenOf = (request: Request): string | undefined =>
  CREDENTIAL.exec(request.header("authorization") ?? "")?.[1];

/** Who decides whether a request goes on: the credential, how often it may ask, and how large it may be. */
export interface Guards {
  readonly sizes: Sizes;
  readonly bodyMemory: BodyMemory;
  readonly verifier: TokenVerifier.TokenVerifierService;
  readonly take: RateLimit.Take;
}

/** Refuses nothing. */
export const UNLIMITED: RateLimit.Take = () => 0;

/** What follows once the principal is known; `options` are what its command has to be given. */
export type Next<Result> = (
  principal: Principal.Principal,
  options?: Pipeline.CommandOptions,
) => Effect.Effect<Result, Failure.Failure>;

/** Goes on with the principal of a request, once it is known, not asking too often, and allowed to do this. */
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
  // A replay is answered without a commit that could require anything.
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
          // No commit has shown that the credential is still good: whoever has lost it learns of nothing else.
          info.principalId = null;
          return verified(({ principalId }) => {
            info.principalId = principalId;
            return Effect.fail(failure);
          });
        }),
  );
};

/**
 * Goes on with the principal of a request whose body is not read yet; `next` reads it. A body without a length is measured
 * before its sender is turned away: too large outranks the credential.
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
