/** What the buyers of sales have paid, over HTTP: what is released, what waits, and what is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker } from "./Scene.ts";

let engine: Engine;
let make: ReturnType<typeof maker>;
beforeAll(async () => {
  engine = await start();
  make = maker(engine.call, engine.workspaceId);
});

/** A partner whose tenth of each sale waits for the buyer, and a sale of 10,000. */
const scene = async (fields: object = { release: "on_receipt" }) => {
  const partnerId = await make.partner();
  const schemaId = await make.schema();
  await make.formula(partnerId, schemaId, fields);
  const sell = async (order_value: number, more: object = {}): Promise<string> => {
    const json = {
      ...{ partner_id: partnerId, schema_id: schemaId, workspace_id: engine.workspaceId },
      ...{ properties: { order_value }, ...more },
    };
    return (await engine.call("POST", "/api/v1/attributions", { json })).body.id;
  };
  return { partnerId, schemaId, sell, saleId: await sell(10_000) };
};

const state = (id: string, json: object) =>
  engine.call("PUT", `/api/v1/attributions/${id}/received`, { json });

const sale = async (id: string) =>
  (await engine.call("GET", `/api/v1/attributions?ids=${id}`)).body.attributions[0];

const commissions = async (partnerId: string) =>
  (await engine.call("GET", `/api/v1/commissions?partner_ids=${partnerId}`)).body.commissions;

const figures = async (partnerId: string) => {
  const [{ view }] = await commissions(partnerId);
  return [
    view.computed_amount,
    view.released_amount,
    view.waiting_amount,
    view.settled_amount,
    view.due_amount,
  ];
};

const balance = async (partnerId: string) =>
  (await engine.call("GET", `/api/v1/partners/${partnerId}/balance`)).body.balances[0];

const movements = async (partnerId: string) =>
  (
    await engine.call("GET", `/api/v1/partners/${partnerId}/statement?from=2020-01-01T00:00:00Z`)
  ).body.movements.map(({ type, amount, text }: Record<string, unknown>) => [type, amount, text]);

const settle = async (partnerId: string) => {
  const own = await commissions(partnerId);
  const json = {
    ...{ customer_id: engine.customerId, workspace_id: engine.workspaceId, partner_id: partnerId },
    commission_ids: own.map(({ id }: { id: string }) => id),
  };
  return (await engine.call("POST", "/api/v1/settlements", { json })).body.id;
};

const draft = async (id: string) =>
  (await engine.call("GET", `/api/v1/settlements?ids=${id}`)).body.settlements[0];

