/** Ids, moments and changes that every builder uses. */
import { Currency } from "../../domain/Currency.ts";
import { DAY } from "../../domain/Durations.ts";
import {
  AttributionId,
  CommandId,
  CommissionId,
  CustomerId,
  DocumentId,
  FormulaId,
  MessageId,
  PartnerId,
  PartnerLinkId,
  PaymentFileId,
  PaymentReference,
  PlanId,
  PlanTrialId,
  RecomputationId,
  RecreditRunId,
  SchemaId,
  SettlementId,
  SettlementRunId,
  uuidV7,
  WebhookDeliveryId,
  WebhookEndpointId,
  WorkspaceId,
} from "../../domain/Ids.ts";
import type { ChangeSet, Flat, Logged, Query, SaveFlat, SaveLogged, Versioned } from "../../ports/Storage.ts";
import * as Save from "../../services/commands/Save.ts";

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/** The default moment of records. */
export const EPOCH = Date.parse("2026-01-01T00:00:00.000Z");
export { DAY };
/** The default actor of events. */
export const ACTOR = "tester";

/** The default actor, as deciders take it. */
export const BY = { actor: ACTOR };

const RANDOM_BYTES = 10;
const randomness = new Uint8Array(1_000 * RANDOM_BYTES);
let issued = 0;

/** A new UUID of version 7; the UUIDs of one process sort in the order of their creation. */
export const freshUuid = (): string => {
  const from = (issued * RANDOM_BYTES) % randomness.length;
  if (from === 0) crypto.getRandomValues(randomness);
  issued += 1;
  return uuidV7(EPOCH + issued, randomness.subarray(from, from + RANDOM_BYTES));
};

/** New ids of each kind. */
export const fresh = {
  customer: () => CustomerId.make(freshUuid()),
  workspace: () => WorkspaceId.make(freshUuid()),
  partner: () => PartnerId.make(freshUuid()),
  partnerLink: () => PartnerLinkId.make(freshUuid()),
  schema: () => SchemaId.make(freshUuid()),
  attribution: () => AttributionId.make(freshUuid()),
  formula: () => FormulaId.make(freshUuid()),
  commission: () => CommissionId.make(freshUuid()),
  settlement: () => SettlementId.make(freshUuid()),
  settlementRun: () => SettlementRunId.make(freshUuid()),
  recreditRun: () => RecreditRunId.make(freshUuid()),
  planTrial: () => PlanTrialId.make(freshUuid()),
  document: () => DocumentId.make(freshUuid()),
  payment: () => PaymentReference.make(freshUuid()),
  paymentFile: () => PaymentFileId.make(freshUuid()),
  plan: () => PlanId.make(freshUuid()),
  recomputation: () => RecomputationId.make(freshUuid()),
  command: () => CommandId.make(freshUuid()),
  message: () => MessageId.make(freshUuid()),
  webhookEndpoint: () => WebhookEndpointId.make(freshUuid()),
  webhookDelivery: () => WebhookDeliveryId.make(freshUuid()),
};

/** The customer and workspace of a record. */
export interface Owner {
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
}

/** The key of a formula set: a partner and a schema, with their customer and workspace. */
export interface FormulaSetKey extends Owner {
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
}

const execution = (at: number, actor = ACTOR): Parameters<typeof Save.appendEvents>[1] => ({ actor, at });

/** The change that saves a new record with a log. */
export const first = <Kind extends keyof Logged>(
  kind: Kind,
  identity: Save.Identity<Kind>,
  events: ReadonlyArray<Logged[Kind]["event"]>,
  at = EPOCH,
  actor = ACTOR,
): SaveLogged<Kind> => Save.appendEvents(kind, execution(at, actor), identity, events);

/** The change that saves a record after further events. */
export const next = <Kind extends keyof Logged>(
  kind: Kind,
  row: Versioned<Logged[Kind]["record"]>,
  events: ReadonlyArray<Logged[Kind]["event"]>,
  at = EPOCH,
): SaveLogged<Kind> => Save.appendEvents(kind, execution(at), row, events);

/** The change that saves a record without a log, new or as it was read. */
export const flat = <Kind extends keyof Flat>(
  kind: Kind,
  record: Flat[Kind] & Partial<Versioned<unknown>>,
  at = EPOCH,
): SaveFlat<Kind> => Save.flat(kind, execution(at), record);

/** The first hundred records in order of creation; parts that are given replace these. */
export const query = <Where extends object = Record<never, never>>(
  overrides: Partial<Query<Where>> = {},
): Query<Where> => ({
  // A list without filters has none of the names that a filter may have.
  where: {} as Where,
  page: 1,
  perPage: 100,
  order: "asc",
  ...overrides,
});

/** A change set of one command; parts that are not given are empty. */
export const changeSet = (overrides: Partial<ChangeSet>): ChangeSet => ({
  command: { id: fresh.command(), actor: ACTOR, at: EPOCH },
  requires: [],
  changes: [],
  outbox: [],
  idempotencyRecord: null,
  ...overrides,
});

/** The default currency. */
export const EUR = Currency.make("EUR");
