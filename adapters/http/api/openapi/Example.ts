/** Examples of the OpenAPI document: one sale, from the partner to the settlement. A test validates them. */
import { Record } from "effect";
import { FAILURES, type FailureName } from "../shared/Failure.ts";
import type { JsonObject } from "./Json.ts";

const CUSTOMER = "0190a6e0-0000-7000-8000-00000000000c";
const WORKSPACE = "0190a6e0-0000-7000-8000-00000000000e";
const PARTNER = "0190a6e1-5b1e-7c33-9d0e-2f8a61b7d401";
const SCHEMA = "0190a6e1-7f02-7a10-8c55-90be3d6f1a02";
const FORMULA = "0190a6e1-9c4d-7be2-a0f7-51c2e8d4b703";
const PLAN = "0190a6e1-8e90-7d11-b3a4-62f1d0c7e909";
const ATTRIBUTION = "0190a6e2-03aa-7d94-b6c1-7e0f2a9c5d04";
const COMMISSION = "0190a6e2-03ab-7f00-8e1a-c4d95b20e605";
const SETTLEMENT = "0190a6e2-88f1-7412-9b3d-06a7f1c8e206";
const KEY = "0190a6e0-4d2c-7e88-a1b9-3f5c7d90e107";
const PAYMENT = "0190a6e3-1d70-7a4b-8f26-b9e0c3d5a708";
const ENDPOINT = "0190a6e0-6b1f-7d3a-9c40-1e8f5a2b7c11";
const RUN = "0190a6e2-7c11-7be0-a4d2-5e9f3b1a7c0b";
const PAYMENT_FILE = "0190a6e2-88f1-7412-9b3d-06a7f1c8e20f";

const EARLIER = "2026-01-05T08:00:00.000Z";
const SALE = "2026-01-10T09:00:00.000Z";
const LATER = "2026-01-20T10:00:00.000Z";
const MONTH_END = "2026-02-01T00:00:00.000Z";

const paged = { total: 1, page: 1, per_page: 10 };
const created = (id: string): JsonObject => ({ id });

const expression: JsonObject = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

const sale: JsonObject = {
  partner_id: PARTNER,
  schema_id: SCHEMA,
  workspace_id: WORKSPACE,
  properties: { order_value: 12000, plan: "pro" },
};

const attribution: JsonObject = {
  id: ATTRIBUTION,
  partner_id: PARTNER,
  customer_id: CUSTOMER,
  schema_id: SCHEMA,
  metadata: { agent_id: null, workspace_id: WORKSPACE, occurred_at: SALE },
  events: [
    {
      datetime: SALE,
      event: { type: "create_attribution", properties: { order_value: 12000, plan: "pro" } },
    },
  ],
  view: { status: "confirmed", properties: { order_value: 12000, plan: "pro" }, created_at: SALE },
};

const properties = [
  { name: "order_value", type: "number", required: true },
  { name: "plan", type: "string", required: false },
];

const selfBillingData: JsonObject = {
  legal_name: "Nordlys ApS",
  address: {
    street: "Havnegade 1",
    city: "København",
    region: "Hovedstaden",
    postal_code: "1058",
    country: "DK",
  },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "standard", label: "VAT", rate_bps: 2500 },
};

const partner: JsonObject = {
  name: "Nordlys ApS",
  workspace_id: WORKSPACE,
  billing_mode: "self_billing",
  self_billing_data: selfBillingData,
};

const formula: JsonObject = {
  partner_id: PARTNER,
  workspace_id: WORKSPACE,
  schema_id: SCHEMA,
  name: "10 % of the order value",
  currency: "EUR",
  start_datetime: "2026-01-01T00:00:00.000Z",
  expression,
};

const storedFormula: JsonObject = {
  id: FORMULA,
  customer_id: CUSTOMER,
  ...formula,
  description: null,
  end_datetime: null,
  created_at: EARLIER,
  events: [
    {
      datetime: EARLIER,
      event: {
        type: "create_commission_formula",
        formula: expression,
        name: "10 % of the order value",
        description: null,
        start_datetime: "2026-01-01T00:00:00.000Z",
        end_datetime: null,
        currency: "EUR",
      },
    },
  ],
  view: { status: "active", formula: expression },
};

