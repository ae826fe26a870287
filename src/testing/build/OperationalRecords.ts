/** Builders of webhooks, recomputations, running totals, keys, profiles and messages. */
import {
  arrivalOrderId,
  attributionHistoryId,
  type RunningTotal,
  runningTotalId,
  type TotalKey,
} from "../../domain/Accumulation.ts";
import * as ApiKey from "../../domain/ApiKey.ts";
import * as BillingProfile from "../../domain/BillingProfile.ts";
import * as Books from "../../domain/Books.ts";
import type { Formula } from "../../domain/Formula.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { ALL_SCOPES } from "../../domain/Principal.ts";
import * as WebhookDelivery from "../../domain/WebhookDelivery.ts";
import type { WebhookEndpoint } from "../../domain/WebhookEndpoint.ts";
import type { Message, SaveFlat, SaveLogged, Versioned } from "../../ports/Storage.ts";
import { BY, EPOCH, type FormulaSetKey, first, flat, fresh, freshUuid, next } from "./Basics.ts";

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

const PROFILE = {
  legalName: "Buyer A/S",
  address: { street: "Gade 1", city: "Aarhus", region: "", postalCode: "8000", country: "DK" },
  vatNumber: "DK87654321",
} as BillingProfile.Write;

/** A new billing profile. */
export const billingProfile = (customerId: CustomerId): SaveLogged<"billingProfile"> =>
  first("billingProfile", { ...PROFILE, customerId }, BillingProfile.write(null, PROFILE, BY));

/** Books with one posting rule. */
export const books = (customerId: CustomerId): SaveLogged<"books"> => {
  const rules = [{ account: "commission_expense", number: "6770" }] as const;
  return first("books", { id: Books.recordIdOf(customerId), customerId }, Books.write(null, { rules }, BY));
};

/** Books of which a month was closed at a moment. */
export const closedBooks = (customerId: CustomerId, month: string, at: number): SaveLogged<"books"> => {
  const id = Books.recordIdOf(customerId);
  const actor = { principal_id: BY.actor, person: BY.actor };
  const entry = { ...BY, at, event: { type: "close_period", actor, month } } as const;
  const row = { id, customerId, ...Books.evolve(null, entry), version: 1, lastAt: at };
  return { type: "save", kind: "books", row, expected: 0, entries: [entry] };
};

/** The profile under another legal name. */
export const renamedProfile = (
  row: Versioned<BillingProfile.BillingProfile>,
  legalName: string,
  at = EPOCH,
): SaveLogged<"billingProfile"> =>
  next(
    "billingProfile",
    { ...row, legalName },
    BillingProfile.write(PROFILE, { ...PROFILE, legalName }, BY),
    at,
  );

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
export const apiKey = (
  customerId: CustomerId,
  {
    id = freshUuid(),
    keyId = id.replaceAll("-", "").slice(-16),
    createdAt = EPOCH,
    ...overrides
  }: Partial<Omit<ApiKey.ApiKey, "customerId" | "revokedAt" | "lastUsedAt">> = {},
): SaveLogged<"apiKey"> => {
  const grant: Omit<ApiKey.Grant, "customerId"> = {
    ...({ name: null, person: null, kind: "customer", workspaceIds: "*", partnerIds: "*" } as const),
    ...{ agentId: null, scopes: ALL_SCOPES, expiresAt: null },
    ...overrides,
  };
  const credential = { keyId, secretSha256: overrides.secretSha256 ?? "0".repeat(64) };
  const event = ApiKey.create(grant, credential, BY);
  return first("apiKey", { id, customerId, lastUsedAt: null }, [event], createdAt);
};

/** The key after its revocation. */
export const revokedKey = (row: Versioned<ApiKey.ApiKey>, at = EPOCH): SaveLogged<"apiKey"> =>
  next("apiKey", row, ApiKey.revoke(row, BY), at);

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
