/** Examples of settlements, the runs and policies that create them, and what follows a payment. */
import type { JsonObject } from "../Json.ts";
import { profile } from "./Account.ts";
import {
  COMMISSION,
  CUSTOMER,
  LATER,
  MONTH_END,
  PARTNER,
  PAYMENT_FILE,
  RUN,
  SALE,
  SETTLEMENT,
  WORKSPACE,
} from "./Ids.ts";

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
    tax_review: null,
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
    payment_file_status: null,
    payment_handed_over_at: null,
    payment_overdue: false,
    paid_at: null,
    bank_reference: null,
    fee: null,
    received: null,
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

export const paymentFile: JsonObject = {
  id: PAYMENT_FILE,
  customer_id: CUSTOMER,
  execution_date: "2026-03-02",
  debtor: profile.bank_account ?? null,
  format: "pain.001.001.09",
  currency: "EUR",
  count: 1,
  sum: 1200,
  created_at: SALE,
  handed_over_at: null,
  discarded_at: null,
  created_by: "jwt:ida",
};

export const scheduleTerms: JsonObject = {
  hold_days: 14,
  minimum: { EUR: 5000 },
  cadence: { type: "monthly", day: 1, time_zone: "Europe/Copenhagen" },
  require_acceptance: true,
};

export const policyTerms: JsonObject = {
  ...scheduleTerms,
  auto_approve: { EUR: 100000 },
  four_eyes_above: { EUR: 1000000 },
  negative: "carry_forward",
  invoice_tax_bps: 2500,
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
  person: "jwt:ida",
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
  not_accepted_count: 0,
  not_accepted_amount: 0,
  not_computable_count: 0,
  in_open_settlement_count: 0,
};

export const runResult: JsonObject = {
  ...finding,
  drafts: [
    { settlement_id: SETTLEMENT, total: 1200, line_count: 1, approval: "manual", approval_problem: null },
  ],
};

export const postingRules: JsonObject = {
  rules: [
    { account: "commission_expense", number: "6770", cost_centre: "sales", text: "Commission {partner}" },
    { account: "partner_payables", number: "3300" },
  ],
};

export const period: JsonObject = {
  month: "2026-01",
  from: null,
  to: MONTH_END,
  status: "closed",
  closed_at: "2026-02-03T09:12:00.000Z",
  closed_by: "ana@example.com",
  journal: {
    sha256: "6f1ed002ab5595859014ebf0951522d9a9bd1a3b4fd4cf1b5e3c4e0c2f0c2d10",
    entries: 1,
    totals: [
      { currency: "EUR", account: "commission_expense", debit: 1200, credit: 0 },
      { currency: "EUR", account: "accrued_commissions", debit: 0, credit: 1200 },
    ],
  },
};

export const payablesRow: JsonObject = {
  currency: "EUR",
  partner_id: PARTNER,
  partner_name: "Nordlys ApS",
  workspace_id: WORKSPACE,
  earned: 1200,
  awaiting_receipt: 0,
  accrued: 0,
  in_settlement: 0,
  tax: 300,
  payable: 1500,
  current: 1500,
  overdue_1_to_30: 0,
  overdue_31_to_60: 0,
  overdue_61_to_90: 0,
  overdue_over_90: 0,
  paid: 0,
  settled_elsewhere: 0,
  written_off: 0,
};

export const journalEntry: JsonObject = {
  datetime: SALE,
  kind: "earned",
  partner_id: PARTNER,
  partner_name: "Nordlys ApS",
  currency: "EUR",
  commission_id: COMMISSION,
  reference: "order-1027",
  text: "Sale of 10 January 2026",
  lines: [
    { account: "commission_expense", number: "6770", cost_centre: "sales", debit: 1200 },
    { account: "accrued_commissions", credit: 1200 },
  ],
};