const { partner_id: _, ...planTerms } = formula;

const storedPlan: JsonObject = {
  id: PLAN,
  customer_id: CUSTOMER,
  ...planTerms,
  description: null,
  end_datetime: null,
  created_at: EARLIER,
  events: [
    {
      datetime: EARLIER,
      event: {
        type: "create_commission_plan",
        formula: expression,
        name: "10 % of the order value",
        description: null,
        start_datetime: "2026-01-01T00:00:00.000Z",
        end_datetime: null,
        currency: "EUR",
      },
    },
  ],
  view: {
    status: "active",
    formula: expression,
    partner_count: 1,
    rolling_out: { pending: 0, done: 1 },
  },
};

const rounding = { before: "1200", mode: "half_up", increment: "1", after: "1200" };

const trace = [
  { path: "$", type: "final", value: "1200", detail: rounding },
  { path: "$", type: "multiply", value: "1200", detail: {} },
  {
    path: "$.operands[0]",
    type: "property",
    value: "12000",
    detail: { name: "order_value", raw: 12000, default_used: false },
  },
  { path: "$.operands[1]", type: "literal", value: "0.1", detail: { unit: "percent", written: "10" } },
];

const commission: JsonObject = {
  id: COMMISSION,
  partner_id: PARTNER,
  attribution_id: ATTRIBUTION,
  customer_id: CUSTOMER,
  commission_formula_id: FORMULA,
  workspace_id: WORKSPACE,
  currency: "EUR",
  events: [{ datetime: SALE, event: { type: "create_commission", amount: 1200, formula_version: 1 } }],
  view: {
    created_at: SALE,
    computed_amount: 1200,
    settlement_status: "unsettled",
    settled_amount: 0,
    pending_amount: 0,
    due_amount: 1200,
    formula_version: 1,
    computation_error: null,
  },
};

const sums: JsonObject = {
  count: 1,
  settled: { count: 0, amounts: [{ currency: "EUR", amount: 0 }] },
  unsettled: { count: 1, amounts: [{ currency: "EUR", amount: 1200 }] },
};

const lines = [{ commission_id: COMMISSION, amount: 1200 }];

const draft: JsonObject = {
  customer_id: CUSTOMER,
  workspace_id: WORKSPACE,
  partner_id: PARTNER,
  commission_ids: [COMMISSION],
};

const settlement: JsonObject = {
  id: SETTLEMENT,
  customer_id: CUSTOMER,
  workspace_id: WORKSPACE,
  partner_id: PARTNER,
  currency: "EUR",
  events: [{ datetime: LATER, event: { type: "create_settlement", total: 1200, line_count: 1 } }],
  view: {
    status: { type: "draft" },
    total: 1200,
    lines,
    billing_mode: null,
    tax_amount: null,
    payable_amount: null,
    stale: false,
    dispute_reason: null,
    disputed_at: null,
    reconciliation_status: "unreconciled",
    report_reference: null,
    report_number: null,
    invoice_reference: null,
    invoice_number: null,
    invoice_date: null,
    due_date: null,
    credit_note_reference: null,
    credit_note_number: null,
    credit_note_date: null,
    document_problem: null,
    e_invoice_problems: [],
    payment_reference: null,
    paid_at: null,
    bank_reference: null,
    created_at: LATER,
  },
};

const statement: JsonObject = {
  partner_id: PARTNER,
  currency: "EUR",
  from: "2026-01-01T00:00:00.000Z",
  to: MONTH_END,
  final: true,
  opening_balance: 0,
  movements: [
    {
      datetime: SALE,
      type: "earned",
      amount: 1200,
      balance: 1200,
      commission_id: COMMISSION,
      reference: "order-1027",
      text: "Sale of 10 January 2026",
    },
    {
      datetime: "2026-01-25T10:00:00.000Z",
      type: "paid",
      amount: -1200,
      balance: 0,
      settlement_id: SETTLEMENT,
      reference: "INV-0001",
      text: "Paid 15.00 EUR including 3.00 EUR tax: invoice INV-0001",
    },
  ],
  closing_balance: 0,
  next_cursor: null,
};

