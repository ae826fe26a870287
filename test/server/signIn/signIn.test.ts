import { readFileSync } from "node:fs";
import type { JWTPayload } from "jose";
import { Principal } from "quittance";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROLE_NAMES } from "../../../adapters/server/settings/SignIn.ts";
import { ROLES } from "../../../adapters/server/signIn/Roles.ts";
import { newAgent } from "./Agent.ts";
import { CUSTOMER, call, isCallback, isConsole, type Place, start } from "./Console.ts";
import { OTHER_CLIENT } from "./IdentityProvider.ts";

const HOUR = 3_600_000;

let place: Place;
beforeAll(async () => {
  place = await start();
  const { people } = place.provider;
  people.set("vera", { name: "Vera Viewer", roles: ["viewer"] });
  people.set("otto", { name: "Otto Operator", roles: ["operator"] });
  people.set("anna", { name: "Anna Approver", roles: ["approver", "something else"] });
  people.set("ada", { name: "Ada Admin", roles: "admin" });
  people.set("both", { roles: ["operator", "approver"] });
  people.set("nobody", { name: "No Body" });
  people.set("guest", { name: "A Guest", roles: ["guest"] });
});
afterAll(() => place.stop());
beforeEach(() => {
  place.clock.ahead = 0;
  place.provider.forge = null;
  place.log.length = 0;
});

/** Where the browser is sent from a callback, below the public URL. */
const arrivalOf = async (agent = newAgent(), sub = "vera", from = "/auth/sign-in"): Promise<string> =>
  (await agent.signIn(`${place.url}${from}`, sub, isConsole)).slice(place.url.length);

/** The callback of a person who has signed in at the provider, not yet visited. */
const callbackOf = (agent = newAgent(), change = (url: URL): URL => url) =>
  agent
    .send(`${place.url}/auth/sign-in`)
    .then(({ location }) => agent.signIn(change(new URL(location ?? "")).href, "vera", isCallback));

const changed = (name: string, value: string) => (url: URL) => {
  url.searchParams.set(name, value);
  return url;
};

const principal = (agent = newAgent()) => call(place, agent, "GET", "principal");

describe("a person who signs in", () => {
  it("gets a session with the name, the person and the scopes of the role", async () => {
    const agent = newAgent();
    expect(await arrivalOf(agent, "anna", "/auth/sign-in?return_to=/settlements%3Fstatuses=draft")).toBe(
      "/console/#/settlements?statuses=draft",
    );
    const { status, body } = await principal(agent);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: "customer",
      customer_id: CUSTOMER,
      person: "jwt:anna",
      name: "Anna Approver",
      workspace_ids: "*",
      partner_ids: "*",
    });
    expect(new Set(body.scopes)).toEqual(new Set(ROLES.approver));
  });

  it("has the rights of all roles", async () => {
    const { body } = await principal(await place.signedIn("both"));
    expect(new Set(body.scopes)).toEqual(new Set([...ROLES.operator, ...ROLES.approver]));
    expect(body.name).toBe("both");
  });

  it("has a cookie that no script reads, and no other site sends with a form", async () => {
    const agent = newAgent();
    const callback = await callbackOf(agent);
    const { setCookies } = await agent.send(callback);
    expect(setCookies).toEqual([
      expect.stringMatching(
        /^quittance-session=qk_\w{16}_[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax$/,
      ),
      "quittance-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
    ]);
  });

  it.each(["https://evil.example/", "//evil.example", "/\u0000", "settlements", "/ü", ""])(
    "is never led to another place than the console: %s",
    async (returnTo) => {
      const from = `/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`;
      const arrival = new URL(await arrivalOf(newAgent(), "vera", from), place.url);
      expect(arrival.origin + arrival.pathname).toBe(`${place.url}/console/`);
      expect(arrival.hash).toMatch(/^#\//);
    },
  );
});

