/** Records as tables hold them: where each kind lies, how a row becomes a record, how a record becomes a row. */
import {
  type ApiKey,
  type BillingProfile,
  type Document,
  type Recomputation,
  type Settlement,
  type Storage,
  type Tax,
  Text,
} from "quittance";

/** The table of each kind. */
export const TABLES = {
  attribution: "quittance.attributions",
  formula: "quittance.formulas",
  commission: "quittance.commissions",
  settlement: "quittance.settlements",
  schema: "quittance.schemas",
  partner: "quittance.partners",
  document: "quittance.documents",
  recomputation: "quittance.recomputations",
  apiKey: "quittance.api_keys",
  billingProfile: "quittance.billing_profiles",
  taxOrigin: "quittance.tax_origins",
} as const satisfies Record<Storage.Kind, string>;

const OWNED = ["id", "customerId", "workspaceId"];
const LAST = ["createdAt", "version", "lastAt"];

/** The fields of each kind that have a column of their own; those with a `view` column keep the rest there. */
const FIELDS: { readonly [Kind in Storage.Kind]: ReadonlyArray<string> } = {
  attribution: [
    ...OWNED,
    "partnerId",
    "schemaId",
    "agentId",
    "externalReference",
    "status",
    "cancelReason",
    "properties",
    ...LAST,
  ],
  formula: [
    ...OWNED,
    "partnerId",
    "schemaId",
    "currency",
    "name",
    "description",
    "startDatetime",
    "endDatetime",
    "versions",
    "status",
    "cancelReason",
    ...LAST,
  ],
  commission: [
    ...OWNED,
    "partnerId",
    "attributionId",
    "formulaId",
    "currency",
    "computedAmount",
    "paidAmount",
    "paidNegative",
    "writtenOffPositive",
    "writtenOffNegative",
    "pendingAmount",
    "openSettlementId",
    "settledLineCount",
    "formulaVersion",
    "computationError",
    ...LAST,
  ],
  settlement: [...OWNED, "partnerId", "currency", "total", ...LAST],
  schema: [...OWNED, "name", "properties", ...LAST],
  partner: [...OWNED, "name", "billingMode", "selfBillingData", ...LAST],
  document: ["id", "customerId", "settlementId", "kind", "revision", ...LAST],
  recomputation: ["id", "customerId", "formulaId", "pending", "version", "lastAt"],
  apiKey: ["id", "customerId", "keyId", "lastUsedAt", ...LAST],
  billingProfile: ["customerId", "version", "lastAt"],
  taxOrigin: ["id", "customerId", "version", "lastAt"],
};

/** Kinds whose fields without a column lie in `view`. */
const VIEWED: ReadonlySet<Storage.Kind> = new Set([
  "settlement",
  "document",
  "recomputation",
  "apiKey",
  "billingProfile",
  "taxOrigin",
]);

const column = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An SQL expression: the record of a row as one JSON object, version and last moment included. */
export const record = (kind: Storage.Kind, alias: string): string => {
  const pairs = FIELDS[kind].map((field) => `'${field}', ${alias}."${column(field)}"`).join(", ");
  return VIEWED.has(kind) ? `(${alias}.view || jsonb_build_object(${pairs}))` : `json_build_object(${pairs})`;
};

/** Fields kept as the JSON text that callers wrote, keys in their order. */
const AS_WRITTEN: ReadonlySet<string> = new Set(["properties", "versions"]);

/** What a change set sends of a record: columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns of each kind beside their fields, named once: a batch encodes thousands of rows. */
const COLUMNS = new Map(
  Object.entries(FIELDS).map(([kind, fields]) => [
    kind,
    fields.map((field) => ({ field, column: column(field), asWritten: AS_WRITTEN.has(field) })),
  ]),
);

const columns = (kind: Storage.Kind, fields: object): Row => {
  const row: Record<string, unknown> = {};
  for (const { field, column, asWritten } of COLUMNS.get(kind) ?? []) {
    const value: unknown = Reflect.get(fields, field) ?? null;
    row[column] = asWritten ? JSON.stringify(value) : value;
  }
  return row;
};

const settlement = (row: Storage.Versioned<Settlement.Settlement>): Row => {
  const { id, customerId, workspaceId, partnerId, currency, total, createdAt, version, lastAt, ...view } =
    row;
  return { ...columns("settlement", row), status: view.status.type, view };
};

const document = (row: Storage.Versioned<Document.Document>): Row => {
  const { id, customerId, settlementId, kind, revision, createdAt, version, lastAt, ...view } = row;
  return { ...columns("document", row), view };
};

const recomputation = (row: Storage.Versioned<Recomputation.Recomputation>): Row => {
  const { id, customerId, formulaId, pending, version, lastAt, ...view } = row;
  return { ...columns("recomputation", row), view };
};

const apiKey = (row: Storage.Versioned<ApiKey.ApiKey>): Row => {
  const { id, customerId, keyId, lastUsedAt, createdAt, version, lastAt, ...view } = row;
  return { ...columns("apiKey", row), view };
};

const billingProfile = (row: Storage.Versioned<BillingProfile.BillingProfile>): Row => {
  const { customerId, version, lastAt, ...view } = row;
  return { ...columns("billingProfile", row), id: customerId, view };
};

const taxOrigin = (row: Storage.Versioned<Tax.TaxOrigin>): Row => {
  const { id, customerId, version, lastAt, ...view } = row;
  return { ...columns("taxOrigin", row), view };
};

/** The row of a saved record. */
export const encode = ({ kind, row }: Extract<Storage.Change, { readonly type: "save" }>): Row => {
  switch (kind) {
    case "attribution":
    case "formula":
    case "commission":
      return columns(kind, row);
    case "schema":
    case "partner":
      return { ...columns(kind, row), name_searchable: Text.searchable(row.name) };
    case "settlement":
      return settlement(row);
    case "document":
      return document(row);
    case "recomputation":
      return recomputation(row);
    case "apiKey":
      return apiKey(row);
    case "billingProfile":
      return billingProfile(row);
    case "taxOrigin":
      return taxOrigin(row);
  }
};
