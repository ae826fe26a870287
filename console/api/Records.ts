/** The records of the HTTP interface, under the names that these pages use. */
import type {
  ApiKey,
  Attribution,
  AttributionSchema,
  Commission,
  CommissionFormula,
  CommissionPlan,
  CommissionStatistics,
  CurrentPrincipal,
  Partner,
  PartnerSettlementPolicy,
  PartnerStatement,
  PropertyDefinition,
  Settlement,
  SettlementDryRun,
  SettlementPolicy,
  SettlementRun,
  SettlementRunDetails,
  StartSettlementRun,
  WebhookEndpoint,
} from "quittance/client";

export type {
  ApiKey,
  Attribution,
  Commission,
  CommissionStatistics,
  Explanation,
  Page,
  Partner,
  PartnerBalance,
  PartnerStatement,
  Settlement,
  WebhookDelivery,
  WebhookEndpoint,
} from "quittance/client";

export type Movement = PartnerStatement["movements"][number];
export type Run = SettlementRun;
export type DryRun = SettlementDryRun;
/** What a run covers. */
export type RunExtent = Omit<StartSettlementRun, "dryRun">;
/** What a run finds for a partner and currency, before or after its drafts are made. */
export type Finding = Omit<SettlementRunDetails["results"][number], "drafts">;
export type RunDraft = SettlementRunDetails["results"][number]["drafts"][number];
/** The terms under which runs settle. */
export type Terms = Pick<
  SettlementPolicy,
  "holdDays" | "minimum" | "cadence" | "autoApprove" | "fourEyesAbove" | "negative"
>;
export type OwnTerms = Pick<PartnerSettlementPolicy, keyof Terms>;
export type AmountByCurrency = Terms["minimum"];
export type Principal = CurrentPrincipal;
export type Schema = AttributionSchema;
export type Property = PropertyDefinition;
export type Formula = CommissionFormula;
export type Plan = CommissionPlan;

export type PropertyValue = string | number | boolean;
/** What a key may be allowed. */
export type Scope = Principal["scopes"][number];
export type Bucket = CommissionStatistics["buckets"][number];
export type SettlementStatus = Settlement["status"]["type"];
export type Line = Settlement["lines"][number];

/** One event of a record's log; the fields of an event have the names of the interface. */
export interface LogEntry {
  readonly datetime: string;
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>;
}

/** A sum of one currency. Sums of statistics may be beyond what a number holds exactly. */
export interface Amount {
  readonly currency: string;
  readonly amount: number | bigint;
}

/** The lists of the interface. */
export interface Lists {
  readonly partners: Partner;
  readonly attributionSchemas: Schema;
  readonly attributions: Attribution;
  readonly commissionFormulas: Formula;
  readonly commissionPlans: Plan;
  readonly commissions: Commission;
  readonly settlements: Settlement;
  readonly apiKeys: ApiKey;
  readonly settlementRuns: Run;
  readonly webhookEndpoints: WebhookEndpoint;
}
