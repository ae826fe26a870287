import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { SELF_BILLING, scene, TENTH } from "./Scene.ts";

let engine: Engine;
let known: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  engine = await start();
  known = await scene(engine);
});

const refused = async (method: string, path: string, body: unknown): Promise<string> => {
  const reply = await engine.call(method, path, {
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  expect(reply.status, reply.text).toBe(400);
  expect(Object.keys(reply.body)).toEqual(["error_code", "message", "field"]);
  // A node of an expression is more than the message begins with.
  const { field, message } = reply.body;
  expect(message.startsWith("expression: $") ? field.split(".")[0] : field).toBe(message.split(": ")[0]);
  return reply.body.message;
};

const partner = (fields: object) => ({ name: "n", workspace_id: engine.workspaceId, ...fields });
const billed = (data: object) =>
  partner({ billing_mode: "self_billing", self_billing_data: { ...SELF_BILLING, ...data } });

describe("messages with the field's path on the wire", () => {
  const messages: ReadonlyArray<readonly [string, () => readonly [string, string, unknown]]> = [
    ["name: is required", () => ["POST", "/api/v1/partners", { workspace_id: engine.workspaceId }]],
    ["name: must be a string", () => ["POST", "/api/v1/partners", partner({ name: 7 })]],
    ["name: must not be empty", () => ["POST", "/api/v1/partners", partner({ name: " " })]],
    [
      "name: must have 1 to 255 characters",
      () => ["POST", "/api/v1/partners", partner({ name: "x".repeat(256) })],
    ],
    ["name: must not contain U+0000", () => ["POST", "/api/v1/partners", partner({ name: "a\u0000" })]],
    [
      "name: must not contain an unpaired surrogate",
      () => ["POST", "/api/v1/partners", `{"name":"\\ud800","workspace_id":"${engine.workspaceId}"}`],
    ],
    ["workspace_id: must be a UUID", () => ["POST", "/api/v1/partners", partner({ workspace_id: "w" })]],
    ["workspace_id: must be a string", () => ["POST", "/api/v1/partners", partner({ workspace_id: null })]],
    [
      "billing_mode: must be one of self_billing, partner_billing",
      () => ["POST", "/api/v1/partners", partner({ billing_mode: "barter" })],
    ],
    [
      "self_billing_data: is required when billing_mode is self_billing",
      () => ["POST", "/api/v1/partners", partner({ billing_mode: "self_billing" })],
    ],
    [
      "self_billing_data.tax_config.rate_bps: is required when treatment is standard",
      () => ["POST", "/api/v1/partners", billed({ tax_config: { treatment: "standard", label: "VAT" } })],
    ],
    [
      "self_billing_data.tax_config.rate_bps: must be 0 to 10000",
      () => [
        "POST",
        "/api/v1/partners",
        billed({ tax_config: { treatment: "standard", label: "VAT", rate_bps: 10_001 } }),
      ],
    ],
    [
      "self_billing_data.tax_config.rate_bps: must be a whole number",
      () => [
        "POST",
        "/api/v1/partners",
        billed({ tax_config: { treatment: "standard", label: "VAT", rate_bps: 0.5 } }),
      ],
    ],
    [
      "self_billing_data.address.country: must be an ISO 3166-1 alpha-2 country code, such as DK",
      () => ["POST", "/api/v1/partners", billed({ address: { ...SELF_BILLING.address, country: "XX" } })],
    ],
    [
      "self_billing_data.bank_account: must be an object",
      () => ["POST", "/api/v1/partners", billed({ bank_account: "DK50" })],
    ],
    [
      "self_billing_data.tax_config.rate: is not a known field; did you mean rate_bps?",
      () => [
        "POST",
        "/api/v1/partners",
        billed({ tax_config: { treatment: "exempt", label: "VAT", rate: 0 } }),
      ],
    ],
    [
      "self_billing_data.iban: is not a known field; known are legal_name, address, vat_number, vat_number_type, registration_number, payment_terms_days, bank_account, tax_config, electronic_address, legal_note, contact",
      () => ["POST", "/api/v1/partners", billed({ iban: "DK50" })],
    ],
    [
      "properties.1.name: is used by an earlier property",
      () => ["POST", "/api/v1/attribution-schemas", schema([definition("a"), definition("a")])],
    ],
    [
      "properties.0.name: must not be __proto__",
      () => ["POST", "/api/v1/attribution-schemas", schema([definition("__proto__")])],
    ],
    [
      "properties.0.default: must be a number",
      () => ["POST", "/api/v1/attribution-schemas", schema([definition("a", { default: "1" })])],
    ],
    [
      "properties.0.defualt: is not a known field; did you mean default?",
      () => ["POST", "/api/v1/attribution-schemas", schema([definition("a", { defualt: 1 })])],
    ],
    [
      "properties.0.type: must be one of string, number, boolean",
      () => ["POST", "/api/v1/attribution-schemas", schema([definition("a", { type: "date" })])],
    ],
    ["properties: must be a list", () => ["POST", "/api/v1/attribution-schemas", schema({})]],
    ["properties.order_value: is required", () => ["POST", "/api/v1/attributions", attribution({})]],
    [
      "properties.order_value: must be a number",
      () => ["POST", "/api/v1/attributions", attribution({ order_value: "1" })],
    ],
    [
      "properties.plan: must be a string or a number or true or false",
      () => ["POST", "/api/v1/attributions", attribution({ order_value: 1, plan: null })],
    ],
    [
      "properties.colour: is not defined by the schema",
      () => ["POST", "/api/v1/attributions", attribution({ order_value: 1, colour: "red" })],
    ],
    [
      "properties.order_value: must be a number between -1e15 and 1e15",
      () => [
        "POST",
        "/api/v1/attributions",
        JSON.stringify(attribution({ order_value: 77 })).replace(":77}", ":1e400}"),
      ],
    ],
    [
      "currency: must be an ISO 4217 currency code, such as EUR",
      () => ["POST", "/api/v1/commission-formulas", formula({ currency: "EURO" })],
    ],
    [
      "start_datetime: must be an RFC 3339 date-time with an offset or Z",
      () => ["POST", "/api/v1/commission-formulas", formula({ start_datetime: "2026-01-01" })],
    ],
    [
      "end_datetime: must be after start_datetime",
      () => ["POST", "/api/v1/commission-formulas", formula({ end_datetime: "2019-01-01T00:00:00Z" })],
    ],
    ["commission_ids: must have 1 to 10000 ids", () => ["POST", "/api/v1/settlements", settlement([])]],
    [
      "commission_ids: must not name a commission twice",
      () => [
        "POST",
        "/api/v1/settlements",
        settlement([known.commissionId, known.commissionId.toUpperCase()]),
      ],
    ],
    [
      "commission_ids.1: must be a UUID",
      () => ["POST", "/api/v1/settlements", settlement([known.commissionId, "x"])],
    ],
    ["reason: is required", () => ["DELETE", `/api/v1/attributions/${known.attributionId}`, {}]],
    ["id: must be a UUID", () => ["DELETE", "/api/v1/attributions/a%2Fb", { reason: "r" }]],
    ["body: must be an object", () => ["DELETE", `/api/v1/attributions/${known.attributionId}`, "[]"]],
    ["body: is not valid JSON", () => ["DELETE", `/api/v1/attributions/${known.attributionId}`, "{reason"]],
    ["body: must be a JSON object", () => ["DELETE", `/api/v1/attributions/${known.attributionId}`, ""]],
  ];
  const schema = (properties: unknown) => ({ name: "s", workspace_id: engine.workspaceId, properties });
  const definition = (name: string, fields: object = {}) => ({
    name,
    type: "number",
    required: false,
    ...fields,
  });
  const attribution = (properties: object) => ({
    workspace_id: engine.workspaceId,
    partner_id: known.partnerId,
    schema_id: known.schemaId,
    properties,
  });
  const formula = (fields: object) => ({
    name: "f",
    workspace_id: engine.workspaceId,
    partner_id: known.partnerId,
    schema_id: known.schemaId,
    currency: "EUR",
    start_datetime: "2020-01-01T00:00:00Z",
    expression: TENTH,
    ...fields,
  });
  const settlement = (commission_ids: ReadonlyArray<string>) => ({
    customer_id: engine.customerId,
    workspace_id: engine.workspaceId,
    partner_id: known.partnerId,
    commission_ids,
  });

  it.each(messages)("%s", async (message, ask) => {
    expect(await refused(...ask())).toBe(message);
  });

  it("have the path inside an expression", async () => {
    const message = await refused(
      "POST",
      "/api/v1/commission-formulas",
      formula({ expression: { type: "property", name: "nope" } }),
    );
    expect(message).toMatch(/expression|\$/);
    expect(message).toContain("nope");
  });

  it("never contain the sent value or details of the check", async () => {
    const message = await refused("POST", "/api/v1/partners", billed({ vat_number: ["DK-secret"] }));
    expect(message).toBe("self_billing_data.vat_number: must be a string");
  });
});

describe("harmful bodies", () => {
  const path = "/api/v1/partners";
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  it("are refused beyond 128 levels, and only beyond", async () => {
    const fields = JSON.stringify(partner({})).slice(1, -1);
    const at = await engine.call("POST", path, {
      body: `{${fields},"extra":${nested(127)}}`,
      headers: { "content-type": "application/json" },
    });
    expect(at.status, at.text).toBe(201);
    expect(await refused("POST", path, `{${fields},"extra":${nested(128)}}`)).toBe(
      "body: is nested deeper than 128 levels",
    );
    expect(await refused("POST", path, "[".repeat(500_000))).toBe("body: is not valid JSON");
  });

  it("are refused with the key __proto__, however often and however written", async () => {
    for (const text of [
      '{"__proto__":{"name":"n"},"__proto__":1}',
      '{"name":"n","extra":[{"\\u005f_proto__":{}}]}',
      `{"properties":{"__proto__":"x"}}`,
    ]) {
      expect(await refused("POST", path, text)).toBe("body: must not contain the key __proto__");
    }
    expect(
      await refused("POST", "/api/v1/attributions", {
        workspace_id: engine.workspaceId,
        partner_id: known.partnerId,
        schema_id: known.schemaId,
        properties: { order_value: 1, constructor: "x" },
      }),
    ).toBe("properties.constructor: is not defined by the schema");
  });

  it("are refused when an object has a key twice, with the path of the key", async () => {
    const wrong: ReadonlyArray<readonly [field: string, text: string]> = [
      ["name", '{"name":"one","name":"one"}'],
      ["name", '{"name":"one", "extra" : [ { "name" : 1 } ] , "n\\u0061me" : "two"}'],
      ["extra.2.amount", '{"extra":[{"amount":1},"a,b",{"amount":1,"other":{},"amount":2}]}'],
      ['extra.a"b.c', '{"extra":{"x":"\\\\","a\\"b":{"c":"\\":","c":null}}}'],
      ["0.1.", '[[0,{"":1,"":2}]]'],
    ];
    for (const [field, text] of wrong) {
      expect(await refused("POST", path, text), text).toBe(`${field}: must not be stated twice`);
    }
    const fields = JSON.stringify(partner({})).slice(1, -1);
    const once = await engine.call("POST", path, {
      body: `{${fields},"extra":[{"a:":"\\":{","b":[":",{"a:":":"}]},{"a:":1}]}`,
      headers: { "content-type": "application/json" },
    });
    expect(once.status, once.text).toBe(201);
  });

  it("are refused when they are not UTF-8", async () => {
    const reply = await engine.call("POST", path, {
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      headers: { "content-type": "application/json" },
    });
    expect([reply.status, reply.body.message]).toEqual([400, "body: is not valid UTF-8"]);
  });
});

describe("media types", () => {
  it.each([
    ["application/json; charset=utf-8", 201],
    ["application/json;charset=UTF-8", 201],
    ["application/json; charset=latin1", 415],
    ["application/jsonp", 415],
    ["multipart/form-data; boundary=x", 415],
  ])("%s: %i", async (type, status) => {
    const reply = await engine.call("POST", "/api/v1/partners", {
      body: JSON.stringify(partner({})),
      headers: { "content-type": type },
    });
    expect(reply.status).toBe(status);
  });

  it("a body without one, or a compressed one, is refused", async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(partner({})));
    expect((await engine.call("POST", "/api/v1/partners", { body: bytes })).status).toBe(415);
    const packed = await engine.call("POST", "/api/v1/partners", {
      body: bytes,
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    });
    expect(packed.status).toBe(415);
  });
});

