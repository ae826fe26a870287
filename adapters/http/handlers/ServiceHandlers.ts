/** A handler for each operation of the contract: it calls one service and writes the result. */
import { Context, Effect } from "effect";
import {
  AccountingPeriods,
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
  Journals,
  PartnerLinks,
  PartnerStatements,
  Partners,
  Payables,
  PaymentFiles,
  PayoutAccounts,
  PlanTerms,
  PlanTrials,
  PostingRules,
  Receipts,
  RecreditRuns,
  Recredits,
  SettlementDocuments,
  SettlementPolicies,
  SettlementRuns,
  Settlements,
  WebhookEndpoints,
  Workspaces,
} from "quittance";
import { apiKey, createdApiKey, currentPrincipal } from "../wire/ApiKey.ts";
import * as Attribution from "../wire/Attribution.ts";
import { attributionSchema } from "../wire/AttributionSchema.ts";
import * as Commission from "../wire/Commission.ts";
import { commissionFormula } from "../wire/CommissionFormula.ts";
import { commissionPlan } from "../wire/CommissionPlan.ts";
import { eventErasure, partnerErasure } from "../wire/Erasure.ts";
import { formulaDryRun } from "../wire/FormulaDryRun.ts";
import { billingProfile, partner, partnerDryRun, partnerEntry } from "../wire/Partner.ts";
import { partnerLink } from "../wire/PartnerLink.ts";
import { balance, balances } from "../wire/PartnerStatement.ts";
import { createdFile, paymentFile } from "../wire/PaymentFile.ts";
import { payoutAccounts } from "../wire/PayoutAccount.ts";
import { periods } from "../wire/Period.ts";
import { planAcceptance } from "../wire/PlanTerms.ts";
import { planTrial } from "../wire/PlanTrial.ts";
import { postingRules } from "../wire/PostingRules.ts";
import { recreditRun } from "../wire/RecreditRun.ts";
import { partnerPolicy, settlementPolicy, settlementRun, settlementSchedule } from "../wire/SettlementRun.ts";
import * as Webhook from "../wire/WebhookEndpoint.ts";
import { workspace } from "../wire/Workspace.ts";
import { derive } from "./Derived.ts";
import { listEvents } from "./Events.ts";
import { explanation } from "./Explanation.ts";
import type { Handlers } from "./Handlers.ts";
import { readJournal, readPayables } from "./Journal.ts";
import { statement } from "./PartnerStatement.ts";
import { readPaymentFile, readStatement } from "./PaymentFiles.ts";
import { terms } from "./PlanTerms.ts";
import { exportTrial, readTrial } from "./PlanTrials.ts";
import { readRecredit } from "./RecreditRuns.ts";
import * as Responses from "./Responses.ts";
import { settlementDocuments } from "./SettlementDocuments.ts";
import { readRun, startRun } from "./SettlementRuns.ts";
import { listSettlements, preview } from "./Settlements.ts";
import { simulate } from "./Simulation.ts";

/** The services of the engine that the handlers call. */
export type Services =
  | Attributions.Attributions
  | Recredits.Recredits
  | RecreditRuns.RecreditRuns
  | AttributionSchemas.AttributionSchemas
  | Partners.Partners
  | PartnerStatements.PartnerStatements
  | Journals.Journals
  | Payables.Payables
  | PostingRules.PostingRules
  | AccountingPeriods.AccountingPeriods
  | PayoutAccounts.PayoutAccounts
  | PartnerLinks.PartnerLinks
  | Receipts.Receipts
  | CommissionFormulas.CommissionFormulas
  | CommissionPlans.CommissionPlans
  | PlanTerms.PlanTerms
  | PlanTrials.PlanTrials
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
  | Workspaces.Workspaces
  | PaymentFiles.PaymentFiles
  | BankStatements.BankStatements;

const policies = (service: SettlementPolicies.SettlementPolicies): Handlers["settlement_policies"] =>
  derive("settlement_policies", service, {
    read: { write: settlementPolicy },
    read_override: ({ principal, path }) =>
      Effect.map(service.readOverride(principal, path.workspaceId, path.partnerId), (policy) =>
        Responses.jsonText(partnerPolicy(policy)),
      ),
    write_override: ({ principal, path, payload, options }) =>
      Effect.map(
        service.writeOverride(principal, path.workspaceId, path.partnerId, payload, options),
        Responses.emptyBody,
      ),
    remove_override: ({ principal, path, options }) =>
      Effect.map(
        service.removeOverride(principal, path.workspaceId, path.partnerId, options),
        Responses.emptyBody,
      ),
  });

