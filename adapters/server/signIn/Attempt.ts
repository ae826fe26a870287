/** What the server has to remember of a sign-in until the identity provider sends the browser back: it is in a cookie, encrypted. */
import { hkdfSync } from "node:crypto";
import { Redacted } from "effect";
import { EncryptJWT, jwtDecrypt } from "jose";

/** A sign-in that has begun. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  /** The address behind the `#` of the console where the person continues. */
  readonly returnTo: string;
}

/** How long a person may take at the identity provider. */
export const ATTEMPT_SECONDS = 600;

/** The key of the cookie, the same in every process with the client's secret. */
const keyOf = (secret: Redacted.Redacted): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", Redacted.value(secret), "", "quittance sign-in attempt", 32));

/** The value of the cookie. */
export const seal = (secret: Redacted.Redacted, attempt: Attempt, now: number): Promise<string> =>
  new EncryptJWT({ ...attempt })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setExpirationTime(Math.floor(now / 1_000) + ATTEMPT_SECONDS)
    .encrypt(keyOf(secret));

/** The attempt in a cookie; null where it is not of this server or has expired. */
export const open = async (
  secret: Redacted.Redacted,
  cookie: string,
  now: number,
): Promise<Attempt | null> => {
  try {
    const { payload } = await jwtDecrypt<Attempt>(cookie, keyOf(secret), {
      currentDate: new Date(now),
      requiredClaims: ["exp"],
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    return payload;
  } catch {
    return null;
  }
};
