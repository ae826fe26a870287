/** Builders of webhooks, recomputations, running totals, keys, profiles and messages. */
import {
  arrivalOrderId,
  attributionHistoryId,
  type RunningTotal,
  runningTotalId,
  type TotalKey,
} from "../../domain/Accumulation.ts";
import type { ApiKey } from "../../domain/ApiKey.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { ALL_SCOPES } from "../../domain/Principal.ts";
import * as WebhookDelivery from "../../domain/WebhookDelivery.ts";
import type { WebhookEndpoint } from "../../domain/WebhookEndpoint.ts";
import type { Message, SaveFlat } from "../../ports/Storage.ts";
import { EPOCH, type FormulaSetKey, flat, fresh, freshUuid } from "./Basics.ts";

/** An enabled webhook endpoint for every type of event. */
export const webhookEndpoint = (
  customerId: CustomerId,
  overrides: Partial<WebhookEndpoint> = {},
): SaveFlat<"webhookEndpoint"> =>
  flat("webhookEndpoint", {
    id: fresh.webhookEndpoint(),
    customerId,
    url: "https://example.com/events",
    types: null,
    description: null,
    status: "enabled",
    disabledReason: null,
    secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    previousSecrets: [],
    position: 0,
    since: null,
    lastDeliveredAt: null,
    failingSince: null,
    retryFrom: EPOCH,
    run: fresh.message(),
    createdAt: EPOCH,
    ...overrides,
  });

/** The delivery of an event of a record to an endpoint; it waits for its first attempt. */
export const webhookDelivery = (
  { id, customerId }: Pick<WebhookEndpoint, "id" | "customerId">,
  overrides: Partial<WebhookDelivery.WebhookDelivery> = {},
): SaveFlat<"webhookDelivery"> =>
  flat("webhookDelivery", {
    ...WebhookDelivery.create(
      { id: fresh.webhookDelivery(), customerId, endpointId: id },
      {
        eventId: freshUuid(),
        position: 1,
        type: "create_attribution",
        kind: "attribution",
        recordId: freshUuid(),
        sequence: 1,
        happenedAt: EPOCH,
      },
      EPOCH,
    ),
    ...overrides,
  });

/** A pending recomputation of every commission of a formula. */
export const recomputation = ({ customerId, id }: Formula, pending = true): SaveFlat<"recomputation"> =>
  flat("recomputation", {
    ...{ id: fresh.recomputation(), customerId, formulaId: id },
    ...{ from: EPOCH, to: null, after: null, pending },
  });

export const billingProfile = (customerId: CustomerId): SaveFlat<"billingProfile"> =>
  flat("billingProfile", {
    customerId,
    legalName: "Buyer A/S",
    address: { street: "Gade 1", city: "Aarhus", region: "", postalCode: "8000", country: "DK" },
    vatNumber: "DK87654321",
  });

/** The records of a plan that accumulates: the order of arrival, the history, and one running total of the formula. */
export const accumulation = (
  { customerId, partnerId, schemaId }: FormulaSetKey,
  formula: Formula,
  overrides: Partial<RunningTotal> = {},
) => {
  const recomputationId = fresh.recomputation();
  const key: TotalKey = {
    formulaId: formula.id,
    formulaVersion: 1,
    aggregate: "$.operands.0",
    group: '["EU",true]',
    bucket: "2026-01",
    ...overrides,
  };
  const owner = { customerId, partnerId, schemaId };
  return {
    order: flat("arrivalOrder", {
      ...owner,
      id: arrivalOrderId(partnerId, schemaId),
      last: { createdAt: EPOCH, id: fresh.attribution() },
      formulas: [{ formulaId: formula.id, recomputationId, building: true }],
    }),
    history: flat("attributionHistory", { ...owner, id: attributionHistoryId(partnerId, schemaId) }),
    total: flat("runningTotal", {
      ...key,
      id: runningTotalId(key),
      customerId,
      recomputationId,
      rows: 3,
      numerator: "9007199254740993",
      denominator: "100000000000000000000",
      ...overrides,
    }),
  };
};

/** A new key of a customer, with every scope. */
export const apiKey = (customerId: CustomerId, overrides: Partial<ApiKey> = {}): SaveFlat<"apiKey"> => {
  const id = freshUuid();
  return flat(
    "apiKey",
    {
      id,
      keyId: id.replaceAll("-", "").slice(-16),
      secretSha256: "0".repeat(64),
      customerId,
      name: null,
      person: null,
      kind: "customer",
      workspaceIds: "*",
      partnerIds: "*",
      agentId: null,
      scopes: ALL_SCOPES,
      createdAt: EPOCH,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      ...overrides,
    },
    overrides.createdAt,
  );
};

/** A message about a record. */
export const message = (
  customerId: CustomerId,
  recordId: Message["recordId"],
  overrides: Partial<Message> = {},
): Message => ({
  id: fresh.message(),
  topic: "make_report",
  customerId,
  recordId,
  reference: null,
  delayMilliseconds: 0,
  ...overrides,
});
