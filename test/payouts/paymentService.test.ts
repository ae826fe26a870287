/** Payouts by the operator's own payment service: requests, the meaning of responses, and which reports are accepted. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Effect, Either, Redacted } from "effect";
import { type Ids, type PaymentProvider, PayoutDetails } from "quittance";
import { paymentService, paymentServiceProblem } from "quittance/payouts";
import { Build } from "quittance/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CREDITOR } from "./Payers.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

interface Got {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let server: Server;
let url = "";
let got: Array<Got> = [];
let answer: (response: ServerResponse, message: { readonly type: string }) => void = () => {};

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Array<Buffer> = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      got.push({ headers: request.headers, body });
      answer(response, JSON.parse(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
});
afterAll(() => server.close());
beforeEach(() => {
  got = [];
  answer = (response) => response.writeHead(202).end();
});

const service = (given: Partial<Parameters<typeof paymentService>[0]> = {}) =>
  paymentService({
    url,
    secret: Redacted.make(SECRET),
    allowPrivate: true,
    timeoutMilliseconds: 2_000,
    ...given,
  });

const ORDER: PaymentProvider.PaymentOrder = {
  reference: Build.fresh.payment(),
  customerId: Build.fresh.customer(),
  settlementId: Build.fresh.settlement(),
  partnerId: Build.fresh.partner(),
  amount: 1_250,
  currency: "EUR" as PaymentProvider.PaymentOrder["currency"],
  account: PayoutDetails.payeeOf(CREDITOR),
};

const sent = (given: Parameters<typeof service>[0] = {}) =>
  Effect.runPromise(Effect.either(service(given).send(ORDER)));

const refusalOf = async (given: Parameters<typeof service>[0] = {}) => {
  const outcome = await sent(given);
  if (Either.isRight(outcome)) throw new Error("the order was taken");
  const { final, reason } = outcome.left;
  return { final, reason };
};

describe("an order", () => {
  it("is signed, has the reference as its id, and states amount and payee", async () => {
    expect(Either.isRight(await sent())).toBe(true);
    const [request] = got;
    if (request === undefined) throw new Error("nothing was sent");
    const headers = request.headers as Record<string, string>;
    expect(headers["webhook-id"]).toBe(ORDER.reference);
    expect(new Webhook(SECRET).verify(request.body, headers)).toEqual({
      type: "payment.send",
      reference: ORDER.reference,
      customer_id: ORDER.customerId,
      settlement_id: ORDER.settlementId,
      partner_id: ORDER.partnerId,
      amount: 1_250,
      currency: "EUR",
      bank_account: { beneficiary_name: "Nordlys ApS", iban: CREDITOR.iban, bic: CREDITOR.bic },
    });
  });

  it("to an account without an IBAN states its type and fields", async () => {
    const details = { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" };
    await Effect.runPromise(service().send({ ...ORDER, account: { type: "uk", details } }));
    const body = JSON.parse(got[0]?.body ?? "{}") as Record<string, unknown>;
    expect(body.payout_account).toEqual({ type: "uk", details });
    expect(body).not.toHaveProperty("bank_account");
  });

  it("that the service refuses with 422 is refused for good, with the reason", async () => {
    answer = (response) => response.writeHead(422).end(JSON.stringify({ reason: "account closed" }));
    expect(await refusalOf()).toEqual({ final: true, reason: "account closed" });
    answer = (response) => response.writeHead(422).end("<html>");
    expect(await refusalOf()).toEqual({ final: true, reason: "the payment service refused the order (422)" });
  });

  it.each([[400], [401], [404], [409], [429], [500], [503]])("that gets %i is retried", async (status) => {
    answer = (response) => response.writeHead(status).end();
    expect(await refusalOf()).toEqual({
      final: false,
      reason: `the payment service responded with ${status}`,
    });
  });

  it("does not follow a redirect", async () => {
    answer = (response) => response.writeHead(307, { location: `${url}/elsewhere` }).end();
    expect(await refusalOf()).toEqual({ final: false, reason: "the payment service responded with 307" });
    expect(got).toHaveLength(1);
  });

  it("without a response may have been executed, and has not failed for good", async () => {
    answer = () => {};
    expect(await refusalOf({ timeoutMilliseconds: 50 })).toMatchObject({ final: false });
    answer = (response) => response.destroy();
    expect(await refusalOf()).toMatchObject({ final: false });
  });
});

describe("where requests go", () => {
  it.each([
    ["http://pay.example/orders", "the URL must begin with https://"],
    ["https://10.0.0.1/orders", "the URL must lead to public addresses only"],
    ["https://[::1]/orders", "the URL must lead to public addresses only"],
    ["https://localhost/orders", "the URL must lead to public addresses only"],
    ["https://user:password@pay.example/", "the URL must not contain a user name or a password"],
    ["pay.example", "the URL must be an absolute URL"],
    ["https://pay.example/orders", null],
  ])("%s: %s", (stated, problem) => {
    expect(paymentServiceProblem({ url: stated, secret: Redacted.make(SECRET) })).toBe(problem);
    if (problem !== null) expect(() => service({ url: stated, allowPrivate: false })).toThrow(problem);
  });

  it("the name is resolved for each request, and a private address is refused", async () => {
    const outcome = await refusalOf({
      url: "https://pay.example/orders",
      allowPrivate: false,
      resolve: (_host, done) =>
        done(null, [
          { address: "93.184.215.14", family: 4 },
          { address: "127.0.0.1", family: 4 },
        ]),
    });
    expect(outcome).toEqual({
      final: false,
      reason: "the payment service: the host must lead to public addresses only",
    });
  });
});

describe("the status of an order", () => {
  const statusOf = (respond: typeof answer) => {
    answer = respond;
    return Effect.runPromise(Effect.either(service().status(ORDER.reference)));
  };
  const body = (value: object) => (response: ServerResponse) =>
    response.writeHead(200).end(JSON.stringify(value));
  const fact = (given: object) => ({ type: "ended", fact: { paymentReference: ORDER.reference, ...given } });

  it.each([
    [{ status: "unknown" }, { type: "unknown" }],
    [{ status: "pending" }, { type: "pending" }],
    [{ status: "confirmed" }, fact({ type: "confirmed" })],
    [{ status: "confirmed", bank_reference: "AB1" }, fact({ type: "confirmed", bankReference: "AB1" })],
    [
      { status: "confirmed", fee: { amount: 5, currency: "EUR" } },
      fact({ type: "confirmed", fee: { amount: 5, currency: "EUR" } }),
    ],
    [{ status: "failed", reason: "closed" }, fact({ type: "failed", reason: "closed" })],
    [{ status: "returned", reason: "closed" }, fact({ type: "returned", reason: "closed" })],
  ])("in the response %j is %j", async (value, status) => {
    expect(await statusOf(body(value))).toEqual(Either.right(status));
    expect(JSON.parse(got[0]?.body ?? "")).toEqual({ type: "payment.status", reference: ORDER.reference });
  });

  it.each([
    [{ fee: { amount: -1, currency: "EUR" } }, {}],
    [{ fee: "0.05", received: { amount: 9, currency: "USD" } }, { received: { amount: 9, currency: "USD" } }],
    [{ received: { amount: 1.5, currency: "USD" }, bank_reference: "AB1" }, { bankReference: "AB1" }],
    [{ received: { amount: 1, currency: "dollar" } }, {}],
    [{ bank_reference: 17 }, {}],
    [{ bank_reference: "A\u0000B" }, {}],
    [{ bank_reference: "", fee: null, received: null }, {}],
    [{ bank_reference: "x".repeat(300) }, { bankReference: "x".repeat(255) }],
  ])("is kept without what is malformed beside it: %j", async (stated, kept) => {
    expect(await statusOf(body({ status: "confirmed", ...stated }))).toEqual(
      Either.right(fact({ type: "confirmed", ...kept })),
    );
  });

  it("is unknown if the service has no such order; a response without a status is an error", async () => {
    expect(await statusOf((response) => response.writeHead(404).end())).toEqual(
      Either.right({ type: "unknown" }),
    );
    for (const respond of [
      body({ status: "who knows" }),
      (response: ServerResponse) => response.writeHead(200).end("not JSON"),
      (response: ServerResponse) => response.writeHead(500).end(),
    ])
      expect(Either.isLeft(await statusOf(respond))).toBe(true);
  });
});

describe("a report", () => {
  const REFERENCE = ORDER.reference;
  const seconds = () => Math.floor(Date.now() / 1000);

  const verify = (
    report: unknown,
    {
      secret = SECRET,
      at = seconds(),
      headers,
    }: { secret?: string; at?: number | string; headers?: Record<string, string> } = {},
  ) => {
    const text = typeof report === "string" ? report : JSON.stringify(report);
    const signature = createHmac("sha256", secret).update(`${at}.${text}`).digest("hex");
    const given: Record<string, string> = headers ?? {
      "webhook-timestamp": String(at),
      "webhook-signature": signature,
    };
    const { verifyReport } = service();
    if (verifyReport === null) throw new Error("the service reports");
    return Effect.runPromise(
      Effect.either(verifyReport({ header: (name) => given[name], body: new TextEncoder().encode(text) })),
    );
  };

  const confirmed = { id: "evt-1", type: "confirmed", payment_reference: REFERENCE };

  it("with a valid signature is the event that it states", async () => {
    const amounts = {
      fee: { amount: 5, currency: "EUR" },
      received: { amount: 9, currency: "USD" },
    } as never;
    expect(await verify({ ...confirmed, bank_reference: "AB1", ...(amounts as object) })).toEqual(
      Either.right({
        provider: "payouts",
        eventId: "evt-1",
        fact: {
          type: "confirmed",
          paymentReference: REFERENCE as Ids.PaymentReference,
          bankReference: "AB1",
          ...(amounts as object),
        },
      }),
    );
    expect(await verify({ ...confirmed, type: "returned", reason: "closed" })).toMatchObject({
      right: { fact: { type: "returned", reason: "closed" } },
    });
  });

  it.each([
    ["signed with another secret", { secret: `${SECRET}x` }],
    ["signed 301 seconds ago", { at: Math.floor(Date.now() / 1000) - 310 }],
    ["signed in the future", { at: Math.floor(Date.now() / 1000) + 310 }],
    ["without a time", { at: "soon" }],
    ["without headers", { headers: {} }],
    ["with half a signature", { headers: { "webhook-timestamp": "1", "webhook-signature": "ab" } }],
  ])("%s is rejected", async (_what, how) => {
    expect(await verify(confirmed, how)).toMatchObject({ left: { _tag: "ReportRejected" } });
  });

  it.each([
    ["{", /JSON/],
    [{ ...confirmed, payment_reference: "x" }, /payment_reference: must be a UUID/],
    [{ ...confirmed, id: "" }, /id: must be 1 to 255 visible ASCII characters/],
    [{ ...confirmed, type: "failed" }, /reason/],
    [{ ...confirmed, fee: { amount: -1, currency: "EUR" } }, /fee.amount: must be a whole number from 0/],
  ])("with a valid signature that states %j is invalid", async (report, message) => {
    const outcome = await verify(report);
    if (Either.isRight(outcome)) throw new Error("it was taken");
    expect(outcome.left._tag).toBe("Invalid");
    expect("message" in outcome.left ? outcome.left.message : "").toMatch(message);
  });
});
