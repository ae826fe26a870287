/** Tests the verifier of webhook requests with an independent implementation of the signatures. */

import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { WebhookVerificationError, webhookVerifier } from "../../adapters/client/WebhookVerifier.ts";

const secretOf = (text: string): string => `whsec_${Buffer.from(text).toString("base64")}`;
const SECRET = secretOf("a secret of at least 24 bytes");
const OTHER = secretOf("another secret of some bytes!");
const EVENT = {
  id: "0198c0de-0000-8000-8000-000000000001",
  type: "create_attribution",
  datetime: "2026-01-31T10:00:00.000Z",
  customer_id: "0198c0de-0000-7000-8000-000000000002",
  record_id: "0198c0de-0000-7000-8000-000000000003",
  sequence: 1,
} as const;
const NOW = Date.parse("2026-01-31T10:00:05.000Z");

const signed = (secret = SECRET, body = JSON.stringify(EVENT), at = NOW, id: string = EVENT.id) => ({
  body,
  headers: {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(at), body),
  },
});

const verify = webhookVerifier({ secret: SECRET, now: () => NOW });

describe("a webhook verifier", () => {
  it("returns the event of a request that the independent signer has signed", async () => {
    expect(await verify(signed())).toEqual(EVENT);
  });

  it("takes Headers, Node's records in any letter case, and bytes", async () => {
    const { body, headers } = signed();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await verify({ body, headers: new Headers(headers) })).toEqual(EVENT);
    expect(await verify({ body: new TextEncoder().encode(body), headers: upper })).toEqual(EVENT);
  });

  it("accepts either secret during a rotation, and any of several signatures", async () => {
    const both = webhookVerifier({ secret: [OTHER, SECRET], now: () => NOW });
    expect(await both(signed())).toEqual(EVENT);
    const { body, headers } = signed();
    const signature = `v1a,unknown ${signed(OTHER).headers["webhook-signature"]} ${headers["webhook-signature"]}`;
    expect(await verify({ body, headers: { ...headers, "webhook-signature": signature } })).toEqual(EVENT);
  });

  it.each([
    ["another secret", () => signed(OTHER)],
    ["a changed body", () => ({ ...signed(), body: JSON.stringify({ ...EVENT, sequence: 2 }) })],
    ["an old request", () => signed(SECRET, undefined, NOW - 301_000)],
    ["a request from the future", () => signed(SECRET, undefined, NOW + 301_000)],
    ["another id", () => signed(SECRET, undefined, NOW, "0198c0de-0000-8000-8000-00000000000f")],
    ["no event", () => signed(SECRET, "{}")],
    ["no JSON", () => signed(SECRET, "nothing")],
    ["no headers", () => ({ ...signed(), headers: {} })],
    ["no time", () => ({ ...signed(), headers: { ...signed().headers, "webhook-timestamp": "NaN" } })],
    [
      "no signature",
      () => ({ ...signed(), headers: { ...signed().headers, "webhook-signature": "v1,%%%" } }),
    ],
  ])("refuses %s", async (_, request) => {
    await expect(verify(request())).rejects.toBeInstanceOf(WebhookVerificationError);
  });

  it("cannot be created with an invalid secret", async () => {
    expect(() => webhookVerifier({ secret: "whsec_" })).toThrow("secret");
    expect(() => webhookVerifier({ secret: [] })).toThrow("secret");
  });
});
