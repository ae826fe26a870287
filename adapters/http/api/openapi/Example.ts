/** Examples of the OpenAPI document: one sale, from the partner to the settlement. A test validates them. */
import { Record } from "effect";
import { FAILURES, type FailureName } from "../shared/Failure.ts";
import { apiKey, feedEntry, profile, SECRET, webhookDelivery, webhookEndpoint } from "./examples/Account.ts";
import {
  attribution,
  bucket,
  commission,
  counts,
  expression,
  formula,
  partner,
  planTerms,
  properties,
  sale,
  storedFormula,
  storedPlan,
  sums,
  trace,
} from "./examples/Earning.ts";
import {
  ATTRIBUTION,
  COMMISSION,
  CUSTOMER,
  created,
  ENDPOINT,
  FORMULA,
  KEY,
  LATER,
  MONTH_END,
  PARTNER,
  PAYMENT,
  PAYMENT_FILE,
  PLAN,
  paged,
  RUN,
  SALE,
  SCHEMA,
  SETTLEMENT,
  WORKSPACE,
} from "./examples/Ids.ts";
import {
  draft,
  extent,
  finding,
  lines,
  paymentFile,
  policyTerms,
  runResult,
  settlement,
  settlementRun,
  statement,
} from "./examples/Settlement.ts";
import type { JsonObject } from "./Json.ts";

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
        {
          error_code: "BAD_REQUEST",
          message: "properties.order_value: is required",
          field: "properties.order_value",
        },
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
  failSettlementPayment: { request: { reason: "The bank called: the account is closed" } },
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
      person: "jwt:ida",
      kind: "customer",
      customer_id: CUSTOMER,
      workspace_ids: "*",
      partner_ids: "*",
      agent_id: null,
      scopes: ["attributions:read", "settlements:read"],
    },
  },
  listEvents: { response: { events: [feedEntry], next_cursor: feedEntry.cursor } },
  erasePartner: {
    request: { dry_run: true },
    response: {
      dry_run: true,
      records: [
        {
          ...{ record_type: "settlement", record_id: SETTLEMENT, contents: ["partner_data", "documents"] },
          kept: { reason: "retention", until: "2036-12-31" },
        },
        { record_type: "partner", record_id: PARTNER, contents: ["partner_data"], kept: null },
      ],
      next_page: null,
    },
  },
  eraseEvents: {
    request: { customer_id: CUSTOMER, cursors: [feedEntry.cursor] },
    response: { erased: 1 },
  },
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
      invoice_tax_bps: null,
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
      failed: 0,
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

/** The example of a failure with a message; its first word is the field or token that the failure states too. */
export const failureExample = (name: keyof typeof failureMessages, message: string): JsonObject => {
  const [, first] = /^([\w.]+): /.exec(message) ?? [];
  const stated = first === undefined ? {} : name === "Conflict" ? { token: first } : { field: first };
  return { error_code: FAILURES[name].code, message, ...stated };
};

/** One refusal or failure of each kind, by the name of its schema. */
export const failureExamples: Readonly<Record<string, JsonObject>> = Record.map(
  failureMessages,
  (message, name) => failureExample(name, message),
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
  updateCommissionFormula: "effective_datetime: is allowed only together with an expression",
  cancelCommissionFormula: REASON,
  listCommissionPlans: PAGE,
  createCommissionPlan: "end_datetime: must be after start_datetime",
  updateCommissionPlan: "effective_datetime: is allowed only together with an expression",
  cancelCommissionPlan: REASON,
  assignCommissionPlan: "partner_ids: must have 1 to 1000 partners",
  unassignCommissionPlan: "partner_id: must be a UUID",
  listCommissions: "settlement_status: must be one of unsettled, pending_settlement, settled",
  commissionStatistics: `to: ${MOMENT}`,
  listSettlements: PAGE,
  createSettlement: COMMISSIONS,
  previewSettlement: COMMISSIONS,
  reviewSettlement:
    "decision: must be one of issue_credit_note, carry_forward, write_off, accept_tax, refuse_tax",
  disputeSettlement: REASON,
  resolveSettlementDispute: "resolution: must be one of upheld, rejected",
  failSettlementPayment: REASON,
  returnSettlementPayment: REASON,
  reconcileSettlement: "reconciled: must be true or false",
  listApiKeys: PAGE,
  createApiKey: "kind: must be one of customer, partner, agent",
  readPrincipal: "page: is not a known parameter",
  listEvents: "after: must be a cursor of this customer's feed, from next_cursor or an entry",
  erasePartner: "page: must be 1 to 2147483647",
  eraseEvents: "cursors: must have 1 to 100 cursors",
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

/** The message of a response of 403, by operation; of the others it names the scope that the credential lacks. */
export const forbiddenMessages: Readonly<Record<string, string>> = {
  erasePartner: "A customer credential may not erase partner",
  eraseEvents: "A customer credential may not erase events",
};
