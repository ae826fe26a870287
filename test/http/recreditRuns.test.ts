/** Recredit runs over HTTP: progress, results, and what is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker, scene } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;
let manager: string;
let managing: string;

const SPAN = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00+01:00", reason: "entered late" };

beforeAll(async () => {
  engine = await start();
  made = await scene(engine);
  const make = maker(engine.call, engine.workspaceId);
  manager = await make.partner({ name: "Mira Moreau" });
  managing = await make.formula(manager, made.schemaId, { roles: ["manager"] });
});

const sell = async (day: string): Promise<string> => {
  const json = {
    ...{ partner_id: made.partnerId, schema_id: made.schemaId, workspace_id: engine.workspaceId },
    ...{ properties: { order_value: 1_000 }, occurred_at: `${day}T12:00:00Z` },
  };
  return (await engine.call("POST", "/api/v1/attributions", { json })).body.id;
};

const begin = (more: object = {}, asked: object = {}) =>
  engine.call("POST", "/api/v1/recredits", {
    json: { workspace_id: engine.workspaceId, ...SPAN, ...more },
    ...asked,
  });

const read = async (id: string, query = "") =>
  (await engine.call("GET", `/api/v1/recredits/${id}?per_page=100${query}`)).body;

/** Performs a run; returns its details. */
const recredit = async (more: object = {}) => {
  const { status, body } = await begin(more);
  expect(status).toBe(201);
  await engine.settle();
  return read(body.id);
};

describe("POST /recredits", () => {
  it("recredits a half-open span, shows progress and results, and a dry run names the same", async () => {
    const [january, february] = [await sell("2026-01-15"), await sell("2026-02-15")];
    const cancelled = await sell("2026-01-16");
    await engine.call("DELETE", `/api/v1/attributions/${cancelled}`, { json: { reason: "refunded" } });
    const link = {
      ...{ partner_id: made.partnerId, upline_partner_id: manager, role: "manager" },
      start_datetime: "2020-01-01T00:00:00Z",
    };
    await engine.call("POST", "/api/v1/partner-links", { json: link });
    const dry = await recredit({ dry_run: true });
    const managed = `partner_ids=${manager}`;
    expect((await engine.call("GET", `/api/v1/attributions?${managed}`)).body.total).toBe(0);
    const { run, results, total } = await recredit();
    const { person } = (await engine.call("GET", "/api/v1/principal")).body;
    expect(run).toEqual({
      ...{ id: run.id, customer_id: engine.customerId, workspace_id: engine.workspaceId, partner_ids: null },
      ...{ from: "2026-01-01T00:00:00.000Z", to: "2026-01-31T23:00:00.000Z", reason: "entered late" },
      ...{ dry_run: false, state: "done", reached: "2026-01-31T23:00:00.000Z" },
      ...{ sales_done: 2, changed_count: 1, cancelled_count: 1, too_many_credits_count: 0, failed_count: 0 },
      ...{ credits_added: 1, credits_cancelled: 0 },
      totals: [{ currency: "EUR", amount_before: 0, amount_after: 100 }],
      ...{ person, created_at: run.created_at, finished_at: run.finished_at },
    });
    expect(total).toBe(2);
    const [changed] = results.filter(({ outcome }: { outcome: string }) => outcome === "changed");
    expect(changed).toEqual({
      ...{ attribution_id: january, outcome: "changed", problem: null, changes_later_sales: false },
      credits: [{ partner_id: manager, role: "manager", depth: 1, share_before: null, share_after: "1" }],
      commissions: [
        {
          ...{ partner_id: manager, role: "manager", depth: 1 },
          ...{ commission_formula_id: managing, currency: "EUR" },
          ...{
            amount_before: null,
            amount_after: 100,
            due_before: 0,
            due_after: 100,
            computation_error: null,
          },
        },
      ],
    });
    const left = await read(run.id, "&outcomes=attribution_cancelled");
    expect(left.results).toEqual([
      {
        ...{ attribution_id: cancelled, outcome: "attribution_cancelled", credits: [], commissions: [] },
        problem: "attribution_cancelled: the uplines of a cancelled sale are not derived again",
        changes_later_sales: false,
      },
    ]);
    expect([dry.run.dry_run, dry.run.changed_count, dry.run.totals]).toEqual([true, 1, run.totals]);
    expect(dry.results).toEqual(expect.arrayContaining([changed]));
    const list = await engine.call("GET", `/api/v1/attributions?${managed}`);
    expect(
      list.body.attributions.map(({ origin_id, metadata }: never) => origin_id ?? metadata),
    ).toMatchObject([{ origin_id: january }]);
    expect((await engine.call("GET", `/api/v1/attributions?origin_ids=${february}`)).body.total).toBe(1);
    const runs = await engine.call("GET", `/api/v1/recredits?ids=${run.id}`);
    expect(runs.body.recredits).toEqual([run]);
    const again = await recredit();
    expect([again.run.sales_done, again.run.changed_count, again.total]).toEqual([2, 0, 1]);
  });

  it("starts one run under one idempotency key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await begin({}, { headers });
    const again = await begin({}, { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it.each([
    ["a span of no time", { to: SPAN.from }, "to: must be after from"],
    ["no span", { from: undefined }, "from: is required"],
    ["a date alone", { from: "2026-01-01" }, expect.stringMatching(/^from: /)],
    ["no reason", { reason: undefined }, "reason: is required"],
    ["no partners", { partner_ids: [] }, "partner_ids: must have 1 to 1000 ids"],
    [
      "a partner of nobody",
      { partner_ids: [crypto.randomUUID()] },
      "partner_ids.0: must be the id of a partner of the workspace",
    ],
    [
      "a field that it does not have",
      { until: SPAN.to },
      expect.stringMatching(/^until: is not a known field; /),
    ],
  ])("refuses %s with 400 and the field, and starts nothing", async (_, more, message) => {
    const before = (await engine.call("GET", "/api/v1/recredits")).body.total;
    const { status, body } = await begin(more);
    expect([status, body.message]).toEqual([400, message]);
    expect((await engine.call("GET", "/api/v1/recredits")).body.total).toBe(before);
  });

  it("needs a credential for all partners, and to show amounts the scope of commissions", async () => {
    const limited = await engine.keyOf({ customer_id: engine.customerId, partner_ids: [made.partnerId] });
    const refused = await begin({}, { token: limited });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "The credential is limited to some partners; a recredit run needs one for all of them",
    ]);
    const writing = await engine.keyOf({ customer_id: engine.customerId, scopes: ["attributions:write"] });
    expect((await begin({}, { token: writing })).status).toBe(201);
    const dry = await begin({ dry_run: true }, { token: writing });
    expect([dry.status, dry.body.message]).toEqual([403, "The credential lacks the scope commissions:read"]);
    const unknown = await engine.call("GET", `/api/v1/recredits/${crypto.randomUUID()}`);
    expect([unknown.status, unknown.body.message]).toEqual([404, "recredit run not found"]);
  });
});
