/** Sales that were settled elsewhere, over HTTP: what is shown of them, what is stated, and what is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker } from "./Scene.ts";

let engine: Engine;
let make: ReturnType<typeof maker>;
beforeAll(async () => {
  engine = await start();
  make = maker(engine.call, engine.workspaceId);
});

const SETTLED = { at: "2026-01-05T12:00:00+01:00", reference: "payout 7" };
const SHOWN = { at: "2026-01-05T11:00:00.000Z", reference: "payout 7" };
const SOLD = "2026-01-02T00:00:00Z";

/** A partner that earns a tenth of each sale, and what records a sale of 10,000 that was settled elsewhere. */
const scene = async () => {
  const partnerId = await make.partner();
  const schemaId = await make.schema();
  await make.formula(partnerId, schemaId);
  const json = {
    ...{ partner_id: partnerId, schema_id: schemaId, workspace_id: engine.workspaceId },
    ...{ properties: { order_value: 10_000 }, occurred_at: SOLD, settled_elsewhere: SETTLED },
  };
  return { partnerId, json };
};

const get = async (path: string) => (await engine.call("GET", `/api/v1/${path}`)).body;

describe("POST /attributions with settled_elsewhere", () => {
  it("shows it in the attribution, its commission, and the explanation, statement and journal of that", async () => {
    const { partnerId, json } = await scene();
    const { body } = await engine.call("POST", "/api/v1/attributions", { json });
    const [attribution] = (await get(`attributions?ids=${body.id}`)).attributions;
    expect(attribution.view.settled_elsewhere).toEqual(SHOWN);
    expect(attribution.events[0].event.settled_elsewhere).toEqual(SHOWN);
    const [commission] = (await get(`commissions?partner_ids=${partnerId}`)).commissions;
    expect(commission.events.map(({ event }: { event: object }) => event)).toEqual([
      { type: "create_commission", amount: 1_000, formula_version: 1 },
      { type: "settle_elsewhere", amount: 1_000, ...SHOWN },
    ]);
    expect(commission.view).toMatchObject({
      ...{ settlement_status: "settled", settled_amount: 1_000, due_amount: 0 },
    });
    const settled = await get(`commissions?partner_ids=${partnerId}&settlement_status=settled`);
    expect(settled.total).toBe(1);
    expect(await get(`commissions/${commission.id}/explanation`)).toMatchObject({
      settled_elsewhere: { amount: 1_000, ...SHOWN },
    });
    const { movements } = await get(`partners/${partnerId}/statement?from=2020-01-01T00:00:00Z`);
    expect(movements.map(({ type, amount, text }: Record<string, unknown>) => [type, amount, text])).toEqual([
      ["earned", 1_000, "Sale of 2 January 2026"],
      [
        ...["settled_elsewhere", -1_000],
        "Sale of 2 January 2026: settled in another system on 5 January 2026, reference payout 7",
      ],
    ]);
    const { entries } = await get(`journal?from=2020-01-01T00:00:00Z&partner_ids=${partnerId}`);
    expect(entries[1]).toMatchObject({
      kind: "settled_elsewhere",
      lines: [
        { account: "accrued_commissions", debit: 1_000 },
        { account: "settled_elsewhere", credit: 1_000 },
      ],
    });
    const { rows } = await get(`payables?partner_ids=${partnerId}`);
    expect(rows[0]).toMatchObject({ earned: 1_000, settled_elsewhere: 1_000, written_off: 0, accrued: 0 });
  });

  it("stores each of a batch, and is repeated by the same reference", async () => {
    const { partnerId, json } = await scene();
    const attributions = [1, 2, 3].map((order) => ({
      ...json,
      external_reference: `${partnerId} ${order}`,
      ...(order === 3 ? { settled_elsewhere: undefined } : {}),
    }));
    const [first, second] = [
      await engine.call("POST", "/api/v1/attributions/batch", { json: { attributions } }),
      await engine.call("POST", "/api/v1/attributions/batch", { json: { attributions } }),
    ];
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    const { balances } = await get(`partners/${partnerId}/balance`);
    expect(balances).toMatchObject([{ earned: 3_000, settled: 2_000, due: 1_000 }]);
  });

  it.each([
    [{ settled_elsewhere: {} }, /^settled_elsewhere\.at: /],
    [{ settled_elsewhere: { at: "soon" } }, /^settled_elsewhere\.at: /],
    [
      { settled_elsewhere: { at: "2026-01-01T23:59:59Z" } },
      "settled_elsewhere.at: must not be before occurred_at",
    ],
    [
      { settled_elsewhere: { at: "2999-01-01T00:00:00Z" } },
      "settled_elsewhere.at: must not be in the future",
    ],
    [{ settled_elsewhere: { ...SETTLED, reference: "" } }, /^settled_elsewhere\.reference: /],
    [{ occurred_at: undefined }, "occurred_at: is required with settled_elsewhere"],
  ])("refuses %o, and stores nothing", async (more, message) => {
    const { partnerId, json } = await scene();
    const reply = await engine.call("POST", "/api/v1/attributions", { json: { ...json, ...more } });
    expect([reply.status, reply.body.message]).toEqual([400, expect.stringMatching(message)]);
    expect((await get(`attributions?partner_ids=${partnerId}`)).total).toBe(0);
  });
});