describe("ignored fields and cleared fields", () => {
  it("ignores unknown fields outside the closed objects", async () => {
    const reply = await engine.call("POST", "/api/v1/partners", {
      json: { ...partner({}), id: "echoed", view: { anything: [1] } },
    });
    expect(reply.status).toBe(201);
  });

  it("reads ids in any letter case", async () => {
    const upper = known.attributionId.toUpperCase();
    const listed = await engine.call("GET", `/api/v1/attributions?ids=${upper}`);
    expect(listed.body.attributions[0].id).toBe(known.attributionId);
  });

  it("null in a PATCH clears a description and an end, and no other field", async () => {
    const { formulaId } = await scene(engine);
    const path = `/api/v1/commission-formulas/${formulaId}`;
    const patch = async (json: object) => (await engine.call("PATCH", path, { json })).status;
    const read = async () =>
      (await engine.call("GET", `/api/v1/commission-formulas?ids=${formulaId}`)).body.commission_formulas[0];
    expect(await patch({ description: "d", end_datetime: "2030-01-01T00:00:00+02:00" })).toBe(200);
    expect(await read()).toMatchObject({ description: "d", end_datetime: "2029-12-31T22:00:00.000Z" });
    expect(await patch({ name: null, start_datetime: null, effective_datetime: null })).toBe(200);
    expect(await read()).toMatchObject({
      name: "10 %",
      description: "d",
      end_datetime: "2029-12-31T22:00:00.000Z",
    });
    expect(await patch({ description: null, end_datetime: null })).toBe(200);
    expect(await read()).toMatchObject({ description: null, end_datetime: null });
    expect(await patch({ expression: null })).toBe(400);
    expect(await patch({ effective_datetime: "2024-01-01T00:00:00Z" })).toBe(400);
    expect(await patch({})).toBe(200);
    expect((await read()).events).toHaveLength(3);
  });

  it("null in a PATCH of a partner changes nothing", async () => {
    const path = `/api/v1/partners/${known.partnerId}`;
    const json = { name: null, billing_mode: null, self_billing_data: null };
    expect((await engine.call("PATCH", path, { json })).status).toBe(200);
    const { body } = await engine.call("GET", `/api/v1/partners?ids=${known.partnerId}`);
    expect(body.partners[0]).toMatchObject({ name: "Nordlys ApS", billing_mode: "partner_billing" });
  });
});
