/** Webhooks over HTTP: signatures that others verify, and receivers that redirect, hang, are slow or send too much. */
import { Effect } from "effect";
import { type WebhookEvent, webhookVerifier } from "quittance/client";
import { open, type Quittance, type Services } from "quittance/promise";
import { webhookSender } from "quittance/webhooks";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Arrived, receive, until } from "../webhooks/Receiver.ts";

const TIMEOUT = 400;

let receiver: Awaited<ReturnType<typeof receive>>;
let engine: Quittance;

beforeAll(async () => {
  receiver = await receive();
  engine = await open({
    database: "memory:",
    webhooks: { allowPrivate: true, timeoutMilliseconds: TIMEOUT },
  });
});
afterAll(async () => {
  await engine.close();
  receiver.close();
});

/** A customer with a schema; `sell` credits a sale to its partner. */
const shop = async (): Promise<Services & { readonly sell: () => Promise<string> }> => {
  const services = engine.as({ customerId: crypto.randomUUID() });
  const workspaceId = crypto.randomUUID();
  const partner = await services.partners.create({ name: "Nordlys ApS", workspaceId });
  const schema = await services.attributionSchemas.create({ name: "Sale", workspaceId, properties: [] });
  const sale = { partnerId: partner.id, schemaId: schema.id, workspaceId, properties: {} };
  return { ...services, sell: async () => (await services.attributions.create(sale)).id };
};

const verified = (arrived: Arrived, secret: string): unknown =>
  new Webhook(secret).verify(arrived.body, { ...arrived.headers });

describe("a request", () => {
  it("has a signature that another implementation of Standard Webhooks and the client verify", async () => {
    const { webhookEndpoints, sell, events } = await shop();
    const { id, secret } = await webhookEndpoints.create({ url: `${receiver.url}/signed` });
    const recordId = await sell();
    await until(() => receiver.at("/signed").length > 0);
    const [arrived] = receiver.at("/signed");
    if (arrived === undefined) return expect.fail("nothing arrived");
    const event = verified(arrived, secret) as WebhookEvent;
    expect(event).toMatchObject({ type: "create_attribution", record_id: recordId, sequence: 1 });
    expect(arrived.headers["content-type"]).toBe("application/json");
    expect(await webhookVerifier({ secret })(arrived)).toEqual(event);
    const feed = await events.list();
    expect(feed.items.map((entry) => entry.id).at(-1)).toEqual(event.id);
    expect(() => verified({ ...arrived, body: arrived.body.replace("create", "cancel") }, secret)).toThrow();
    expect(() => verified(arrived, `whsec_${"A".repeat(43)}=`)).toThrow();
    expect((await webhookEndpoints.read(id)).lastDeliveredAt).not.toBeNull();
  });

  it("has a signature by each secret during a rotation", async () => {
    const { webhookEndpoints, sell } = await shop();
    const { id, secret: before } = await webhookEndpoints.create({ url: `${receiver.url}/rotated` });
    const { secret: after } = await webhookEndpoints.rotate(id);
    await sell();
    await until(() => receiver.at("/rotated").length > 0);
    const [arrived] = receiver.at("/rotated");
    if (arrived === undefined) return expect.fail("nothing arrived");
    expect(arrived.headers["webhook-signature"]?.split(" ").length).toBe(2);
    for (const secret of [before, after]) expect(verified(arrived, secret)).toEqual(arrived.event);
    expect(await webhookVerifier({ secret: before })(arrived)).toEqual(arrived.event);
  });
});

