/**
 * Bearer credentials from an identity provider: JSON Web Tokens (RFC 7519), verified against its published keys.
 *
 * A token that is not a JWT is passed to the next verifier, so that API keys can be used as well.
 */
import { Clock, Effect, Layer, Schema } from "effect";
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { Principal, TokenVerifier } from "quittance";

/** Signatures that are accepted: asymmetric ones only, so that a verifier cannot sign. */
export const ALGORITHMS = ["EdDSA", "ES256", "RS256"];

const LIFE_SECONDS_MAX = 3_600;
const TOLERANCE_SECONDS = 30;

/** Whose tokens are accepted, for whom, and how their claims are read. */
export interface Options {
  /** Where the provider publishes its keys, or a look-up of keys that the host supplies. */
  readonly keys: URL | JWTVerifyGetKey;
  readonly issuer: string;
  readonly audience: string;
  /**
   * The principal that verified claims stand for, or null when they name none. By default the claims `customer_id`,
   * `kind`, `workspace_ids`, `partner_ids`, `agent_id` and `scopes` of the names of a principal, and `sub` as its id. In
   * either case the verifier puts `jwt:` before the id and ends the principal with the token. The person is the `person` of
   * the principal, or else `sub`, also after `jwt:`: whoever has several principals must state the same person in each.
   */
  readonly principalOf?: (claims: JWTPayload) => Principal.Principal | null;
}

const decodePrincipal = Schema.decodeUnknownOption(Principal.Principal);
const isPrincipal = Schema.is(Principal.Principal);

/** Without `workspace_ids` or `partner_ids`, a token grants access to all of the customer's; without `scopes`, it grants none. */
const principalOf = (claims: JWTPayload): Principal.Principal | null => {
  const kind = claims.kind ?? "customer";
  if (kind !== "customer" && kind !== "partner" && kind !== "agent") return null;
  const decoded = decodePrincipal({
    principalId: claims.sub,
    kind,
    customerId: claims.customer_id,
    workspaceIds: claims.workspace_ids ?? "*",
    partnerIds: claims.partner_ids ?? "*",
    agentId: claims.agent_id ?? null,
    scopes: claims.scopes ?? [],
  });
  if (decoded._tag === "None" || decoded.value.customerId === null) return null;
  const { partnerIds, agentId } = decoded.value;
  const isBound =
    kind === "partner"
      ? partnerIds !== "*" && partnerIds.length > 0
      : kind === "agent"
        ? agentId !== null
        : true;
  return isBound ? decoded.value : null;
};

/**
 * The principal in the name space of tokens: the provider chooses subjects, and none may be the id of an API key or of a
 * part of the engine, whose idempotency keys and events it would share. What it creates ends no later than the token.
 */
const asBearer = (
  principal: Principal.Principal | null,
  { exp, sub }: JWTPayload,
): Principal.Principal | null => {
  if (principal === null || exp === undefined) return null;
  const bearer = {
    ...principal,
    principalId: `jwt:${principal.principalId}`,
    person: `jwt:${principal.person ?? sub}`,
    expiresAt: Math.floor(exp * 1_000),
  };
  return isPrincipal(bearer) ? bearer : null;
};

/** Three base64url parts; the underlying verifier gets everything else. */
const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

/** Expiry and not-before are required, and lie at most an hour apart. */
const isShortLived = ({ exp, nbf }: JWTPayload): boolean =>
  exp !== undefined && nbf !== undefined && exp - nbf <= LIFE_SECONDS_MAX;

const toUnauthorized = () => new TokenVerifier.Unauthorized();

/** Verifies tokens of the provider; falls back to the underlying verifier for every other credential. */
export const layer = (
  options: Options,
): Layer.Layer<TokenVerifier.TokenVerifier, never, TokenVerifier.TokenVerifier> =>
  Layer.effect(
    TokenVerifier.TokenVerifier,
    Effect.gen(function* () {
      const fallback = yield* TokenVerifier.TokenVerifier;
      const keys = options.keys instanceof URL ? createRemoteJWKSet(options.keys) : options.keys;
      const toPrincipal = options.principalOf ?? principalOf;
      const verifyJwt = (token: string) =>
        Effect.gen(function* () {
          const now = new Date(yield* Clock.currentTimeMillis);
          const { payload } = yield* Effect.tryPromise({
            try: () =>
              jwtVerify(token, keys, {
                algorithms: ALGORITHMS,
                issuer: options.issuer,
                audience: options.audience,
                requiredClaims: ["exp", "nbf", "sub"],
                clockTolerance: TOLERANCE_SECONDS,
                currentDate: now,
              }),
            catch: toUnauthorized,
          });
          const principal = isShortLived(payload) ? asBearer(toPrincipal(payload), payload) : null;
          return principal ?? (yield* toUnauthorized());
        });
      return { verify: (token) => (isJwt(token) ? verifyJwt(token) : fallback.verify(token)) };
    }),
  );
