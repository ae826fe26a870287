/** What can be exported: the columns of each kind, and how they are read from a store and from a server. */
import { Attribution, Credit, Ledger, MaskedAccount, type Storage, Timestamp } from "quittance";
import { PARTNER_COLUMNS } from "../../importing/PartnerRow.ts";
import { record } from "../../sql/records/RowMapping.ts";

/** A value of a column; an object only in the column of properties. */
export type Cell = string | number | null | object;
export type Row = Readonly<Record<string, Cell>>;

type Json = Readonly<Record<string, unknown>>;

/** Filters of an export; null means no filter. */
export interface Filters {
  readonly workspace: string | null;
  readonly partner: string | null;
  /** Inclusive. */
  readonly from: Timestamp.Timestamp | null;
  /** Exclusive. */
  readonly to: Timestamp.Timestamp | null;
}

/** A kind of rows. */
export interface Table {
  readonly columns: ReadonlyArray<string>;
  /** The columns with amounts, in the smallest unit of the column of its own, such as `fee_currency`, or of `currency`. */
  readonly amounts: ReadonlyArray<string>;
  /** The table of the database with the alias `t`. */
  readonly from: string;
  /** The moment that `from` and `to` select by, and the parameters of the interface that do; null where nothing is selected by time. */
  readonly moment: {
    readonly column: string;
    readonly parameters: readonly [from: string, to: string];
  } | null;
  /** The column of the partner, and the parameter of the interface. */
  readonly partner: { readonly column: string; readonly parameter: string };
  /** An SQL expression of one JSON object, and the rows that it gives. */
  readonly selected: string;
  readonly fromStore: (source: Json) => ReadonlyArray<Row>;
  /** The list of the interface, its field, and the rows that a record gives. */
  readonly path: string;
  readonly field: string;
  /** The records of another list that the rows rest on, each named by a field of a record; a server may refuse to list them. */
  readonly beside?: { readonly path: string; readonly named: string };
  /** `beside` is absent where the record that is named cannot be read. */
  readonly fromServer: (source: Json, beside?: Json) => ReadonlyArray<Row>;
  /** Records read at a time from a store. */
  readonly size: number;
}

const BY_OCCURRENCE = { column: "t.occurred_at", parameters: ["occurred_from", "occurred_to"] } as const;
const BY_CREATION = { column: "t.created_at", parameters: ["created_from", "created_to"] } as const;
const BY_PARTNER = { column: "t.partner_id", parameter: "partner_ids" };

const cell = (value: unknown): Cell =>
  value === undefined || value === null
    ? null
    : typeof value === "object"
      ? value
      : typeof value === "number"
        ? value
        : String(value);

const pick = (columns: ReadonlyArray<string>, values: Json): Row =>
  Object.fromEntries(columns.map((column) => [column, cell(values[column])]));

const camelCase = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of a record under the names of the columns. */
const bySnakeCase = (columns: ReadonlyArray<string>, source: Json): Json =>
  Object.fromEntries(columns.map((column) => [column, source[camelCase(column)]]));

const formatTime = (value: unknown): string => Timestamp.format(Number(value));

const ATTRIBUTION = [
  "id",
  "customer_id",
  "workspace_id",
  "partner_id",
  "schema_id",
  "agent_id",
  "external_reference",
  "status",
  "cancel_reason",
  "occurred_at",
  "occurred_on",
  "created_at",
  "properties",
  "role",
  "share",
  "origin_id",
  "depth",
  "received",
  "of",
  "received_at",
  "settled_elsewhere_at",
  "settled_elsewhere_reference",
];

/** What the buyer has paid, under the names of its columns; empty where nothing is stated. */
const receiptColumns = (receipt: unknown): Json => {
  const { received, of, received_at, receivedAt } = (receipt ?? {}) as Json;
  return { received, of, received_at: receivedAt === undefined ? received_at : formatTime(receivedAt) };
};

/** When a sale was settled elsewhere, under the names of its columns; empty where it was not. */
const elsewhereColumns = (settled: unknown): Json => {
  const { at, reference } = (settled ?? {}) as Json;
  return {
    settled_elsewhere_at: typeof at === "number" ? formatTime(at) : at,
    settled_elsewhere_reference: reference,
  };
};

