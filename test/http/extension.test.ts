import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { scene, TENTH } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  engine = await start();
  made = await scene(engine);
});

const sale = (order_value: unknown, fields: object = {}) => ({
  partner_id: made.partnerId,
  schema_id: made.schemaId,
  workspace_id: engine.workspaceId,
  properties: { order_value },
  ...fields,
});

const total = async (): Promise<number> => (await engine.call("GET", "/api/v1/attributions")).body.total;

describe("many attributions at once", () => {
  const post = (json: object, headers: Record<string, string> = {}) =>
    engine.call("POST", "/api/v1/attributions/batch", { json, headers });

  it("independent: each has its result in its place", async () => {
    await post({ attributions: [sale(1, { external_reference: "order-1" })] });
    const before = await total();
    const { status, body } = await post({
      mode: "independent",
      attributions: [
        sale(100),
        sale("x"),
        sale(200, { partner_id: crypto.randomUUID() }),
        sale(2, { external_reference: "order-1" }),
        sale(300),
      ],
    });
    const refused = (error_code: string, message: unknown, stated = {}) => ({
      error_code,
      message,
      ...stated,
    });
    expect([status, body.results]).toEqual([
      201,
      [
        { id: expect.any(String) },
        refused("BAD_REQUEST", "properties.order_value: must be a number", {
          field: "properties.order_value",
        }),
        refused("NOT_FOUND", "partner_id not found"),
        refused("CONFLICT", expect.stringMatching(/^external_reference_reuse: /), {
          token: "external_reference_reuse",
        }),
        { id: expect.any(String) },
      ],
    ]);
    expect(await total()).toBe(before + 2);
    const ids = `ids=${body.results[0].id}&ids=${body.results[4].id}`;
    const stored = await engine.call("GET", `/api/v1/attributions?${ids}`);
    expect(
      stored.body.attributions.map(
        ({ view }: { readonly view: { readonly properties: object } }) => view.properties,
      ),
    ).toEqual([{ order_value: 100 }, { order_value: 300 }]);
  });

  it("atomic by default: one invalid attribution refuses all, and the message names its index", async () => {
    const before = await total();
    const reply = await post({ attributions: [sale(1), sale(2), sale(true)] });
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        error_code: "BAD_REQUEST",
        message: "attributions.2.properties.order_value: must be a number",
        field: "attributions.2.properties.order_value",
      },
    ]);
    expect(await total()).toBe(before);
  });

  it("allows 1,000 and a larger body than other operations, and no more", async () => {
    const long = sale(1, { properties: { order_value: 1, plan: "x".repeat(2_000) } });
    const full = await post({ attributions: Array(1_000).fill(long) });
    expect([full.status, full.body.results.length]).toEqual([201, 1_000]);
    const over = await post({ attributions: Array(1_001).fill(sale(1)) });
    expect([over.status, over.body.message]).toEqual([400, "attributions: must have 1 to 1000 attributions"]);
    expect((await post({ attributions: [] })).status).toBe(400);
    const tooLarge = sale(1, { properties: { order_value: 1, plan: "x".repeat(4_096) } });
    expect(
      (await post({ attributions: Array(1_000).fill(tooLarge), filler: "x".repeat(200_000) })).status,
    ).toBe(413);
  });

  it("repeats under a key", async () => {
    const headers = { "idempotency-key": "batch-1" };
    const first = await post({ attributions: [sale(5)] }, headers);
    const again = await post({ attributions: [sale(5)] }, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.text).toBe(first.text);
  });
});