describe("PUT /attributions/{id}/received", () => {
  it("releases the part that the buyer has paid, and takes it back", async () => {
    const { partnerId, saleId } = await scene();
    expect(await figures(partnerId)).toEqual([1_000, 0, 1_000, 0, 0]);
    expect(await state(saleId, { received: 500, of: 1_000 })).toMatchObject({ status: 200, text: "" });
    expect(await figures(partnerId)).toEqual([1_000, 500, 500, 0, 500]);
    await state(saleId, { received: 1, of: 3 });
    expect(await figures(partnerId)).toEqual([1_000, 333, 667, 0, 333]);
    await state(saleId, { received: 1_200, of: 1_000 });
    expect(await figures(partnerId)).toEqual([1_000, 1_000, 0, 0, 1_000]);
    const [{ events }] = await commissions(partnerId);
    expect(events.map(({ event }: { event: object }) => event)).toEqual([
      { type: "create_commission", amount: 1_000, formula_version: 1, release: "on_receipt" },
      { type: "update_received", received: 500, of: 1_000 },
      { type: "update_received", received: 1, of: 3 },
      { type: "update_received", received: 1_200, of: 1_000 },
    ]);
    expect(await sale(saleId)).toMatchObject({
      view: { receipt: { received: 1_200, of: 1_000, received_at: expect.any(String) } },
    });
  });

  it("changes nothing by the same statement, and by one of an earlier moment", async () => {
    const { saleId } = await scene();
    const february = { received: 500, of: 1_000, received_at: "2026-02-01T00:00:00Z" };
    await state(saleId, february);
    for (const json of [
      february,
      { received: 500, of: 1_000 },
      { received: 900, of: 1_000, received_at: "2026-01-31T23:59:59Z" },
    ])
      expect((await state(saleId, json)).status).toBe(200);
    expect((await sale(saleId)).events).toHaveLength(2);
  });

  it.each([
    [{ received: -1, of: 1 }, "received: must not be negative"],
    [{ received: 1, of: 0 }, "of: must be greater than 0"],
    [{ received: "1", of: 1 }, /^received: /],
    [{ received: 1 }, /^of: /],
    [{ received: 1, of: 1, received_at: "soon" }, /^received_at: /],
    [{ received: 1, of: 1, unit: "EUR" }, /unit/],
    [
      { received: 1, of: 1, received_at: "2999-01-01T00:00:00Z" },
      /^received_at: must not be more than 5 minutes/,
    ],
  ])("refuses %o, and changes nothing", async (json, message) => {
    const { saleId } = await scene();
    const reply = await state(saleId, json);
    expect([reply.status, reply.body.message]).toEqual([400, expect.stringMatching(message)]);
    expect((await sale(saleId)).events).toHaveLength(1);
  });

  it("refuses an unknown sale, and another credit of one", async () => {
    const { partnerId, sell } = await scene();
    expect((await state(crypto.randomUUID(), { received: 1, of: 1 })).status).toBe(404);
    const other = await make.partner();
    const origin = await sell(500, {
      credits: [{ partner_id: partnerId }, { partner_id: other, role: "manager" }],
    });
    const all = (await engine.call("GET", `/api/v1/attributions?origin_ids=${origin}`)).body.attributions;
    const credited = all.find(({ id }: { id: string }) => id !== origin);
    const refused = await state(credited.id, { received: 1, of: 1 });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/^credit_of_sale: /)]);
  });

  it("is recorded for a cancelled sale, of which nothing is released", async () => {
    const { partnerId, saleId } = await scene();
    await engine.call("DELETE", `/api/v1/attributions/${saleId}`, { json: { reason: "refunded" } });
    expect((await state(saleId, { received: 1, of: 1 })).status).toBe(200);
    expect(await figures(partnerId)).toEqual([0, 0, 0, 0, 0]);
    expect((await sale(saleId)).events).toHaveLength(3);
  });

  it("counts for every credit of the sale", async () => {
    const { partnerId, schemaId, sell } = await scene();
    const manager = await make.partner();
    await make.formula(manager, schemaId, { release: "on_receipt", roles: ["manager"] });
    const origin = await sell(500, {
      credits: [{ partner_id: partnerId }, { partner_id: manager, role: "manager" }],
    });
    await state(origin, { received: 1, of: 2 });
    expect(await figures(manager)).toEqual([50, 25, 25, 0, 25]);
    // A formula that is added later finds what was stated.
    await make.formula(manager, schemaId, { release: "on_receipt", roles: ["manager"] });
    const later = (await commissions(manager)).map(
      ({ view }: { view: { released_amount: number } }) => view.released_amount,
    );
    expect(later).toEqual([25, 25]);
  });

  it("does nothing where amounts are released at once, and shows nothing", async () => {
    const { partnerId, saleId } = await scene({});
    await state(saleId, { received: 0, of: 1 });
    const [{ view, events }] = await commissions(partnerId);
    expect(view).toMatchObject({ computed_amount: 1_000, due_amount: 1_000 });
    expect(view).not.toHaveProperty("waiting_amount");
    expect(view).not.toHaveProperty("released_amount");
    expect(events).toHaveLength(1);
  });
});

describe("POST /attributions/{id}/received/preview", () => {
  const preview = (id: string, json: object) =>
    engine.call("POST", `/api/v1/attributions/${id}/received/preview`, { json });

  it("says what would be released, and stores nothing", async () => {
    const { partnerId, saleId } = await scene();
    await state(saleId, { received: 250, of: 1_000 });
    const [{ id, commission_formula_id }] = await commissions(partnerId);
    const found = await preview(saleId, { received: 500, of: 1_000 });
    expect([found.status, found.body]).toEqual([
      200,
      {
        commissions: [
          {
            ...{ commission_id: id, partner_id: partnerId, commission_formula_id, currency: "EUR" },
            ...{ computed_amount: 1_000, released_before: 250, released_after: 500 },
            ...{ due_before: 250, due_after: 500 },
          },
        ],
      },
    ]);
    expect(await figures(partnerId)).toEqual([1_000, 250, 750, 0, 250]);
    expect((await sale(saleId)).events).toHaveLength(2);
    const earlier = await preview(saleId, { received: 1, of: 1, received_at: "2020-01-01T00:00:00Z" });
    expect(earlier.body.commissions[0]).toMatchObject({ released_before: 250, released_after: 250 });
  });

  it("takes back what was written off first", async () => {
    const { partnerId, saleId } = await scene();
    await state(saleId, { received: 500, of: 1_000 });
    const id = await settle(partnerId);
    await engine.call("POST", `/api/v1/settlements/${id}/approve`, { json: {} });
    await engine.call("POST", `/api/v1/settlements/${id}/write-off`, { json: {} });
    const { body } = await preview(saleId, { received: 250, of: 1_000 });
    expect(body.commissions[0]).toMatchObject({ released_before: 500, released_after: 250 });
    expect(body.commissions[0]).toMatchObject({ due_before: 0, due_after: 0 });
  });

  it("has nothing of what is released at once, and refuses as stating does", async () => {
    const { saleId } = await scene({});
    expect((await preview(saleId, { received: 1, of: 2 })).body).toEqual({ commissions: [] });
    const refused = await preview(saleId, { received: 1, of: 0 });
    expect([refused.status, refused.body.message]).toEqual([400, "of: must be greater than 0"]);
    expect((await preview(crypto.randomUUID(), { received: 1, of: 2 })).status).toBe(404);
  });
});

