/** The records of the store: what is found by id, and what a list shows of each. */
import type { ArrivalOrder, AttributionHistory, RunningTotal } from "../../domain/Accumulation.ts";
import type { ApiKey, ApiKeyEvent } from "../../domain/ApiKey.ts";
import type { Attribution, AttributionEvent } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { BillingProfile, ProfileEvent } from "../../domain/BillingProfile.ts";
import type { Books, BooksEvent } from "../../domain/Books.ts";
import type { Commission, CommissionEvent } from "../../domain/Commission.ts";
import type { CommissionPlan, PlanEvent } from "../../domain/CommissionPlan.ts";
import type { Document } from "../../domain/Document.ts";
import type { Entry } from "../../domain/Event.ts";
import type { Formula, FormulaEvent } from "../../domain/Formula.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import type { Partner, PartnerEvent } from "../../domain/Partner.ts";
import type { LinkEvent, LinkSet, PartnerLink } from "../../domain/PartnerLink.ts";
import type { BankPayment, PaymentFile } from "../../domain/PaymentFile.ts";
import type { AcceptanceEvent, PlanAcceptance } from "../../domain/PlanAcceptance.ts";
import type { PlanTrial, PlanTrialResult } from "../../domain/PlanTrial.ts";
import type { Recomputation } from "../../domain/Recomputation.ts";
import type { RecreditRun, RecreditRunResult } from "../../domain/RecreditRun.ts";
import type { Line, Settlement, SettlementEvent } from "../../domain/Settlement.ts";
import type { PolicyEvent, SettlementPolicy } from "../../domain/SettlementPolicy.ts";
import type { SettlementRun, SettlementRunResult } from "../../domain/SettlementRun.ts";
import type { TaxOrigin } from "../../domain/Tax.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { WebhookDelivery } from "../../domain/WebhookDelivery.ts";
import type { WebhookEndpoint } from "../../domain/WebhookEndpoint.ts";
import type { Workspace, WorkspaceEvent } from "../../domain/Workspace.ts";

/** Reads across every customer: the platform's alone. */
export const AllCustomers = "*";
export type AllCustomers = typeof AllCustomers;

/** Whose records a read may touch. */
export type Tenant = CustomerId | AllCustomers;

/** A record with its version: 0 before it exists, then raised by each save; with events, the number of its events. */
export type Versioned<Record> = Record & {
  readonly version: number;
  /** The moment of the last event, or of the last save of a record without events. */
  readonly lastAt: Timestamp;
};

/** Records that carry a log. */
export interface Logged {
  readonly attribution: { readonly record: Attribution; readonly event: AttributionEvent };
  readonly formula: { readonly record: Formula; readonly event: FormulaEvent };
  readonly plan: { readonly record: CommissionPlan; readonly event: PlanEvent };
  readonly commission: { readonly record: Commission; readonly event: CommissionEvent };
  readonly settlement: { readonly record: Settlement; readonly event: SettlementEvent };
  readonly partner: { readonly record: Partner; readonly event: PartnerEvent };
  /** The log says nothing of the last use. */
  readonly apiKey: { readonly record: ApiKey; readonly event: ApiKeyEvent };
  /** Identified by its customer. */
  readonly billingProfile: { readonly record: BillingProfile; readonly event: ProfileEvent };
  /** Identified by its customer; see `Books.recordIdOf`. */
  readonly books: { readonly record: Books; readonly event: BooksEvent };
  /** Identified by its workspace and partner; see {@link policyId}. */
  readonly settlementPolicy: { readonly record: SettlementPolicy; readonly event: PolicyEvent };
  /** Identified by its customer and workspace; see `Workspace.recordIdOf`. */
  readonly workspace: { readonly record: Workspace; readonly event: WorkspaceEvent };
  /** Identified by its plan, partner and hash; see {@link acceptanceId}. */
  readonly planAcceptance: { readonly record: PlanAcceptance; readonly event: AcceptanceEvent };
  readonly partnerLink: { readonly record: PartnerLink; readonly event: LinkEvent };
}