describe("an expression simulated on samples", () => {
  const post = (fields: object = {}) =>
    engine.call("POST", "/api/v1/commission-formulas/simulate", {
      json: {
        schema_id: made.schemaId,
        currency: "EUR",
        expression: TENTH,
        samples: [{ properties: { order_value: 12_345 } }],
        ...fields,
      },
    });

  it("returns amounts with their derivation, or the reason for none, and stores nothing", async () => {
    const before = await total();
    const huge = {
      type: "multiply",
      operands: [TENTH, { type: "literal", value: { type: "number", value: 1e12 } }],
    };
    const { status, body } = await post({
      expression: huge,
      samples: [{ properties: { order_value: 0.001 } }, { properties: { order_value: 1e15 } }],
    });
    expect(status).toBe(200);
    expect(body.results[0].amount).toBe(100_000_000);
    expect(body.results[0].trace[0]).toMatchObject({ path: "$", type: "final", value: "100000000" });
    expect(body.results[1]).toEqual({ error: { code: "OVERFLOW", message: expect.any(String) } });
    expect(await total()).toBe(before);
  });

  it("adds up the history of a sample, and names what is wrong in it", async () => {
    const sum = {
      type: "aggregate",
      function: "sum",
      value: { type: "property", name: "order_value" },
      window: { type: "rolling", days: 30 },
    };
    const earlier = (order_value: number, occurred_at: string, rest: object = {}) => ({
      properties: { order_value },
      occurred_at,
      ...rest,
    });
    const sample = (history: unknown) => ({ ...earlier(1, "2026-01-30T10:00:00Z"), history });
    const { status, body } = await post({
      expression: sum,
      samples: [
        sample([
          earlier(100, "2026-01-01T00:00:00Z"),
          earlier(1_000, "2025-12-31T23:59:59.999Z"),
          earlier(10_000, "2026-01-02T00:00:00Z", { status: "cancelled" }),
          earlier(20, "2026-01-30T23:00:00Z", { created_at: "2026-02-01T00:00:00Z", status: "confirmed" }),
        ]),
      ],
    });
    expect([status, body.results[0].amount]).toEqual([200, 120]);
    expect(body.results[0].trace[1]).toEqual({
      path: "$",
      type: "aggregate",
      value: "120",
      detail: {
        function: "sum",
        window: { type: "rolling", days: 30 },
        first_day: "2026-01-01",
        last_day: "2026-01-30",
        group: [],
        rows: 2,
        value: { type: "property", name: "order_value" },
        where: null,
      },
    });
    const refused = async (history: unknown) => {
      const answer = await post({ expression: sum, samples: [sample(history)] });
      return `${answer.status} ${answer.body.message}`;
    };
    expect(await refused({})).toMatch(/^400 samples\.0\.history: /);
    expect(await refused([{ properties: {} }])).toBe(
      "400 samples.0.history.0.properties.order_value: is required",
    );
    expect(await refused([earlier(1, "1969-12-31T23:59:59Z")])).toMatch(
      /^400 samples\.0\.history\.0\.occurred_at: /,
    );
    expect(await refused([earlier(1, "2026-01-01T00:00:00Z", { status: "draft" })])).toMatch(
      /^400 samples\.0\.history\.0\.status: /,
    );
    const row = earlier(1, "2026-01-01T00:00:00Z");
    expect(await refused(Array(1_001).fill(row))).toBe(
      "400 samples.0.history: must have at most 1000 attributions",
    );
  });

  it("becomes a formula that counts earlier attributions", async () => {
    const count = { type: "aggregate", function: "count", window: { type: "rolling", days: 0 } };
    const create = (expression: object) =>
      engine.call("POST", "/api/v1/commission-formulas", {
        json: {
          ...{ schema_id: made.schemaId, partner_id: made.partnerId, workspace_id: engine.workspaceId },
          ...{ name: "Rank", currency: "EUR", start_datetime: "2026-01-01T00:00:00Z", expression },
        },
      });
    const refused = await create(count);
    expect(`${refused.status} ${refused.body.message}`).toBe(
      "400 expression: $.window.days: must be a whole number from 1 to 3660, found 0",
    );
    const before = await engine.call(
      "GET",
      `/api/v1/attributions?schema_ids=${made.schemaId}&partner_ids=${made.partnerId}&statuses=confirmed`,
    );
    const { status, body } = await create({ ...count, window: { type: "lifetime" } });
    expect(status).toBe(201);
    const attribution = await engine.call("POST", "/api/v1/attributions", {
      json: {
        ...{ schema_id: made.schemaId, partner_id: made.partnerId, workspace_id: engine.workspaceId },
        properties: { order_value: 1 },
      },
    });
    const { commissions } = (
      await engine.call(
        "GET",
        `/api/v1/commissions?formula_ids=${body.id}&attribution_ids=${attribution.body.id}`,
      )
    ).body;
    expect(commissions[0].view.computed_amount).toBe(before.body.total);
  });

  it("refuses an invisible schema, an ill-typed expression and an invalid sample", async () => {
    const told = async (fields: object) => {
      const { status, body } = await post(fields);
      return `${status} ${body.message}`;
    };
    expect(await told({ schema_id: crypto.randomUUID() })).toMatch(/^400 schema_id: /);
    expect(await told({ expression: { type: "property", name: "nothing" } })).toMatch(/^400 expression/);
    expect(await told({ samples: [{ properties: {} }] })).toMatch(
      /^400 samples\.0\.properties\.order_value: /,
    );
    expect(await told({ samples: [] })).toBe("400 samples: must have 1 to 100 samples");
    expect(await told({ samples: [{ properties: { order_value: 1 }, created_at: "2026-01-01" }] })).toMatch(
      /^400 samples\.0\.created_at: /,
    );
  });
});

