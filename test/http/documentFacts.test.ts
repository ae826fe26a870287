import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, type Reply, start } from "./Engine.ts";
import { form, pdf, scene } from "./Scene.ts";

let engine: Engine;
let manual: Engine;
beforeAll(async () => {
  engine = await start();
  manual = await start({ documents: "manual" });
});

const TAX = { treatment: "standard", label: "VAT", rate_bps: 2500 };
const SELF_BILLED = {
  billing_mode: "self_billing",
  self_billing_data: {
    legal_name: "Nordlys ApS",
    address: { street: "Havnegade 1", city: "København", region: "", postal_code: "1058", country: "DK" },
    vat_number: "DK12345678",
    payment_terms_days: 30,
    bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
    tax_config: TAX,
  },
};

/** An approved settlement of 1200 and what to do with its documents. */
const approved = async (on: Engine, partner: object = {}) => {
  const made = await scene(on, partner);
  const id = await made.draft();
  await made.act(id, "approve");
  await on.settle();
  const upload = (kind: string, parts: object = {}, text = "", headers: Record<string, string> = {}) => {
    const data = pdf(text);
    for (const [name, value] of Object.entries(parts)) data.append(name, value);
    return on.call("POST", `/api/v1/settlements/${id}/${kind}`, { body: data, headers });
  };
  const view = async () => (await made.settlement(id)).view;
  return { ...made, id, upload, view };
};

const told = ({ status, body }: Reply) => [status, body.message];

const INVOICE = { number: "2026-17", date: "2026-01-31", due_date: "2026-03-02", tax_amount: "300" };

