import fc from "fast-check";
import { Timestamp } from "quittance";
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker, pdf, SELF_BILLING, scene, TENTH } from "./Scene.ts";

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const DATETIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

let engine: Engine;
beforeAll(async () => {
  engine = await start();
});

const only = async (path: string, name: string) => {
  const { status, body } = await engine.call("GET", path);
  expect(status).toBe(200);
  expect(body).toEqual({ [name]: [expect.anything()], total: 1, page: 1, per_page: 10 });
  return body[name][0];
};

/** The first version of a formula. */
const VERSION = {
  ...{ number: 1, status: "reached", effective_datetime: null },
  ...{ formula: TENTH, formula_text: "order_value * 10 %", apply_share: true },
};

describe("records on the wire", () => {
  it("shows an attribution with its log, confirmed and cancelled", async () => {
    const { attributionId, partnerId, schemaId } = await scene(engine);
    const path = `/api/v1/attributions?ids=${attributionId}`;
    const created = {
      datetime: DATETIME,
      event: { type: "create_attribution", properties: { order_value: 12_000 } },
    };
    const record = {
      id: attributionId,
      partner_id: partnerId,
      customer_id: engine.customerId,
      schema_id: schemaId,
      metadata: {
        agent_id: null,
        workspace_id: engine.workspaceId,
        occurred_at: DATETIME,
        occurred_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
      events: [created],
      view: { status: "confirmed", properties: { order_value: 12_000 }, created_at: DATETIME },
    };
    expect(await only(path, "attributions")).toEqual(record);
    await engine.call("DELETE", `/api/v1/attributions/${attributionId}`, { json: { reason: "refunded" } });
    const cancelled = { datetime: DATETIME, event: { type: "cancel_attribution", reason: "refunded" } };
    expect(await only(path, "attributions")).toEqual({
      ...record,
      events: [created, cancelled],
      view: { ...record.view, status: "cancelled", cancel_reason: "refunded" },
    });
  });

  it("shows an external reference among the metadata", async () => {
    const { attribution, partnerId, schemaId } = await scene(engine);
    const id = await attribution(partnerId, schemaId, 1, { external_reference: "order-7" });
    const { metadata } = await only(`/api/v1/attributions?ids=${id}`, "attributions");
    expect(metadata).toEqual({
      agent_id: null,
      workspace_id: engine.workspaceId,
      external_reference: "order-7",
      occurred_at: DATETIME,
      occurred_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  it("shows the date an attribution counts for, and in its first event the date as it was given", async () => {
    const { attribution, partnerId, schemaId } = await scene(engine);
    const shown = async (occurred_at: string) => {
      const id = await attribution(partnerId, schemaId, 1, { occurred_at });
      const { metadata, events, view } = await only(`/api/v1/attributions?ids=${id}`, "attributions");
      return { metadata: metadata.occurred_at, event: events[0].event.occurred_at, view };
    };
    const late = await shown("2023-04-05T08:07:08.009+02:00");
    expect([late.metadata, late.event]).toEqual(["2023-04-05T06:07:08.009Z", "2023-04-05T06:07:08.009Z"]);
    const ahead = new Date(Date.now() + 200_000).toISOString();
    const early = await shown(ahead);
    expect([early.metadata, early.event]).toEqual([early.view.created_at, ahead]);
  });

  it("shows an attribution schema flat, its properties in order", async () => {
    const properties = [
      { name: "order_value", type: "number", required: true, format: "money_minor" },
      { name: "seats", type: "number", required: true, format: "plain" },
      { name: "plan", type: "string", required: false, default: "basic" },
      { name: "new_customer", type: "boolean", required: false },
    ];
    const id = await maker(engine.call, engine.workspaceId).schema({ properties });
    expect(await only(`/api/v1/attribution-schemas?ids=${id}`, "attribution_schemas")).toEqual({
      id,
      name: "Sale",
      customer_id: engine.customerId,
      workspace_id: engine.workspaceId,
      properties,
      display_properties: [],
    });
  });

  it("refuses the format of a property that is no number, and one that does not exist", async () => {
    const messageFor = async (property: object): Promise<unknown> => {
      const properties = [{ name: "value", required: true, ...property }];
      const json = { workspace_id: engine.workspaceId, name: "Sale", properties };
      const response = await engine.call("POST", "/api/v1/attribution-schemas", { json });
      return [response.status, response.body.message];
    };
    expect(await messageFor({ type: "string", format: "plain" })).toEqual([
      400,
      "properties.0.format: must be absent unless type is number",
    ]);
    expect(await messageFor({ type: "number", format: "euro" })).toEqual([
      400,
      "properties.0.format: must be one of money_minor, money_major, count, percent, plain",
    ]);
  });

  it("shows a partner flat, with its data exactly in self-billing", async () => {
    const make = maker(engine.call, engine.workspaceId);
    const common = {
      name: "Nordlys ApS",
      customer_id: engine.customerId,
      workspace_id: engine.workspaceId,
      payout_problem: null,
    };
    const plain = await make.partner();
    expect(await only(`/api/v1/partners?ids=${plain}`, "partners")).toEqual({
      id: plain,
      ...common,
      billing_mode: "partner_billing",
    });
    const billed = await make.partner({ billing_mode: "self_billing", self_billing_data: SELF_BILLING });
    expect(await only(`/api/v1/partners?ids=${billed}`, "partners")).toEqual({
      id: billed,
      ...common,
      billing_mode: "self_billing",
      self_billing_data: SELF_BILLING,
    });
  });

  it("shows a formula with its present values and its log", async () => {
    const { formulaId, partnerId, schemaId } = await scene(engine);
    await engine.call("PATCH", `/api/v1/commission-formulas/${formulaId}`, {
      json: { name: "10 % of order value" },
    });
    const record = await only(`/api/v1/commission-formulas?ids=${formulaId}`, "commission_formulas");
    expect(record).toEqual({
      id: formulaId,
      partner_id: partnerId,
      customer_id: engine.customerId,
      workspace_id: engine.workspaceId,
      schema_id: schemaId,
      currency: "EUR",
      name: "10 % of order value",
      description: null,
      start_datetime: "2020-01-01T00:00:00.000Z",
      end_datetime: null,
      expression: TENTH,
      roles: ["seller"],
      created_at: DATETIME,
      events: [
        {
          datetime: DATETIME,
          event: {
            type: "create_commission_formula",
            formula: TENTH,
            name: "10 %",
            description: null,
            start_datetime: "2020-01-01T00:00:00.000Z",
            end_datetime: null,
            currency: "EUR",
          },
        },
        { datetime: DATETIME, event: { type: "update_commission_formula", name: "10 % of order value" } },
      ],
      view: { status: "active", formula: TENTH, formula_text: "order_value * 10 %", versions: [VERSION] },
    });
    await engine.call("DELETE", `/api/v1/commission-formulas/${formulaId}`, { json: { reason: "mistake" } });
    const cancelled = await only(`/api/v1/commission-formulas?ids=${formulaId}`, "commission_formulas");
    expect(cancelled.view).toEqual({
      status: "cancelled",
      cancel_reason: "mistake",
      formula: TENTH,
      formula_text: "order_value * 10 %",
      versions: [VERSION],
    });
    expect(cancelled.events[2].event).toEqual({ type: "cancel_commission_formula", reason: "mistake" });
  });

  it("shows a commission through reservation, payment and cancellation", async () => {
    const { commissionId, attributionId, formulaId, partnerId, draft, act } = await scene(engine);
    const settlementId = await draft();
    await act(settlementId, "approve");
    await engine.settle();
    await engine.call("POST", `/api/v1/settlements/${settlementId}/invoice`, { body: pdf("invoice") });
    await act(settlementId, "mark-as-paid");
    await engine.call("DELETE", `/api/v1/attributions/${attributionId}`, { json: { reason: "refunded" } });
    const about = { settlement_id: settlementId, amount: 1200 };
    expect(await only(`/api/v1/commissions?ids=${commissionId}`, "commissions")).toEqual({
      id: commissionId,
      partner_id: partnerId,
      attribution_id: attributionId,
      customer_id: engine.customerId,
      commission_formula_id: formulaId,
      workspace_id: engine.workspaceId,
      currency: "EUR",
      events: [
        { type: "create_commission", amount: 1200, formula_version: 1 },
        { type: "reserve_commission", ...about },
        { type: "settle_commission", ...about, kind: "paid" },
        { type: "update_commission", amount: 0, formula_version: 1, cause: "attribution_cancelled" },
      ].map((event) => ({ datetime: DATETIME, event })),
      view: {
        created_at: DATETIME,
        computed_amount: 0,
        settlement_status: "unsettled",
        settled_amount: 1200,
        pending_amount: 0,
        due_amount: -1200,
        formula_version: 1,
        computation_error: null,
      },
    });
  });

  it("shows a settlement from draft to paid, its lines once", async () => {
    const { commissionId, partnerId, draft, act, settlement } = await scene(engine, {
      billing_mode: "self_billing",
      self_billing_data: SELF_BILLING,
    });
    const id = await draft();
    const view = {
      status: { type: "draft" },
      total: 1200,
      lines: [{ commission_id: commissionId, amount: 1200 }],
      billing_mode: null,
      tax_amount: null,
      payable_amount: null,
      tax_review: null,
      stale: false,
      dispute_reason: null,
      disputed_at: null,
      reconciliation_status: "unreconciled",
      report_reference: null,
      report_number: null,
      invoice_reference: null,
      invoice_number: null,
      invoice_date: null,
      due_date: null,
      credit_note_reference: null,
      credit_note_number: null,
      credit_note_date: null,
      document_problem: null,
      e_invoice_problems: [],
      payment_reference: null,
      payment_file_status: null,
      payment_handed_over_at: null,
      payment_overdue: false,
      paid_at: null,
      bank_reference: null,
      fee: null,
      received: null,
      created_at: DATETIME,
    };
    const person = expect.any(String);
    const record = {
      id,
      customer_id: engine.customerId,
      workspace_id: engine.workspaceId,
      partner_id: partnerId,
      currency: "EUR",
      events: [
        { datetime: DATETIME, person, event: { type: "create_settlement", total: 1200, line_count: 1 } },
      ] as Array<unknown>,
      view,
    };
    expect(await settlement(id)).toEqual(record);
    await act(id, "approve");
    await engine.settle();
    await act(id, "mark-as-paid");
    const paid = await settlement(id);
    expect(paid).toEqual({
      ...record,
      events: [
        ...record.events,
        { datetime: DATETIME, person, event: { type: "approve_settlement", billing_mode: "self_billing" } },
        {
          datetime: DATETIME,
          person: "system:documents",
          event: {
            type: "link_report",
            report_reference: UUID,
            report_number: expect.stringMatching(/^REP-\d{6}$/),
          },
        },
        {
          datetime: DATETIME,
          person: "system:documents",
          event: {
            type: "link_invoice",
            invoice_reference: UUID,
            invoice_number: "INV-000001",
            invoice_date: DATE,
            due_date: DATE,
          },
        },
        { datetime: DATETIME, person, event: { type: "mark_as_paid" } },
      ],
      view: {
        ...view,
        status: { type: "paid", method: "manual" },
        billing_mode: "self_billing",
        tax_amount: 300,
        payable_amount: 1500,
        report_reference: UUID,
        report_number: expect.stringMatching(/^REP-\d{6}$/),
        invoice_reference: UUID,
        invoice_number: "INV-000001",
        invoice_date: DATE,
        due_date: DATE,
        paid_at: DATETIME,
      },
    });
    const { invoice_date, due_date } = paid.view;
    expect(Date.parse(due_date) - Date.parse(invoice_date)).toBe(30 * 86_400_000);
    expect(paid.view.report_reference).toBe(paid.events[2].event.report_reference);
  });

  it("shows an API key without its secret", async () => {
    const { status, body } = await engine.call("POST", "/api/v1/api-keys", {
      json: { name: "till", scopes: ["attributions:write"], workspace_ids: [engine.workspaceId] },
    });
    expect(status).toBe(201);
    expect(body).toEqual({ id: UUID, key: expect.stringMatching(/^qk_[0-9a-f]{16}_[\w-]{43}$/) });
    const listed = await engine.call("GET", "/api/v1/api-keys?order=desc&per_page=1");
    expect(listed.body.api_keys).toEqual([
      {
        id: body.id,
        customer_id: engine.customerId,
        name: "till",
        use: "program",
        person: UUID,
        kind: "customer",
        workspace_ids: [engine.workspaceId],
        partner_ids: "*",
        agent_id: null,
        scopes: ["attributions:write"],
        created_at: DATETIME,
        expires_at: null,
        revoked_at: null,
        session_id: null,
        last_used_at: null,
      },
    ]);
    expect(listed.text).not.toContain(body.key.slice("qk_".length + 16 + "_".length));
  });

  it("shows the billing profile as it was written", async () => {
    const profile = {
      legal_name: "Shop A/S",
      address: SELF_BILLING.address,
      vat_number: "DK87654321",
      electronic_address: "0184:87654321",
      tax_currency: "DKK",
      exchange_rates: [{ currency: "EUR", date: "2026-02-02", rate: "7.4604", source: "Central bank" }],
      document_numbers: { prefix: "F", correction_prefix: "R", year: true },
    };
    expect((await engine.call("GET", "/api/v1/billing-profile")).status).toBe(404);
    expect((await engine.call("PUT", "/api/v1/billing-profile", { json: profile })).status).toBe(200);
    expect((await engine.call("GET", "/api/v1/billing-profile")).body).toEqual(profile);
  });
});

describe("moments on the wire", () => {
  it("are written as in ECMAScript, in every year", () => {
    const range = { min: Date.parse("0001-01-01T00:00:00Z"), max: Date.parse("9999-12-31T23:59:59.999Z") };
    const edges = [range.min, range.max, 0, -1, 1, 86_399_999, 86_400_000, -86_400_001];
    for (const moment of edges) expect(Timestamp.format(moment)).toBe(new Date(moment).toISOString());
    fc.assert(
      fc.property(fc.integer(range), (moment) => Timestamp.format(moment) === new Date(moment).toISOString()),
    );
  });
});
