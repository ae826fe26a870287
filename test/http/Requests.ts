/** One request of every operation that succeeds, with the records it needs. */
import { createHmac } from "node:crypto";
import { Redacted } from "effect";
import { sepa } from "quittance/payouts";
import {
  ADMIN_TOKEN,
  type Asked,
  type Call,
  caller,
  type Engine,
  type Mount,
  type Reply,
  SCOPES,
  start,
} from "./Engine.ts";
import { form, maker, pdf, SELF_BILLING, scene, TENTH } from "./Scene.ts";

export const WEBHOOK_SECRET = "secret-shared-with-the-bank-of-the-tests";

/** Payouts that succeed at once, and a bank that may report. */
export const PAYING: Mount = {
  provider: sepa,
  paymentWebhookSecrets: { bank: Redacted.make(WEBHOOK_SECRET) },
};

/** An engine that can be brought into every state by hand. */
export const startPaying = (mount: Mount = {}): Promise<Engine> =>
  start({ documents: "manual", payoutAccounts: "second_person" }, [], { ...PAYING, ...mount });

/** A request but for its method and path. */
export interface Ask {
  /** The value of the first path parameter. */
  readonly id?: string;
  /** The value of the second path parameter. */
  readonly partnerId?: string;
  readonly deliveryId?: string;
  readonly accountId?: string;
  readonly number?: string;
  readonly attachmentId?: string;
  readonly query?: string;
  readonly json?: unknown;
  readonly upload?: boolean;
  /** The uploaded content in place of a document. */
  readonly file?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The month that ended last, by the clock of the tests. */
export const lastMonth = (): string => {
  const now = new Date(Date.now());
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
};

/** A span of sales. */
const RECREDIT = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z", reason: "a late link" };

/** The credential of the operator. */
const PLATFORM = { authorization: `Bearer ${ADMIN_TOKEN}` };

/** The credential of an operation that the platform alone may perform; that of the engine's customer for others. */
export const credentialFor = ({ id }: { readonly id: string }): Asked =>
  id.startsWith("erase") ? { token: ADMIN_TOKEN } : {};

/** Fills a path and makes a request of an ask. */
export const send = (
  call: Call,
  { method, path }: { readonly method: string; readonly path: string },
  {
    id,
    partnerId,
    deliveryId,
    accountId,
    attachmentId,
    number,
    query,
    json,
    upload = false,
    file,
    headers = {},
  }: Ask,
  more: Asked = {},
): Promise<Reply> =>
  call(
    method,
    `${path
      .replace("{partner_id}", partnerId ?? crypto.randomUUID())
      .replace("{delivery_id}", deliveryId ?? crypto.randomUUID())
      .replace("{account_id}", accountId ?? crypto.randomUUID())
      .replace("{attachment_id}", attachmentId ?? crypto.randomUUID())
      .replace("{number}", number ?? "1")
      .replace(/\{\w+\}/, id ?? "")}${query === undefined ? "" : `?${query}`}`,
    {
      ...(json === undefined ? {} : { json }),
      ...(upload || file !== undefined ? { body: form(file ?? "%PDF-1.7") } : {}),
      ...more,
      headers: { ...headers, ...more.headers },
    },
  );

/** The headers that sign a body as the bank does. */
export const signed = (
  body: string,
  secret = WEBHOOK_SECRET,
  timestamp = String(Math.floor(Date.now() / 1000)),
): Readonly<Record<string, string>> => ({
  "webhook-timestamp": timestamp,
  "webhook-signature": createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex"),
});

/** The ask of a signed report. */
export const reported = (fact: object, provider = "bank"): Ask => ({
  id: provider,
  json: fact,
  headers: signed(JSON.stringify(fact)),
});

const STEPS = {
  draft: [],
  awaiting_report: ["approve"],
  awaiting_invoice: ["approve", "report"],
  awaiting_payment: ["approve", "report", "invoice"],
  payment_initiated: ["approve", "report", "invoice", "initiate-payment"],
  paid_by_hand: ["approve", "report", "invoice", "mark-as-paid"],
  negative_review: ["approve", "report"],
  awaiting_credit_note: ["approve", "report", "review"],
  with_credit_note: ["approve", "report", "review", "credit-note"],
  disputed: ["approve", "dispute"],
} as const;
type Stage = keyof typeof STEPS;

const NEGATIVE: ReadonlySet<Stage> = new Set(["negative_review", "awaiting_credit_note", "with_credit_note"]);
const BODIES: Readonly<Record<string, object>> = {
  review: { decision: "issue_credit_note" },
  dispute: { reason: "too low" },
};
const UPLOADS: ReadonlySet<string> = new Set(["report", "invoice", "credit-note"]);

const SELF = { billing_mode: "self_billing", self_billing_data: SELF_BILLING };

/** A settlement brought to a stage. */
export const settlementAt = async (engine: Engine, stage: Stage): Promise<string> => {
  const made = await scene(engine, SELF, NEGATIVE.has(stage) ? -12_000 : 12_000);
  const id = await made.draft();
  for (const step of STEPS[stage]) {
    const reply = await engine.call("POST", `/api/v1/settlements/${id}/${step}`, {
      ...(BODIES[step] === undefined ? {} : { json: BODIES[step] }),
      ...(UPLOADS.has(step) ? { body: pdf(step) } : {}),
    });
    if (reply.status !== 200) throw new Error(`${step}: ${reply.text}`);
  }
  return id;
};

const PAYOUT_ACCOUNT = {
  type: "uk",
  details: { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" },
};

/** A partner whose second account was proposed by another person than the engine's. */
const proposed = async (engine: Engine): Promise<{ readonly id: string; readonly accountId: string }> => {
  const id = await maker(engine.call, engine.workspaceId).partner();
  const path = `/api/v1/partners/${id}/payout-accounts`;
  await engine.call("POST", path, { json: PAYOUT_ACCOUNT });
  const other = caller(
    engine.handler,
    await engine.keyOf({ customer_id: engine.customerId, scopes: SCOPES }),
  );
  const { body } = await other("POST", path, { json: PAYOUT_ACCOUNT });
  return { id, accountId: body.id };
};

/** A settlement whose payment is on its way, and under which reference. */
export const paying = async (
  engine: Engine,
): Promise<{ readonly id: string; readonly reference: string }> => {
  const id = await settlementAt(engine, "payment_initiated");
  const { body } = await engine.call("GET", `/api/v1/settlements?ids=${id}`);
  return { id, reference: body.settlements[0].view.payment_reference };
};

const WEBHOOK = { method: "POST", path: "/webhooks/payments/{provider}" };

const paidByBank = async (engine: Engine): Promise<string> => {
  const { id, reference } = await paying(engine);
  const fact = { id: crypto.randomUUID(), type: "confirmed", payment_reference: reference };
  const reply = await send(engine.call, WEBHOOK, reported(fact), { token: null });
  if (reply.status !== 200) throw new Error(reply.text);
  return id;
};

type Requests = Readonly<Record<string, (engine: Engine) => Promise<Ask>>>;

const span = "from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z&granularity=week";
const plain = async (): Promise<Ask> => ({});
const stats = async (): Promise<Ask> => ({ query: span });

const at =
  (stage: Stage, more: Omit<Ask, "id"> = {}): ((engine: Engine) => Promise<Ask>) =>
  async (engine) => ({ id: await settlementAt(engine, stage), ...more });

/** A draft with a comment, and the attachment that it names. */
export const attachedTo = async (
  engine: Engine,
): Promise<{ readonly id: string; readonly attachmentId: string }> => {
  const id = await settlementAt(engine, "draft");
  const path = `/api/v1/settlements/${id}`;
  const { body } = await engine.call("POST", `${path}/attachments`, { body: form("%PDF-1.7") });
  const json = { text: "the order, as attached", attachment_ids: [body.id] };
  const reply = await engine.call("POST", `${path}/comment`, { json });
  if (reply.status !== 200) throw new Error(reply.text);
  return { id, attachmentId: body.id };
};

const profile = {
  legal_name: "Shop GmbH",
  address: SELF_BILLING.address,
  vat_number: "DE123456789",
};

const create = async (engine: Engine): Promise<Ask & { readonly json: object }> => {
  const made = await scene(engine);
  return {
    json: {
      customer_id: engine.customerId,
      workspace_id: engine.workspaceId,
      partner_id: made.partnerId,
      commission_ids: [made.commissionId],
    },
  };
};

const sale = async (engine: Engine) => {
  const { partnerId, schemaId } = await scene(engine);
  return {
    partner_id: partnerId,
    schema_id: schemaId,
    workspace_id: engine.workspaceId,
    properties: { order_value: 1 },
  };
};

const planTerms = async (engine: Engine) => ({
  schema_id: await maker(engine.call, engine.workspaceId).schema(),
  workspace_id: engine.workspaceId,
  name: "affiliates",
  currency: "EUR",
  start_datetime: "2026-01-01T00:00:00Z",
  expression: TENTH,
});

/** An expression that holds from a date in the future on. */
const NEXT_RATE = { expression_text: "order_value * 20 %", effective_on: "2999-01-01" };

/** A new plan without partners. */
const plan = async (engine: Engine): Promise<string> =>
  (await engine.call("POST", "/api/v1/commission-plans", { json: await planTerms(engine) })).body.id;

/** Assigns a new partner to a plan. */
const assign = async (
  engine: Engine,
  id: string,
): Promise<{ readonly id: string; readonly partnerId: string }> => {
  const partnerId = await maker(engine.call, engine.workspaceId).partner();
  await engine.call("POST", `/api/v1/commission-plans/${id}/partners`, {
    json: { partner_ids: [partnerId] },
  });
  return { id, partnerId };
};

/** A plan, and a partner that it is assigned to. */
const assigned = async (engine: Engine) => assign(engine, await plan(engine));

/** A new plan with a parameter, and one partner that has it. */
const planWithRate = async (engine: Engine) => {
  const parameters = [{ name: "rate", type: "number", default: 5 }];
  const json = { ...(await planTerms(engine)), parameters };
  const { body } = await engine.call("POST", "/api/v1/commission-plans", { json });
  return assign(engine, body.id);
};

const plans: Requests = {
  setPartnerParameters: async (engine) => ({
    ...(await planWithRate(engine)),
    json: { values: { rate: 7 } },
  }),
  setCommissionPlanParameters: async (engine) => {
    const { id, partnerId } = await planWithRate(engine);
    return { id, json: { partners: [{ partner_id: partnerId, values: { rate: 7 } }] } };
  },
  listCommissionPlans: plain,
  createCommissionPlan: async (engine) => ({ json: await planTerms(engine) }),
  updateCommissionPlan: async (engine) => ({ id: await plan(engine), json: { name: "new" } }),
  withdrawCommissionPlanVersion: async (engine) => {
    const id = await plan(engine);
    await engine.call("PATCH", `/api/v1/commission-plans/${id}`, { json: NEXT_RATE });
    return { id, number: "2" };
  },
  cancelCommissionPlan: async (engine) => ({ id: await plan(engine), json: { reason: "wrong" } }),
  assignCommissionPlan: async (engine) => ({
    id: await plan(engine),
    json: { partner_ids: [await maker(engine.call, engine.workspaceId).partner()] },
  }),
  unassignCommissionPlan: async (engine) => ({ ...(await assigned(engine)), json: {} }),
  acceptCommissionPlanTerms: async (engine) => {
    const { id, partnerId } = await assigned(engine);
    const { body } = await engine.call("GET", `/api/v1/commission-plans/${id}/terms?partner_id=${partnerId}`);
    const json = { partner_id: partnerId, hash: body.hash, name: "Ida Nord", reference: "contract 17" };
    return { id, json };
  },
  listCommissionPlanAcceptances: async (engine) => ({ id: await plan(engine) }),
  readCommissionPlanTerms: async (engine) => {
    const { id, partnerId } = await assigned(engine);
    return { id, query: `partner_id=${partnerId}` };
  },
};

/** What starting a trial of a plan takes. */
const trialTerms = (planId: string) => ({
  plan_id: planId,
  expression_text: "order_value * 12 %",
  from: "2026-01-01T00:00:00Z",
  to: "2026-02-01T00:00:00Z",
});

/** A trial of a new plan. */
const trial = async (engine: Engine): Promise<string> =>
  (await engine.call("POST", "/api/v1/plan-trials", { json: trialTerms(await plan(engine)) })).body.id;

const trials: Requests = {
  listPlanTrials: plain,
  startPlanTrial: async (engine) => ({ json: trialTerms(await plan(engine)) }),
  readPlanTrial: async (engine) => ({ id: await trial(engine) }),
  exportPlanTrial: async (engine) => ({ id: await trial(engine) }),
  adoptPlanTrial: async (engine) => ({ id: await trial(engine), json: {} }),
};

const HOOK = "https://shop.example.com/events";

/** The most endpoints created for one customer; afterwards requests use the newest one. */
const ENDPOINTS = 50;

/** A webhook endpoint of the engine's own customer; an unused id when the caller may not create one. */
export const endpointOf = async (engine: Engine, type = "cancel_settlement"): Promise<string> => {
  const path = "/api/v1/webhook-endpoints";
  const { body } = await engine.call("GET", `${path}?per_page=1&order=desc`);
  if (body.total >= ENDPOINTS) return body.webhook_endpoints[0].id;
  const made = await engine.call("POST", path, { json: { url: HOOK, types: [type] } });
  return made.body.id ?? crypto.randomUUID();
};

/** An endpoint, and a delivery to it. */
const deliveryOf = async (engine: Engine): Promise<Ask> => {
  const id = await endpointOf(engine, "create_attribution");
  await scene(engine);
  await engine.settle();
  const { body } = await engine.call("GET", `/api/v1/webhook-endpoints/${id}/deliveries`);
  return { id, deliveryId: body.webhook_deliveries?.[0]?.id ?? crypto.randomUUID() };
};

/** The link of two new partners. */
const link = async ({ call, workspaceId }: Engine) => ({
  partner_id: await maker(call, workspaceId).partner(),
  upline_partner_id: await maker(call, workspaceId).partner(),
  role: "manager",
  start_datetime: "2026-01-01T00:00:00Z",
});

const records: Requests = {
  listAttributions: plain,
  createAttribution: async (engine) => ({ json: await sale(engine) }),
  createAttributions: async (engine) => {
    const one = await sale(engine);
    return { json: { mode: "independent", attributions: [one, { ...one, properties: {} }] } };
  },
  attributionStatistics: stats,
  cancelAttribution: async (engine) => ({
    id: (await scene(engine)).attributionId,
    json: { reason: "refunded" },
  }),
  replaceAttribution: async (engine) => ({
    id: (await scene(engine)).attributionId,
    json: { properties: { order_value: 5_000 }, reason: "a part was refunded" },
  }),
  recreditAttribution: async (engine) => ({
    id: (await scene(engine)).attributionId,
    json: { reason: "the team had been entered late" },
  }),
  stateReceived: async (engine) => ({
    id: (await scene(engine)).attributionId,
    json: { received: 500, of: 1_000 },
  }),
  previewReceived: async (engine) => ({
    id: (await scene(engine)).attributionId,
    json: { received: 500, of: 1_000 },
  }),
  stateReceivedBatch: async (engine) => ({
    json: {
      receipts: [{ attribution_id: (await scene(engine)).attributionId, received: 500, of: 1_000 }],
    },
  }),
  listAttributionSchemas: plain,
  createAttributionSchema: async ({ workspaceId }) => ({
    json: { workspace_id: workspaceId, name: "Sale", properties: [] },
  }),
  listPartners: plain,
  createPartner: async ({ workspaceId }) => ({ json: { name: "N", workspace_id: workspaceId } }),
  listPartnerEvents: async (engine) => ({ id: (await scene(engine)).partnerId }),
  readPartnerBalance: async (engine) => ({ id: (await scene(engine)).partnerId }),
  readPartnerBalances: async (engine) => ({ query: `partner_ids=${(await scene(engine)).partnerId}` }),
  readSettlementSchedule: async (engine) => ({ id: (await scene(engine)).partnerId }),
  readJournal: async (engine) => {
    await scene(engine);
    return { query: "from=2020-01-01T00:00:00Z" };
  },
  readPostingRules: plain,
  readPeriods: plain,
  closePeriod: async () => ({ id: lastMonth() }),
  reopenPeriod: async (engine) => {
    const { customerId } = engine;
    const token = await engine.keyOf({ customer_id: customerId, scopes: SCOPES });
    const json = { reason: "An invoice was missing" };
    // Somebody else may have closed it already.
    await engine.call("POST", `/api/v1/periods/${lastMonth()}/reopen`, { token, json });
    const closed = await engine.call("POST", `/api/v1/periods/${lastMonth()}/close`, { token });
    if (closed.status !== 200) throw new Error(closed.text);
    return { id: lastMonth(), json };
  },
  writePostingRules: async () => ({ json: { rules: [{ account: "input_tax", number: "1400" }] } }),
  readPayables: async (engine) => {
    await scene(engine);
    return { query: "group_by=partner" };
  },
  readPartnerStatement: async (engine) => ({
    id: (await scene(engine)).partnerId,
    query: "from=2020-01-01T00:00:00Z",
  }),
  updatePartner: async ({ call, workspaceId }) => ({
    id: await maker(call, workspaceId).partner(),
    json: { name: "M" },
  }),
  readPayoutAccounts: async (engine) => ({ id: (await proposed(engine)).id }),
  proposePayoutAccount: async ({ call, workspaceId }) => ({
    id: await maker(call, workspaceId).partner(),
    json: PAYOUT_ACCOUNT,
  }),
  confirmPayoutAccount: proposed,
  retirePayoutAccount: proposed,
  listPartnerLinks: plain,
  createPartnerLink: async (engine) => ({ json: await link(engine) }),
  updatePartnerLink: async (engine) => {
    const { body } = await engine.call("POST", "/api/v1/partner-links", { json: await link(engine) });
    return { id: body.id, json: { end_datetime: "2026-02-01T00:00:00Z" } };
  },
  listCommissionFormulas: plain,
  createCommissionFormula: async (engine) => {
    const { partnerId, schemaId } = await scene(engine);
    return {
      json: {
        partner_id: partnerId,
        schema_id: schemaId,
        workspace_id: engine.workspaceId,
        name: "a tenth",
        currency: "EUR",
        start_datetime: "2026-01-01T00:00:00Z",
        expression: TENTH,
      },
    };
  },
  simulateCommissionFormula: async (engine) => ({
    json: {
      schema_id: await maker(engine.call, engine.workspaceId).schema(),
      currency: "EUR",
      expression: TENTH,
      samples: [{ properties: { order_value: 12_345 } }],
    },
  }),
  updateCommissionFormula: async (engine) => ({ id: (await scene(engine)).formulaId, json: { name: "new" } }),
  withdrawCommissionFormulaVersion: async (engine) => {
    const id = (await scene(engine)).formulaId;
    await engine.call("PATCH", `/api/v1/commission-formulas/${id}`, { json: NEXT_RATE });
    return { id, number: "2" };
  },
  setCommissionFormulaParameters: async (engine) => ({
    id: (await scene(engine)).formulaId,
    json: { values: {} },
  }),
  cancelCommissionFormula: async (engine) => ({
    id: (await scene(engine)).formulaId,
    json: { reason: "wrong" },
  }),
  listCommissions: plain,
  commissionStatistics: stats,
  explainCommission: async (engine) => ({ id: (await scene(engine)).commissionId }),
  listApiKeys: plain,
  createApiKey: async () => ({ json: { name: "shop" } }),
  acceptInvitation: async (engine) => {
    const { partnerId } = await scene(engine);
    const invitation = { kind: "partner", use: "invitation", partner_ids: [partnerId] };
    const { body } = await engine.call("POST", "/api/v1/api-keys", { json: invitation });
    return { headers: { authorization: `Bearer ${body.key}` } };
  },
  revokeApiKey: async (engine) => ({
    id: (await engine.call("POST", "/api/v1/api-keys", { json: {} })).body.id,
  }),
  readPrincipal: plain,
  listEvents: async (engine) => {
    await scene(engine);
    return { query: "limit=5&types=create_commission&types=create_attribution" };
  },
  erasePartner: async (engine) => ({ id: (await scene(engine)).partnerId, json: {}, headers: PLATFORM }),
  eraseEvents: async (engine) => {
    await scene(engine);
    const { body } = await engine.call("GET", "/api/v1/events?limit=1&types=create_attribution");
    return { json: { customer_id: engine.customerId, cursors: [body.events[0].cursor] }, headers: PLATFORM };
  },
  listWebhookEndpoints: async (engine) => {
    await endpointOf(engine);
    return {};
  },
  createWebhookEndpoint: async () => ({ json: { url: HOOK, types: ["create_settlement"] } }),
  readWebhookEndpoint: async (engine) => ({ id: await endpointOf(engine) }),
  updateWebhookEndpoint: async (engine) => ({ id: await endpointOf(engine), json: { enabled: false } }),
  deleteWebhookEndpoint: async (engine) => ({ id: await endpointOf(engine) }),
  rotateWebhookSecret: async (engine) => ({ id: await endpointOf(engine) }),
  listWebhookDeliveries: async (engine) => ({ ...(await deliveryOf(engine)), query: "statuses=delivered" }),
  redeliverWebhook: (engine) => deliveryOf(engine),
  readBillingProfile: async ({ call }) => {
    await call("PUT", "/api/v1/billing-profile", { json: profile });
    return {};
  },
  writeBillingProfile: async () => ({ json: profile }),
};

const settlements: Requests = {
  listSettlements: plain,
  createSettlement: create,
  previewSettlement: create,
  approveSettlement: at("draft"),
  reviewSettlement: at("negative_review", { json: { decision: "carry_forward" } }),
  cancelSettlement: at("draft"),
  writeOffSettlement: at("awaiting_report"),
  markSettlementAsPaid: at("awaiting_payment"),
  downloadSettlementReport: at("awaiting_invoice"),
  downloadSettlementInvoice: at("awaiting_payment"),
  downloadSettlementCreditNote: at("with_credit_note"),
  uploadSettlementReport: at("awaiting_report", { upload: true }),
  uploadSettlementInvoice: at("awaiting_invoice", { upload: true }),
  uploadSettlementCreditNote: at("awaiting_credit_note", { upload: true }),
  attachToSettlement: at("draft", { upload: true }),
  downloadSettlementAttachment: attachedTo,
  exportSettlement: at("draft"),
  disputeSettlement: at("awaiting_report", { json: { reason: "too low" } }),
  withdrawSettlementDispute: at("disputed"),
  commentOnSettlement: at("draft", { json: { text: "one order is missing" } }),
  resolveSettlementDispute: at("disputed", { json: { resolution: "rejected" } }),
  chooseSettlementPayoutAccount: async (engine) => {
    const id = await settlementAt(engine, "awaiting_payment");
    const { body } = await engine.call("GET", `/api/v1/settlements?ids=${id}`);
    const accounts = await engine.call(
      "GET",
      `/api/v1/partners/${body.settlements[0].partner_id}/payout-accounts`,
    );
    return { id, json: { payout_account_id: accounts.body.payout_accounts[0].id } };
  },
  initiateSettlementPayment: at("awaiting_payment"),
  returnSettlementPayment: async (engine) => ({
    id: await paidByBank(engine),
    json: { reason: "account closed" },
  }),
  reconcileSettlement: at("paid_by_hand", { json: { reconciled: true } }),
  reportPayment: async (engine) => {
    const { reference } = await paying(engine);
    return reported({ id: crypto.randomUUID(), type: "confirmed", payment_reference: reference });
  },
};

export const BANK_ACCOUNT = { beneficiary_name: "Shop", iban: "DE02120300000000202051", bic: "BYLADEM1001" };

/** A payment file of the engine's own customer, with at least one payment; undefined when the caller may not create it. */
export const paymentFileOf = async (engine: Engine): Promise<string | undefined> => {
  await engine.call("PUT", "/api/v1/billing-profile", { json: { ...profile, bank_account: BANK_ACCOUNT } });
  await settlementAt(engine, "payment_initiated");
  return (await engine.call("POST", "/api/v1/payment-files", { json: {} })).body.id;
};

/** A customer of its own, since a payment file takes every payment of a customer that waits; with one such payment. */
const waiting = async (engine: Engine) => {
  const customerId = crypto.randomUUID();
  const token = await engine.keyOf({ customer_id: customerId, scopes: SCOPES });
  const own: Engine = { ...engine, customerId, token, call: caller(engine.handler, token) };
  await own.call("PUT", "/api/v1/billing-profile", { json: { ...profile, bank_account: BANK_ACCOUNT } });
  await settlementAt(own, "payment_initiated");
  return { call: own.call, ask: { headers: { authorization: `Bearer ${token}` } } satisfies Ask };
};

const filed =
  (more: Ask = {}) =>
  async (engine: Engine): Promise<Ask> => {
    const { call, ask } = await waiting(engine);
    return { ...ask, ...more, id: (await call("POST", "/api/v1/payment-files", { json: {} })).body.id };
  };

const CAMT =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id></Stmt></BkToCstmrStmt></Document>';

const files: Requests = {
  listPaymentFiles: plain,
  createPaymentFile: async (engine) => ({ ...(await waiting(engine)).ask, json: {} }),
  downloadPaymentFile: filed(),
  handOverPaymentFile: filed(),
  failSettlementPayment: async (engine) => {
    const { call, ask } = await waiting(engine);
    const { id } = (await call("POST", "/api/v1/payment-files", { json: {} })).body;
    await call("POST", `/api/v1/payment-files/${id}/hand-over`);
    const { body } = await call("GET", "/api/v1/settlements");
    return { ...ask, id: body.settlements?.[0]?.id, json: { reason: "the bank called" } };
  },
  discardPaymentFile: filed({ json: { reason: "refused" } }),
  readBankStatement: async () => ({ file: CAMT }),
};

const policyPath = async (engine: Engine): Promise<Ask> => ({
  id: engine.workspaceId,
  partnerId: await maker(engine.call, engine.workspaceId).partner(),
});

const runs: Requests = {
  readWorkspace: async ({ workspaceId }) => ({ id: workspaceId }),
  writeWorkspace: async () => ({
    id: crypto.randomUUID(),
    json: { name: "Nordics", time_zone: "Europe/Copenhagen" },
  }),
  readSettlementPolicy: async ({ workspaceId }) => ({ id: workspaceId }),
  writeSettlementPolicy: async () => ({
    // A workspace of its own: what other requests approve does not depend on it.
    id: crypto.randomUUID(),
    json: {
      ...{ hold_days: 14, minimum: { EUR: 5_000 }, negative: "carry_forward" },
      ...{ auto_approve: { EUR: 100_000 }, four_eyes_above: { EUR: 1_000_000 } },
      cadence: { type: "monthly", day: 1, time_zone: "Europe/Copenhagen" },
    },
  }),
  readPartnerSettlementPolicy: policyPath,
  writePartnerSettlementPolicy: async (engine) => ({
    ...(await policyPath(engine)),
    json: { hold_days: 3, minimum: null },
  }),
  removePartnerSettlementPolicy: policyPath,
  listRecredits: plain,
  startRecredit: async ({ workspaceId }) => ({ json: { ...RECREDIT, workspace_id: workspaceId } }),
  readRecredit: async ({ call, workspaceId }) => {
    const json = { ...RECREDIT, workspace_id: workspaceId };
    return { id: (await call("POST", "/api/v1/recredits", { json })).body.id };
  },
  listSettlementRuns: plain,
  startSettlementRun: async ({ workspaceId }) => ({ json: { workspace_id: workspaceId } }),
  readSettlementRun: async ({ call, workspaceId }) => ({
    id: (await call("POST", "/api/v1/settlement-runs", { json: { workspace_id: workspaceId } })).body.id,
  }),
};

/** By operation id; each creates the records that its request needs. */
export const requests: Requests = { ...records, ...plans, ...trials, ...settlements, ...files, ...runs };