describe("GET /commissions?waiting", () => {
  it("lists what waits for the buyer", async () => {
    const { partnerId, saleId, sell } = await scene();
    const paid = await sell(5_000);
    await state(paid, { received: 1, of: 1 });
    const listed = async (waiting: boolean) =>
      (
        await engine.call("GET", `/api/v1/commissions?partner_ids=${partnerId}&waiting=${waiting}`)
      ).body.commissions.map(({ attribution_id }: { attribution_id: string }) => attribution_id);
    expect([await listed(true), await listed(false)]).toEqual([[saleId], [paid]]);
  });
});

describe("GET /commissions/{id}/explanation", () => {
  const explain = async (partnerId: string, headers: Record<string, string> = {}) => {
    const [{ id }] = await commissions(partnerId);
    return engine.call("GET", `/api/v1/commissions/${id}/explanation`, { headers });
  };

  it("says how much is payable, and why", async () => {
    const { partnerId, saleId } = await scene();
    const said = async (language: string) =>
      (await explain(partnerId, { accept: "text/plain", "accept-language": language })).text.split("\n")[1];
    expect(await said("en")).toBe("Nothing of it is payable yet: no payment of the buyer is known.");
    expect((await explain(partnerId)).body).toMatchObject({ released_amount: 0, waiting_amount: 1_000 });
    expect((await explain(partnerId)).body).not.toHaveProperty("receipt");
    await state(saleId, { received: 500, of: 1_000 });
    expect(await said("en")).toBe("Half of it is payable (5.00 EUR): the buyer has paid 500 of 1,000.");
    expect(await said("de")).toBe(
      "Die Hälfte davon ist auszahlbar (5,00 EUR): Der Käufer hat 500 von 1.000 bezahlt.",
    );
    expect((await explain(partnerId)).body).toMatchObject({
      ...{ amount: 1_000, released_amount: 500, waiting_amount: 500 },
      receipt: { received: 500, of: 1_000 },
    });
  });

  it("says nothing of the buyer where nothing waits for it", async () => {
    const { partnerId, saleId } = await scene({});
    await state(saleId, { received: 1, of: 2 });
    const { body } = await explain(partnerId);
    expect(Object.keys(body)).toEqual(["commission_id", "amount", "basis", "formula_version", "trace"]);
    expect((await explain(partnerId, { accept: "text/plain" })).text).not.toContain("buyer");
  });
});

describe("settling what has been released", () => {
  it("pays each part as the buyer pays, claims back what is taken back, and shows both in the statement", async () => {
    const { partnerId, saleId } = await scene();
    await state(saleId, { received: 500, of: 1_000 });
    const first = await settle(partnerId);
    expect(await draft(first)).toMatchObject({ view: { total: 500, stale: false } });
    await state(saleId, { received: 750, of: 1_000 });
    expect(await draft(first)).toMatchObject({ view: { total: 500, stale: true } });
    await engine.call("POST", `/api/v1/settlements/${first}/approve`, { json: {} });
    await engine.call("POST", `/api/v1/settlements/${first}/write-off`, { json: {} });
    const [{ view }] = await commissions(partnerId);
    expect([view.settlement_status, view.settled_amount, view.due_amount, view.waiting_amount]).toEqual([
      "unsettled",
      500,
      250,
      250,
    ]);
    expect(await balance(partnerId)).toEqual({
      ...{ currency: "EUR", earned: 1_000, settled: 500, pending: 0, due: 250, waiting: 250 },
    });
    const statement = await movements(partnerId);
    expect(statement.map((one: ReadonlyArray<unknown>) => one.slice(0, 2))).toEqual([
      ["earned", 0],
      ["received", 500],
      ["received", 250],
      ["written_off", -500],
    ]);
    expect(statement[0][2]).toMatch(/10\.00 EUR of it waits for the buyer$/);
    expect(statement[1][2]).toMatch(/: the buyer has paid 500 of 1,000$/);
    // What is taken back is covered by the write-off first.
    await state(saleId, { received: 0, of: 1_000 });
    expect(await figures(partnerId)).toEqual([1_000, 0, 1_000, 0, 0]);
  });

  it("counts what waits as unsettled in statistics", async () => {
    const { partnerId, saleId } = await scene();
    await state(saleId, { received: 1, of: 4 });
    const span = "from=2020-01-01T00:00:00Z&to=2035-01-01T00:00:00Z&granularity=month";
    const { body } = await engine.call("GET", `/api/v1/commissions/stats?${span}&partner_ids=${partnerId}`);
    expect(body.summary.unsettled).toEqual({ count: 1, amounts: [{ currency: "EUR", amount: 1_000 }] });
  });

  it("is left out of runs, which say why", async () => {
    const { partnerId } = await scene();
    const json = { workspace_id: engine.workspaceId, partner_ids: [partnerId], dry_run: true };
    const { body } = await engine.call("POST", "/api/v1/settlement-runs", { json });
    expect(body.results).toMatchObject([{ partner_id: partnerId, currency: "EUR", reason: "waiting" }]);
  });
});

