/** The cookies of people who sign in with a browser. */
import type { SessionCookie } from "quittance/http";

/** Names and attributes of the cookies of the server that browsers reach at `publicUrl`. */
export const cookiesOf = (publicUrl: string) => {
  const isSecure = publicUrl.startsWith("https:");
  // With `__Host-` a browser accepts a cookie from this host alone, over TLS.
  const prefix = isSecure ? "__Host-" : "";
  const cookie = (name: string, value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const session = `${prefix}quittance-session`;
  const attempt = `${prefix}quittance-sign-in`;
  return {
    session,
    attempt,
    setSession: (key: string, milliseconds: number) => cookie(session, key, milliseconds / 1_000),
    clearSession: cookie(session, "", 0),
    setAttempt: (value: string, seconds: number) => cookie(attempt, value, seconds),
    clearAttempt: cookie(attempt, "", 0),
  };
};

/** The cookie that the HTTP interface accepts as a credential. */
export const sessionCookie = (publicUrl: string): SessionCookie => ({
  name: cookiesOf(publicUrl).session,
  origin: new URL(publicUrl).origin,
});
