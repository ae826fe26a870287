import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await start();
});

const read = async (token: string | null) => engine.call("GET", "/api/v1/principal", { token });

describe("GET /principal", () => {
  it("returns kind, grants and scopes of the credential", async () => {
    const partnerId = crypto.randomUUID();
    const key = await engine.keyOf({
      customer_id: engine.customerId,
      kind: "partner",
      partner_ids: [partnerId],
      scopes: ["settlements:read"],
    });
    const { status, body } = await read(key);
    expect(status).toBe(200);
    expect(body).toEqual({
      principal_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      // Not the person of the customer that created the key.
      person: body.principal_id,
      name: null,
      kind: "partner",
      customer_id: engine.customerId,
      customer_name: null,
      workspace_ids: "*",
      partner_ids: [partnerId],
      agent_id: null,
      scopes: ["settlements:read"],
    });
  });

  it("names the customer by its billing profile, also to a partner", async () => {
    const key = await engine.keyOf({
      ...{ customer_id: engine.customerId, kind: "partner", partner_ids: [crypto.randomUUID()] },
      scopes: [],
    });
    const address = { street: "Havnegade 1", city: "Aarhus", region: "", postal_code: "8000", country: "DK" };
    const profile = { legal_name: "Nordlys Rejser ApS", address, vat_number: "DK12345678" };
    expect((await engine.call("PUT", "/api/v1/billing-profile", { json: profile })).status).toBe(200);
    expect((await read(key)).body.customer_name).toBe("Nordlys Rejser ApS");
  });

  it("needs a credential, and no scope", async () => {
    expect((await read(null)).status).toBe(401);
    const key = await engine.keyOf({ customer_id: engine.customerId, scopes: [] });
    expect((await read(key)).body.scopes).toEqual([]);
  });
});