describe("a replaced sale", () => {
  const corrected = { properties: { order_value: 8_000 }, reason: "a part was refunded" };

  it("carries its statement over", async () => {
    const { partnerId, saleId } = await scene();
    await state(saleId, { received: 500, of: 1_000, received_at: "2026-02-01T00:00:00Z" });
    const { body } = await engine.call("POST", `/api/v1/attributions/${saleId}/replace`, { json: corrected });
    const [, { view, events }] = await commissions(partnerId);
    expect([view.computed_amount, view.released_amount]).toEqual([800, 400]);
    expect(events).toHaveLength(2);
    expect(await sale(body.id)).toMatchObject({
      events: [
        { event: { type: "create_attribution" } },
        { event: { type: "state_received", received_at: "2026-02-01T00:00:00.000Z" } },
      ],
      view: { receipt: { received: 500, of: 1_000, received_at: "2026-02-01T00:00:00.000Z" } },
    });
    expect((await balance(partnerId)).waiting).toBe(400);
    expect((await movements(partnerId)).at(-1)?.slice(0, 2)).toEqual(["received", 400]);
  });

  it("brings a new one", async () => {
    const { partnerId, saleId } = await scene();
    await state(saleId, { received: 500, of: 1_000 });
    const json = { ...corrected, received: { received: 500, of: 800 } };
    await engine.call("POST", `/api/v1/attributions/${saleId}/replace`, { json });
    expect((await commissions(partnerId))[1].view.released_amount).toBe(500);
  });
});

describe("POST /attributions/received", () => {
  const batch = (json: object) => engine.call("POST", "/api/v1/attributions/received", { json });

  it("states many at once, all or none", async () => {
    const { partnerId, saleId, sell } = await scene();
    const other = await sell(2_000);
    const receipts = [saleId, other].map((attribution_id) => ({ attribution_id, received: 1, of: 2 }));
    const refused = await batch({
      receipts: [...receipts, { ...receipts[0], attribution_id: crypto.randomUUID() }],
    });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/^receipts\.2: /)]);
    expect((await balance(partnerId)).waiting).toBe(1_200);
    const { status, body } = await batch({ receipts });
    const both = (changed: boolean) => ({ results: [saleId, other].map((id) => ({ id, changed })) });
    expect([status, body]).toEqual([200, both(true)]);
    expect((await balance(partnerId)).waiting).toBe(600);
    expect((await batch({ receipts })).body).toEqual(both(false));
    const received_at = "2020-01-01T00:00:00Z";
    const older = receipts.map((one) => ({ ...one, received: 2, received_at }));
    expect((await batch({ receipts: older })).body).toEqual(both(false));
    expect((await balance(partnerId)).waiting).toBe(600);
  });

  it("stores the valid ones of an independent batch", async () => {
    const { partnerId, saleId } = await scene();
    const receipts = [
      { attribution_id: crypto.randomUUID(), received: 1, of: 2 },
      { attribution_id: saleId, received: 1, of: 2 },
    ];
    const { body } = await batch({ mode: "independent", receipts });
    expect(body.results).toEqual([
      expect.objectContaining({ error_code: "NOT_FOUND" }),
      { id: saleId, changed: true },
    ]);
    expect((await balance(partnerId)).waiting).toBe(500);
  });

  it.each([
    [{ receipts: [] }, /^receipts: must have 1 to 1000 receipts/],
    [{ receipts: "x" }, /^receipts: /],
  ])("refuses %o", async (json, message) => {
    const { status, body } = await batch(json);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it("refuses the same sale twice", async () => {
    const { saleId } = await scene();
    const one = { attribution_id: saleId, received: 1, of: 2 };
    expect((await batch({ receipts: [one, one] })).body.message).toBe(
      "receipts: must not name an attribution twice",
    );
  });
});
