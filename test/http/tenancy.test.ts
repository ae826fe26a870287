import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Asked, type Call, caller, type Engine, type Reply, start } from "./Engine.ts";
import { maker, pdf, scene } from "./Scene.ts";

let engine: Engine;
let mine: Awaited<ReturnType<typeof scene>>;
let settlementId: string;
let stranger: Call;
let strangerId: string;
const strangerWorkspace = crypto.randomUUID();

const as = (token: string): Call => caller(engine.handler, token);
const keyOf = async (grant: object): Promise<Call> =>
  as(await engine.keyOf({ customer_id: engine.customerId, ...grant }));

beforeAll(async () => {
  engine = await start();
  mine = await scene(engine);
  settlementId = await mine.draft();
  strangerId = crypto.randomUUID();
  stranger = as(await engine.keyOf({ customer_id: strangerId }));
});

/** What another customer can learn: everything but what differs between any two requests. */
const seen = ({ status, text, headers }: Reply) => {
  const { "x-request-id": _, ...rest } = Object.fromEntries(headers);
  return { status, text, headers: rest };
};

describe("a foreign id gets the response of an unused one", () => {
  const body = (json: unknown): Asked => ({ json });
  const upload = (): Asked => ({ body: pdf("x") });
  const reason = body({ reason: "r" });

  /** Every operation on one record, with the id to try. */
  const operations: ReadonlyArray<readonly [string, string, () => string, () => Asked]> = [
    ["DELETE", "/attributions/{id}", () => mine.attributionId, () => reason],
    ["PATCH", "/partners/{id}", () => mine.partnerId, () => body({ name: "n" })],
    ["PATCH", "/commission-formulas/{id}", () => mine.formulaId, () => body({ name: "n" })],
    ["DELETE", "/commission-formulas/{id}", () => mine.formulaId, () => reason],
    ["DELETE", "/settlements/{id}", () => settlementId, () => ({})],
    ...["approve", "write-off", "mark-as-paid", "initiate-payment", "withdraw-dispute"].map(
      (action): readonly [string, string, () => string, () => Asked] => [
        "POST",
        `/settlements/{id}/${action}`,
        () => settlementId,
        () => ({}),
      ],
    ),
    ["POST", "/settlements/{id}/review", () => settlementId, () => body({ decision: "write_off" })],
    ["POST", "/settlements/{id}/dispute", () => settlementId, () => reason],
    ["POST", "/settlements/{id}/comment", () => settlementId, () => body({ text: "hello" })],
    ["POST", "/settlements/{id}/resolve-dispute", () => settlementId, () => body({ resolution: "upheld" })],
    ["POST", "/settlements/{id}/fail-payment", () => settlementId, () => reason],
    ["POST", "/settlements/{id}/return-payment", () => settlementId, () => reason],
    ["POST", "/settlements/{id}/reconcile", () => settlementId, () => body({ reconciled: true })],
    ...["report", "invoice", "credit-note", "export"].map(
      (file): readonly [string, string, () => string, () => Asked] => [
        "GET",
        `/settlements/{id}/${file}`,
        () => settlementId,
        () => ({}),
      ],
    ),
    ...["report", "invoice", "credit-note", "attachments"].map(
      (file): readonly [string, string, () => string, () => Asked] => [
        "POST",
        `/settlements/{id}/${file}`,
        () => settlementId,
        upload,
      ],
    ),
  ];

  it.each(operations)("%s %s", async (method, template, foreign, asked) => {
    const ask = async (id: string) =>
      seen(await stranger(method, `/api/v1${template.replace("{id}", id)}`, asked()));
    const answer = await ask(foreign());
    expect(answer.status).toBe(404);
    expect(answer).toEqual(await ask(crypto.randomUUID()));
  });

  it("in lists, bodies and filters", async () => {
    const lists: ReadonlyArray<readonly [string, string, () => string]> = [
      ["attributions", "ids", () => mine.attributionId],
      ["attribution-schemas", "ids", () => mine.schemaId],
      ["partners", "ids", () => mine.partnerId],
      ["partners", "customer_ids", () => engine.customerId],
      ["commission-formulas", "partner_ids", () => mine.partnerId],
      ["commissions", "attribution_ids", () => mine.attributionId],
      ["settlements", "commission_ids", () => mine.commissionId],
    ];
    for (const [list, filter, foreign] of lists) {
      const reply = await stranger("GET", `/api/v1/${list}?${filter}=${foreign()}`);
      expect([reply.status, reply.body.total], list).toEqual([200, 0]);
    }
    const own = maker(stranger, strangerWorkspace);
    const [partner_id, schema_id] = [await own.partner(), await own.schema()];
    const attribution = (fields: object) =>
      stranger("POST", "/api/v1/attributions", {
        json: {
          workspace_id: strangerWorkspace,
          partner_id,
          schema_id,
          properties: { order_value: 1 },
          ...fields,
        },
      });
    expect((await attribution({})).status).toBe(201);
    for (const [field, foreign] of [
      ["partner_id", mine.partnerId],
      ["schema_id", mine.schemaId],
    ] as const) {
      const answer = await attribution({ [field]: foreign });
      expect(answer.status).toBe(404);
      expect(seen(answer)).toEqual(seen(await attribution({ [field]: crypto.randomUUID() })));
    }
    const settlement = (fields: object) =>
      stranger("POST", "/api/v1/settlements", {
        json: {
          customer_id: strangerId,
          workspace_id: strangerWorkspace,
          partner_id,
          commission_ids: [mine.commissionId],
          ...fields,
        },
      });
    const answer = await settlement({});
    expect(answer.status).toBe(400);
    expect(seen(answer)).toEqual(seen(await settlement({ commission_ids: [crypto.randomUUID()] })));
    expect((await settlement({ customer_id: engine.customerId })).status).toBe(403);
  });
});

