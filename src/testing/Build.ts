/** Builders of rows and events for tests. Every row is the fold of its events, so that a fixture is always consistent. */
import {
  arrivalOrderId,
  attributionHistoryId,
  type RunningTotal,
  runningTotalId,
  type TotalKey,
} from "../domain/Accumulation.ts";
import type { ApiKey } from "../domain/ApiKey.ts";
import type { Attribution, AttributionEvent } from "../domain/Attribution.ts";
import type { AttributionSchema } from "../domain/AttributionSchema.ts";
import * as Commission from "../domain/Commission.ts";
import type { CommissionPlan, PlanEvent } from "../domain/CommissionPlan.ts";
import { Currency } from "../domain/Currency.ts";
import type { Document } from "../domain/Document.ts";
import type { Formula, FormulaEvent, StatedAssignment, StatedTerms } from "../domain/Formula.ts";
import {
  AttributionId,
  CommandId,
  CommissionId,
  CustomerId,
  DocumentId,
  FormulaId,
  MessageId,
  PartnerId,
  PaymentFileId,
  PaymentReference,
  PlanId,
  RecomputationId,
  SchemaId,
  SettlementId,
  SettlementRunId,
  uuidV7,
  WebhookDeliveryId,
  WebhookEndpointId,
  WorkspaceId,
} from "../domain/Ids.ts";
import { due } from "../domain/Ledger.ts";
import type { Partner } from "../domain/Partner.ts";
import type { BankPayment, PaymentFile } from "../domain/PaymentFile.ts";
import { ALL_SCOPES } from "../domain/Principal.ts";
import type { Line, Settlement, SettlementEvent } from "../domain/Settlement.ts";
import { DEFAULT, NO_OVERRIDE, policyId, type SettlementPolicy } from "../domain/SettlementPolicy.ts";
import {
  nothingDue,
  resultId,
  type SettlementRun,
  type SettlementRunResult,
} from "../domain/SettlementRun.ts";
import type { TaxOrigin } from "../domain/Tax.ts";
import { format } from "../domain/Timestamp.ts";
import type { WebhookDelivery } from "../domain/WebhookDelivery.ts";
import type { WebhookEndpoint } from "../domain/WebhookEndpoint.ts";
import type {
  ChangeSet,
  Flat,
  Logged,
  Message,
  Query,
  SaveFlat,
  SaveLogged,
  Versioned,
} from "../ports/Storage.ts";
import * as Save from "../services/commands/Save.ts";

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/** The default moment of records. */
export const EPOCH = Date.parse("2026-01-01T00:00:00.000Z");
/** One day, in milliseconds. */
export const DAY = 86_400_000;
/** The default actor of events. */
export const ACTOR = "tester";

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
  schema: () => SchemaId.make(freshUuid()),
  attribution: () => AttributionId.make(freshUuid()),
  formula: () => FormulaId.make(freshUuid()),
  commission: () => CommissionId.make(freshUuid()),
  settlement: () => SettlementId.make(freshUuid()),
  settlementRun: () => SettlementRunId.make(freshUuid()),
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

const execution = (at: number, actor = ACTOR): Parameters<typeof Save.logged>[1] => ({ actor, at });

/** The change that saves a new record with a log. */
export const first = <Kind extends keyof Logged>(
  kind: Kind,
  identity: Save.Identity<Kind>,
  events: ReadonlyArray<Logged[Kind]["event"]>,
  at = EPOCH,
  actor = ACTOR,
): SaveLogged<Kind> => Save.logged(kind, execution(at, actor), identity, events);

/** The change that saves a record after further events. */
export const next = <Kind extends keyof Logged>(
  kind: Kind,
  row: Versioned<Logged[Kind]["record"]>,
  events: ReadonlyArray<Logged[Kind]["event"]>,
  at = EPOCH,
): SaveLogged<Kind> => Save.logged(kind, execution(at), row, events);

/** The change that saves a record without a log, new or as it was read. */
export const flat = <Kind extends keyof Flat>(
  kind: Kind,
  record: Flat[Kind] & Partial<Versioned<unknown>>,
  at = EPOCH,
): SaveFlat<Kind> => Save.flat(kind, execution(at), record);

/** The first hundred records in order of creation; parts that are given replace these. */
export const query = (given: Partial<Query> = {}): Query => ({
  where: {},
  page: 1,
  perPage: 100,
  order: "asc",
  ...given,
});

/** A change set of one command; parts that are not given are empty. */
export const changeSet = (given: Partial<ChangeSet>): ChangeSet => ({
  command: { id: fresh.command(), actor: ACTOR, at: EPOCH },
  requires: [],
  changes: [],
  outbox: [],
  idempotencyRecord: null,
  ...given,
});

