/** Replacing an attribution over HTTP: statuses, bodies, and what is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { scene } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  engine = await start();
  made = await scene(engine);
});

const sell = async (order_value: number, fields: object = {}): Promise<string> => {
  const json = {
    partner_id: made.partnerId,
    schema_id: made.schemaId,
    workspace_id: engine.workspaceId,
    properties: { order_value },
    ...fields,
  };
  return (await engine.call("POST", "/api/v1/attributions", { json })).body.id;
};

const replace = (id: string, json: object, headers: Record<string, string> = {}) =>
  engine.call("POST", `/api/v1/attributions/${id}/replace`, { json, headers });

const read = async (id: string) =>
  (await engine.call("GET", `/api/v1/attributions?ids=${id}`)).body.attributions[0];

const corrected = (order_value: number) => ({ properties: { order_value }, reason: "a part was refunded" });

describe("POST /attributions/{id}/replace", () => {
  it("returns 201 and the new id; each of the two names the other", async () => {
    const old = await sell(12_000, { external_reference: "order-1", occurred_at: "2026-01-05T10:00:00Z" });
    const { status, body } = await replace(old, corrected(9_000));
    expect([status, body]).toEqual([201, { id: expect.any(String) }]);
    expect(await read(old)).toMatchObject({
      metadata: { replaced_by: body.id },
      events: [
        { event: { type: "create_attribution" } },
        { event: { type: "cancel_attribution", reason: "a part was refunded", replaced_by: body.id } },
      ],
      view: { status: "cancelled", cancel_reason: "a part was refunded" },
    });
    const replacing = await read(body.id);
    expect(replacing).toMatchObject({
      metadata: { replaces: old, external_reference: "order-1", occurred_at: "2026-01-05T10:00:00.000Z" },
      events: [{ event: { replaces: old, properties: { order_value: 9_000 } } }],
      view: { status: "confirmed" },
    });
    expect((await read(old)).metadata).not.toHaveProperty("external_reference");
    expect(replacing.metadata).not.toHaveProperty("replaced_by");
  });

  it("returns 200 and the old id where nothing changes", async () => {
    const id = await sell(5);
    const { status, body } = await replace(id, corrected(5));
    expect([status, body]).toEqual([200, { id }]);
    expect((await read(id)).events).toHaveLength(1);
  });

  it("replays the first response to a request with the same Idempotency-Key", async () => {
    const id = await sell(5);
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await replace(id, corrected(6), key);
    const again = await replace(id, corrected(6), key);
    expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([
      201,
      first.body,
      "true",
    ]);
  });

  it("with dry_run returns 200 and what it would change, and stores nothing", async () => {
    const id = await sell(1_000);
    const { status, body } = await replace(id, { ...corrected(4_000), dry_run: true });
    expect([status, body]).toEqual([
      200,
      {
        commissions: [
          {
            partner_id: made.partnerId,
            role: "seller",
            depth: 0,
            commission_formula_id: made.formulaId,
            currency: "EUR",
            amount_before: 100,
            amount_after: 400,
            due_before: 100,
            due_after: 400,
            computation_error: null,
          },
        ],
        changes_later_sales: false,
      },
    ]);
    expect((await read(id)).events).toHaveLength(1);
  });

  it.each([
    ["a missing reason", { properties: { order_value: 1 } }, "reason"],
    [
      "a property that the schema does not define",
      { properties: { colour: "red" }, reason: "r" },
      "properties.colour",
    ],
    [
      "a property of another type",
      { properties: { order_value: "1" }, reason: "r" },
      "properties.order_value",
    ],
    ["a date that is null", { occurred_at: null, reason: "r" }, "occurred_at"],
    ["a date ahead of the clock", { occurred_at: "2999-01-01T00:00:00Z", reason: "r" }, "occurred_at"],
    ["a day that is not the date's", { occurred_on: "2000-01-01", reason: "r" }, "occurred_on"],
    ["a partner that is no id", { partner_id: "x", reason: "r" }, "partner_id"],
    ["a field that it does not have", { schema_id: crypto.randomUUID(), reason: "r" }, "schema_id"],
  ])("refuses %s with 400 and the field, and stores nothing", async (_, json, field) => {
    const id = await sell(1);
    const { status, body } = await replace(id, json);
    expect([status, body.error_code, body.field]).toEqual([400, "BAD_REQUEST", field]);
    expect((await read(id)).events).toHaveLength(1);
  });

  it("refuses a cancelled attribution with 409, and an unknown one or partner with 404", async () => {
    const id = await sell(1);
    await replace(id, corrected(2));
    const again = await replace(id, corrected(3));
    expect([again.status, again.body.token]).toEqual([409, "attribution_cancelled"]);
    expect((await replace(crypto.randomUUID(), corrected(3))).status).toBe(404);
    const other = await sell(1);
    expect((await replace(other, { partner_id: crypto.randomUUID(), reason: "r" })).status).toBe(404);
  });
});
