/** The tables of records, one for each kind, and their columns. */
import { Partner, type Storage, Text } from "quittance";
import { dataColumns, type Table, tableOf, tableWithView } from "./Column.ts";

type Row<Kind extends Storage.Kind> = Storage.Versioned<Storage.Rows[Kind]>;

const id = { type: "uuid" } as const;
const createdAt = { type: "moment" } as const;
/** The version and the moment of the last save. */
const saved = {
  version: { type: "integer", updated: true, initial: 1 },
  lastAt: { type: "moment", updated: true },
} as const;
const nameSearchable = {
  name_searchable: {
    type: "text",
    updated: true,
    of: ({ name }: { readonly name: string }) => Text.searchable(name),
  },
} as const;

const attribution = tableOf<Row<"attribution">>()("attributions", {
  id,
  customerId: id,
  workspaceId: id,
  partnerId: id,
  schemaId: id,
  agentId: { type: "uuid", nullable: true },
  externalReference: { type: "text", nullable: true, updated: true },
  status: { type: "text", updated: true, initial: "confirmed" },
  cancelReason: { type: "text", nullable: true, updated: true, initial: null },
  properties: { type: "json" },
  createdAt,
  occurredAt: { type: "moment" },
  occurredAtGiven: { type: "moment", nullable: true },
  occurredOn: { type: "text", nullable: true, isWord: true },
  occurredOnGiven: { type: "text", nullable: true, isWord: true },
  credit: { type: "jsonb", nullable: true, updated: true },
  originId: { type: "uuid", nullable: true },
  replaces: { type: "uuid", nullable: true, initial: null },
  replacedBy: { type: "uuid", nullable: true, updated: true, initial: null },
  receipt: { type: "jsonb", nullable: true, updated: true, initial: null },
  settledElsewhere: { type: "jsonb", nullable: true, initial: null },
  ...saved,
});

/** The definition of a formula, and of a plan for all of its formulas. */
const terms = {
  currency: { type: "text" },
  roles: { type: "json", nullable: true },
  release: { type: "text", nullable: true },
  name: { type: "text", updated: true },
  description: { type: "text", nullable: true, updated: true },
  startDatetime: { type: "moment", updated: true },
  endDatetime: { type: "moment", nullable: true, updated: true },
  versions: { type: "json", updated: true },
  parameters: { type: "json", updated: true },
  status: { type: "text", updated: true },
  cancelReason: { type: "text", nullable: true, updated: true },
} as const;

const formula = tableOf<Row<"formula">>()(
  "formulas",
  {
    id,
    customerId: id,
    workspaceId: id,
    partnerId: id,
    schemaId: id,
    ...terms,
    assignment: { type: "jsonb", nullable: true, updated: true },
    parameterValues: { type: "json", updated: true },
    createdAt,
    ...saved,
  },
  { generated: { plan_id: "uuid", plan_revision: "integer" } },
);

const plan = tableOf<Row<"plan">>()(
  "plans",
  {
    id,
    customerId: id,
    workspaceId: id,
    schemaId: id,
    ...terms,
    createdAt,
    ...saved,
  },
  { derived: nameSearchable },
);

const commission = tableOf<Row<"commission">>()(
  "commissions",
  {
    id,
    customerId: id,
    workspaceId: id,
    partnerId: id,
    attributionId: id,
    formulaId: id,
    currency: { type: "text", isWord: true },
    computedAmount: { type: "amount", nullable: true, updated: true },
    waitingAmount: { type: "amount", nullable: true, updated: true },
    receipt: { type: "jsonb", nullable: true, updated: true },
    paidAmount: { type: "amount", updated: true, initial: 0 },
    paidNegative: { type: "amount", updated: true, initial: 0 },
    writtenOffPositive: { type: "amount", updated: true, initial: 0 },
    writtenOffNegative: { type: "amount", updated: true, initial: 0 },
    pendingAmount: { type: "amount", updated: true, initial: 0 },
    openSettlementId: { type: "uuid", nullable: true, updated: true, initial: null },
    settledLineCount: { type: "integer", updated: true, initial: 0 },
    formulaVersion: { type: "integer", nullable: true, updated: true },
    parametersVersion: { type: "integer", nullable: true, updated: true },
    computationError: { type: "jsonb", nullable: true, updated: true },
    createdAt,
    occurredAt: { type: "moment" },
    ...saved,
  },
  {
    generated: {
      settled_amount: "bigint not null",
      settlement_status: "text not null",
      due_sign: "smallint not null",
    },
  },
);

