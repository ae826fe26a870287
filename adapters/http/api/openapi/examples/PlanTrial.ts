/** Examples of trials of plans. */
import type { JsonObject } from "../Json.ts";
import {
  ATTRIBUTION,
  CUSTOMER,
  FORMULA,
  LATER,
  MONTH_END,
  PARTNER,
  PLAN,
  SALE,
  SCHEMA,
  TRIAL,
  WORKSPACE,
} from "./Ids.ts";

const sums = {
  sales_count: 1,
  not_computable_count: 0,
  amount_now: 1200,
  amount_then: 1440,
  difference: 240,
  waiting_now: 0,
  waiting_then: 0,
};

const RANGES: ReadonlyArray<readonly [from: number | null, to: number | null]> = [
  [null, -50],
  [-50, -25],
  [-25, -10],
  [-10, 0],
  [0, 0],
  [0, 10],
  [10, 25],
  [25, 50],
  [50, null],
];

/** A trial of 12 % in place of 10 %. */
export const planTrial: JsonObject = {
  id: TRIAL,
  customer_id: CUSTOMER,
  workspace_id: WORKSPACE,
  schema_id: SCHEMA,
  plan_id: PLAN,
  currency: "EUR",
  expression: {
    type: "multiply",
    operands: [
      { type: "property", name: "order_value" },
      { type: "literal", value: { type: "percent", value: 12 } },
    ],
  },
  formula_text: "order_value * 12 %",
  partner_ids: null,
  from: "2026-01-01T00:00:00.000Z",
  to: MONTH_END,
  parameters: {},
  added_count: 0,
  state: "done",
  partner_count: 1,
  partners_done: 1,
  ...sums,
  distribution: RANGES.map(([from, to]) => ({
    from_percent: from,
    to_percent: to,
    partner_count: from === 10 ? 1 : 0,
  })),
  created_at: LATER,
  finished_at: LATER,
};

/** The result of a partner with one sale. */
export const trialResult: JsonObject = {
  partner_id: PARTNER,
  ...sums,
  months: [{ month: "2026-01", ...sums }],
};

/** The sale that earns more. */
export const trialChange: JsonObject = {
  partner_id: PARTNER,
  attribution_id: ATTRIBUTION,
  added: null,
  occurred_at: SALE,
  occurred_on: SALE.slice(0, 10),
  amount_now: 1200,
  amount_then: 1440,
  difference: 240,
  explanation_now:
    "Sale of 2026-01-10 under “Affiliates”: 12.00 EUR.\n10 % of order_value = 10 % × 120.00 EUR = 12.00 EUR.",
  explanation_then:
    "Sale of 2026-01-10 under “Draft”: 14.40 EUR.\n12 % of order_value = 12 % × 120.00 EUR = 14.40 EUR.",
};

/** What a formula would change for a partner with one past sale and another formula. */
export const formulaDryRun: JsonObject = {
  formula_count: 1,
  commissions: [{ currency: "EUR", count: 1, amount: 1200, waiting: 0 }],
  not_computable_count: 0,
  overlap_count: 1,
  overlaps: [
    {
      partner_id: PARTNER,
      formula_id: FORMULA,
      plan_id: null,
      name: "10 % of the order value",
      currency: "EUR",
      start_datetime: LATER,
      end_datetime: null,
    },
  ],
  missing_values: [],
};
