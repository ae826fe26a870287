/** Invitations in a browser over HTTP: reading one uses nothing up, accepting it sets the cookie, and only a session may be in it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Agent, newAgent, type Visited } from "./Agent.ts";
import { call, type Place, start } from "./Console.ts";

const WORKSPACE = "6f1c2d4e-0000-4000-8000-0000000000a1";
const DAY = 86_400_000;

let place: Place;
let ada: Agent;
let partnerId = "";
beforeAll(async () => {
  place = await start();
  place.provider.people.set("ada", { name: "Ada Admin", roles: "admin" });
  ada = await place.signedIn("ada");
  const { body } = await call(place, ada, "POST", "partners", { name: "Nordlys", workspace_id: WORKSPACE });
  partnerId = body.id;
});
afterAll(() => place.stop());
beforeEach(() => {
  place.clock.ahead = 0;
  place.log.length = 0;
});

const invite = async (extra: object = {}): Promise<{ readonly id: string; readonly key: string }> =>
  (
    await call(place, ada, "POST", "api-keys", {
      kind: "partner",
      use: "invitation",
      partner_ids: [partnerId],
      scopes: ["partners:read", "settlements:read", "settlements:write"],
      name: "Nordlys",
      ...extra,
    })
  ).body;

const read = (key: string, agent = newAgent()): Promise<Visited> =>
  agent.send(`${place.url}/auth/invitation`, { headers: { authorization: `Bearer ${key}` } });

const accept = (key: string, agent: Agent, headers: object = { origin: place.url }): Promise<Visited> =>
  agent.send(`${place.url}/auth/invitation`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
  });

const stateOf = async (key: string): Promise<string> => JSON.parse((await read(key)).text).state;

describe("an invitation in a browser", () => {
  it("says for whom it is as often as it is read, and is not used up by that", async () => {
    const { key } = await invite();
    for (const _ of [1, 2, 3]) {
      const { status, text, setCookies } = await read(key);
      expect([status, setCookies]).toEqual([200, []]);
      expect(JSON.parse(text)).toEqual({
        state: "open",
        expires_at: expect.stringMatching(/Z$/),
        partner_names: ["Nordlys"],
        customer_name: null,
      });
    }
    expect((await accept(key, newAgent())).status).toBe(204);
  });

  it("opens a session of the partner in a cookie that no script and no other site reads", async () => {
    const { id, key } = await invite();
    const agent = newAgent();
    const { status, text, setCookies } = await accept(key, agent);
    expect([status, text]).toEqual([204, ""]);
    expect(setCookies).toEqual([
      expect.stringMatching(
        /^quittance-session=qk_[\w-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const { body } = await call(place, agent, "GET", "principal");
    expect(body).toMatchObject({ kind: "partner", partner_ids: [partnerId], name: "Nordlys" });
    expect(body.person).not.toContain("ada");
    const listed = await call(place, ada, "GET", `api-keys?partner_ids=${partnerId}&per_page=100`);
    const session = listed.body.api_keys.find((one: { readonly id: string }) => one.id === body.principal_id);
    expect(session).toMatchObject({ use: "session", person: `partner:${partnerId}` });
    expect(listed.body.api_keys.find((one: { readonly id: string }) => one.id === id)).toMatchObject({
      session_id: session.id,
      revoked_at: expect.any(String),
    });
    // Signing out ends it, at the server too.
    const cookie = new Map(agent.cookies);
    const out = await agent.send(`${place.url}/auth/sign-out`, {
      method: "POST",
      headers: { origin: place.url },
    });
    expect([out.status, agent.cookies.size]).toEqual([204, 0]);
    for (const [name, value] of cookie) agent.cookies.set(name, value);
    expect((await call(place, agent, "GET", "principal")).status).toBe(401);
  });

  it("is accepted from a page of this server alone, once, and by one of two at once", async () => {
    const { key } = await invite();
    for (const headers of [{}, { origin: "https://evil.example" }, { origin: `${place.url}.evil.example` }]) {
      const { status, setCookies } = await accept(key, newAgent(), headers);
      expect([status, setCookies]).toEqual([403, []]);
    }
    const clicks = await Promise.all([accept(key, newAgent()), accept(key, newAgent())]);
    expect(clicks.map(({ status }) => status).sort()).toEqual([204, expect.toSatisfy((one) => one >= 401)]);
    expect((await accept(key, newAgent())).status).toBe(401);
    expect(await stateOf(key)).toBe("accepted");
  });

  it("that was withdrawn, has expired or is none says so to whoever has its secret", async () => {
    const withdrawn = await invite();
    await call(place, ada, "DELETE", `api-keys/${withdrawn.id}`);
    expect(await stateOf(withdrawn.key)).toBe("withdrawn");
    const { key } = await invite();
    place.clock.ahead = 7 * DAY;
    expect(await stateOf(key)).toBe("expired");
    expect((await accept(key, newAgent())).status).toBe(401);
    const program = await call(place, await place.signedIn("ada"), "POST", "api-keys", {
      kind: "partner",
      partner_ids: [partnerId],
    });
    const wrong = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
    for (const other of [program.body.key, wrong, "qk_0", ""]) expect((await read(other)).status).toBe(401);
  });

  it("takes the place of the session that the browser had, and ends that", async () => {
    const agent = await place.signedIn("ada");
    const before = new Map(agent.cookies);
    await accept((await invite()).key, agent);
    expect((await call(place, agent, "GET", "principal")).body.kind).toBe("partner");
    const old = newAgent();
    for (const [name, value] of before) old.cookies.set(name, value);
    expect((await call(place, old, "GET", "principal")).status).toBe(401);
  });

  it("has its secret in no line of the log, and the session neither", async () => {
    const { key } = await invite();
    const agent = newAgent();
    await read(key);
    await accept(key, agent);
    await accept(key, newAgent());
    const seen = place.log.join("\n");
    expect(seen).toContain("/auth/invitation");
    for (const secret of [key, agent.cookies.get("quittance-session") ?? "-"])
      expect(seen).not.toContain(secret.slice(20));
  });
});

describe("the cookie of sessions", () => {
  it("accepts sessions alone: no key of a program, and no invitation", async () => {
    const { key } = await invite();
    const program = await call(place, ada, "POST", "api-keys", {});
    for (const other of [key, program.body.key]) {
      const agent = newAgent();
      agent.cookies.set("quittance-session", other);
      expect((await call(place, agent, "GET", "principal")).status).toBe(401);
    }
    expect(await stateOf(key)).toBe("open");
  });
});