const settlement = tableWithView<Row<"settlement">>()(
  "settlements",
  {
    id,
    customerId: id,
    workspaceId: id,
    partnerId: id,
    currency: { type: "text" },
    total: { type: "amount", updated: true },
    createdAt,
    ...saved,
  },
  { derived: { status: { type: "text", updated: true, of: ({ status }) => status.type } } },
);

const schema = tableOf<Row<"schema">>()(
  "schemas",
  {
    id,
    customerId: id,
    workspaceId: id,
    name: { type: "text", updated: true },
    properties: { type: "json", updated: true },
    displayProperties: { type: "json", updated: true },
    createdAt,
    ...saved,
  },
  { derived: nameSearchable },
);

const partner = tableOf<Row<"partner">>()(
  "partners",
  {
    id,
    customerId: id,
    workspaceId: id,
    ...dataColumns(Partner.Data),
    payoutAccounts: { type: "jsonb", nullable: true, updated: true },
    createdAt,
    ...saved,
  },
  { derived: nameSearchable },
);

const document = tableWithView<Row<"document">>()("documents", {
  id,
  customerId: id,
  settlementId: id,
  kind: { type: "text" },
  revision: { type: "integer" },
  createdAt,
  ...saved,
});

const recomputation = tableWithView<Row<"recomputation">>()("recomputations", {
  id,
  customerId: id,
  formulaId: id,
  pending: { type: "boolean", updated: true },
  ...saved,
});

const apiKey = tableWithView<Row<"apiKey">>()("api_keys", {
  id,
  customerId: id,
  keyId: { type: "text" },
  lastUsedAt: { type: "moment", nullable: true, updated: "latest" },
  createdAt,
  ...saved,
});

const billingProfile = tableWithView<Row<"billingProfile">>()(
  "billing_profiles",
  { customerId: id, ...saved },
  { derived: { id: { type: "uuid", of: ({ customerId }) => customerId } } },
);

const closedUntil = { type: "moment", nullable: true, updated: true } as const;
const books = tableWithView<Row<"books">>()("books", { id, customerId: id, closedUntil, ...saved });
const taxOrigin = tableWithView<Row<"taxOrigin">>()("tax_origins", { id, customerId: id, ...saved });

const arrivalOrder = tableWithView<Row<"arrivalOrder">>()("arrival_orders", {
  id,
  customerId: id,
  partnerId: id,
  schemaId: id,
  ...saved,
});

const attributionHistory = tableOf<Row<"attributionHistory">>()("attribution_histories", {
  id,
  customerId: id,
  partnerId: id,
  schemaId: id,
  ...saved,
});

const runningTotal = tableWithView<Row<"runningTotal">>()("running_totals", {
  id,
  customerId: id,
  formulaId: id,
  ...saved,
});

const paymentFile = tableWithView<Row<"paymentFile">>()("payment_files", {
  id,
  customerId: id,
  createdAt,
  ...saved,
});

const bankPayment = tableWithView<Row<"bankPayment">>()("bank_payments", {
  id,
  customerId: id,
  settlementId: id,
  fileId: { type: "uuid", nullable: true, updated: true },
  isWaiting: { type: "boolean", updated: true },
  ...saved,
});

const webhookEndpoint = tableWithView<Row<"webhookEndpoint">>()("webhook_endpoints", {
  id,
  customerId: id,
  status: { type: "text", updated: true },
  createdAt,
  ...saved,
});

