/**
 * The bridges to PayPal and Stripe, between the signed provider of the engine and stand-ins made from the published schemas. Reports
 * are verified as the server verifies them.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect, Either, Redacted } from "effect";
import type { PaymentProvider } from "quittance";
import { paymentService } from "quittance/payouts";
import { Build } from "quittance/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bridge, type Company } from "../../examples/payment-bridges/Bridge.ts";
import { payPal } from "../../examples/payment-bridges/PayPal.ts";
import { stripe } from "../../examples/payment-bridges/Stripe.ts";
import { payPalStandIn } from "./companies/PayPalStandIn.ts";
import { listen, type Served, serve } from "./companies/StandIn.ts";
import { stripeStandIn } from "./companies/StripeStandIn.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

// What goes wrong on purpose is logged.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

const closing: Array<() => void> = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
const closed = <A extends Pick<Served, "close">>(served: A): A => {
  closing.push(served.close);
  return served;
};

type Order = PaymentProvider.PaymentOrder;

const order = (account: Order["account"], given: Partial<Order> = {}): Order => ({
  ...{ reference: Build.fresh.payment(), customerId: Build.fresh.customer() },
  ...{ settlementId: Build.fresh.settlement(), partnerId: Build.fresh.partner() },
  ...{ amount: 1_250, currency: "EUR" as Order["currency"], account },
  ...given,
});

/** A bridge to a company, the provider that sends to it, and the reports that the provider has verified. */
const bridged = async (company: Company) => {
  const folder = mkdtempSync(join(tmpdir(), "bridge-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  const facts: Array<PaymentProvider.PaymentEvent> = [];
  const taking = { isDown: false };
  const quittance = closed(
    await serve(({ headers, body }) => {
      if (taking.isDown) return [503, {}];
      const header = (name: string) => headers[name] as string | undefined;
      const verified = provider.verifyReport?.({ header, body: new TextEncoder().encode(body) });
      const event = Effect.runSync(Effect.either(verified ?? Effect.die("no reports")));
      if (Either.isLeft(event)) return [401, {}];
      facts.push(event.right);
      return [200, {}];
    }),
  );
  const start = async () =>
    closed(
      await listen(
        bridge({
          ...{ company, secret: SECRET, reports: quittance.url, journal: join(folder, "payments.jsonl") },
          pollMilliseconds: 20,
        }),
      ),
    );
  let running = await start();
  const options = () => ({ url: running.url, secret: Redacted.make(SECRET), allowPrivate: true });
  let provider = paymentService(options());
  const outcome = (one: Order) => Effect.runPromise(Effect.either(provider.send(one)));
  return {
    facts,
    taking,
    /** Null if the order was accepted; else whether the refusal is final, and why. */
    send: async (one: Order) => {
      const sent = await outcome(one);
      return Either.isRight(sent) ? null : ([sent.left.final, sent.left.reason] as const);
    },
    status: (one: Order) => Effect.runPromise(provider.status(one.reference)),
    restart: async () => {
      running.close();
      running = await start();
      provider = paymentService(options());
    },
    url: () => running.url,
  };
};

const reported = (facts: ReadonlyArray<PaymentProvider.PaymentEvent>) => facts.map(({ fact }) => fact);

describe("the bridge to PayPal", () => {
  const EMAIL: Order["account"] = {
    type: "email",
    details: { address: "nordlys@example.com", service: "paypal" },
  };
  const begin = async () => {
    const company = closed(await payPalStandIn());
    const { url, client } = company;
    return { company, ...(await bridged(payPal({ url, clientId: client.id, clientSecret: client.secret }))) };
  };

  it("pays an order, and reports once that it was paid", async () => {
    const { company, send, status, facts } = await begin();
    const one = order(EMAIL, { amount: 5 });
    expect(await send(one)).toBeNull();
    expect([...company.payouts]).toEqual([
      [
        one.reference,
        { id: "PB1", receiver: "nordlys@example.com", amount: { currency: "EUR", value: "0.05" } },
      ],
    ]);
    expect(await status(one)).toEqual({ type: "pending" });
    company.outcomes.set("nordlys@example.com", "SUCCESS");
    await expect.poll(() => facts.length).toBe(1);
    expect(reported(facts)).toEqual([
      { type: "confirmed", paymentReference: one.reference, bankReference: "PB1T" },
    ]);
    expect(await status(one)).toMatchObject({ type: "ended", fact: { type: "confirmed" } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(facts).toHaveLength(1);
  });

  it("pays once when responses are lost, orders come again, and it was restarted", async () => {
    const { company, send, status, facts, restart } = await begin();
    const one = order(EMAIL);
    company.lost = 1;
    expect(await send(one)).toEqual([false, "the payment service responded with 503"]);
    expect(await status(one)).toEqual({ type: "unknown" });
    expect(await send(one)).toBeNull();
    await restart();
    expect(await send(one)).toBeNull();
    expect(await status(one)).toEqual({ type: "pending" });
    expect(company.payouts.size).toBe(1);
    company.outcomes.set("nordlys@example.com", "SUCCESS");
    await expect.poll(() => facts.length).toBe(1);
  });

  it("reports a failure, and a return after the confirmation", async () => {
    const { company, send, facts } = await begin();
    const failing = order({ type: "email", details: { address: "closed@example.com", service: "paypal" } });
    const unclaimed = order({ type: "email", details: { address: "nobody@example.com", service: "paypal" } });
    const one = order(EMAIL);
    for (const each of [failing, unclaimed, one]) expect(await send(each)).toBeNull();
    company.outcomes.set("closed@example.com", "FAILED");
    company.outcomes.set("nobody@example.com", "RETURNED");
    company.outcomes.set("nordlys@example.com", "SUCCESS");
    await expect.poll(() => facts.length).toBe(3);
    company.outcomes.set("nordlys@example.com", "REVERSED");
    await expect.poll(() => facts.length).toBe(4);
    // Payments are asked for one after the other, so that any of them may be the first.
    expect(reported(facts.slice(0, 3))).toEqual(
      expect.arrayContaining([
        { type: "failed", paymentReference: failing.reference, reason: "Receiver is restricted" },
        { type: "failed", paymentReference: unclaimed.reference, reason: "PayPal: RETURNED" },
        { type: "confirmed", paymentReference: one.reference, bankReference: "PB3T" },
      ]),
    );
    expect(reported(facts.slice(3))).toEqual([
      { type: "returned", paymentReference: one.reference, reason: "PayPal: REVERSED" },
    ]);
  });

  it("reports again when the server was down", async () => {
    const { company, send, facts, taking } = await begin();
    taking.isDown = true;
    company.outcomes.set("nordlys@example.com", "SUCCESS");
    expect(await send(order(EMAIL))).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 100));
    taking.isDown = false;
    await expect.poll(() => facts.length).toBe(1);
  });

  it("refuses for good what PayPal never pays, and has other orders sent again", async () => {
    const { company, send } = await begin();
    const money = (currency: string, amount: number) => ({ currency: currency as Order["currency"], amount });
    expect(await send(order({ type: "custom", details: { a: "1" } }))).toEqual([
      ...[true, "payout_account: must be of the type email with the service paypal"],
    ]);
    expect(await send(order(EMAIL, money("HUF", 150)))).toEqual([
      true,
      "amount: PayPal pays HUF without decimals",
    ]);
    expect(await send(order(EMAIL, money("KES", 100)))).toEqual([true, "currency: PayPal pays no KES"]);
    const long = {
      type: "email" as const,
      details: { address: `${"x".repeat(130)}@a.io`, service: "paypal" },
    };
    expect(await send(order(long))).toEqual([true, expect.stringMatching(/^PayPal: invalid receiver/)]);
    company.isEmpty = true;
    expect(await send(order(EMAIL))).toEqual([false, "the payment service responded with 503"]);
    expect(company.payouts.size).toBe(0);
    company.isEmpty = false;
    for (const [currency, amount, value] of [
      ["HUF", 12_300, "123"],
      ["JPY", 55, "55"],
      ["USD", 123_456, "1234.56"],
    ] as const) {
      const one = order(EMAIL, money(currency, amount));
      expect(await send(one)).toBeNull();
      expect(company.payouts.get(one.reference)?.amount).toEqual({ currency, value });
    }
  });

  it("pays nothing that is not signed", async () => {
    const { company, url } = await begin();
    const body = JSON.stringify({ type: "payment.send", ...order(EMAIL) });
    const headers = { "webhook-id": "a", "webhook-timestamp": String(Math.floor(Date.now() / 1_000)) };
    for (const signature of ["v1,AAAA", `v1,${"A".repeat(43)}=`]) {
      const asked = { method: "POST", body, headers: { ...headers, "webhook-signature": signature } };
      expect((await fetch(url(), asked)).status).toBe(401);
    }
    expect(company.payouts.size).toBe(0);
  });
});

describe("the bridge to Stripe", () => {
  const ACCOUNT: Order["account"] = { type: "custom", details: { stripe_account: "acct_1" } };
  const begin = async () => {
    const company = closed(await stripeStandIn());
    return { company, ...(await bridged(stripe(company))) };
  };

  it("transfers an order, reports it, and reports its reversal", async () => {
    const { company, send, facts } = await begin();
    const one = order(ACCOUNT);
    expect(await send(one)).toBeNull();
    expect(company.transfers).toEqual([
      {
        ...{ id: "tr_1", amount: "1250", currency: "eur", destination: "acct_1" },
        ...{ transfer_group: one.reference, reversed: false },
      },
    ]);
    await expect.poll(() => facts.length).toBe(1);
    const [transfer] = company.transfers;
    if (transfer !== undefined) transfer.reversed = true;
    await expect.poll(() => facts.length).toBe(2);
    expect(reported(facts)).toEqual([
      { type: "confirmed", paymentReference: one.reference, bankReference: "tr_1" },
      { type: "returned", paymentReference: one.reference, reason: "the transfer was reversed at Stripe" },
    ]);
  });

  it("transfers once when responses are lost, and also after Stripe has forgotten the key", async () => {
    const { company, send, restart } = await begin();
    const [one, two] = [order(ACCOUNT), order(ACCOUNT)];
    company.lost = 2;
    expect(await send(one)).toEqual([false, "the payment service responded with 503"]);
    expect(await send(two)).toEqual([false, "the payment service responded with 503"]);
    expect(await send(one)).toBeNull();
    company.forget();
    await restart();
    expect(await send(two)).toBeNull();
    expect(await send(one)).toBeNull();
    expect(company.transfers).toHaveLength(2);
  });

  it("transfers once when the balance was empty at first, which Stripe repeats under a key", async () => {
    const { company, send } = await begin();
    const one = order(ACCOUNT);
    company.isEmpty = true;
    expect(await send(one)).toEqual([false, "the payment service responded with 503"]);
    company.isEmpty = false;
    expect(await send(one)).toBeNull();
    expect(await send(one)).toBeNull();
    expect(company.transfers).toHaveLength(1);
  });

  it("refuses for good what Stripe never transfers", async () => {
    const { company, send } = await begin();
    const gone: Order["account"] = { type: "custom", details: { stripe_account: "acct_gone" } };
    expect(await send(order(gone))).toEqual([true, "Stripe: No such destination: 'acct_gone'"]);
    const other = { currency: "ISK" as Order["currency"] };
    expect(await send(order(ACCOUNT, other))).toEqual([true, "currency: ISK is not paid by Stripe here"]);
    expect(await send(order({ type: "custom", details: { account: "acct_1" } }))).toEqual([
      ...[true, "payout_account: must be of the type custom with the field stripe_account"],
    ]);
    expect(company.transfers).toEqual([]);
  });
});

describe("the program", () => {
  it.each(["paypal", "stripe"])("serves orders for %s, by its settings", async (name) => {
    const [{ url, client, payouts }, { url: stripeUrl, key, transfers }] = await Promise.all([
      payPalStandIn().then(closed),
      stripeStandIn().then(closed),
    ]);
    const folder = mkdtempSync(join(tmpdir(), "bridge-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const program = spawn(process.execPath, ["--import", "tsx", "examples/payment-bridges/main.ts", name], {
      cwd: new URL("../..", import.meta.url).pathname,
      env: {
        ...process.env,
        ...{ PAYPAL_URL: url, PAYPAL_CLIENT_ID: client.id, PAYPAL_CLIENT_SECRET: client.secret },
        ...{ STRIPE_URL: stripeUrl, STRIPE_SECRET_KEY: key, PORT: "0", JOURNAL: join(folder, "journal") },
        ...{ QUITTANCE_PAYOUTS_SECRET: SECRET, QUITTANCE_URL: "http://127.0.0.1:9" },
      },
    });
    closing.push(() => program.kill());
    let output = "";
    program.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output).toMatch(/on port \d+/);
    const port = /\d+/.exec(output)?.[0];
    const options = { url: `http://127.0.0.1:${port}`, secret: Redacted.make(SECRET), allowPrivate: true };
    const details: Record<string, string> =
      name === "paypal" ? { address: "a@example.com", service: "paypal" } : { stripe_account: "acct_1" };
    const account = { type: name === "paypal" ? ("email" as const) : ("custom" as const), details };
    await Effect.runPromise(paymentService(options).send(order(account)));
    expect([payouts.size, transfers.length]).toEqual(name === "paypal" ? [1, 0] : [0, 1]);
  });
});

describe("the stand-ins", () => {
  it("refuse unknown and missing fields", async () => {
    const { url, key } = closed(await stripeStandIn());
    const post = async (body: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-www-form-urlencoded" };
      return await (await fetch(`${url}/v1/transfers`, { method: "POST", headers, body })).json();
    };
    expect((await post("amount=1&currency=eur")).error.message).toBe("missing required param: destination");
    expect((await post("amount=1&currency=eur&destination=acct_1&to=b")).error.message).toBe(
      "unknown parameter: to",
    );
    const company = closed(await payPalStandIn());
    const headers = { authorization: "Bearer token" };
    const body = JSON.stringify({
      sender_batch_header: { sender_batch_id: "1" },
      items: [{ receiver: "a@b.c" }],
    });
    const refused = await fetch(`${company.url}/v1/payments/payouts`, { method: "POST", headers, body });
    expect([refused.status, (await refused.json()).message]).toEqual([
      400,
      "missing required param: recipient_type",
    ]);
  });
});
