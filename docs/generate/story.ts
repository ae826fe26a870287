/** What the examples of the interface page do, in order, against a service of their own. */
import { Principal } from "quittance";
import { code, fenced, json } from "./Markdown.ts";
import { ADMIN, type Reply, type Service, type ServiceRequest } from "./Service.ts";

const CUSTOMER = "5f0c0000-0000-4000-8000-000000000001";
const WORKSPACE = "5f0c0000-0000-4000-8000-000000000002";

const SELF_BILLING = {
  legal_name: "Kuutar Oy",
  address: { street: "Satamakatu 4", city: "Turku", region: "", postal_code: "20100", country: "FI" },
  vat_number: "FI12345671",
  payment_terms_days: 14,
  bank_account: { beneficiary_name: "Kuutar Oy", iban: "FI2112345600000785", bic: "NDEAFIHH" },
  tax_config: { treatment: "standard", label: "ALV", rate_bps: 2550 },
};

const tenth = (rate: number) => ({
  type: "multiply",
  operands: [
    { type: "property", name: "order_total" },
    { type: "literal", value: { type: "percent", value: rate } },
  ],
});

const answered = ({ status, headers, body }: Reply): string => {
  const disposition = headers.get("content-disposition");
  if (body === null) return `returns ${code(String(status))}, no body.`;
  if (typeof body === "string") {
    const shown = headers.get("content-type")?.startsWith("text/csv")
      ? `\n\n${fenced("text", body.replaceAll("\r", ""))}`
      : "";
    return `returns ${code(String(status))} with ${code(`Content-Disposition: ${disposition}`)}${shown}`;
  }
  return `returns ${code(String(status))} with\n\n${fenced("json", json(body))}`;
};

const exchange = ({ method, path, json: sent, file, headers = {} }: ServiceRequest, reply: Reply): string => {
  const extra = Object.entries(headers).map(([name, value]) => ` and ${code(`${name}: ${value}`)}`);
  const request = `${code(`${method} /api/v1${path}`)}${extra.join("")}`;
  if (file !== undefined) return `${request} with the form part ${code("file")} ${answered(reply)}`;
  return sent === undefined
    ? `${request} ${answered(reply)}`
    : `${request} with\n\n${fenced("json", json(sent))}\n\n${answered(reply)}`;
};

/** Sends requests to a service and keeps each exchange by its name. */
const narrator = (service: Service) => {
  const told = new Map<string, string>();
  const ask = async (name: string | null, request: ServiceRequest, credential: string): Promise<Reply> => {
    const reply = await service.call(credential, request);
    if (name !== null) told.set(name, exchange(request, reply));
    else if (reply.status >= 400) throw new Error(`${request.path}: ${JSON.stringify(reply.body)}`);
    return reply;
  };
  const field = (reply: Reply, name: string): string => {
    if (typeof reply.body !== "object" || reply.body === null || !(name in reply.body)) {
      throw new Error(`no ${name} in ${JSON.stringify(reply.body)}`);
    }
    return String(reply.body[name as keyof typeof reply.body]);
  };
  /** Shows the first record of a list alone. */
  const show = async (name: string, path: string, list: string, credential: string): Promise<void> => {
    const { body } = await service.call(credential, { method: "GET", path });
    const [record] = (body as Readonly<Record<string, ReadonlyArray<unknown>>>)[list] ?? [];
    if (record === undefined) throw new Error(`${path} is empty`);
    told.set(name, fenced("json", json(record)));
  };
  return { told, ask, field, show };
};

type Narrator = ReturnType<typeof narrator>;

