/** The records of the HTTP interface under the names that the pages use. */
import type {
  ApiKey,
  Attribution,
  AttributionSchema,
  Commission,
  CommissionFormula,
  CommissionPlan,
  CurrentPrincipal,
  Partner,
  PartnerLink,
  PartnerSettlementPolicy,
  PartnerStatement,
  PaymentFile,
  PlanTrial,
  PlanTrialDetails,
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
  ApprovedPayoutAccount,
  Attribution,
  Commission,
  CommissionStatistics,
  Explanation,
  Page,
  Partner,
  PartnerBalance,
  PartnerLink,
  PartnerStatement,
  PaymentFile,
  PayoutAccount,
  Settlement,
  TrialChange,
  WebhookDelivery,
  WebhookEndpoint,
} from "quittance/client";

export type Movement = PartnerStatement["movements"][number];
export type Run = SettlementRun;
export type DryRun = SettlementDryRun;
/** The partners, currencies and sales of a run. */
export type RunCriteria = Omit<StartSettlementRun, "dryRun">;
/** The result of a run, or of a dry run, for a partner and currency, without drafts. */
export type Finding = Omit<SettlementRunDetails["results"][number], "drafts">;
export type RunDraft = SettlementRunDetails["results"][number]["drafts"][number];
/** The terms of a settlement policy. */
export type Terms = Pick<
  SettlementPolicy,
  | "holdDays"
  | "minimum"
  | "cadence"
  | "autoApprove"
  | "fourEyesAbove"
  | "negative"
  | "invoiceTaxBps"
  | "requireAcceptance"
>;
export type OwnTerms = Pick<PartnerSettlementPolicy, keyof Terms>;
export type AmountByCurrency = Terms["minimum"];
export type Principal = CurrentPrincipal;
export type Schema = AttributionSchema;
export type Property = PropertyDefinition;
export type Formula = CommissionFormula;
export type Plan = CommissionPlan;
export type Trial = PlanTrial;
export type TrialDetails = PlanTrialDetails;

export type PropertyValue = string | number | boolean;
/** A scope of an API key. */
export type Scope = Principal["scopes"][number];
export type SettlementStatus = Settlement["status"]["type"];
export type Line = Settlement["lines"][number];

/** One entry of a record's log. The fields of its event have the names of the interface. */
export type LogEntry = (Attribution | Commission | Formula | Plan | Settlement)["events"][number];
export type LogEvent = LogEntry["event"];
export type EventType = LogEvent["type"];
/** The event of a type. */
export type EventOf<Type extends EventType> = Extract<LogEvent, { readonly type: Type }>;

/** A sum of one currency over many records. */
export interface Sum {
  readonly currency: string;
  readonly amount: bigint;
}

/** The lists of the interface. */
export interface Lists {
  readonly partners: Partner;
  readonly partnerLinks: PartnerLink;
  readonly attributionSchemas: Schema;
  readonly attributions: Attribution;
  readonly commissionFormulas: Formula;
  readonly commissionPlans: Plan;
  readonly planTrials: Trial;
  readonly commissions: Commission;
  readonly settlements: Settlement;
  readonly apiKeys: ApiKey;
  readonly settlementRuns: Run;
  readonly webhookEndpoints: WebhookEndpoint;
  readonly paymentFiles: PaymentFile;
}