/** Records that are replaced as a whole. */
export interface Flat {
  readonly schema: AttributionSchema;
  readonly document: Document;
  readonly recomputation: Recomputation;
  /** Identified by its settlement. */
  readonly taxOrigin: TaxOrigin;
  /** Identified by its partner and schema; see {@link arrivalOrderId}. */
  readonly arrivalOrder: ArrivalOrder;
  /** Identified by its partner and schema. */
  readonly attributionHistory: AttributionHistory;
  /** Identified by its key. */
  readonly runningTotal: RunningTotal;
  /** Identified by its customer and workspace; see `PartnerLink.linkSetId`. */
  readonly linkSet: LinkSet;
  readonly paymentFile: PaymentFile;
  /** Identified by its payment reference. */
  readonly bankPayment: BankPayment;
  readonly webhookEndpoint: WebhookEndpoint;
  readonly webhookDelivery: WebhookDelivery;
  readonly settlementRun: SettlementRun;
  /** Identified by its run, partner and currency; see {@link resultId}. */
  readonly settlementRunResult: SettlementRunResult;
  readonly planTrial: PlanTrial;
  /** Identified by its trial and partner. */
  readonly planTrialResult: PlanTrialResult;
  readonly recreditRun: RecreditRun;
  /** Identified by its run and sale. */
  readonly recreditRunResult: RecreditRunResult;
}

/** Every kind of record that {@link Storage} finds by id. */
export type Rows = { readonly [Kind in keyof Logged]: Logged[Kind]["record"] } & Flat;
export type Kind = keyof Rows;

/** The id by which a record is found; a billing profile has that of its customer. */
export const recordIdOf = (row: Rows[Kind]): string => ("id" in row ? row.id : row.customerId);

/** How far a plan has reached its formulas; the two numbers add up to all of them. */
export interface RollOut {
  /** Formulas that have not applied the plan's last event, or whose recomputation is pending. */
  readonly pending: number;
  readonly done: number;
}

/** What a page holds: the record and what is shown beside it. Events are in order, without their `stored` part. */
export interface Listed {
  readonly attribution: Versioned<Attribution> & { readonly events: ReadonlyArray<Entry<AttributionEvent>> };
  readonly formula: Versioned<Formula> & {
    readonly events: ReadonlyArray<Entry<FormulaEvent>>;
    /** True if a recomputation of it is pending. */
    readonly recomputing: boolean;
  };
  readonly plan: Versioned<CommissionPlan> & {
    readonly events: ReadonlyArray<Entry<PlanEvent>>;
    /** Partners with a formula of the plan whose assignment was not withdrawn. */
    readonly partnerCount: number;
    readonly rollingOut: RollOut;
  };
  readonly commission: Versioned<Commission> & { readonly events: ReadonlyArray<Entry<CommissionEvent>> };
  readonly settlement: Versioned<Settlement> & {
    readonly events: ReadonlyArray<Entry<SettlementEvent>>;
    /** In the order they were given at creation. */
    readonly lines: ReadonlyArray<Line>;
    /** True if it is a draft with a line that differs from what its commission is due now. */
    readonly stale: boolean;
  };
  readonly schema: Versioned<AttributionSchema>;
  readonly partner: Versioned<Partner>;
  readonly apiKey: Versioned<ApiKey>;
  readonly planAcceptance: Versioned<PlanAcceptance>;
  readonly partnerLink: Versioned<PartnerLink>;
  readonly paymentFile: Versioned<PaymentFile>;
  readonly webhookEndpoint: Versioned<WebhookEndpoint>;
  readonly webhookDelivery: Versioned<WebhookDelivery>;
  readonly settlementRun: Versioned<SettlementRun>;
  readonly settlementRunResult: Versioned<SettlementRunResult>;
  readonly planTrial: Versioned<PlanTrial>;
  readonly planTrialResult: Versioned<PlanTrialResult>;
  readonly recreditRun: Versioned<RecreditRun>;
  readonly recreditRunResult: Versioned<RecreditRunResult>;
}
export type ListedKind = keyof Listed;