/** Who earns, for what, and how much: partner, schema, formula, and two attributions. */
const earn = async (service: Service, { ask, field, show }: Narrator, key: string) => {
  service.at("2026-01-05T08:00:00.000Z");
  const partner = { name: "Kuutar Oy", workspace_id: WORKSPACE };
  const self = { ...partner, billing_mode: "self_billing", self_billing_data: SELF_BILLING };
  const partnerId = field(
    await ask("create-partner", { method: "POST", path: "/partners", json: self }, key),
    "id",
  );
  const schema = {
    workspace_id: WORKSPACE,
    name: "Sale",
    properties: [
      { name: "order_total", type: "number", required: true },
      { name: "channel", type: "string", required: false, default: "web" },
      { name: "first_order", type: "boolean", required: false },
    ],
  };
  const schemaId = field(
    await ask(null, { method: "POST", path: "/attribution-schemas", json: schema }, key),
    "id",
  );
  await show("schema", `/attribution-schemas?ids=${schemaId}`, "attribution_schemas", key);
  const formula = {
    partner_id: partnerId,
    workspace_id: WORKSPACE,
    schema_id: schemaId,
    name: "A tenth of each order",
    start_datetime: "2026-01-01T00:00:00Z",
    currency: "EUR",
    expression: tenth(10),
  };
  const formulaId = field(
    await ask("create-formula", { method: "POST", path: "/commission-formulas", json: formula }, key),
    "id",
  );
  const sale = (order_total: number, external_reference: string) => ({
    partner_id: partnerId,
    schema_id: schemaId,
    workspace_id: WORKSPACE,
    properties: { order_total, channel: "shop" },
    external_reference,
  });
  service.at("2026-01-10T09:00:00.000Z");
  const create = { method: "POST", path: "/attributions" };
  const first = field(
    await ask("create-attribution", { ...create, json: sale(12_000, "order-1001") }, key),
    "id",
  );
  service.at("2026-01-20T09:00:00.000Z");
  const second = field(await ask(null, { ...create, json: sale(5_000, "order-1002") }, key), "id");
  return { partnerId, schemaId, formulaId, first, second };
};

type Earned = Awaited<ReturnType<typeof earn>>;

/** One settlement from draft to paid, with its documents. */
const settle = async (
  service: Service,
  { ask, field, show }: Narrator,
  key: string,
  { partnerId }: Earned,
) => {
  const { body } = await ask(null, { method: "GET", path: `/commissions?partner_ids=${partnerId}` }, key);
  const { commissions } = body as { readonly commissions: ReadonlyArray<{ readonly id: string }> };
  const draft = {
    customer_id: CUSTOMER,
    workspace_id: WORKSPACE,
    partner_id: partnerId,
    commission_ids: commissions.map(({ id }) => id),
  };
  service.at("2026-02-01T10:00:00.000Z");
  await ask("preview-settlement", { method: "POST", path: "/settlements/preview", json: draft }, key);
  const create = { method: "POST", path: "/settlements", json: draft };
  const headers = { "Idempotency-Key": "settle-2026-01" };
  const id = field(await ask("create-settlement", { ...create, headers }, key), "id");
  await ask("settle-again", create, key);
  await ask("mark-draft", { method: "POST", path: `/settlements/${id}/mark-as-paid` }, key);
  service.at("2026-02-02T10:00:00.000Z");
  await ask("approve-settlement", { method: "POST", path: `/settlements/${id}/approve` }, key);
  await service.work();
  await ask("download-invoice", { method: "GET", path: `/settlements/${id}/invoice` }, key);
  service.at("2026-02-05T10:00:00.000Z");
  await ask("mark-as-paid", { method: "POST", path: `/settlements/${id}/mark-as-paid` }, key);
  await ask("export-settlement", { method: "GET", path: `/settlements/${id}/export` }, key);
  await show("settlement", `/settlements?ids=${id}`, "settlements", key);
};

/** A refund after payment: the amount is claimed back by the next settlement. */
const refund = async (service: Service, { ask, show }: Narrator, key: string, { first, second }: Earned) => {
  service.at("2026-02-10T09:00:00.000Z");
  const cancel = { method: "DELETE", path: `/attributions/${second}`, json: { reason: "order returned" } };
  await ask("cancel-attribution", cancel, key);
  await show("attribution", `/attributions?ids=${second}`, "attributions", key);
  await show("commission", `/commissions?attribution_ids=${second}`, "commissions", key);
  await ask(
    "list-commissions",
    { method: "GET", path: `/commissions?attribution_ids=${first}&per_page=1` },
    key,
  );
};