const webhookDelivery = tableWithView<Row<"webhookDelivery">>()("webhook_deliveries", {
  id,
  customerId: id,
  endpointId: id,
  position: { type: "bigint" },
  status: { type: "text", updated: true },
  endedAt: { type: "moment", nullable: true, updated: true },
  createdAt,
  ...saved,
});

const settlementPolicy = tableWithView<Row<"settlementPolicy">>()("settlement_policies", {
  id,
  customerId: id,
  workspaceId: id,
  partnerId: { type: "uuid", nullable: true },
  nextRunAt: { type: "moment", nullable: true, updated: true },
  ...saved,
});

const workspace = tableOf<Row<"workspace">>()("workspaces", {
  id,
  customerId: id,
  workspaceId: id,
  name: { type: "text", nullable: true, updated: true },
  timeZone: { type: "text", updated: true },
  ...saved,
});

const planAcceptance = tableWithView<Row<"planAcceptance">>()("plan_acceptances", {
  id,
  customerId: id,
  workspaceId: id,
  planId: id,
  partnerId: id,
  createdAt,
  ...saved,
});

const partnerLink = tableOf<Row<"partnerLink">>()("partner_links", {
  id,
  customerId: id,
  workspaceId: id,
  partnerId: id,
  uplinePartnerId: id,
  role: { type: "text" },
  startDatetime: { type: "moment" },
  endDatetime: { type: "moment", nullable: true, updated: true },
  createdAt,
  ...saved,
});

const linkSet = tableOf<Row<"linkSet">>()("link_sets", {
  id,
  customerId: id,
  workspaceId: id,
  ...saved,
});

const run = { id, customerId: id, workspaceId: id, createdAt, ...saved } as const;
const settlementRun = tableWithView<Row<"settlementRun">>()("settlement_runs", run);

const settlementRunResult = tableWithView<Row<"settlementRunResult">>()("settlement_run_results", {
  id,
  customerId: id,
  workspaceId: id,
  runId: id,
  partnerId: id,
  createdAt,
  ...saved,
});

const planTrial = tableWithView<Row<"planTrial">>()("plan_trials", {
  id,
  customerId: id,
  workspaceId: id,
  planId: { type: "uuid", nullable: true },
  finishedAt: { type: "moment", nullable: true, updated: true },
  createdAt,
  ...saved,
});

const planTrialResult = tableWithView<Row<"planTrialResult">>()("plan_trial_results", {
  id,
  customerId: id,
  workspaceId: id,
  trialId: id,
  partnerId: id,
  createdAt,
  ...saved,
});

const recreditRun = tableWithView<Row<"recreditRun">>()("recredit_runs", run);

const recreditRunResult = tableWithView<Row<"recreditRunResult">>()("recredit_run_results", {
  id,
  customerId: id,
  workspaceId: id,
  runId: id,
  attributionId: id,
  outcome: { type: "text" },
  createdAt,
  ...saved,
});

export const TABLES: { readonly [Kind in Storage.Kind]: Table<Row<Kind>> } = {
  attribution,
  formula,
  plan,
  commission,
  settlement,
  schema,
  partner,
  document,
  recomputation,
  apiKey,
  billingProfile,
  books,
  taxOrigin,
  arrivalOrder,
  attributionHistory,
  runningTotal,
  paymentFile,
  bankPayment,
  webhookEndpoint,
  webhookDelivery,
  settlementPolicy,
  workspace,
  planAcceptance,
  partnerLink,
  linkSet,
  settlementRun,
  settlementRunResult,
  planTrial,
  planTrialResult,
  recreditRun,
  recreditRunResult,
};

/** Every kind. */
export const KINDS = Object.keys(TABLES) as ReadonlyArray<Storage.Kind>;

/** The table of a kind, with the schema of the database. */
export const tableName = (kind: Storage.Kind): string => `quittance.${TABLES[kind].name}`;