describe("nobody is signed in", () => {
  const expectProblem = async (agent: ReturnType<typeof newAgent>, callback: string, problem: string) => {
    const { status, location } = await agent.send(callback);
    expect([status, location]).toEqual([303, `${place.url}/console/?sign-in=${problem}#/`]);
    expect(agent.cookies.get("quittance-session")).toBeUndefined();
    expect((await principal(agent)).status).toBe(401);
    expect(place.log.join("\n")).toContain(`"${problem}"`);
  };

  it("with another state", async () => {
    const agent = newAgent();
    const callback = new URL(await callbackOf(agent));
    await expectProblem(agent, changed("state", "x".repeat(43))(callback).href, "failed");
  });

  it("with another nonce", async () => {
    const agent = newAgent();
    await expectProblem(agent, await callbackOf(agent, changed("nonce", "y".repeat(43))), "failed");
  });

  it("with another verifier of PKCE", async () => {
    const agent = newAgent();
    await expectProblem(agent, await callbackOf(agent, changed("code_challenge", "z".repeat(43))), "failed");
  });

  it("with a code of another client", async () => {
    const agent = newAgent();
    await expectProblem(agent, await callbackOf(agent, changed("client_id", OTHER_CLIENT)), "failed");
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ["for another audience", (claims) => ({ ...claims, aud: OTHER_CLIENT })],
    ["of another issuer", (claims) => ({ ...claims, iss: "https://evil.example" })],
    ["that has expired", (claims) => ({ ...claims, exp: 1_000 })],
    ["without a nonce", ({ nonce: _, ...claims }) => claims],
  ])("with an ID token %s", async (_, forge) => {
    const agent = newAgent();
    const callback = await callbackOf(agent);
    place.provider.forge = forge;
    await expectProblem(agent, callback, "failed");
  });

  it("by a callback that is repeated, or of another browser", async () => {
    const agent = newAgent();
    const callback = await callbackOf(agent);
    const attempt = agent.cookies.get("quittance-sign-in") ?? "";
    expect((await agent.send(callback)).location).toBe(`${place.url}/console/#/`);
    await expectProblem(newAgent(), callback, "expired");
    const thief = newAgent();
    thief.cookies.set("quittance-sign-in", attempt);
    await expectProblem(thief, callback, "failed");
  });

  it("later than ten minutes", async () => {
    const agent = newAgent();
    const callback = await callbackOf(agent);
    place.clock.ahead = 10 * 60_000 + 1_000;
    await expectProblem(agent, callback, "expired");
  });

  it("with a changed cookie", async () => {
    const agent = newAgent();
    const callback = await callbackOf(agent);
    const attempt = agent.cookies.get("quittance-sign-in") ?? "";
    agent.cookies.set("quittance-sign-in", `${attempt.slice(0, -2)}AA`);
    await expectProblem(agent, callback, "expired");
  });

  it("where the provider says that the person has refused", async () => {
    const agent = newAgent();
    const { location } = await agent.send(`${place.url}/auth/sign-in`);
    const state = new URL(location ?? "").searchParams.get("state");
    await expectProblem(agent, `${place.url}/auth/callback?error=access_denied&state=${state}`, "failed");
  });

  it.each(["nobody", "guest"])("without a known role: %s", async (sub) => {
    const agent = newAgent();
    expect(await arrivalOf(agent, sub, "/auth/sign-in?return_to=/runs")).toBe(
      "/console/?sign-in=no_role#/runs",
    );
    expect((await principal(agent)).status).toBe(401);
  });
});

