/** Identities of records: UUID text in lower case, one brand per kind of record. */
import { Schema } from "effect";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const Given = Schema.String.annotations({ jsonSchema: { type: "string", format: "uuid" } });

const uuidText = Schema.transform(Given, Schema.String, {
  strict: true,
  decode: (text) => text.toLowerCase(),
  encode: (text) => text,
}).pipe(
  Schema.pattern(UUID, { message: () => "must be a UUID", description: "A UUID, in any letter case." }),
);

/** A UUID in any letter case, read as lower case. Fails on anything else. */
export const Uuid = uuidText.annotations({ identifier: "Uuid" });

/** A customer: the tenant that owns every record. */
export const CustomerId = uuidText.pipe(Schema.brand("CustomerId"));
export type CustomerId = typeof CustomerId.Type;

/** A workspace: an opaque subdivision of a customer, never looked up. */
export const WorkspaceId = uuidText.pipe(Schema.brand("WorkspaceId"));
export type WorkspaceId = typeof WorkspaceId.Type;

/** A partner: who earns. */
export const PartnerId = uuidText.pipe(Schema.brand("PartnerId"));
export type PartnerId = typeof PartnerId.Type;

/** An attribution schema. */
export const SchemaId = uuidText.pipe(Schema.brand("SchemaId"));
export type SchemaId = typeof SchemaId.Type;

/** An attribution: a business event credited to a partner. */
export const AttributionId = uuidText.pipe(Schema.brand("AttributionId"));
export type AttributionId = typeof AttributionId.Type;

/** A commission formula. */
export const FormulaId = uuidText.pipe(Schema.brand("FormulaId"));
export type FormulaId = typeof FormulaId.Type;

/** A commission plan: one formula definition for many partners. */
export const PlanId = uuidText.pipe(Schema.brand("PlanId"));
export type PlanId = typeof PlanId.Type;

/** A commission: what one attribution earns under one formula. */
export const CommissionId = uuidText.pipe(Schema.brand("CommissionId"));
export type CommissionId = typeof CommissionId.Type;

/** A settlement. */
export const SettlementId = uuidText.pipe(Schema.brand("SettlementId"));
export type SettlementId = typeof SettlementId.Type;

/** A stored document: a report, an invoice or a credit note. */
export const DocumentId = uuidText.pipe(Schema.brand("DocumentId"));
export type DocumentId = typeof DocumentId.Type;

/** One attempt to pay a settlement; the provider's idempotency key. */
export const PaymentReference = uuidText.pipe(Schema.brand("PaymentReference"));
export type PaymentReference = typeof PaymentReference.Type;

/** A payment file. */
export const PaymentFileId = uuidText.pipe(Schema.brand("PaymentFileId"));
export type PaymentFileId = typeof PaymentFileId.Type;

/** An account to which a partner is paid. */
export const PayoutAccountId = uuidText.pipe(Schema.brand("PayoutAccountId"));
export type PayoutAccountId = typeof PayoutAccountId.Type;

/** The acceptance of the terms of a plan by a partner. */
export const PlanAcceptanceId = uuidText.pipe(Schema.brand("PlanAcceptanceId"));
export type PlanAcceptanceId = typeof PlanAcceptanceId.Type;

/** A link of a partner to its upline. */
export const PartnerLinkId = uuidText.pipe(Schema.brand("PartnerLinkId"));
export type PartnerLinkId = typeof PartnerLinkId.Type;

/** The books of a customer. */
export const BooksId = uuidText.pipe(Schema.brand("BooksId"));
export type BooksId = typeof BooksId.Type;

/** The links of a workspace as a whole. */
export const LinkSetId = uuidText.pipe(Schema.brand("LinkSetId"));
export type LinkSetId = typeof LinkSetId.Type;

/** The settlement policy of a workspace, or of one partner of it. */
export const WorkspaceRecordId = uuidText.pipe(Schema.brand("WorkspaceRecordId"));
export type WorkspaceRecordId = typeof WorkspaceRecordId.Type;

export const SettlementPolicyId = uuidText.pipe(Schema.brand("SettlementPolicyId"));
export type SettlementPolicyId = typeof SettlementPolicyId.Type;

/** A settlement run. */
export const SettlementRunId = uuidText.pipe(Schema.brand("SettlementRunId"));
export type SettlementRunId = typeof SettlementRunId.Type;

/** The result of a settlement run for one partner and currency. */
export const SettlementRunResultId = uuidText.pipe(Schema.brand("SettlementRunResultId"));
export type SettlementRunResultId = typeof SettlementRunResultId.Type;