const apiKey: JsonObject = {
  id: KEY,
  customer_id: CUSTOMER,
  name: "shop",
  kind: "customer",
  workspace_ids: [WORKSPACE],
  partner_ids: "*",
  agent_id: null,
  scopes: ["attributions:write"],
  created_at: EARLIER,
  expires_at: null,
  revoked_at: null,
  last_used_at: SALE,
};

const feedEntry = {
  id: "3f0c9a52-7d41-8e6b-9a77-5b1f0c2d3e4f",
  cursor: "1-9f2c4e6a8b0d1f35",
  datetime: SALE,
  customer_id: CUSTOMER,
  record_type: "attribution",
  record_id: ATTRIBUTION,
  sequence: 1,
  event: { type: "create_attribution", properties: { order_value: 12000 } },
  hash: "6b1f".repeat(16),
  previous_hash: "0".repeat(64),
};

const webhookEndpoint: JsonObject = {
  id: ENDPOINT,
  customer_id: CUSTOMER,
  url: "https://shop.example.com/quittance-events",
  types: ["create_settlement", "confirm_payment"],
  description: "Settlements for the shop",
  enabled: true,
  disabled_reason: null,
  last_delivered_at: SALE,
  failing_since: null,
  created_at: EARLIER,
};

const webhookDelivery: JsonObject = {
  id: "5e1d7c3b-0a92-8f46-b8d1-2c3e4f5a6b7d",
  endpoint_id: ENDPOINT,
  event_id: "8c2f0b9d-4e17-8a35-9f60-7d1e2c3b4a5f",
  type: "create_settlement",
  record_type: "settlement",
  record_id: SETTLEMENT,
  sequence: 1,
  datetime: SALE,
  status: "pending",
  attempts: 1,
  last_attempt_at: SALE,
  last_status: 500,
  last_error: "the receiver returned 500",
  next_attempt_at: LATER,
  ended_at: null,
  created_at: SALE,
};

const SECRET = `whsec_${"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`;

const profile: JsonObject = {
  legal_name: "Example Shop GmbH",
  address: { street: "Hauptstraße 1", city: "Berlin", region: "", postal_code: "10115", country: "DE" },
  vat_number: "DE123456789",
  invoice_prefix: "NL",
  bank_account: { beneficiary_name: "Havn & Mark ApS", iban: "DE02120300000000202051", bic: "BYLADEM1001" },
};

const paymentFile: JsonObject = {
  id: PAYMENT_FILE,
  customer_id: CUSTOMER,
  execution_date: "2026-03-02",
  debtor: profile.bank_account ?? null,
  count: 1,
  sum: 1200,
  created_at: SALE,
  handed_over_at: null,
  discarded_at: null,
};

const policyTerms: JsonObject = {
  hold_days: 14,
  minimum: { EUR: 5000 },
  cadence: { type: "monthly", day: 1, time_zone: "Europe/Copenhagen" },
  auto_approve: { EUR: 100000 },
  four_eyes_above: { EUR: 1000000 },
  negative: "carry_forward",
};

const extent: JsonObject = { workspace_id: WORKSPACE, partner_ids: null, currencies: null, until: LATER };

const settlementRun: JsonObject = {
  id: RUN,
  customer_id: CUSTOMER,
  ...extent,
  period: null,
  state: "done",
  partner_count: 1,
  partners_done: 1,
  draft_count: 1,
  line_count: 1,
  approved_count: 0,
  totals: [{ currency: "EUR", amount: 1200 }],
  created_at: LATER,
  finished_at: LATER,
};

const finding: JsonObject = {
  partner_id: PARTNER,
  currency: "EUR",
  reason: null,
  total: 1200,
  line_count: 1,
  on_hold_count: 0,
  on_hold_amount: 0,
  not_computable_count: 0,
  in_open_settlement_count: 0,
};

const runResult: JsonObject = {
  ...finding,
  drafts: [
    { settlement_id: SETTLEMENT, total: 1200, line_count: 1, approval: "manual", approval_problem: null },
  ],
};

const counts = { total: 1, confirmed: 1, cancelled: 0 };
const bucket = { timestamp: "2026-01-10T00:00:00.000Z" };

/** Request and response of each operation. */
export const operationExamples: Readonly<
  Record<
    string,
    {
      readonly request?: JsonObject;
      readonly response?: JsonObject | string;
      /** The response to a request that stores nothing, where the operation has such requests. */
      readonly dryRun?: JsonObject;
    }
  >