/** The credit of an attribution under the names of its columns; of a sale without others all of it, as a seller. */
const creditColumns = (credit: unknown): Json => {
  const { role, share, depth } = (credit ?? Credit.WHOLE) as Credit.Credit;
  return { role, share, depth };
};

/** The part of its sale that an attribution is, from a record of the interface. */
const partOf = ({ metadata }: Json): Json => {
  const { credit, origin_id } = metadata as Json;
  return { ...creditColumns(credit), origin_id };
};

const attributions: Table = {
  columns: ATTRIBUTION,
  amounts: [],
  from: "quittance.attributions t",
  moment: BY_OCCURRENCE,
  partner: BY_PARTNER,
  selected: record("attribution", "t"),
  fromStore: (source) => [
    pick(ATTRIBUTION, {
      ...bySnakeCase(ATTRIBUTION, source),
      occurred_at: formatTime(source.occurredAt),
      occurred_on: Attribution.dayOf(source as unknown as Storage.Rows["attribution"]),
      created_at: formatTime(source.createdAt),
      ...creditColumns(source.credit),
      ...receiptColumns(source.receipt),
      ...elsewhereColumns(source.settledElsewhere),
    }),
  ],
  path: "attributions",
  field: "attributions",
  fromServer: (source) => [
    pick(ATTRIBUTION, {
      ...source,
      ...(source.metadata as Json),
      ...(source.view as Json),
      ...partOf(source),
      ...receiptColumns((source.view as Json).receipt),
      ...elsewhereColumns((source.view as Json).settled_elsewhere),
    }),
  ],
  size: 1_000,
};

const COMMISSION = [
  "id",
  "customer_id",
  "workspace_id",
  "partner_id",
  "attribution_id",
  "commission_formula_id",
  "currency",
  "computed_amount",
  "settled_amount",
  "pending_amount",
  "due_amount",
  "released_amount",
  "waiting_amount",
  "settlement_status",
  "formula_version",
  "created_at",
  "role",
  "share",
  "origin_id",
  "depth",
];

const commissions: Table = {
  columns: COMMISSION,
  amounts: [
    "computed_amount",
    "settled_amount",
    "pending_amount",
    "due_amount",
    "released_amount",
    "waiting_amount",
  ],
  from: "quittance.commissions t join quittance.attributions a on a.customer_id = $1::uuid and a.id = t.attribution_id",
  moment: BY_OCCURRENCE,
  partner: BY_PARTNER,
  selected: `json_build_object('commission', ${record("commission", "t")}, 'credit', a.credit, 'origin_id', a.origin_id)`,
  fromStore: ({ commission, credit, origin_id }) => {
    const row = commission as Storage.Rows["commission"];
    return [
      pick(COMMISSION, {
        ...bySnakeCase(COMMISSION, commission as Json),
        ...creditColumns(credit),
        origin_id,
        commission_formula_id: row.formulaId,
        settled_amount: Ledger.settledAmount(row),
        due_amount: Ledger.due(row),
        released_amount: row.receipt === null ? undefined : Ledger.releasedAmount(row),
        settlement_status: Ledger.settlementStatus(row),
        created_at: formatTime(row.createdAt),
      }),
    ];
  },
  path: "commissions",
  field: "commissions",
  beside: { path: "attributions", named: "attribution_id" },
  fromServer: (source, attribution) => [
    pick(COMMISSION, {
      ...source,
      ...(source.view as Json),
      ...(attribution === undefined ? {} : partOf(attribution)),
    }),
  ],
  size: 1_000,
};

const SETTLEMENT = [
  "id",
  "customer_id",
  "workspace_id",
  "partner_id",
  "currency",
  "status",
  "total",
  "tax_amount",
  "payable_amount",
  "report_number",
  "invoice_number",
  "invoice_date",
  "due_date",
  "credit_note_number",
  "credit_note_date",
  "payment_reference",
  "bank_reference",
  "fee",
  "fee_currency",
  "received",
  "received_currency",
  "reconciliation_status",
  "created_at",
];

/** What a payment reported, under the names of its columns; empty where it did not. */
const paidColumns = ({ fee, received }: Json): Json => {
  const [charged, arrived] = [fee ?? {}, received ?? {}] as [Json, Json];
  return {
    fee: charged.amount,
    fee_currency: charged.currency,
    received: arrived.amount,
    received_currency: arrived.currency,
  };
};