describe("credentials", () => {
  const unauthorized = {
    error_code: "UNAUTHORIZED",
    message: "Authentication credentials were not provided or are invalid.",
  };

  it("that are not valid all get the same response", async () => {
    const revoked = await engine.call("POST", "/api/v1/api-keys", { json: {} });
    await engine.call("DELETE", `/api/v1/api-keys/${revoked.body.id}`);
    const [, keyId = ""] = engine.token.split("_");
    const headers: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { authorization: "" },
      { authorization: "Bearer" },
      { authorization: `Basic ${engine.token}` },
      { authorization: `Bearerr ${engine.token}` },
      { authorization: engine.token },
      { authorization: `Bearer ${engine.token}, Bearer ${engine.token}` },
      { authorization: `Bearer ${engine.token}x` },
      { authorization: `Bearer qk_${keyId}_${"A".repeat(43)}` },
      { authorization: `Bearer qk_${"0".repeat(16)}_${"A".repeat(43)}` },
      { authorization: `Bearer ${revoked.body.key}` },
      { authorization: `Bearer ${"x".repeat(8000)}` },
    ];
    const answers = await Promise.all(
      headers.map((given) => engine.call("GET", "/api/v1/partners", { token: null, headers: given })),
    );
    for (const [index, answer] of answers.entries()) {
      expect([answer.status, answer.body], JSON.stringify(headers[index])).toEqual([401, unauthorized]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(new Set(answers.map((answer) => JSON.stringify(seen(answer)))).size).toBe(1);
  });

  it("accept their scheme in any letter case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const headers = { authorization: `${scheme} ${engine.token}` };
      expect((await engine.call("GET", "/api/v1/partners", { token: null, headers })).status).toBe(200);
    }
  });

  it("expire", async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const call = await keyOf({ expires_at });
    expect((await call("GET", "/api/v1/partners")).status).toBe(200);
    vi.useFakeTimers({ now: Date.parse(expires_at), toFake: ["Date"] });
    try {
      expect((await call("GET", "/api/v1/partners")).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("forbidden by credential and request alone", () => {
  it("without the scope", async () => {
    const call = await keyOf({ scopes: ["partners:read"] });
    expect((await call("GET", "/api/v1/partners")).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/api/v1/partners"],
      ["GET", "/api/v1/commissions"],
      ["GET", "/api/v1/commissions/stats"],
      ["POST", `/api/v1/settlements/${settlementId}/approve`],
      ["GET", "/api/v1/api-keys"],
    ] as const) {
      const reply = await call(method, path, method === "POST" ? { json: {} } : {});
      expect([reply.status, reply.body.error_code], path).toEqual([403, "FORBIDDEN"]);
    }
  });

  it("for ids outside an explicit grant, where the interface says so", async () => {
    const workspace = crypto.randomUUID();
    const call = await keyOf({ workspace_ids: [workspace], partner_ids: [mine.partnerId] });
    const status = async (path: string) => (await call("GET", `/api/v1${path}`)).status;
    const span = "from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&granularity=day";
    expect(await status(`/commissions?workspace_ids=${engine.workspaceId}`)).toBe(403);
    expect(await status(`/commissions?partner_ids=${crypto.randomUUID()}`)).toBe(403);
    expect(await status(`/commissions/stats?${span}&workspace_ids=${engine.workspaceId}`)).toBe(403);
    expect(await status(`/settlements?workspace_ids=${engine.workspaceId}`)).toBe(403);
    expect(await status(`/commissions?workspace_ids=${workspace}&partner_ids=${mine.partnerId}`)).toBe(200);
    expect(await status(`/attributions?workspace_ids=${engine.workspaceId}`)).toBe(200);
    const json = { name: "n", workspace_id: engine.workspaceId };
    expect((await call("POST", "/api/v1/partners", { json })).status).toBe(403);
    expect(
      (await call("POST", "/api/v1/partners", { json: { ...json, workspace_id: workspace } })).status,
    ).toBe(201);
  });

  it("for operations that partners may not perform; a partner sees its own records", async () => {
    const call = await keyOf({ kind: "partner", partner_ids: [mine.partnerId] });
    const status = async (method: string, path: string, asked: Asked = {}) =>
      (await call(method, path, asked)).status;
    expect((await call("GET", "/api/v1/partners")).body.partners).toMatchObject([{ id: mine.partnerId }]);
    expect((await call("GET", "/api/v1/commissions")).body.total).toBe(1);
    expect(await status("GET", "/api/v1/attribution-schemas")).toBe(403);
    expect(await status("POST", "/api/v1/attributions", { json: {} })).toBe(403);
    expect(await status("POST", `/api/v1/settlements/${settlementId}/approve`)).toBe(403);
    expect(await status("GET", `/api/v1/settlements/${settlementId}/export`)).toBe(200);
    expect(
      await status("POST", `/api/v1/settlements/${settlementId}/dispute`, { json: { reason: "r" } }),
    ).toBe(409);
  });

  it("for operations that the platform may not perform; it reads across customers", async () => {
    const partners = await engine.admin("GET", `/api/v1/partners?customer_ids=${engine.customerId}`);
    expect(partners.body.total).toBeGreaterThan(0);
    const json = { name: "n", workspace_id: engine.workspaceId };
    expect((await engine.admin("POST", "/api/v1/partners", { json })).status).toBe(403);
    expect((await engine.admin("POST", "/api/v1/api-keys", { json: {} })).body.message).toBe(
      "customer_id: is required",
    );
  });

  it("an agent's attributions carry the agent", async () => {
    const agent_id = crypto.randomUUID();
    const call = await keyOf({ kind: "agent", agent_id });
    const id = await maker(call, engine.workspaceId).attribution(mine.partnerId, mine.schemaId, 5);
    const { body } = await call("GET", `/api/v1/attributions?ids=${id}`);
    expect(body.attributions[0].metadata.agent_id).toBe(agent_id);
  });

  it("a key creates no key beyond its own grant, nor for another customer", async () => {
    const admin = await keyOf({
      scopes: ["keys:admin", "partners:read"],
      workspace_ids: [engine.workspaceId],
    });
    const status = async (json: object) => (await admin("POST", "/api/v1/api-keys", { json })).status;
    expect(await status({ scopes: ["partners:read"] })).toBe(201);
    expect(await status({ scopes: ["partners:write"] })).toBe(403);
    expect(await status({ scopes: ["partners:read"], workspace_ids: "*" })).toBe(403);
    expect(await status({ customer_id: strangerId, scopes: [] })).toBe(403);
    expect(await status({ kind: "platform" })).toBe(400);
    expect(await status({ kind: "partner", scopes: [] })).toBe(400);
  });

  it("a key lists and revokes only keys within its own grant", async () => {
    const scopes = ["keys:admin"];
    const workspace_ids = [engine.workspaceId];
    const partner_ids = [mine.partnerId];
    const agent_id = crypto.randomUUID();
    const make = async (grant: object) =>
      (await engine.call("POST", "/api/v1/api-keys", { json: { scopes: [], ...grant } })).body.id;
    const wide = await make({});
    const placed = await make({ workspace_ids });
    const placedElsewhere = await make({ workspace_ids: [...workspace_ids, crypto.randomUUID()] });
    const ofPartner = await make({ kind: "partner", workspace_ids, partner_ids });
    const ofAgent = await make({ kind: "agent", agent_id });
    const made = [wide, placed, placedElsewhere, ofPartner, ofAgent];
    const seen = async (call: Call) => {
      const { body } = await call("GET", "/api/v1/api-keys?per_page=100");
      const ids: ReadonlyArray<string> = body.api_keys.map(({ id }: { id: string }) => id);
      expect(body.total).toBe(ids.length);
      return made.filter((id) => ids.includes(id));
    };
    expect(await seen(engine.call)).toEqual(made);
    const limited = await keyOf({ scopes, workspace_ids });
    expect(await seen(limited)).toEqual([placed, ofPartner]);
    expect(await seen(await keyOf({ scopes, partner_ids }))).toEqual([ofPartner]);
    expect(await seen(await keyOf({ scopes, kind: "agent", agent_id }))).toEqual([ofAgent]);
    const revoke = async (id: string) => (await limited("DELETE", `/api/v1/api-keys/${id}`)).status;
    expect(await revoke(placedElsewhere)).toBe(404);
    expect(await revoke(placed)).toBe(200);
  });
});
