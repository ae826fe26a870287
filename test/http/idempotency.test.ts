import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { scene } from "./Scene.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await start();
});

const partner = (fields: object = {}) => ({ name: "n", workspace_id: engine.workspaceId, ...fields });
const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
const total = async () => (await engine.call("GET", "/api/v1/partners")).body.total;

describe("Idempotency-Key", () => {
  it("returns the first response to a repetition, with one effect", async () => {
    const before = await total();
    const first = await engine.call("POST", "/api/v1/partners", { json: partner(), ...keyed("k1") });
    const again = await engine.call("POST", "/api/v1/partners", { json: partner(), ...keyed("k1") });
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(again.text).toBe(first.text);
    expect(await total()).toBe(before + 1);
  });

  it("compares requests by their content, not by their form", async () => {
    const { workspaceId } = engine;
    const first = await engine.call("POST", "/api/v1/partners", { json: partner(), ...keyed("k2") });
    const rewritten = await engine.call("POST", "/api/v1/partners", {
      body: `{ "unknown": 1, "workspace_id": "${workspaceId.toUpperCase()}", "name": "n" }`,
      headers: { "idempotency-key": "k2", "content-type": "application/json" },
    });
    expect([rewritten.status, rewritten.text]).toEqual([201, first.text]);
  });

  it("refuses another request under the same key", async () => {
    await engine.call("POST", "/api/v1/partners", { json: partner(), ...keyed("k3") });
    const body = await engine.call("POST", "/api/v1/partners", {
      json: partner({ name: "m" }),
      ...keyed("k3"),
    });
    expect([body.status, body.body.message]).toEqual([
      409,
      expect.stringMatching(/^idempotency_key_reuse: /),
    ]);
    const json = { name: "s", workspace_id: engine.workspaceId, properties: [] };
    const path = await engine.call("POST", "/api/v1/attribution-schemas", { json, ...keyed("k3") });
    expect(path.status).toBe(409);
  });

  it("does not store refusals", async () => {
    const { draft, act } = await scene(engine);
    const id = await draft();
    const path = `/api/v1/settlements/${id}/mark-as-paid`;
    expect((await engine.call("POST", path, keyed("k4"))).status).toBe(409);
    await act(id, "approve");
    expect((await engine.call("POST", `/api/v1/settlements/${id}/write-off`, keyed("k4"))).status).toBe(200);
  });

  it("replays every kind of command", async () => {
    const { partnerId, formulaId, attributionId, draft } = await scene(engine);
    const id = await draft();
    const commands: ReadonlyArray<readonly [string, string, unknown]> = [
      ["PATCH", `/api/v1/partners/${partnerId}`, { name: "renamed" }],
      ["PATCH", `/api/v1/commission-formulas/${formulaId}`, { name: "renamed" }],
      ["POST", `/api/v1/settlements/${id}/approve`, undefined],
      ["POST", `/api/v1/settlements/${id}/dispute`, { reason: "r" }],
      ["DELETE", `/api/v1/attributions/${attributionId}`, { reason: "r" }],
    ];
    for (const [index, [method, path, json]] of commands.entries()) {
      const asked = { ...(json === undefined ? {} : { json }), ...keyed(`command-${index}`) };
      const first = await engine.call(method, path, asked);
      const again = await engine.call(method, path, asked);
      expect([first.status, again.status, again.headers.get("idempotent-replayed")], path).toEqual([
        200,
        200,
        "true",
      ]);
    }
  });

  it("never shows the secret of an API key again", async () => {
    const json = { scopes: ["partners:read"] };
    const first = await engine.call("POST", "/api/v1/api-keys", { json, ...keyed("k5") });
    const again = await engine.call("POST", "/api/v1/api-keys", { json, ...keyed("k5") });
    expect([first.status, again.status]).toEqual([201, 409]);
    expect(again.text).not.toContain(first.body.key);
  });

  it.each([["x".repeat(256)], ["two words"], ["\u00e9"]])("refuses the key %j", async (key) => {
    const reply = await engine.call("POST", "/api/v1/partners", { json: partner(), ...keyed(key) });
    expect([reply.status, reply.body.message]).toEqual([
      400,
      "Idempotency-Key: must be 1 to 255 visible ASCII characters",
    ]);
  });

  it("accepts a key of 255 characters, and ignores keys of reads", async () => {
    const json = partner();
    expect((await engine.call("POST", "/api/v1/partners", { json, ...keyed("~".repeat(255)) })).status).toBe(
      201,
    );
    expect((await engine.call("GET", "/api/v1/partners", keyed("two words"))).status).toBe(200);
  });
});
