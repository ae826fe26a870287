/** Begins a command with a cached credential, without a look-up; its commit confirms the credential. */
import { Effect } from "effect";
import type { Pipeline, Principal, TokenVerifier } from "quittance";
import type { Failure } from "../../transport/Failure.ts";
import type { Request } from "../../transport/HttpMessage.ts";
import type * as RequestLog from "../observability/RequestLog.ts";

/** Continues with the principal; `options` are passed on to its command. */
export type Next<Result> = (
  principal: Principal.Principal,
  options?: Pipeline.CommandOptions,
) => Effect.Effect<Result, Failure>;

/**
 * Continues with the cached principal of a token, or with a verified one where none is cached. A request with an
 * idempotency key is always verified, because a replay commits nothing.
 */
export const verify = <Result>(
  verifier: TokenVerifier.TokenVerifierService,
  token: string,
  request: Request,
  info: RequestLog.RequestInfo,
  next: Next<Result>,
): Effect.Effect<Result, Failure> => {
  const verifyUncached = (then: Next<Result>) =>
    Effect.flatMap(verifier.verify(token), (principal) => then(principal));
  if (verifier.cachedCredential === undefined || request.header("idempotency-key") !== undefined)
    return verifyUncached(next);
  return Effect.flatMap(verifier.cachedCredential(token), (cached) =>
    cached === null
      ? verifyUncached(next)
      : Effect.catchAll(next(cached.principal, { credential: cached.record }), (failure) => {
          if (failure._tag === "StorageError") return Effect.fail(failure);
          // No commit has confirmed the credential: a revoked one must get 401 and no other refusal.
          info.principalId = null;
          return verifyUncached(({ principalId }) => {
            info.principalId = principalId;
            return Effect.fail(failure);
          });
        }),
  );
};
