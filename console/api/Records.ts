/** The records of the HTTP interface, as far as these pages read them. */

export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

export type Kind = "customer" | "agent" | "partner" | "platform" | "system";

export interface Principal {
  readonly principal_id: string;
  readonly kind: Kind;
  readonly customer_id: string | null;
  readonly workspace_ids: "*" | ReadonlyArray<string>;
  readonly partner_ids: "*" | ReadonlyArray<string>;
  readonly agent_id: string | null;
  readonly scopes: ReadonlyArray<string>;
}

export type PropertyValue = string | number | boolean;

/** One event of a record's log. */
export interface LogEntry {
  readonly datetime: string;
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>;
}

export interface Address {
  readonly street: string;
  readonly city: string;
  readonly region: string;
  readonly postal_code: string;
  readonly country: string;
}

export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly customer_id: string;
  readonly workspace_id: string;
  readonly billing_mode: "self_billing" | "partner_billing" | null;
  readonly self_billing_data?: {
    readonly legal_name: string;
    readonly address: Address;
    readonly vat_number: string;
    readonly payment_terms_days: number;
    readonly bank_account: { readonly beneficiary_name: string; readonly iban: string; readonly bic: string };
    readonly tax_config: {
      readonly treatment: string;
      readonly label?: string;
      readonly rate_bps?: number | null;
    };
  } | null;
  readonly payout_problem: string | null;
}

export interface Property {
  readonly name: string;
  readonly type: "string" | "number" | "boolean";
  readonly required: boolean;
  readonly default?: PropertyValue;
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly properties: ReadonlyArray<Property>;
}

export interface Attribution {
  readonly id: string;
  readonly partner_id: string;
  readonly schema_id: string;
  readonly metadata: {
    readonly workspace_id: string;
    readonly occurred_at: string;
    readonly external_reference?: string;
  };
  readonly events: ReadonlyArray<LogEntry>;
  readonly view: {
    readonly status: "confirmed" | "cancelled";
    readonly cancel_reason?: string;
    readonly properties: Readonly<Record<string, PropertyValue>>;
    readonly created_at: string;
  };
}

interface FormulaTerms {
  readonly id: string;
  readonly workspace_id: string;
  readonly schema_id: string;
  readonly currency: string;
  readonly name: string;
  readonly description: string | null;
  readonly start_datetime: string;
  readonly end_datetime: string | null;
  readonly expression: unknown;
  readonly created_at: string;
  readonly events: ReadonlyArray<LogEntry>;
}

export interface Formula extends FormulaTerms {
  readonly partner_id: string;
  readonly plan_id?: string;
  readonly view: { readonly status: "active" | "cancelled"; readonly recomputing?: boolean };
}

export interface Plan extends FormulaTerms {
  readonly view: {
    readonly status: "active" | "cancelled";
    readonly cancel_reason?: string;
    readonly partner_count: number;
    readonly rolling_out: { readonly pending: number; readonly done: number };
  };
}

export interface Commission {
  readonly id: string;
  readonly partner_id: string;
  readonly attribution_id: string;
  readonly commission_formula_id: string;
  readonly workspace_id: string;
  readonly currency: string;
  readonly events: ReadonlyArray<LogEntry>;
  readonly view: {
    readonly created_at: string;
    readonly computed_amount: number | null;
    readonly settlement_status: "unsettled" | "pending_settlement" | "settled";
    readonly settled_amount: number;
    readonly pending_amount: number;
    readonly due_amount: number;
    readonly formula_version: number | null;
    readonly computation_error: { readonly code: string; readonly message: string } | null;
  };
}

export type SettlementStatus =
  | "draft"
  | "awaiting_report"
  | "negative_review"
  | "awaiting_invoice"
  | "awaiting_credit_note"
  | "awaiting_payment"
  | "payment_initiated"
  | "disputed"
  | "paid"
  | "written_off"
  | "cancelled";

export interface Line {
  readonly commission_id: string;
  readonly amount: number;
}

export interface Settlement {
  readonly id: string;
  readonly customer_id: string;
  readonly workspace_id: string;
  readonly partner_id: string;
  readonly currency: string;
  readonly events: ReadonlyArray<LogEntry>;
  readonly view: {
    readonly status: {
      readonly type: SettlementStatus;
      readonly resume?: SettlementStatus;
      readonly method?: string;
      readonly cause?: string;
    };
    readonly total: number;
    readonly lines: ReadonlyArray<Line>;
    readonly billing_mode: "self_billing" | "partner_billing" | null;
    readonly tax_amount: number | null;
    readonly payable_amount: number | null;
    readonly stale: boolean;
    readonly dispute_reason: string | null;
    readonly disputed_at: string | null;
    readonly reconciliation_status: "reconciled" | "unreconciled";
    readonly report_reference: string | null;
    readonly report_number: string | null;
    readonly invoice_reference: string | null;
    readonly invoice_number: string | null;
    readonly invoice_date: string | null;
    readonly due_date: string | null;
    readonly credit_note_reference: string | null;
    readonly credit_note_number: string | null;
    readonly credit_note_date: string | null;
    readonly document_problem: { readonly kind: string; readonly message: string } | null;
    readonly payment_reference: string | null;
    readonly paid_at: string | null;
    readonly bank_reference: string | null;
    readonly created_at: string;
  };
}

export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  readonly kind: Kind;
  readonly workspace_ids: "*" | ReadonlyArray<string>;
  readonly partner_ids: "*" | ReadonlyArray<string>;
  readonly agent_id: string | null;
  readonly scopes: ReadonlyArray<string>;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface Amount {
  readonly currency: string;
  readonly amount: number;
}

interface Sums {
  readonly count: number;
  readonly settled: { readonly count: number; readonly amounts: ReadonlyArray<Amount> };
  readonly unsettled: { readonly count: number; readonly amounts: ReadonlyArray<Amount> };
}

export type Bucket = Sums & { readonly timestamp: string };

export interface CommissionStatistics {
  readonly summary: Sums;
  readonly buckets: ReadonlyArray<Bucket>;
}

export interface TraceEntry {
  readonly path: string;
  readonly type: string;
  readonly value: unknown;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Explanation {
  readonly commission_id: string;
  readonly amount: number | null;
  readonly basis: "evaluated" | "attribution_cancelled" | "formula_cancelled" | "outside_window" | "failed";
  readonly formula_version: number | null;
  readonly trace: ReadonlyArray<TraceEntry> | null;
}

/** The lists of the interface: the path, the name of the records in the response, and their type. */
export interface Lists {
  readonly partners: Partner;
  readonly attribution_schemas: Schema;
  readonly attributions: Attribution;
  readonly commission_formulas: Formula;
  readonly commission_plans: Plan;
  readonly commissions: Commission;
  readonly settlements: Settlement;
  readonly api_keys: ApiKey;
}