> = {
  listAttributions: { response: { attributions: [attribution], ...paged } },
  createAttribution: { request: sale, response: created(ATTRIBUTION) },
  createAttributions: {
    request: { mode: "independent", attributions: [sale, { ...sale, properties: {} }] },
    response: {
      results: [
        { id: ATTRIBUTION },
        { error_code: "BAD_REQUEST", message: "properties.order_value: is required" },
      ],
    },
  },
  attributionStatistics: { response: { summary: counts, buckets: [{ ...bucket, ...counts }] } },
  cancelAttribution: { request: { reason: "The order was refunded" } },
  listAttributionSchemas: {
    response: {
      attribution_schemas: [
        {
          ...{ id: SCHEMA, name: "Sale", customer_id: CUSTOMER, workspace_id: WORKSPACE },
          ...{ properties, display_properties: ["plan"] },
        },
      ],
      ...paged,
    },
  },
  createAttributionSchema: {
    request: { workspace_id: WORKSPACE, name: "Sale", properties, display_properties: ["plan"] },
    response: created(SCHEMA),
  },
  listPartners: {
    response: {
      partners: [{ id: PARTNER, customer_id: CUSTOMER, ...partner, payout_problem: null }],
      ...paged,
    },
  },
  createPartner: { request: partner, response: created(PARTNER) },
  updatePartner: { request: { name: "Nordlys A/S" } },
  readPartnerBalance: {
    response: {
      at: MONTH_END,
      final: true,
      balances: [{ currency: "EUR", earned: 1200, settled: 1200, pending: 0, due: 0 }],
    },
  },
  readPartnerStatement: { response: statement },
  listCommissionFormulas: { response: { commission_formulas: [storedFormula], ...paged } },
  createCommissionFormula: { request: formula, response: created(FORMULA) },
  simulateCommissionFormula: {
    request: {
      schema_id: SCHEMA,
      currency: "EUR",
      expression,
      samples: [{ properties: { order_value: 12000 } }],
    },
    response: { results: [{ amount: 1200, trace }] },
  },
  updateCommissionFormula: { request: { end_datetime: "2027-01-01T00:00:00Z" } },
  cancelCommissionFormula: { request: { reason: "Agreed for another partner" } },
  listCommissionPlans: { response: { commission_plans: [storedPlan], ...paged } },
  createCommissionPlan: { request: planTerms, response: created(PLAN) },
  updateCommissionPlan: { request: { name: "10 % for affiliates" } },
  cancelCommissionPlan: { request: { reason: "Agreed for another schema" } },
  assignCommissionPlan: { request: { partner_ids: [PARTNER], start_datetime: "2026-02-01T00:00:00Z" } },
  unassignCommissionPlan: { request: { end_datetime: "2026-07-01T00:00:00Z" } },
  listCommissions: { response: { commissions: [commission], ...paged } },
  commissionStatistics: { response: { summary: sums, buckets: [{ ...bucket, ...sums }] } },
  explainCommission: {
    response: { commission_id: COMMISSION, amount: 1200, basis: "evaluated", formula_version: 1, trace },
  },
  listSettlements: { response: { settlements: [settlement], ...paged } },
  createSettlement: { request: draft, response: created(SETTLEMENT) },
  previewSettlement: { request: draft, response: { currency: "EUR", total: 1200, lines } },
  reviewSettlement: { request: { decision: "carry_forward", note: "Set off against February" } },
  exportSettlement: {
    response: `commission_id,amount,currency,attribution_id,attribution_date\r\n${COMMISSION},1200,EUR,${ATTRIBUTION},${SALE}\r\n`,
  },
  markSettlementAsPaid: {
    request: {
      paid_at: "2026-02-27T00:00:00Z",
      bank_reference: "2026-0227-118",
      note: "Paid with the salaries",
    },
  },
  disputeSettlement: { request: { reason: "The January orders are missing" } },
  resolveSettlementDispute: { request: { resolution: "rejected", note: "They are in the next settlement" } },
  returnSettlementPayment: { request: { reason: "Account closed" } },
  reconcileSettlement: { request: { reconciled: true } },
  listApiKeys: { response: { api_keys: [apiKey], ...paged } },
  createApiKey: {
    request: { name: "shop", workspace_ids: [WORKSPACE], scopes: ["attributions:write"] },
    response: { id: KEY, key: `qk_${"0123456789abcdef"}_${"x".repeat(43)}` },
  },
  readPrincipal: {
    response: {
      principal_id: KEY,
      kind: "customer",
      customer_id: CUSTOMER,
      workspace_ids: "*",
      partner_ids: "*",
      agent_id: null,
      scopes: ["attributions:read", "settlements:read"],
    },
  },
  listEvents: { response: { events: [feedEntry], next_cursor: feedEntry.cursor } },
  listWebhookEndpoints: { response: { webhook_endpoints: [webhookEndpoint], ...paged } },
  createWebhookEndpoint: {
    request: {
      url: "https://shop.example.com/quittance-events",
      types: ["create_settlement", "confirm_payment"],
      description: "Settlements for the shop",
    },
    response: { id: ENDPOINT, secret: SECRET },
  },
  readWebhookEndpoint: { response: webhookEndpoint },
  updateWebhookEndpoint: { request: { enabled: true, types: null } },
  rotateWebhookSecret: { response: { secret: SECRET, previous_secret_until: LATER } },
  listWebhookDeliveries: { response: { webhook_deliveries: [webhookDelivery], ...paged } },
  readBillingProfile: { response: profile },
  writeBillingProfile: { request: profile },
  readSettlementPolicy: {
    response: {
      workspace_id: WORKSPACE,
      ...policyTerms,
      next_run: { label: "2026-02", at: "2026-01-31T23:00:00.000Z" },
      updated_at: SALE,
    },
  },
  writeSettlementPolicy: { request: policyTerms },
  readPartnerSettlementPolicy: {
    response: {
      workspace_id: WORKSPACE,
      partner_id: PARTNER,
      hold_days: 0,
      minimum: null,
      cadence: null,
      auto_approve: null,
      four_eyes_above: null,
      negative: null,
      in_force: { ...policyTerms, hold_days: 0 },
      next_run: null,
      updated_at: SALE,
    },
  },
  writePartnerSettlementPolicy: { request: { hold_days: 0 } },
  listSettlementRuns: { response: { settlement_runs: [settlementRun], ...paged } },
  startSettlementRun: {
    request: { workspace_id: WORKSPACE, until: "2026-02-01T00:00:00Z" },
    response: created(RUN),
    dryRun: {
      ...extent,
      partner_count: 1,
      draft_count: 1,
      line_count: 1,
      totals: [{ currency: "EUR", amount: 1200 }],
      results: [{ ...finding, draft_count: 1, auto_approve: false }],
    },
  },
  readSettlementRun: { response: { run: settlementRun, results: [runResult], ...paged } },
  listPaymentFiles: { response: { payment_files: [paymentFile], ...paged } },
  createPaymentFile: { request: { execution_date: "2026-03-02" }, response: created(PAYMENT_FILE) },
  discardPaymentFile: { request: { reason: "The bank refused the file" } },
  readBankStatement: {
    response: {
      confirmed: 1,
      returned: 0,
      reconciled: 1,
      unmatched: [
        {
          reason: "unknown_reference",
          direction: "credit",
          end_to_end_id: null,
          amount: 4900,
          currency: "EUR",
          booking_date: "2026-03-02",
          bank_reference: "AB1027",
        },
      ],
    },
  },
  reportPayment: {
    request: { id: "evt_1027", type: "confirmed", payment_reference: PAYMENT, bank_reference: "AB1027" },
  },
};

