/** The identity provider: OpenID Connect with the authorization code flow, PKCE, state and nonce. */
import { Redacted } from "effect";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { SignIn } from "../settings/SignIn.ts";
import type { Attempt } from "./Attempt.ts";

const SCOPE = "openid profile email";
const TIMEOUT_SECONDS = 10;

/** What a provider says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** The value of a claim: of its whole name, or else of the path that its dots describe. */
export const claimOf = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name
        .split(".")
        .reduce<unknown>(
          (value, key) =>
            typeof value === "object" && value !== null && Object.hasOwn(value, key)
              ? (value as Claims)[key]
              : undefined,
          claims,
        );

export interface Provider {
  /** Begins a sign-in: the address where the person continues, and what has to be remembered. */
  readonly begin: (returnTo: string) => Promise<{ readonly url: URL; readonly attempt: Attempt }>;
  /** The claims of the person whom the provider has sent back to the address `url`. Rejects where anything is not as it must be. */
  readonly finish: (url: URL, attempt: Attempt) => Promise<Claims>;
}

/** The provider of the settings. It is asked for its configuration at the first sign-in, and again after a failure. */
export const make = ({
  issuer,
  clientId,
  clientSecret,
  publicUrl,
  roleClaim,
  personClaim,
}: SignIn): Provider => {
  let found: Promise<Configuration> | null = null;
  const configuration = (): Promise<Configuration> => {
    found ??= discovery(issuer, clientId, Redacted.value(clientSecret), undefined, {
      timeout: TIMEOUT_SECONDS,
      ...(issuer.protocol === "http:" ? { execute: [allowInsecureRequests] } : {}),
    }).catch((problem: unknown) => {
      found = null;
      throw problem;
    });
    return found;
  };
  return {
    begin: async (returnTo) => {
      const attempt = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        returnTo,
      };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: `${publicUrl}/auth/callback`,
        scope: SCOPE,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
      });
      return { url, attempt };
    },
    finish: async (url, { state, nonce, verifier }) => {
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the provider has sent no ID token");
      // Providers may leave claims of a scope out of the token.
      const isComplete = [roleClaim, personClaim].every((name) => claimOf(claims, name) !== undefined);
      return !isComplete && config.serverMetadata().userinfo_endpoint !== undefined
        ? { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
        : claims;
    },
  };
};