/** A trial of a plan. */
export const PlanTrialId = uuidText.pipe(Schema.brand("PlanTrialId"));
export type PlanTrialId = typeof PlanTrialId.Type;

/** The result of a trial of a plan for one partner. */
export const PlanTrialResultId = uuidText.pipe(Schema.brand("PlanTrialResultId"));
export type PlanTrialResultId = typeof PlanTrialResultId.Type;

/** A recredit run. */
export const RecreditRunId = uuidText.pipe(Schema.brand("RecreditRunId"));
export type RecreditRunId = typeof RecreditRunId.Type;

/** The result of a recredit run for one sale. */
export const RecreditRunResultId = uuidText.pipe(Schema.brand("RecreditRunResultId"));
export type RecreditRunResultId = typeof RecreditRunResultId.Type;

/** The agent that created an attribution. */
export const AgentId = uuidText.pipe(Schema.brand("AgentId"));
export type AgentId = typeof AgentId.Type;

/** One run of recomputing the commissions of a formula. */
export const RecomputationId = uuidText.pipe(Schema.brand("RecomputationId"));
export type RecomputationId = typeof RecomputationId.Type;

/** One execution of a command; written with its effects, so that a lost reply can be looked up. */
export const CommandId = uuidText.pipe(Schema.brand("CommandId"));
export type CommandId = typeof CommandId.Type;

/** One message of the outbox. */
export const MessageId = uuidText.pipe(Schema.brand("MessageId"));
export type MessageId = typeof MessageId.Type;

/** A webhook endpoint. */
export const WebhookEndpointId = uuidText.pipe(Schema.brand("WebhookEndpointId"));
export type WebhookEndpointId = typeof WebhookEndpointId.Type;

/** The delivery of one event to one webhook endpoint. */
export const WebhookDeliveryId = uuidText.pipe(Schema.brand("WebhookDeliveryId"));
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type;

/** The UUID of all zeros, standing for an identity that does not exist. */
export const NIL = "00000000-0000-0000-0000-000000000000";

const HEX: ReadonlyArray<string> = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/** Bytes in hexadecimal, two digits each, from one index (inclusive) to another (exclusive). */
export const hex = (bytes: Uint8Array, from = 0, to = bytes.length): string => {
  let text = "";
  for (let index = from; index < to; index++) text += HEX[bytes[index] ?? 0];
  return text;
};

/** The code of a hexadecimal digit. */
const digit = (value: number): number => (value < 10 ? 48 : 87) + value;

const high = (byte: number): number => digit((byte >> 4) & 0x0f);
const low = (byte: number): number => digit(byte & 0x0f);

const HYPHEN = 45;

/** Three of the six bytes of a moment in a UUID version 7. */
const HALF = 0x1000000;

/**
 * The UUID version 7 (RFC 9562) of a moment and a source of randomness.
 * `milliseconds` counts from the Unix epoch; of `random` the first ten bytes are used.
 *
 * Made from the codes of its characters: text joined from pieces stays a tree of them, which takes ten times the memory, and
 * every stored record has several ids.
 */
export const uuidV7 = (milliseconds: number, random: Uint8Array): string => {
  const byte = (index: number): number => random[index] ?? 0;
  const moment = Math.max(0, milliseconds);
  const upper = Math.floor(moment / HALF);
  const lower = moment % HALF;
  const version = 0x70 | (byte(0) & 0x0f);
  const variant = 0x80 | (byte(2) & 0x3f);
  // biome-ignore format: a line for each group of digits
  return String.fromCharCode(
    high(upper >> 16), low(upper >> 16), high(upper >> 8), low(upper >> 8), high(upper), low(upper), high(lower >> 16), low(lower >> 16), HYPHEN,
    high(lower >> 8), low(lower >> 8), high(lower), low(lower), HYPHEN,
    high(version), low(version), high(byte(1)), low(byte(1)), HYPHEN,
    high(variant), low(variant), high(byte(3)), low(byte(3)), HYPHEN,
    high(byte(4)), low(byte(4)), high(byte(5)), low(byte(5)), high(byte(6)), low(byte(6)),
    high(byte(7)), low(byte(7)), high(byte(8)), low(byte(8)), high(byte(9)), low(byte(9)),
  );
};

/** The UUID version 8 (RFC 9562) of a digest of 128 bits at least, in hexadecimal: equal digests have equal ids. */
export const uuidV8 = (digest: string): string => {
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
};

/**
 * The same UUID with the version digit of a random one. Bank formats accept a UUID of version 4 only; a UUID version 7 of
 * ours stays unique without its version digit.
 */
export const asVersion4 = <Id extends string>(id: Id): Id => `${id.slice(0, 14)}4${id.slice(15)}` as Id;
