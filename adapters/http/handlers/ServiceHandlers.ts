/** A handler for each operation of the contract: it calls one service and writes the result. */
import { Context } from "effect";
import {
  ApiKeys,
  AttributionSchemas,
  Attributions,
  BankStatements,
  BillingProfiles,
  CommissionFormulas,
  CommissionPlans,
  Commissions,
  Erasures,
  Events,
  PartnerStatements,
  Partners,
  PaymentFiles,
  SettlementDocuments,
  SettlementPolicies,
  SettlementRuns,
  Settlements,
  WebhookEndpoints,
} from "quittance";
import { apiKeys } from "./ApiKeys.ts";
import { attributionSchemas } from "./AttributionSchemas.ts";
import { attributions } from "./Attributions.ts";
import { billingProfiles } from "./BillingProfiles.ts";
import { commissionFormulas } from "./CommissionFormulas.ts";
import { commissionPlans } from "./CommissionPlans.ts";
import { commissions } from "./Commissions.ts";
import { erasures } from "./Erasures.ts";
import { events } from "./Events.ts";
import type { Handlers } from "./Handlers.ts";
import { partnerStatements } from "./PartnerStatements.ts";
import { partners } from "./Partners.ts";
import { paymentFiles } from "./PaymentFiles.ts";
import { settlementDocuments } from "./SettlementDocuments.ts";
import { settlementPolicies, settlementRuns } from "./SettlementRuns.ts";
import { settlements } from "./Settlements.ts";
import { webhookEndpoints } from "./WebhookEndpoints.ts";

/** The services of the engine that the handlers call. */
export type Services =
  | Attributions.Attributions
  | AttributionSchemas.AttributionSchemas
  | Partners.Partners
  | PartnerStatements.PartnerStatements
  | CommissionFormulas.CommissionFormulas
  | CommissionPlans.CommissionPlans
  | Commissions.Commissions
  | Settlements.Settlements
  | SettlementDocuments.SettlementDocuments
  | SettlementPolicies.SettlementPolicies
  | SettlementRuns.SettlementRuns
  | ApiKeys.ApiKeys
  | BillingProfiles.BillingProfiles
  | Events.Events
  | Erasures.Erasures
  | WebhookEndpoints.WebhookEndpoints
  | PaymentFiles.PaymentFiles
  | BankStatements.BankStatements;

/** The handlers over the services of a context; the services are looked up once, not per request. */
export const make = (context: Context.Context<Services>): Handlers => ({
  attributions: attributions(Context.get(context, Attributions.Attributions)),
  attribution_schemas: attributionSchemas(Context.get(context, AttributionSchemas.AttributionSchemas)),
  partners: {
    ...partners(Context.get(context, Partners.Partners)),
    ...partnerStatements(Context.get(context, PartnerStatements.PartnerStatements)),
  },
  commission_formulas: commissionFormulas(Context.get(context, CommissionFormulas.CommissionFormulas)),
  commission_plans: commissionPlans(Context.get(context, CommissionPlans.CommissionPlans)),
  commissions: commissions(Context.get(context, Commissions.Commissions)),
  settlements: {
    ...settlements(Context.get(context, Settlements.Settlements)),
    ...settlementDocuments(Context.get(context, SettlementDocuments.SettlementDocuments)),
  },
  settlement_policies: settlementPolicies(Context.get(context, SettlementPolicies.SettlementPolicies)),
  settlement_runs: settlementRuns(Context.get(context, SettlementRuns.SettlementRuns)),
  api_keys: apiKeys(Context.get(context, ApiKeys.ApiKeys)),
  events: events(Context.get(context, Events.Events)),
  erasures: erasures(Context.get(context, Erasures.Erasures)),
  webhook_endpoints: webhookEndpoints(Context.get(context, WebhookEndpoints.WebhookEndpoints)),
  billing_profile: billingProfiles(Context.get(context, BillingProfiles.BillingProfiles)),
  payment_files: paymentFiles(
    Context.get(context, PaymentFiles.PaymentFiles),
    Context.get(context, BankStatements.BankStatements),
  ),
});
