import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { pdf, SELF_BILLING, scene } from "./Scene.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await start();
});

const NOWHERE = "00000000-0000-7000-8000-00000000dead";

const token = (reply: { readonly status: number; readonly body: { readonly message?: string } }) =>
  `${reply.status} ${reply.body.message?.split(":")[0]}`;

describe("settlements over HTTP", () => {
  it("a negative settlement is carried forward or written off by review", async () => {
    const { draft, act, settlement } = await scene(engine, {}, -12_000);
    const id = await draft();
    await act(id, "approve");
    await engine.settle();
    expect((await settlement(id)).view.status).toEqual({ type: "negative_review" });
    expect((await act(id, "review", { decision: "carry_forward", note: "next month" })).status).toBe(200);
    const carried = await settlement(id);
    expect(carried.view.status).toEqual({ type: "cancelled", cause: "carried_forward" });
    expect(carried.events.at(-1).event).toEqual({
      type: "review_settlement",
      decision: "carry_forward",
      note: "next month",
    });
    const next = await draft();
    await act(next, "approve");
    await engine.settle();
    expect((await act(next, "review", { decision: "write_off" })).status).toBe(200);
    expect((await settlement(next)).view.status).toEqual({ type: "written_off" });
  });

  it.each([
    ["without a body", {}, { type: "write_off_settlement" }],
    ["with null for the reason", { json: { reason: null } }, { type: "write_off_settlement" }],
    [
      "with a reason, which the log shows",
      { json: { reason: "The partner has closed" } },
      { type: "write_off_settlement", reason: "The partner has closed" },
    ],
  ])("a write-off works %s", async (_name, given, event) => {
    const { draft, act, settlement } = await scene(engine);
    const id = await draft();
    await act(id, "approve");
    const path = `/api/v1/settlements/${id}/write-off`;
    for (const reason of ["", " ", "x".repeat(1_001)]) {
      const refused = await engine.call("POST", path, { json: { reason } });
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/^reason: /)]);
    }
    expect((await engine.call("POST", path, given)).status).toBe(200);
    expect((await settlement(id)).events.at(-1).event).toEqual(event);
  });

  it("a dispute names single lines, which are lines of the settlement", async () => {
    const { draft, act, settlement, commissionId } = await scene(engine);
    const other = await scene(engine);
    const id = await draft();
    await act(id, "approve");
    const dispute = (commission_ids: unknown) => act(id, "dispute", { reason: "too low", commission_ids });
    for (const [named, message] of [
      [[commissionId, other.commissionId], "commission_ids.1: must be a line of the settlement"],
      [[NOWHERE], "commission_ids.0: must be a line of the settlement"],
      [[], "commission_ids: must have 1 to 100 ids"],
      [[commissionId, commissionId], "commission_ids: must not name a commission twice"],
      [Array.from({ length: 101 }, () => crypto.randomUUID()), "commission_ids: must have 1 to 100 ids"],
    ] as const) {
      const refused = await dispute(named);
      expect([refused.status, refused.body.message]).toEqual([400, message]);
    }
    expect((await settlement(id)).view.status.type).toBe("awaiting_report");
    expect((await dispute([commissionId])).status).toBe(200);
    expect((await settlement(id)).events.at(-1).event).toEqual({
      ...{ type: "dispute_settlement", reason: "too low" },
      ...{ commission_ids: [commissionId], raised_by: "customer" },
    });
  });

  it("both sides comment on it in any state, and the partner reads no person", async () => {
    const { draft, act, settlement, partnerId } = await scene(engine);
    const id = await draft();
    const partner = await engine.keyOf({
      ...{ customer_id: engine.customerId, kind: "partner", partner_ids: [partnerId] },
    });
    const path = `/api/v1/settlements/${id}/comment`;
    const say = (text: unknown, key = partner) => engine.call("POST", path, { token: key, json: { text } });
    expect((await say("one order is missing")).status).toBe(200);
    await act(id, "approve");
    expect((await act(id, "comment", { text: "it is in the next settlement" })).status).toBe(200);
    for (const [text, message] of [
      [" ", "text: must not be empty"],
      ["x".repeat(1_001), "text: must have 1 to 1000 characters"],
    ] as const) {
      const refused = await say(text);
      expect([refused.status, refused.body.message]).toEqual([400, message]);
    }
    expect((await say("😀".repeat(1_000))).status).toBe(200);
    const isComment = ({ event }: { event: { type: string } }) => event.type === "comment_settlement";
    const seen = (await settlement(id)).events.filter(isComment);
    expect(seen.map(({ event }: { event: object }) => event)).toMatchObject([
      { text: "one order is missing", side: "partner" },
      { text: "it is in the next settlement", side: "customer", person: expect.any(String) },
      { side: "partner" },
    ]);
    const { body } = await engine.call("GET", `/api/v1/settlements?ids=${id}`, { token: partner });
    expect((await settlement(id)).events.map(({ person }: { person: string }) => person)).not.toContain(
      undefined,
    );
    expect(JSON.stringify(body.settlements[0].events)).not.toContain('"person"');
    expect(body.settlements[0].events.filter(isComment)[1].event).toEqual({
      ...{ type: "comment_settlement", text: "it is in the next settlement", side: "customer" },
    });
    for (let count = 2; count < 50; count++) expect((await say("again")).status).toBe(200);
    const refused = await say("once more");
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "comment_limit: the partner has made 50 comments and withdrawals of disputes, and no more are allowed",
    ]);
    expect((await act(id, "comment", { text: "enough" })).status).toBe(200);
  });

  it("a dispute is withdrawn by the side that raised it, by any credential of that side", async () => {
    const { draft, act, settlement, partnerId } = await scene(engine);
    const id = await draft();
    const mine = { customer_id: engine.customerId };
    const partnerKey = () => engine.keyOf({ ...mine, kind: "partner", partner_ids: [partnerId] });
    const post = (path: string, key: string, json?: object) =>
      engine.call("POST", `/api/v1/settlements/${id}/${path}`, { token: key, ...(json ? { json } : {}) });
    const [first, second, colleague] = [await partnerKey(), await partnerKey(), await engine.keyOf(mine)];
    await act(id, "approve");
    expect(token(await act(id, "withdraw-dispute"))).toBe("409 settlement_state");
    expect((await post("dispute", first, { reason: "too low" })).status).toBe(200);
    expect((await settlement(id)).events.at(-1).event).toMatchObject({ raised_by: "partner" });
    const refused = await act(id, "withdraw-dispute");
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "settlement_state: only the partner can withdraw this dispute",
    ]);
    expect((await post("withdraw-dispute", second)).status).toBe(200);
    expect((await settlement(id)).view.status).toEqual({ type: "awaiting_report" });
    expect((await settlement(id)).events.at(-1).event).toEqual({ type: "withdraw_dispute" });
    expect((await act(id, "dispute", { reason: "too high" })).status).toBe(200);
    expect(token(await post("withdraw-dispute", first))).toBe("409 settlement_state");
    expect((await post("withdraw-dispute", colleague)).status).toBe(200);
    await engine.settle();
    expect((await settlement(id)).view.status).toEqual({ type: "awaiting_invoice" });
    expect((await settlement(id)).view.dispute_reason).toBe("too high");
  });

  it("a dispute stops, resumes or cancels a settlement", async () => {
    const { draft, act, settlement, statusOf } = await scene(engine);
    const id = await draft();
    expect(token(await act(id, "dispute", { reason: "too low" }))).toBe("409 settlement_state");
    await act(id, "approve");
    expect((await act(id, "dispute", { reason: "too low" })).status).toBe(200);
    expect((await settlement(id)).view).toMatchObject({
      status: { type: "disputed", resume: "awaiting_report" },
      dispute_reason: "too low",
      disputed_at: expect.any(String),
    });
    expect((await act(id, "resolve-dispute", { resolution: "rejected" })).status).toBe(200);
    expect(await statusOf(id)).toBe("awaiting_report");
    await act(id, "dispute", { reason: "still too low" });
    expect((await act(id, "resolve-dispute", { resolution: "upheld", note: "right" })).status).toBe(200);
    expect((await settlement(id)).view.status).toEqual({ type: "cancelled", cause: "dispute_upheld" });
  });

  it("exports its lines in order, in any state", async () => {
    const { partnerId, schemaId, attribution, draftOf } = await scene(engine);
    for (const value of [50, 70, 90]) await attribution(partnerId, schemaId, value);
    const listed = (await engine.call("GET", `/api/v1/commissions?partner_ids=${partnerId}`)).body
      .commissions;
    const ids: ReadonlyArray<string> = listed.map(({ id }: { id: string }) => id).reverse();
    const settlementId = await draftOf(ids);
    const csv = await engine.call("GET", `/api/v1/settlements/${settlementId}/export`);
    expect(csv.headers.get("content-type")).toMatch(/^text\/csv/);
    expect(csv.headers.get("content-disposition")).toBe(
      `attachment; filename="settlement-${settlementId}.csv"`,
    );
    const attributions = (await engine.call("GET", `/api/v1/attributions?partner_ids=${partnerId}`)).body
      .attributions;
    const dateOf = (id: string) =>
      attributions.find((attribution: { id: string }) => attribution.id === id).view.created_at;
    const rows = [...listed]
      .reverse()
      .map(({ id, attribution_id, view }) =>
        [
          id,
          view.due_amount === 0 ? view.pending_amount : view.computed_amount,
          "EUR",
          attribution_id,
          dateOf(attribution_id),
        ].join(","),
      );
    expect(csv.text).toBe(
      ["commission_id,amount,currency,attribution_id,attribution_date", ...rows, ""].join("\r\n"),
    );
    const sheet = await engine.call("GET", `/api/v1/settlements/${settlementId}/export?format=spreadsheet`);
    const [header, first] = sheet.text.split("\r\n");
    expect(header).toBe("\ufeffcommission_id,amount,currency,attribution_id,attribution_date,amount_minor");
    const [id, minor, ...others] = rows[0]?.split(",") ?? [];
    expect(first).toBe([id, (Number(minor) / 100).toFixed(2), ...others, minor].join(","));
  });

  it("every action on an unknown settlement gets 404", async () => {
    for (const action of ["approve", "write-off", "mark-as-paid", "initiate-payment"]) {
      expect((await engine.call("POST", `/api/v1/settlements/${NOWHERE}/${action}`)).status, action).toBe(
        404,
      );
    }
    for (const file of ["report", "invoice", "credit-note", "export"]) {
      expect((await engine.call("GET", `/api/v1/settlements/${NOWHERE}/${file}`)).status, file).toBe(404);
    }
    const upload = await engine.call("POST", `/api/v1/settlements/${NOWHERE}/invoice`, { body: pdf("x") });
    expect(upload.status).toBe(404);
  });
});

describe("documents left to the caller", () => {
  it("are uploaded, the report included, also for self-billing", async () => {
    const manual = await start({ documents: "manual" });
    const billing = { billing_mode: "self_billing", self_billing_data: SELF_BILLING };
    const { draft, act, statusOf } = await scene(manual, billing);
    const id = await draft();
    await act(id, "approve");
    await manual.settle();
    expect(await statusOf(id)).toBe("awaiting_report");
    for (const kind of ["report", "invoice"]) {
      const path = `/api/v1/settlements/${id}/${kind}`;
      expect((await manual.call("POST", path, { body: pdf(`my ${kind}`) })).status).toBe(200);
      expect((await manual.call("GET", path)).text).toBe(`%PDF-1.7 my ${kind}`);
    }
    expect(await statusOf(id)).toBe("awaiting_payment");
    await manual.runtime.dispose();
  });
});