const failureMessages: Readonly<Record<Exclude<FailureName, "MethodNotAllowed">, string>> = {
  BadRequest: "name: must not be empty",
  Unauthorized: "Authentication credentials were not provided or are invalid.",
  Forbidden: "The credential lacks the scope settlements:approve",
  NotFound: "settlement not found",
  RequestTimeout: "The request took too long to arrive",
  Conflict: "settlement_not_draft: the settlement is paid",
  ContentTooLarge: "The body exceeds 1048576 bytes",
  UriTooLong: "The path and query exceed 16384 characters",
  UnsupportedMediaType: "The body must be application/json",
  TooManyRequests: "The credential has made too many requests",
  HeadersTooLarge: "The path, query and headers exceed 16384 characters",
  InternalError: "An unexpected error occurred.",
  Unavailable: "The service is temporarily unavailable.",
};

/** One refusal or failure of each kind, by the name of its schema. */
export const failureExamples: Readonly<Record<string, JsonObject>> = Record.map(
  failureMessages,
  (message, name) => ({ error_code: FAILURES[name].code, message }),
);

const PAGE = "per_page: must be 1 to 100";
const MOMENT = "must be an RFC 3339 date-time with an offset or Z";
const REASON = "reason: must not be empty";
const COMMISSIONS = "commission_ids: must have 1 to 10000 ids";