describe("a session", () => {
  it("is no credential without the header that scripts of this origin send", async () => {
    const agent = await place.signedIn("vera");
    expect((await call(place, agent, "GET", "principal", undefined, {})).status).toBe(401);
    expect((await call(place, agent, "POST", "partners", {}, { origin: place.url })).status).toBe(401);
  });

  it.each([["https://evil.example"], ["null"], [""], ["http://localhost:1"]])(
    "changes nothing for a page of the origin '%s'",
    async (origin) => {
      const agent = await place.signedIn("ada");
      const headers = { "quittance-session": "1", ...(origin === "" ? {} : { origin }) };
      const refused = await call(place, agent, "POST", "api-keys", { name: "stolen" }, headers);
      expect(refused).toEqual({
        status: 403,
        body: { error_code: "FORBIDDEN", message: "The request does not come from a page of this server" },
      });
      expect((await agent.send(`${place.url}/auth/sign-out`, { method: "POST", headers })).status).toBe(403);
      expect((await principal(agent)).status).toBe(200);
      const { body } = await call(place, agent, "GET", "api-keys?per_page=100");
      expect(body.api_keys.map(({ name }: { name: string }) => name)).not.toContain("stolen");
    },
  );

  it("ends after its hours, whatever is done in it", async () => {
    const agent = await place.signedIn("vera");
    place.clock.ahead = 8 * HOUR - 60_000;
    expect((await principal(agent)).status).toBe(200);
    place.clock.ahead = 8 * HOUR;
    expect((await principal(agent)).status).toBe(401);
  });

  it("ends in every tab when the person signs out in one, and its key is worth nothing", async () => {
    const agent = await place.signedIn("ada");
    const key = agent.cookies.get("quittance-session") ?? "";
    const tab = newAgent();
    tab.cookies.set("quittance-session", key);
    const other = await place.signedIn("ada");
    expect((await principal(tab)).status).toBe(200);
    const left = await agent.send(`${place.url}/auth/sign-out`, {
      method: "POST",
      headers: { origin: place.url },
    });
    expect([left.status, agent.cookies.has("quittance-session")]).toEqual([204, false]);
    expect((await principal(tab)).status).toBe(401);
    const bearer = { authorization: `Bearer ${key}` };
    expect((await call(place, newAgent(), "GET", "principal", undefined, bearer)).status).toBe(401);
    // Another session of the same person is another one.
    expect((await principal(other)).status).toBe(200);
    const again = await tab.send(`${place.url}/auth/sign-out`, {
      method: "POST",
      headers: { origin: place.url },
    });
    expect(again.status).toBe(204);
  });

  it("ends when somebody signs in again in the same browser", async () => {
    const agent = await place.signedIn("vera");
    const before = newAgent();
    before.cookies.set("quittance-session", agent.cookies.get("quittance-session") ?? "");
    expect((await principal(before)).status).toBe(200);
    await arrivalOf(agent, "vera");
    expect([(await principal(before)).status, (await principal(agent)).status]).toEqual([401, 200]);
  });

  it("is listed as what it is, and not with the keys of programs", async () => {
    const agent = await place.signedIn("ada");
    const made = await call(place, agent, "POST", "api-keys", {
      name: "shop",
      scopes: ["attributions:write"],
    });
    expect(made.status).toBe(201);
    const namesOf = async (uses: string): Promise<ReadonlyArray<string>> => {
      const { body } = await call(place, agent, "GET", `api-keys?per_page=100&uses=${uses}`);
      return body.api_keys.map(({ name, use }: Record<string, string>) => `${use} ${name}`);
    };
    expect(await namesOf("program")).toEqual(["program shop"]);
    expect(new Set(await namesOf("session"))).toContain("session Ada Admin");
    expect(await namesOf("session")).not.toContain("program shop");
    const { body } = await call(place, agent, "GET", "events?types=create_api_key&limit=1000");
    const opened = body.events.map(({ event }: { event: Record<string, unknown> }) => event);
    expect(opened).toContainEqual(
      expect.objectContaining({
        use: "session",
        name: "Ada Admin",
        person: "jwt:ada",
        actor: { principal_id: "platform:sign-in", person: "platform:sign-in" },
      }),
    );
  });

  it("creates keys that outlast it, of the same person", async () => {
    const agent = await place.signedIn("ada");
    const made = await call(place, agent, "POST", "api-keys", { name: "nightly", scopes: ["partners:read"] });
    place.clock.ahead = 9 * HOUR;
    const bearer = { authorization: `Bearer ${made.body.key}` };
    const { status, body } = await call(place, newAgent(), "GET", "principal", undefined, bearer);
    expect([status, body.person, body.name]).toEqual([200, "jwt:ada", null]);
  });
});

/** The scopes of a role as the guide lists them: those of a viewer by reference. */
const guide = readFileSync(new URL("../../../docs/how-to/sign-in.md", import.meta.url), "utf8");
const statedScopes = (role: string): ReadonlyArray<string> => {
  const cell = new RegExp(`^\\| \`${role}\` \\|.*\\|([^|]*)\\|$`, "m").exec(guide)?.[1] ?? "";
  const own = [...cell.matchAll(/`([a-z]+:[a-z]+)`/g)].map(([, scope = ""]) => scope);
  if (cell.trim() === "all") return Principal.ALL_SCOPES;
  return cell.includes("those of `viewer`") ? [...statedScopes("viewer"), ...own] : own;
};

describe("roles", () => {
  it.each(ROLE_NAMES)("are in the guide as they are: %s", (role) => {
    expect(new Set(statedScopes(role))).toEqual(new Set(ROLES[role]));
  });

  it("leave drafting and paying to one and approving to another", () => {
    expect(ROLES.admin).toEqual(Principal.ALL_SCOPES);
    expect(ROLES.viewer.every((scope) => scope.endsWith(":read"))).toBe(true);
    expect(ROLES.operator).not.toContain("settlements:approve");
    expect(ROLES.approver.filter((scope) => !scope.endsWith(":read"))).toEqual(["settlements:approve"]);
    for (const role of ["viewer", "operator", "approver"] as const)
      expect(ROLES[role]).not.toContain("keys:admin");
  });
});
