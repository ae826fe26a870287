import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { SELF_BILLING, scene } from "./Scene.ts";

let engine: Engine;
let one: Awaited<ReturnType<typeof scene>>;
let two: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  engine = await start();
  one = await scene(engine);
  two = await scene(engine, { billing_mode: "self_billing", self_billing_data: SELF_BILLING });
});

const get = (path: string) => engine.call("GET", `/api/v1${path}`);

/** The ids of a list, whose number equals the total. */
const ids = async (path: string): Promise<ReadonlyArray<string>> => {
  const { status, body, text } = await get(path);
  expect(status, text).toBe(200);
  const records: ReadonlyArray<{ readonly id: string }> =
    body[path.slice(1, path.indexOf("?")).replaceAll("-", "_")];
  expect(body.total).toBe(records.length);
  return records.map(({ id }) => id);
};

describe("invalid filters", () => {
  it.each([
    [
      "/settlements?statuses=draft&statuses=open",
      "statuses.1: must be one of draft, awaiting_report, negative_review, awaiting_invoice, awaiting_credit_note, awaiting_payment, payment_initiated, disputed, paid, written_off, cancelled",
    ],
    ["/settlements?statuses=", /^statuses\.0: must be one of /],
    ["/settlements?currencies=eur", "currencies.0: must be an ISO 4217 currency code, such as EUR"],
    [
      "/settlements?created_from=2026-01-01",
      "created_from: must be an RFC 3339 date-time with an offset or Z",
    ],
    ["/settlements?created_to=yesterday", "created_to: must be an RFC 3339 date-time with an offset or Z"],
    [
      "/settlements?created_from=2026-01-01T00:00:00Z&created_to=2026-01-01T01:00:00%2B01:00",
      "created_to: must be after created_from",
    ],
    ["/settlements?stale=yes", "stale: must be one of true, false"],
    ["/settlements?stale=true&stale=false", "stale: must not be repeated"],
    [
      "/settlements?due=any",
      "due: is not a known parameter; known are ids, partner_ids, workspace_ids, commission_ids, statuses, currencies, created_from, created_to, stale, tax_review, payment_failed, document_numbers, payment_overdue, page, per_page, order",
    ],
    ["/commissions?formula_ids=1", "formula_ids.0: must be a UUID"],
    ["/commissions?settlement_ids=", "settlement_ids.0: must be a UUID"],
    [
      "/commissions?currencies=EUR&currencies=XXX",
      "currencies.1: must be an ISO 4217 currency code, such as EUR",
    ],
    ["/commissions?due=zero", "due: must be one of any, nonzero, positive, negative"],
    ["/commissions?due=positive&due=negative", "due: must not be repeated"],
    ["/attributions?schema_ids=x", "schema_ids.0: must be a UUID"],
    ["/attributions?statuses=draft", "statuses.0: must be one of confirmed, cancelled"],
    ["/attributions?external_references=", "external_references.0: must not be empty"],
    ["/attributions?external_references=%00", "external_references.0: must not contain U+0000"],
    [
      "/partners?billing_mode=none",
      "billing_mode: must be one of self_billing, partner_billing, not_configured",
    ],
    ["/partners?billing_mode=", "billing_mode: must be one of self_billing, partner_billing, not_configured"],
  ])("%s", async (path, message) => {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body.message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
  });

  it.each([
    ["settlements", "statuses", "draft"],
    ["settlements", "currencies", "EUR"],
    ["commissions", "formula_ids", "01a1f8a5-14d8-7359-ae42-e82a18235d33"],
    ["commissions", "settlement_ids", "01a1f8a5-14d8-7359-ae42-e82a18235d33"],
    ["commissions", "currencies", "SEK"],
    ["attributions", "schema_ids", "01a1f8a5-14d8-7359-ae42-e82a18235d33"],
    ["attributions", "statuses", "cancelled"],
    ["attributions", "external_references", "R%201"],
  ])("%s accept 100 %s and no more", async (records, parameter, value) => {
    const times = (count: number) =>
      get(`/${records}?${Array(count).fill(`${parameter}=${value}`).join("&")}`);
    expect((await times(100)).status).toBe(200);
    const { status, body } = await times(101);
    expect([status, body.message]).toEqual([400, `${parameter}: must have at most 100 values`]);
  });
});

describe("commissions", () => {
  it("by formula, settlement, currency and what is due", async () => {
    const selfBilling = { billing_mode: "self_billing", self_billing_data: SELF_BILLING };
    const made = await scene(engine, selfBilling);
    const { partnerId, schemaId, formulaId, commissionId, attributionId, draftOf, act } = made;
    const of = `/commissions?partner_ids=${partnerId}`;
    const kronaId = await made.formula(partnerId, schemaId, { currency: "SEK" });
    await made.attribution(partnerId, schemaId, 500);
    const euros = await ids(`${of}&formula_ids=${formulaId}`);
    const kronor = await ids(`${of}&formula_ids=${kronaId}`);
    expect([euros.length, euros[0], kronor.length]).toEqual([2, commissionId, 2]);
    expect(await ids(`${of}&currencies=SEK`)).toEqual(kronor);
    expect(await ids(`${of}&currencies=EUR&formula_ids=${kronaId}`)).toEqual([]);
    expect(await ids(`${of}&currencies=SEK&currencies=EUR&due=positive`)).toHaveLength(4);
    expect(await ids(`${of}&currencies=JPY`)).toEqual([]);

    const cancelledId = await draftOf([commissionId]);
    expect(await ids(`${of}&settlement_ids=${cancelledId}&settlement_status=pending_settlement`)).toEqual([
      commissionId,
    ]);
    expect(await ids(`${of}&settlement_ids=${cancelledId}&currencies=SEK`)).toEqual([]);
    await engine.call("DELETE", `/api/v1/settlements/${cancelledId}`);
    expect(await ids(`${of}&settlement_ids=${cancelledId}`)).toEqual([commissionId]);

    const paidId = await draftOf([commissionId]);
    await act(paidId, "approve");
    await engine.settle();
    expect((await act(paidId, "mark-as-paid")).status).toBe(200);
    expect(await ids(`${of}&settlement_ids=${paidId}&settlement_ids=${cancelledId}`)).toEqual([commissionId]);
    expect(await ids(`${of}&settlement_ids=${paidId}&due=nonzero`)).toEqual([]);
    await engine.call("DELETE", `/api/v1/attributions/${attributionId}`, { json: { reason: "returned" } });
    expect(await ids(`${of}&due=negative`)).toEqual([commissionId]);
    expect(await ids(`${of}&due=positive`)).toEqual([euros[1], kronor[1]]);
    expect(await ids(`${of}&due=nonzero`)).toHaveLength(3);
    expect(await ids(`${of}&due=any`)).toHaveLength(4);
  });
});