describe("the explanation of a commission", () => {
  it("shows every step to the paid amount", async () => {
    const path = `/api/v1/commissions/${made.commissionId}/explanation`;
    const { status, body } = await engine.call("GET", path);
    expect([status, body]).toEqual([
      200,
      {
        commission_id: made.commissionId,
        amount: 1200,
        basis: "evaluated",
        formula_version: 1,
        trace: expect.any(Array),
      },
    ]);
    expect(body.trace.map(({ type }: { readonly type: string }) => type)).toEqual([
      "final",
      "multiply",
      "property",
      "literal",
    ]);
    const sentences = () => engine.call("GET", path, { headers: { accept: "text/plain" } });
    const said = await sentences();
    expect(said.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(said.text).toMatch(
      /^12\.00 EUR for the sale of \d+ \w+ \d{4} under “.*”\.\n10 % of 12,000 \(order value\) = 1,200, which is 12\.00 EUR\.\n$/,
    );
    const spoken = async (wanted: string) => {
      const reply = await engine.call("GET", path, {
        headers: { accept: "text/plain", "accept-language": wanted },
      });
      return [reply.headers.get("content-language"), reply.text.split("\n")[1]];
    };
    const german = ["de", "10\u00a0% von 12.000 (order value) = 1.200, das sind 12,00 EUR."];
    const french = ["fr", "10\u00a0% de 12\u00a0000 (order value) = 1\u00a0200, soit 12,00 EUR."];
    expect(await spoken("de-AT, en;q=0.5")).toEqual(german);
    expect(await spoken("nb, en;q=0.5, fr;q=0.8, es;q=0")).toEqual(french);
    for (const none of ["*", "nb", ""]) expect((await spoken(none))[0]).toBe("en");
    await engine.call("DELETE", `/api/v1/attributions/${made.attributionId}`, {
      json: { reason: "refunded" },
    });
    expect((await sentences()).text).toMatch(
      /^Nothing is earned for the sale of \d+ \w+ \d{4} under “.*”: the sale was cancelled\.\n$/,
    );
    expect((await engine.call("GET", path)).body).toMatchObject({
      amount: 0,
      basis: "attribution_cancelled",
      trace: null,
    });
    const nowhere = `/api/v1/commissions/${crypto.randomUUID()}/explanation`;
    expect((await engine.call("GET", nowhere)).status).toBe(404);
  });
});
