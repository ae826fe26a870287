/**
 * The operations of the HTTP interface and their types, generated from its contract by `npm run docs`: change the
 * contract, not this file.
 */
import type { Expression } from "quittance/formula";
import type { CallOptions, Download, Moment, Upload } from "./Call.ts";

/** How an operation is called. */
export interface Operation {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  /** Where its input goes. */
  readonly input?: "query" | "json" | "form";
  readonly isFile?: boolean;
  /** The field of a list's response that has the records. */
  readonly items?: string;
  /** How a list is read to its end. */
  readonly walk?: "page" | "cursor";
  /** True if a list finds records by their ids. */
  readonly hasIds?: boolean;
}

/** Operations by service and method; those of documents also by the kind of document. */
export interface OperationTable {
  readonly [service: string]: {
    readonly [method: string]: Operation | { readonly [kind: string]: Operation };
  };
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  /** How many records match, on all pages. */
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** Of every command: whether it repeats the result of an earlier call with the same idempotency key. */
export interface Replayed {
  readonly replayed: boolean;
}

/** Every operation. */
export const TABLE = {
  attributions: {
    list: {
      method: "GET",
      path: "/attributions",
      input: "query",
      items: "attributions",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/attributions", input: "json" },
    createBatch: { method: "POST", path: "/attributions/batch", input: "json" },
    statistics: { method: "GET", path: "/attributions/stats", input: "query" },
    cancel: { method: "DELETE", path: "/attributions/{id}", input: "json" },
    replace: { method: "POST", path: "/attributions/{id}/replace", input: "json" },
    recredit: { method: "POST", path: "/attributions/{id}/recredit", input: "json" },
    stateReceived: { method: "PUT", path: "/attributions/{id}/received", input: "json" },
    previewReceived: { method: "POST", path: "/attributions/{id}/received/preview", input: "json" },
    stateReceivedBatch: { method: "POST", path: "/attributions/received", input: "json" },
  },
  recredits: {
    list: {
      method: "GET",
      path: "/recredits",
      input: "query",
      items: "recredits",
      walk: "page",
      hasIds: true,
    },
    start: { method: "POST", path: "/recredits", input: "json" },
    read: { method: "GET", path: "/recredits/{id}", input: "query" },
  },
  attributionSchemas: {
    list: {
      method: "GET",
      path: "/attribution-schemas",
      input: "query",
      items: "attributionSchemas",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/attribution-schemas", input: "json" },
  },
  partners: {
    list: { method: "GET", path: "/partners", input: "query", items: "partners", walk: "page", hasIds: true },
    create: { method: "POST", path: "/partners", input: "json" },
    update: { method: "PATCH", path: "/partners/{id}", input: "json" },
    events: { method: "GET", path: "/partners/{id}/events", input: "query" },
    balance: { method: "GET", path: "/partners/{id}/balance", input: "query" },
    balances: { method: "GET", path: "/partners/balances", input: "query" },
    statement: { method: "GET", path: "/partners/{id}/statement", input: "query" },
    settlementSchedule: { method: "GET", path: "/partners/{id}/settlement-schedule" },
  },
  payoutAccounts: {
    read: { method: "GET", path: "/partners/{id}/payout-accounts" },
    propose: { method: "POST", path: "/partners/{id}/payout-accounts", input: "json" },
    confirm: { method: "POST", path: "/partners/{id}/payout-accounts/{account_id}/confirm" },
    retire: { method: "POST", path: "/partners/{id}/payout-accounts/{account_id}/retire" },
  },
  partnerLinks: {
    list: {
      method: "GET",
      path: "/partner-links",
      input: "query",
      items: "partnerLinks",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/partner-links", input: "json" },
    update: { method: "PATCH", path: "/partner-links/{id}", input: "json" },
  },
  commissionFormulas: {
    list: {
      method: "GET",
      path: "/commission-formulas",
      input: "query",
      items: "commissionFormulas",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/commission-formulas", input: "json" },
    simulate: { method: "POST", path: "/commission-formulas/simulate", input: "json" },
    update: { method: "PATCH", path: "/commission-formulas/{id}", input: "json" },
    withdrawVersion: { method: "DELETE", path: "/commission-formulas/{id}/versions/{number}" },
    setParameters: { method: "PUT", path: "/commission-formulas/{id}/parameters", input: "json" },
    cancel: { method: "DELETE", path: "/commission-formulas/{id}", input: "json" },
  },
  commissionPlans: {
    list: {
      method: "GET",
      path: "/commission-plans",
      input: "query",
      items: "commissionPlans",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/commission-plans", input: "json" },
    update: { method: "PATCH", path: "/commission-plans/{id}", input: "json" },
    withdrawVersion: { method: "DELETE", path: "/commission-plans/{id}/versions/{number}" },
    cancel: { method: "DELETE", path: "/commission-plans/{id}", input: "json" },
    assign: { method: "POST", path: "/commission-plans/{id}/partners", input: "json" },
    unassign: { method: "DELETE", path: "/commission-plans/{id}/partners/{partner_id}", input: "json" },
    setPartnerParameters: {
      method: "PUT",
      path: "/commission-plans/{id}/partners/{partner_id}/parameters",
      input: "json",
    },
    setParameters: { method: "POST", path: "/commission-plans/{id}/parameters", input: "json" },
    terms: { method: "GET", path: "/commission-plans/{id}/terms", input: "query" },
    accept: { method: "POST", path: "/commission-plans/{id}/acceptances", input: "json" },
    acceptances: { method: "GET", path: "/commission-plans/{id}/acceptances", input: "query" },
  },
  planTrials: {
    list: {
      method: "GET",
      path: "/plan-trials",
      input: "query",
      items: "planTrials",
      walk: "page",
      hasIds: true,
    },
    start: { method: "POST", path: "/plan-trials", input: "json" },
    read: { method: "GET", path: "/plan-trials/{id}", input: "query" },
    export: { method: "GET", path: "/plan-trials/{id}/export", input: "query", isFile: true },
    adopt: { method: "POST", path: "/plan-trials/{id}/adopt", input: "json" },
  },
  commissions: {
    list: {
      method: "GET",
      path: "/commissions",
      input: "query",
      items: "commissions",
      walk: "page",
      hasIds: true,
    },
    statistics: { method: "GET", path: "/commissions/stats", input: "query" },
    explain: { method: "GET", path: "/commissions/{id}/explanation" },
  },
  settlements: {
    list: {
      method: "GET",
      path: "/settlements",
      input: "query",
      items: "settlements",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/settlements", input: "json" },
    preview: { method: "POST", path: "/settlements/preview", input: "json" },
    approve: { method: "POST", path: "/settlements/{id}/approve" },
    review: { method: "POST", path: "/settlements/{id}/review", input: "json" },
    cancel: { method: "DELETE", path: "/settlements/{id}" },
    writeOff: { method: "POST", path: "/settlements/{id}/write-off", input: "json" },
    markAsPaid: { method: "POST", path: "/settlements/{id}/mark-as-paid", input: "json" },
    export: { method: "GET", path: "/settlements/{id}/export", input: "query", isFile: true },
    dispute: { method: "POST", path: "/settlements/{id}/dispute", input: "json" },
    withdrawDispute: { method: "POST", path: "/settlements/{id}/withdraw-dispute" },
    resolveDispute: { method: "POST", path: "/settlements/{id}/resolve-dispute", input: "json" },
    comment: { method: "POST", path: "/settlements/{id}/comment", input: "json" },
    choosePayoutAccount: { method: "POST", path: "/settlements/{id}/payout-account", input: "json" },
    initiatePayment: { method: "POST", path: "/settlements/{id}/initiate-payment" },
    failPayment: { method: "POST", path: "/settlements/{id}/fail-payment", input: "json" },
    returnPayment: { method: "POST", path: "/settlements/{id}/return-payment", input: "json" },
    reconcile: { method: "POST", path: "/settlements/{id}/reconcile", input: "json" },
  },
  documents: {
    download: {
      report: { method: "GET", path: "/settlements/{id}/report", isFile: true },
      invoice: { method: "GET", path: "/settlements/{id}/invoice", input: "query", isFile: true },
      credit_note: { method: "GET", path: "/settlements/{id}/credit-note", input: "query", isFile: true },
    },
    upload: {
      report: { method: "POST", path: "/settlements/{id}/report", input: "form" },
      invoice: { method: "POST", path: "/settlements/{id}/invoice", input: "form" },
      credit_note: { method: "POST", path: "/settlements/{id}/credit-note", input: "form" },
    },
    attach: { method: "POST", path: "/settlements/{id}/attachments", input: "form" },
    downloadAttachment: {
      method: "GET",
      path: "/settlements/{id}/attachments/{attachment_id}",
      isFile: true,
    },
  },
  settlementPolicies: {
    read: { method: "GET", path: "/settlement-policies/{workspace_id}" },
    write: { method: "PUT", path: "/settlement-policies/{workspace_id}", input: "json" },
    readOverride: { method: "GET", path: "/settlement-policies/{workspace_id}/partners/{partner_id}" },
    writeOverride: {
      method: "PUT",
      path: "/settlement-policies/{workspace_id}/partners/{partner_id}",
      input: "json",
    },
    removeOverride: { method: "DELETE", path: "/settlement-policies/{workspace_id}/partners/{partner_id}" },
  },
  settlementRuns: {
    list: {
      method: "GET",
      path: "/settlement-runs",
      input: "query",
      items: "settlementRuns",
      walk: "page",
      hasIds: true,
    },
    start: { method: "POST", path: "/settlement-runs", input: "json" },
    read: { method: "GET", path: "/settlement-runs/{id}", input: "query" },
  },
  apiKeys: {
    list: { method: "GET", path: "/api-keys", input: "query", items: "apiKeys", walk: "page" },
    create: { method: "POST", path: "/api-keys", input: "json" },
    accept: { method: "POST", path: "/invitations/accept" },
    revoke: { method: "DELETE", path: "/api-keys/{id}" },
    current: { method: "GET", path: "/principal" },
  },
  billingProfile: {
    read: { method: "GET", path: "/billing-profile" },
    write: { method: "PUT", path: "/billing-profile", input: "json" },
  },
  events: { list: { method: "GET", path: "/events", input: "query", items: "events", walk: "cursor" } },
  journal: {
    read: { method: "GET", path: "/journal", input: "query" },
    payables: { method: "GET", path: "/payables", input: "query" },
  },
  postingRules: {
    read: { method: "GET", path: "/posting-rules" },
    write: { method: "PUT", path: "/posting-rules", input: "json" },
  },
  periods: {
    read: { method: "GET", path: "/periods" },
    close: { method: "POST", path: "/periods/{month}/close" },
    reopen: { method: "POST", path: "/periods/{month}/reopen", input: "json" },
  },
  erasures: {
    partner: { method: "POST", path: "/partners/{id}/erase", input: "json" },
    events: { method: "POST", path: "/events/erase", input: "json" },
  },
  webhookEndpoints: {
    list: {
      method: "GET",
      path: "/webhook-endpoints",
      input: "query",
      items: "webhookEndpoints",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/webhook-endpoints", input: "json" },
    read: { method: "GET", path: "/webhook-endpoints/{id}" },
    update: { method: "PATCH", path: "/webhook-endpoints/{id}", input: "json" },
    remove: { method: "DELETE", path: "/webhook-endpoints/{id}" },
    rotate: { method: "POST", path: "/webhook-endpoints/{id}/rotate" },
    deliveries: { method: "GET", path: "/webhook-endpoints/{id}/deliveries", input: "query" },
    redeliver: { method: "POST", path: "/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver" },
  },
  paymentFiles: {
    list: {
      method: "GET",
      path: "/payment-files",
      input: "query",
      items: "paymentFiles",
      walk: "page",
      hasIds: true,
    },
    create: { method: "POST", path: "/payment-files", input: "json" },
    read: { method: "GET", path: "/payment-files/{id}", isFile: true },
    handOver: { method: "POST", path: "/payment-files/{id}/hand-over" },
    discard: { method: "DELETE", path: "/payment-files/{id}", input: "json" },
    readStatement: { method: "POST", path: "/bank-statements", input: "form" },
  },
  workspaces: {
    read: { method: "GET", path: "/workspaces/{id}" },
    write: { method: "PUT", path: "/workspaces/{id}", input: "json" },
  },
} as const satisfies OperationTable;

/** Fields of HTTP whose content has the same form here. */
export const UNCHANGED: ReadonlySet<string> = new Set([
  "auto_approve",
  "detail",
  "details",
  "event",
  "expression",
  "formula",
  "four_eyes_above",
  "minimum",
  "parameters",
  "properties",
  "values",
]);

/** Where sums over many records are: the name of an object and of its field. */
export const SUMS: ReadonlySet<string> = new Set([
  ".closing_balance",
  ".opening_balance",
  "amounts.amount",
  "balances.due",
  "balances.earned",
  "balances.pending",
  "balances.settled",
  "balances.waiting",
  "changes.amount_now",
  "changes.amount_then",
  "changes.difference",
  "commissions.amount",
  "commissions.waiting",
  "lines.credit",
  "lines.debit",
  "months.amount_now",
  "months.amount_then",
  "months.difference",
  "months.waiting_now",
  "months.waiting_then",
  "movements.amount",
  "movements.balance",
  "plan_trials.amount_now",
  "plan_trials.amount_then",
  "plan_trials.difference",
  "plan_trials.waiting_now",
  "plan_trials.waiting_then",
  "results.amount_now",
  "results.amount_then",
  "results.difference",
  "results.waiting_now",
  "results.waiting_then",
  "rows.accrued",
  "rows.awaiting_receipt",
  "rows.current",
  "rows.earned",
  "rows.in_settlement",
  "rows.overdue_1_to_30",
  "rows.overdue_31_to_60",
  "rows.overdue_61_to_90",
  "rows.overdue_over_90",
  "rows.paid",
  "rows.payable",
  "rows.settled_elsewhere",
  "rows.tax",
  "rows.written_off",
  "totals.amount",
  "totals.amount_after",
  "totals.amount_before",
  "totals.credit",
  "totals.debit",
  "trial.amount_now",
  "trial.amount_then",
  "trial.difference",
  "trial.waiting_now",
  "trial.waiting_then",
]);

/** Fields of requests that hold moments. */
export const MOMENTS: ReadonlySet<string> = new Set([
  "active_at",
  "at",
  "created_at",
  "created_from",
  "created_to",
  "effective_datetime",
  "end_datetime",
  "expires_at",
  "from",
  "occurred_at",
  "occurred_from",
  "occurred_to",
  "paid_at",
  "received_at",
  "start_datetime",
  "to",
  "until",
]);

/** Fields of HTTP whose own fields are fields of the record around them. */
export const FLAT: ReadonlySet<string> = new Set(["metadata", "view"]);

/** The services of a server. */
export interface Services {
  readonly attributions: {
    /**
     * List attributions. Oldest first by created_at by default. external_references match exactly, with
     * letter case. (GET /api/v1/attributions)
     */
    readonly list: (filters?: ListAttributions, options?: CallOptions) => Promise<Page<Attribution>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListAttributions, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<Attribution, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<Attribution>;
    /**
     * Create an attribution. Records an event of a partner, checks its properties against the schema, and
     * creates a commission under every matching formula. occurred_at is the date for which the event
     * counts: from 1970 to 5 minutes ahead of the clock, created_at by default. occurred_on is its
     * calendar day, at most one day from the UTC day. The same external_reference with the same content
     * returns the existing id; with other content it is a conflict. Where several partners earn from the
     * event, credits names them with their shares: each gets an attribution of its own, and the response
     * has the id of the origin, that of partner_id. Partners above the sellers get credits by their links.
     * settled_elsewhere states of a sale of the past that what it earns now was settled in another system:
     * it counts for its own date and is never due, and later changes of the sale are due. (POST
     * /api/v1/attributions)
     */
    readonly create: (
      input: CreateAttribution,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * Create many attributions in one request. At most 1,000, stored in one commit; results are in the
     * order of the request. Mode atomic (the default): when one attribution is invalid, nothing is stored,
     * and the message names its index. Mode independent: the valid ones are stored, and the results have
     * the errors of the others. (POST /api/v1/attributions/batch)
     */
    readonly createBatch: (
      input: CreateAttributions,
      options?: CallOptions,
    ) => Promise<
      {
        readonly results: ReadonlyArray<
          | {
              readonly id: string;
            }
          | {
              readonly errorCode:
                | "UNAUTHORIZED"
                | "NOT_FOUND"
                | "INTERNAL_ERROR"
                | "BAD_REQUEST"
                | "FORBIDDEN"
                | "CONFLICT";
              readonly message: string;
              /** The path of the field that is wrong, such as `bank_account.iban`; absent if no single field is. */
              readonly field?: string;
              /**
               * The rule that refuses the request: settlement_not_draft, settlement_state, settlement_terminal,
               * settlement_stale, amount_too_large, four_eyes, commission_in_open_settlement,
               * commission_not_computable, billing_mode, upload_limit, comment_limit, attachment_used, tax_review,
               * e_invoice_invalid, exchange_rate_missing, e_invoice_unavailable, partner_suspended,
               * payout_unavailable, payout_account, payment_file_stale, period, formula_cancelled, formula_of_plan,
               * versions_ahead, version_not_ahead, plan_cancelled, plan_assignment, link_overlap, link_loop,
               * link_depth, terms_changed, plan_trial, parameter_values, external_reference_reuse,
               * attribution_cancelled, credit_of_sale, idempotency_key_reuse, feed_off, pdf_unavailable,
               * webhooks_off, webhook_disabled, webhook_limit or busy. The message begins with it.
               */
              readonly token?: string;
            }
        >;
      } & Replayed
    >;
    /**
     * Count attributions. Counts attributions per bucket of occurred_at, by their present status. Buckets
     * are UTC days, ISO weeks or months, at most 1,000, including empty ones. The first bucket may begin
     * before from; it counts only attributions from from on. (GET /api/v1/attributions/stats)
     */
    readonly statistics: (
      input: AttributionStatisticsInput,
      options?: CallOptions,
    ) => Promise<AttributionStatistics>;
    /**
     * Cancel an attribution. Sets its commissions to 0. A paid commission is then due with the negative of
     * the paid amount. A second cancellation changes nothing and keeps the first reason. (DELETE
     * /api/v1/attributions/{id})
     */
    readonly cancel: (id: string, input: CancelAttribution, options?: CallOptions) => Promise<Replayed>;
    /**
     * Replace an attribution. For a sale that has changed: another price, a part refunded, another date,
     * another partner, other shares. Cancels the attribution and records it anew, in one commit, with what
     * the request states and otherwise with the facts as they were given. A sale with several credits is
     * replaced as a whole, by its origin: given credits are kept, with the new partner in place of the old
     * one, or credits states others. The external reference moves to the new one. The new one counts for
     * its occurred_at, under the formulas that cover that date, and arrives now where formulas accumulate.
     * What was settled is due with the opposite sign, and the new amounts are due, so the next settlement
     * pays the difference. Returns 201 and the id of the new attribution; where the request changes
     * nothing, 200 and the id of the old one. A cancelled attribution is not replaced. With dry_run
     * returns 200 and what this would change of the commissions; stores nothing, and needs
     * commissions:read too. (POST /api/v1/attributions/{id}/replace)
     */
    readonly replace: {
      (
        id: string,
        input: ReplaceAttribution & { readonly dryRun: true },
        options?: CallOptions,
      ): Promise<Created | ReplacementDryRun>;
      (
        id: string,
        input: ReplaceAttribution,
        options?: CallOptions,
      ): Promise<
        {
          readonly id: string;
        } & Replayed
      >;
    };
    /**
     * Derive the uplines of a sale again. For a sale that was recorded before its team was entered, or
     * under a link that was wrong. Follows the links of now above the sellers at the occurred_at of the
     * sale. Credits that are the same stay, others are cancelled with this reason, and missing ones are
     * created; one whose share changes is both. Given credits never change, and a role that was given is
     * not derived. New credits count for the date and the day of the sale, and arrive now where formulas
     * accumulate. Returns how many credits were added and cancelled; where nothing changes, none, and
     * nothing is stored. A cancelled sale is a conflict, and so is any attribution of the sale but its
     * origin. With dry_run returns what this would change of the credits and commissions of partners that
     * the credential sees; stores nothing, and needs commissions:read too. (POST
     * /api/v1/attributions/{id}/recredit)
     */
    readonly recredit: (
      id: string,
      input: RecreditAttribution,
      options?: CallOptions,
    ) => Promise<Recredited | RecreditDryRun>;
    /**
     * State what the buyer has paid. States what the buyer of a sale has paid so far, of how much. Under
     * formulas and plans whose release is on_receipt, the same part of every positive commission of the
     * sale may be settled, rounded down; negative amounts never wait. It replaces the statement before:
     * less takes back. The same statement again changes nothing, and neither does one whose received_at is
     * earlier than that of the last one. It counts for every attribution of the sale, and is recorded for
     * a cancelled sale too. Record refunds by replacing the sale. (PUT /api/v1/attributions/{id}/received)
     */
    readonly stateReceived: (id: string, input: StateReceived, options?: CallOptions) => Promise<Replayed>;
    /**
     * Preview what a receipt would release. Returns what stating this would release of every commission of
     * the sale that waits for its buyer, and what would then be due of it; only of partners that the
     * credential sees. Stores nothing, and refuses what stating it would refuse. (POST
     * /api/v1/attributions/{id}/received/preview)
     */
    readonly previewReceived: (
      id: string,
      input: PreviewReceived,
      options?: CallOptions,
    ) => Promise<ReceiptPreview>;
    /**
     * State what many buyers have paid. At most 1,000 statements, each of another sale, stored in one
     * commit; results are in the order of the request. Mode atomic (the default): when one is refused,
     * nothing is stored, and the message names its index. Mode independent: the others are stored, and the
     * results have the errors. changed is false where a statement is known already, or older than the last
     * one. (POST /api/v1/attributions/received)
     */
    readonly stateReceivedBatch: (input: StateReceivedBatch, options?: CallOptions) => Promise<StatedBatch>;
  };
  readonly recredits: {
    /**
     * List recredit runs. Oldest first by default. Needs a credential for all partners. (GET
     * /api/v1/recredits)
     */
    readonly list: (filters?: ListRecredits, options?: CallOptions) => Promise<Page<RecreditRun>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListRecredits, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<RecreditRun, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<RecreditRun>;
    /**
     * Derive the uplines of a span of sales again. For sales that were recorded before a team was entered,
     * or under links that were wrong. Recredits in the background every sale of the workspace that
     * occurred from from (inclusive) to to (exclusive), each as POST /attributions/{id}/recredit does and
     * in a commit of its own. With partner_ids only sales in which one of these partners has a credit. A
     * cancelled sale, one that would have more than 100 credits, and one with another problem are left as
     * they are and named in the results; the others go on. A second run over the same span changes
     * nothing. With dry_run the run has the same results and changes no sale; it needs commissions:read
     * too, and is removed 30 days after its end. Needs a credential for all partners. (POST
     * /api/v1/recredits)
     */
    readonly start: (
      input: StartRecredit,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * Read a recredit run. Returns the progress, and one page of results: the sales that changed with
     * their credits and commissions, and those that were left as they are. Sales that have the uplines
     * that they should have are counted in sales_done alone. Needs a credential for all partners. (GET
     * /api/v1/recredits/{id})
     */
    readonly read: (id: string, input?: ReadRecredit, options?: CallOptions) => Promise<RecreditRunDetails>;
  };
  readonly attributionSchemas: {
    /** List attribution schemas. Oldest first by default. (GET /api/v1/attribution-schemas) */
    readonly list: (
      filters?: ListAttributionSchemas,
      options?: CallOptions,
    ) => Promise<Page<AttributionSchema>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListAttributionSchemas, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<AttributionSchema, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<AttributionSchema>;
    /**
     * Define the properties of attributions. A schema cannot be changed later. When an attribution lacks a
     * property, formulas use the property's default. Documents show the properties named in
     * display_properties, at most 4. (POST /api/v1/attribution-schemas)
     */
    readonly create: (
      input: CreateAttributionSchema,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
  };
  readonly partners: {
    /** List partners. Oldest first by default. (GET /api/v1/partners) */
    readonly list: (filters?: ListPartners, options?: CallOptions) => Promise<Page<Partner>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListPartners, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<Partner, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<Partner>;
    /**
     * Create a partner. Without a billing mode the partner issues its own invoices. self_billing requires
     * self_billing_data. With dry_run returns 200 and what is doubtful in the data, and stores nothing.
     * (POST /api/v1/partners)
     */
    readonly create: {
      (input: CreatePartner & { readonly dryRun: true }, options?: CallOptions): Promise<PartnerDryRun>;
      (
        input: CreatePartner,
        options?: CallOptions,
      ): Promise<
        {
          readonly id: string;
        } & Replayed
      >;
    };
    /**
     * Change a partner. Absent or null fields do not change. self_billing_data is replaced as a whole.
     * Approved settlements keep the data of their approval. (PATCH /api/v1/partners/{id})
     */
    readonly update: (id: string, input: UpdatePartner, options?: CallOptions) => Promise<Replayed>;
    /**
     * List the events of a partner. The partner's log: who has created and changed it, and what. Names,
     * addresses and numbers of accounts are not shown; fields says which have changed. The partner's own
     * credentials cannot read it. (GET /api/v1/partners/{id}/events)
     */
    readonly events: (
      id: string,
      input?: ListPartnerEvents,
      options?: CallOptions,
    ) => Promise<{
      readonly events: ReadonlyArray<{
        readonly datetime: string;
        readonly event: PartnerEvent;
      }>;
      readonly total: number;
      readonly page: number;
      readonly perPage: number;
    }>;
    /**
     * Read a partner's balance. Returns the earned, settled, pending, due and waiting amounts at a date,
     * net of tax, in each currency. The due amount includes the pending amount, which is in open
     * settlements. waiting is what waits for buyers under on_receipt; it is not due. final is false when
     * at is less than 60 seconds ago: requests in progress may still store events dated before it. Needs
     * settlements:read. (GET /api/v1/partners/{id}/balance)
     */
    readonly balance: (
      id: string,
      input?: ReadPartnerBalance,
      options?: CallOptions,
    ) => Promise<PartnerBalance>;
    /**
     * Read the balances of several partners. Returns for each partner what its balance returns, in one
     * list: partners in the order in which they are named, then by currency. A partner that the credential
     * does not see, or that has never earned anything, has none. Needs settlements:read. (GET
     * /api/v1/partners/balances)
     */
    readonly balances: (input: ReadPartnerBalances, options?: CallOptions) => Promise<PartnerBalances>;
    /**
     * Read a partner's statement. Returns every event that concerns the amount due to the partner, by its
     * datetime, net of tax. The opening balance plus all movements is the closing balance. A final
     * statement never changes. For further pages, send the value of to from the first page. With the
     * header `Accept: text/csv` or `Accept: application/pdf` returns the whole statement as a file:
     * amounts of the CSV have the decimals of the currency, and amount_minor and balance_minor are in the
     * smallest unit; a PDF has at most 10000 movements. (GET /api/v1/partners/{id}/statement)
     */
    readonly statement: {
      (
        id: string,
        input: ReadPartnerStatement,
        options: CallOptions & { readonly accept: "text/csv" | "application/pdf" },
      ): Promise<Download>;
      (id: string, input: ReadPartnerStatement, options?: CallOptions): Promise<PartnerStatement>;
    };
    /**
     * Read when a partner is settled. Returns the terms in force that decide when what the partner has
     * earned is settled. next_run is null unless a cadence starts runs; what occurred before it, and
     * before hold_days, belongs to that run. A partner's own key may read it; it does not see the other
     * terms. (GET /api/v1/partners/{id}/settlement-schedule)
     */
    readonly settlementSchedule: (id: string, options?: CallOptions) => Promise<SettlementSchedule>;
  };
  readonly payoutAccounts: {
    /**
     * Read the payout accounts of a partner. The oldest first, the retired ones among them. The bank
     * account of the billing data is one of them. Details are masked without the scope payouts:read; a
     * partner does not see the persons. (GET /api/v1/partners/{id}/payout-accounts)
     */
    readonly read: (
      id: string,
      options?: CallOptions,
    ) => Promise<{
      readonly payoutAccounts: ReadonlyArray<PayoutAccount>;
    }>;
    /**
     * Propose a payout account. The first account that a partner ever had is confirmed with its proposal,
     * and every account where the operator demands no confirmation; any other is paid once it is
     * confirmed. One that a partner proposes for itself always waits for a person of the customer, and
     * takes the place of the one of it that waits. (POST /api/v1/partners/{id}/payout-accounts)
     */
    readonly propose: (
      id: string,
      input: ProposePayoutAccount,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * Confirm a payout account. Payments go to it from then on, and the account before it for the same
     * currency is retired. 409 `four_eyes:` for the person that proposed it where the operator demands
     * another one, and there for the person that invited the partner or created the key that proposed it,
     * `payout_account:` before the hours that it demands have passed. (POST
     * /api/v1/partners/{id}/payout-accounts/{account_id}/confirm)
     */
    readonly confirm: (id: string, accountId: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Retire a payout account. Nothing more is paid to it. A settlement that was approved for it needs
     * another account. A payment that was sent or handed over is not called back. (POST
     * /api/v1/partners/{id}/payout-accounts/{account_id}/retire)
     */
    readonly retire: (id: string, accountId: string, options?: CallOptions) => Promise<Replayed>;
  };
  readonly partnerLinks: {
    /**
     * List the links of partners. Oldest first by default. A credential for some partners sees the links
     * that name one of them at either end. (GET /api/v1/partner-links)
     */
    readonly list: (filters?: ListPartnerLinks, options?: CallOptions) => Promise<Page<PartnerLink>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListPartnerLinks, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<PartnerLink, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<PartnerLink>;
    /**
     * Link a partner to its upline. Puts a partner directly below another one of its workspace, in a role
     * such as manager or recruiter. A partner has one upline of a role at a time (409 link_overlap), no
     * chain of a role meets itself (409 link_loop), and none has more than 16 links (409 link_depth), at
     * every moment. What is recorded does not change. (POST /api/v1/partner-links)
     */
    readonly create: (
      input: CreatePartnerLink,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * End a link of a partner. Sets or removes the end of the link. The start itself withdraws the link.
     * What is recorded does not change. (PATCH /api/v1/partner-links/{id})
     */
    readonly update: (id: string, input: UpdatePartnerLink, options?: CallOptions) => Promise<Replayed>;
  };
  readonly commissionFormulas: {
    /**
     * List commission formulas. Oldest first by default. active_at matches formulas that are not cancelled
     * and whose window includes the moment. (GET /api/v1/commission-formulas)
     */
    readonly list: (
      filters?: ListCommissionFormulas,
      options?: CallOptions,
    ) => Promise<Page<CommissionFormula>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListCommissionFormulas, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<CommissionFormula, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<CommissionFormula>;
    /**
     * Create a commission formula. Applies to every attribution of the partner and schema with occurred_at
     * in its window (start inclusive, end exclusive), including existing ones. Up to 10,000 attributions
     * are evaluated before the response, the others in the background, while view.recomputing is true.
     * With dry_run returns 200 and what this would change: the commissions of past sales, and the formulas
     * under which later sales would pay as well; stores nothing, and needs commissions:read too. (POST
     * /api/v1/commission-formulas)
     */
    readonly create: {
      (
        input: CreateCommissionFormula & { readonly dryRun: true },
        options?: CallOptions,
      ): Promise<FormulaDryRun>;
      (
        input: CreateCommissionFormula,
        options?: CallOptions,
      ): Promise<
        {
          readonly id: string;
        } & Replayed
      >;
    };
    /**
     * Try an expression. Evaluates the expression for at most 100 samples of a schema and stores nothing.
     * Returns an amount with its derivation, or an error, for each sample, in order. The history of a
     * sample is a list of attributions that arrived before it, in order of arrival; aggregates use the
     * confirmed ones. The attributes id, partner_id and workspace_id are the nil UUID; agent_id is absent;
     * created_at is now by default, and occurred_at is created_at. (POST
     * /api/v1/commission-formulas/simulate)
     */
    readonly simulate: (input: SimulateCommissionFormula, options?: CallOptions) => Promise<Simulation>;
    /**
     * Change a formula. A new expression applies to attributions that occurred at effective_datetime or
     * later. The default is now, or 1 ms after the newest attribution when that is later, so that no
     * existing amount changes. A null end_datetime or description clears the field; absent fields do not
     * change. The formula of a plan changes only with its plan. (PATCH /api/v1/commission-formulas/{id})
     */
    readonly update: (id: string, input: UpdateCommissionFormula, options?: CallOptions) => Promise<Replayed>;
    /**
     * Withdraw a version ahead of its date. A version whose effective_datetime is in the future never
     * takes effect. Its number stays. Withdrawing it again changes nothing; a version whose date has been
     * reached is a conflict. Versions of the formula of a plan are withdrawn with the plan. (DELETE
     * /api/v1/commission-formulas/{id}/versions/{number})
     */
    readonly withdrawVersion: (id: string, number: number, options?: CallOptions) => Promise<Replayed>;
    /**
     * State values of a formula's parameters. Each value holds from effective_datetime (default: now)
     * until the next date stated for its parameter; null withdraws the value of exactly that date.
     * Recomputes the commissions of the dates at which a value changes. The values of a formula of a plan
     * are stated for the partner of the plan. (PUT /api/v1/commission-formulas/{id}/parameters)
     */
    readonly setParameters: (
      id: string,
      input: SetCommissionFormulaParameters,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Cancel a formula. For a formula created by mistake: sets all its commissions to 0. To end a formula,
     * set end_datetime. The formula of a plan is cancelled only with its plan. (DELETE
     * /api/v1/commission-formulas/{id})
     */
    readonly cancel: (id: string, input: CancelCommissionFormula, options?: CallOptions) => Promise<Replayed>;
  };
  readonly commissionPlans: {
    /**
     * List commission plans. Oldest first by default. To list the formulas of a plan, use plan_ids of the
     * list of formulas. (GET /api/v1/commission-plans)
     */
    readonly list: (filters?: ListCommissionPlans, options?: CallOptions) => Promise<Page<CommissionPlan>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListCommissionPlans, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<CommissionPlan, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<CommissionPlan>;
    /**
     * Create a commission plan. A plan is a formula definition without a partner; assign partners to
     * create their formulas. Needs a credential for all partners, like every change of a plan. (POST
     * /api/v1/commission-plans)
     */
    readonly create: (
      input: CreateCommissionPlan,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * Change a commission plan. Takes the same fields as a change of a formula, and changes every formula
     * of the plan exactly once: before the response when the plan has at most 100 formulas, otherwise in
     * the background; view.rolling_out shows the progress. (PATCH /api/v1/commission-plans/{id})
     */
    readonly update: (id: string, input: UpdateCommissionPlan, options?: CallOptions) => Promise<Replayed>;
    /**
     * Withdraw a version of a plan ahead of its date. A version whose effective_datetime is in the future
     * never takes effect, in any formula of the plan. Its number stays. Withdrawing it again changes
     * nothing; a version whose date has been reached is a conflict. (DELETE
     * /api/v1/commission-plans/{id}/versions/{number})
     */
    readonly withdrawVersion: (id: string, number: number, options?: CallOptions) => Promise<Replayed>;
    /**
     * Cancel a commission plan. For a plan created by mistake: cancels all its formulas, which sets their
     * commissions to 0. To end a plan, set end_datetime. (DELETE /api/v1/commission-plans/{id})
     */
    readonly cancel: (id: string, input: CancelCommissionPlan, options?: CallOptions) => Promise<Replayed>;
    /**
     * Assign partners to a plan. Creates a formula with plan_id for each of at most 1,000 partners, all or
     * none. Its window is the intersection of the plan's window and the dates given here. The same
     * assignment again changes nothing; an overlap with another assignment of the partner to the plan is a
     * conflict. With dry_run the response has a body, what this would change: the commissions of past
     * sales, and the formulas under which later sales would pay as well; nothing is stored, and
     * commissions:read is needed too. (POST /api/v1/commission-plans/{id}/partners)
     */
    readonly assign: {
      (
        id: string,
        input: AssignCommissionPlan & { readonly dryRun: true },
        options?: CallOptions,
      ): Promise<FormulaDryRun>;
      (id: string, input: AssignCommissionPlan, options?: CallOptions): Promise<Replayed>;
    };
    /**
     * End a partner's assignment to a plan. The partner earns nothing under the plan for attributions that
     * occurred at end_datetime (default: now) or later. An end_datetime at or before the start withdraws
     * the assignment, and its commissions become 0. (DELETE
     * /api/v1/commission-plans/{id}/partners/{partner_id})
     */
    readonly unassign: (
      id: string,
      partnerId: string,
      input?: UnassignCommissionPlan,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * State a partner's values of a plan's parameters. For all assignments of the partner to the plan.
     * Each value holds from effective_datetime (default: now) until the next date stated for its
     * parameter; null withdraws the value of exactly that date. Recomputes the partner's commissions of
     * the dates at which a value changes. (PUT
     * /api/v1/commission-plans/{id}/partners/{partner_id}/parameters)
     */
    readonly setPartnerParameters: (
      id: string,
      partnerId: string,
      input: SetPartnerParameters,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * State many partners' values of a plan's parameters. At most 1,000 statements, all or none, in their
     * order; each is like the statement of one partner's values. With more than 100 partners the
     * commissions are recomputed in the background. (POST /api/v1/commission-plans/{id}/parameters)
     */
    readonly setParameters: (
      id: string,
      input: SetCommissionPlanParameters,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Read a partner's terms of a plan. Returns what every sale of the partner earns, in sentences, and
     * the hash of what is agreed: currency, schema, expression and dates. Names, language and wording do
     * not change the hash. With the header `Accept: text/plain` or `Accept: application/pdf` returns a
     * text or a file for the partner, in the language of the header `Accept-Language` (English, German,
     * French or Spanish; English by default). (GET /api/v1/commission-plans/{id}/terms)
     */
    readonly terms: {
      (
        id: string,
        input: ReadCommissionPlanTerms,
        options: CallOptions & { readonly accept: "text/plain" | "application/pdf" },
      ): Promise<Download>;
      (id: string, input: ReadCommissionPlanTerms, options?: CallOptions): Promise<PlanTerms>;
    };
    /**
     * Accept the terms of a plan. Records that a partner accepts the terms with this hash, which have to
     * be those in force (or at the moment at). The partner's own credential accepts with a name. Any other
     * credential acts on behalf of the partner: it states by reference where the partner's own signature
     * is, and the acceptance says on_behalf. Accepting the same terms again returns the first acceptance.
     * (POST /api/v1/commission-plans/{id}/acceptances)
     */
    readonly accept: (
      id: string,
      input: AcceptCommissionPlanTerms,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * List the acceptances of a plan. Who has accepted which terms of the plan, and when. Oldest first by
     * default. (GET /api/v1/commission-plans/{id}/acceptances)
     */
    readonly acceptances: (
      id: string,
      input?: ListCommissionPlanAcceptances,
      options?: CallOptions,
    ) => Promise<{
      readonly planAcceptances: ReadonlyArray<PlanAcceptance>;
      readonly total: number;
      readonly page: number;
      readonly perPage: number;
    }>;
  };
  readonly planTrials: {
    /**
     * List trials of plans. Oldest first by default. A trial is removed 30 days after its end. Needs a
     * credential for all partners. (GET /api/v1/plan-trials)
     */
    readonly list: (filters?: ListPlanTrials, options?: CallOptions) => Promise<Page<PlanTrial>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListPlanTrials, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<PlanTrial, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<PlanTrial>;
    /**
     * Try a plan on past sales. Computes, in the background, what the confirmed sales of the span would
     * have earned under a draft, in order of arrival, and compares it with what is in force; nothing in
     * the books changes. With plan_id the draft is the plan with another expression (without one, the plan
     * as it is), compared with the plan's formulas. The draft reads the partners' own values of
     * parameters, or those in parameters instead. Without it the draft has workspace_id, schema_id,
     * currency, an expression and perhaps roles, and is compared with every formula of the schema in that
     * currency. At most 1,000,000 sales. Needs a credential for all partners, and commissions:read too.
     * (POST /api/v1/plan-trials)
     */
    readonly start: (
      input: StartPlanTrial,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * Read a trial of a plan. Returns the progress, the sums, the ten largest changes with the
     * explanations of both amounts in the language of the header `Accept-Language` (English, German,
     * French or Spanish; English by default), and one page of results by partner. Partners without sales
     * in the span have no result. Needs a credential for all partners. (GET /api/v1/plan-trials/{id})
     */
    readonly read: (id: string, input?: ReadPlanTrial, options?: CallOptions) => Promise<PlanTrialDetails>;
    /**
     * Download a trial of a plan as CSV. One row for each partner and month with sales. Columns: partner,
     * month, currency, the two counts, the amounts now and then, and their difference. While the trial
     * runs, the rows of the partners that are done. Needs a credential for all partners. (GET
     * /api/v1/plan-trials/{id}/export)
     */
    readonly export: (id: string, input?: ExportPlanTrial, options?: CallOptions) => Promise<Download>;
    /**
     * Adopt the draft of a trial. Makes the expression of the draft the next version of the plan, exactly
     * as a change of the plan with this expression, effective_datetime and parameters does. A draft that
     * is no plan yet, or has no expression of its own, is a conflict. (POST
     * /api/v1/plan-trials/{id}/adopt)
     */
    readonly adopt: (id: string, input?: AdoptPlanTrial, options?: CallOptions) => Promise<Replayed>;
  };
  readonly commissions: {
    /**
     * List commissions. Oldest first by created_at by default. settlement_ids matches commissions with a
     * line in any of these settlements, including cancelled ones. occurred_from and occurred_to compare
     * the attribution's occurred_at. (GET /api/v1/commissions)
     */
    readonly list: (filters?: ListCommissions, options?: CallOptions) => Promise<Page<Commission>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListCommissions, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<Commission, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<Commission>;
    /**
     * Count and sum commissions. Per bucket of the attribution's occurred_at, net of tax, by currency. A
     * commission counts as settled or unsettled by its status; its settled and its due amount are added to
     * the sums separately, so that a partly settled commission is in both. Buckets are UTC days, ISO weeks
     * or months, at most 1,000, including empty ones. (GET /api/v1/commissions/stats)
     */
    readonly statistics: (
      input: CommissionStatisticsInput,
      options?: CallOptions,
    ) => Promise<CommissionStatistics>;
    /**
     * Explain a commission. Returns the rule that decides the amount, and every step of the evaluation
     * when there was one. With the header `Accept: text/plain` returns sentences for the partner instead:
     * the amount, how much of it is payable where it waits for the buyer, its calculation, and the
     * reasons, in the language of the header `Accept-Language` (English, German, French or Spanish;
     * English by default). (GET /api/v1/commissions/{id}/explanation)
     */
    readonly explain: {
      (id: string, options: CallOptions & { readonly accept: "text/plain" }): Promise<Download>;
      (id: string, options?: CallOptions): Promise<Explanation>;
    };
  };
  readonly settlements: {
    /**
     * List settlements. Oldest first by default. commission_ids matches settlements with a line of any of
     * these commissions. (GET /api/v1/settlements)
     */
    readonly list: (filters?: ListSettlements, options?: CallOptions) => Promise<Page<Settlement>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListSettlements, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<Settlement, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<Settlement>;
    /**
     * Create a draft. A draft has commissions of one partner, workspace and currency, at most 10,000. The
     * amount of a line is the commission's amount less its settled amount, and may be zero or negative. A
     * conflict when a commission is in another open settlement or has no amount. (POST
     * /api/v1/settlements)
     */
    readonly create: (
      input: CreateSettlement,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * Preview a settlement. Returns the lines and the total of the draft, or its error, and stores
     * nothing. (POST /api/v1/settlements/preview)
     */
    readonly preview: (input: PreviewSettlement, options?: CallOptions) => Promise<SettlementPreview>;
    /**
     * Approve a draft. Stores the partner's present billing data and, for self-billing, the tax with the
     * settlement; then the service creates the report. 409 `settlement_stale:` when the lines differ from
     * the amounts now due, `amount_too_large:` when total and tax exceed the largest amount. (POST
     * /api/v1/settlements/{id}/approve)
     */
    readonly approve: (id: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Decide on a negative settlement, or on the tax of an uploaded document. For a settlement in
     * negative_review. issue_credit_note requests the amount from the partner, carry_forward releases the
     * lines for a later settlement, write_off ends it without payment. For a settlement whose view has a
     * tax_review: accept_tax allows the payment, refuse_tax refuses the document, and the settlement
     * awaits another one. (POST /api/v1/settlements/{id}/review)
     */
    readonly review: (id: string, input: ReviewSettlement, options?: CallOptions) => Promise<Replayed>;
    /**
     * Cancel a draft. Releases its lines, so that other settlements can include the commissions. To cancel
     * an approved settlement, use a dispute. (DELETE /api/v1/settlements/{id})
     */
    readonly cancel: (id: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Write a settlement off. Ends an approved, unpaid settlement without payment; its lines count as
     * settled. When the service issued an invoice or credit note, it issues the counterpart. The body is
     * optional. (POST /api/v1/settlements/{id}/write-off)
     */
    readonly writeOff: (id: string, input?: WriteOffSettlement, options?: CallOptions) => Promise<Replayed>;
    /**
     * Mark a settlement as paid. For a settlement in awaiting_payment that was paid without the provider,
     * or in payment_initiated when the provider's confirmation was lost. The body is optional. paid_at
     * (default: now) is between 24 hours before the approval and 5 minutes from now. (POST
     * /api/v1/settlements/{id}/mark-as-paid)
     */
    readonly markAsPaid: (
      id: string,
      input?: MarkSettlementAsPaid,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Export the lines as CSV. In any status. Columns: commission, amount, currency, attribution and its
     * date; rows are in line order. (GET /api/v1/settlements/{id}/export)
     */
    readonly export: (id: string, input?: ExportSettlement, options?: CallOptions) => Promise<Download>;
    /**
     * Dispute a settlement. For an approved settlement whose payment has not begun. commission_ids names
     * the lines that are wrong. Until the dispute is withdrawn or resolved, the settlement can only be
     * written off. (POST /api/v1/settlements/{id}/dispute)
     */
    readonly dispute: (id: string, input: DisputeSettlement, options?: CallOptions) => Promise<Replayed>;
    /**
     * Withdraw a dispute. For a disputed settlement, by the side that raised the dispute: the partner, or
     * the customer. Restores the status before the dispute. A conflict for the other side, which resolves
     * it. (POST /api/v1/settlements/{id}/withdraw-dispute)
     */
    readonly withdrawDispute: (id: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Resolve a dispute. upheld cancels the settlement and releases its lines; when the service issued an
     * invoice or credit note, it issues the counterpart. rejected restores the status before the dispute.
     * (POST /api/v1/settlements/{id}/resolve-dispute)
     */
    readonly resolveDispute: (
      id: string,
      input: ResolveSettlementDispute,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Comment on a settlement. Says something to the other side, in any status: the partner to the
     * customer, or the customer to the partner. Its event has the side, and for the customer the person,
     * which partners do not read. Nothing else changes. A side has at most 50 comments and withdrawals of
     * disputes on a settlement. (POST /api/v1/settlements/{id}/comment)
     */
    readonly comment: (id: string, input: CommentOnSettlement, options?: CallOptions) => Promise<Replayed>;
    /**
     * Choose the account to which a settlement is paid. For an approved settlement whose account was
     * retired since, before its payment is under way or while it waits for a payment file: a confirmed
     * account of its partner, by default the one for its currency. The body is optional. 409 `four_eyes:`
     * for the person that proposed the account. Documents that exist keep the account that they print.
     * (POST /api/v1/settlements/{id}/payout-account)
     */
    readonly choosePayoutAccount: (
      id: string,
      input?: ChooseSettlementPayoutAccount,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Pay through the payment provider. For a settlement in awaiting_payment with an amount to pay to the
     * partner. Stores the payment order; a worker then sends it to the provider, with a reference that is
     * paid at most once. (POST /api/v1/settlements/{id}/initiate-payment)
     */
    readonly initiatePayment: (id: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Record a payment that the bank rejected. For a payment whose file was handed over, when the bank
     * says outside any report that it does not carry it out: the settlement awaits payment again. A bank
     * that carries it out all the same pays it twice. (POST /api/v1/settlements/{id}/fail-payment)
     */
    readonly failPayment: (
      id: string,
      input: FailSettlementPayment,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Record a returned payment. For a settlement that was paid through the provider and is not
     * reconciled: it awaits payment again. (POST /api/v1/settlements/{id}/return-payment)
     */
    readonly returnPayment: (
      id: string,
      input: ReturnSettlementPayment,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Set whether a settlement is reconciled. For a paid settlement: whether the payment was found on a
     * bank statement. The present value again changes nothing. (POST /api/v1/settlements/{id}/reconcile)
     */
    readonly reconcile: (id: string, input: ReconcileSettlement, options?: CallOptions) => Promise<Replayed>;
  };
  readonly documents: {
    /**
     * Download the report. 404 while the settlement has no report. Returns a PDF as application/pdf when
     * the header Accept names it, else as application/octet-stream. (GET /api/v1/settlements/{id}/report)
     * Download the invoice. 404 while the settlement has no invoice. Returns a PDF as application/pdf when
     * the header Accept names it, else as application/octet-stream. With format=ubl, cii, xrechnung or
     * xrechnung-cii returns the e-invoice of a document that the service issued, as application/xml when
     * the header Accept names it; 409 when there is none, with the violated rules. (GET
     * /api/v1/settlements/{id}/invoice)
     * Download the credit note. 404 while the settlement has no credit note. Returns a PDF as
     * application/pdf when the header Accept names it, else as application/octet-stream. With format=ubl,
     * cii, xrechnung or xrechnung-cii returns the e-invoice of a document that the service issued, as
     * application/xml when the header Accept names it; 409 when there is none, with the violated rules.
     * (GET /api/v1/settlements/{id}/credit-note)
     */
    readonly download: ((
      id: string,
      kind: "report",
      options?: CallOptions & { readonly accept?: "application/octet-stream" | "application/pdf" },
    ) => Promise<Download>) &
      ((
        id: string,
        kind: "invoice",
        input?: DownloadSettlementInvoice,
        options?: CallOptions & {
          readonly accept?: "application/octet-stream" | "application/pdf" | "application/xml";
        },
      ) => Promise<Download>) &
      ((
        id: string,
        kind: "credit_note",
        input?: DownloadSettlementCreditNote,
        options?: CallOptions & {
          readonly accept?: "application/octet-stream" | "application/pdf" | "application/xml";
        },
      ) => Promise<Download>);
    /**
     * Upload the report. For a service that does not generate documents. A later upload replaces the
     * report until payment begins. (POST /api/v1/settlements/{id}/report)
     * Upload the partner's invoice. For a settlement that awaits an invoice of a partner who issues its
     * own. Other parts of the form have the invoice's number, dates and tax_amount; total plus tax_amount
     * is the payable amount. A later upload replaces the invoice until payment begins. (POST
     * /api/v1/settlements/{id}/invoice)
     * Upload the partner's credit note. For a settlement that awaits a credit note of a partner who issues
     * its own. tax_amount is 0 or positive, and is counted with the sign of the total. A later upload
     * replaces the credit note until payment begins. (POST /api/v1/settlements/{id}/credit-note)
     */
    readonly upload: ((
      id: string,
      kind: "report",
      file: UploadSettlementReport,
      options?: CallOptions,
    ) => Promise<Replayed>) &
      ((
        id: string,
        kind: "invoice",
        file: UploadSettlementInvoice,
        options?: CallOptions,
      ) => Promise<Replayed>) &
      ((
        id: string,
        kind: "credit_note",
        file: UploadSettlementCreditNote,
        options?: CallOptions,
      ) => Promise<Replayed>);
    /**
     * Upload an attachment. A file for the next message of the same side, the partner or the customer: a
     * dispute, its resolution or a comment names its id in attachment_ids. Until then nobody can read it.
     * In any status. A side has at most 20 attachments on a settlement, of 50 MiB together, unless the
     * operator allows others; those that no message names count. (POST
     * /api/v1/settlements/{id}/attachments)
     */
    readonly attach: (
      id: string,
      file: AttachToSettlement,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
      } & Replayed
    >;
    /**
     * Download an attachment. The file of a message, for both sides of the settlement. 404 while no
     * message names it. Returns a PDF as application/pdf when the header Accept names it, else as
     * application/octet-stream. (GET /api/v1/settlements/{id}/attachments/{attachment_id})
     */
    readonly downloadAttachment: (
      id: string,
      attachmentId: string,
      options?: CallOptions & { readonly accept?: "application/octet-stream" | "application/pdf" },
    ) => Promise<Download>;
  };
  readonly settlementPolicies: {
    /**
     * Read the settlement policy of a workspace. Before a policy is written a workspace has the defaults:
     * no hold, no minimum, manual cadence, no automatic approval, review of negative totals, no known rate
     * of tax on invoices of partners. (GET /api/v1/settlement-policies/{workspace_id})
     */
    readonly read: (workspaceId: string, options?: CallOptions) => Promise<SettlementPolicy>;
    /**
     * Write the settlement policy of a workspace. Replaces the whole policy; an absent field gets its
     * default. A new cadence starts with its next period. Needs a credential for all partners. (PUT
     * /api/v1/settlement-policies/{workspace_id})
     */
    readonly write: (
      workspaceId: string,
      input: WriteSettlementPolicy,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Read the settlement policy of a partner. A field is null when the partner has the workspace's value;
     * in_force has the resulting values. (GET
     * /api/v1/settlement-policies/{workspace_id}/partners/{partner_id})
     */
    readonly readOverride: (
      workspaceId: string,
      partnerId: string,
      options?: CallOptions,
    ) => Promise<PartnerSettlementPolicy>;
    /**
     * Write the settlement policy of a partner. Replaces the partner's own fields; for an absent or null
     * field the workspace's value applies. With its own cadence, including manual, the partner is not in
     * the runs of the workspace's cadence. Needs a credential for all partners. (PUT
     * /api/v1/settlement-policies/{workspace_id}/partners/{partner_id})
     */
    readonly writeOverride: (
      workspaceId: string,
      partnerId: string,
      input: WritePartnerSettlementPolicy,
      options?: CallOptions,
    ) => Promise<Replayed>;
    /**
     * Remove the settlement policy of a partner. The partner then has all values of its workspace. Without
     * an own policy this changes nothing. Needs a credential for all partners. (DELETE
     * /api/v1/settlement-policies/{workspace_id}/partners/{partner_id})
     */
    readonly removeOverride: (
      workspaceId: string,
      partnerId: string,
      options?: CallOptions,
    ) => Promise<Replayed>;
  };
  readonly settlementRuns: {
    /**
     * List settlement runs. Oldest first by default. Needs a credential for all partners. (GET
     * /api/v1/settlement-runs)
     */
    readonly list: (filters?: ListSettlementRuns, options?: CallOptions) => Promise<Page<SettlementRun>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListSettlementRuns, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<SettlementRun, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<SettlementRun>;
    /**
     * Start a settlement run. Creates, in the background, a draft for each partner and currency of
     * everything due that occurred before until (default: now) and is not on hold. With dry_run returns
     * 200 and the result that a run would have, for at most 5,000 partners, and stores nothing. Needs a
     * credential for all partners. (POST /api/v1/settlement-runs)
     */
    readonly start: {
      (
        input: StartSettlementRun & { readonly dryRun: true },
        options?: CallOptions,
      ): Promise<SettlementDryRun>;
      (
        input: StartSettlementRun,
        options?: CallOptions,
      ): Promise<
        {
          readonly id: string;
        } & Replayed
      >;
    };
    /**
     * Read a settlement run. Returns the progress, and one page of results: for each partner and currency
     * the drafts, or the reason why there is none. Needs a credential for all partners. (GET
     * /api/v1/settlement-runs/{id})
     */
    readonly read: (
      id: string,
      input?: ReadSettlementRun,
      options?: CallOptions,
    ) => Promise<SettlementRunDetails>;
  };
  readonly apiKeys: {
    /**
     * List API keys. Returns the keys whose grant is within the caller's grant, without their secrets.
     * Oldest first by default. (GET /api/v1/api-keys)
     */
    readonly list: (filters?: ListApiKeys, options?: CallOptions) => Promise<Page<ApiKey>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListApiKeys, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<ApiKey, void>;
    /**
     * Create an API key. The key's grant must be within the caller's grant. Without `scopes` it has every
     * scope except keys:admin. It has the person of the caller; the platform states any person. The secret
     * is shown only here. `mailed_to` is the address to which the link of an invitation was mailed;
     * without it, none was. (POST /api/v1/api-keys)
     */
    readonly create: (
      input: CreateApiKey,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
        readonly key: string;
        readonly mailedTo?: string;
      } & Replayed
    >;
    /**
     * Accept an invitation. The credential of the request is the invitation. It ends, and the response is
     * the key of a session of its partner: valid for 30 days, shown only here. Of two requests at once one
     * opens a session; any later one gets 401 or 403. Needs no scope. (POST /api/v1/invitations/accept)
     */
    readonly accept: (options?: CallOptions) => Promise<
      {
        readonly id: string;
        readonly key: string;
        readonly mailedTo?: string;
      } & Replayed
    >;
    /**
     * Revoke an API key. Every later request with the key returns 401. A second revocation changes
     * nothing. (DELETE /api/v1/api-keys/{id})
     */
    readonly revoke: (id: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Read the caller's own principal. Returns the kind, the grants and the scopes of the request's
     * credential, and the legal name of its customer's billing profile. Needs no scope. (GET
     * /api/v1/principal)
     */
    readonly current: (options?: CallOptions) => Promise<CurrentPrincipal>;
  };
  readonly billingProfile: {
    /** Read the billing profile. 404 before it is written for the first time. (GET /api/v1/billing-profile) */
    readonly read: (options?: CallOptions) => Promise<BillingProfile>;
    /**
     * Write the billing profile. Replaces the whole profile; an absent field is cleared. Existing
     * documents do not change. Later documents have its language, colours and logo. Credit notes ask for
     * payment to bank_account, and payment files pay from it. (PUT /api/v1/billing-profile)
     */
    readonly write: (input: WriteBillingProfile, options?: CallOptions) => Promise<Replayed>;
  };
  readonly events: {
    /**
     * Follow the event feed. Returns the events of all the customer's records in one order. A reader that
     * continues with next_cursor gets every event once, also while others are stored. At the end
     * next_cursor is the same again. Needs the grant * of workspaces and partners. (GET /api/v1/events)
     */
    readonly list: (
      filters?: ListEvents,
      options?: CallOptions,
    ) => Promise<
      { readonly items: ReadonlyArray<FeedEntry> } & {
        readonly nextCursor: string;
      }
    >;
    /** Every match, after the cursor, in the list's order. */
    readonly all: (filters?: ListEvents, options?: CallOptions) => AsyncGenerator<FeedEntry, void>;
  };
  readonly journal: {
    /**
     * Read the journal. Returns double entries for what partners earn, are billed and are paid: partner by
     * partner in the order of their creation, by currency, then by datetime. Commissions are net of tax.
     * An entry is dated by its event, so a final journal never changes; that of a closed month does not
     * under any clocks. The entries of all periods together are the balances of all partners. A page may
     * be empty and have a next_cursor. Needs settlements:read. (GET /api/v1/journal)
     */
    readonly read: {
      (
        input: ReadJournal,
        options: CallOptions & { readonly accept: "text/csv" | "text/plain" },
      ): Promise<Download>;
      (input: ReadJournal, options?: CallOptions): Promise<JournalPage>;
    };
    /**
     * Read payables and accruals. Returns what partners have earned before a moment and where it is on its
     * way to them, in each currency; earned plus tax is awaiting_receipt, accrued, payable, paid,
     * settled_elsewhere and written_off together, and each is the balance of its account of the journal.
     * payable is unpaid invoices and credit notes with tax, by their age on the day before at: current is
     * not past due. in_settlement is the part of accrued in settlements under way. A page may be empty and
     * have a next_cursor. Needs settlements:read. (GET /api/v1/payables)
     */
    readonly payables: {
      (input: ReadPayables, options: CallOptions & { readonly accept: "text/csv" }): Promise<Download>;
      (input?: ReadPayables, options?: CallOptions): Promise<PayablesPage>;
    };
  };
  readonly postingRules: {
    /**
     * Read the posting rules. Before they are written there are none. Needs settlements:read. (GET
     * /api/v1/posting-rules)
     */
    readonly read: (options?: CallOptions) => Promise<PostingRules>;
    /**
     * Write the posting rules. Replaces all rules, the rates of tax under reverse charge, and the settings
     * of files for DATEV and Xero. A posting of the journal has the number, cost centre and text of the
     * first rule for its account of which every condition applies; the journal of every open month follows
     * the rules at once, and no amount depends on them. Needs settlements:approve. (PUT
     * /api/v1/posting-rules)
     */
    readonly write: (input: WritePostingRules, options?: CallOptions) => Promise<Replayed>;
  };
  readonly periods: {
    /**
     * Read the closed months. Every month that is or was closed, with who closed it, and the hash and
     * totals of its journal. Needs settlements:read. (GET /api/v1/periods)
     */
    readonly read: (options?: CallOptions) => Promise<PeriodList>;
    /**
     * Close a month. Closes a month that has ended, after those before it; the first one that is closed
     * contains everything before. From then on nothing is dated in it: what is recorded later is in the
     * month in which it is recorded, and an entry about an earlier sale states its month in concerns. Its
     * postings keep the posting rules of this moment. A worker stores the hash and the totals of its
     * journal. Closing a closed month changes nothing. Needs settlements:approve. (POST
     * /api/v1/periods/{month}/close)
     */
    readonly close: (month: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Reopen a month. Opens the last closed month again. Another person than the one who closed it has to.
     * Needs settlements:approve. (POST /api/v1/periods/{month}/reopen)
     */
    readonly reopen: (month: string, input: ReopenPeriod, options?: CallOptions) => Promise<Replayed>;
  };
  readonly erasures: {
    /**
     * Erase the personal data of a partner. Needs a platform credential. Erases settlements, documents,
     * payments, formulas, keys and the record itself, as far as nothing has to be kept, and lists both.
     * Cannot be undone. With dry_run it only lists. A repetition erases what has to be kept no more. (POST
     * /api/v1/partners/{id}/erase)
     */
    readonly partner: (id: string, input?: ErasePartner, options?: CallOptions) => Promise<PartnerErasure>;
    /**
     * Erase entries of the event feed. Needs a platform credential. The feed shows these entries without
     * their event, and its chain of hashes still holds. Their records do not change. Cannot be undone.
     * (POST /api/v1/events/erase)
     */
    readonly events: (input: EraseEvents, options?: CallOptions) => Promise<EventErasure>;
  };
  readonly webhookEndpoints: {
    /**
     * List webhook endpoints. Returns the endpoints without their secrets, oldest first by default. Every
     * operation on webhook endpoints needs the grant * of workspaces and partners. (GET
     * /api/v1/webhook-endpoints)
     */
    readonly list: (filters?: ListWebhookEndpoints, options?: CallOptions) => Promise<Page<WebhookEndpoint>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListWebhookEndpoints, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<WebhookEndpoint, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<WebhookEndpoint>;
    /**
     * Create a webhook endpoint. The server sends events of the given types, or of every type, to the URL:
     * events from now on, or those after a cursor of the event feed. The receiver verifies requests with
     * the secret, which is shown only here. (POST /api/v1/webhook-endpoints)
     */
    readonly create: (
      input: CreateWebhookEndpoint,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
        readonly secret: string;
      } & Replayed
    >;
    /**
     * Read a webhook endpoint. Returns the endpoint without its secrets. (GET
     * /api/v1/webhook-endpoints/{id})
     */
    readonly read: (id: string, options?: CallOptions) => Promise<WebhookEndpoint>;
    /**
     * Change a webhook endpoint. Absent fields do not change. A disabled endpoint keeps its position in
     * the feed: when it is enabled again, it receives the events since then. After a new URL, or after
     * enabling, all waiting events are due at once. (PATCH /api/v1/webhook-endpoints/{id})
     */
    readonly update: (id: string, input: UpdateWebhookEndpoint, options?: CallOptions) => Promise<Replayed>;
    /**
     * Delete a webhook endpoint. Deletes the endpoint with its secrets and deliveries; the server sends
     * nothing more to it. (DELETE /api/v1/webhook-endpoints/{id})
     */
    readonly remove: (id: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Replace the secret of a webhook endpoint. The new secret is shown only here. For 24 hours the server
     * also signs with the previous secret: each request then has several signatures, of which a receiver
     * needs to verify one. (POST /api/v1/webhook-endpoints/{id}/rotate)
     */
    readonly rotate: (id: string, options?: CallOptions) => Promise<RotatedWebhookSecret>;
    /**
     * List the deliveries of a webhook endpoint. Oldest first by default. The server removes delivered and
     * failed deliveries after a number of days that the operator sets. (GET
     * /api/v1/webhook-endpoints/{id}/deliveries)
     */
    readonly deliveries: (
      id: string,
      input?: ListWebhookDeliveries,
      options?: CallOptions,
    ) => Promise<{
      readonly webhookDeliveries: ReadonlyArray<WebhookDelivery>;
      readonly total: number;
      readonly page: number;
      readonly perPage: number;
    }>;
    /**
     * Send an event to a webhook endpoint again. Sends it at once with the same webhook-id, whatever the
     * status of the delivery, and retries it like a new one. A conflict when the endpoint is disabled.
     * (POST /api/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver)
     */
    readonly redeliver: (id: string, deliveryId: string, options?: CallOptions) => Promise<Replayed>;
  };
  readonly paymentFiles: {
    /**
     * List payment files. Oldest first by default. Every operation on payment files and bank statements
     * needs the grant * of workspaces and partners. (GET /api/v1/payment-files)
     */
    readonly list: (filters?: ListPaymentFiles, options?: CallOptions) => Promise<Page<PaymentFile>>;
    /** Every match, oldest first, each once. It reads pages of 100 as the loop goes on. */
    readonly all: (
      filters?: Omit<ListPaymentFiles, "page" | "perPage" | "order">,
      options?: CallOptions,
    ) => AsyncGenerator<PaymentFile, void>;
    /** The record of an id; rejects with `NotFoundError` when the caller sees none. */
    readonly get: (id: string, options?: CallOptions) => Promise<PaymentFile>;
    /**
     * Create a payment file. The file has initiated payments that are in no other file, at most 1,000, the
     * oldest first: those of one currency that go into the same format as the oldest. Create another one
     * for the rest. It pays on execution_date, by default the next business day, from the bank_account of
     * the billing profile where its format states one. left_out has payments that no format can pay, and
     * why. (POST /api/v1/payment-files)
     */
    readonly create: (
      input?: CreatePaymentFile,
      options?: CallOptions,
    ) => Promise<
      {
        readonly id: string;
        readonly leftOut: ReadonlyArray<{
          readonly settlementId: string;
          readonly partnerId: string;
          readonly reason: string;
        }>;
      } & Replayed
    >;
    /**
     * Download a payment file. The file in the format in which it was created: XML (pain.001),
     * fixed-length text (NACHA) or CSV (Wise). A conflict after the file was discarded, and, before it is
     * handed over, when one of its settlements no longer awaits the payment. (GET
     * /api/v1/payment-files/{id})
     */
    readonly read: (id: string, options?: CallOptions) => Promise<Download>;
    /**
     * Mark a payment file as handed over. Call it before you give the file to the bank. A conflict when
     * one of its settlements no longer awaits the payment. (POST /api/v1/payment-files/{id}/hand-over)
     */
    readonly handOver: (id: string, options?: CallOptions) => Promise<Replayed>;
    /**
     * Discard a payment file. For a file that the bank has not received or has refused as a whole. Its
     * open payments fail; each settlement can then be paid again under a new reference. (DELETE
     * /api/v1/payment-files/{id})
     */
    readonly discard: (id: string, input: DiscardPaymentFile, options?: CallOptions) => Promise<Replayed>;
    /**
     * Read a bank statement. Takes a camt.053, camt.054, pain.002, MT940 or MT942 message or a NACHA
     * return file from the bank, or a ZIP archive of them. Matches bookings with payments of payment files
     * by end-to-end id, account, amount and currency: debits confirm payments, credits return them, and a
     * camt.053 or MT940 reconciles them. What a pain.002 rejects (the file, or single payments) fails. A
     * NACHA return file returns payments; its notifications of change are unmatched and change nothing.
     * Returns the counts and the unmatched bookings. The same statement again changes nothing. (POST
     * /api/v1/bank-statements)
     */
    readonly readStatement: (file: ReadBankStatement, options?: CallOptions) => Promise<BankStatementResult>;
  };
  readonly workspaces: {
    /**
     * Read a workspace. Any workspace of the credential's grant exists: before it is written it has no
     * name and the time zone UTC. (GET /api/v1/workspaces/{id})
     */
    readonly read: (id: string, options?: CallOptions) => Promise<Workspace>;
    /**
     * Write a workspace. Replaces name and time zone; an absent field gets its default. The time zone
     * decides the calendar days of attributions that are created from now on; what is recorded keeps its
     * days. Needs a credential for all partners. (PUT /api/v1/workspaces/{id})
     */
    readonly write: (id: string, input: WriteWorkspace, options?: CallOptions) => Promise<Replayed>;
  };
}

export type ListAttributions = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** The schemas of the attributions. Matches any of these values, at most 100. */
  readonly schemaIds?: ReadonlyArray<string> | undefined;
  /** The statuses of the records. Matches any of these values, at most 100. */
  readonly statuses?: ReadonlyArray<"confirmed" | "cancelled"> | undefined;
  /** The external references of attributions, compared exactly. Matches any of these values, at most 100. */
  readonly externalReferences?: ReadonlyArray<string> | undefined;
  /**
   * Attributions of these sales: the origins, and the other credits of the same sales. Matches any of
   * these values, at most 100.
   */
  readonly originIds?: ReadonlyArray<string> | undefined;
  /**
   * The roles of the credits, compared exactly; a sale without other credits has the role seller.
   * Matches any of these values, at most 100.
   */
  readonly roles?: ReadonlyArray<string> | undefined;
  /** Inclusive: attributions that occurred at this moment or later. RFC 3339 with an offset or Z. */
  readonly occurredFrom?: Moment | undefined;
  /** Exclusive: attributions that occurred before this moment. RFC 3339 with an offset or Z. */
  readonly occurredTo?: Moment | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type CreateAttributionEvent = {
  readonly type: "create_attribution";
  readonly properties: { readonly [name: string]: string | number | boolean };
  readonly occurred_at?: string;
  readonly occurred_on?: string;
  readonly time_zone?: string;
  readonly credit?: {
    /** seller, or what else the partner did for the sale. */
    readonly role: string;
    /** The partner's part of the sale, in lowest terms: a decimal, or a fraction such as 1/3. */
    readonly share: string;
    readonly depth: number;
    /** The partner has another credit of the sale. */
    readonly further?: true;
  };
  readonly origin_id?: string;
  readonly replaces?: string;
  readonly recorded_at?: string;
  /** When what the sale earned as it was recorded was settled in another system; absent where it was not. */
  readonly settled_elsewhere?: {
    readonly at: string;
    readonly reference?: string;
  };
};

export type CancelAttributionEvent = {
  readonly type: "cancel_attribution";
  readonly reason: string;
  readonly replaced_by?: string;
};

export type RecreditAttributionEvent = {
  readonly type: "recredit_attribution";
  readonly reason: string;
  readonly credit?: {
    /** seller, or what else the partner did for the sale. */
    readonly role: string;
    /** The partner's part of the sale, in lowest terms: a decimal, or a fraction such as 1/3. */
    readonly share: string;
    readonly depth: number;
    /** The partner has another credit of the sale. */
    readonly further?: true;
  };
};

export type StateReceivedEvent = {
  readonly type: "state_received";
  readonly received: number;
  readonly of: number;
  readonly received_at?: string;
};

export type ErasePersonalDataEvent = {
  readonly type: "erase_personal_data";
  /** record: from the record, its events and the feed; feed: from the feed alone. */
  readonly erased_from: "record" | "feed";
  /** The numbers of these events in their record. */
  readonly sequences: ReadonlyArray<number>;
};

export type AttributionEvent =
  | CreateAttributionEvent
  | CancelAttributionEvent
  | RecreditAttributionEvent
  | StateReceivedEvent
  | ErasePersonalDataEvent;

export type Attribution = {
  readonly id: string;
  readonly partnerId: string;
  readonly customerId: string;
  readonly schemaId: string;
  readonly agentId: string | null;
  readonly workspaceId: string;
  readonly externalReference?: string;
  readonly occurredAt: string;
  readonly occurredOn: string;
  /** The partner's part of the sale; absent where nobody else earns from it. */
  readonly credit?: {
    /** seller, or what else the partner did for the sale. */
    readonly role: string;
    /** The partner's part of the sale, in lowest terms: a decimal, or a fraction such as 1/3. */
    readonly share: string;
    readonly depth: number;
  };
  readonly originId?: string;
  readonly replaces?: string;
  readonly replacedBy?: string;
  readonly events: ReadonlyArray<{
    readonly datetime: string;
    readonly event: AttributionEvent;
  }>;
  readonly status: "confirmed" | "cancelled";
  readonly cancelReason?: string;
  readonly properties: { readonly [name: string]: string | number | boolean };
  readonly createdAt: string;
  /** What the buyer has paid of the sale, as stated last; absent before, and in other credits. */
  readonly receipt?: {
    readonly received: number;
    readonly of: number;
    readonly receivedAt: string;
  };
  /** When what the sale earned as it was recorded was settled in another system; absent where it was not. */
  readonly settledElsewhere?: {
    readonly at: string;
    readonly reference?: string;
  };
};

export type CreateAttribution = {
  /** The partner. A UUID, in any letter case. */
  readonly partnerId: string;
  /** The attribution schema, of the same workspace. A UUID, in any letter case. */
  readonly schemaId: string;
  /** The workspace. A UUID, in any letter case. */
  readonly workspaceId: string;
  /** The values of the schema's properties, by name. A required one must be present, and no other may be. */
  readonly properties: { readonly [name: string]: string | number | boolean };
  /**
   * The caller's own name of the event, unique in its schema. The same reference with the same content
   * returns the existing id.
   */
  readonly externalReference?: string | undefined;
  /**
   * When the event occurred, the date that it counts for: at most 5 minutes ahead of the clock, by
   * default the time of the request. RFC 3339 with an offset or Z, not before 1970.
   */
  readonly occurredAt?: Moment | undefined;
  /**
   * The calendar day that the event counts for, at most one day from the UTC day of occurred_at; by
   * default its day in the time zone of the workspace. A calendar date, YYYY-MM-DD.
   */
  readonly occurredOn?: string | undefined;
  /**
   * The partners that earn from the sale, 1 to 20; by default the partner alone. The partner of
   * partner_id is one of the sellers.
   */
  readonly credits?:
    | ReadonlyArray<{
        /** The partner, of the same workspace. A UUID, in any letter case. */
        readonly partnerId: string;
        /** What the partner did for the sale; "seller" by default. Formulas say which roles they pay. */
        readonly role?: string | undefined;
        /**
         * The part of the sale that is the partner's, as text: a decimal such as "0.6", or a fraction such as
         * "1/3"; "1" by default. The shares of the sellers add up to exactly 1.
         */
        readonly share?: string | undefined;
      }>
    | undefined;
  /**
   * Of a sale of the past: when the commissions that it earns now were settled in another system. They
   * are never due, and later changes of the sale are. Needs occurred_at; not for sales under formulas
   * whose release is on_receipt.
   */
  readonly settledElsewhere?:
    | {
        /**
         * When it was settled: not before occurred_at of the sale, and not later than now. RFC 3339 with an
         * offset or Z, not before 1970.
         */
        readonly at: Moment;
        /** The name of the payment or the document elsewhere, which statements show. */
        readonly reference?: string | undefined;
      }
    | undefined;
};

export type CreateAttributions = {
  /** atomic (the default): one invalid attribution refuses all. independent: the valid ones are stored. */
  readonly mode?: "atomic" | "independent" | undefined;
  /** The attributions to create, 1 to 1,000, in the order of their results. */
  readonly attributions: ReadonlyArray<{
    /** The partner. A UUID, in any letter case. */
    readonly partnerId: string;
    /** The attribution schema, of the same workspace. A UUID, in any letter case. */
    readonly schemaId: string;
    /** The workspace. A UUID, in any letter case. */
    readonly workspaceId: string;
    /** The values of the schema's properties, by name. A required one must be present, and no other may be. */
    readonly properties: { readonly [name: string]: string | number | boolean };
    /**
     * The caller's own name of the event, unique in its schema. The same reference with the same content
     * returns the existing id.
     */
    readonly externalReference?: string | undefined;
    /**
     * When the event occurred, the date that it counts for: at most 5 minutes ahead of the clock, by
     * default the time of the request. RFC 3339 with an offset or Z, not before 1970.
     */
    readonly occurredAt?: Moment | undefined;
    /**
     * The calendar day that the event counts for, at most one day from the UTC day of occurred_at; by
     * default its day in the time zone of the workspace. A calendar date, YYYY-MM-DD.
     */
    readonly occurredOn?: string | undefined;
    /**
     * The partners that earn from the sale, 1 to 20; by default the partner alone. The partner of
     * partner_id is one of the sellers.
     */
    readonly credits?:
      | ReadonlyArray<{
          /** The partner, of the same workspace. A UUID, in any letter case. */
          readonly partnerId: string;
          /** What the partner did for the sale; "seller" by default. Formulas say which roles they pay. */
          readonly role?: string | undefined;
          /**
           * The part of the sale that is the partner's, as text: a decimal such as "0.6", or a fraction such as
           * "1/3"; "1" by default. The shares of the sellers add up to exactly 1.
           */
          readonly share?: string | undefined;
        }>
      | undefined;
    /**
     * Of a sale of the past: when the commissions that it earns now were settled in another system. They
     * are never due, and later changes of the sale are. Needs occurred_at; not for sales under formulas
     * whose release is on_receipt.
     */
    readonly settledElsewhere?:
      | {
          /**
           * When it was settled: not before occurred_at of the sale, and not later than now. RFC 3339 with an
           * offset or Z, not before 1970.
           */
          readonly at: Moment;
          /** The name of the payment or the document elsewhere, which statements show. */
          readonly reference?: string | undefined;
        }
      | undefined;
  }>;
};

export type AttributionStatisticsInput = {
  /** The start of the period. Inclusive. RFC 3339 with an offset or Z. */
  readonly from: Moment;
  /** The end of the period. Exclusive. RFC 3339 with an offset or Z. */
  readonly to: Moment;
  /** The length of a bucket, in UTC; weeks begin on Monday. */
  readonly granularity: "day" | "week" | "month";
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
};

export type AttributionStatistics = {
  readonly summary: {
    readonly total: number;
    readonly confirmed: number;
    readonly cancelled: number;
  };
  readonly buckets: ReadonlyArray<{
    readonly timestamp: string;
    readonly total: number;
    readonly confirmed: number;
    readonly cancelled: number;
  }>;
};

export type CancelAttribution = {
  /** Why; the log shows it. */
  readonly reason: string;
};

export type ReplaceAttribution = {
  /** All properties of the sale as it is now; by default as they were given. */
  readonly properties?: { readonly [name: string]: string | number | boolean } | undefined;
  /**
   * When the event occurred, at most 5 minutes ahead of the clock; by default the date that the sale
   * counts for. RFC 3339 with an offset or Z, not before 1970.
   */
  readonly occurredAt?: Moment | undefined;
  /**
   * The calendar day that the event counts for, at most one day from the UTC day of occurred_at; by
   * default as it was given, or where occurred_at changes its day in the time zone of the workspace. A
   * calendar date, YYYY-MM-DD.
   */
  readonly occurredOn?: string | undefined;
  /**
   * The partner, of the same workspace; by default as it was given. In a sale with several credits it
   * takes the place of its partner. A UUID, in any letter case.
   */
  readonly partnerId?: string | undefined;
  /**
   * The partners that earn from the sale, 1 to 20; by default the partner alone. The partner of
   * partner_id is one of the sellers.
   */
  readonly credits?:
    | ReadonlyArray<{
        /** The partner, of the same workspace. A UUID, in any letter case. */
        readonly partnerId: string;
        /** What the partner did for the sale; "seller" by default. Formulas say which roles they pay. */
        readonly role?: string | undefined;
        /**
         * The part of the sale that is the partner's, as text: a decimal such as "0.6", or a fraction such as
         * "1/3"; "1" by default. The shares of the sellers add up to exactly 1.
         */
        readonly share?: string | undefined;
      }>
    | undefined;
  /**
   * What the buyer has paid of the new sale, and of how much; by default as it was stated of the
   * replaced one.
   */
  readonly received?:
    | {
        /**
         * What the buyer has paid so far, in any unit; at least 0. It replaces what was stated before: less
         * takes back.
         */
        readonly received: number;
        /** What the buyer has to pay in all, in the same unit; greater than 0. */
        readonly of: number;
        /**
         * When the buyer had paid that much, at most 5 minutes ahead of the clock; by default the time of the
         * request. A statement of an earlier moment than the last one's changes nothing. RFC 3339 with an
         * offset or Z, not before 1970.
         */
        readonly receivedAt?: Moment | undefined;
      }
    | undefined;
  /** Why; the log shows it. */
  readonly reason: string;
  /** true returns what replacing would change, and stores nothing; false by default. */
  readonly dryRun?: boolean | undefined;
};

export type Created = {
  readonly id: string;
};

export type ReplacementDryRun = {
  /**
   * By partner, role, depth and formula: the amount, and what is due of what is cancelled and of what is
   * new together. An amount is null where the partner earns nothing in this role at this depth under the
   * formula, or where it cannot be computed.
   */
  readonly commissions: ReadonlyArray<{
    readonly partnerId: string;
    readonly role: string;
    readonly depth: number;
    readonly commissionFormulaId: string;
    readonly currency: string;
    readonly amountBefore: number | null;
    readonly amountAfter: number | null;
    readonly dueBefore: number;
    readonly dueAfter: number;
    readonly computationError: {
      readonly code: string;
      readonly message: string;
    } | null;
  }>;
  /**
   * True where formulas accumulate and compute later sales anew as well; their changes are not in
   * commissions.
   */
  readonly changesLaterSales: boolean;
};

export type RecreditAttribution = {
  /** Why; the log shows it. */
  readonly reason: string;
  /** true returns what recrediting would change, and stores nothing; false by default. */
  readonly dryRun?: boolean | undefined;
};

export type Recredited = {
  readonly added: number;
  readonly cancelled: number;
};

export type RecreditDryRun = {
  /** The credits of uplines that change; a share is null where the sale has no such credit. */
  readonly credits: ReadonlyArray<{
    readonly partnerId: string;
    readonly role: string;
    readonly depth: number;
    readonly shareBefore: string | null;
    readonly shareAfter: string | null;
  }>;
  /**
   * By partner, role, depth and formula: the amount, and what is due of what is cancelled and of what is
   * new together. An amount is null where the partner earns nothing in this role at this depth under the
   * formula, or where it cannot be computed.
   */
  readonly commissions: ReadonlyArray<{
    readonly partnerId: string;
    readonly role: string;
    readonly depth: number;
    readonly commissionFormulaId: string;
    readonly currency: string;
    readonly amountBefore: number | null;
    readonly amountAfter: number | null;
    readonly dueBefore: number;
    readonly dueAfter: number;
    readonly computationError: {
      readonly code: string;
      readonly message: string;
    } | null;
  }>;
  /**
   * True where formulas accumulate and compute later sales anew as well; their changes are not in
   * commissions.
   */
  readonly changesLaterSales: boolean;
};

export type StateReceived = {
  /**
   * What the buyer has paid so far, in any unit; at least 0. It replaces what was stated before: less
   * takes back.
   */
  readonly received: number;
  /** What the buyer has to pay in all, in the same unit; greater than 0. */
  readonly of: number;
  /**
   * When the buyer had paid that much, at most 5 minutes ahead of the clock; by default the time of the
   * request. A statement of an earlier moment than the last one's changes nothing. RFC 3339 with an
   * offset or Z, not before 1970.
   */
  readonly receivedAt?: Moment | undefined;
};

export type PreviewReceived = {
  /**
   * What the buyer has paid so far, in any unit; at least 0. It replaces what was stated before: less
   * takes back.
   */
  readonly received: number;
  /** What the buyer has to pay in all, in the same unit; greater than 0. */
  readonly of: number;
  /**
   * When the buyer had paid that much, at most 5 minutes ahead of the clock; by default the time of the
   * request. A statement of an earlier moment than the last one's changes nothing. RFC 3339 with an
   * offset or Z, not before 1970.
   */
  readonly receivedAt?: Moment | undefined;
};

export type ReceiptPreview = {
  readonly commissions: ReadonlyArray<{
    readonly commissionId: string;
    readonly partnerId: string;
    readonly commissionFormulaId: string;
    readonly currency: string;
    readonly computedAmount: number | null;
    readonly releasedBefore: number;
    readonly releasedAfter: number;
    readonly dueBefore: number;
    readonly dueAfter: number;
  }>;
};

export type StateReceivedBatch = {
  /** atomic (the default): one refused statement refuses all. independent: the others are stored. */
  readonly mode?: "atomic" | "independent" | undefined;
  /** The statements, 1 to 1,000, each of another sale, in the order of their results. */
  readonly receipts: ReadonlyArray<{
    /**
     * The attribution of the sale; of several credits the one that the others name as their origin. A
     * UUID, in any letter case.
     */
    readonly attributionId: string;
    /**
     * What the buyer has paid so far, in any unit; at least 0. It replaces what was stated before: less
     * takes back.
     */
    readonly received: number;
    /** What the buyer has to pay in all, in the same unit; greater than 0. */
    readonly of: number;
    /**
     * When the buyer had paid that much, at most 5 minutes ahead of the clock; by default the time of the
     * request. A statement of an earlier moment than the last one's changes nothing. RFC 3339 with an
     * offset or Z, not before 1970.
     */
    readonly receivedAt?: Moment | undefined;
  }>;
};

export type StatedBatch = {
  readonly results: ReadonlyArray<
    | {
        readonly id: string;
        readonly changed: boolean;
      }
    | {
        readonly errorCode:
          | "UNAUTHORIZED"
          | "NOT_FOUND"
          | "INTERNAL_ERROR"
          | "BAD_REQUEST"
          | "FORBIDDEN"
          | "CONFLICT";
        readonly message: string;
        /** The path of the field that is wrong, such as `bank_account.iban`; absent if no single field is. */
        readonly field?: string;
        /**
         * The rule that refuses the request: settlement_not_draft, settlement_state, settlement_terminal,
         * settlement_stale, amount_too_large, four_eyes, commission_in_open_settlement,
         * commission_not_computable, billing_mode, upload_limit, comment_limit, attachment_used, tax_review,
         * e_invoice_invalid, exchange_rate_missing, e_invoice_unavailable, partner_suspended,
         * payout_unavailable, payout_account, payment_file_stale, period, formula_cancelled, formula_of_plan,
         * versions_ahead, version_not_ahead, plan_cancelled, plan_assignment, link_overlap, link_loop,
         * link_depth, terms_changed, plan_trial, parameter_values, external_reference_reuse,
         * attribution_cancelled, credit_of_sale, idempotency_key_reuse, feed_off, pdf_unavailable,
         * webhooks_off, webhook_disabled, webhook_limit or busy. The message begins with it.
         */
        readonly token?: string;
      }
  >;
};

export type ListRecredits = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type RecreditRun = {
  readonly id: string;
  readonly customerId: string;
  readonly workspaceId: string;
  /** Null: every sale. */
  readonly partnerIds: ReadonlyArray<string> | null;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly dryRun: boolean;
  readonly state: "running" | "done";
  readonly reached: string;
  /** Sales that the run has reached, also those that have the uplines that they should have. */
  readonly salesDone: number;
  readonly changedCount: number;
  /** Cancelled sales, which are left as they are. */
  readonly cancelledCount: number;
  /** Sales that would have more than 100 credits, which are left as they are. */
  readonly tooManyCreditsCount: number;
  /** Sales that are left as they are for another problem. */
  readonly failedCount: number;
  readonly creditsAdded: number;
  readonly creditsCancelled: number;
  /**
   * What the credits that were cancelled earned, and what the new ones earn; an amount that cannot be
   * computed counts as 0.
   */
  readonly totals: ReadonlyArray<{
    readonly currency: string;
    readonly amountBefore: bigint;
    readonly amountAfter: bigint;
  }>;
  /** The person that started the run. */
  readonly person: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
};

export type StartRecredit = {
  /** The workspace whose sales are recredited. A UUID, in any letter case. */
  readonly workspaceId: string;
  /**
   * Only sales in which one of these partners has a credit; 1 to 1,000 of the workspace. By default
   * every sale.
   */
  readonly partnerIds?: ReadonlyArray<string> | null | undefined;
  /** Inclusive: the sales that occurred at this moment or later. RFC 3339 with an offset or Z. */
  readonly from: Moment;
  /** Exclusive: the sales that occurred before this moment. RFC 3339 with an offset or Z. */
  readonly to: Moment;
  /** Why; the log shows it. */
  readonly reason: string;
  /** true computes what the run would change of each sale, and changes none; false by default. */
  readonly dryRun?: boolean | undefined;
};

export type ReadRecredit = {
  /** What became of the sales. Matches any of these values, at most 100. */
  readonly outcomes?:
    | ReadonlyArray<"changed" | "attribution_cancelled" | "too_many_credits" | "failed">
    | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type RecreditRunResult = {
  readonly attributionId: string;
  /**
   * changed; or left as it is: attribution_cancelled, too_many_credits (more than 100 with those of
   * uplines) or failed.
   */
  readonly outcome: "changed" | "attribution_cancelled" | "too_many_credits" | "failed";
  /** Why the sale was left as it is, else null. */
  readonly problem: string | null;
  /** The credits of uplines that change; a share is null where the sale has no such credit. */
  readonly credits: ReadonlyArray<{
    readonly partnerId: string;
    readonly role: string;
    readonly depth: number;
    readonly shareBefore: string | null;
    readonly shareAfter: string | null;
  }>;
  /**
   * By partner, role, depth and formula: the amount, and what is due of what is cancelled and of what is
   * new together. An amount is null where the partner earns nothing in this role at this depth under the
   * formula, or where it cannot be computed.
   */
  readonly commissions: ReadonlyArray<{
    readonly partnerId: string;
    readonly role: string;
    readonly depth: number;
    readonly commissionFormulaId: string;
    readonly currency: string;
    readonly amountBefore: number | null;
    readonly amountAfter: number | null;
    readonly dueBefore: number;
    readonly dueAfter: number;
    readonly computationError: {
      readonly code: string;
      readonly message: string;
    } | null;
  }>;
  /**
   * True where formulas accumulate and compute later sales anew as well; their changes are not in
   * commissions.
   */
  readonly changesLaterSales: boolean;
};

export type RecreditRunDetails = {
  readonly run: RecreditRun;
  readonly results: ReadonlyArray<RecreditRunResult>;
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
};

export type ListAttributionSchemas = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The customers of the records; for platform credentials. Matches any of these values, at most 100. */
  readonly customerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** A part of the name, in any letter case. */
  readonly name?: string | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type StringProperty = {
  readonly name: string;
  readonly type: "string";
  readonly required: boolean;
  readonly default?: string;
};

export type NumberProperty = {
  readonly name: string;
  readonly type: "number";
  readonly required: boolean;
  readonly default?: number;
  readonly format?: "money_minor" | "money_major" | "count" | "percent" | "plain";
};

export type BooleanProperty = {
  readonly name: string;
  readonly type: "boolean";
  readonly required: boolean;
  readonly default?: boolean;
};

export type PropertyDefinition = StringProperty | NumberProperty | BooleanProperty;

export type AttributionSchema = {
  readonly id: string;
  readonly name: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly displayProperties: ReadonlyArray<string>;
};

export type StringPropertyInput = {
  /** The property's name, once per schema. */
  readonly name: string;
  readonly type: "string";
  /** Whether every attribution must have the property, also when it has a default. */
  readonly required: boolean;
  /** What formulas read when the property was not given; it is not written into attributions. */
  readonly default?: string;
};

export type NumberPropertyInput = {
  /** The property's name, once per schema. */
  readonly name: string;
  readonly type: "number";
  /** Whether every attribution must have the property, also when it has a default. */
  readonly required: boolean;
  /** What formulas read when the property was not given; it is not written into attributions. */
  readonly default?: number;
  /**
   * What a number means: money_minor is an amount in the smallest unit of a formula's currency,
   * money_major one in whole units, count a number of things, percent a percentage (7.5 is 7.5 %), plain
   * (the default) none of these. Explanations, documents and the console print numbers by it; it changes
   * no amount.
   */
  readonly format?: "money_minor" | "money_major" | "count" | "percent" | "plain";
};

export type BooleanPropertyInput = {
  /** The property's name, once per schema. */
  readonly name: string;
  readonly type: "boolean";
  /** Whether every attribution must have the property, also when it has a default. */
  readonly required: boolean;
  /** What formulas read when the property was not given; it is not written into attributions. */
  readonly default?: boolean;
};

export type CreateAttributionSchema = {
  /** The workspace. A UUID, in any letter case. */
  readonly workspaceId: string;
  /** A name for people. */
  readonly name: string;
  /** The properties of an attribution, at most 100. */
  readonly properties: ReadonlyArray<StringPropertyInput | NumberPropertyInput | BooleanPropertyInput>;
  /** The names of the properties that documents show, at most 4. */
  readonly displayProperties?: ReadonlyArray<string> | undefined;
};

export type ListPartners = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The customers of the records; for platform credentials. Matches any of these values, at most 100. */
  readonly customerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** A part of the name, in any letter case. */
  readonly name?: string | undefined;
  /** not_configured matches partners whose billing_mode is null. */
  readonly billingMode?: "self_billing" | "partner_billing" | "not_configured" | undefined;
  /** The external references of partners, compared exactly. Matches any of these values, at most 100. */
  readonly externalReferences?: ReadonlyArray<string> | undefined;
  /**
   * Tags of partners, compared exactly; matches partners that have any of them. Matches any of these
   * values, at most 100.
   */
  readonly tags?: ReadonlyArray<string> | undefined;
  /** The statuses of the records. Matches any of these values, at most 100. */
  readonly statuses?: ReadonlyArray<"active" | "suspended"> | undefined;
  /**
   * true matches partners of which a payout account waits for its confirmation; false matches all other
   * partners.
   */
  readonly payoutAccountProposed?: boolean | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type Address = {
  readonly street: string;
  readonly city: string;
  readonly region: string;
  readonly postalCode: string;
  readonly country: string;
};

export type BankAccount = {
  readonly beneficiaryName: string;
  readonly iban: string;
  readonly bic: string;
};

export type Contact = {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
};

export type SelfBillingData = {
  readonly legalName: string;
  readonly address: Address;
  readonly vatNumber: string;
  readonly vatNumberType?: "vat" | "tax";
  readonly registrationNumber?: string;
  readonly paymentTermsDays: number;
  readonly bankAccount: BankAccount;
  /** rate_bps is required when treatment is standard, and null or absent otherwise. */
  readonly taxConfig: {
    readonly treatment: "standard" | "reverse_charge" | "exempt" | "outside_scope";
    readonly label: string;
    readonly rateBps: number | null;
  };
  readonly electronicAddress?: string;
  readonly legalNote?: string;
  readonly contact?: Contact;
};

/** self_billing_data is present exactly when billing_mode is self_billing. */
export type Partner = {
  readonly id: string;
  readonly name: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly billingMode: "self_billing" | "partner_billing" | null;
  readonly selfBillingData?: SelfBillingData;
  readonly externalReference?: string;
  readonly email?: string;
  readonly notes?: string;
  readonly status?: "active" | "suspended";
  /** Labels by which the partner is found, at most 50, replaced as a whole. */
  readonly tags?: ReadonlyArray<string>;
  /**
   * Why payments to the partner would fail, or that its bank account waits for a confirmation; null
   * otherwise.
   */
  readonly payoutProblem: string | null;
};

export type CreatePartner = {
  /** A name for people. */
  readonly name: string;
  /** The workspace. A UUID, in any letter case. */
  readonly workspaceId: string;
  /**
   * self_billing: this service issues the partner's invoices. partner_billing (the default): the partner
   * issues them.
   */
  readonly billingMode?: "self_billing" | "partner_billing" | undefined;
  /** The partner's legal data for self-billing, replaced as a whole. */
  readonly selfBillingData?:
    | {
        /** The legal name, as documents show it. */
        readonly legalName: string;
        /** The postal address, as documents show it. */
        readonly address: {
          /** The street and number. */
          readonly street: string;
          /** The city. */
          readonly city: string;
          /** The state, province or region; may be empty. */
          readonly region: string;
          /** The postal code. */
          readonly postalCode: string;
          /** The country. An ISO 3166-1 alpha-2 code. */
          readonly country: string;
        };
        /** The VAT number; of a business without one its tax number. */
        readonly vatNumber: string;
        /** tax: vat_number is a national tax number, because the business has no VAT number. vat by default. */
        readonly vatNumberType?: "vat" | "tax" | undefined;
        /**
         * The number in a public register, on documents and e-invoices (BT-30, BT-47): as HRB 12345, or after
         * the code of its scheme in ISO 6523, as 0002:732829320 for a SIREN.
         */
        readonly registrationNumber?: string | undefined;
        /** The days from the date of an invoice until it is due. */
        readonly paymentTermsDays: number;
        /** The account to which payments are made. */
        readonly bankAccount: {
          /** The holder of the account, as the bank knows it. */
          readonly beneficiaryName: string;
          /** The IBAN of the account. */
          readonly iban: string;
          /** The BIC of the bank. */
          readonly bic: string;
        };
        /** rate_bps is required when treatment is standard, and null or absent otherwise. */
        readonly taxConfig: {
          /**
           * standard charges rate_bps; reverse_charge and exempt charge no tax; outside_scope: the service is
           * not subject to VAT at all.
           */
          readonly treatment: "standard" | "reverse_charge" | "exempt" | "outside_scope";
          /** The name of the tax on documents, such as VAT. */
          readonly label: string;
          /** The rate in hundredths of a percent: 2550 is 25.5 %. Null or absent unless treatment is standard. */
          readonly rateBps?: number | null | undefined;
        };
        /**
         * The address for e-invoices: a scheme of the Peppol list and an identifier, such as
         * 0088:7300010000001. An electronic address: a scheme of the Peppol list and an identifier, such as
         * 0088:7300010000001.
         */
        readonly electronicAddress?: string | undefined;
        /**
         * A text that the law demands on invoices, such as a register number: printed on invoices and credit
         * notes that this service issues, and part of the note of e-invoices. Each line is a paragraph.
         */
        readonly legalNote?: string | undefined;
        /** Where the partner can be asked about an invoice: e-invoices state it, and XRechnung requires it. */
        readonly contact?:
          | {
              /** A person or a department. */
              readonly name: string;
              /** The telephone number. */
              readonly phone: string;
              /** The e-mail address. */
              readonly email: string;
            }
          | undefined;
      }
    | undefined;
  /**
   * Your own name of the partner, unique in its workspace. A second creation with the same reference and
   * content returns the existing id. Null: none.
   */
  readonly externalReference?: string | null | undefined;
  /** An e-mail address of the partner. Null: none. */
  readonly email?: string | null | undefined;
  /**
   * Notes about the partner for your team, up to 2,000 characters. No key of a partner is shown it.
   * Null: none.
   */
  readonly notes?: string | null | undefined;
  /**
   * suspended: settlement runs draft nothing for the partner, and no payment to it is initiated;
   * everything else stays possible. active (the default) ends that. An active partner is shown without
   * it.
   */
  readonly status?: "active" | "suspended" | null | undefined;
  /** Labels by which the partner is found, at most 50, replaced as a whole. */
  readonly tags?: ReadonlyArray<string> | null | undefined;
  /** true returns what is doubtful in the data, and stores nothing; false by default. */
  readonly dryRun?: boolean | undefined;
};

export type PartnerDryRun = {
  /** The partner that has the reference and the same content; null where one would be created. */
  readonly existingId: string | null;
  /** What is accepted, and would keep the partner from being paid or from an e-invoice. */
  readonly doubts: ReadonlyArray<{
    readonly field: string;
    readonly message: string;
  }>;
};

export type UpdatePartner = {
  /** A name for people. */
  readonly name?: string | null | undefined;
  /** self_billing: this service issues the partner's invoices. partner_billing: the partner issues them. */
  readonly billingMode?: "self_billing" | "partner_billing" | null | undefined;
  /** The partner's legal data for self-billing, replaced as a whole. */
  readonly selfBillingData?:
    | {
        /** The legal name, as documents show it. */
        readonly legalName: string;
        /** The postal address, as documents show it. */
        readonly address: {
          /** The street and number. */
          readonly street: string;
          /** The city. */
          readonly city: string;
          /** The state, province or region; may be empty. */
          readonly region: string;
          /** The postal code. */
          readonly postalCode: string;
          /** The country. An ISO 3166-1 alpha-2 code. */
          readonly country: string;
        };
        /** The VAT number; of a business without one its tax number. */
        readonly vatNumber: string;
        /** tax: vat_number is a national tax number, because the business has no VAT number. vat by default. */
        readonly vatNumberType?: "vat" | "tax" | undefined;
        /**
         * The number in a public register, on documents and e-invoices (BT-30, BT-47): as HRB 12345, or after
         * the code of its scheme in ISO 6523, as 0002:732829320 for a SIREN.
         */
        readonly registrationNumber?: string | undefined;
        /** The days from the date of an invoice until it is due. */
        readonly paymentTermsDays: number;
        /** The account to which payments are made. */
        readonly bankAccount: {
          /** The holder of the account, as the bank knows it. */
          readonly beneficiaryName: string;
          /** The IBAN of the account. */
          readonly iban: string;
          /** The BIC of the bank. */
          readonly bic: string;
        };
        /** rate_bps is required when treatment is standard, and null or absent otherwise. */
        readonly taxConfig: {
          /**
           * standard charges rate_bps; reverse_charge and exempt charge no tax; outside_scope: the service is
           * not subject to VAT at all.
           */
          readonly treatment: "standard" | "reverse_charge" | "exempt" | "outside_scope";
          /** The name of the tax on documents, such as VAT. */
          readonly label: string;
          /** The rate in hundredths of a percent: 2550 is 25.5 %. Null or absent unless treatment is standard. */
          readonly rateBps?: number | null | undefined;
        };
        /**
         * The address for e-invoices: a scheme of the Peppol list and an identifier, such as
         * 0088:7300010000001. An electronic address: a scheme of the Peppol list and an identifier, such as
         * 0088:7300010000001.
         */
        readonly electronicAddress?: string | undefined;
        /**
         * A text that the law demands on invoices, such as a register number: printed on invoices and credit
         * notes that this service issues, and part of the note of e-invoices. Each line is a paragraph.
         */
        readonly legalNote?: string | undefined;
        /** Where the partner can be asked about an invoice: e-invoices state it, and XRechnung requires it. */
        readonly contact?:
          | {
              /** A person or a department. */
              readonly name: string;
              /** The telephone number. */
              readonly phone: string;
              /** The e-mail address. */
              readonly email: string;
            }
          | undefined;
      }
    | null
    | undefined;
  /**
   * Your own name of the partner, unique in its workspace. A second creation with the same reference and
   * content returns the existing id. Null: none.
   */
  readonly externalReference?: string | null | undefined;
  /** An e-mail address of the partner. Null: none. */
  readonly email?: string | null | undefined;
  /**
   * Notes about the partner for your team, up to 2,000 characters. No key of a partner is shown it.
   * Null: none.
   */
  readonly notes?: string | null | undefined;
  /**
   * suspended: settlement runs draft nothing for the partner, and no payment to it is initiated;
   * everything else stays possible. active (the default) ends that. An active partner is shown without
   * it.
   */
  readonly status?: "active" | "suspended" | null | undefined;
  /** Labels by which the partner is found, at most 50, replaced as a whole. */
  readonly tags?: ReadonlyArray<string> | null | undefined;
};

export type ListPartnerEvents = {
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type EventActor = {
  /** The id of the API key, or jwt: and the subject of a token. */
  readonly principal_id: string;
  /** The person behind it; the same as principal_id where none is known. */
  readonly person: string;
};

export type MaskedAccount = {
  /** Masked: the country and the last letters. */
  readonly iban: string;
  readonly bic: string;
};

export type CreatePartnerEvent = {
  readonly type: "create_partner";
  readonly actor: EventActor;
  readonly billing_mode: "self_billing" | "partner_billing" | null;
  readonly bank_account: MaskedAccount | null;
  /** rate_bps is required when treatment is standard, and null or absent otherwise. */
  readonly tax_config: {
    readonly treatment: "standard" | "reverse_charge" | "exempt" | "outside_scope";
    readonly label: string;
    readonly rate_bps: number | null;
  } | null;
  readonly external_reference?: string | null;
  readonly status?: "active" | "suspended";
  readonly tags?: ReadonlyArray<string>;
};

export type UpdatePartnerEvent = {
  readonly type: "update_partner";
  readonly actor: EventActor;
  /** The fields that have changed, such as self_billing_data.bank_account. */
  readonly fields: ReadonlyArray<string>;
  readonly billing_mode?: "self_billing" | "partner_billing" | null;
  readonly bank_account?: MaskedAccount | null;
  /** rate_bps is required when treatment is standard, and null or absent otherwise. */
  readonly tax_config?: {
    readonly treatment: "standard" | "reverse_charge" | "exempt" | "outside_scope";
    readonly label: string;
    readonly rate_bps: number | null;
  } | null;
  readonly external_reference?: string | null;
  readonly status?: "active" | "suspended";
  readonly tags?: ReadonlyArray<string>;
};

export type ProposePayoutAccountEvent = {
  readonly type: "propose_payout_account";
  readonly actor: EventActor;
  readonly account_id: string;
  readonly account_type: "iban" | "us_ach" | "uk" | "email" | "custom";
  readonly currency: string | null;
  /** Masked; empty once personal data was erased. */
  readonly details: { readonly [name: string]: string };
};

export type ConfirmPayoutAccountEvent = {
  readonly type: "confirm_payout_account";
  readonly actor: EventActor;
  readonly account_id: string;
};

export type RetirePayoutAccountEvent = {
  readonly type: "retire_payout_account";
  readonly actor: EventActor;
  readonly account_id: string;
};

export type PartnerEvent =
  | CreatePartnerEvent
  | UpdatePartnerEvent
  | ProposePayoutAccountEvent
  | ConfirmPayoutAccountEvent
  | RetirePayoutAccountEvent
  | ErasePersonalDataEvent;

export type ReadPartnerBalance = {
  /**
   * Exclusive: includes the events before this moment, which may not be in the future. By default all
   * events until now. RFC 3339 with an offset or Z.
   */
  readonly at?: Moment | undefined;
};

export type PartnerBalance = {
  readonly at: string;
  readonly final: boolean;
  readonly balances: ReadonlyArray<{
    readonly currency: string;
    readonly earned: bigint;
    readonly settled: bigint;
    readonly pending: bigint;
    readonly due: bigint;
    readonly waiting: bigint;
  }>;
};

export type ReadPartnerBalances = {
  /** The partners, at most 100. */
  readonly partnerIds: ReadonlyArray<string>;
  /**
   * Exclusive: includes the events before this moment, which may not be in the future. By default all
   * events until now. RFC 3339 with an offset or Z.
   */
  readonly at?: Moment | undefined;
};

export type PartnerBalances = {
  readonly at: string;
  readonly final: boolean;
  readonly balances: ReadonlyArray<{
    readonly partnerId: string;
    readonly currency: string;
    readonly earned: bigint;
    readonly settled: bigint;
    readonly pending: bigint;
    readonly due: bigint;
    readonly waiting: bigint;
  }>;
};

export type ReadPartnerStatement = {
  /** The start of the period. Inclusive. RFC 3339 with an offset or Z. */
  readonly from: Moment;
  /**
   * The end of the period. Exclusive, and not in the future. By default all events until now. RFC 3339
   * with an offset or Z.
   */
  readonly to?: Moment | undefined;
  /**
   * The currency of the statement. An ISO 4217 code. Required when the partner has amounts in more than
   * one currency.
   */
  readonly currency?: string | undefined;
  /** next_cursor of the previous page; requires the same partner, from, to and currency. */
  readonly after?: string | undefined;
  /** The greatest number of movements on a page. */
  readonly limit?: number | undefined;
  /** Of the CSV file, which the header Accept asks for: spreadsheet begins with a byte order mark. */
  readonly format?: "csv" | "spreadsheet" | undefined;
};

export type Movement = {
  readonly datetime: string;
  readonly type:
    | "earned"
    | "adjusted"
    | "received"
    | "settled_elsewhere"
    | "paid"
    | "written_off"
    | "payment_returned";
  readonly amount: bigint;
  readonly balance: bigint;
  readonly commissionId?: string;
  readonly settlementId?: string;
  readonly reference?: string;
  readonly text: string;
};

export type PartnerStatement = {
  readonly partnerId: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly final: boolean;
  readonly openingBalance: bigint;
  readonly movements: ReadonlyArray<Movement>;
  readonly closingBalance: bigint;
  /** The parameter after of the next page; null on the last page. */
  readonly nextCursor: string | null;
};

export type SettlementSchedule = {
  /** When runs start automatically: manual (never), or weekly, monthly or quarterly. */
  readonly cadence:
    | "manual"
    | {
        readonly type: "weekly" | "monthly" | "quarterly";
        readonly day: number;
        readonly timeZone: string;
      };
  /**
   * Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default
   * for a workspace.
   */
  readonly holdDays: number;
  /**
   * By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a
   * later run.
   */
  readonly minimum: { readonly [name: string]: number };
  /**
   * Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false
   * by default.
   */
  readonly requireAcceptance: boolean;
  /** The next period of the cadence: its local label, such as 2026-02, and its first instant. */
  readonly nextRun: {
    readonly label: string;
    readonly at: string;
  } | null;
};

export type PayoutAccount = {
  readonly id: string;
  readonly type: "iban" | "us_ach" | "uk" | "email" | "custom";
  /**
   * The currency whose settlements are paid to it; absent for every currency without an account of its
   * own.
   */
  readonly currency?: string;
  /**
   * The fields of the type. Masked without the scope payouts:read: without names, with the ends of
   * numbers.
   */
  readonly details: { readonly [name: string]: string };
  readonly status: "proposed" | "confirmed" | "retired";
  readonly proposedAt: string;
  /** The person that proposed it; null for the account of before the partner had payout accounts. */
  readonly proposedBy: string | null;
  /**
   * True for an account that the partner itself proposed: a person of yours confirms it, whatever the
   * setting.
   */
  readonly proposedByPartner: boolean;
  /** The moment from which it may be confirmed; null unless it is proposed. */
  readonly confirmableFrom: string | null;
  /** True for a proposed account that the person who proposed it may not confirm. */
  readonly needsSecondPerson: boolean;
  readonly confirmedAt: string | null;
  /** The person that confirmed it: the one that proposed it where the proposal did. */
  readonly confirmedBy: string | null;
  readonly retiredAt: string | null;
};

export type ProposePayoutAccount = {
  /**
   * iban (iban, bic where known, holder), us_ach (routing_number, account_number, account_type, holder),
   * uk (sort_code, account_number, holder), email (address, service), or custom, whose fields your own
   * payment service knows.
   */
  readonly type: "iban" | "us_ach" | "uk" | "email" | "custom";
  /**
   * The currency whose settlements are paid to it; without one, those of every currency that has no
   * account of its own. An ISO 4217 code.
   */
  readonly currency?: string | null | undefined;
  /** The fields of the type. */
  readonly details: { readonly [name: string]: string };
};

export type ListPartnerLinks = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The partners directly above. Matches any of these values, at most 100. */
  readonly uplinePartnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** The roles of the links, compared exactly. Matches any of these values, at most 100. */
  readonly roles?: ReadonlyArray<string> | undefined;
  /** Matches links that hold at this moment. RFC 3339 with an offset or Z. */
  readonly activeAt?: Moment | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type PartnerLink = {
  readonly id: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly partnerId: string;
  readonly uplinePartnerId: string;
  /** The role of the upline, such as manager. */
  readonly role: string;
  readonly startDatetime: string;
  /** Exclusive; null without an end. The same as start_datetime: the link was withdrawn. */
  readonly endDatetime: string | null;
  readonly createdAt: string;
};

export type CreatePartnerLink = {
  /** The partner. A UUID, in any letter case. */
  readonly partnerId: string;
  /**
   * Another partner of the same workspace, who is directly above the partner in this role. A UUID, in
   * any letter case.
   */
  readonly uplinePartnerId: string;
  /** The role of the upline, such as manager or recruiter; not seller. */
  readonly role: string;
  /**
   * Inclusive: the link holds for sales that occurred at this moment or later; now by default. RFC 3339
   * with an offset or Z.
   */
  readonly startDatetime?: Moment | undefined;
  /**
   * Exclusive: the link holds for sales that occurred before this moment. Null or absent: no end. RFC
   * 3339 with an offset or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
};

export type UpdatePartnerLink = {
  /**
   * Exclusive; null: no end. The start itself withdraws the link: it never held. RFC 3339 with an offset
   * or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
};

export type ListCommissionFormulas = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The customers of the records; for platform credentials. Matches any of these values, at most 100. */
  readonly customerIds?: ReadonlyArray<string> | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** The commission plans of the formulas. Matches any of these values, at most 100. */
  readonly planIds?: ReadonlyArray<string> | undefined;
  /** Matches formulas that are active at this moment. RFC 3339 with an offset or Z. */
  readonly activeAt?: Moment | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type Parameter = {
  readonly name: string;
  readonly type: "number" | "string" | "boolean" | "date";
  readonly default?: string | number | boolean;
  readonly format?: "money_minor" | "money_major" | "count" | "percent" | "plain";
};

/**
 * How a plan assigned a formula: the plan's window at the revision that the formula has reached, and
 * the assignment's own bounds, null where they follow the plan.
 */
export type PlanAssignment = {
  readonly plan_id: string;
  readonly plan_revision: number;
  readonly plan_start_datetime: string;
  readonly plan_end_datetime: string | null;
  readonly start_datetime: string | null;
  readonly end_datetime: string | null;
};

export type CreateCommissionFormulaEvent = {
  readonly type: "create_commission_formula";
  readonly formula: Expression;
  /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
  readonly apply_share?: boolean;
  readonly name: string;
  readonly description: string | null;
  readonly start_datetime: string;
  readonly end_datetime: string | null;
  readonly currency: string;
  readonly roles?: ReadonlyArray<string>;
  readonly release?: "on_receipt";
  readonly parameters?: ReadonlyArray<Parameter>;
  readonly parameter_values?: ReadonlyArray<{
    readonly values: { readonly [name: string]: string | null | number | null | boolean | null };
    readonly effective_datetime: string | null;
  }>;
  /**
   * Versions after the one of formula: of a new formula those of its plan; of an update the versions
   * ahead that it keeps.
   */
  readonly later_versions?: ReadonlyArray<{
    readonly formula: Expression;
    /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
    readonly apply_share?: boolean;
    readonly effective_datetime: string;
    /** The date was in the future, and a caller gave it. */
    readonly ahead?: true;
  }>;
  /** The numbers of the versions that never hold. */
  readonly withdrawn_versions?: ReadonlyArray<number>;
  readonly assignment?: PlanAssignment;
};

export type UpdateCommissionFormulaEvent = {
  readonly type: "update_commission_formula";
  readonly name?: string;
  readonly description?: string | null;
  readonly start_datetime?: string;
  readonly end_datetime?: string | null;
  readonly formula?: Expression;
  /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
  readonly apply_share?: boolean;
  readonly effective_datetime?: string;
  /** The date was in the future, and a caller gave it. */
  readonly ahead?: true;
  readonly parameters?: ReadonlyArray<Parameter>;
  /**
   * Versions after the one of formula: of a new formula those of its plan; of an update the versions
   * ahead that it keeps.
   */
  readonly later_versions?: ReadonlyArray<{
    readonly formula: Expression;
    /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
    readonly apply_share?: boolean;
    readonly effective_datetime: string;
    /** The date was in the future, and a caller gave it. */
    readonly ahead?: true;
  }>;
  /** The numbers of the versions that never hold. */
  readonly withdrawn_versions?: ReadonlyArray<number>;
  readonly assignment?: PlanAssignment;
};

export type SetParameterValuesEvent = {
  readonly type: "set_parameter_values";
  readonly values: { readonly [name: string]: string | null | number | null | boolean | null };
  readonly effective_datetime: string | null;
};

export type CancelCommissionFormulaEvent = {
  readonly type: "cancel_commission_formula";
  readonly reason: string;
  readonly assignment?: PlanAssignment;
};

export type CommissionFormulaEvent =
  | CreateCommissionFormulaEvent
  | UpdateCommissionFormulaEvent
  | SetParameterValuesEvent
  | CancelCommissionFormulaEvent
  | ErasePersonalDataEvent;

export type FormulaVersion = {
  readonly number: number;
  /**
   * ahead until its date, which a caller set in the future; withdrawn where it never holds; otherwise
   * reached.
   */
  readonly status: "reached" | "ahead" | "withdrawn";
  /** From then on it replaces every version stated before it; null: from the start. */
  readonly effectiveDatetime: string | null;
  readonly formula: Expression;
  /** The expression in the text form of the formula language, laid out in lines. */
  readonly formulaText: string;
  /**
   * True if the share of a credit multiplies what it pays: as it was stated, by default unless its
   * expression reads credit_share outside of aggregates, or sellers_commission.
   */
  readonly applyShare: boolean;
};

export type ParameterTimeline = {
  readonly name: string;
  readonly type: "number" | "string" | "boolean" | "date";
  readonly default?: string | number | boolean;
  readonly format?: "money_minor" | "money_major" | "count" | "percent" | "plain";
  readonly values: ReadonlyArray<{
    readonly number: number;
    readonly value: string | number | boolean;
    readonly effective_datetime: string | null;
  }>;
};

export type CommissionFormula = {
  readonly id: string;
  readonly partnerId: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly planId?: string;
  readonly currency: string;
  readonly name: string;
  readonly description: string | null;
  readonly startDatetime: string;
  readonly endDatetime: string | null;
  readonly expression: Expression;
  readonly roles: ReadonlyArray<string>;
  readonly release?: "on_receipt";
  readonly createdAt: string;
  readonly events: ReadonlyArray<{
    readonly datetime: string;
    readonly event: CommissionFormulaEvent;
  }>;
  readonly status: "active" | "cancelled";
  readonly cancelReason?: string;
  readonly formula: Expression;
  /** The expression in the text form of the formula language, laid out in lines. */
  readonly formulaText: string;
  readonly versions: ReadonlyArray<FormulaVersion>;
  readonly parameters?: ReadonlyArray<ParameterTimeline>;
  readonly recomputing?: true;
};

export type ParameterDefinition = {
  /** What expressions read as plan.name. */
  readonly name: string;
  /** What its values are; a date is text, 2026-01-31 or RFC 3339. */
  readonly type: "number" | "string" | "boolean" | "date";
  /** The value of partners without one; without a default every partner needs one. */
  readonly default?: string | number | boolean;
  /** Of numbers only: what they mean, which decides how they are printed; plain unless stated. */
  readonly format?: "money_minor" | "money_major" | "count" | "percent" | "plain";
};

export type CreateCommissionFormula = {
  /** The partner. A UUID, in any letter case. */
  readonly partnerId: string;
  /** The workspace. A UUID, in any letter case. */
  readonly workspaceId: string;
  /** The attribution schema, of the same workspace. A UUID, in any letter case. */
  readonly schemaId: string;
  /** A name for people. */
  readonly name: string;
  /** A note for people; has no effect. */
  readonly description?: string | null | undefined;
  /** Inclusive: attributions that occurred at this moment or later earn. RFC 3339 with an offset or Z. */
  readonly startDatetime: Moment;
  /**
   * Exclusive: attributions that occurred before this moment earn. Null or absent: no end. RFC 3339 with
   * an offset or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
  /** The currency of the amounts that the expression gives. An ISO 4217 code. */
  readonly currency: string;
  /**
   * The roles of the credits that it pays, 1 to 20; ["seller"] by default. They never change. A sale
   * that nobody else earns from has the role seller.
   */
  readonly roles?: ReadonlyArray<string> | undefined;
  /**
   * When amounts may be settled: at_once (the default), or on_receipt, as far as the buyer has paid the
   * sale. It never changes.
   */
  readonly release?: "at_once" | "on_receipt" | undefined;
  /** What an attribution earns, as nodes of the formula language; or as text in expression_text. */
  readonly expression?: Expression | undefined;
  /**
   * The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of
   * UTF-8. It is stored as nodes.
   */
  readonly expressionText?: string | undefined;
  /**
   * Whether the share of a credit multiplies what the expression pays, before it is rounded. By default
   * it does, unless the expression reads credit_share outside of aggregates, or sellers_commission.
   */
  readonly applyShare?: boolean | undefined;
  /**
   * The parameters that the expression may read as plan.name: names with a value for each partner. In a
   * change: all of them after it. A new one needs a default where partners have the formula, types and
   * defaults never change, and one that no expression reads may be left out.
   */
  readonly parameters?: ReadonlyArray<ParameterDefinition> | undefined;
  /**
   * The values of the parameters by name, which hold for all time unless a later statement has a date.
   * Parameters without a default need one.
   */
  readonly values?: { readonly [name: string]: string | number | boolean } | undefined;
  /**
   * true returns what it would change, for at most 100,000 past sales, and stores nothing; false by
   * default.
   */
  readonly dryRun?: boolean | undefined;
};

export type FormulaDryRun = {
  readonly formulaCount: number;
  /**
   * The commissions that would be created for past sales, their sum, and the part of it that would wait
   * until buyers have paid.
   */
  readonly commissions: ReadonlyArray<{
    readonly currency: string;
    readonly count: number;
    readonly amount: bigint;
    readonly waiting: bigint;
  }>;
  readonly notComputableCount: number;
  readonly overlapCount: number;
  /**
   * The formulas of the same partner and schema under which sales from now on would pay as well, and
   * when; the first 100.
   */
  readonly overlaps: ReadonlyArray<{
    readonly partnerId: string;
    readonly formulaId: string;
    readonly planId: string | null;
    readonly name: string;
    readonly currency: string;
    readonly startDatetime: string;
    readonly endDatetime: string | null;
  }>;
  /**
   * Partners for which an assignment would be refused: they have no value for these parameters, which
   * have no default. They are in nothing above.
   */
  readonly missingValues: ReadonlyArray<{
    readonly partnerId: string;
    readonly parameters: ReadonlyArray<string>;
  }>;
};

export type SimulateCommissionFormula = {
  /** The attribution schema, of the same workspace. A UUID, in any letter case. */
  readonly schemaId: string;
  /** The currency of the amounts that the expression gives. An ISO 4217 code. */
  readonly currency: string;
  /** What an attribution earns, as nodes of the formula language; or as text in expression_text. */
  readonly expression?: Expression | undefined;
  /**
   * The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of
   * UTF-8. It is stored as nodes.
   */
  readonly expressionText?: string | undefined;
  /**
   * Whether the share of a credit multiplies what the expression pays, before it is rounded. By default
   * it does, unless the expression reads credit_share outside of aggregates, or sellers_commission.
   */
  readonly applyShare?: boolean | undefined;
  /** The parameters that the expression may read. */
  readonly parameters?: ReadonlyArray<ParameterDefinition> | undefined;
  /** The values of the parameters by name, for all samples. */
  readonly values?: { readonly [name: string]: string | number | boolean } | undefined;
  /** The attributions to evaluate the expression for, 1 to 100. */
  readonly samples: ReadonlyArray<{
    /** The values of the schema's properties, by name. A required one must be present, and no other may be. */
    readonly properties: { readonly [name: string]: string | number | boolean };
    /** When the sample was recorded; by default now. RFC 3339 with an offset or Z. */
    readonly createdAt?: Moment | undefined;
    /**
     * When the sample occurred, which may be in the future; by default its created_at. RFC 3339 with an
     * offset or Z, not before 1970.
     */
    readonly occurredAt?: Moment | undefined;
    /**
     * The calendar day that it counts for; by default that of occurred_at in the time zone of the schema's
     * workspace. A calendar date, YYYY-MM-DD.
     */
    readonly occurredOn?: string | undefined;
    /** The partner's part of the sale; by default all of it, as its seller. */
    readonly credit?:
      | {
          /** What the partner did for the sale; "seller" by default. Formulas say which roles they pay. */
          readonly role?: string | undefined;
          /**
           * The part of the sale that is the partner's, as text: a decimal such as "0.6", or a fraction such as
           * "1/3"; "1" by default. The shares of the sellers add up to exactly 1.
           */
          readonly share?: string | undefined;
          /** 0, the default, or how far above a seller the partner stands. */
          readonly depth?: number | undefined;
        }
      | undefined;
    /** The attributions that arrived before the sample, in order of arrival, at most 1,000. */
    readonly history?:
      | ReadonlyArray<{
          /** The values of the schema's properties, by name. A required one must be present, and no other may be. */
          readonly properties: { readonly [name: string]: string | number | boolean };
          /** When the earlier attribution was recorded. RFC 3339 with an offset or Z. */
          readonly createdAt?: Moment | undefined;
          /**
           * When the earlier attribution occurred; by default its created_at. RFC 3339 with an offset or Z, not
           * before 1970.
           */
          readonly occurredAt?: Moment | undefined;
          /**
           * The calendar day that it counts for; by default that of occurred_at in the time zone of the schema's
           * workspace. A calendar date, YYYY-MM-DD.
           */
          readonly occurredOn?: string | undefined;
          /** The partner's part of the sale; by default all of it, as its seller. */
          readonly credit?:
            | {
                /** What the partner did for the sale; "seller" by default. Formulas say which roles they pay. */
                readonly role?: string | undefined;
                /**
                 * The part of the sale that is the partner's, as text: a decimal such as "0.6", or a fraction such as
                 * "1/3"; "1" by default. The shares of the sellers add up to exactly 1.
                 */
                readonly share?: string | undefined;
                /** 0, the default, or how far above a seller the partner stands. */
                readonly depth?: number | undefined;
              }
            | undefined;
          /** confirmed (the default), or cancelled, which aggregates do not count. */
          readonly status?: "confirmed" | "cancelled" | undefined;
        }>
      | undefined;
    /**
     * What the sellers below earn from the sample, in the smallest unit; an expression that reads
     * sellers_commission needs it.
     */
    readonly sellersCommission?: number | undefined;
  }>;
};

export type TraceStep = {
  readonly path: string;
  readonly type: string;
  readonly value: string | null | boolean | null;
  readonly detail: { readonly [name: string]: unknown };
};

export type Simulation = {
  readonly results: ReadonlyArray<
    | {
        readonly amount: number;
        /** The derivation of an amount: the final rounding, then every evaluated node in reading order. */
        readonly trace: ReadonlyArray<TraceStep>;
      }
    | {
        readonly error: {
          readonly code: string;
          readonly message: string;
        };
      }
  >;
};

export type UpdateCommissionFormula = {
  /** A name for people. */
  readonly name?: string | null | undefined;
  /** A note for people; has no effect. */
  readonly description?: string | null | undefined;
  /** Inclusive: attributions that occurred at this moment or later earn. RFC 3339 with an offset or Z. */
  readonly startDatetime?: Moment | null | undefined;
  /**
   * Exclusive: attributions that occurred before this moment earn. Null or absent: no end. RFC 3339 with
   * an offset or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
  /** What an attribution earns, as nodes of the formula language; or as text in expression_text. */
  readonly expression?: Expression | undefined;
  /**
   * The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of
   * UTF-8. It is stored as nodes.
   */
  readonly expressionText?: string | undefined;
  /**
   * Whether the share of a credit multiplies what the expression pays, before it is rounded. By default
   * it does, unless the expression reads credit_share outside of aggregates, or sellers_commission.
   */
  readonly applyShare?: boolean | undefined;
  /**
   * The parameters that the expression may read as plan.name: names with a value for each partner. In a
   * change: all of them after it. A new one needs a default where partners have the formula, types and
   * defaults never change, and one that no expression reads may be left out.
   */
  readonly parameters?: ReadonlyArray<ParameterDefinition> | undefined;
  /**
   * Inclusive: the new expression applies to attributions that occurred at this moment or later. In the
   * past it changes earlier amounts; in the future the version is ahead until then. By default now, or 1
   * ms after the newest attribution when that is later. RFC 3339 with an offset or Z.
   */
  readonly effectiveDatetime?: Moment | null | undefined;
  /**
   * In place of effective_datetime: a day, from its first instant in the time zone that the workspace
   * has now. A calendar date, YYYY-MM-DD.
   */
  readonly effectiveOn?: string | null | undefined;
  /**
   * Needed where versions with a date in the future, not before that of the new expression, would be
   * replaced: keep states them again after it, withdraw withdraws them.
   */
  readonly versionsAhead?: "keep" | "withdraw" | null | undefined;
};

export type SetCommissionFormulaParameters = {
  /** The values of parameters by name; null withdraws the value of exactly effective_datetime. */
  readonly values: { readonly [name: string]: string | null | number | null | boolean | null };
  /**
   * Inclusive: the values hold for attributions that occurred at this moment or later, until the next
   * date stated for the same parameter. It may lie in the future. By default now. RFC 3339 with an
   * offset or Z.
   */
  readonly effectiveDatetime?: Moment | null | undefined;
  /**
   * In place of effective_datetime: a day, from its first instant in the time zone that the workspace
   * has now. A calendar date, YYYY-MM-DD.
   */
  readonly effectiveOn?: string | null | undefined;
};

export type CancelCommissionFormula = {
  /** Why; the log shows it. */
  readonly reason: string;
};

export type ListCommissionPlans = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** A part of the name, in any letter case. */
  readonly name?: string | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type CreateCommissionPlanEvent = {
  readonly type: "create_commission_plan";
  readonly formula: Expression;
  /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
  readonly apply_share?: boolean;
  readonly name: string;
  readonly description: string | null;
  readonly start_datetime: string;
  readonly end_datetime: string | null;
  readonly currency: string;
  readonly roles?: ReadonlyArray<string>;
  readonly release?: "on_receipt";
  readonly parameters?: ReadonlyArray<Parameter>;
};

export type UpdateCommissionPlanEvent = {
  readonly type: "update_commission_plan";
  readonly name?: string;
  readonly description?: string | null;
  readonly start_datetime?: string;
  readonly end_datetime?: string | null;
  readonly formula?: Expression;
  /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
  readonly apply_share?: boolean;
  readonly effective_datetime?: string;
  /** The date was in the future, and a caller gave it. */
  readonly ahead?: true;
  readonly parameters?: ReadonlyArray<Parameter>;
  /**
   * Versions after the one of formula: of a new formula those of its plan; of an update the versions
   * ahead that it keeps.
   */
  readonly later_versions?: ReadonlyArray<{
    readonly formula: Expression;
    /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
    readonly apply_share?: boolean;
    readonly effective_datetime: string;
    /** The date was in the future, and a caller gave it. */
    readonly ahead?: true;
  }>;
  /** The numbers of the versions that never hold. */
  readonly withdrawn_versions?: ReadonlyArray<number>;
};

export type CancelCommissionPlanEvent = {
  readonly type: "cancel_commission_plan";
  readonly reason: string;
};

export type CommissionPlanEvent =
  | CreateCommissionPlanEvent
  | UpdateCommissionPlanEvent
  | CancelCommissionPlanEvent;

export type CommissionPlan = {
  readonly id: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly currency: string;
  readonly name: string;
  readonly description: string | null;
  readonly startDatetime: string;
  readonly endDatetime: string | null;
  readonly expression: Expression;
  readonly roles: ReadonlyArray<string>;
  readonly release?: "on_receipt";
  readonly createdAt: string;
  readonly events: ReadonlyArray<{
    readonly datetime: string;
    readonly event: CommissionPlanEvent;
  }>;
  readonly status: "active" | "cancelled";
  readonly cancelReason?: string;
  readonly formula: Expression;
  /** The expression in the text form of the formula language, laid out in lines. */
  readonly formulaText: string;
  readonly versions: ReadonlyArray<FormulaVersion>;
  readonly parameters?: ReadonlyArray<Parameter>;
  readonly partnerCount: number;
  readonly rollingOut: {
    readonly pending: number;
    readonly done: number;
  };
};

export type CreateCommissionPlan = {
  /** The workspace. A UUID, in any letter case. */
  readonly workspaceId: string;
  /** The attribution schema, of the same workspace. A UUID, in any letter case. */
  readonly schemaId: string;
  /** A name for people. */
  readonly name: string;
  /** A note for people; has no effect. */
  readonly description?: string | null | undefined;
  /** Inclusive: attributions that occurred at this moment or later earn. RFC 3339 with an offset or Z. */
  readonly startDatetime: Moment;
  /**
   * Exclusive: attributions that occurred before this moment earn. Null or absent: no end. RFC 3339 with
   * an offset or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
  /** The currency of the amounts that the expression gives. An ISO 4217 code. */
  readonly currency: string;
  /**
   * The roles of the credits that it pays, 1 to 20; ["seller"] by default. They never change. A sale
   * that nobody else earns from has the role seller.
   */
  readonly roles?: ReadonlyArray<string> | undefined;
  /**
   * When amounts may be settled: at_once (the default), or on_receipt, as far as the buyer has paid the
   * sale. It never changes.
   */
  readonly release?: "at_once" | "on_receipt" | undefined;
  /** What an attribution earns, as nodes of the formula language; or as text in expression_text. */
  readonly expression?: Expression | undefined;
  /**
   * The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of
   * UTF-8. It is stored as nodes.
   */
  readonly expressionText?: string | undefined;
  /**
   * Whether the share of a credit multiplies what the expression pays, before it is rounded. By default
   * it does, unless the expression reads credit_share outside of aggregates, or sellers_commission.
   */
  readonly applyShare?: boolean | undefined;
  /**
   * The parameters that the expression may read as plan.name: names with a value for each partner. In a
   * change: all of them after it. A new one needs a default where partners have the formula, types and
   * defaults never change, and one that no expression reads may be left out.
   */
  readonly parameters?: ReadonlyArray<ParameterDefinition> | undefined;
};

export type UpdateCommissionPlan = {
  /** A name for people. */
  readonly name?: string | null | undefined;
  /** A note for people; has no effect. */
  readonly description?: string | null | undefined;
  /** Inclusive: attributions that occurred at this moment or later earn. RFC 3339 with an offset or Z. */
  readonly startDatetime?: Moment | null | undefined;
  /**
   * Exclusive: attributions that occurred before this moment earn. Null or absent: no end. RFC 3339 with
   * an offset or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
  /** What an attribution earns, as nodes of the formula language; or as text in expression_text. */
  readonly expression?: Expression | undefined;
  /**
   * The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of
   * UTF-8. It is stored as nodes.
   */
  readonly expressionText?: string | undefined;
  /**
   * Whether the share of a credit multiplies what the expression pays, before it is rounded. By default
   * it does, unless the expression reads credit_share outside of aggregates, or sellers_commission.
   */
  readonly applyShare?: boolean | undefined;
  /**
   * The parameters that the expression may read as plan.name: names with a value for each partner. In a
   * change: all of them after it. A new one needs a default where partners have the formula, types and
   * defaults never change, and one that no expression reads may be left out.
   */
  readonly parameters?: ReadonlyArray<ParameterDefinition> | undefined;
  /**
   * Inclusive: the new expression applies to attributions that occurred at this moment or later. In the
   * past it changes earlier amounts; in the future the version is ahead until then. By default now, or 1
   * ms after the newest attribution when that is later. RFC 3339 with an offset or Z.
   */
  readonly effectiveDatetime?: Moment | null | undefined;
  /**
   * In place of effective_datetime: a day, from its first instant in the time zone that the workspace
   * has now. A calendar date, YYYY-MM-DD.
   */
  readonly effectiveOn?: string | null | undefined;
  /**
   * Needed where versions with a date in the future, not before that of the new expression, would be
   * replaced: keep states them again after it, withdraw withdraws them.
   */
  readonly versionsAhead?: "keep" | "withdraw" | null | undefined;
};

export type CancelCommissionPlan = {
  /** Why; the log shows it. */
  readonly reason: string;
};

export type AssignCommissionPlan = {
  /** The partners, 1 to 1,000, all of the same workspace. */
  readonly partnerIds: ReadonlyArray<string>;
  /**
   * Inclusive: the assignment begins at this moment. Null or absent: it begins with the plan. RFC 3339
   * with an offset or Z.
   */
  readonly startDatetime?: Moment | null | undefined;
  /**
   * Exclusive: the assignment ends before this moment. Null or absent: it ends with the plan. RFC 3339
   * with an offset or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
  /**
   * The first values of the plan's parameters for these partners, by name, which hold for all time
   * unless a later statement has a date. Parameters without a default need one.
   */
  readonly parameters?: { readonly [name: string]: string | number | boolean } | undefined;
  /**
   * true returns what it would change, for at most 100,000 past sales, and stores nothing; false by
   * default.
   */
  readonly dryRun?: boolean | undefined;
};

export type UnassignCommissionPlan = {
  /**
   * Exclusive: attributions that occurred before this moment still earn; by default now. At or before
   * the start, the assignment is withdrawn. RFC 3339 with an offset or Z.
   */
  readonly endDatetime?: Moment | null | undefined;
};

export type SetPartnerParameters = {
  /** The values of parameters by name; null withdraws the value of exactly effective_datetime. */
  readonly values: { readonly [name: string]: string | null | number | null | boolean | null };
  /**
   * Inclusive: the values hold for attributions that occurred at this moment or later, until the next
   * date stated for the same parameter. It may lie in the future. By default now. RFC 3339 with an
   * offset or Z.
   */
  readonly effectiveDatetime?: Moment | null | undefined;
  /**
   * In place of effective_datetime: a day, from its first instant in the time zone that the workspace
   * has now. A calendar date, YYYY-MM-DD.
   */
  readonly effectiveOn?: string | null | undefined;
};

export type SetCommissionPlanParameters = {
  /** Statements of values, 1 to 1,000, in their order. */
  readonly partners: ReadonlyArray<{
    /** A partner that has the plan. A UUID, in any letter case. */
    readonly partnerId: string;
    /** The values of parameters by name; null withdraws the value of exactly effective_datetime. */
    readonly values: { readonly [name: string]: string | null | number | null | boolean | null };
    /**
     * Inclusive: the values hold for attributions that occurred at this moment or later, until the next
     * date stated for the same parameter. It may lie in the future. By default now. RFC 3339 with an
     * offset or Z.
     */
    readonly effectiveDatetime?: Moment | null | undefined;
    /**
     * In place of effective_datetime: a day, from its first instant in the time zone that the workspace
     * has now. A calendar date, YYYY-MM-DD.
     */
    readonly effectiveOn?: string | null | undefined;
  }>;
};

export type ReadCommissionPlanTerms = {
  /** The partner whose terms these are. A UUID, in any letter case. */
  readonly partnerId: string;
  /**
   * The terms in force at this moment, now by default; before the assignment begins, its first ones. RFC
   * 3339 with an offset or Z.
   */
  readonly at?: Moment | undefined;
};

export type PlanAcceptance = {
  readonly id: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly planId: string;
  readonly partnerId: string;
  readonly hash: string;
  readonly formulaVersion: number;
  readonly fromDatetime: string;
  readonly endDatetime: string | null;
  /** The person who has accepted. */
  readonly name: string;
  readonly language: "en" | "de" | "fr" | "es" | null;
  /** Whether somebody else than the partner recorded it. */
  readonly onBehalf: boolean;
  /** Where the partner's own signature is; null unless it was recorded on behalf. */
  readonly reference: string | null;
  /** The principal that recorded it. */
  readonly acceptedBy: string;
  /** The person behind the principal. */
  readonly acceptedByPerson: string;
  readonly createdAt: string;
};

export type PlanTerms = {
  readonly planId: string;
  readonly partnerId: string;
  readonly schemaId: string;
  readonly formulaId: string;
  readonly name: string;
  readonly currency: string;
  readonly startDatetime: string;
  readonly endDatetime: string | null;
  readonly fromDatetime: string;
  readonly untilDatetime: string | null;
  readonly formulaVersion: number;
  readonly hash: string;
  readonly expression: Expression;
  /** The expression in the text form of the formula language, laid out in lines. */
  readonly expressionText: string;
  readonly roles: ReadonlyArray<string>;
  /** True if the share of a credit multiplies what the expression pays. */
  readonly applyShare: boolean;
  readonly language: "en" | "de" | "fr" | "es";
  readonly title: string;
  readonly paragraphs: ReadonlyArray<{
    readonly text: string;
    readonly items: ReadonlyArray<string>;
  }>;
  /** The acceptance of exactly these terms; null when there is none. */
  readonly acceptance: PlanAcceptance | null;
  readonly spans: ReadonlyArray<{
    readonly fromDatetime: string;
    readonly untilDatetime: string | null;
    readonly formulaVersion: number;
    readonly hash: string;
    readonly acceptedAt: string | null;
  }>;
};

export type AcceptCommissionPlanTerms = {
  /** The partner that accepts. A UUID, in any letter case. */
  readonly partnerId: string;
  /** The hash of the terms that were read. */
  readonly hash: string;
  /** The name of the person who accepts, as the person writes it. */
  readonly name: string;
  /** The moment whose terms are accepted; now by default. RFC 3339 with an offset or Z. */
  readonly at?: Moment | undefined;
  /** The language in which the terms were read. */
  readonly language?: "en" | "de" | "fr" | "es" | undefined;
  /** On behalf of a partner: where the partner's own signature is, such as the number of a contract. */
  readonly reference?: string | undefined;
};

export type ListCommissionPlanAcceptances = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type ListPlanTrials = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** The plans that the trials are of. Matches any of these values, at most 100. */
  readonly planIds?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type PlanTrial = {
  readonly id: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly schemaId: string;
  /** Null: a draft that is no plan yet, compared with every formula of the schema and currency. */
  readonly planId: string | null;
  readonly currency: string;
  /**
   * The roles of the credits that a draft pays which is no plan yet; absent of a plan, which has its
   * own, and where it is the seller alone.
   */
  readonly roles?: ReadonlyArray<string>;
  /** Of a draft that is no plan yet: absent where it releases at once. A plan has its own. */
  readonly release?: "on_receipt";
  /** The expression of the draft; null: the versions that the plan has. */
  readonly expression: Expression | null;
  /** The expression in the text form of the formula language, laid out in lines. */
  readonly formulaText: string | null;
  /** Whether the share of a credit multiplies what the expression pays; absent where it follows from it. */
  readonly applyShare?: boolean;
  /** Null: every partner of the workspace. */
  readonly partnerIds: ReadonlyArray<string> | null;
  readonly from: string;
  readonly to: string;
  /** The values that the draft has in place of those of every partner. */
  readonly parameters: { readonly [name: string]: string | number | boolean };
  readonly addedCount: number;
  readonly state: "running" | "done";
  /**
   * The partners whose sales the trial looks for, counted at its start. Those that have sales in the
   * span are in distribution.
   */
  readonly partnerCount: number;
  readonly partnersDone: number;
  /** The sales that can be computed on both sides. */
  readonly salesCount: number;
  /**
   * The sales whose amount cannot be computed on either side, because it or that of a seller below
   * exceeds the largest amount; they are in no sum.
   */
  readonly notComputableCount: number;
  readonly amountNow: bigint;
  readonly amountThen: bigint;
  readonly difference: bigint;
  readonly waitingNow: bigint;
  readonly waitingThen: bigint;
  /**
   * The partners with sales, by the change of their amount in percent of amount_now. Null has no bound;
   * the range from 0 to 0 has those whose amount does not change. A bound belongs to the range that is
   * closer to 0, and every change from an amount of 0 to an outermost range.
   */
  readonly distribution: ReadonlyArray<{
    readonly fromPercent: number | null;
    readonly toPercent: number | null;
    readonly partnerCount: number;
  }>;
  readonly createdAt: string;
  readonly finishedAt: string | null;
};

export type StartPlanTrial = {
  /**
   * The plan to try. Excludes workspace_id, schema_id, currency, roles and release. A UUID, in any
   * letter case.
   */
  readonly planId?: string | undefined;
  /** The workspace of a draft that is no plan yet; a plan has its own. A UUID, in any letter case. */
  readonly workspaceId?: string | undefined;
  /** The schema of a draft that is no plan yet; a plan has its own. A UUID, in any letter case. */
  readonly schemaId?: string | undefined;
  /** The currency of a draft that is no plan yet; a plan has its own. An ISO 4217 code. */
  readonly currency?: string | undefined;
  /**
   * The roles of the credits that a draft pays which is no plan yet, 1 to 20; ["seller"] by default. A
   * plan has its own.
   */
  readonly roles?: ReadonlyArray<string> | undefined;
  /**
   * When a draft that is no plan yet releases what it gives: at_once (the default), or on_receipt, as
   * far as buyers have paid. A plan has its own.
   */
  readonly release?: "at_once" | "on_receipt" | undefined;
  /** What an attribution earns, as nodes of the formula language; or as text in expression_text. */
  readonly expression?: Expression | undefined;
  /**
   * The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of
   * UTF-8. It is stored as nodes.
   */
  readonly expressionText?: string | undefined;
  /**
   * Whether the share of a credit multiplies what the expression pays, before it is rounded. By default
   * it does, unless the expression reads credit_share outside of aggregates, or sellers_commission.
   */
  readonly applyShare?: boolean | undefined;
  /** The partners whose sales are tried, 1 to 1,000 of the workspace; by default every partner. */
  readonly partnerIds?: ReadonlyArray<string> | null | undefined;
  /** Inclusive: the sales that occurred at this moment or later. RFC 3339 with an offset or Z. */
  readonly from: Moment;
  /**
   * Exclusive: the sales that occurred before this moment; at most 3,660 days after from. RFC 3339 with
   * an offset or Z.
   */
  readonly to: Moment;
  /**
   * Values that the draft has in place of those of every partner, at all times. A name that the plan
   * does not declare is a parameter of the draft, which its expression has to read.
   */
  readonly parameters?: { readonly [name: string]: string | number | boolean } | undefined;
  /** Sales that did not happen, at most 1,000; each arrives when it occurs, on both sides. */
  readonly add?:
    | ReadonlyArray<{
        /** The partner of the sale; one of partner_ids if these are given. A UUID, in any letter case. */
        readonly partnerId: string;
        /** The values of the schema's properties, by name. A required one must be present, and no other may be. */
        readonly properties: { readonly [name: string]: string | number | boolean };
        /** When the sale occurs: not before from, and before to. RFC 3339 with an offset or Z, not before 1970. */
        readonly occurredAt: Moment;
        /**
         * The calendar day that it counts for; by default that of occurred_at in the time zone of the
         * workspace. A calendar date, YYYY-MM-DD.
         */
        readonly occurredOn?: string | undefined;
        /** The partner's part of the sale; by default all of it, as its seller. */
        readonly credit?:
          | {
              /** What the partner did for the sale; "seller" by default. Formulas say which roles they pay. */
              readonly role?: string | undefined;
              /**
               * The part of the sale that is the partner's, as text: a decimal such as "0.6", or a fraction such as
               * "1/3"; "1" by default. The shares of the sellers add up to exactly 1.
               */
              readonly share?: string | undefined;
              /** 0, the default, or how far above a seller the partner stands. */
              readonly depth?: number | undefined;
            }
          | undefined;
        /**
         * What the sellers below earn from the sale, in the smallest unit; a draft or plan that pays the role
         * of the credit by sellers_commission needs it.
         */
        readonly sellersCommission?: number | undefined;
      }>
    | undefined;
};

export type ReadPlanTrial = {
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type TrialChange = {
  readonly partnerId: string;
  /** Null for a sale that was added. */
  readonly attributionId: string | null;
  /** The place of the sale in add, from 0; null for a sale that happened. */
  readonly added: number | null;
  readonly occurredAt: string;
  /** The calendar day that the sale counts for. */
  readonly occurredOn: string;
  readonly amountNow: bigint;
  readonly amountThen: bigint;
  readonly difference: bigint;
  /**
   * For the partner to read, one sentence a line: the amount, its calculation and the reasons. Empty
   * where no formula covers the sale.
   */
  readonly explanationNow: string;
  /**
   * For the partner to read, one sentence a line: the amount, its calculation and the reasons. Empty
   * where no formula covers the sale.
   */
  readonly explanationThen: string;
};

export type PlanTrialResult = {
  readonly partnerId: string;
  /** The sales that can be computed on both sides. */
  readonly salesCount: number;
  /**
   * The sales whose amount cannot be computed on either side, because it or that of a seller below
   * exceeds the largest amount; they are in no sum.
   */
  readonly notComputableCount: number;
  readonly amountNow: bigint;
  readonly amountThen: bigint;
  readonly difference: bigint;
  readonly waitingNow: bigint;
  readonly waitingThen: bigint;
  /** Ascending; months without sales are left out. */
  readonly months: ReadonlyArray<{
    readonly month: string;
    /** The sales that can be computed on both sides. */
    readonly salesCount: number;
    /**
     * The sales whose amount cannot be computed on either side, because it or that of a seller below
     * exceeds the largest amount; they are in no sum.
     */
    readonly notComputableCount: number;
    readonly amountNow: bigint;
    readonly amountThen: bigint;
    readonly difference: bigint;
    readonly waitingNow: bigint;
    readonly waitingThen: bigint;
  }>;
};

export type PlanTrialDetails = {
  readonly trial: PlanTrial;
  /** The ten sales whose amounts change most, the largest difference first. */
  readonly changes: ReadonlyArray<TrialChange>;
  readonly results: ReadonlyArray<PlanTrialResult>;
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
};

export type ExportPlanTrial = {
  /**
   * csv: amounts in the smallest unit. spreadsheet: with a byte order mark, and amounts with the
   * currency's decimals.
   */
  readonly format?: "csv" | "spreadsheet" | undefined;
};

export type AdoptPlanTrial = {
  /**
   * Inclusive: the draft applies to attributions that occurred at this moment or later, which may be in
   * the future; by default from now on. RFC 3339 with an offset or Z.
   */
  readonly effectiveDatetime?: Moment | null | undefined;
  /**
   * In place of effective_datetime: a day, from its first instant in the time zone that the workspace
   * has now. A calendar date, YYYY-MM-DD.
   */
  readonly effectiveOn?: string | null | undefined;
  /**
   * Needed where versions with a date in the future, not before that of the new expression, would be
   * replaced: keep states them again after it, withdraw withdraws them.
   */
  readonly versionsAhead?: "keep" | "withdraw" | null | undefined;
  /**
   * The parameters that the expression may read as plan.name: names with a value for each partner. In a
   * change: all of them after it. A new one needs a default where partners have the formula, types and
   * defaults never change, and one that no expression reads may be left out.
   */
  readonly parameters?: ReadonlyArray<ParameterDefinition> | undefined;
};

export type ListCommissions = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The attributions of the records. Matches any of these values, at most 100. */
  readonly attributionIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** Matches commissions with this status. */
  readonly settlementStatus?: "unsettled" | "pending_settlement" | "settled" | undefined;
  /** The formulas of the commissions. Matches any of these values, at most 100. */
  readonly formulaIds?: ReadonlyArray<string> | undefined;
  /** The settlements that have a line of the commission. Matches any of these values, at most 100. */
  readonly settlementIds?: ReadonlyArray<string> | undefined;
  /** The currencies of the records, ISO 4217 codes in capitals. Matches any of these values, at most 100. */
  readonly currencies?: ReadonlyArray<string> | undefined;
  /** The sign of due_amount; any (the default) filters nothing. */
  readonly due?: "any" | "nonzero" | "positive" | "negative" | undefined;
  /**
   * true matches commissions of which an amount waits for the buyer; false matches all other
   * commissions.
   */
  readonly waiting?: boolean | undefined;
  /** Inclusive: attributions that occurred at this moment or later. RFC 3339 with an offset or Z. */
  readonly occurredFrom?: Moment | undefined;
  /** Exclusive: attributions that occurred before this moment. RFC 3339 with an offset or Z. */
  readonly occurredTo?: Moment | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type CreateCommissionEvent = {
  readonly type: "create_commission";
  readonly amount: number;
  readonly formula_version: number | null;
  readonly parameters_version?: number;
  readonly release?: "on_receipt";
};

export type UpdateCommissionEvent = {
  readonly type: "update_commission";
  readonly amount: number;
  readonly formula_version: number | null;
  readonly parameters_version?: number;
  readonly cause: "formula_updated" | "formula_cancelled" | "attribution_cancelled" | "recomputed";
};

export type FailCommissionComputationEvent = {
  readonly type: "fail_commission_computation";
  readonly code: string;
  readonly message: string;
  readonly release?: "on_receipt";
};

export type UpdateReceivedEvent = {
  readonly type: "update_received";
  readonly received: number;
  readonly of: number;
};

export type SettleElsewhereEvent = {
  readonly type: "settle_elsewhere";
  readonly amount: number;
  readonly at: string;
  readonly reference?: string;
};

export type ReserveCommissionEvent = {
  readonly type: "reserve_commission";
  readonly settlement_id: string;
  readonly amount: number;
};

export type ReleaseCommissionEvent = {
  readonly type: "release_commission";
  readonly settlement_id: string;
  readonly amount: number;
  readonly cause: "draft_cancelled" | "carried_forward" | "dispute_upheld";
};

export type SettleCommissionEvent = {
  readonly type: "settle_commission";
  readonly settlement_id: string;
  readonly amount: number;
  readonly kind: "paid" | "written_off";
};

export type ReopenCommissionEvent = {
  readonly type: "reopen_commission";
  readonly settlement_id: string;
  readonly amount: number;
};

export type CommissionEvent =
  | CreateCommissionEvent
  | UpdateCommissionEvent
  | FailCommissionComputationEvent
  | UpdateReceivedEvent
  | SettleElsewhereEvent
  | ReserveCommissionEvent
  | ReleaseCommissionEvent
  | SettleCommissionEvent
  | ReopenCommissionEvent;

export type Commission = {
  readonly id: string;
  readonly partnerId: string;
  readonly attributionId: string;
  readonly customerId: string;
  readonly commissionFormulaId: string;
  readonly workspaceId: string;
  readonly currency: string;
  readonly events: ReadonlyArray<{
    readonly datetime: string;
    readonly event: CommissionEvent;
  }>;
  readonly createdAt: string;
  readonly computedAmount: number | null;
  readonly settlementStatus: "unsettled" | "pending_settlement" | "settled";
  readonly settledAmount: number;
  readonly pendingAmount: number;
  readonly dueAmount: number;
  readonly releasedAmount?: number;
  readonly waitingAmount?: number;
  readonly formulaVersion: number | null;
  readonly parametersVersion?: number;
  readonly computationError: {
    readonly code: string;
    readonly message: string;
  } | null;
};

export type CommissionStatisticsInput = {
  /** The start of the period. Inclusive. RFC 3339 with an offset or Z. */
  readonly from: Moment;
  /** The end of the period. Exclusive. RFC 3339 with an offset or Z. */
  readonly to: Moment;
  /** The length of a bucket, in UTC; weeks begin on Monday. */
  readonly granularity: "day" | "week" | "month";
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
};

export type Totals = {
  readonly count: number;
  readonly amounts: ReadonlyArray<{
    readonly currency: string;
    readonly amount: bigint;
  }>;
};

export type CommissionStatistics = {
  readonly summary: {
    readonly count: number;
    readonly settled: Totals;
    readonly unsettled: Totals;
  };
  readonly buckets: ReadonlyArray<{
    readonly timestamp: string;
    readonly count: number;
    readonly settled: Totals;
    readonly unsettled: Totals;
  }>;
};

export type Explanation = {
  readonly commissionId: string;
  readonly amount: number | null;
  readonly basis: "evaluated" | "attribution_cancelled" | "formula_cancelled" | "outside_window" | "failed";
  readonly formulaVersion: number | null;
  readonly parametersVersion?: number;
  /** Of a sale with several credits: true if the credit's share multiplies what the formula pays. */
  readonly applyShare?: boolean;
  /**
   * Of an amount that waits for the buyer: what the buyer has paid, of how much; absent before anything
   * is stated.
   */
  readonly receipt?: {
    readonly received: number;
    readonly of: number;
  };
  readonly releasedAmount?: number;
  readonly waitingAmount?: number;
  /** What was settled in another system before the sale was recorded; absent where nothing was. */
  readonly settledElsewhere?: {
    readonly amount: number;
    readonly at: string;
    readonly reference?: string;
  };
  /** The derivation of an amount: the final rounding, then every evaluated node in reading order. */
  readonly trace: ReadonlyArray<TraceStep> | null;
};

export type ListSettlements = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** The commissions that a line of the settlement is about. Matches any of these values, at most 100. */
  readonly commissionIds?: ReadonlyArray<string> | undefined;
  /** The statuses of the records. Matches any of these values, at most 100. */
  readonly statuses?:
    | ReadonlyArray<
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
        | "cancelled"
      >
    | undefined;
  /** The currencies of the records, ISO 4217 codes in capitals. Matches any of these values, at most 100. */
  readonly currencies?: ReadonlyArray<string> | undefined;
  /** Inclusive: settlements created at this moment or later. RFC 3339 with an offset or Z. */
  readonly createdFrom?: Moment | undefined;
  /** Exclusive: settlements created before this moment. RFC 3339 with an offset or Z. */
  readonly createdTo?: Moment | undefined;
  /**
   * true matches drafts whose lines differ from the amounts now due; false matches all other
   * settlements.
   */
  readonly stale?: boolean | undefined;
  /**
   * true matches settlements whose document states a tax that an approver has to accept or refuse; false
   * matches all other settlements.
   */
  readonly taxReview?: boolean | undefined;
  /**
   * true matches settlements that are to be paid after an attempt that has failed or come back; false
   * matches all other settlements.
   */
  readonly paymentFailed?: boolean | undefined;
  /**
   * The numbers of reports, invoices and credit notes of the settlements, compared exactly. Matches any
   * of these values, at most 100.
   */
  readonly documentNumbers?: ReadonlyArray<string> | undefined;
  /**
   * true matches settlements whose payment was handed over to the bank and is not booked although the
   * business days of the server's setting have passed since its execution date; false matches all other
   * settlements.
   */
  readonly paymentOverdue?: boolean | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type CreateSettlementEvent = {
  readonly type: "create_settlement";
  readonly total: number;
  readonly line_count: number;
};

export type ApproveSettlementEvent = {
  readonly type: "approve_settlement";
  readonly billing_mode: "self_billing" | "partner_billing";
};

export type CancelSettlementEvent = {
  readonly type: "cancel_settlement";
};

export type LinkReportEvent = {
  readonly type: "link_report";
  readonly report_reference: string;
  readonly report_number?: string;
};

export type LinkInvoiceEvent = {
  readonly type: "link_invoice";
  readonly invoice_reference: string;
  readonly invoice_number?: string;
  readonly invoice_date?: string;
  readonly due_date?: string;
  readonly tax_review?: {
    readonly tax_amount: number;
    readonly expected_tax_amount: number | null;
  };
};

export type LinkCreditNoteEvent = {
  readonly type: "link_credit_note";
  readonly credit_note_reference: string;
  readonly credit_note_number?: string;
  readonly credit_note_date?: string;
  readonly due_date?: string;
  readonly tax_review?: {
    readonly tax_amount: number;
    readonly expected_tax_amount: number | null;
  };
};

export type ReviewSettlementEvent = {
  readonly type: "review_settlement";
  readonly decision: "issue_credit_note" | "carry_forward" | "write_off" | "accept_tax" | "refuse_tax";
  readonly note?: string;
};

export type ChoosePayoutAccountEvent = {
  readonly type: "choose_payout_account";
  readonly account_id: string;
  readonly account_type: "iban" | "us_ach" | "uk" | "email" | "custom";
  readonly details: { readonly [name: string]: string };
};

export type InitiatePaymentEvent = {
  readonly type: "initiate_payment";
  readonly payment_reference: string;
  readonly attempt: number;
};

export type HandOverPaymentEvent = {
  readonly type: "hand_over_payment";
  readonly payment_reference: string;
  readonly payment_file_id: string;
  readonly execution_date: string;
};

export type PaidAmount = {
  readonly amount: number;
  readonly currency: string;
};

export type ConfirmPaymentEvent = {
  readonly type: "confirm_payment";
  readonly payment_reference: string;
  readonly bank_reference?: string;
  readonly fee?: PaidAmount;
  readonly received?: PaidAmount;
};

export type FailPaymentEvent = {
  readonly type: "fail_payment";
  readonly payment_reference: string;
  readonly reason: string;
};

export type ReturnPaymentEvent = {
  readonly type: "return_payment";
  readonly payment_reference: string;
  readonly reason: string;
};

export type MarkAsPaidEvent = {
  readonly type: "mark_as_paid";
  readonly paid_at?: string;
  readonly bank_reference?: string;
  readonly fee?: PaidAmount;
  readonly received?: PaidAmount;
  readonly note?: string;
};

export type WriteOffSettlementEvent = {
  readonly type: "write_off_settlement";
  readonly reason?: string;
};

export type DisputeSettlementEvent = {
  readonly type: "dispute_settlement";
  readonly reason: string;
  readonly commission_ids?: ReadonlyArray<string>;
  readonly raised_by?: "partner" | "customer";
  readonly attachments?: ReadonlyArray<{
    readonly id: string;
    readonly file_name: string;
    readonly byte_length: number;
  }>;
};

export type WithdrawDisputeEvent = {
  readonly type: "withdraw_dispute";
};

export type ResolveDisputeEvent = {
  readonly type: "resolve_dispute";
  readonly resolution: "upheld" | "rejected";
  readonly note?: string;
  readonly attachments?: ReadonlyArray<{
    readonly id: string;
    readonly file_name: string;
    readonly byte_length: number;
  }>;
};

export type CommentSettlementEvent = {
  readonly type: "comment_settlement";
  readonly text: string;
  readonly side: "partner" | "customer";
  readonly person?: string;
  readonly attachments?: ReadonlyArray<{
    readonly id: string;
    readonly file_name: string;
    readonly byte_length: number;
  }>;
};

export type ReconcileSettlementEvent = {
  readonly type: "reconcile_settlement";
};

export type UnreconcileSettlementEvent = {
  readonly type: "unreconcile_settlement";
};

export type FailDocumentEvent = {
  readonly type: "fail_document";
  readonly kind: "report" | "invoice" | "credit_note";
  readonly code: "missing_font";
  readonly message: string;
};

export type PaymentAnomalyEvent = {
  readonly type: "payment_anomaly";
  readonly kind: "confirmed" | "failed" | "returned";
  readonly payment_reference: string;
  readonly bank_reference?: string;
  readonly fee?: PaidAmount;
  readonly received?: PaidAmount;
};

export type SettlementEvent =
  | CreateSettlementEvent
  | ApproveSettlementEvent
  | CancelSettlementEvent
  | LinkReportEvent
  | LinkInvoiceEvent
  | LinkCreditNoteEvent
  | ReviewSettlementEvent
  | ChoosePayoutAccountEvent
  | InitiatePaymentEvent
  | HandOverPaymentEvent
  | ConfirmPaymentEvent
  | FailPaymentEvent
  | ReturnPaymentEvent
  | MarkAsPaidEvent
  | WriteOffSettlementEvent
  | DisputeSettlementEvent
  | WithdrawDisputeEvent
  | ResolveDisputeEvent
  | CommentSettlementEvent
  | ReconcileSettlementEvent
  | UnreconcileSettlementEvent
  | FailDocumentEvent
  | PaymentAnomalyEvent
  | ErasePersonalDataEvent;

export type DraftStatus = {
  readonly type: "draft";
};

export type AwaitingReportStatus = {
  readonly type: "awaiting_report";
};

export type NegativeReviewStatus = {
  readonly type: "negative_review";
};

export type AwaitingInvoiceStatus = {
  readonly type: "awaiting_invoice";
};

export type AwaitingCreditNoteStatus = {
  readonly type: "awaiting_credit_note";
};

export type AwaitingPaymentStatus = {
  readonly type: "awaiting_payment";
};

export type PaymentInitiatedStatus = {
  readonly type: "payment_initiated";
};

export type DisputedStatus = {
  readonly type: "disputed";
  readonly resume:
    | "awaiting_report"
    | "awaiting_invoice"
    | "negative_review"
    | "awaiting_credit_note"
    | "awaiting_payment";
};

export type PaidStatus = {
  readonly type: "paid";
  readonly method: "manual" | "webhook" | "nothing_due";
};

export type WrittenOffStatus = {
  readonly type: "written_off";
};

export type CancelledStatus = {
  readonly type: "cancelled";
  readonly cause: "draft_cancelled" | "carried_forward" | "dispute_upheld";
};

export type SettlementStatus =
  | DraftStatus
  | AwaitingReportStatus
  | NegativeReviewStatus
  | AwaitingInvoiceStatus
  | AwaitingCreditNoteStatus
  | AwaitingPaymentStatus
  | PaymentInitiatedStatus
  | DisputedStatus
  | PaidStatus
  | WrittenOffStatus
  | CancelledStatus;

export type EInvoiceProblem = {
  readonly kind: "invoice" | "credit_note";
  readonly rule: string;
  readonly field: string;
  readonly message: string;
};

export type ApprovedPayoutAccount = {
  readonly id: string;
  readonly type: "iban" | "us_ach" | "uk" | "email" | "custom";
  /**
   * The fields of the type. Masked without the scope payouts:read: without names, with the ends of
   * numbers.
   */
  readonly details: { readonly [name: string]: string };
};

export type Settlement = {
  readonly id: string;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly partnerId: string;
  readonly currency: string;
  readonly events: ReadonlyArray<{
    readonly datetime: string;
    /**
     * Who did it: the person, the id of a key without one, or system: and the job of the server. Partners
     * do not see it.
     */
    readonly person?: string;
    readonly event: SettlementEvent;
  }>;
  readonly status: SettlementStatus;
  readonly total: number;
  readonly lines: ReadonlyArray<{
    readonly commissionId: string;
    readonly amount: number;
  }>;
  readonly billingMode: "self_billing" | "partner_billing" | null;
  readonly taxAmount: number | null;
  readonly payableAmount: number | null;
  readonly taxReview: {
    readonly taxAmount: number;
    readonly expectedTaxAmount: number | null;
    readonly message: string;
  } | null;
  readonly stale: boolean;
  readonly disputeReason: string | null;
  readonly disputedAt: string | null;
  readonly reconciliationStatus: "reconciled" | "unreconciled";
  readonly reportReference: string | null;
  readonly reportNumber: string | null;
  readonly invoiceReference: string | null;
  readonly invoiceNumber: string | null;
  readonly invoiceDate: string | null;
  readonly dueDate: string | null;
  readonly creditNoteReference: string | null;
  readonly creditNoteNumber: string | null;
  readonly creditNoteDate: string | null;
  readonly documentProblem: {
    readonly kind: "report" | "invoice" | "credit_note";
    readonly code: "missing_font";
    readonly message: string;
  } | null;
  readonly eInvoiceProblems: ReadonlyArray<EInvoiceProblem>;
  /**
   * Where the money goes, masked: the confirmed account of the approval, or the one that was chosen
   * since; null when none was confirmed. Absent where it is the bank account of the billing data.
   */
  readonly payoutAccount?: ApprovedPayoutAccount | null;
  readonly paymentReference: string | null;
  readonly paymentFileStatus: "awaited" | "created" | "handed_over" | null;
  readonly paymentHandedOverAt: string | null;
  readonly paymentOverdue: boolean;
  readonly paidAt: string | null;
  readonly bankReference: string | null;
  readonly fee: PaidAmount | null;
  readonly received: PaidAmount | null;
  readonly createdAt: string;
};

export type CreateSettlement = {
  /**
   * The customer. Must be that of the credential; a platform credential chooses it. A UUID, in any
   * letter case.
   */
  readonly customerId: string;
  /** The workspace. A UUID, in any letter case. */
  readonly workspaceId: string;
  /** The partner. A UUID, in any letter case. */
  readonly partnerId: string;
  /** The commissions to settle, 1 to 10,000, of one partner, workspace and currency. */
  readonly commissionIds: ReadonlyArray<string>;
};

export type PreviewSettlement = {
  /**
   * The customer. Must be that of the credential; a platform credential chooses it. A UUID, in any
   * letter case.
   */
  readonly customerId: string;
  /** The workspace. A UUID, in any letter case. */
  readonly workspaceId: string;
  /** The partner. A UUID, in any letter case. */
  readonly partnerId: string;
  /** The commissions to settle, 1 to 10,000, of one partner, workspace and currency. */
  readonly commissionIds: ReadonlyArray<string>;
};

export type SettlementPreview = {
  readonly currency: string;
  readonly total: number;
  readonly lines: ReadonlyArray<{
    readonly commissionId: string;
    readonly amount: number;
  }>;
};

export type ReviewSettlement = {
  /**
   * Of a negative settlement: issue_credit_note requests the amount from the partner, carry_forward
   * releases the lines for a later settlement, write_off ends the settlement without payment. Of a tax
   * under review: accept_tax allows the payment, refuse_tax refuses the document, and the settlement
   * waits for another one.
   */
  readonly decision: "issue_credit_note" | "carry_forward" | "write_off" | "accept_tax" | "refuse_tax";
  /** A remark for the settlement's log. */
  readonly note?: string | null | undefined;
};

export type WriteOffSettlement = {
  /** Why nothing is paid or claimed any more; the log shows it. */
  readonly reason?: string | null | undefined;
};

export type MarkSettlementAsPaid = {
  /**
   * When the payment was made, between 24 hours before the approval and 5 minutes from now; by default
   * the time of the request. RFC 3339 with an offset or Z.
   */
  readonly paidAt?: Moment | null | undefined;
  /** The bank's reference of the payment. */
  readonly bankReference?: string | null | undefined;
  /** What the provider or the bank charged for the payment. It changes no amount. */
  readonly fee?:
    | {
        /** In the smallest unit of its currency; at least 0. */
        readonly amount: number;
        /** Its currency, which may be another than that of the settlement. An ISO 4217 code. */
        readonly currency: string;
      }
    | null
    | undefined;
  /** What arrived at the payee, such as after a conversion. It changes no amount. */
  readonly received?:
    | {
        /** In the smallest unit of its currency; at least 0. */
        readonly amount: number;
        /** Its currency, which may be another than that of the settlement. An ISO 4217 code. */
        readonly currency: string;
      }
    | null
    | undefined;
  /** A remark for the settlement's log. */
  readonly note?: string | null | undefined;
};

export type ExportSettlement = {
  /**
   * csv: amounts in the smallest unit; spreadsheet: amounts with the currency's decimals, the smallest
   * unit in the column amount_minor at the end, and a byte order mark at the start.
   */
  readonly format?: "csv" | "spreadsheet" | undefined;
};

export type DisputeSettlement = {
  /** Why; the log shows it. */
  readonly reason: string;
  /**
   * The commissions of the lines that are wrong, 1 to 100; without it the dispute is about the
   * settlement as a whole.
   */
  readonly commissionIds?: ReadonlyArray<string> | undefined;
  /**
   * The files of the message, 1 to 5: attachments that the same side has uploaded to the settlement, and
   * that no message names.
   */
  readonly attachmentIds?: ReadonlyArray<string> | undefined;
};

export type ResolveSettlementDispute = {
  /**
   * upheld cancels the settlement and releases its lines; rejected restores the status before the
   * dispute.
   */
  readonly resolution: "upheld" | "rejected";
  /** A remark for the settlement's log. */
  readonly note?: string | null | undefined;
  /**
   * The files of the message, 1 to 5: attachments that the same side has uploaded to the settlement, and
   * that no message names.
   */
  readonly attachmentIds?: ReadonlyArray<string> | undefined;
};

export type CommentOnSettlement = {
  /** What the other side reads; the log shows it. */
  readonly text: string;
  /**
   * The files of the message, 1 to 5: attachments that the same side has uploaded to the settlement, and
   * that no message names.
   */
  readonly attachmentIds?: ReadonlyArray<string> | undefined;
};

export type ChooseSettlementPayoutAccount = {
  /**
   * A confirmed account of the partner; by default the one for the settlement's currency. A UUID, in any
   * letter case.
   */
  readonly payoutAccountId?: string | undefined;
};

export type FailSettlementPayment = {
  /** Why; the log shows it. */
  readonly reason: string;
};

export type ReturnSettlementPayment = {
  /** Why; the log shows it. */
  readonly reason: string;
};

export type ReconcileSettlement = {
  /** Whether the payment was found on a bank statement. */
  readonly reconciled: boolean;
};

export type DownloadSettlementInvoice = {
  /**
   * pdf: the e-invoice contains the PDF of the document in base64 (BG-24). Requires a format other than
   * pdf.
   */
  readonly attachment?: "none" | "pdf" | undefined;
  /**
   * pdf: the linked document; ubl: the e-invoice, XML in UBL 2.1 for Peppol BIS Self-Billing 3.0; cii:
   * the same e-invoice, XML in the Cross Industry Invoice after EN 16931; xrechnung: the same e-invoice,
   * XML in UBL 2.1 for XRechnung 3.0; xrechnung-cii: the same in the Cross Industry Invoice.
   */
  readonly format?: "pdf" | "ubl" | "cii" | "xrechnung" | "xrechnung-cii" | undefined;
};

export type DownloadSettlementCreditNote = {
  /**
   * pdf: the e-invoice contains the PDF of the document in base64 (BG-24). Requires a format other than
   * pdf.
   */
  readonly attachment?: "none" | "pdf" | undefined;
  /**
   * pdf: the linked document; ubl: the e-invoice, XML in UBL 2.1 for Peppol BIS Self-Billing 3.0; cii:
   * the same e-invoice, XML in the Cross Industry Invoice after EN 16931; xrechnung: the same e-invoice,
   * XML in UBL 2.1 for XRechnung 3.0; xrechnung-cii: the same in the Cross Industry Invoice.
   */
  readonly format?: "pdf" | "ubl" | "cii" | "xrechnung" | "xrechnung-cii" | undefined;
};

export type UploadSettlementReport = Upload & {
  /** The number on the document. */
  readonly number?: string | undefined;
};

export type UploadSettlementInvoice = Upload & {
  /** The number on the document. */
  readonly number?: string | undefined;
  /** The date on the document. A calendar date, YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** The date by which the document asks for payment; not before date. A calendar date, YYYY-MM-DD. */
  readonly dueDate?: string | undefined;
  /** The tax on the document, in the smallest unit; counted with the sign of the total. */
  readonly taxAmount?: number | undefined;
};

export type UploadSettlementCreditNote = Upload & {
  /** The number on the document. */
  readonly number?: string | undefined;
  /** The date on the document. A calendar date, YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** The date by which the document asks for payment; not before date. A calendar date, YYYY-MM-DD. */
  readonly dueDate?: string | undefined;
  /** The tax on the document, in the smallest unit; counted with the sign of the total. */
  readonly taxAmount?: number | undefined;
};

export type AttachToSettlement = Upload & {};

export type SettlementPolicy = {
  readonly workspaceId: string;
  /**
   * Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default
   * for a workspace.
   */
  readonly holdDays: number;
  /**
   * By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a
   * later run.
   */
  readonly minimum: { readonly [name: string]: number };
  /** When runs start automatically: manual (never), or weekly, monthly or quarterly. */
  readonly cadence:
    | "manual"
    | {
        readonly type: "weekly" | "monthly" | "quarterly";
        readonly day: number;
        readonly timeZone: string;
      };
  /**
   * never, or by currency the largest total that a run approves without a person, in the smallest unit.
   * Currencies that are not named are never approved automatically.
   */
  readonly autoApprove: "never" | { readonly [name: string]: number };
  /**
   * By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run
   * does. The drafts of one partner and day are added up.
   */
  readonly fourEyesAbove: { readonly [name: string]: number };
  /** What a run does with a negative total: review creates a draft, carry_forward none. */
  readonly negative: "review" | "carry_forward";
  /**
   * The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or
   * unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the
   * rate is unknown, is paid only after an approver has accepted it.
   */
  readonly invoiceTaxBps: "unknown" | number;
  /**
   * Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false
   * by default.
   */
  readonly requireAcceptance: boolean;
  /** The next period of the cadence: its local label, such as 2026-02, and its first instant. */
  readonly nextRun: {
    readonly label: string;
    readonly at: string;
  } | null;
  /** Null if it was never written. */
  readonly updatedAt: string | null;
};

export type WriteSettlementPolicy = {
  /**
   * Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default
   * for a workspace.
   */
  readonly holdDays?: number | undefined;
  /**
   * By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a
   * later run.
   */
  readonly minimum?: { readonly [name: string]: number } | undefined;
  /** When runs start automatically: manual (never), or weekly, monthly or quarterly. */
  readonly cadence?:
    | "manual"
    | {
        /** The length of a period. */
        readonly type: "weekly" | "monthly" | "quarterly";
        /**
         * weekly: 1 (Monday) to 7. monthly: the day of the month; quarterly: of the quarter's first month; 29
         * to 31 mean at most its last day.
         */
        readonly day: number;
        /**
         * The time zone in which periods begin; by default that of the workspace. An IANA time zone, such as
         * Europe/Copenhagen.
         */
        readonly timeZone?: string | undefined;
      }
    | undefined;
  /**
   * never, or by currency the largest total that a run approves without a person, in the smallest unit.
   * Currencies that are not named are never approved automatically.
   */
  readonly autoApprove?: "never" | { readonly [name: string]: number } | undefined;
  /**
   * By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run
   * does. The drafts of one partner and day are added up.
   */
  readonly fourEyesAbove?: { readonly [name: string]: number } | undefined;
  /** What a run does with a negative total: review creates a draft, carry_forward none. */
  readonly negative?: "review" | "carry_forward" | undefined;
  /**
   * The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or
   * unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the
   * rate is unknown, is paid only after an approver has accepted it.
   */
  readonly invoiceTaxBps?: "unknown" | number | undefined;
  /**
   * Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false
   * by default.
   */
  readonly requireAcceptance?: boolean | undefined;
};

export type PartnerSettlementPolicy = {
  readonly workspaceId: string;
  readonly partnerId: string;
  /**
   * Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default
   * for a workspace.
   */
  readonly holdDays: number | null;
  /**
   * By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a
   * later run.
   */
  readonly minimum: { readonly [name: string]: number } | null;
  /** When runs start automatically: manual (never), or weekly, monthly or quarterly. */
  readonly cadence:
    | "manual"
    | null
    | {
        readonly type: "weekly" | "monthly" | "quarterly";
        readonly day: number;
        readonly timeZone: string;
      }
    | null;
  /**
   * never, or by currency the largest total that a run approves without a person, in the smallest unit.
   * Currencies that are not named are never approved automatically.
   */
  readonly autoApprove: "never" | null | { readonly [name: string]: number } | null;
  /**
   * By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run
   * does. The drafts of one partner and day are added up.
   */
  readonly fourEyesAbove: { readonly [name: string]: number } | null;
  /** What a run does with a negative total: review creates a draft, carry_forward none. */
  readonly negative: "review" | "carry_forward" | null;
  /**
   * The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or
   * unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the
   * rate is unknown, is paid only after an approver has accepted it.
   */
  readonly invoiceTaxBps: "unknown" | null | number | null;
  /**
   * Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false
   * by default.
   */
  readonly requireAcceptance: boolean | null;
  readonly inForce: {
    /**
     * Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default
     * for a workspace.
     */
    readonly holdDays: number;
    /**
     * By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a
     * later run.
     */
    readonly minimum: { readonly [name: string]: number };
    /** When runs start automatically: manual (never), or weekly, monthly or quarterly. */
    readonly cadence:
      | "manual"
      | {
          readonly type: "weekly" | "monthly" | "quarterly";
          readonly day: number;
          readonly timeZone: string;
        };
    /**
     * never, or by currency the largest total that a run approves without a person, in the smallest unit.
     * Currencies that are not named are never approved automatically.
     */
    readonly autoApprove: "never" | { readonly [name: string]: number };
    /**
     * By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run
     * does. The drafts of one partner and day are added up.
     */
    readonly fourEyesAbove: { readonly [name: string]: number };
    /** What a run does with a negative total: review creates a draft, carry_forward none. */
    readonly negative: "review" | "carry_forward";
    /**
     * The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or
     * unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the
     * rate is unknown, is paid only after an approver has accepted it.
     */
    readonly invoiceTaxBps: "unknown" | number;
    /**
     * Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false
     * by default.
     */
    readonly requireAcceptance: boolean;
  };
  /** The next period of the cadence: its local label, such as 2026-02, and its first instant. */
  readonly nextRun: {
    readonly label: string;
    readonly at: string;
  } | null;
  /** Null if it was never written. */
  readonly updatedAt: string | null;
};

export type WritePartnerSettlementPolicy = {
  /**
   * Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default
   * for a workspace.
   */
  readonly holdDays?: number | null | undefined;
  /**
   * By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a
   * later run.
   */
  readonly minimum?: { readonly [name: string]: number } | null | undefined;
  /** When runs start automatically: manual (never), or weekly, monthly or quarterly. */
  readonly cadence?:
    | "manual"
    | null
    | {
        /** The length of a period. */
        readonly type: "weekly" | "monthly" | "quarterly";
        /**
         * weekly: 1 (Monday) to 7. monthly: the day of the month; quarterly: of the quarter's first month; 29
         * to 31 mean at most its last day.
         */
        readonly day: number;
        /**
         * The time zone in which periods begin; by default that of the workspace. An IANA time zone, such as
         * Europe/Copenhagen.
         */
        readonly timeZone?: string | undefined;
      }
    | null
    | undefined;
  /**
   * never, or by currency the largest total that a run approves without a person, in the smallest unit.
   * Currencies that are not named are never approved automatically.
   */
  readonly autoApprove?: "never" | null | { readonly [name: string]: number } | null | undefined;
  /**
   * By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run
   * does. The drafts of one partner and day are added up.
   */
  readonly fourEyesAbove?: { readonly [name: string]: number } | null | undefined;
  /** What a run does with a negative total: review creates a draft, carry_forward none. */
  readonly negative?: "review" | "carry_forward" | null | undefined;
  /**
   * The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or
   * unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the
   * rate is unknown, is paid only after an approver has accepted it.
   */
  readonly invoiceTaxBps?: "unknown" | null | number | null | undefined;
  /**
   * Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false
   * by default.
   */
  readonly requireAcceptance?: boolean | null | undefined;
};

export type ListSettlementRuns = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type SettlementRun = {
  readonly id: string;
  readonly customerId: string;
  /** The workspace whose partners are settled. */
  readonly workspaceId: string;
  /** Null: every partner of the workspace. */
  readonly partnerIds: ReadonlyArray<string> | null;
  /** Null: every currency. */
  readonly currencies: ReadonlyArray<string> | null;
  /** Exclusive: the run settles commissions of attributions that occurred before. */
  readonly until: string;
  /** The label of the cadence's period, such as 2026-02; null when a request started the run. */
  readonly period: string | null;
  /** done: every partner has its results. */
  readonly state: "running" | "done";
  /** The number of partners in the run, counted at its start. */
  readonly partnerCount: number;
  /** The number of partners whose results are there. */
  readonly partnersDone: number;
  /** The number of drafts that the run has created. */
  readonly draftCount: number;
  /** The number of commissions in these drafts. */
  readonly lineCount: number;
  /** The drafts that the run has approved by the policy. */
  readonly approvedCount: number;
  /** The sums of the drafts, net of tax. */
  readonly totals: ReadonlyArray<{
    readonly currency: string;
    readonly amount: bigint;
  }>;
  /** The person that started the run, or set the cadence that did. */
  readonly person: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
};

export type StartSettlementRun = {
  /** The workspace whose partners are settled. A UUID, in any letter case. */
  readonly workspaceId: string;
  /** The partners to settle, 1 to 1,000 of the workspace; by default every partner. */
  readonly partnerIds?: ReadonlyArray<string> | null | undefined;
  /**
   * Exclusive: the run settles what occurred before this moment, at most 5 minutes ahead of the clock;
   * by default everything up to now. RFC 3339 with an offset or Z.
   */
  readonly until?: Moment | null | undefined;
  /** The currencies to settle; by default every currency. */
  readonly currencies?: ReadonlyArray<string> | null | undefined;
  /**
   * true returns what the run would do, for at most 5,000 partners, and stores nothing; false by
   * default.
   */
  readonly dryRun?: boolean | undefined;
};

export type SettlementDryRunResult = {
  /** The partner. */
  readonly partnerId: string;
  /** Null when nothing is due in any currency. */
  readonly currency: string | null;
  /** Why there is no draft; null when there is one. */
  readonly reason:
    | "nothing_due"
    | "partner_suspended"
    | "below_minimum"
    | "not_accepted"
    | "on_hold"
    | "negative"
    | "not_computable"
    | "in_open_settlement"
    | "waiting"
    | null;
  /** The amount that may be settled, net of tax; null when it exceeds the largest amount. */
  readonly total: number | null;
  /** The number of commissions that may be settled. */
  readonly lineCount: number;
  /** The number of commissions that are on hold. */
  readonly onHoldCount: number;
  /** Their amount; null when it exceeds the largest amount. */
  readonly onHoldAmount: number | null;
  /** The number of commissions whose amount cannot be computed. */
  readonly notComputableCount: number;
  /**
   * Commissions under terms of a plan that the partner has not accepted; 0 unless the policy requires
   * it.
   */
  readonly notAcceptedCount: number;
  /** Their amount; null when it exceeds the largest amount. */
  readonly notAcceptedAmount: number | null;
  /** The number of commissions that an open settlement has. */
  readonly inOpenSettlementCount: number;
  readonly draftCount: number;
  /**
   * Whether the policy covers the drafts; a run leaves those to a person that its starter may not
   * approve alone.
   */
  readonly autoApprove: boolean;
};

export type SettlementDryRun = {
  /** The workspace whose partners are settled. */
  readonly workspaceId: string;
  /** Null: every partner of the workspace. */
  readonly partnerIds: ReadonlyArray<string> | null;
  /** Null: every currency. */
  readonly currencies: ReadonlyArray<string> | null;
  /** Exclusive: the run settles commissions of attributions that occurred before. */
  readonly until: string;
  readonly partnerCount: number;
  readonly draftCount: number;
  readonly lineCount: number;
  /** The sums of the drafts, net of tax. */
  readonly totals: ReadonlyArray<{
    readonly currency: string;
    readonly amount: bigint;
  }>;
  readonly results: ReadonlyArray<SettlementDryRunResult>;
};

export type ReadSettlementRun = {
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type SettlementRunResult = {
  /** The partner. */
  readonly partnerId: string;
  /** Null when nothing is due in any currency. */
  readonly currency: string | null;
  /** Why there is no draft; null when there is one. */
  readonly reason:
    | "nothing_due"
    | "partner_suspended"
    | "below_minimum"
    | "not_accepted"
    | "on_hold"
    | "negative"
    | "not_computable"
    | "in_open_settlement"
    | "waiting"
    | null;
  /** The amount that may be settled, net of tax; null when it exceeds the largest amount. */
  readonly total: number | null;
  /** The number of commissions that may be settled. */
  readonly lineCount: number;
  /** The number of commissions that are on hold. */
  readonly onHoldCount: number;
  /** Their amount; null when it exceeds the largest amount. */
  readonly onHoldAmount: number | null;
  /** The number of commissions whose amount cannot be computed. */
  readonly notComputableCount: number;
  /**
   * Commissions under terms of a plan that the partner has not accepted; 0 unless the policy requires
   * it.
   */
  readonly notAcceptedCount: number;
  /** Their amount; null when it exceeds the largest amount. */
  readonly notAcceptedAmount: number | null;
  /** The number of commissions that an open settlement has. */
  readonly inOpenSettlementCount: number;
  /** One draft per 10,000 commissions. */
  readonly drafts: ReadonlyArray<{
    /** The draft. */
    readonly settlementId: string;
    /** Its amount, net of tax. */
    readonly total: number;
    /** The number of its commissions. */
    readonly lineCount: number;
    /**
     * The automatic approval. manual: the policy approves no such draft; pending: not done yet; approved;
     * refused: see approval_problem.
     */
    readonly approval: "manual" | "pending" | "approved" | "refused";
    /** Why the approval was refused, else null. */
    readonly approvalProblem: string | null;
  }>;
};

export type SettlementRunDetails = {
  readonly run: SettlementRun;
  readonly results: ReadonlyArray<SettlementRunResult>;
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
};

export type ListApiKeys = {
  /**
   * What the keys are for: programs, sessions of people who have signed in or accepted an invitation, or
   * invitations. Matches any of these values, at most 100.
   */
  readonly uses?: ReadonlyArray<"program" | "session" | "invitation"> | undefined;
  /**
   * The partners of the keys; a key for all partners is none of theirs. Matches any of these values, at
   * most 100.
   */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type ApiKey = {
  readonly id: string;
  readonly customerId: string;
  readonly name: string | null;
  readonly use: "program" | "session" | "invitation";
  readonly person: string;
  readonly kind: "customer" | "partner" | "agent";
  readonly workspaceIds: "*" | ReadonlyArray<string>;
  readonly partnerIds: "*" | ReadonlyArray<string>;
  readonly agentId: string | null;
  readonly scopes: ReadonlyArray<
    | "attributions:read"
    | "attributions:write"
    | "schemas:read"
    | "schemas:write"
    | "partners:read"
    | "partners:write"
    | "formulas:read"
    | "formulas:write"
    | "commissions:read"
    | "settlements:read"
    | "settlements:write"
    | "settlements:approve"
    | "settlements:pay"
    | "payouts:read"
    | "events:read"
    | "events:write"
    | "keys:admin"
  >;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly sessionId: string | null;
  readonly lastUsedAt: string | null;
};

export type CreateApiKey = {
  /** The customer of the key. Only a platform credential chooses it. A UUID, in any letter case. */
  readonly customerId?: string | undefined;
  /** customer (the default), partner, which needs partner_ids, or agent, which needs agent_id. */
  readonly kind?: "customer" | "partner" | "agent" | undefined;
  /** program (the default), or invitation: a key of a partner that opens a session for it, once. */
  readonly use?: "program" | "invitation" | undefined;
  /** The workspaces that the key may use, or * for all; by default those of the caller. */
  readonly workspaceIds?: "*" | ReadonlyArray<string> | undefined;
  /** The partners that the key may use, or * for all; by default those of the caller. */
  readonly partnerIds?: "*" | ReadonlyArray<string> | undefined;
  /**
   * The agent whom the key acts for. Required when kind is agent; attributions that the key creates have
   * it. A UUID, in any letter case.
   */
  readonly agentId?: string | undefined;
  /** What the key may do; by default every scope of the caller except keys:admin. */
  readonly scopes?:
    | ReadonlyArray<
        | "attributions:read"
        | "attributions:write"
        | "schemas:read"
        | "schemas:write"
        | "partners:read"
        | "partners:write"
        | "formulas:read"
        | "formulas:write"
        | "commissions:read"
        | "settlements:read"
        | "settlements:write"
        | "settlements:approve"
        | "settlements:pay"
        | "payouts:read"
        | "events:read"
        | "events:write"
        | "keys:admin"
      >
    | undefined;
  /**
   * Exclusive: the key is valid before this moment; by default without end. An invitation is valid for 7
   * days by default and 30 at most. RFC 3339 with an offset or Z.
   */
  readonly expiresAt?: Moment | undefined;
  /** A name by which people recognise the key. */
  readonly name?: string | undefined;
  /** true sends the link of an invitation to the e-mail address of its one partner. */
  readonly mail?: boolean | undefined;
  /**
   * Who holds the key; four eyes compare it. Only the platform states it: any other credential creates
   * keys of its own person.
   */
  readonly person?: string | undefined;
};

export type CurrentPrincipal = {
  readonly principalId: string;
  readonly person: string;
  readonly name: string | null;
  readonly kind: "customer" | "partner" | "agent" | "platform" | "system";
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly workspaceIds: "*" | ReadonlyArray<string>;
  readonly partnerIds: "*" | ReadonlyArray<string>;
  readonly agentId: string | null;
  readonly scopes: ReadonlyArray<
    | "attributions:read"
    | "attributions:write"
    | "schemas:read"
    | "schemas:write"
    | "partners:read"
    | "partners:write"
    | "formulas:read"
    | "formulas:write"
    | "commissions:read"
    | "settlements:read"
    | "settlements:write"
    | "settlements:approve"
    | "settlements:pay"
    | "payouts:read"
    | "events:read"
    | "events:write"
    | "keys:admin"
  >;
};

export type BillingProfile = {
  readonly legalName: string;
  readonly address: Address;
  readonly vatNumber: string;
  readonly vatNumberType?: "vat" | "tax";
  readonly registrationNumber?: string;
  readonly electronicAddress?: string;
  readonly legalNote?: string;
  readonly buyerReference?: string;
  readonly noticeEmail?: string;
  readonly invoicePrefix?: string;
  readonly bankAccount?: BankAccount;
  readonly taxCurrency?: string;
  readonly exchangeRates?: ReadonlyArray<{
    readonly currency: string;
    readonly date: string;
    readonly rate: string;
    readonly source: string;
  }>;
  readonly language?: "en" | "de" | "fr" | "es";
  readonly accentColor?: string;
  readonly backgroundColor?: string;
  readonly logo?: string;
  readonly eInvoice?: "required" | "optional";
  readonly documentNumbers?: {
    readonly prefix: string;
    readonly correctionPrefix?: string;
    readonly separator?: "-" | "/" | "." | "_";
    readonly year?: boolean;
    readonly series?: "customer" | "partner";
  };
};

export type WriteBillingProfile = {
  /** The legal name, as documents show it. */
  readonly legalName: string;
  /** The postal address, as documents show it. */
  readonly address: {
    /** The street and number. */
    readonly street: string;
    /** The city. */
    readonly city: string;
    /** The state, province or region; may be empty. */
    readonly region: string;
    /** The postal code. */
    readonly postalCode: string;
    /** The country. An ISO 3166-1 alpha-2 code. */
    readonly country: string;
  };
  /** The VAT number; of a business without one its tax number. */
  readonly vatNumber: string;
  /** tax: vat_number is a national tax number, because the business has no VAT number. vat by default. */
  readonly vatNumberType?: "vat" | "tax" | undefined;
  /**
   * The number in a public register, on documents and e-invoices (BT-30, BT-47): as HRB 12345, or after
   * the code of its scheme in ISO 6523, as 0002:732829320 for a SIREN.
   */
  readonly registrationNumber?: string | undefined;
  /**
   * The address for e-invoices: a scheme of the Peppol list and an identifier, such as
   * 0088:7300010000001.
   */
  readonly electronicAddress?: string | undefined;
  /**
   * A text that the law demands on invoices, such as a register number: printed on invoices and credit
   * notes that this service issues, and part of the note of e-invoices. Each line is a paragraph.
   */
  readonly legalNote?: string | undefined;
  /**
   * The reference that e-invoices state of the buyer (BT-10), such as a Leitweg-ID; by default the id of
   * the settlement.
   */
  readonly buyerReference?: string | undefined;
  /**
   * Where mail to the customer goes: that a partner has proposed a payout account. None is sent without
   * it.
   */
  readonly noticeEmail?: string | undefined;
  /** The beginning of document numbers, before the kind and the count. Excludes document_numbers. */
  readonly invoicePrefix?: string | undefined;
  /** The customer's account: payment files pay from it, and credit notes ask for payment to it. */
  readonly bankAccount?:
    | {
        /** The holder of the account, as the bank knows it. */
        readonly beneficiaryName: string;
        /** The IBAN of the account. */
        readonly iban: string;
        /** The BIC of the bank. */
        readonly bic: string;
      }
    | undefined;
  /**
   * The national currency: self-billed documents with VAT in another currency also state their VAT in it
   * (BT-6, BT-111). An ISO 4217 code.
   */
  readonly taxCurrency?: string | undefined;
  /**
   * The rates for VAT in tax_currency. A document takes the latest of its currency that is dated at most
   * 31 days before its approval; without one the approval is refused.
   */
  readonly exchangeRates?:
    | ReadonlyArray<{
        /** The currency of documents. An ISO 4217 code. */
        readonly currency: string;
        /** The first date that the rate applies to. A calendar date, YYYY-MM-DD. */
        readonly date: string;
        /** What one unit of currency is worth in tax_currency: 7.4604. */
        readonly rate: string;
        /** Who published the rate; documents state it. */
        readonly source: string;
      }>
    | undefined;
  /** The language of documents; en by default. */
  readonly language?: "en" | "de" | "fr" | "es" | undefined;
  /** The colour of titles and lines on documents, #rrggbb; its contrast on white is at least 4.5. */
  readonly accentColor?: string | undefined;
  /** The background of key facts on documents, #rrggbb; its contrast to dark text is at least 4.5. */
  readonly backgroundColor?: string | undefined;
  /**
   * The logo of documents, in base64. A PNG or JPEG image of at most 262144 bytes, at most 2000 pixels
   * wide and high.
   */
  readonly logo?: string | undefined;
  /** How the numbers of reports, invoices and credit notes are formed. Excludes invoice_prefix. */
  readonly documentNumbers?:
    | {
        /**
         * The beginning of every number: letters A to Z in either case and digits, with single separators
         * between them.
         */
        readonly prefix: string;
        /**
         * The beginning of the numbers of credit notes, and of invoices that cancel a credit note, which then
         * have a series of their own; by default they share that of invoices.
         */
        readonly correctionPrefix?: string | undefined;
        /** The character between the parts of a number; - by default. */
        readonly separator?: "-" | "/" | "." | "_" | undefined;
        /** Whether the year is a part of the number, and numbers begin at 1 in each year; false by default. */
        readonly year?: boolean | undefined;
        /**
         * customer (the default): one series for all partners. partner: one for each, whose last eight digits
         * are a part of the number.
         */
        readonly series?: "customer" | "partner" | undefined;
      }
    | undefined;
  /**
   * required: a settlement is approved only if its e-invoice is valid. optional: it is approved anyway.
   * By default required when electronic_address has a scheme.
   */
  readonly eInvoice?: "required" | "optional" | undefined;
};

export type ListEvents = {
  /**
   * Returns the entries after this cursor in the requested order. Takes next_cursor of a page, or the
   * cursor of an entry.
   */
  readonly after?: string | undefined;
  /** Oldest first (asc, the default) to follow the feed; newest first (desc) to show the latest events. */
  readonly order?: "asc" | "desc" | undefined;
  /** Matches events of any of these types, at most 100. */
  readonly types?: ReadonlyArray<string> | undefined;
  /** The greatest number of entries on a page. */
  readonly limit?: number | undefined;
};

/** an integer */
export type Int = number;

export type CreateApiKeyEvent = {
  readonly type: "create_api_key";
  readonly actor: EventActor;
  readonly name: string | null;
  readonly use?: "session" | "invitation";
  readonly person: string | null;
  readonly kind: "customer" | "partner" | "agent";
  readonly workspace_ids: "*" | ReadonlyArray<string>;
  readonly partner_ids: "*" | ReadonlyArray<string>;
  readonly agent_id: string | null;
  readonly scopes: ReadonlyArray<
    | "attributions:read"
    | "attributions:write"
    | "schemas:read"
    | "schemas:write"
    | "partners:read"
    | "partners:write"
    | "formulas:read"
    | "formulas:write"
    | "commissions:read"
    | "settlements:read"
    | "settlements:write"
    | "settlements:approve"
    | "settlements:pay"
    | "payouts:read"
    | "events:read"
    | "events:write"
    | "keys:admin"
  >;
  readonly expires_at: string | null;
};

export type RevokeApiKeyEvent = {
  readonly type: "revoke_api_key";
  readonly actor: EventActor;
  readonly session_id?: string;
};

export type WriteBillingProfileEvent = {
  readonly type: "write_billing_profile";
  readonly actor: EventActor;
  /** The fields that have changed. */
  readonly fields: ReadonlyArray<string>;
  readonly bank_account?: MaskedAccount | null;
};

export type WriteSettlementPolicyEvent = {
  readonly type: "write_settlement_policy";
  readonly actor: EventActor;
  readonly workspace_id: string;
  readonly partner_id: string | null;
  /**
   * Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default
   * for a workspace.
   */
  readonly hold_days: number | null;
  /**
   * By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a
   * later run.
   */
  readonly minimum: { readonly [name: string]: number } | null;
  /** When runs start automatically: manual (never), or weekly, monthly or quarterly. */
  readonly cadence:
    | "manual"
    | null
    | {
        readonly type: "weekly" | "monthly" | "quarterly";
        readonly day: number;
        readonly time_zone: string;
      }
    | null;
  /**
   * never, or by currency the largest total that a run approves without a person, in the smallest unit.
   * Currencies that are not named are never approved automatically.
   */
  readonly auto_approve: "never" | null | { readonly [name: string]: number } | null;
  /**
   * By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run
   * does. The drafts of one partner and day are added up.
   */
  readonly four_eyes_above: { readonly [name: string]: number } | null;
  /** What a run does with a negative total: review creates a draft, carry_forward none. */
  readonly negative: "review" | "carry_forward" | null;
  /**
   * The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or
   * unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the
   * rate is unknown, is paid only after an approver has accepted it.
   */
  readonly invoice_tax_bps: "unknown" | null | number | null;
  /**
   * Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false
   * by default.
   */
  readonly require_acceptance: boolean | null;
};

export type BeginSettlementPeriodEvent = {
  readonly type: "begin_settlement_period";
  readonly actor: EventActor;
  readonly workspace_id: string;
  readonly partner_id: string | null;
  readonly period: string;
  readonly settlement_run_id: string;
};

export type WriteWorkspaceEvent = {
  readonly type: "write_workspace";
  readonly actor: EventActor;
  readonly workspace_id: string;
  readonly name: string | null;
  /** A name of the IANA database. */
  readonly time_zone: string;
};

export type ReverseChargeRate = {
  readonly from: string;
  readonly rate_bps: Int;
};

export type DatevSettings = {
  readonly consultant: Int;
  readonly client: Int;
  readonly account_length: Int;
  readonly fiscal_year_start: string;
};

export type XeroSettings = {
  readonly tax_rate: string;
  readonly tracking_category?: string;
};

export type WritePostingRulesEvent = {
  readonly type: "write_posting_rules";
  readonly actor: EventActor;
  readonly rules: ReadonlyArray<{
    readonly account:
      | "commission_expense"
      | "accrued_commissions"
      | "commissions_awaiting_receipt"
      | "input_tax"
      | "partner_payables"
      | "payments"
      | "settled_elsewhere"
      | "written_off_commissions"
      | "reverse_charge_tax_deductible"
      | "reverse_charge_tax_due";
    readonly kind?:
      | "earned"
      | "adjusted"
      | "received"
      | "settled_elsewhere"
      | "billed"
      | "paid"
      | "written_off"
      | "payment_returned";
    readonly plan_id?: string;
    readonly partner_id?: string;
    readonly workspace_id?: string;
    readonly tax_treatment?: "standard" | "reverse_charge" | "exempt" | "outside_scope";
    readonly number: string;
    readonly cost_centre?: string;
    readonly text?: string;
  }>;
  readonly reverse_charge?: ReadonlyArray<ReverseChargeRate>;
  readonly datev?: DatevSettings;
  readonly xero?: XeroSettings;
};

export type ClosePeriodEvent = {
  readonly type: "close_period";
  readonly actor: EventActor;
  /** A month of UTC, YYYY-MM. */
  readonly month: string;
};

export type SealPeriodEvent = {
  readonly type: "seal_period";
  readonly actor: EventActor;
  /** A month of UTC, YYYY-MM. */
  readonly month: string;
  readonly journal_sha256: string;
  readonly entries: number;
  readonly sums: ReadonlyArray<{
    readonly currency: string;
    readonly account:
      | "commission_expense"
      | "accrued_commissions"
      | "commissions_awaiting_receipt"
      | "input_tax"
      | "partner_payables"
      | "payments"
      | "settled_elsewhere"
      | "written_off_commissions"
      | "reverse_charge_tax_deductible"
      | "reverse_charge_tax_due";
    /** Decimal digits, because a sum may exceed ±(2^53 − 1). */
    readonly debit: string;
    /** Decimal digits, because a sum may exceed ±(2^53 − 1). */
    readonly credit: string;
  }>;
};

export type ReopenPeriodEvent = {
  readonly type: "reopen_period";
  readonly actor: EventActor;
  /** A month of UTC, YYYY-MM. */
  readonly month: string;
  readonly reason: string;
};

export type AcceptCommissionPlanEvent = {
  readonly type: "accept_commission_plan";
  readonly actor: EventActor;
  readonly plan_id: string;
  readonly partner_id: string;
  readonly hash: string;
  readonly formula_version: number;
  readonly from_datetime: string;
  readonly end_datetime: string | null;
  readonly name: string;
  readonly language: "en" | "de" | "fr" | "es" | null;
  readonly on_behalf: boolean;
  readonly reference: string | null;
};

export type CreatePartnerLinkEvent = {
  readonly type: "create_partner_link";
  readonly actor: EventActor;
  readonly partner_id: string;
  readonly upline_partner_id: string;
  /** The role of the upline, such as manager. */
  readonly role: string;
  readonly start_datetime: string;
  /** Exclusive; null without an end. The same as start_datetime: the link was withdrawn. */
  readonly end_datetime: string | null;
};

export type UpdatePartnerLinkEvent = {
  readonly type: "update_partner_link";
  readonly actor: EventActor;
  /** Exclusive; null without an end. The same as start_datetime: the link was withdrawn. */
  readonly end_datetime: string | null;
};

export type FeedEntry = {
  readonly id: string;
  readonly cursor: string;
  readonly datetime: string;
  readonly customerId: string;
  readonly recordType:
    | "attribution"
    | "commission_formula"
    | "commission_plan"
    | "commission"
    | "settlement"
    | "partner"
    | "api_key"
    | "billing_profile"
    | "books"
    | "settlement_policy"
    | "workspace"
    | "plan_acceptance"
    | "partner_link";
  readonly recordId: string;
  readonly sequence: Int;
  readonly event:
    | CreateAttributionEvent
    | null
    | CancelAttributionEvent
    | null
    | RecreditAttributionEvent
    | null
    | StateReceivedEvent
    | null
    | ErasePersonalDataEvent
    | null
    | CreateCommissionFormulaEvent
    | null
    | UpdateCommissionFormulaEvent
    | null
    | SetParameterValuesEvent
    | null
    | CancelCommissionFormulaEvent
    | null
    | CreateCommissionPlanEvent
    | null
    | UpdateCommissionPlanEvent
    | null
    | CancelCommissionPlanEvent
    | null
    | CreateCommissionEvent
    | null
    | UpdateCommissionEvent
    | null
    | FailCommissionComputationEvent
    | null
    | UpdateReceivedEvent
    | null
    | SettleElsewhereEvent
    | null
    | ReserveCommissionEvent
    | null
    | ReleaseCommissionEvent
    | null
    | SettleCommissionEvent
    | null
    | ReopenCommissionEvent
    | null
    | CreateSettlementEvent
    | null
    | ApproveSettlementEvent
    | null
    | CancelSettlementEvent
    | null
    | LinkReportEvent
    | null
    | LinkInvoiceEvent
    | null
    | LinkCreditNoteEvent
    | null
    | ReviewSettlementEvent
    | null
    | ChoosePayoutAccountEvent
    | null
    | InitiatePaymentEvent
    | null
    | HandOverPaymentEvent
    | null
    | ConfirmPaymentEvent
    | null
    | FailPaymentEvent
    | null
    | ReturnPaymentEvent
    | null
    | MarkAsPaidEvent
    | null
    | WriteOffSettlementEvent
    | null
    | DisputeSettlementEvent
    | null
    | WithdrawDisputeEvent
    | null
    | ResolveDisputeEvent
    | null
    | CommentSettlementEvent
    | null
    | ReconcileSettlementEvent
    | null
    | UnreconcileSettlementEvent
    | null
    | FailDocumentEvent
    | null
    | PaymentAnomalyEvent
    | null
    | CreatePartnerEvent
    | null
    | UpdatePartnerEvent
    | null
    | ProposePayoutAccountEvent
    | null
    | ConfirmPayoutAccountEvent
    | null
    | RetirePayoutAccountEvent
    | null
    | CreateApiKeyEvent
    | null
    | RevokeApiKeyEvent
    | null
    | WriteBillingProfileEvent
    | null
    | WriteSettlementPolicyEvent
    | null
    | BeginSettlementPeriodEvent
    | null
    | WriteWorkspaceEvent
    | null
    | WritePostingRulesEvent
    | null
    | ClosePeriodEvent
    | null
    | SealPeriodEvent
    | null
    | ReopenPeriodEvent
    | null
    | AcceptCommissionPlanEvent
    | null
    | CreatePartnerLinkEvent
    | null
    | UpdatePartnerLinkEvent
    | null;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** SHA-256 in hexadecimal. */
  readonly previousHash: string;
};

export type FeedPage = {
  readonly events: ReadonlyArray<FeedEntry>;
  readonly nextCursor: string;
};

export type ReadJournal = {
  /** The start of the period. Inclusive. RFC 3339 with an offset or Z. */
  readonly from: Moment;
  /**
   * The end of the period. Exclusive, and not in the future. By default all events until now. RFC 3339
   * with an offset or Z.
   */
  readonly to?: Moment | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /** Only entries in this currency. An ISO 4217 code. Required for datev, quickbooks and xero. */
  readonly currency?: string | undefined;
  /** Only entries of any of these kinds. */
  readonly kinds?:
    | ReadonlyArray<
        | "earned"
        | "adjusted"
        | "received"
        | "settled_elsewhere"
        | "billed"
        | "paid"
        | "written_off"
        | "payment_returned"
      >
    | undefined;
  /** next_cursor of the previous page; requires the same other parameters, and its to. */
  readonly after?: string | undefined;
  /** About how many entries a page has: those of one moment are not separated. */
  readonly limit?: number | undefined;
  /**
   * json: pages. The others are the whole journal as a file: csv, a line for each posting; spreadsheet,
   * the same with a byte order mark; hledger and beancount, plain text accounting; datev, a batch of
   * postings (EXTF); quickbooks, journal entries for QuickBooks Online; xero, manual journals;
   * quickbooks_bills and xero_bills, the documents as bills. datev, xero and xero_bills need settings,
   * and rules for every account, of the posting rules. Without it the header Accept decides: text/csv
   * and text/plain ask for csv and hledger.
   */
  readonly format?:
    | "json"
    | "csv"
    | "spreadsheet"
    | "hledger"
    | "beancount"
    | "datev"
    | "quickbooks"
    | "xero"
    | "quickbooks_bills"
    | "xero_bills"
    | undefined;
};

export type JournalLine = {
  /**
   * commission_expense: what partners have earned. accrued_commissions: earned and payable, without a
   * document yet. commissions_awaiting_receipt: earned, not payable before the buyer pays. input_tax:
   * the tax of the documents of partners. partner_payables: documents that are not paid. payments: what
   * was paid to partners and received from them. settled_elsewhere: settled in another system before the
   * sale was recorded. written_off_commissions: amounts that were written off.
   * reverse_charge_tax_deductible: tax of documents under reverse charge that the customer deducts.
   * reverse_charge_tax_due: tax of documents under reverse charge that the customer owes.
   */
  readonly account:
    | "commission_expense"
    | "accrued_commissions"
    | "commissions_awaiting_receipt"
    | "input_tax"
    | "partner_payables"
    | "payments"
    | "settled_elsewhere"
    | "written_off_commissions"
    | "reverse_charge_tax_deductible"
    | "reverse_charge_tax_due";
  /** The account that a posting rule states. */
  readonly number?: string;
  readonly costCentre?: string;
  readonly text?: string;
  readonly debit?: bigint;
  readonly credit?: bigint;
};

export type JournalEntry = {
  readonly datetime: string;
  readonly kind:
    | "earned"
    | "adjusted"
    | "received"
    | "settled_elsewhere"
    | "billed"
    | "paid"
    | "written_off"
    | "payment_returned";
  readonly partnerId: string;
  readonly partnerName: string;
  readonly currency: string;
  readonly commissionId?: string;
  readonly settlementId?: string;
  /** The number of the invoice or credit note. */
  readonly document?: string;
  /** The external reference of the sale. */
  readonly reference?: string;
  readonly concerns?: string;
  readonly text: string;
  readonly lines: ReadonlyArray<JournalLine>;
};

export type JournalPage = {
  readonly from: string;
  readonly to: string;
  readonly final: boolean;
  readonly entries: ReadonlyArray<JournalEntry>;
  /** The parameter after of the next page; null on the last page. */
  readonly nextCursor: string | null;
};

export type ReadPayables = {
  /**
   * Exclusive: includes the events before this moment, which may not be in the future. By default all
   * events until now. RFC 3339 with an offset or Z.
   */
  readonly at?: Moment | undefined;
  /** What a row is about: a partner, or all partners of a workspace, or all partners. */
  readonly groupBy?: "partner" | "workspace" | "currency" | undefined;
  /** The partners of the records. Matches any of these values, at most 100. */
  readonly partnerIds?: ReadonlyArray<string> | undefined;
  /** The workspaces of the records. Matches any of these values, at most 100. */
  readonly workspaceIds?: ReadonlyArray<string> | undefined;
  /**
   * next_cursor of the previous page, with the same other parameters and its at. Only for rows of
   * partners.
   */
  readonly after?: string | undefined;
  /** How many partners a page covers at most. Only for rows of partners. */
  readonly limit?: number | undefined;
  /**
   * json: pages. csv: all rows as a file; spreadsheet, the same with a byte order mark. Without it the
   * header Accept decides: text/csv asks for csv.
   */
  readonly format?: "json" | "csv" | "spreadsheet" | undefined;
};

export type PayablesRow = {
  readonly currency: string;
  readonly partnerId?: string;
  readonly partnerName?: string;
  readonly workspaceId?: string;
  readonly earned: bigint;
  readonly awaitingReceipt: bigint;
  readonly accrued: bigint;
  readonly inSettlement: bigint;
  readonly tax: bigint;
  readonly payable: bigint;
  readonly current: bigint;
  readonly overdue1To30: bigint;
  readonly overdue31To60: bigint;
  readonly overdue61To90: bigint;
  readonly overdueOver90: bigint;
  readonly paid: bigint;
  readonly settledElsewhere: bigint;
  readonly writtenOff: bigint;
};

export type PayablesPage = {
  readonly at: string;
  readonly final: boolean;
  readonly rows: ReadonlyArray<PayablesRow>;
  /** The parameter after of the next page; null on the last page. */
  readonly nextCursor: string | null;
};

export type PostingRule = {
  readonly account:
    | "commission_expense"
    | "accrued_commissions"
    | "commissions_awaiting_receipt"
    | "input_tax"
    | "partner_payables"
    | "payments"
    | "settled_elsewhere"
    | "written_off_commissions"
    | "reverse_charge_tax_deductible"
    | "reverse_charge_tax_due";
  readonly kind?:
    | "earned"
    | "adjusted"
    | "received"
    | "settled_elsewhere"
    | "billed"
    | "paid"
    | "written_off"
    | "payment_returned";
  readonly planId?: string;
  readonly partnerId?: string;
  readonly workspaceId?: string;
  readonly taxTreatment?: "standard" | "reverse_charge" | "exempt" | "outside_scope";
  readonly number: string;
  readonly costCentre?: string;
  readonly text?: string;
};

export type ReverseChargeRateOutput = {
  readonly from: string;
  readonly rateBps: Int;
};

export type DatevSettingsOutput = {
  readonly consultant: Int;
  readonly client: Int;
  readonly accountLength: Int;
  readonly fiscalYearStart: string;
};

export type XeroSettingsOutput = {
  readonly taxRate: string;
  readonly trackingCategory?: string;
};

export type PostingRules = {
  readonly rules: ReadonlyArray<PostingRule>;
  readonly reverseCharge?: ReadonlyArray<ReverseChargeRateOutput>;
  readonly datev?: DatevSettingsOutput;
  readonly xero?: XeroSettingsOutput;
  /** Null if they were never written. */
  readonly updatedAt: string | null;
};

export type WritePostingRules = {
  /**
   * Rates of the tax that you owe and deduct for documents under reverse charge; without them none is
   * posted. A change begins two days ahead, because what is posted stays.
   */
  readonly reverseCharge?:
    | ReadonlyArray<{
        /** The first day of documents with this rate. A calendar date, YYYY-MM-DD. */
        readonly from: string;
        /** The rate of tax in basis points; 0 from the day on which you post none any more. */
        readonly rateBps: number;
      }>
    | undefined;
  /** What files for DATEV state; without it none can be written. */
  readonly datev?:
    | {
        /** The number of the tax consultant (Beraternummer). */
        readonly consultant: number;
        /** The number of the client (Mandantennummer). */
        readonly client: number;
        /** How many digits the numbers of general accounts have (Sachkontenlänge). */
        readonly accountLength: number;
        /** The first day of the fiscal year, as MM-DD. */
        readonly fiscalYearStart: string;
      }
    | undefined;
  /** What files for Xero state; without it none can be written. */
  readonly xero?:
    | {
        /** The name of the tax rate of your organisation under which Xero adds no tax. */
        readonly taxRate: string;
        /** The name of the tracking category whose options the cost centres are; by default files have none. */
        readonly trackingCategory?: string | undefined;
      }
    | undefined;
  /** All rules, in place of those before; the first one that applies to a posting counts. */
  readonly rules: ReadonlyArray<{
    /** The account of the journal whose postings the rule names. */
    readonly account:
      | "commission_expense"
      | "accrued_commissions"
      | "commissions_awaiting_receipt"
      | "input_tax"
      | "partner_payables"
      | "payments"
      | "settled_elsewhere"
      | "written_off_commissions"
      | "reverse_charge_tax_deductible"
      | "reverse_charge_tax_due";
    /** Only postings of this kind of entry; for commission_expense. */
    readonly kind?:
      | "earned"
      | "adjusted"
      | "received"
      | "settled_elsewhere"
      | "billed"
      | "paid"
      | "written_off"
      | "payment_returned"
      | undefined;
    /**
     * Only commissions of this plan; for commission_expense, commissions_awaiting_receipt and
     * settled_elsewhere. A UUID, in any letter case.
     */
    readonly planId?: string | undefined;
    /** Only this partner. A UUID, in any letter case. */
    readonly partnerId?: string | undefined;
    /** Only partners of this workspace. A UUID, in any letter case. */
    readonly workspaceId?: string | undefined;
    /** Only documents of this treatment alone; for input_tax, partner_payables and payments. */
    readonly taxTreatment?: "standard" | "reverse_charge" | "exempt" | "outside_scope" | undefined;
    /** The number of the account in your chart of accounts. */
    readonly number: string;
    /** The cost centre of the posting. */
    readonly costCentre?: string | undefined;
    /**
     * The text of the posting, in which {text}, {partner}, {document} and {reference} stand for those of
     * the entry.
     */
    readonly text?: string | undefined;
  }>;
};

export type PeriodTotal = {
  readonly currency: string;
  readonly account:
    | "commission_expense"
    | "accrued_commissions"
    | "commissions_awaiting_receipt"
    | "input_tax"
    | "partner_payables"
    | "payments"
    | "settled_elsewhere"
    | "written_off_commissions"
    | "reverse_charge_tax_deductible"
    | "reverse_charge_tax_due";
  readonly debit: bigint;
  readonly credit: bigint;
};

export type PeriodJournal = {
  readonly sha256: string;
  readonly entries: number;
  /** By currency, then by account. */
  readonly totals: ReadonlyArray<PeriodTotal>;
};

export type Period = {
  /** A month of UTC, YYYY-MM. */
  readonly month: string;
  /** Inclusive; null for the first period, which contains everything before its end. */
  readonly from: string | null;
  readonly to: string;
  /**
   * closed; closing: closed, and the hash is being computed; reopened: not closed any more, the other
   * fields are of the last closing.
   */
  readonly status: "closing" | "closed" | "reopened";
  readonly closedAt: string;
  readonly closedBy: string;
  readonly reopenedAt?: string;
  readonly reopenedBy?: string;
  readonly reopenReason?: string;
  /** Null while closing. */
  readonly journal: PeriodJournal | null;
};

export type PeriodList = {
  /** In the order of their months. */
  readonly periods: ReadonlyArray<Period>;
  /** The only month that may be closed next; null where any may be, because none ever was. */
  readonly nextMonth: string | null;
};

export type ReopenPeriod = {
  /** Why; the log shows it. */
  readonly reason: string;
};

export type ErasePartner = {
  /** With true, lists what would be erased, and erases nothing. */
  readonly dryRun?: boolean | undefined;
  /** The page of the partner's settlements, 100 at a time; 1 by default. */
  readonly page?: number | undefined;
};

export type Erasure = {
  readonly recordType: "partner" | "settlement" | "commission_formula" | "plan_acceptance" | "api_key";
  readonly recordId: string;
  readonly contents: ReadonlyArray<"partner_data" | "documents" | "payments" | "texts" | "names">;
  /** Why it is kept; null where it was erased, or would be in a dry run. */
  readonly kept: {
    readonly reason: "settlement_open" | "retention" | "commissions_due" | "key_usable";
    /** The last day on which it has to be kept; null where no date ends it. */
    readonly until: string | null;
  } | null;
};

export type PartnerErasure = {
  readonly dryRun: boolean;
  readonly records: ReadonlyArray<Erasure>;
  /** The page to send next; null when every record has been listed. */
  readonly nextPage: number | null;
};

export type EraseEvents = {
  /** The customer whose feed it is. A UUID, in any letter case. */
  readonly customerId: string;
  /** The cursors of the entries, 1 to 100. */
  readonly cursors: ReadonlyArray<string>;
};

export type EventErasure = {
  readonly erased: number;
};

export type ListWebhookEndpoints = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type WebhookEndpoint = {
  readonly id: string;
  readonly customerId: string;
  readonly url: string;
  /** Null: every type of event. */
  readonly types: ReadonlyArray<string> | null;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Why the engine disabled the endpoint; null when a caller did, or when it is enabled. */
  readonly disabledReason: string | null;
  /** When its receiver took an event last; null before the first. */
  readonly lastDeliveredAt: string | null;
  /** Since when every attempt has failed; null when the last one succeeded. */
  readonly failingSince: string | null;
  readonly createdAt: string;
};

export type CreateWebhookEndpoint = {
  /** Where requests are sent: https, a public address. */
  readonly url: string;
  /** The types of events to send, 1 to 100; by default every type. */
  readonly types?:
    | ReadonlyArray<
        | "accept_commission_plan"
        | "approve_settlement"
        | "begin_settlement_period"
        | "cancel_attribution"
        | "cancel_commission_formula"
        | "cancel_commission_plan"
        | "cancel_settlement"
        | "choose_payout_account"
        | "close_period"
        | "comment_settlement"
        | "confirm_payment"
        | "confirm_payout_account"
        | "create_api_key"
        | "create_attribution"
        | "create_commission"
        | "create_commission_formula"
        | "create_commission_plan"
        | "create_partner"
        | "create_partner_link"
        | "create_settlement"
        | "dispute_settlement"
        | "erase_personal_data"
        | "fail_commission_computation"
        | "fail_document"
        | "fail_payment"
        | "hand_over_payment"
        | "initiate_payment"
        | "link_credit_note"
        | "link_invoice"
        | "link_report"
        | "mark_as_paid"
        | "payment_anomaly"
        | "propose_payout_account"
        | "reconcile_settlement"
        | "recredit_attribution"
        | "release_commission"
        | "reopen_commission"
        | "reopen_period"
        | "reserve_commission"
        | "resolve_dispute"
        | "retire_payout_account"
        | "return_payment"
        | "review_settlement"
        | "revoke_api_key"
        | "seal_period"
        | "set_parameter_values"
        | "settle_commission"
        | "settle_elsewhere"
        | "state_received"
        | "unreconcile_settlement"
        | "update_commission"
        | "update_commission_formula"
        | "update_commission_plan"
        | "update_partner"
        | "update_partner_link"
        | "update_received"
        | "withdraw_dispute"
        | "write_billing_profile"
        | "write_off_settlement"
        | "write_posting_rules"
        | "write_settlement_policy"
        | "write_workspace"
      >
    | undefined;
  /** A note for people; has no effect. */
  readonly description?: string | undefined;
  /** A cursor of the event feed: events after it are sent; by default those from now on. */
  readonly after?: string | undefined;
};

export type UpdateWebhookEndpoint = {
  /** Where requests are sent: https, a public address. */
  readonly url?: string | undefined;
  /** The types of events to send, 1 to 100; null sends every type. */
  readonly types?:
    | ReadonlyArray<
        | "accept_commission_plan"
        | "approve_settlement"
        | "begin_settlement_period"
        | "cancel_attribution"
        | "cancel_commission_formula"
        | "cancel_commission_plan"
        | "cancel_settlement"
        | "choose_payout_account"
        | "close_period"
        | "comment_settlement"
        | "confirm_payment"
        | "confirm_payout_account"
        | "create_api_key"
        | "create_attribution"
        | "create_commission"
        | "create_commission_formula"
        | "create_commission_plan"
        | "create_partner"
        | "create_partner_link"
        | "create_settlement"
        | "dispute_settlement"
        | "erase_personal_data"
        | "fail_commission_computation"
        | "fail_document"
        | "fail_payment"
        | "hand_over_payment"
        | "initiate_payment"
        | "link_credit_note"
        | "link_invoice"
        | "link_report"
        | "mark_as_paid"
        | "payment_anomaly"
        | "propose_payout_account"
        | "reconcile_settlement"
        | "recredit_attribution"
        | "release_commission"
        | "reopen_commission"
        | "reopen_period"
        | "reserve_commission"
        | "resolve_dispute"
        | "retire_payout_account"
        | "return_payment"
        | "review_settlement"
        | "revoke_api_key"
        | "seal_period"
        | "set_parameter_values"
        | "settle_commission"
        | "settle_elsewhere"
        | "state_received"
        | "unreconcile_settlement"
        | "update_commission"
        | "update_commission_formula"
        | "update_commission_plan"
        | "update_partner"
        | "update_partner_link"
        | "update_received"
        | "withdraw_dispute"
        | "write_billing_profile"
        | "write_off_settlement"
        | "write_posting_rules"
        | "write_settlement_policy"
        | "write_workspace"
      >
    | null
    | undefined;
  /** A note for people; has no effect. */
  readonly description?: string | null | undefined;
  /** false: nothing is sent. true: events are sent, beginning with those that were missed. */
  readonly enabled?: boolean | undefined;
};

export type RotatedWebhookSecret = {
  readonly secret: string;
  readonly previousSecretUntil: string;
};

export type ListWebhookDeliveries = {
  /** The statuses of the records. Matches any of these values, at most 100. */
  readonly statuses?: ReadonlyArray<"pending" | "held" | "delivered" | "failed"> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type WebhookDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly recordType:
    | "attribution"
    | "commission_formula"
    | "commission_plan"
    | "commission"
    | "settlement"
    | "partner"
    | "api_key"
    | "billing_profile"
    | "books"
    | "settlement_policy"
    | "workspace"
    | "plan_acceptance"
    | "partner_link";
  readonly recordId: string;
  readonly sequence: Int;
  readonly datetime: string;
  /**
   * pending: waits for the next attempt; held: waits until an earlier event of the record is delivered;
   * delivered; failed: no further attempts.
   */
  readonly status: "pending" | "held" | "delivered" | "failed";
  /** The number of attempts since the delivery was created or redelivered. */
  readonly attempts: number;
  /** When the last attempt ended; null before the first. */
  readonly lastAttemptAt: string | null;
  /** The HTTP status of the last response; null when the last attempt had none. */
  readonly lastStatus: number | null;
  /** Why the last attempt failed, in words; null when it succeeded. */
  readonly lastError: string | null;
  /** The latest time of the next attempt; null when none is planned. */
  readonly nextAttemptAt: string | null;
  /** When the delivery ended in delivered or failed; null before. */
  readonly endedAt: string | null;
  readonly createdAt: string;
};

export type ListPaymentFiles = {
  /** The ids of the records. Matches any of these values, at most 100. */
  readonly ids?: ReadonlyArray<string> | undefined;
  /** The page number, from 1. */
  readonly page?: number | undefined;
  /** The number of records on a page. */
  readonly perPage?: number | undefined;
  /** By time of creation: asc, the default, is oldest first; desc is newest first. */
  readonly order?: "asc" | "desc" | undefined;
};

export type PaymentFile = {
  readonly id: string;
  readonly customerId: string;
  readonly executionDate: string;
  readonly debtor: BankAccount | null;
  /** The format in which the file was created; absent of files from before it was recorded. */
  readonly format?: string;
  readonly currency: string;
  readonly count: number;
  readonly sum: number;
  readonly createdAt: string;
  readonly handedOverAt: string | null;
  readonly discardedAt: string | null;
  /** The person that created it; absent of files from before it was recorded. */
  readonly createdBy?: string;
  readonly handedOverBy?: string;
  readonly discardedBy?: string;
};

export type CreatePaymentFile = {
  /**
   * The day on which the bank pays, today or within 365 days: a business day of the euro area, or for
   * other currencies no Saturday or Sunday; by default the next one. A calendar date, YYYY-MM-DD.
   */
  readonly executionDate?: string | undefined;
};

export type DiscardPaymentFile = {
  /** Why the file is discarded; the log of each of its settlements shows it. */
  readonly reason: string;
};

export type ReadBankStatement = Upload & {};

export type UnmatchedMovement = {
  readonly reason:
    | "unknown_reference"
    | "other_account"
    | "other_currency"
    | "other_amount"
    | "booked_before"
    | "duplicate"
    | "notice"
    | "unexpected";
  readonly direction: "debit" | "credit" | "rejected";
  readonly endToEndId: string | null;
  readonly amount: number | null;
  readonly currency: string;
  readonly bookingDate: string | null;
  readonly bankReference: string | null;
  /**
   * Why the bank returned or rejected the payment, or what it reports about it, in words. Absent where
   * the bank states nothing, and of other business on the account.
   */
  readonly explanation?: string;
};

export type BankStatementResult = {
  readonly confirmed: number;
  readonly returned: number;
  readonly reconciled: number;
  readonly failed: number;
  readonly unmatched: ReadonlyArray<UnmatchedMovement>;
};

export type Workspace = {
  readonly id: string;
  readonly name: string | null;
  /** A name of the IANA database. */
  readonly timeZone: string;
  /** Null if it was never written. */
  readonly updatedAt: string | null;
};

export type WriteWorkspace = {
  /** A name for people; null or absent: none. */
  readonly name?: string | null | undefined;
  /**
   * The time zone that decides the calendar days of attributions; UTC by default. An IANA time zone,
   * such as Europe/Copenhagen.
   */
  readonly timeZone?: string | undefined;
};
