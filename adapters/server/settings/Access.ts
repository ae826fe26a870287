/** Whose tokens are accepted in addition to API keys. */
import { Either } from "effect";
import * as Value from "../Value.ts";
import { type Parsed, setting } from "./Setting.ts";

/** Settings of credentials. */
export const ACCESS = {
  adminToken: setting({
    name: "QUITTANCE_ADMIN_TOKEN",
    option: "admin-token",
    placeholder: "token",
    fallback: "",
    meaning:
      "token of the platform, 32 characters or more; better set in the environment than on a command line",
    details:
      "token of the platform: whoever sends it reads across customers and creates the first keys; better set in the environment than on a command line",
    kind: Value.adminToken,
  }),
  jwtIssuer: setting({
    name: "QUITTANCE_JWT_ISSUER",
    option: "jwt-issuer",
    placeholder: "issuer",
    fallback: "",
    meaning: "accept tokens of this identity provider beside API keys; needs the two settings below",
    details:
      "accept tokens of this identity provider beside API keys; needs `QUITTANCE_JWT_AUDIENCE` and `QUITTANCE_JWT_KEYS_URL`",
    kind: Value.text,
  }),
  jwtAudience: setting({
    name: "QUITTANCE_JWT_AUDIENCE",
    option: "jwt-audience",
    placeholder: "audience",
    fallback: "",
    meaning: "the audience of this server in the identity provider's tokens",
    kind: Value.text,
  }),
  jwtKeysUrl: setting({
    name: "QUITTANCE_JWT_KEYS_URL",
    option: "jwt-keys-url",
    placeholder: "url",
    fallback: "",
    meaning: "URL of the identity provider's public keys (JWKS)",
    kind: Value.endpoint,
  }),
};

/** The identity provider that the settings name, or null. */
export const joinJwt = ({
  jwtIssuer,
  jwtAudience,
  jwtKeysUrl,
}: Parsed<typeof ACCESS>): Value.Value<Value.IdentityProvider | null> => {
  if (jwtIssuer === "" && jwtAudience === "" && jwtKeysUrl === null) return Either.right(null);
  return jwtIssuer !== "" && jwtAudience !== "" && jwtKeysUrl !== null
    ? Either.right({ issuer: jwtIssuer, audience: jwtAudience, keys: new URL(jwtKeysUrl) })
    : Either.left(
        `${ACCESS.jwtIssuer.name}, ${ACCESS.jwtAudience.name} and ${ACCESS.jwtKeysUrl.name} must all be set, or none`,
      );
};