const statusOf = (value: unknown): unknown => (value as Json | undefined)?.type;

const settlements: Table = {
  columns: SETTLEMENT,
  amounts: ["total", "tax_amount", "payable_amount", "fee", "received"],
  from: "quittance.settlements t",
  moment: BY_CREATION,
  partner: BY_PARTNER,
  selected: record("settlement", "t"),
  fromStore: (source) => [
    pick(SETTLEMENT, {
      ...bySnakeCase(SETTLEMENT, source),
      ...paidColumns(source),
      status: statusOf(source.status),
      created_at: formatTime(source.createdAt),
    }),
  ],
  path: "settlements",
  field: "settlements",
  fromServer: (source) => {
    const view = source.view as Json;
    return [pick(SETTLEMENT, { ...source, ...view, ...paidColumns(view), status: statusOf(view.status) })];
  },
  size: 1_000,
};

const LINE = [
  "settlement_id",
  "workspace_id",
  "partner_id",
  "status",
  "position",
  "commission_id",
  "amount",
  "currency",
];

const linesOf = (settlement: Json, status: unknown, lines: unknown): ReadonlyArray<Row> =>
  (lines as ReadonlyArray<Json>).map((line, index) =>
    pick(LINE, {
      settlement_id: settlement.id,
      workspace_id: settlement.workspace_id,
      partner_id: settlement.partner_id,
      currency: settlement.currency,
      status,
      position: index + 1,
      ...line,
    }),
  );

const lines: Table = {
  columns: LINE,
  amounts: ["amount"],
  from: "quittance.settlements t",
  moment: BY_CREATION,
  partner: BY_PARTNER,
  selected: `json_build_object('id', t.id, 'workspace_id', t.workspace_id, 'partner_id', t.partner_id,
    'currency', t.currency, 'status', t.status, 'lines', (
      select coalesce(json_agg(json_build_object('commission_id', l.commission_id, 'amount', l.amount) order by l.position), '[]')
      from quittance.settlement_lines l where l.customer_id = $1::uuid and l.settlement_id = t.id))`,
  fromStore: (source) => linesOf(source, source.status, source.lines),
  path: "settlements",
  field: "settlements",
  fromServer: (source) => {
    const view = source.view as Json;
    return linesOf(source, statusOf(view.status), view.lines);
  },
  // A settlement has up to 10,000 lines.
  size: 20,
};

/** The columns of a file of partners, after the ids. */
const PARTNER = ["id", "customer_id", ...PARTNER_COLUMNS];

/** A stored record with the names of the interface. */
const inSnakeCase = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeCase(name), inSnakeCase(inner)]));

/** A partner from a record with the names of the interface. Its account is masked, as files are passed on. */
const partnerRow = (source: Json): Row => {
  const billing = (source.self_billing_data ?? {}) as Json;
  const { iban, ...account } = (billing.bank_account ?? {}) as Json;
  const tax = (billing.tax_config ?? {}) as Json;
  return pick(PARTNER, {
    ...{
      ...billing,
      ...(billing.address as Json | undefined),
      ...account,
      email: null,
      notes: null,
      ...source,
    },
    status: source.status ?? "active",
    tags: ((source.tags ?? []) as ReadonlyArray<string>).join("|"),
    iban: typeof iban === "string" ? MaskedAccount.maskIban(iban) : null,
    ...{ tax_treatment: tax.treatment, tax_label: tax.label },
    tax_rate: typeof tax.rate_bps === "number" ? tax.rate_bps / 100 : null,
  });
};

const partners: Table = {
  columns: PARTNER,
  amounts: [],
  from: "quittance.partners t",
  moment: null,
  partner: { column: "t.id", parameter: "ids" },
  selected: record("partner", "t"),
  fromStore: (source) => [partnerRow(inSnakeCase(source) as Json)],
  path: "partners",
  field: "partners",
  fromServer: (source) => [partnerRow(source)],
  size: 1_000,
};

/** Every kind, by its name on the command line. */
export const TABLES: Readonly<Record<string, Table>> = {
  ...{ attributions, commissions, settlements, lines },
  partners,
};