const count = async ({ ask }: Narrator, key: string): Promise<void> => {
  const span = "from=2025-12-30T00:00:00Z&to=2026-01-12T00:00:00Z&granularity=week";
  await ask("attribution-statistics", { method: "GET", path: `/attributions/stats?${span}` }, key);
  const months = "from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z&granularity=month";
  await ask("commission-statistics", { method: "GET", path: `/commissions/stats?${months}` }, key);
};

const change = async (service: Service, { ask, show }: Narrator, key: string, { formulaId }: Earned) => {
  service.at("2026-03-01T08:00:00.000Z");
  const raise = {
    name: "12 % of each order",
    expression: tenth(12),
    effective_datetime: "2026-03-01T00:00:00+01:00",
  };
  await ask(
    "update-formula",
    { method: "PATCH", path: `/commission-formulas/${formulaId}`, json: raise },
    key,
  );
  await show("formula", `/commission-formulas?ids=${formulaId}`, "commission_formulas", key);
};

/** One plan for several partners, changed in one place. */
const plan = async (
  service: Service,
  { ask, field, show }: Narrator,
  key: string,
  { partnerId, schemaId }: Earned,
): Promise<void> => {
  service.at("2026-03-02T08:00:00.000Z");
  const terms = {
    workspace_id: WORKSPACE,
    schema_id: schemaId,
    name: "Spring campaign",
    currency: "EUR",
    start_datetime: "2026-03-01T00:00:00+01:00",
    end_datetime: "2026-06-01T00:00:00+02:00",
    expression: tenth(5),
  };
  const create = { method: "POST", path: "/commission-plans", json: terms };
  const id = field(await ask("create-plan", create, key), "id");
  const assign = {
    method: "POST",
    path: `/commission-plans/${id}/partners`,
    json: { partner_ids: [partnerId] },
  };
  await ask("assign-plan", assign, key);
  service.at("2026-03-03T08:00:00.000Z");
  const raise = { expression: tenth(6), effective_datetime: "2026-03-01T00:00:00+01:00" };
  await ask("update-plan", { method: "PATCH", path: `/commission-plans/${id}`, json: raise }, key);
  await show("plan", `/commission-plans?ids=${id}`, "commission_plans", key);
  const draft = {
    plan_id: id,
    expression_text: "if order_total > 10000 then order_total * 8 % else order_total * 4 %",
    from: "2026-03-01T00:00:00Z",
    to: "2026-04-01T00:00:00Z",
    add: [
      {
        partner_id: partnerId,
        properties: { order_total: 20_000 },
        occurred_at: "2026-03-02T12:00:00Z",
      },
    ],
  };
  const trial = { method: "POST", path: "/plan-trials", json: draft };
  const trialId = field(await ask("start-trial", trial, key), "id");
  await service.work();
  await ask("trial", { method: "GET", path: `/plan-trials/${trialId}` }, key);
};