describe("settlements", () => {
  it("by status, currency, creation and staleness", async () => {
    const { partnerId, commissionId, attributionId, draft } = one;
    const of = `/settlements?partner_ids=${partnerId}`;
    const cancelled = await draft();
    await engine.call("DELETE", `/api/v1/settlements/${cancelled}`);
    const id = await draft();
    expect(await ids(`${of}&statuses=draft`)).toEqual([id]);
    expect(await ids(`${of}&statuses=cancelled`)).toEqual([cancelled]);
    expect(await ids(`${of}&statuses=draft&statuses=cancelled`)).toEqual([cancelled, id]);
    expect(await ids(`${of}&statuses=paid`)).toEqual([]);
    expect(await ids(`${of}&currencies=EUR&statuses=draft`)).toEqual([id]);
    expect(await ids(`${of}&currencies=SEK&statuses=draft`)).toEqual([]);

    const created: string = (await get(`/settlements?ids=${id}`)).body.settlements[0].view.created_at;
    const after = new Date(Date.parse(created) + 1).toISOString();
    expect(await ids(`/settlements?ids=${id}&created_from=${created}`)).toEqual([id]);
    expect(await ids(`/settlements?ids=${id}&created_from=${after}`)).toEqual([]);
    expect(await ids(`/settlements?ids=${id}&created_to=${created}`)).toEqual([]);
    expect(await ids(`/settlements?ids=${id}&created_from=${created}&created_to=${after}`)).toEqual([id]);

    expect(await ids(`${of}&tax_review=true`)).toEqual([]);
    expect(await ids(`${of}&tax_review=false`)).toEqual([cancelled, id]);
    expect(await ids(`${of}&payment_overdue=true`)).toEqual([]);
    expect(await ids(`${of}&payment_overdue=false`)).toEqual([cancelled, id]);
    expect(await ids(`${of}&payment_failed=true`)).toEqual([]);
    expect(await ids(`${of}&payment_failed=false`)).toEqual([cancelled, id]);
    expect(await ids(`${of}&stale=true`)).toEqual([]);
    expect(await ids(`${of}&stale=false`)).toEqual([cancelled, id]);
    await engine.call("DELETE", `/api/v1/attributions/${attributionId}`, { json: { reason: "returned" } });
    expect(await ids(`${of}&stale=true`)).toEqual([id]);
    expect(await ids(`${of}&stale=true&statuses=draft&commission_ids=${commissionId}`)).toEqual([id]);
    expect(await ids(`${of}&stale=true&statuses=cancelled`)).toEqual([]);
    expect(await ids(`${of}&stale=false`)).toEqual([cancelled]);
  });
});

describe("attributions", () => {
  it("by schema, status and external reference", async () => {
    const { partnerId, schemaId, schema, attribution } = two;
    const of = `/attributions?partner_ids=${partnerId}`;
    const second = await schema();
    const reference = (external_reference: string) => ({ external_reference });
    const first = await attribution(partnerId, schemaId, 10, reference("order 7/ä"));
    const same = await attribution(partnerId, second, 10, reference("order 7/ä"));
    const other = await attribution(partnerId, second, 10, reference("order 8"));
    await engine.call("DELETE", `/api/v1/attributions/${other}`, { json: { reason: "returned" } });
    expect(await ids(`${of}&schema_ids=${second}`)).toEqual([same, other]);
    expect(await ids(`${of}&external_references=order%207%2F%C3%A4`)).toEqual([first, same]);
    expect(await ids(`${of}&external_references=order+7/%C3%A4&schema_ids=${second}`)).toEqual([same]);
    expect(await ids(`${of}&external_references=ORDER%208`)).toEqual([]);
    expect(await ids(`${of}&external_references=order%208&external_references=x&statuses=cancelled`)).toEqual(
      [other],
    );
    expect(await ids(`${of}&statuses=cancelled`)).toEqual([other]);
    expect(await ids(`${of}&statuses=confirmed&schema_ids=${second}`)).toEqual([same]);
  });
});

describe("partners", () => {
  it("by billing mode", async () => {
    const of = `/partners?ids=${one.partnerId}&ids=${two.partnerId}`;
    expect(await ids(`${of}&billing_mode=partner_billing`)).toEqual([one.partnerId]);
    expect(await ids(`${of}&billing_mode=self_billing&name=nord`)).toEqual([two.partnerId]);
    expect(await ids(`${of}&billing_mode=not_configured`)).toEqual([]);
  });
});