/** A new partner. */
export const partner = (
  { customerId, workspaceId }: Owner,
  given: Partial<Partner> = {},
): SaveFlat<"partner"> =>
  flat(
    "partner",
    {
      id: fresh.partner(),
      customerId,
      workspaceId,
      name: "Nordlys ApS",
      billingMode: "partner_billing",
      selfBillingData: null,
      createdAt: EPOCH,
      ...given,
    },
    given.createdAt,
  );

/** A new schema with a required number `order_value` and an optional text `plan`. */
export const schema = (
  { customerId, workspaceId }: Owner,
  given: Partial<AttributionSchema> = {},
): SaveFlat<"schema"> =>
  flat(
    "schema",
    {
      id: fresh.schema(),
      customerId,
      workspaceId,
      name: "Sale",
      properties: [
        { name: "order_value", type: "number", required: true },
        { name: "plan", type: "string", required: false, default: "basic" },
      ],
      displayProperties: [],
      createdAt: EPOCH,
      ...given,
    },
    given.createdAt,
  );

/** The default currency. */
export const EUR = Currency.make("EUR");

/** The fields of {@link formula} that a test may set. */
export type FormulaOverrides = Partial<
  Omit<Extract<FormulaEvent, { type: "create_commission_formula" }>, "type">
> & {
  readonly id?: FormulaId;
  readonly createdAt?: number;
};

const TERMS: StatedTerms = {
  formula: {
    type: "multiply",
    operands: [
      { type: "property", name: "order_value" },
      { type: "literal", value: { type: "percent", value: 10 } },
    ],
  },
  name: "Ten per cent",
  description: null,
  start_datetime: format(EPOCH - 30 * DAY),
  end_datetime: null,
  currency: EUR,
};

/** A new plan: ten per cent of `order_value`, from a month before {@link EPOCH}, without end. */
export const plan = (
  { customerId, workspaceId, schemaId }: Omit<FormulaSetKey, "partnerId">,
  {
    id = fresh.plan(),
    createdAt = EPOCH,
    ...event
  }: Partial<StatedTerms> & { readonly id?: PlanId; readonly createdAt?: number } = {},
): SaveLogged<"plan"> => {
  const created: PlanEvent = { type: "create_commission_plan", ...TERMS, ...event };
  return first("plan", { id, customerId, workspaceId, schemaId }, [created], createdAt);
};

/** The assignment of a formula to a plan, for {@link formula}; it follows the plan unless the test gives bounds. */
export const assignment = (
  { id, version, startDatetime, endDatetime }: Versioned<CommissionPlan>,
  given: Partial<StatedAssignment> = {},
): { readonly assignment: StatedAssignment } => ({
  assignment: {
    plan_id: id,
    plan_revision: version,
    plan_start_datetime: format(startDatetime),
    plan_end_datetime: endDatetime === null ? null : format(endDatetime),
    start_datetime: null,
    end_datetime: null,
    ...given,
  },
});

/** A new formula: ten per cent of `order_value`, from a month before {@link EPOCH}, without end. */
export const formula = (
  { customerId, workspaceId, partnerId, schemaId }: FormulaSetKey,
  { id = fresh.formula(), createdAt = EPOCH, ...event }: FormulaOverrides = {},
): SaveLogged<"formula"> =>
  first(
    "formula",
    { id, customerId, workspaceId, partnerId, schemaId },
    [
      {
        type: "create_commission_formula",
        ...TERMS,
        ...event,
      },
    ],
    createdAt,
  );

/** The fields of {@link attribution} that a test may set. */
export interface AttributionOverrides {
  readonly id?: AttributionId;
  readonly createdAt?: number;
  /** As given by the caller; null when none is given. */
  readonly occurredAt?: number | null;
  readonly properties?: Attribution["properties"];
  readonly agentId?: Attribution["agentId"];
  readonly externalReference?: string | null;
}

/** A new attribution. */
export const attribution = (
  { customerId, workspaceId, partnerId, schemaId }: FormulaSetKey,
  {
    id,
    createdAt = EPOCH,
    occurredAt = null,
    properties = { order_value: 12_000 },
    agentId = null,
    externalReference = null,
  }: AttributionOverrides = {},
): SaveLogged<"attribution"> => {
  const event: AttributionEvent = {
    type: "create_attribution",
    properties,
    ...(occurredAt === null ? {} : { occurred_at: format(occurredAt) }),
  };
  const identity = {
    id: id ?? fresh.attribution(),
    customerId,
    workspaceId,
    partnerId,
    schemaId,
    agentId,
    externalReference,
  };
  return first("attribution", identity, [event], createdAt);
};

