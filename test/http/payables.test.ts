/** Payables over HTTP. That every figure is the balance of its account in all histories is invariant M16. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { SELF_BILLING, scene } from "./Scene.ts";

let engine: Engine;
let one: Awaited<ReturnType<typeof scene>>;
let two: Awaited<ReturnType<typeof scene>>;

const SELF_BILLED = { billing_mode: "self_billing", self_billing_data: SELF_BILLING };
const read = (query = "") => engine.call("GET", `/api/v1/payables?${query}`);

beforeAll(async () => {
  engine = await start();
  one = await scene(engine, SELF_BILLED);
  two = await scene(engine, { ...SELF_BILLED, name: '=cmd|"x"' }, 20_000);
  await one.act(await one.draft(), "approve");
  await engine.settle();
  await one.attribution(one.partnerId, one.schemaId, 5_000);
  await two.draft();
});

const ONE = {
  ...{ earned: 1_700, awaiting_receipt: 0, accrued: 500, in_settlement: 0, tax: 300, payable: 1_500 },
  ...{ current: 1_500, overdue_1_to_30: 0, overdue_31_to_60: 0, overdue_61_to_90: 0, overdue_over_90: 0 },
  ...{ paid: 0, settled_elsewhere: 0, written_off: 0, currency: "EUR" },
};
const TWO = {
  ...{ earned: 2_000, awaiting_receipt: 0, accrued: 2_000, in_settlement: 2_000, tax: 0, payable: 0 },
  ...{ current: 0, overdue_1_to_30: 0, overdue_31_to_60: 0, overdue_61_to_90: 0, overdue_over_90: 0 },
  ...{ paid: 0, settled_elsewhere: 0, written_off: 0, currency: "EUR" },
};

describe("GET /payables", () => {
  it("returns what each partner has earned, and where it is on its way", async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ at: expect.stringMatching(/Z$/), final: false, next_cursor: null },
      rows: [
        { partner_id: one.partnerId, partner_name: "Nordlys ApS", workspace_id: engine.workspaceId, ...ONE },
        { partner_id: two.partnerId, partner_name: '=cmd|"x"', workspace_id: engine.workspaceId, ...TWO },
      ],
    });
  });

  it("equals the balances of the journal, account by account", async () => {
    const { body } = await read("group_by=currency");
    const journal = await engine.call("GET", `/api/v1/journal?from=2020-01-01T00:00:00Z&to=${body.at}`);
    const sums: Record<string, number> = {};
    for (const { lines } of journal.body.entries)
      for (const { account, debit = 0, credit = 0 } of lines)
        sums[account] = (sums[account] ?? 0) + debit - credit;
    expect(body.rows).toHaveLength(1);
    const [{ earned, tax, accrued, payable }] = body.rows;
    expect({
      ...{ commission_expense: earned, input_tax: tax },
      ...{ accrued_commissions: -accrued, partner_payables: -payable },
    }).toEqual(sums);
    expect([earned, accrued, payable]).toEqual([3_700, 2_500, 1_500]);
  });

  it("adds up by workspace and by currency, on one page", async () => {
    const sum = { ...ONE, earned: 3_700, accrued: 2_500, in_settlement: 2_000 };
    expect((await read("group_by=workspace")).body.rows).toEqual([
      { workspace_id: engine.workspaceId, ...sum },
    ]);
    expect((await read("group_by=currency")).body.rows).toEqual([sum]);
    const { status, body } = await read("group_by=currency&after=1");
    expect([status, body.field]).toEqual([400, "after"]);
  });

  it("is read page by page of partners", async () => {
    const first = (await read("limit=1")).body;
    expect(first.rows.map(({ partner_id }: { partner_id: string }) => partner_id)).toEqual([one.partnerId]);
    const second = (await read(`limit=1&at=${first.at}&after=${first.next_cursor}`)).body;
    expect(second.rows.map(({ partner_id }: { partner_id: string }) => partner_id)).toEqual([two.partnerId]);
    expect(second.next_cursor).toBeNull();
    const refused = await read("after=next");
    expect([refused.status, refused.body.field]).toEqual([400, "after"]);
  });

  it("shows the past as it was, also where something has happened since", async () => {
    const { at } = (await read()).body;
    const before = (await read(`at=${at}`)).body.rows;
    const { body } = await engine.call("GET", `/api/v1/settlements?partner_ids=${one.partnerId}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await one.act(body.settlements[0].id, "mark-as-paid");
    expect((await read(`at=${at}`)).body.rows).toEqual(before);
    const [now] = (await read(`partner_ids=${one.partnerId}`)).body.rows;
    expect(now).toMatchObject({ payable: 0, current: 0, paid: 1_500, tax: 300, accrued: 500 });
    expect((await read("at=2020-01-01T00:00:00Z")).body.rows).toEqual([]);
  });

  it("is a file of comma-separated values, of which no cell is a formula", async () => {
    const { text, headers } = await read("format=csv");
    expect(headers.get("content-type")).toMatch(/^text\/csv/);
    expect(headers.get("content-disposition")).toMatch(/filename="payables-\d{4}-\d\d-\d\d\.csv"/);
    const [header = "", ...rows] = text.trimEnd().split("\r\n");
    expect(header).toMatch(/^at,currency,partner_id,partner_name,workspace_id,earned,awaiting_receipt,/);
    expect(rows).toHaveLength(2);
    expect(rows[1]?.split(",")).toHaveLength(header.split(",").length);
    expect(rows[1]).toMatch(/,20\.00,0\.00,20\.00,20\.00,0\.00,/);
    expect(text).not.toMatch(/(^|,|")=cmd/m);
  });

  it("shows nothing of partners outside the grant", async () => {
    const grant = { customer_id: engine.customerId, scopes: ["settlements:read"] };
    const token = await engine.keyOf({ ...grant, partner_ids: [two.partnerId] });
    const own = await engine.call("GET", "/api/v1/payables", { token });
    expect(own.body.rows.map(({ partner_id }: { partner_id: string }) => partner_id)).toEqual([
      two.partnerId,
    ]);
    const refused = await engine.call("GET", `/api/v1/payables?partner_ids=${one.partnerId}`, { token });
    expect([refused.status, refused.body.field]).toEqual([403, "partner_ids"]);
  });
});
