/** A request of every operation that can never succeed as written, sent by a credential that may do everything. */
import { type Ask, reported } from "./Requests.ts";
import { SELF_BILLING } from "./Scene.ts";

const ID = "0190a6e2-88f1-7412-9b3d-06a7f1c8e206";
const scope = { partner_id: ID, schema_id: ID, workspace_id: ID };
const list: Ask = { query: "per_page=500" };
const span: Ask = { query: "from=2026-01-01T00:00:00Z&to=2026-02-01&granularity=day" };
const badId: Ask = { id: "42" };
const reasonless: Ask = { id: ID, json: { reason: " " } };
const empty: Ask = { json: { customer_id: ID, workspace_id: ID, partner_id: ID, commission_ids: [] } };

/** By the operation's name in the document. */
export const refused: Readonly<Record<string, Ask>> = {
  listEvents: { query: "after=1" },
  listAttributions: list,
  createAttribution: { json: { ...scope, properties: { order_value: null } } },
  createAttributions: { json: { attributions: [] } },
  attributionStatistics: span,
  cancelAttribution: reasonless,
  listAttributionSchemas: list,
  createAttributionSchema: {
    json: {
      workspace_id: ID,
      name: "Sale",
      properties: [{ name: "plan", type: "number", required: false, default: "basic" }],
    },
  },
  listPartners: list,
  createPartner: { json: { name: "Nordlys ApS", workspace_id: ID, billing_mode: "self_billing" } },
  updatePartner: { id: ID, json: { billing_mode: "partner_billing", self_billing_data: SELF_BILLING } },
  readPartnerBalance: { id: ID, query: "at=2999-01-01T00:00:00Z" },
  readPartnerStatement: { id: ID, query: "from=2026-01-31T00:00:00Z&to=2026-01-01T00:00:00Z" },
  listCommissionFormulas: { query: "active_at=2026-01-01" },
  createCommissionFormula: {
    json: {
      ...scope,
      name: "10 %",
      currency: "eur",
      start_datetime: "2026-01-01T00:00:00Z",
      expression: { type: "literal", value: { type: "number", value: 1 } },
    },
  },
  simulateCommissionFormula: { json: { schema_id: ID, currency: "EUR", expression: {}, samples: [] } },
  updateCommissionFormula: { id: ID, json: { effective_datetime: "2026-01-01T00:00:00Z" } },
  cancelCommissionFormula: reasonless,
  listCommissionPlans: list,
  createCommissionPlan: {
    json: {
      schema_id: ID,
      workspace_id: ID,
      name: "10 %",
      currency: "EUR",
      start_datetime: "2026-01-01T00:00:00Z",
      end_datetime: "2026-01-01T00:00:00Z",
      expression: { type: "literal", value: { type: "number", value: 1 } },
    },
  },
  updateCommissionPlan: { id: ID, json: { effective_datetime: "2026-01-01T00:00:00Z" } },
  cancelCommissionPlan: reasonless,
  assignCommissionPlan: { id: ID, json: { partner_ids: [] } },
  unassignCommissionPlan: { id: ID, partnerId: "42" },
  listCommissions: { query: "settlement_status=open" },
  commissionStatistics: span,
  explainCommission: badId,
  listSettlements: list,
  createSettlement: empty,
  previewSettlement: empty,
  approveSettlement: badId,
  reviewSettlement: { id: ID, json: { decision: "ignore" } },
  cancelSettlement: badId,
  writeOffSettlement: badId,
  markSettlementAsPaid: badId,
  downloadSettlementReport: badId,
  downloadSettlementInvoice: badId,
  downloadSettlementCreditNote: badId,
  uploadSettlementReport: { ...badId, upload: true },
  uploadSettlementInvoice: { ...badId, upload: true },
  uploadSettlementCreditNote: { ...badId, upload: true },
  exportSettlement: badId,
  disputeSettlement: reasonless,
  resolveSettlementDispute: { id: ID, json: { resolution: "maybe" } },
  initiateSettlementPayment: badId,
  returnSettlementPayment: reasonless,
  reconcileSettlement: { id: ID, json: { reconciled: "yes" } },
  listApiKeys: list,
  createApiKey: { json: { kind: "robot" } },
  revokeApiKey: badId,
  readPrincipal: { query: "page=1" },
  listWebhookEndpoints: list,
  createWebhookEndpoint: { json: { url: "https://127.0.0.1/events" } },
  readWebhookEndpoint: badId,
  updateWebhookEndpoint: { id: ID, json: { types: ["create_order"] } },
  deleteWebhookEndpoint: badId,
  rotateWebhookSecret: badId,
  listWebhookDeliveries: { id: ID, query: "statuses=open" },
  redeliverWebhook: badId,
  readBillingProfile: { query: "page=1" },
  writeBillingProfile: { json: { legal_name: "Example Shop GmbH", vat_number: "DE123456789" } },
  listPaymentFiles: list,
  createPaymentFile: { json: { execution_date: "tomorrow" } },
  downloadPaymentFile: badId,
  handOverPaymentFile: badId,
  discardPaymentFile: reasonless,
  readBankStatement: { upload: true },
  reportPayment: reported({ id: "evt_1", type: "confirmed", payment_reference: "42" }),
};
