import { Effect } from "effect";
import { PaymentProvider } from "quittance";
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, type Reply, start } from "./Engine.ts";
import { paying, signed, startPaying, WEBHOOK_SECRET } from "./Requests.ts";

const PATH = "/webhooks/payments/bank";
const UNAUTHORIZED = "Authentication credentials were not provided or are invalid.";

let engine: Engine;
beforeAll(async () => {
  engine = await startPaying();
});

const now = (): number => Math.floor(Date.now() / 1000);

const post = (
  fact: object | string,
  headers?: Readonly<Record<string, string>>,
  path = PATH,
): Promise<Reply> => {
  const body = typeof fact === "string" ? fact : JSON.stringify(fact);
  return engine.call("POST", path, {
    token: null,
    body,
    headers: { "content-type": "application/json", ...(headers ?? signed(body)) },
  });
};

const settlement = async (id: string) =>
  (await engine.call("GET", `/api/v1/settlements?ids=${id}`)).body.settlements[0];

const typesOf = ({ events }: { readonly events: ReadonlyArray<{ event: { type: string } }> }) =>
  events.map(({ event }) => event.type);

describe("a report of a payment provider", () => {
  it("confirms a payment, counts once, and returns a payment", async () => {
    const { id, reference } = await paying(engine);
    const confirmed = { id: crypto.randomUUID(), type: "confirmed", payment_reference: reference };
    const first = await post(confirmed);
    expect([first.status, first.text]).toEqual([200, ""]);
    expect((await settlement(id)).view.status).toEqual({ type: "paid", method: "webhook" });
    const again = await post(confirmed);
    expect([again.status, again.text]).toEqual([200, ""]);
    expect(typesOf(await settlement(id)).filter((type) => type === "confirm_payment")).toHaveLength(1);
    const returned = {
      id: crypto.randomUUID(),
      type: "returned",
      payment_reference: reference,
      reason: "closed",
    };
    expect((await post(returned)).status).toBe(200);
    expect((await settlement(id)).view.status).toEqual({ type: "awaiting_payment" });
  });

  it("shows the fee and what arrived while the payment stands, and they change nothing that is settled", async () => {
    const { id, reference } = await paying(engine);
    const before = (await settlement(id)).view;
    const amounts = {
      fee: { amount: 150, currency: "EUR" },
      received: { amount: 26_940, currency: "USD" },
    };
    const confirmed = {
      id: crypto.randomUUID(),
      type: "confirmed",
      payment_reference: reference,
      ...amounts,
    };
    expect((await post(confirmed)).status).toBe(200);
    const paid = await settlement(id);
    expect(paid.events.at(-1).event).toEqual({
      type: "confirm_payment",
      payment_reference: reference,
      ...amounts,
    });
    const { total, payable_amount, lines } = before;
    expect(paid.view).toMatchObject({ ...{ total, payable_amount, lines }, ...amounts });
    const [line] = lines;
    const commissions = await engine.call("GET", `/api/v1/commissions?ids=${line.commission_id}`);
    expect(commissions.body.commissions[0].view).toMatchObject({
      settled_amount: line.amount,
      due_amount: 0,
      settlement_status: "settled",
    });
    const returned = { ...confirmed, id: crypto.randomUUID(), type: "returned", reason: "closed" };
    expect((await post(returned)).status).toBe(200);
    const { view } = await settlement(id);
    expect([view.fee, view.received]).toEqual([null, null]);
  });

  it("fails an attempt, and the next one has another reference", async () => {
    const { id, reference } = await paying(engine);
    const failed = {
      id: crypto.randomUUID(),
      type: "failed",
      payment_reference: reference,
      reason: "no account",
    };
    expect((await post(failed)).status).toBe(200);
    expect((await settlement(id)).view.status).toEqual({ type: "awaiting_payment" });
    await engine.call("POST", `/api/v1/settlements/${id}/initiate-payment`);
    expect((await settlement(id)).view.payment_reference).not.toBe(reference);
  });

  it("that does not match the payment's state is recorded and changes nothing else", async () => {
    const { id, reference } = await paying(engine);
    await engine.call("POST", `/api/v1/settlements/${id}/mark-as-paid`);
    const late = { id: crypto.randomUUID(), type: "failed", payment_reference: reference, reason: "late" };
    expect((await post(late)).status).toBe(200);
    const after = await settlement(id);
    expect(after.view.status).toEqual({ type: "paid", method: "manual" });
    expect(after.events.at(-1).event).toEqual({
      type: "payment_anomaly",
      kind: "failed",
      payment_reference: reference,
    });
  });

  it("with the id of another report is a conflict", async () => {
    const { reference } = await paying(engine);
    const report = { id: crypto.randomUUID(), type: "confirmed", payment_reference: reference };
    expect((await post(report)).status).toBe(200);
    const other = await post({ ...report, bank_reference: "AB1" });
    expect([other.status, other.body.message]).toEqual([
      409,
      "idempotency_key_reuse: the key was used for another request",
    ]);
  });

  it("is refused unless its signature is valid and recent", async () => {
    const { id, reference } = await paying(engine);
    const body = JSON.stringify({ id: "evt-1", type: "confirmed", payment_reference: reference });
    const genuine = signed(body);
    const refused: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { "webhook-timestamp": String(now()) },
      signed(body, `${WEBHOOK_SECRET}x`),
      signed(`${body} `),
      { ...genuine, "webhook-timestamp": String(now() + 1) },
      { ...genuine, "webhook-signature": `${genuine["webhook-signature"]?.slice(0, -1)}g` },
      { ...genuine, "webhook-signature": genuine["webhook-signature"]?.slice(2) ?? "" },
      signed(body, WEBHOOK_SECRET, String(now() - 301)),
      signed(body, WEBHOOK_SECRET, String(now() + 303)),
      signed(body, WEBHOOK_SECRET, "soon"),
    ];
    for (const headers of refused) {
      const reply = await post(body, headers);
      expect([reply.status, reply.body.message], JSON.stringify(headers)).toEqual([401, UNAUTHORIZED]);
    }
    expect((await settlement(id)).view.status.type).toBe("payment_initiated");
    expect((await post(body, signed(body, WEBHOOK_SECRET, String(now() - 290)))).status).toBe(200);
  });

  it("of an unknown provider gets 404", async () => {
    const nowhere = await engine.call("POST", "/webhooks/nothing", { token: null });
    for (const path of ["/webhooks/payments/other", "/webhooks/payments/__proto__"]) {
      const reply = await post({ id: "x" }, undefined, path);
      expect([reply.status, reply.text]).toEqual([404, nowhere.text]);
    }
    const without = await start();
    const body = "{}";
    const reply = await without.call("POST", PATH, { token: null, body, headers: signed(body) });
    expect([reply.status, reply.text]).toEqual([404, nowhere.text]);
  });

  it("of the payout provider is verified by the provider itself", async () => {
    const provider = PaymentProvider.provider({
      name: "own",
      send: () => Effect.void,
      verifyReport: ({ header, body }) =>
        header("x-proof") === "ours"
          ? Effect.succeed({
              provider: "own",
              eventId: "1",
              fact: { type: "confirmed", paymentReference: new TextDecoder().decode(body) as never },
            })
          : Effect.fail(new PaymentProvider.ReportRejected()),
    });
    const own = await startPaying({ provider });
    const { id, reference } = await paying(own);
    const report = (proof: string, body = reference) =>
      own.call("POST", "/webhooks/payments/own", {
        token: null,
        body,
        headers: { "content-type": "application/json", "x-proof": proof },
      });
    const status = async () =>
      (await own.call("GET", `/api/v1/settlements?ids=${id}`)).body.settlements[0].view.status.type;
    const forged = await report("theirs");
    expect([forged.status, forged.body.message, await status()]).toEqual([
      401,
      UNAUTHORIZED,
      "payment_initiated",
    ]);
    expect((await report("ours", crypto.randomUUID())).status).toBe(404);
    expect([(await report("ours")).status, (await report("ours")).status, await status()]).toEqual([
      200,
      200,
      "paid",
    ]);
  });

  it("of an unknown reference gets 404, one of another form 400", async () => {
    const report = { id: "evt-2", type: "confirmed", payment_reference: crypto.randomUUID() };
    expect((await post(report)).status).toBe(404);
    for (const [fact, message] of [
      [{ ...report, payment_reference: "x" }, "payment_reference: must be a UUID"],
      [{ ...report, id: "" }, "id: must be 1 to 255 visible ASCII characters"],
      [{ ...report, type: "failed" }, "reason: is required"],
      [
        { ...report, fee: { amount: 1, currency: "eur" } },
        "fee.currency: must be an ISO 4217 currency code, such as EUR",
      ],
      [{ ...report, received: { amount: "1", currency: "EUR" } }, "received.amount: must be a number"],
      ["{", "body: is not valid JSON"],
    ] as const) {
      const reply = await post(fact);
      expect([reply.status, reply.body.message]).toEqual([400, message]);
    }
  });

  it("does not accept a bearer credential instead of the signature", async () => {
    const reply = await engine.call("POST", PATH, { json: { id: "x" } });
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, "HMAC-SHA256"]);
  });
});
