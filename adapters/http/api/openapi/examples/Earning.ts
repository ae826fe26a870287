/** Examples from the partner and the sale to the commission. */
import { Partner } from "quittance";
import { exampleOf } from "../../shared/Meaning.ts";
import type { JsonObject } from "../Json.ts";
import {
  ACCEPTANCE,
  ATTRIBUTION,
  COMMISSION,
  CUSTOMER,
  EARLIER,
  FORMULA,
  KEY,
  LATER,
  MONTH_END,
  PARTNER,
  PARTNER_LINK,
  PLAN,
  RECREDIT,
  REPLACING,
  SALE,
  SCHEMA,
  UPLINE,
  WORKSPACE,
} from "./Ids.ts";

export const expression: JsonObject = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

export const newPartnerLink: JsonObject = {
  partner_id: PARTNER,
  upline_partner_id: UPLINE,
  role: "manager",
  start_datetime: EARLIER,
};

export const partnerLink: JsonObject = {
  id: PARTNER_LINK,
  customer_id: CUSTOMER,
  workspace_id: WORKSPACE,
  ...newPartnerLink,
  end_datetime: null,
  created_at: EARLIER,
};

export const sale: JsonObject = {
  partner_id: PARTNER,
  schema_id: SCHEMA,
  workspace_id: WORKSPACE,
  properties: { order_value: 12000, plan: "pro" },
};

/** A sale of which another partner has a part. */
export const sharedSale: JsonObject = {
  ...sale,
  credits: [
    { partner_id: PARTNER, share: "0.6" },
    { partner_id: UPLINE, share: "0.4" },
  ],
};

export const receipt: JsonObject = { received: 500, of: 1000 };

export const receiptPreview: JsonObject = {
  commissions: [
    {
      commission_id: COMMISSION,
      partner_id: PARTNER,
      commission_formula_id: FORMULA,
      currency: "EUR",
      computed_amount: 1200,
      released_before: 0,
      released_after: 600,
      due_before: 0,
      due_after: 600,
    },
  ],
};

export const replacement: JsonObject = {
  properties: { order_value: 9000, plan: "pro" },
  reason: "A part of the order was refunded",
};

export const replacementDryRun: JsonObject = {
  commissions: [
    {
      partner_id: PARTNER,
      role: "seller",
      depth: 0,
      commission_formula_id: FORMULA,
      currency: "EUR",
      amount_before: 1200,
      amount_after: 900,
      due_before: 0,
      due_after: -300,
      computation_error: null,
    },
  ],
  changes_later_sales: false,
};

export const recredit: JsonObject = { reason: "The team of the seller was entered late" };

export const recreditDryRun: JsonObject = {
  credits: [{ partner_id: PARTNER, role: "manager", depth: 1, share_before: null, share_after: "1" }],
  commissions: [
    {
      partner_id: PARTNER,
      role: "manager",
      depth: 1,
      commission_formula_id: FORMULA,
      currency: "EUR",
      amount_before: null,
      amount_after: 600,
      due_before: 0,
      due_after: 600,
      computation_error: null,
    },
  ],
  changes_later_sales: false,
};

export const startRecredit: JsonObject = {
  workspace_id: WORKSPACE,
  from: "2026-01-01T00:00:00Z",
  to: "2026-02-01T00:00:00Z",
  reason: "The team of the seller was entered late",
};

export const recreditRun: JsonObject = {
  id: RECREDIT,
  customer_id: CUSTOMER,
  workspace_id: WORKSPACE,
  partner_ids: null,
  from: "2026-01-01T00:00:00.000Z",
  to: MONTH_END,
  reason: "The team of the seller was entered late",
  dry_run: false,
  state: "done",
  reached: MONTH_END,
  sales_done: 2,
  changed_count: 1,
  cancelled_count: 0,
  too_many_credits_count: 0,
  failed_count: 0,
  credits_added: 1,
  credits_cancelled: 0,
  totals: [{ currency: "EUR", amount_before: 0, amount_after: 600 }],
  person: "jwt:ida",
  created_at: MONTH_END,
  finished_at: MONTH_END,
};

export const recreditRunResult: JsonObject = {
  attribution_id: ATTRIBUTION,
  outcome: "changed",
  problem: null,
  ...recreditDryRun,
};

export const attribution: JsonObject = {
  id: ATTRIBUTION,
  partner_id: PARTNER,
  customer_id: CUSTOMER,
  schema_id: SCHEMA,
  metadata: { agent_id: null, workspace_id: WORKSPACE, occurred_at: SALE, occurred_on: SALE.slice(0, 10) },
  events: [
    {
      datetime: SALE,
      event: { type: "create_attribution", properties: { order_value: 12000, plan: "pro" } },
    },
  ],
  view: { status: "confirmed", properties: { order_value: 12000, plan: "pro" }, created_at: SALE },
};