/** What goes beyond single records: many at once, an expression tried, an amount explained. */
const beyond = async (
  { ask }: Narrator,
  key: string,
  { partnerId, schemaId, first }: Earned,
): Promise<void> => {
  const scope = { partner_id: partnerId, schema_id: schemaId, workspace_id: WORKSPACE };
  const attributions = [{ order_total: 800 }, { order_total: "800" }].map((properties) => ({
    ...scope,
    properties,
  }));
  const batch = { mode: "independent", attributions };
  await ask("create-batch", { method: "POST", path: "/attributions/batch", json: batch }, key);
  const trial = {
    schema_id: schemaId,
    currency: "EUR",
    expression: tenth(15),
    samples: [{ properties: { order_total: 199 } }],
  };
  await ask("simulate", { method: "POST", path: "/commission-formulas/simulate", json: trial }, key);
  const { body } = await ask(null, { method: "GET", path: `/commissions?attribution_ids=${first}` }, key);
  const [commission] = (body as { readonly commissions: ReadonlyArray<{ readonly id: string }> }).commissions;
  await ask("explanation", { method: "GET", path: `/commissions/${commission?.id}/explanation` }, key);
  const json = { properties: { order_total: 99 }, reason: "a part of the order was returned" };
  const replacing = { method: "POST", path: `/attributions/${first}/replace` };
  await ask("try-replacement", { ...replacing, json: { ...json, dry_run: true } }, key);
  await ask("replace-attribution", { ...replacing, json }, key);
};

/** The first entries of the feed, as another system reads them. */
const follow = async ({ ask }: Narrator, key: string): Promise<void> => {
  await ask("list-events", { method: "GET", path: "/events?limit=2" }, key);
};

/** An endpoint to which two types of events are sent. */
const announce = async ({ ask, show }: Narrator, key: string): Promise<void> => {
  const endpoint = {
    url: "https://shop.example.com/quittance",
    types: ["create_settlement", "confirm_payment"],
    description: "Settlements for the shop",
  };
  await ask("create-webhook-endpoint", { method: "POST", path: "/webhook-endpoints", json: endpoint }, key);
  await show("webhook-endpoint", "/webhook-endpoints", "webhook_endpoints", key);
};

const stumble = async ({ ask }: Narrator, key: string): Promise<void> => {
  await ask("wrong-field", { method: "POST", path: "/partners", json: { name: "Kuutar Oy" } }, key);
  await ask("wrong-parameter", { method: "GET", path: "/partners?nmae=Kuutar" }, key);
  await ask("no-credential", { method: "GET", path: "/partners" }, "none");
};

/** The first key as it is shown, and one with every scope for the rest of the story. */
const credentials = async (service: Service, { ask, field, show }: Narrator): Promise<string> => {
  service.at("2026-01-05T07:00:00.000Z");
  const create = { method: "POST", path: "/api-keys" };
  const narrow = { customer_id: CUSTOMER, name: "shop", scopes: ["attributions:read", "attributions:write"] };
  await ask("create-key", { ...create, json: narrow }, ADMIN);
  const owner = { customer_id: CUSTOMER, name: "owner", scopes: Principal.ALL_SCOPES };
  const key = field(await ask(null, { ...create, json: owner }, ADMIN), "key");
  await show("key", "/api-keys", "api_keys", key);
  return key;
};

const profile = async ({ ask }: Narrator, key: string): Promise<void> => {
  const buyer = {
    legal_name: "Harbour Market GmbH",
    address: { street: "Am Sandtorkai 1", city: "Hamburg", region: "", postal_code: "20457", country: "DE" },
    vat_number: "DE123456789",
    document_numbers: { prefix: "HM", year: true },
    bank_account: {
      beneficiary_name: "Harbour Market GmbH",
      iban: "DE02120300000000202051",
      bic: "BYLADEM1001",
    },
  };
  await ask("write-profile", { method: "PUT", path: "/billing-profile", json: buyer }, key);
  await ask("read-profile", { method: "GET", path: "/billing-profile" }, key);
};

/** Runs the whole example; returns every exchange as text, by name. */
export const tell = async (service: Service): Promise<ReadonlyMap<string, string>> => {
  const voice = narrator(service);
  const key = await credentials(service, voice);
  await profile(voice, key);
  const earned = await earn(service, voice, key);
  await settle(service, voice, key, earned);
  await refund(service, voice, key, earned);
  await count(voice, key);
  await change(service, voice, key, earned);
  await plan(service, voice, key, earned);
  await beyond(voice, key, earned);
  await follow(voice, key);
  await announce(voice, key);
  await stumble(voice, key);
  return voice.told;
};
