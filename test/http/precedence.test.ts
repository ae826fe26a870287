import { beforeAll, describe, expect, it } from "vitest";
import { type Asked, type Engine, start } from "./Engine.ts";
import { pdf, scene } from "./Scene.ts";

let engine: Engine;
let narrow: string;
let readOnly: string;
let partnerOfGrant: string;
let known: Awaited<ReturnType<typeof scene>>;

const NOWHERE = "00000000-0000-7000-8000-00000000dead";

beforeAll(async () => {
  engine = await start();
  known = await scene(engine);
  partnerOfGrant = known.partnerId;
  readOnly = await engine.keyOf({ customer_id: engine.customerId, scopes: ["commissions:read"] });
  narrow = await engine.keyOf({
    customer_id: engine.customerId,
    workspace_ids: [engine.workspaceId],
    partner_ids: [partnerOfGrant],
  });
});

const attribution = (fields: object = {}) => ({
  workspace_id: engine.workspaceId,
  partner_id: known.partnerId,
  schema_id: known.schemaId,
  properties: { order_value: 1 },
  ...fields,
});

const TOO_LARGE = "x".repeat(1024 * 1024 + 1);

describe("errors have one order", () => {
  /** Each request has its named error and all later ones; the response must report the first in the order. */
  const cases: ReadonlyArray<readonly [string, number, () => readonly [string, string, Asked]]> = [
    ["unknown path", 404, () => ["POST", "/api/v1/nothing", { token: null, body: TOO_LARGE }]],
    ["method", 405, () => ["PUT", "/api/v1/attributions", { token: null, body: TOO_LARGE }]],
    [
      "size",
      413,
      () => ["POST", "/api/v1/attributions?x=1", { token: null, body: TOO_LARGE, headers: JSON_TYPE }],
    ],
    [
      "media type",
      415,
      () => ["POST", "/api/v1/attributions?x=1", { token: null, body: "x", headers: TEXT_TYPE }],
    ],
    [
      "credential",
      401,
      () => ["POST", "/api/v1/attributions?x=1", { token: "no", body: "{", headers: JSON_TYPE }],
    ],
    [
      "scope",
      403,
      () => ["POST", "/api/v1/attributions?x=1", { token: readOnly, body: "{", headers: JSON_TYPE }],
    ],
    ["form of the id", 400, () => ["DELETE", "/api/v1/attributions/x", { token: narrow, json: {} }]],
    ["parameters", 400, () => ["POST", "/api/v1/attributions?x=1", { token: narrow, json: attribution() }]],
    [
      "form of the body",
      400,
      () => [
        "POST",
        "/api/v1/attributions",
        { token: narrow, json: attribution({ partner_id: NOWHERE, properties: 1 }) },
      ],
    ],
    [
      "grant",
      403,
      () => [
        "POST",
        "/api/v1/attributions",
        { token: narrow, json: attribution({ partner_id: NOWHERE, schema_id: NOWHERE }) },
      ],
    ],
    [
      "what is named",
      404,
      () => [
        "POST",
        "/api/v1/attributions",
        { token: narrow, json: attribution({ schema_id: NOWHERE, properties: {} }) },
      ],
    ],
    [
      "what the properties say",
      400,
      () => [
        "POST",
        "/api/v1/attributions",
        { token: narrow, json: attribution({ properties: { order_value: "1" } }) },
      ],
    ],
    ["nothing", 201, () => ["POST", "/api/v1/attributions", { token: narrow, json: attribution() }]],
  ];
  const JSON_TYPE = { "content-type": "application/json" };
  const TEXT_TYPE = { "content-type": "text/plain" };
  const CODES: Readonly<Record<number, string>> = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "BAD_REQUEST",
    413: "BAD_REQUEST",
    415: "BAD_REQUEST",
  };

  it.each(cases)("%s: %i", async (_name, status, ask) => {
    const reply = await engine.call(...ask());
    expect(reply.status, reply.text).toBe(status);
    if (status >= 400) {
      const { field, ...published } = reply.body;
      expect(published).toEqual({ error_code: CODES[status], message: expect.any(String) });
      if (field !== undefined) expect(published.message.startsWith(`${field}: `)).toBe(true);
    }
  });

  it("a replay precedes the look-up of the record, and follows the check of the grant", async () => {
    const headers = { "idempotency-key": "cancel-once" };
    const path = `/api/v1/attributions/${known.attributionId}`;
    const asked = { json: { reason: "refunded" }, headers };
    expect((await engine.call("DELETE", path, asked)).status).toBe(200);
    const replay = await engine.call("DELETE", path, asked);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const other = await engine.call("DELETE", `/api/v1/attributions/${NOWHERE}`, asked);
    expect([other.status, other.body.message]).toEqual([
      409,
      expect.stringMatching(/^idempotency_key_reuse:/),
    ]);
  });

  it("a conflict with the state is last, with a stable token", async () => {
    const { draft, act } = await scene(engine);
    const id = await draft();
    const conflict = (token: string) => ({
      error_code: "CONFLICT",
      message: expect.stringMatching(`^${token}: `),
    });
    expect(await act(id, "review", { decision: "maybe" })).toMatchObject({ status: 400 });
    expect(await act(id, "review", { decision: "write_off" })).toMatchObject({
      status: 409,
      body: conflict("settlement_state"),
    });
    expect(await act(id, "approve")).toMatchObject({ status: 200, text: "" });
    expect(await act(id, "approve")).toMatchObject({ status: 409, body: conflict("settlement_not_draft") });
  });
});

describe("methods", () => {
  it("are listed in a refusal", async () => {
    const reply = await engine.call("PUT", "/api/v1/settlements/x");
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "DELETE, OPTIONS"]);
    const both = await engine.call("PATCH", "/api/v1/partners");
    expect(both.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
  });

  it("include OPTIONS without a credential", async () => {
    const reply = await engine.call("OPTIONS", "/api/v1/partners", { token: null });
    expect([reply.status, reply.text, reply.headers.get("allow")]).toEqual([
      204,
      "",
      "GET, HEAD, POST, OPTIONS",
    ]);
  });

  it("include HEAD, like GET without a body", async () => {
    const head = await engine.call("HEAD", "/api/v1/partners");
    const get = await engine.call("GET", "/api/v1/partners");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect((await engine.call("HEAD", "/api/v1/partners", { token: null })).status).toBe(401);
  });

  it("without a body ignore one", async () => {
    const { draft, act, statusOf } = await scene(engine);
    const id = await draft();
    expect((await act(id, "approve", "whatever")).status).toBe(200);
    expect(await statusOf(id)).toBe("awaiting_report");
    const other = await (await scene(engine)).draft();
    const data = await engine.call("POST", `/api/v1/settlements/${other}/approve`, { body: pdf("ignored") });
    expect(data.status).toBe(200);
  });

  it("do not exist for a path with a trailing slash or an empty segment", async () => {
    for (const path of [
      "/api/v1",
      "/api/v1/partners/",
      "/api/v1//partners",
      "/api/v1/settlements//approve",
    ]) {
      expect((await engine.call("GET", path)).status, path).toBe(404);
    }
  });
});