/** A new commission of an attribution under a formula; an amount of null means that its computation failed. */
export const commission = (
  of: Attribution,
  under: Formula,
  amount: number | null,
  {
    id = fresh.commission(),
    createdAt = of.createdAt,
  }: { readonly id?: CommissionId; readonly createdAt?: number } = {},
): SaveLogged<"commission"> =>
  first(
    "commission",
    Commission.identity(id, of, under),
    [
      amount === null
        ? { type: "fail_commission_computation", code: "OVERFLOW", message: "exceeds the largest amount" }
        : { type: "create_commission", amount, formula_version: 1 },
    ],
    createdAt,
  );

/** The lines that settle what the commissions are due. */
export const linesOf = (commissions: ReadonlyArray<Versioned<Commission.Commission>>) =>
  commissions.map((row) => ({ commissionId: row.id, amount: due(row), expected: row.version }));

const total = (lines: ReadonlyArray<Line>): number => lines.reduce((sum, { amount }) => sum + amount, 0);

/** The first event of a settlement with these lines. */
export const createdEvent = (lines: ReadonlyArray<Line>, currency = EUR): SettlementEvent => ({
  type: "create_settlement",
  total: total(lines),
  line_count: lines.length,
  stored: { currency, lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })) },
});

/** A new settlement with these lines; reserving the lines is a change of its own. */
export const settlement = (
  { customerId, workspaceId, partnerId }: Omit<FormulaSetKey, "schemaId">,
  lines: ReadonlyArray<Line>,
  {
    id = fresh.settlement(),
    createdAt = EPOCH,
    currency = EUR,
  }: { readonly id?: SettlementId; readonly createdAt?: number; readonly currency?: Currency } = {},
): SaveLogged<"settlement"> =>
  first("settlement", { id, customerId, workspaceId, partnerId }, [createdEvent(lines, currency)], createdAt);

/** The events that take a draft to `awaiting_payment` (a positive total) or `awaiting_credit_note` (a negative one). */
export const approvalEvents = (row: { readonly total: number }): ReadonlyArray<SettlementEvent> => [
  {
    type: "approve_settlement",
    billing_mode: "partner_billing",
    stored: { partner_name: "Nordlys ApS", self_billing_data: null },
  },
  { type: "link_report", report_reference: fresh.document() },
  ...(row.total > 0
    ? [{ type: "link_invoice" as const, invoice_reference: fresh.document(), stored: { tax_amount: null } }]
    : row.total < 0
      ? [
          { type: "review_settlement" as const, decision: "issue_credit_note" as const },
          {
            type: "link_credit_note" as const,
            credit_note_reference: fresh.document(),
            stored: { tax_amount: null },
          },
        ]
      : []),
];

/** The tax origin of a settlement: its total at 25 %, unless the test gives other sums. */
export const taxOrigin = (
  { id, customerId, workspaceId, partnerId, total: base }: Versioned<Settlement>,
  given: Partial<TaxOrigin> = {},
): SaveFlat<"taxOrigin"> =>
  flat("taxOrigin", {
    ...{ id, customerId, workspaceId, partnerId },
    terms: { treatment: "standard", label: "VAT", rateBps: 2_500 },
    base: String(base),
    tax: "0",
    shares: [{ originId: id, base, tax: 0 }],
    createdAt: EPOCH,
    ...given,
  });

