/** Recrediting a sale over HTTP: statuses, bodies, and what is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker, scene } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;
let manager: string;
let managing: string;

beforeAll(async () => {
  engine = await start();
  made = await scene(engine);
  const make = maker(engine.call, engine.workspaceId);
  manager = await make.partner({ name: "Mira Moreau" });
  managing = await make.formula(manager, made.schemaId, { roles: ["manager"] });
});

const sell = async (): Promise<string> => {
  const json = {
    ...{ partner_id: made.partnerId, schema_id: made.schemaId, workspace_id: engine.workspaceId },
    properties: { order_value: 1_000 },
  };
  return (await engine.call("POST", "/api/v1/attributions", { json })).body.id;
};

const link = async (): Promise<string> => {
  const json = {
    ...{ partner_id: made.partnerId, upline_partner_id: manager, role: "manager" },
    start_datetime: "2020-01-01T00:00:00Z",
  };
  return (await engine.call("POST", "/api/v1/partner-links", { json })).body.id;
};

const withdraw = (id: string) =>
  engine.call("PATCH", `/api/v1/partner-links/${id}`, { json: { end_datetime: "2020-01-01T00:00:00Z" } });

const recredit = (
  id: string,
  json: object = { reason: "entered late" },
  headers: Record<string, string> = {},
) => engine.call("POST", `/api/v1/attributions/${id}/recredit`, { json, headers });

const read = async (query: string) =>
  (await engine.call("GET", `/api/v1/attributions?${query}`)).body.attributions;

describe("POST /attributions/{id}/recredit", () => {
  it("returns how many credits were added and cancelled; the sale shows them", async () => {
    const id = await sell();
    const late = await link();
    const tried = await recredit(id, { reason: "entered late", dry_run: true });
    expect([tried.status, tried.body]).toEqual([
      200,
      {
        credits: [{ partner_id: manager, role: "manager", depth: 1, share_before: null, share_after: "1" }],
        commissions: [
          {
            ...{ partner_id: manager, role: "manager", depth: 1 },
            ...{ commission_formula_id: managing, currency: "EUR" },
            ...{ amount_before: null, amount_after: 100, due_before: 0, due_after: 100 },
            computation_error: null,
          },
        ],
        changes_later_sales: false,
      },
    ]);
    expect((await read(`ids=${id}`))[0].events).toHaveLength(1);
    const key = { "idempotency-key": crypto.randomUUID() };
    const { status, body } = await recredit(id, undefined, key);
    expect([status, body]).toEqual([200, { added: 1, cancelled: 0 }]);
    const again = await recredit(id, undefined, key);
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([body, "true"]);
    expect((await recredit(id)).body).toEqual({ added: 0, cancelled: 0 });
    const [origin] = await read(`ids=${id}`);
    expect(origin).toMatchObject({
      metadata: { credit: { role: "seller", share: "1", depth: 0 } },
      events: [
        { event: { type: "create_attribution" } },
        { event: { type: "recredit_attribution", reason: "entered late", credit: { role: "seller" } } },
      ],
    });
    const [credited] = await read(`origin_ids=${id}&roles=manager`);
    expect(credited).toMatchObject({
      metadata: { ...origin.metadata, credit: { role: "manager", share: "1", depth: 1 }, origin_id: id },
    });
    const refused = await recredit(credited.id);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/^credit_of_sale: /)]);
    await withdraw(late);
    expect((await recredit(id, { reason: "there was none" })).body).toEqual({ added: 0, cancelled: 1 });
    expect((await read(`ids=${credited.id}`))[0].view).toMatchObject({
      ...{ status: "cancelled", cancel_reason: "there was none" },
    });
  });

  it.each([
    ["a missing reason", {}, "reason"],
    ["an empty reason", { reason: "" }, "reason"],
    ["a field that it does not have", { reason: "r", partner_id: crypto.randomUUID() }, "partner_id"],
    ["a dry run that is no boolean", { reason: "r", dry_run: "yes" }, "dry_run"],
  ])("refuses %s with 400 and the field, and stores nothing", async (_, json, field) => {
    const id = await sell();
    const { status, body } = await recredit(id, json);
    expect([status, body.error_code, body.field]).toEqual([400, "BAD_REQUEST", field]);
    expect((await read(`ids=${id}`))[0].events).toHaveLength(1);
  });

  it("refuses an unknown sale with 404, and a cancelled one with 409", async () => {
    const unknown = await recredit(crypto.randomUUID());
    expect([unknown.status, unknown.body.message]).toEqual([404, "attribution not found"]);
    const id = await sell();
    await engine.call("DELETE", `/api/v1/attributions/${id}`, { json: { reason: "refunded" } });
    const { status, body } = await recredit(id);
    expect([status, body.message]).toEqual([
      409,
      "attribution_cancelled: the uplines of a cancelled sale are not derived again",
    ]);
  });
});
