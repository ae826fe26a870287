import { describe, expect, it } from "vitest";
import { readSettings } from "../../../adapters/server/Settings.ts";
import { open, seal } from "../../../adapters/server/signIn/Attempt.ts";
import type { Provider } from "../../../adapters/server/signIn/Provider.ts";
import { sessionCookie } from "../../../adapters/server/signIn/SessionCookies.ts";
import { routes } from "../../../adapters/server/signIn/SignIn.ts";
import { environmentOf, SECRET, signInOf } from "./Console.ts";

const GOOD = environmentOf("https://pay.example", "https://identity.example/realms/team");

const problemWith = (change: Readonly<Record<string, string>>): string | null => {
  const settings = readSettings({ ...GOOD, ...change }, false);
  return settings._tag === "Left" ? settings.left : null;
};

describe("settings of signing in", () => {
  it("may be absent", () => {
    const settings = readSettings({ QUITTANCE_PUBLIC_URL: "https://pay.example" }, false);
    expect(settings).toMatchObject({ _tag: "Right", right: { signIn: null } });
  });

  it("have defaults: the names of our roles, and 8 hours", () => {
    expect(signInOf(GOOD)).toMatchObject({
      publicUrl: "https://pay.example",
      roleClaim: "roles",
      personClaim: "sub",
      sessionMilliseconds: 8 * 3_600_000,
    });
    expect([...signInOf(GOOD).roleNames]).toEqual(
      ["viewer", "operator", "approver", "admin"].map((role) => [role, role]),
    );
  });

  it.each<[Record<string, string>, string]>([
    [
      { QUITTANCE_PUBLIC_URL: "", QUITTANCE_OIDC_CUSTOMER: "" },
      "QUITTANCE_PUBLIC_URL, QUITTANCE_OIDC_CUSTOMER must be set too, because another setting of signing in is",
    ],
    [
      { QUITTANCE_OIDC_CLIENT_ID: "", QUITTANCE_OIDC_CLIENT_SECRET: "" },
      "QUITTANCE_OIDC_CLIENT_ID, QUITTANCE_OIDC_CLIENT_SECRET must be set too, because another setting of signing in is",
    ],
    [
      { QUITTANCE_PUBLIC_URL: "http://pay.example" },
      'QUITTANCE_PUBLIC_URL must be an https URL (http is for this machine only) without credentials, query and fragment, not "http://pay.example"',
    ],
    [
      { QUITTANCE_OIDC_ISSUER: "identity" },
      'QUITTANCE_OIDC_ISSUER must be an https URL (http is for this machine only) without credentials, query and fragment, not "identity"',
    ],
    [
      { QUITTANCE_OIDC_CUSTOMER: "acme" },
      'QUITTANCE_OIDC_CUSTOMER must be the id of a customer, a UUID, not "acme"',
    ],
    [
      { QUITTANCE_OIDC_ROLES: "finance=boss" },
      'QUITTANCE_OIDC_ROLES must be like finance-team=approver, with the roles viewer, operator, approver, admin, not "finance=boss"',
    ],
    [
      { QUITTANCE_OIDC_ROLES: "a=viewer,a=admin" },
      'QUITTANCE_OIDC_ROLES must name a role once, not "a" again',
    ],
    [{ QUITTANCE_SESSION_HOURS: "25" }, 'QUITTANCE_SESSION_HOURS must be a number from 1 to 24, not "25"'],
  ])("are refused: %j", (change, problem) => {
    expect(problemWith(change)).toBe(problem);
  });

  it("are not repeated in a refusal where they are secret", () => {
    expect(problemWith({ QUITTANCE_PUBLIC_URL: "" })).not.toContain(GOOD.QUITTANCE_OIDC_CLIENT_SECRET);
  });
});

describe("over TLS", () => {
  it("the cookies are of this host alone", async () => {
    const signIn = signInOf({ ...GOOD, QUITTANCE_PUBLIC_URL: "https://pay.example/console-of/acme/" });
    expect(sessionCookie(signIn.publicUrl)).toEqual({
      name: "__Host-quittance-session",
      origin: "https://pay.example",
    });
    const attempt = { state: "s", nonce: "n", verifier: "v", returnTo: "/" };
    const provider: Provider = {
      begin: async () => ({ url: new URL("https://identity.example/authorize"), attempt }),
      finish: () => Promise.reject(new Error("not reached")),
    };
    const [begin] = routes(signIn, {} as never, provider);
    const request = { target: "/auth/sign-in", header: () => undefined, method: "GET" } as never;
    const { Effect } = await import("effect");
    const response = await Effect.runPromise(begin?.respond(request, "", {} as never) as never);
    expect(response).toMatchObject({
      status: 303,
      cookies: [
        expect.stringMatching(
          /^__Host-quittance-sign-in=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ],
    });
  });
});

describe("the cookie of an attempt", () => {
  const attempt = { state: "s", nonce: "n", verifier: "v", returnTo: "/runs" };

  it("opens with the same secret within ten minutes, and shows nothing", async () => {
    const sealed = await seal(SECRET, attempt, 0);
    expect(await open(SECRET, sealed, 599_000)).toMatchObject(attempt);
    expect(await open(SECRET, sealed, 601_000)).toBeNull();
    expect(await open(SECRET, "", 0)).toBeNull();
    const parts = sealed.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect(parts.some((part) => part.includes("/runs"))).toBe(false);
    const other = signInOf({ ...GOOD, QUITTANCE_OIDC_CLIENT_SECRET: "another" }).clientSecret;
    expect(await open(other, sealed, 0)).toBeNull();
  });
});
