/** Examples of a customer's own records: legal data, API keys, and the event feed with its webhooks. */
import type { JsonObject } from "../Json.ts";
import { ATTRIBUTION, CUSTOMER, EARLIER, ENDPOINT, KEY, LATER, SALE, SETTLEMENT, WORKSPACE } from "./Ids.ts";

export const apiKey: JsonObject = {
  id: KEY,
  customer_id: CUSTOMER,
  name: "shop",
  use: "program",
  person: "jwt:ida",
  kind: "customer",
  workspace_ids: [WORKSPACE],
  partner_ids: "*",
  agent_id: null,
  scopes: ["attributions:write"],
  created_at: EARLIER,
  expires_at: null,
  revoked_at: null,
  session_id: null,
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

export const workspace: JsonObject = { name: "Nordics", time_zone: "Europe/Copenhagen" };

export const profile: JsonObject = {
  legal_name: "Example Shop GmbH",
  address: { street: "Hauptstraße 1", city: "Berlin", region: "", postal_code: "10115", country: "DE" },
  vat_number: "DE123456789",
  invoice_prefix: "NL",
  bank_account: { beneficiary_name: "Havn & Mark ApS", iban: "DE02120300000000202051", bic: "BYLADEM1001" },
};
