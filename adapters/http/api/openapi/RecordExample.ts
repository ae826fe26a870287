/** Records of the examples: one sale, from the partner to the settlement. */
import type { JsonObject } from "./Json.ts";

export const CUSTOMER = "0190a6e0-0000-7000-8000-00000000000c";
export const WORKSPACE = "0190a6e0-0000-7000-8000-00000000000e";
export const PARTNER = "0190a6e1-5b1e-7c33-9d0e-2f8a61b7d401";
export const SCHEMA = "0190a6e1-7f02-7a10-8c55-90be3d6f1a02";
export const FORMULA = "0190a6e1-9c4d-7be2-a0f7-51c2e8d4b703";
export const PLAN = "0190a6e1-8e90-7d11-b3a4-62f1d0c7e909";
export const ATTRIBUTION = "0190a6e2-03aa-7d94-b6c1-7e0f2a9c5d04";
export const COMMISSION = "0190a6e2-03ab-7f00-8e1a-c4d95b20e605";
export const SETTLEMENT = "0190a6e2-88f1-7412-9b3d-06a7f1c8e206";
export const KEY = "0190a6e0-4d2c-7e88-a1b9-3f5c7d90e107";
export const PAYMENT = "0190a6e3-1d70-7a4b-8f26-b9e0c3d5a708";
export const ENDPOINT = "0190a6e0-6b1f-7d3a-9c40-1e8f5a2b7c11";
export const RUN = "0190a6e2-7c11-7be0-a4d2-5e9f3b1a7c0b";
export const PAYMENT_FILE = "0190a6e2-88f1-7412-9b3d-06a7f1c8e20f";

const EARLIER = "2026-01-05T08:00:00.000Z";
export const SALE = "2026-01-10T09:00:00.000Z";
export const LATER = "2026-01-20T10:00:00.000Z";
export const MONTH_END = "2026-02-01T00:00:00.000Z";

export const paged = { total: 1, page: 1, per_page: 10 };
export const created = (id: string): JsonObject => ({ id });

export const expression: JsonObject = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

export const sale: JsonObject = {
  partner_id: PARTNER,
  schema_id: SCHEMA,
  workspace_id: WORKSPACE,
  properties: { order_value: 12000, plan: "pro" },
};

export const attribution: JsonObject = {
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

export const properties = [
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

export const partner: JsonObject = {
  name: "Nordlys ApS",
  workspace_id: WORKSPACE,
  billing_mode: "self_billing",
  self_billing_data: selfBillingData,
};

export const formula: JsonObject = {
  partner_id: PARTNER,
  workspace_id: WORKSPACE,
  schema_id: SCHEMA,
  name: "10 % of the order value",
  currency: "EUR",
  start_datetime: "2026-01-01T00:00:00.000Z",
  expression,
};

export const storedFormula: JsonObject = {
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

const { partner_id: _, ...formulaTerms } = formula;
export const planTerms: JsonObject = formulaTerms;

export const storedPlan: JsonObject = {
  id: PLAN,
  customer_id: CUSTOMER,
  ...formulaTerms,
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

export const trace = [
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

export const commission: JsonObject = {
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

export const sums: JsonObject = {
  count: 1,
  settled: { count: 0, amounts: [{ currency: "EUR", amount: 0 }] },
  unsettled: { count: 1, amounts: [{ currency: "EUR", amount: 1200 }] },
};

export const lines = [{ commission_id: COMMISSION, amount: 1200 }];

export const draft: JsonObject = {
  customer_id: CUSTOMER,
  workspace_id: WORKSPACE,
  partner_id: PARTNER,
  commission_ids: [COMMISSION],
};

export const settlement: JsonObject = {
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

export const statement: JsonObject = {
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

export const apiKey: JsonObject = {
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

export const feedEntry = {
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

export const webhookEndpoint: JsonObject = {
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

export const webhookDelivery: JsonObject = {
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

export const SECRET = `whsec_${"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`;

export const profile: JsonObject = {
  legal_name: "Example Shop GmbH",
  address: { street: "Hauptstraße 1", city: "Berlin", region: "", postal_code: "10115", country: "DE" },
  vat_number: "DE123456789",
  invoice_prefix: "NL",
  bank_account: { beneficiary_name: "Havn & Mark ApS", iban: "DE02120300000000202051", bic: "BYLADEM1001" },
};

export const paymentFile: JsonObject = {
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

export const policyTerms: JsonObject = {
  hold_days: 14,
  minimum: { EUR: 5000 },
  cadence: { type: "monthly", day: 1, time_zone: "Europe/Copenhagen" },
  auto_approve: { EUR: 100000 },
  four_eyes_above: { EUR: 1000000 },
  negative: "carry_forward",
};

export const extent: JsonObject = {
  workspace_id: WORKSPACE,
  partner_ids: null,
  currencies: null,
  until: LATER,
};

export const settlementRun: JsonObject = {
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

export const finding: JsonObject = {
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

export const runResult: JsonObject = {
  ...finding,
  drafts: [
    { settlement_id: SETTLEMENT, total: 1200, line_count: 1, approval: "manual", approval_problem: null },
  ],
};

export const counts = { total: 1, confirmed: 1, cancelled: 0 };
export const bucket = { timestamp: "2026-01-10T00:00:00.000Z" };