/** The message of a response of 400, by operation; of the others it is `id: must be a UUID`. */
export const badRequestMessages: Readonly<Record<string, string>> = {
  listAttributions: PAGE,
  createAttribution: "properties.order_value: must be a string or a number or true or false",
  createAttributions: "attributions: must have 1 to 1000 attributions",
  attributionStatistics: `to: ${MOMENT}`,
  cancelAttribution: REASON,
  listAttributionSchemas: PAGE,
  createAttributionSchema: "properties.0.default: must be a number",
  listPartners: PAGE,
  createPartner: "self_billing_data: is required when billing_mode is self_billing",
  updatePartner: "self_billing_data: must be absent when billing_mode is partner_billing",
  readPartnerBalance: "at: must not be in the future",
  readPartnerStatement: "to: must be after from",
  listCommissionFormulas: `active_at: ${MOMENT}`,
  createCommissionFormula: "currency: must be an ISO 4217 currency code, such as EUR",
  simulateCommissionFormula: "samples: must have 1 to 100 samples",
  updateCommissionFormula: "effective_datetime: needs an expression beside it",
  cancelCommissionFormula: REASON,
  listCommissionPlans: PAGE,
  createCommissionPlan: "end_datetime: must be after start_datetime",
  updateCommissionPlan: "effective_datetime: needs an expression beside it",
  cancelCommissionPlan: REASON,
  assignCommissionPlan: "partner_ids: must have 1 to 1000 partners",
  unassignCommissionPlan: "partner_id: must be a UUID",
  listCommissions: "settlement_status: must be one of unsettled, pending_settlement, settled",
  commissionStatistics: `to: ${MOMENT}`,
  listSettlements: PAGE,
  createSettlement: COMMISSIONS,
  previewSettlement: COMMISSIONS,
  reviewSettlement: "decision: must be one of issue_credit_note, carry_forward, write_off",
  disputeSettlement: REASON,
  resolveSettlementDispute: "resolution: must be one of upheld, rejected",
  returnSettlementPayment: REASON,
  reconcileSettlement: "reconciled: must be true or false",
  listApiKeys: PAGE,
  createApiKey: "kind: must be one of customer, partner, agent",
  readPrincipal: "page: is not a known parameter",
  listEvents: "after: must be a cursor of this customer's feed, from next_cursor or an entry",
  listWebhookEndpoints: PAGE,
  createWebhookEndpoint: "url: must lead to public addresses only",
  updateWebhookEndpoint: "types.0: must be the type of an event, such as create_settlement",
  listWebhookDeliveries: "statuses.0: must be one of pending, held, delivered, failed",
  readBillingProfile: "page: is not a known parameter",
  readSettlementPolicy: "workspace_id: must be a UUID",
  writeSettlementPolicy: "minimum.EURO: must be an ISO 4217 currency code, such as EUR",
  readPartnerSettlementPolicy: "partner_id: must be a UUID",
  writePartnerSettlementPolicy: "cadence.time_zone: must be an IANA time zone, such as Europe/Copenhagen",
  removePartnerSettlementPolicy: "partner_id: must be a UUID",
  listSettlementRuns: PAGE,
  startSettlementRun: "partner_ids: must have 1 to 1000 ids",
  listPaymentFiles: PAGE,
  createPaymentFile: "execution_date: must be a date as YYYY-MM-DD",
  discardPaymentFile: REASON,
  readBankStatement: "file: is not XML",
  writeBillingProfile: "address: is required",
  reportPayment: "payment_reference: must be a UUID",
};