const partnersOf = (
  service: Partners.Partners,
  statements: PartnerStatements.PartnerStatements,
  { settlementSchedule: schedule }: SettlementPolicies.SettlementPolicies,
): Handlers["partners"] =>
  derive(
    "partners",
    { ...service, ...statements, settlementSchedule: schedule },
    {
      list: { write: partner },
      create: ({ principal, payload, options }) =>
        payload.dryRun === true
          ? Effect.map(service.dryRun(principal, payload), (found) =>
              Responses.jsonText(partnerDryRun(found)),
            )
          : Effect.map(service.create(principal, payload, options), Responses.createdRecord),
      events: { write: partnerEntry },
      balance: { write: balance },
      balances: { write: balances },
      statement: statement(statements),
      settlement_schedule: { write: settlementSchedule },
    },
  );

const apiKeysOf = (
  service: ApiKeys.ApiKeys,
  { customerName }: BillingProfiles.BillingProfiles,
): Handlers["api_keys"] =>
  derive("api_keys", service, {
    list: { write: apiKey },
    create: { write: createdApiKey },
    accept: { write: createdApiKey },
    current: ({ principal }) =>
      Effect.map(customerName(principal), (name) =>
        Responses.jsonText(currentPrincipal({ ...principal, customerName: name })),
      ),
  });

const payoutAccountsOf = (service: PayoutAccounts.PayoutAccounts): Handlers["payout_accounts"] =>
  derive("payout_accounts", service, {
    read: { write: payoutAccounts },
    confirm: ({ principal, path, options }) =>
      Effect.map(service.confirm(principal, path.id, path.accountId, options), Responses.emptyBody),
    retire: ({ principal, path, options }) =>
      Effect.map(service.retire(principal, path.id, path.accountId, options), Responses.emptyBody),
  });

const plans = (
  service: CommissionPlans.CommissionPlans,
  planTerms: PlanTerms.PlanTerms,
): Handlers["commission_plans"] =>
  derive(
    "commission_plans",
    { ...service, ...planTerms },
    {
      terms: terms(planTerms),
      acceptances: { write: planAcceptance },
      list: { write: commissionPlan },
      assign: ({ principal, path, payload, options }) =>
        payload.dryRun === true
          ? Effect.map(service.dryRun(principal, path.id, payload), (found) =>
              Responses.jsonText(formulaDryRun(found)),
            )
          : Effect.map(service.assign(principal, path.id, payload, options), Responses.emptyBody),
      withdraw_version: ({ principal, path, options }) =>
        Effect.map(service.withdrawVersion(principal, path.id, path.number, options), Responses.emptyBody),
      unassign: ({ principal, path, payload, options }) =>
        Effect.map(
          service.unassign(principal, path.id, path.partnerId, payload, options),
          Responses.emptyBody,
        ),
      set_partner_parameters: ({ principal, path, payload, options }) =>
        Effect.map(
          service.setPartnerParameters(principal, path.id, path.partnerId, payload, options),
          Responses.emptyBody,
        ),
    },
  );

const attributions = (
  service: Attributions.Attributions,
  receipts: Receipts.Receipts,
  recredits: Recredits.Recredits,
): Handlers["attributions"] =>
  derive(
    "attributions",
    { ...service, ...receipts },
    {
      list: { write: Attribution.attribution },
      create_batch: { write: Attribution.batch },
      preview_received: { write: Attribution.receiptPreview },
      state_received_batch: { write: Attribution.statedBatch },
      stats: { write: Attribution.statistics },
      replace: ({ principal, path, payload, options }) =>
        payload.dryRun === true
          ? Effect.map(service.dryRun(principal, path.id, payload), (found) =>
              Responses.jsonText(Attribution.replacementDryRun(found)),
            )
          : Effect.map(service.replace(principal, path.id, payload, options), (result) =>
              Responses.createdRecord(result, result.id === path.id ? 200 : 201),
            ),
      recredit: ({ principal, path, payload, options }) =>
        payload.dryRun === true
          ? Effect.map(recredits.dryRun(principal, path.id, payload), (found) =>
              Responses.jsonText(Attribution.recreditDryRun(found)),
            )
          : Effect.map(recredits.recredit(principal, path.id, payload, options), (result) =>
              Responses.written(Attribution.recredited(result), 200, result.replayed),
            ),
    },
  );

const formulas = (service: CommissionFormulas.CommissionFormulas): Handlers["commission_formulas"] =>
  derive("commission_formulas", service, {
    list: { write: commissionFormula },
    create: ({ principal, payload, options }) =>
      payload.dryRun === true
        ? Effect.map(service.dryRun(principal, payload), (found) => Responses.jsonText(formulaDryRun(found)))
        : Effect.map(service.create(principal, payload, options), Responses.createdRecord),
    withdraw_version: ({ principal, path, options }) =>
      Effect.map(service.withdrawVersion(principal, path.id, path.number, options), Responses.emptyBody),
    simulate: simulate(service),
  });