const shared = { agent_id: null, workspace_id: WORKSPACE, occurred_at: SALE, occurred_on: SALE.slice(0, 10) };

/** The credits of a shared sale as lists show them: its origin, and the other one, which names it. */
export const credited: ReadonlyArray<JsonObject> = [
  { partner: PARTNER, id: ATTRIBUTION, share: "0.6" },
  { partner: UPLINE, id: REPLACING, share: "0.4" },
].map(({ partner: partner_id, id, share }) => {
  const credit = { role: "seller", share, depth: 0 };
  const facts = { credit, ...(id === ATTRIBUTION ? {} : { origin_id: ATTRIBUTION }) };
  return {
    ...attribution,
    ...{ id, partner_id, metadata: { ...shared, ...facts } },
    events: [
      {
        datetime: SALE,
        event: {
          type: "create_attribution",
          properties: { order_value: 12000, plan: "pro" },
          ...facts,
        },
      },
    ],
  };
});

export const properties = [
  { name: "order_value", type: "number", required: true, format: "money_minor" },
  { name: "plan", type: "string", required: false },
];

const { name, ...data } = exampleOf(Partner.Data);

export const partner: JsonObject = { name: name ?? null, workspace_id: WORKSPACE, ...data };

/** An entry in the log of a partner. */
export const partnerEntry: JsonObject = {
  datetime: LATER,
  event: {
    type: "update_partner",
    actor: { principal_id: KEY, person: "ada" },
    fields: ["status"],
    status: "suspended",
  },
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

/** The first entry in the log of a formula or a plan. */
const creationOf = (type: "create_commission_formula" | "create_commission_plan"): JsonObject => ({
  datetime: EARLIER,
  event: {
    type,
    formula: expression,
    name: "10 % of the order value",
    description: null,
    start_datetime: "2026-01-01T00:00:00.000Z",
    end_datetime: null,
    currency: "EUR",
  },
});

const firstVersion: JsonObject = {
  ...{ number: 1, status: "reached", effective_datetime: null },
  ...{ formula: expression, formula_text: "order_value * 10 %", apply_share: true },
};

export const storedFormula: JsonObject = {
  id: FORMULA,
  customer_id: CUSTOMER,
  ...formula,
  roles: ["seller"],
  description: null,
  end_datetime: null,
  created_at: EARLIER,
  events: [creationOf("create_commission_formula")],
  view: {
    status: "active",
    formula: expression,
    formula_text: "order_value * 10 %",
    versions: [firstVersion],
  },
};

const { partner_id: _, ...formulaTerms } = formula;
export const planTerms: JsonObject = formulaTerms;

export const storedPlan: JsonObject = {
  id: PLAN,
  customer_id: CUSTOMER,
  ...formulaTerms,
  roles: ["seller"],
  description: null,
  end_datetime: null,
  created_at: EARLIER,
  events: [creationOf("create_commission_plan")],
  view: {
    status: "active",
    formula: expression,
    formula_text: "order_value * 10 %",
    versions: [firstVersion],
    partner_count: 1,
    rolling_out: { pending: 0, done: 1 },
  },
};

export const termsHash = "3f0a5c1d9e7b24860f1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778";

export const acceptance: JsonObject = {
  ...{ id: ACCEPTANCE, customer_id: CUSTOMER, workspace_id: WORKSPACE, plan_id: PLAN, partner_id: PARTNER },
  ...{ hash: termsHash, formula_version: 1 },
  from_datetime: "2026-01-01T00:00:00.000Z",
  end_datetime: null,
  ...{ name: "Ida Nord", language: "en", on_behalf: false, reference: null },
  accepted_by: KEY,
  accepted_by_person: KEY,
  created_at: EARLIER,
};

const termsSpan = {
  from_datetime: "2026-01-01T00:00:00.000Z",
  until_datetime: null,
  formula_version: 1,
  hash: termsHash,
};

export const terms: JsonObject = {
  ...{ plan_id: PLAN, partner_id: PARTNER, schema_id: SCHEMA, formula_id: FORMULA },
  ...{ name: "10 % of order value", currency: "EUR" },
  start_datetime: "2026-01-01T00:00:00.000Z",
  end_datetime: null,
  ...termsSpan,
  expression,
  expression_text: "order_value * 10 %",
  roles: ["seller"],
  apply_share: true,
  language: "en",
  title: "Commission terms",
  paragraphs: [
    { text: "For each sale, 10 % of the order value.", items: [] },
    { text: "The result is in units of 0.01 EUR.", items: [] },
    {
      text: "The result is rounded to 0.01 EUR; exactly half of that is rounded up, or down where the result is negative.",
      items: [],
    },
  ],
  acceptance,
  spans: [{ ...termsSpan, accepted_at: EARLIER }],
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

export const counts = { total: 1, confirmed: 1, cancelled: 0 };
export const bucket = { timestamp: "2026-01-10T00:00:00.000Z" };