const ACCOUNT = { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" };

/** A payment file of a customer, not handed over. */
export const paymentFile = (
  customerId: CustomerId,
  given: Partial<PaymentFile> = {},
): SaveFlat<"paymentFile"> =>
  flat("paymentFile", {
    id: fresh.paymentFile(),
    customerId,
    executionDate: "2026-01-05",
    debtor: ACCOUNT,
    count: 1,
    sum: 1_250,
    createdAt: EPOCH,
    handedOverAt: null,
    discardedAt: null,
    ...given,
  });

/** The policy of a workspace, or of one partner of it. */
export const settlementPolicy = (
  { customerId, workspaceId, partnerId = null }: Owner & { readonly partnerId?: PartnerId | null },
  given: Partial<SettlementPolicy> = {},
): SaveFlat<"settlementPolicy"> =>
  flat("settlementPolicy", {
    ...{ id: policyId(workspaceId, partnerId), customerId, workspaceId, partnerId },
    terms: partnerId === null ? DEFAULT : NO_OVERRIDE,
    ...{ scheduledBy: ACTOR, next: null, nextRunAt: null, lastPeriod: null },
    ...given,
  });

/** A run of a workspace that has just begun. */
export const settlementRun = (
  { customerId, workspaceId }: Owner,
  given: Partial<SettlementRun> = {},
): SaveFlat<"settlementRun"> =>
  flat("settlementRun", {
    ...{ id: fresh.settlementRun(), customerId, workspaceId, partnerIds: null, currencies: null },
    ...{ until: EPOCH, period: null, policyId: null, startedBy: ACTOR, state: "running" },
    ...{ partnerCount: 1, partnersDone: 0, batchSize: 20 },
    ...{ draftCount: 0, lineCount: 0, approvedCount: 0, totals: {} },
    ...{ createdAt: EPOCH, finishedAt: null },
    ...given,
  });

/** The result of a run for a partner with nothing due. */
export const settlementRunResult = (
  { id: runId, customerId, workspaceId }: SettlementRun,
  partnerId: PartnerId,
  given: Partial<SettlementRunResult> = {},
): SaveFlat<"settlementRunResult"> =>
  flat("settlementRunResult", {
    ...{ id: resultId(runId, partnerId, null), customerId, workspaceId, runId, step: 0 },
    ...nothingDue(partnerId),
    ...{ drafts: [], after: null, createdAt: EPOCH },
    ...given,
  });

/** A payment of a settlement that waits for a file. */
export const bankPayment = (
  { id, customerId, total, currency }: Versioned<Settlement>,
  given: Partial<BankPayment> = {},
): SaveFlat<"bankPayment"> =>
  flat("bankPayment", {
    id: fresh.payment(),
    customerId,
    settlementId: id,
    amount: total,
    currency,
    bankAccount: ACCOUNT,
    remittance: "Invoice 1",
    fileId: null,
    isWaiting: true,
    bookings: [],
    ...given,
  });

/** An enabled webhook endpoint for every type of event. */
export const webhookEndpoint = (
  customerId: CustomerId,
  given: Partial<WebhookEndpoint> = {},
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
    ...given,
  });

/** The delivery of an event of a record to an endpoint; it waits for its first attempt. */
export const webhookDelivery = (
  { id, customerId }: Pick<WebhookEndpoint, "id" | "customerId">,
  given: Partial<WebhookDelivery> = {},
): SaveFlat<"webhookDelivery"> =>
  flat("webhookDelivery", {
    id: fresh.webhookDelivery(),
    customerId,
    endpointId: id,
    eventId: freshUuid(),
    position: 1,
    type: "create_attribution",
    kind: "attribution",
    recordId: freshUuid(),
    sequence: 1,
    happenedAt: EPOCH,
    status: "pending",
    attempts: 0,
    firstAttemptAt: null,
    lastAttemptAt: null,
    lastStatus: null,
    lastError: null,
    nextAttemptAt: EPOCH,
    endedAt: null,
    createdAt: EPOCH,
    ...given,
  });

/** A report of a settlement; by default of five bytes. */
export const document = (
  { id, customerId, workspaceId, partnerId }: Omit<FormulaSetKey, "schemaId"> & { readonly id: SettlementId },
  given: Partial<Document> = {},
): SaveFlat<"document"> =>
  flat("document", {
    ...{ id: fresh.document(), customerId, workspaceId, partnerId },
    settlementId: id,
    kind: "report",
    revision: 1,
    number: null,
    fileName: "report.pdf",
    mediaType: "application/pdf",
    byteLength: 5,
    sha256: "0".repeat(64),
    createdAt: EPOCH,
    ...given,
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
  given: Partial<RunningTotal> = {},
) => {
  const recomputationId = fresh.recomputation();
  const key: TotalKey = {
    formulaId: formula.id,
    formulaVersion: 1,
    aggregate: "$.operands.0",
    group: '["EU",true]',
    bucket: "2026-01",
    ...given,
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
      ...given,
    }),
  };
};

/** A new key of a customer, with every scope. */
export const apiKey = (customerId: CustomerId, given: Partial<ApiKey> = {}): SaveFlat<"apiKey"> => {
  const id = freshUuid();
  return flat(
    "apiKey",
    {
      id,
      keyId: id.replaceAll("-", "").slice(-16),
      secretSha256: "0".repeat(64),
      customerId,
      name: null,
      kind: "customer",
      workspaceIds: "*",
      partnerIds: "*",
      agentId: null,
      scopes: ALL_SCOPES,
      createdAt: EPOCH,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      ...given,
    },
    given.createdAt,
  );
};

/** A message about a record. */
export const message = (
  customerId: CustomerId,
  recordId: Message["recordId"],
  given: Partial<Message> = {},
): Message => ({
  id: fresh.message(),
  topic: "make_report",
  customerId,
  recordId,
  reference: null,
  delayMilliseconds: 0,
  ...given,
});