const webhookEndpoints = (service: WebhookEndpoints.WebhookEndpoints): Handlers["webhook_endpoints"] =>
  derive("webhook_endpoints", service, {
    list: { write: Webhook.webhookEndpoint },
    create: { write: Webhook.createdWebhookEndpoint },
    read: { write: Webhook.webhookEndpoint },
    rotate: { write: Webhook.rotatedWebhookSecret },
    deliveries: { write: Webhook.webhookDelivery },
    redeliver: ({ principal, path, options }) =>
      Effect.map(service.redeliver(principal, path.id, path.deliveryId, options), Responses.emptyBody),
  });

/** The handlers over the services of a context; the services are looked up once, not per request. */
export const make = (context: Context.Context<Services>): Handlers => {
  const service = <Id extends Services, Service>(tag: Context.Tag<Id, Service>): Service =>
    Context.get(context, tag);
  return {
    attributions: attributions(
      service(Attributions.Attributions),
      service(Receipts.Receipts),
      service(Recredits.Recredits),
    ),
    recredits: derive("recredits", service(RecreditRuns.RecreditRuns), {
      list: { write: recreditRun },
      read: readRecredit(service(RecreditRuns.RecreditRuns)),
    }),
    attribution_schemas: derive("attribution_schemas", service(AttributionSchemas.AttributionSchemas), {
      list: { write: attributionSchema },
    }),
    partners: partnersOf(
      service(Partners.Partners),
      service(PartnerStatements.PartnerStatements),
      service(SettlementPolicies.SettlementPolicies),
    ),
    payout_accounts: payoutAccountsOf(service(PayoutAccounts.PayoutAccounts)),
    partner_links: derive("partner_links", service(PartnerLinks.PartnerLinks), {
      list: { write: partnerLink },
    }),
    commission_formulas: formulas(service(CommissionFormulas.CommissionFormulas)),
    commission_plans: plans(service(CommissionPlans.CommissionPlans), service(PlanTerms.PlanTerms)),
    plan_trials: derive("plan_trials", service(PlanTrials.PlanTrials), {
      list: { write: planTrial },
      read: readTrial(service(PlanTrials.PlanTrials)),
      export: exportTrial(service(PlanTrials.PlanTrials)),
    }),
    commissions: derive("commissions", service(Commissions.Commissions), {
      list: { write: Commission.commission },
      stats: { write: Commission.statistics },
      explanation: explanation(service(Commissions.Commissions)),
    }),
    settlements: derive("settlements", service(Settlements.Settlements), {
      list: listSettlements(service(Settlements.Settlements)),
      preview: preview(service(Settlements.Settlements)),
      ...settlementDocuments(service(SettlementDocuments.SettlementDocuments)),
    }),
    settlement_policies: policies(service(SettlementPolicies.SettlementPolicies)),
    settlement_runs: derive("settlement_runs", service(SettlementRuns.SettlementRuns), {
      list: { write: settlementRun },
      start: startRun(service(SettlementRuns.SettlementRuns)),
      read: readRun(service(SettlementRuns.SettlementRuns)),
    }),
    api_keys: apiKeysOf(service(ApiKeys.ApiKeys), service(BillingProfiles.BillingProfiles)),
    events: { list: listEvents(service(Events.Events)) },
    journal: {
      read: readJournal(service(Journals.Journals)),
      payables: readPayables(service(Payables.Payables)),
    },
    periods: derive("periods", service(AccountingPeriods.AccountingPeriods), { read: { write: periods } }),
    posting_rules: derive("posting_rules", service(PostingRules.PostingRules), {
      read: { write: postingRules },
    }),
    erasures: derive("erasures", service(Erasures.Erasures), {
      partner: { write: partnerErasure },
      events: { write: eventErasure },
    }),
    webhook_endpoints: webhookEndpoints(service(WebhookEndpoints.WebhookEndpoints)),
    workspaces: derive("workspaces", service(Workspaces.Workspaces), { read: { write: workspace } }),
    billing_profile: derive("billing_profile", service(BillingProfiles.BillingProfiles), {
      read: { write: billingProfile },
    }),
    payment_files: derive("payment_files", service(PaymentFiles.PaymentFiles), {
      list: { write: paymentFile },
      create: { write: createdFile },
      read: readPaymentFile(service(PaymentFiles.PaymentFiles)),
      read_statement: readStatement(service(BankStatements.BankStatements)),
    }),
  };
};