describe("a receiver", () => {
  it("that hangs, is slow or fails does not delay other endpoints; one that responds with too much has received the event", async () => {
    const { webhookEndpoints, sell } = await shop();
    const paths = ["/hangs", "/slow", "/huge", "/error"];
    const made = await Promise.all(
      paths.map((path) =>
        webhookEndpoints.create({ url: `${receiver.url}${path}`, types: ["create_attribution"] }),
      ),
    );
    await webhookEndpoints.create({ url: `${receiver.url}/good` });
    await sell();
    await until(() => receiver.at("/good").length > 0);
    const seen = await Promise.all(
      made.map(async ({ id }) => {
        await until(async () => ((await webhookEndpoints.deliveries(id)).items[0]?.attempts ?? 0) > 0);
        const { items } = await webhookEndpoints.deliveries(id);
        return [items[0]?.status, items[0]?.lastStatus, items[0]?.lastError];
      }),
    );
    expect(seen).toEqual([
      ["pending", null, `no complete response within ${TIMEOUT} ms`],
      ["pending", null, `no complete response within ${TIMEOUT} ms`],
      ["delivered", 200, null],
      ["pending", 500, "the receiver returned 500"],
    ]);
  });

  it("that redirects is not followed", async () => {
    const { webhookEndpoints, sell } = await shop();
    const { id } = await webhookEndpoints.create({ url: `${receiver.url}/redirect` });
    await sell();
    await until(async () => ((await webhookEndpoints.deliveries(id)).items[0]?.attempts ?? 0) > 0);
    const { items } = await webhookEndpoints.deliveries(id);
    expect([items[0]?.status, items[0]?.lastStatus, items[0]?.lastError]).toEqual([
      "pending",
      307,
      "the receiver returned 307: redirects are not followed, the endpoint must name the final URL",
    ]);
    expect(receiver.at("/ok")).toEqual([]);
  });

  it("that cannot be reached is reported with the problem, never with an address", async () => {
    const { webhookEndpoints, sell } = await shop();
    const { id } = await webhookEndpoints.create({ url: "http://127.0.0.1:1/" });
    await sell();
    await until(async () => ((await webhookEndpoints.deliveries(id)).items[0]?.attempts ?? 0) > 0);
    const { items } = await webhookEndpoints.deliveries(id);
    expect(items[0]?.lastError).toBe("the receiver could not be reached: ECONNREFUSED");
  });
});

describe("without the operator's permission", () => {
  it.each([
    ["http://shop.example.com/", "url: must begin with https://"],
    ["https://127.0.0.1/", "url: must lead to public addresses only"],
    ["https://[::1]/", "url: must lead to public addresses only"],
    ["https://localhost/", "url: must lead to public addresses only"],
    ["https://169.254.169.254/latest/meta-data", "url: must lead to public addresses only"],
    ["https://user:secret@example.com/", "url: must not contain a user name or a password"],
    ["shop", "url: must be an absolute URL"],
  ])("%s is refused", async (url, message) => {
    await using strict = await open({ database: "memory:", worker: false });
    const { webhookEndpoints } = strict.as({ customerId: crypto.randomUUID() });
    await expect(webhookEndpoints.create({ url })).rejects.toThrow(message);
    const { id } = await webhookEndpoints.create({ url: "https://shop.example.com/" });
    await expect(webhookEndpoints.update(id, { url })).rejects.toThrow(message);
    expect((await webhookEndpoints.list()).items.map((item) => item.url)).toEqual([
      "https://shop.example.com/",
    ]);
  });

  it("a name that resolves to a private address gets no request", async () => {
    const before = receiver.arrived.length;
    const { port } = new URL(receiver.url);
    const { send } = webhookSender({
      resolve: (_, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const failed = await Effect.runPromise(
      Effect.flip(
        send({ url: `https://shop.example.com:${port}/`, id: "1", at: 0, body: "{}", secrets: [] }),
      ),
    );
    expect(failed.message).toBe("the host must lead to public addresses only");
    expect(receiver.arrived.length).toBe(before);
  });

  it("nothing is sent if a host switches webhooks off", async () => {
    await using off = await open({ database: "memory:", worker: false, webhooks: false });
    const { webhookEndpoints } = off.as({ customerId: crypto.randomUUID() });
    await expect(webhookEndpoints.create({ url: "https://shop.example.com/" })).rejects.toThrow(
      "webhooks_off: the operator has switched webhooks off",
    );
  });
});