describe("an upload", () => {
  it("must be a file; if it is not, the message shows the form of the curl option", async () => {
    const { id, view } = await approved(engine);
    const path = `/api/v1/settlements/${id}/invoice`;
    const data = new FormData();
    data.append("file", "invoice.pdf");
    expect(told(await engine.call("POST", path, { body: data }))).toEqual([
      400,
      'file: must be a file: the part has no file name (with curl, write -F "file=@invoice.pdf", with the @)',
    ]);
    const large = new FormData();
    large.append("file", "x".repeat(100_000));
    expect((await engine.call("POST", path, { body: large })).status).toBe(400);
    expect((await view()).status.type).toBe("awaiting_invoice");
    expect((await engine.call("GET", path)).status).toBe(404);
  });

  it("states number, dates and tax of a partner's invoice", async () => {
    const { upload, view, settlement, id } = await approved(engine);
    expect(await view()).toMatchObject({
      report_number: expect.stringMatching(/^REP-\d{6}$/),
      invoice_number: null,
      invoice_date: null,
      due_date: null,
    });
    expect((await upload("invoice", INVOICE)).status).toBe(200);
    expect(await view()).toMatchObject({
      invoice_number: "2026-17",
      invoice_date: "2026-01-31",
      due_date: "2026-03-02",
      credit_note_number: null,
      credit_note_date: null,
      tax_amount: 300,
      payable_amount: 1500,
    });
    const { events } = await settlement(id);
    expect(events.at(-1).event).toEqual({
      type: "link_invoice",
      invoice_reference: expect.any(String),
      invoice_number: "2026-17",
      invoice_date: "2026-01-31",
      due_date: "2026-03-02",
      tax_review: { tax_amount: 300, expected_tax_amount: null },
    });
  });

  it.each([
    [{ number: "" }, "number: must not be empty"],
    [{ number: "x".repeat(65) }, "number: must have 1 to 64 characters"],
    [{ date: "31.01.2026" }, "date: must be a date as YYYY-MM-DD"],
    [{ date: "2026-02-30" }, "date: must be a date as YYYY-MM-DD"],
    [{ due_date: "2026-01-01T00:00:00Z" }, "due_date: must be a date as YYYY-MM-DD"],
    [{ date: "2026-02-01", due_date: "2026-01-31" }, "due_date: must not be before date"],
    [{ tax_amount: "-1" }, "tax_amount: must be a whole number from 0 to 9007199254740991"],
    [{ tax_amount: "3.00" }, "tax_amount: must be a whole number from 0 to 9007199254740991"],
    [{ tax_amount: "9007199254740992" }, "tax_amount: must be a whole number from 0 to 9007199254740991"],
    [{ tax_amount: "9007199254740991" }, "tax_amount: total and tax exceed the largest amount"],
    [{ nummer: "1" }, "nummer: is not a part of this form: file, number, date, due_date, tax_amount"],
  ])("with %j is refused", async (parts, message) => {
    const { upload, view } = await approved(engine);
    expect(told(await upload("invoice", parts))).toEqual([400, message]);
    expect((await view()).status.type).toBe("awaiting_invoice");
  });

  it("accepts each part once, and text only where text is expected", async () => {
    const { id } = await approved(engine);
    const post = async (change: (data: FormData) => void) => {
      const data = form("%PDF-1.7");
      change(data);
      return told(await engine.call("POST", `/api/v1/settlements/${id}/invoice`, { body: data }));
    };
    const twice = (data: FormData) => {
      data.append("number", "1");
      data.append("number", "2");
    };
    expect(await post(twice)).toEqual([400, "number: must occur once"]);
    expect(await post((data) => data.append("number", new Blob(["1"]), "number.txt"))).toEqual([
      400,
      "number: must be text, not a file",
    ]);
    const bytes = (data: FormData) => data.append("number", "x".repeat(9_000));
    expect((await post(bytes))[0]).toBe(413);
  });

  it("accepts tax up to the largest amount together with the total", async () => {
    const { upload, view } = await approved(engine);
    expect((await upload("invoice", { tax_amount: String(Number.MAX_SAFE_INTEGER - 1200) })).status).toBe(
      200,
    );
    expect((await view()).payable_amount).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("replaces an upload until payment begins, and the log keeps both", async () => {
    const { upload, view, settlement, act, id } = await approved(engine);
    await upload("invoice", INVOICE, "wrong");
    const first = (await view()).invoice_reference;
    expect((await upload("invoice", { number: "2026-18" }, "right")).status).toBe(200);
    const after = await view();
    expect(after).toMatchObject({
      status: { type: "awaiting_payment" },
      invoice_number: "2026-18",
      invoice_date: null,
      due_date: null,
      tax_amount: null,
      payable_amount: 1200,
    });
    expect(after.invoice_reference).not.toBe(first);
    expect((await engine.call("GET", `/api/v1/settlements/${id}/invoice`)).text).toBe("%PDF-1.7 right");
    const links = (await settlement(id)).events.filter(
      ({ event }: { readonly event: { readonly type: string } }) => event.type === "link_invoice",
    );
    expect(links.map(({ event }: { readonly event: object }) => event)).toMatchObject([
      { invoice_reference: first, invoice_number: "2026-17" },
      { invoice_reference: after.invoice_reference, invoice_number: "2026-18" },
    ]);
    expect((await upload("invoice", {}, "third")).status).toBe(200);
    expect((await upload("report", {}, "x")).body.message).toMatch(/^settlement_state:/);
    expect((await upload("credit-note", {}, "x")).body.message).toMatch(/^settlement_state:/);
    await act(id, "mark-as-paid");
    expect(told(await upload("invoice", INVOICE))).toEqual([
      409,
      "settlement_state: a settlement in paid cannot take an invoice",
    ]);
  });

  it("does not replace a document of the service", async () => {
    const { upload, view } = await approved(engine, SELF_BILLED);
    expect((await view()).status.type).toBe("awaiting_payment");
    expect((await upload("invoice", INVOICE)).body.message).toMatch(/^settlement_state:/);
    expect((await view()).invoice_number).toBe("INV-000001");
  });

  it("repeats under a key only with the same parts", async () => {
    const { upload } = await approved(engine);
    const headers = { "idempotency-key": "facts-1" };
    expect((await upload("invoice", INVOICE, "a", headers)).status).toBe(200);
    const replay = await upload("invoice", INVOICE, "a", headers);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    const other = await upload("invoice", { ...INVOICE, number: "2026-18" }, "a", headers);
    expect(other.body.message).toMatch(/^idempotency_key_reuse:/);
  });

  it("of a self-billed document has the service's tax", async () => {
    const { upload, view } = await approved(manual, SELF_BILLED);
    expect(told(await upload("report", { date: "2026-01-31" }))).toEqual([
      400,
      "date: is not a part of this form: file, number",
    ]);
    expect((await upload("report", { number: "R 1" })).status).toBe(200);
    expect(told(await upload("invoice", { ...INVOICE, tax_amount: "299" }))).toEqual([
      409,
      "billing_mode: tax_amount: the tax of this self-billed settlement is 300",
    ]);
    expect((await upload("invoice", INVOICE)).status).toBe(200);
    expect(await view()).toMatchObject({
      report_number: "R 1",
      invoice_number: "2026-17",
      due_date: "2026-03-02",
      tax_amount: 300,
      payable_amount: 1500,
    });
    expect((await upload("report", { number: "R 2" })).status).toBe(200);
    expect(await view()).toMatchObject({ status: { type: "awaiting_payment" }, report_number: "R 2" });
  });

  it("counts the tax of a credit note with the sign of the total", async () => {
    const { upload, view, act, id, attributionId, commissionId, draftOf, settlement } =
      await approved(engine);
    await upload("invoice");
    await act(id, "mark-as-paid");
    await engine.call("DELETE", `/api/v1/attributions/${attributionId}`, { json: { reason: "refunded" } });
    const back = await draftOf([commissionId]);
    await act(back, "approve");
    await engine.settle();
    await act(back, "review", { decision: "issue_credit_note" });
    const data = form("%PDF-1.7");
    for (const [name, value] of Object.entries(INVOICE)) data.append(name, value);
    expect(
      (await engine.call("POST", `/api/v1/settlements/${back}/credit-note`, { body: data })).status,
    ).toBe(200);
    expect((await settlement(back)).view).toMatchObject({
      total: -1200,
      tax_amount: -300,
      payable_amount: -1500,
      credit_note_number: "2026-17",
      credit_note_date: "2026-01-31",
      due_date: "2026-03-02",
      invoice_number: null,
    });
    expect((await view()).tax_amount).toBe(null);
  });
});

describe("a stated tax that the policy does not expect", () => {
  const REVIEW = {
    tax_amount: 500,
    expected_tax_amount: 300,
    message: "the document states 5.00 EUR tax; 25 % of the total of 12.00 EUR is 3.00 EUR",
  };

  /** An approved settlement under a policy with the rate of 25 %, and its upload with another tax. */
  const held = async () => {
    const made = await scene(engine);
    const policy = await engine.call("PUT", `/api/v1/settlement-policies/${engine.workspaceId}`, {
      json: { invoice_tax_bps: 2500 },
    });
    expect(policy.status).toBe(200);
    const id = await made.draft();
    await made.act(id, "approve");
    await engine.settle();
    const upload = (tax_amount: number) => {
      const data = pdf("");
      data.append("tax_amount", String(tax_amount));
      return engine.call("POST", `/api/v1/settlements/${id}/invoice`, { body: data });
    };
    expect((await upload(500)).status).toBe(200);
    return { ...made, id, upload, view: async () => (await made.settlement(id)).view };
  };

  it("is shown with its reason, and is not paid", async () => {
    const { act, id, view } = await held();
    expect(await view()).toMatchObject({
      status: { type: "awaiting_payment" },
      ...{ tax_amount: 500, payable_amount: 1700, tax_review: REVIEW },
    });
    for (const command of ["mark-as-paid", "initiate-payment"])
      expect(told(await act(id, command))).toEqual([
        409,
        `tax_review: ${REVIEW.message}; an approver has to accept the tax first`,
      ]);
  });

  it("is paid after an approver has accepted it", async () => {
    const { act, id, view, settlement } = await held();
    expect((await act(id, "review", { decision: "accept_tax", note: "asked" })).status).toBe(200);
    expect((await settlement(id)).events.at(-1).event).toEqual({
      type: "review_settlement",
      decision: "accept_tax",
      note: "asked",
    });
    expect((await act(id, "mark-as-paid")).status).toBe(200);
    expect(await view()).toMatchObject({ status: { type: "paid" }, payable_amount: 1700, tax_review: null });
  });

  it("is refused with its document; the next one is paid without a review when its tax is as expected", async () => {
    const { act, id, view, upload } = await held();
    expect((await act(id, "review", { decision: "refuse_tax" })).status).toBe(200);
    expect(await view()).toMatchObject({ status: { type: "awaiting_invoice" }, invoice_reference: null });
    expect((await engine.call("GET", `/api/v1/settlements/${id}/invoice`)).status).toBe(404);
    expect((await upload(300)).status).toBe(200);
    expect(await view()).toMatchObject({ payable_amount: 1500, tax_review: null });
    expect(told(await act(id, "review", { decision: "accept_tax" }))).toEqual([
      409,
      "settlement_state: a settlement in awaiting_payment cannot be reviewed",
    ]);
  });
});

describe("mark as paid", () => {
  const DAY = 86_400_000;
  const awaiting = async () => {
    const made = await approved(engine);
    await made.upload("invoice");
    const events = (await made.settlement(made.id)).events;
    const at = events.find(
      ({ event }: { readonly event: { readonly type: string } }) => event.type === "approve_settlement",
    ).datetime;
    return { ...made, approvedAt: Date.parse(at) };
  };
  const iso = (moment: number) => new Date(moment).toISOString();

  it("accepts a time, the bank's reference, the fee, what arrived and a note, and shows them", async () => {
    const { act, id, view, settlement, approvedAt } = await awaiting();
    const amounts = {
      fee: { amount: 0, currency: "EUR" },
      received: { amount: 107, currency: "USD" },
    };
    const paid = {
      ...{ paid_at: iso(approvedAt - DAY), bank_reference: "AB 118", note: "with the salaries" },
      ...amounts,
    };
    const before = await view();
    expect((await act(id, "mark-as-paid", paid)).status).toBe(200);
    const { total, payable_amount, lines } = before;
    expect(await view()).toMatchObject({
      ...{ paid_at: paid.paid_at, bank_reference: "AB 118", total, payable_amount, lines },
      ...amounts,
    });
    expect((await settlement(id)).events.at(-1).event).toEqual({ type: "mark_as_paid", ...paid });
  });

  it("refuses a time a day before the approval or in the future", async () => {
    const { act, id, view, approvedAt } = await awaiting();
    expect(told(await act(id, "mark-as-paid", { paid_at: iso(approvedAt - DAY - 1) }))).toEqual([
      400,
      `paid_at: must not be before ${iso(approvedAt - DAY)}, 24 hours before the approval`,
    ]);
    expect(told(await act(id, "mark-as-paid", { paid_at: iso(Date.now() + 6 * 60_000) }))).toEqual([
      400,
      "paid_at: must not be more than 5 minutes in the future",
    ]);
    for (const [field, value] of [
      ["paid_at", "2026-01-31"],
      ["bank_reference", " "],
      ["bank_reference", "x".repeat(256)],
      ["note", "x".repeat(1_001)],
    ] as const) {
      const [status, message] = told(await act(id, "mark-as-paid", { [field]: value }));
      expect([status, message.split(":")[0]]).toEqual([400, field]);
    }
    for (const [value, problem] of [
      [{ amount: -1, currency: "EUR" }, "fee.amount: must be a whole number from 0 to 9007199254740991"],
      [{ amount: 1.5, currency: "EUR" }, "fee.amount: must be a whole number from 0 to 9007199254740991"],
      [{ amount: 1, currency: "XXX" }, "fee.currency: must be an ISO 4217 currency code, such as EUR"],
      [{ amount: 1 }, "fee.currency: is required"],
    ] as const)
      expect(told(await act(id, "mark-as-paid", { fee: value }))).toEqual([400, problem]);
    expect((await view()).status.type).toBe("awaiting_payment");
    const now = iso(Date.now() + 4 * 60_000);
    expect((await act(id, "mark-as-paid", { paid_at: now })).status).toBe(200);
    expect((await view()).paid_at).toBe(now);
  });

  it.each<[string, object]>([
    ["nothing", {}],
    ["an empty object", { json: {} }],
    [
      "null for every field",
      { json: { paid_at: null, bank_reference: null, fee: null, received: null, note: null } },
    ],
    ["an empty body of another type", { body: "", headers: { "content-type": "text/plain" } }],
  ])("works with %s", async (_name, given) => {
    const { id, view, settlement } = await awaiting();
    expect((await engine.call("POST", `/api/v1/settlements/${id}/mark-as-paid`, given)).status).toBe(200);
    const { datetime, event } = (await settlement(id)).events.at(-1);
    expect(event).toEqual({ type: "mark_as_paid" });
    expect(await view()).toMatchObject({ paid_at: datetime, bank_reference: null });
  });

  it("accepts a body only as JSON", async () => {
    const { id } = await awaiting();
    const path = `/api/v1/settlements/${id}/mark-as-paid`;
    const typed = { body: "paid", headers: { "content-type": "text/plain" } };
    expect((await engine.call("POST", path, typed)).status).toBe(415);
    const broken = { body: "{", headers: { "content-type": "application/json" } };
    expect(told(await engine.call("POST", path, broken))).toEqual([400, "body: is not valid JSON"]);
  });
});
