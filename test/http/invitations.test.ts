/** Invitations over HTTP: `POST /invitations/accept` with the invitation as the credential. */
import { beforeAll, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { scene } from "./Scene.ts";

let engine: Engine;
let partnerId: string;
beforeAll(async () => {
  engine = await start();
  ({ partnerId } = await scene(engine));
});

const invite = async (): Promise<{ readonly id: string; readonly key: string }> => {
  const json = {
    kind: "partner",
    use: "invitation",
    partner_ids: [partnerId],
    scopes: ["partners:read", "settlements:read"],
  };
  return (await engine.call("POST", "/api/v1/api-keys", { json })).body;
};

const accept = (token: string | null, headers: Readonly<Record<string, string>> = {}) =>
  engine.call("POST", "/api/v1/invitations/accept", { token, headers });

it("is accepted once, and the session sees its partner alone", async () => {
  const { id, key } = await invite();
  expect((await engine.call("GET", "/api/v1/partners", { token: key })).status).toBe(403);
  const clicks = await Promise.all([accept(key), accept(key)]);
  const [opened, ...others] = clicks.filter(({ status }) => status === 201);
  expect(others).toEqual([]);
  expect(clicks.filter((click) => click !== opened).map(({ status }) => status)).toEqual([
    expect.toSatisfy((status) => status === 401 || status === 403),
  ]);
  expect((await accept(key)).status).toBe(401);
  const session = opened?.body.key;
  expect((await engine.call("GET", "/api/v1/partners", { token: session })).body.partners).toEqual([
    expect.objectContaining({ id: partnerId }),
  ]);
  expect((await engine.call("POST", "/api/v1/partners", { token: session, json: {} })).status).toBe(403);
  const listed = async (use: string) =>
    (await engine.call("GET", `/api/v1/api-keys?uses=${use}`)).body.api_keys;
  expect(await listed("invitation")).toContainEqual(
    expect.objectContaining({ id, use: "invitation", revoked_at: expect.any(String) }),
  );
  expect(await listed("session")).toContainEqual(
    expect.objectContaining({ id: opened?.body.id, use: "session", kind: "partner", revoked_at: null }),
  );
});

it("is refused once it is withdrawn, and without a credential", async () => {
  const { id, key } = await invite();
  await engine.call("DELETE", `/api/v1/api-keys/${id}`);
  expect((await accept(key)).status).toBe(401);
  expect((await accept(null)).status).toBe(401);
});

it("is refused to any other credential, which stays as it was", async () => {
  expect((await accept(engine.token)).status).toBe(403);
  expect((await engine.call("GET", "/api/v1/principal")).status).toBe(200);
});

it("has its secret in no log and no event, and that of the session neither", async () => {
  const { key } = await invite();
  const { body } = await accept(key);
  await accept(key);
  const feed = await engine.call(
    "GET",
    "/api/v1/events?limit=1000&types=create_api_key&types=revoke_api_key",
  );
  const seen = JSON.stringify(feed.body) + engine.logs.join("\n");
  expect(seen).toContain("/api/v1/invitations/accept");
  for (const secret of [key, body.key]) {
    expect(secret).toMatch(/^qk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(seen).not.toContain(secret.slice(20));
  }
});
